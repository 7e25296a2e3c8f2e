//! Opens every output before the first game and writes it as the run goes.

use super::folder::{Folder, FolderError};
use super::manifest::{Manifest, Timing};
use super::{COLUMNS, names, tables};
use crate::games::{CardGame, TableOf};
use crate::runner::{Outcome, Plan, Text};
use serde::Serialize;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The outputs that a run was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Whether `games.csv` is written.
    pub games: bool,
    /// Where the transcripts go; `-` is standard output.
    pub transcripts: Option<PathBuf>,
}

/// One open file.
struct Output {
    name: String,
    out: BufWriter<Box<dyn Write + Send>>,
}

impl Output {
    fn create(path: &Path) -> Result<Self, FolderError> {
        let file = File::create(path).map_err(FolderError::io("create", path))?;
        Ok(Self { name: path.display().to_string(), out: BufWriter::new(Box::new(file)) })
    }

    fn stdout() -> Self {
        Self { name: "standard output".to_owned(), out: BufWriter::new(Box::new(io::stdout())) }
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

/// The open outputs of a run.
pub struct Writer {
    folder: Folder,
    manifest: Manifest,
    summary: Output,
    scores: Output,
    tally: Output,
    /// The game's own tables.
    further: Vec<(&'static TableOf, Output)>,
    games: Option<Output>,
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
    /// Makes the folder and opens all files.
    ///
    /// # Errors
    /// Names the file or folder that cannot be used; folders that were made are removed again.
    pub fn open<G: CardGame>(mut folder: Folder, plan: &Plan<G>, files: &Files) -> Result<Self, FolderError> {
        if let Some(path) = &files.transcripts {
            folder.check_transcripts(path, tables::further::<G>())?;
        }
        folder.create()?;
        // The transcripts are the only file that may lie outside, so they are tried first.
        let transcripts = files.transcripts.as_deref().map(|path| match path.to_str() {
            Some("-") => Ok(Output::stdout()),
            _ => Output::create(path),
        });
        let transcripts = match transcripts.transpose() {
            Ok(transcripts) => transcripts,
            Err(error) => {
                folder.undo();
                return Err(error);
            }
        };
        let games = [names::GAMES].into_iter().filter(|_| files.games);
        let written: Vec<String> = [names::MANIFEST, names::SUMMARY, names::SCORES, names::TALLY]
            .into_iter()
            .chain(tables::further::<G>().iter().map(|table| table.file))
            .chain(games)
            .map(ToOwned::to_owned)
            .collect();
        folder.remove_stale(&written)?;
        let create = |name: &str| Output::create(&folder.path().join(name));
        let transcribed = files.transcripts.as_ref().map(|path| path.display().to_string());
        let mut writer = Self {
            summary: create(names::SUMMARY)?,
            scores: create(names::SCORES)?,
            tally: create(names::TALLY)?,
            further: tables::further::<G>()
                .iter()
                .map(|table| Ok((table, create(table.file)?)))
                .collect::<Result<_, FolderError>>()?,
            games: files.games.then(|| create(names::GAMES)).transpose()?,
            manifest: Manifest::new(plan, written, transcribed),
            transcripts,
            folder,
            unwritten: Unwritten::default(),
        };
        let path = writer.folder.path().join(names::MANIFEST);
        writer.write_manifest().map_err(FolderError::io("write", &path))?;
        if let Some(games) = &mut writer.games {
            let header = columns(names::GAMES).join(",") + "\n";
            games
                .out
                .write_all(header.as_bytes())
                .map_err(FolderError::io("write", Path::new(&games.name)))?;
        }
        Ok(writer)
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Appends text of finished games.
    ///
    /// # Errors
    /// When a file cannot be written; [`Writer::finish`] will tell which.
    pub fn text(&mut self, text: &Text) -> io::Result<()> {
        let parts = [(&mut self.games, &text.games), (&mut self.transcripts, &text.transcripts)];
        for (output, bytes) in parts {
            if let Some(output) = output
                && !bytes.is_empty()
                && let Err(error) = output.out.write_all(bytes)
            {
                let kind = error.kind();
                self.unwritten.failed.push((output.name.clone(), error));
                return Err(kind.into());
            }
        }
        Ok(())
    }

    /// Writes the tables and the manifest of what was finished.
    ///
    /// # Errors
    /// Says which files are incomplete, why, and which are written.
    pub fn finish<G: CardGame>(
        mut self,
        plan: &Plan<G>,
        outcome: &Outcome<G>,
        timing: Timing,
    ) -> Result<Manifest, Unwritten> {
        let totals = &outcome.totals;
        for output in [&mut self.transcripts, &mut self.games].into_iter().flatten() {
            let result = output.out.flush();
            self.unwritten.note(&output.name, result);
        }
        let summary = self.summary.table(columns(names::SUMMARY), tables::summary(plan, totals));
        self.unwritten.note(&self.summary.name, summary);
        let scores = self.scores.table(columns(names::SCORES), tables::scores(plan, totals));
        self.unwritten.note(&self.scores.name, scores);
        let tally = self.tally.table(columns(names::TALLY), tables::tally(plan, totals));
        self.unwritten.note(&self.tally.name, tally);
        for (table, output) in &mut self.further {
            let columns = ["game", "agent"].iter().chain(table.columns);
            let result = output.table(columns, tables::rows_of(plan, totals, table));
            self.unwritten.note(&output.name, result);
        }
        self.manifest = self.manifest.finish(&outcome.finished, timing);
        let result = self.write_manifest();
        let path = self.folder.path().join(names::MANIFEST);
        self.unwritten.note(&path.display().to_string(), result);
        if self.unwritten.failed.is_empty() { Ok(self.manifest) } else { Err(self.unwritten) }
    }

    fn write_manifest(&self) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(&self.manifest)?;
        text.push('\n');
        std::fs::write(self.folder.path().join(names::MANIFEST), text)
    }
}
