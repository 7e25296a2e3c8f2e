//! Opens every output before the first game and writes it as the run goes.

use super::folder::{Folder, FolderError};
use super::journal::Journal;
use super::manifest::{Manifest, Timing};
use super::{COLUMNS, bounded, compared, names, solved, tables};
use crate::games::CardGame;
use crate::runner::bound::{BoundPlan, BoundTotals};
use crate::runner::compare::{ComparePlan, CompareTotals};
use crate::runner::solve::{SolvePlan, SolveTotals};
use crate::runner::{Plan, Ranges, Text, Totals};
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The outputs that a run was asked for, beside the manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The tables that are written at the end.
    pub tables: Vec<&'static str>,
    /// The table that gets rows as the run goes, if one is wanted.
    pub rows: Option<&'static str>,
    /// Where the transcripts go; `-` is standard output.
    pub transcripts: Option<PathBuf>,
    /// Whether a file of transcripts that is there already may be overwritten.
    pub force: bool,
}

impl Files {
    /// The tables of a run of this game; `games` asks for a row a game.
    #[must_use]
    pub fn of_run<G: CardGame>(games: bool) -> Self {
        let further = tables::further::<G>().iter().map(|table| table.file);
        let tables = [names::SUMMARY, names::SCORES, names::TALLY].into_iter().chain(further).collect();
        Self { tables, rows: games.then_some(names::GAMES), ..Self::default() }
    }

    /// The tables of exact answers; `solutions` asks for a row a deal.
    #[must_use]
    pub fn of_solve(solutions: bool) -> Self {
        let tables = vec![names::SOLVABILITY, names::VALUES, names::NODES];
        Self { tables, rows: solutions.then_some(names::SOLUTIONS), ..Self::default() }
    }

    /// The tables of a comparison at a table with so many seats.
    #[must_use]
    pub fn of_compare(seats: usize) -> Self {
        let mut tables = vec![names::COMPARISON, names::MATRIX];
        if seats > 1 {
            tables.extend([names::RATINGS, names::SEATS]);
        }
        Self { tables, ..Self::default() }
    }

    /// The table of bounds on fair play.
    #[must_use]
    pub fn of_bound() -> Self {
        Self { tables: vec![names::BOUND], ..Self::default() }
    }

    /// The names of the files in the folder, the manifest and the journal first.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        [names::MANIFEST, names::JOURNAL].into_iter().chain(self.tables.iter().copied()).chain(self.rows)
    }
}

/// One open file.
struct Output {
    name: String,
    out: BufWriter<Box<dyn Write + Send>>,
    /// The bytes written.
    bytes: u64,
}

impl Output {
    fn create(path: &Path) -> Result<Self, FolderError> {
        let file = File::create(path).map_err(FolderError::io("create", path))?;
        Ok(Self::to(path.display().to_string(), file, 0))
    }

    /// A table with its header.
    fn headed(path: &Path, header: &str) -> Result<Self, FolderError> {
        let mut output = Self::create(path)?;
        output.write(header.as_bytes()).map_err(FolderError::io("write", path))?;
        Ok(output)
    }

    /// Goes on behind the first `bytes`; what follows them is cut off.
    fn append(path: &Path, bytes: u64) -> Result<Self, FolderError> {
        let open = || {
            let mut file = File::options().write(true).open(path)?;
            let there = file.metadata()?.len();
            if there < bytes {
                return Err(io::Error::other(format!(
                    "it has {there} bytes, and the journal counts {bytes}"
                )));
            }
            file.set_len(bytes)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let resume =
            |error: io::Error| FolderError::Resume { path: path.to_owned(), reason: error.to_string() };
        Ok(Self::to(path.display().to_string(), open().map_err(resume)?, bytes))
    }

    fn to(name: String, out: impl Write + Send + 'static, bytes: u64) -> Self {
        Self { name, out: BufWriter::new(Box::new(out)), bytes }
    }

    fn stdout() -> Self {
        Self::to("standard output".to_owned(), io::stdout(), 0)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Writes a whole table. The header stands there even when no row follows.
    fn table<'c>(
        &mut self,
        columns: impl IntoIterator<Item = &'c &'static str>,
        rows: impl Iterator<Item = impl Serialize>,
    ) -> io::Result<()> {
        let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(&mut self.out);
        table.write_record(columns)?;
        for row in rows {
            table.serialize(row)?;
        }
        table.flush()
    }
}

fn columns(table: &str) -> &'static [&'static str] {
    COLUMNS.iter().find(|(name, _)| *name == table).map_or(&[], |(_, columns)| columns)
}

/// The first line of a table.
pub(super) fn header(table: &str) -> String {
    columns(table).join(",") + "\n"
}

/// The open outputs of a run.
pub struct Writer {
    /// Nothing where only the text of a run is wanted.
    folder: Option<Folder>,
    manifest: Manifest,
    /// The timing of the part of the run that came before.
    before: Timing,
    tables: Vec<(&'static str, Output)>,
    rows: Option<Output>,
    transcripts: Option<Output>,
    unwritten: Unwritten,
}

/// What could not be written, and what could.
#[derive(Debug, Default)]
pub struct Unwritten {
    failed: Vec<(String, io::Error)>,
    written: Vec<String>,
}

impl Unwritten {
    fn note(&mut self, name: &str, result: io::Result<()>) {
        match result {
            // Of several failures of one file the first tells the cause.
            _ if self.failed.iter().any(|(other, _)| other == name) => {}
            Ok(()) => self.written.push(name.to_owned()),
            Err(error) => self.failed.push((name.to_owned(), error)),
        }
    }

    /// Whether all that failed is a reader who has seen enough.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        self.failed.iter().all(|(_, error)| error.kind() == ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, error) in &self.failed {
            write!(f, "cannot write {name}: {error}; ")?;
        }
        let failed: Vec<&str> = self.failed.iter().map(|(name, _)| name.as_str()).collect();
        write!(f, "incomplete: {}; ", failed.join(", "))?;
        write!(
            f,
            "written: {}",
            if self.written.is_empty() { "nothing".to_owned() } else { self.written.join(", ") }
        )
    }
}

impl std::error::Error for Unwritten {}

impl Writer {
    /// Makes the folder and opens all files. Without a folder there are neither tables nor a manifest.
    ///
    /// # Errors
    /// Names the file or folder that cannot be used; folders that were made are removed again.
    pub fn open(
        mut folder: Option<Folder>,
        mut manifest: Manifest,
        files: &Files,
    ) -> Result<Self, FolderError> {
        if let Some(path) = &files.transcripts {
            Folder::check_transcripts(folder.as_ref(), path, files)?;
        }
        if let Some(folder) = &mut folder {
            folder.create()?;
        }
        let begun = folder.as_ref().and_then(Folder::resumed);
        if let Some((old, _)) = begun {
            same_files(folder.as_ref(), old, files)?;
        }
        let journal = begun.map(|(_, journal)| journal);
        let before = begun.map_or_else(Timing::default, |(old, _)| old.timing.clone());
        // The transcripts are the only file that may lie outside, so they are tried first.
        let transcripts = files.transcripts.as_deref().map(|path| match (path.to_str(), journal) {
            (Some("-"), _) => Ok(Output::stdout()),
            (_, Some(journal)) => Output::append(path, journal.transcripts),
            _ => Output::create(path),
        });
        let transcripts = match transcripts.transpose() {
            Ok(transcripts) => transcripts,
            Err(error) => {
                folder.iter_mut().for_each(Folder::undo);
                return Err(error);
            }
        };
        manifest.transcripts = files.transcripts.as_ref().map(|path| path.display().to_string());
        let (mut tables, mut rows) = (Vec::new(), None);
        if let Some(folder) = &folder {
            manifest.files = files.names().map(ToOwned::to_owned).collect();
            folder.remove_stale(&manifest.files)?;
            let path = |name: &str| folder.path().join(name);
            let create = |name: &'static str| Ok((name, Output::create(&path(name))?));
            tables = files.tables.iter().map(|name| create(name)).collect::<Result<_, FolderError>>()?;
            let begin = |name: &'static str| match journal {
                Some(journal) => Output::append(&path(name), journal.rows),
                None => Output::headed(&path(name), &header(name)),
            };
            rows = files.rows.map(begin).transpose()?;
        }
        let state = journal.cloned().unwrap_or_default();
        let unwritten = Unwritten::default();
        let mut writer = Self { folder, manifest, before, tables, rows, transcripts, unwritten };
        writer.keep(&state.ranges, state.totals, Timing::default()).map_err(|error| {
            let folder = writer.folder().unwrap_or(Path::new("")).to_owned();
            FolderError::io("write to", &folder)(error)
        })?;
        Ok(writer)
    }

    /// The folder, if there is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(Folder::path)
    }

    /// Appends text of finished games.
    ///
    /// # Errors
    /// When a file cannot be written; [`Writer::finish`] will tell which.
    pub fn text(&mut self, text: &Text) -> io::Result<()> {
        let parts = [(&mut self.rows, &text.rows), (&mut self.transcripts, &text.transcripts)];
        for (output, bytes) in parts {
            if let Some(output) = output
                && !bytes.is_empty()
                && let Err(error) = output.write(bytes)
            {
                let kind = error.kind();
                self.unwritten.failed.push((output.name.clone(), error));
                return Err(kind.into());
            }
        }
        Ok(())
    }

    /// Writes the tables of a run. [`Writer::finish`] will tell when that fails.
    pub fn run<G: CardGame>(&mut self, plan: &Plan<G>, totals: &Totals<G>) {
        self.table(names::SUMMARY, columns(names::SUMMARY), tables::summary(plan, totals));
        self.table(names::SCORES, columns(names::SCORES), tables::scores(plan, totals));
        self.table(names::TALLY, columns(names::TALLY), tables::tally(plan, totals));
        for table in tables::further::<G>() {
            let columns = ["game", "agent"].iter().chain(table.columns);
            self.table(table.file, columns, tables::rows_of(plan, totals, table));
        }
    }

    /// Writes the tables of exact answers. [`Writer::finish`] will tell when that fails.
    pub fn solve<G: CardGame>(&mut self, plan: &SolvePlan<G>, totals: &SolveTotals) {
        self.table(names::SOLVABILITY, columns(names::SOLVABILITY), solved::solvability(plan, totals));
        self.table(names::VALUES, columns(names::VALUES), solved::values(plan, totals));
        self.table(names::NODES, columns(names::NODES), std::iter::once(solved::nodes(plan, totals)));
    }

    /// Writes the tables of a comparison. [`Writer::finish`] will tell when that fails.
    pub fn compare<G: CardGame>(&mut self, plan: &ComparePlan<G>, totals: &CompareTotals) {
        self.table(names::COMPARISON, columns(names::COMPARISON), compared::comparison(plan, totals));
        self.table(names::MATRIX, columns(names::MATRIX), compared::matrix(plan, totals));
        self.table(names::RATINGS, columns(names::RATINGS), compared::ratings(plan, totals).into_iter());
        self.table(names::SEATS, columns(names::SEATS), compared::seats(plan, totals));
    }

    /// Writes the table of bounds on fair play. [`Writer::finish`] will tell when that fails.
    pub fn bound<G: CardGame>(&mut self, plan: &BoundPlan<G>, totals: &BoundTotals) {
        self.table(names::BOUND, columns(names::BOUND), bounded::bounds(plan, totals));
    }

    /// Writes a table, if it is among the files of this run.
    fn table<'c>(
        &mut self,
        name: &str,
        columns: impl IntoIterator<Item = &'c &'static str>,
        rows: impl Iterator<Item = impl Serialize>,
    ) {
        if let Some((_, output)) = self.tables.iter_mut().find(|(other, _)| *other == name) {
            let result = output.table(columns, rows);
            self.unwritten.note(&output.name, result);
        }
    }

    /// Keeps the counts of these indices, whose text has been written: flushes the text, then writes the journal
    /// and the manifest of a run that goes on. `timing` is that of this part of the run.
    ///
    /// # Errors
    /// When a file cannot be written; [`Writer::finish`] will tell which.
    pub fn keep(&mut self, ranges: &Ranges, totals: Value, timing: Timing) -> io::Result<()> {
        self.journal(ranges, totals);
        self.manifest =
            self.manifest.clone().finish(ranges.clone(), true, timing.after(&self.before, ranges.len()));
        self.write_manifest();
        match self.unwritten.failed.first() {
            None => {
                self.unwritten.written.clear();
                Ok(())
            }
            Some((_, error)) => Err(error.kind().into()),
        }
    }

    /// Writes the journal, the manifest of what was finished, and the rest of everything else. `partial` says whether
    /// something is missing.
    ///
    /// # Errors
    /// Says which files are incomplete, why, and which are written.
    pub fn finish(
        mut self,
        ranges: &Ranges,
        partial: bool,
        totals: Value,
        timing: Timing,
    ) -> Result<Manifest, Unwritten> {
        self.journal(ranges, totals);
        let timing = timing.after(&self.before, ranges.len());
        self.manifest = self.manifest.finish(ranges.clone(), partial, timing);
        self.write_manifest();
        if self.unwritten.failed.is_empty() { Ok(self.manifest) } else { Err(self.unwritten) }
    }

    /// Flushes the text and writes the journal, which is left as it was when the text is incomplete.
    fn journal(&mut self, ranges: &Ranges, totals: Value) {
        for output in [&mut self.transcripts, &mut self.rows].into_iter().flatten() {
            let result = output.out.flush();
            self.unwritten.note(&output.name, result);
        }
        if self.unwritten.failed.is_empty()
            && let Some(folder) = &self.folder
        {
            let bytes = |output: &Option<Output>| output.as_ref().map_or(0, |output| output.bytes);
            let (rows, transcripts) = (bytes(&self.rows), bytes(&self.transcripts));
            let journal = Journal { ranges: ranges.clone(), rows, transcripts, totals };
            let result = journal.write(folder.path());
            self.unwritten.note(&folder.path().join(names::JOURNAL).display().to_string(), result);
        }
    }

    fn write_manifest(&mut self) {
        if let Some(folder) = &self.folder {
            let path = folder.path().join(names::MANIFEST);
            let result = self.manifest.write(&path);
            self.unwritten.note(&path.display().to_string(), result);
        }
    }
}

/// Checks that a run goes on with the files with which it was begun.
fn same_files(folder: Option<&Folder>, old: &Manifest, files: &Files) -> Result<(), FolderError> {
    let path = || folder.map_or_else(PathBuf::new, |folder| folder.path().to_owned());
    let refused = |reason: String| Err(FolderError::Resume { path: path(), reason });
    let transcripts = files.transcripts.as_ref().map(|path| path.display().to_string());
    if !files.names().eq(old.files.iter().map(String::as_str)) {
        let names: Vec<&str> = files.names().collect();
        return refused(format!("it was begun to write {}, not {}", old.files.join(", "), names.join(", ")));
    }
    if transcripts != old.transcripts {
        let to = |path: &Option<String>| path.as_ref().map_or("nowhere".to_owned(), ToOwned::to_owned);
        return refused(format!(
            "its transcripts were written to {}, not to {}",
            to(&old.transcripts),
            to(&transcripts)
        ));
    }
    if transcripts.as_deref() == Some("-") {
        return refused("its transcripts went to standard output".to_owned());
    }
    Ok(())
}
