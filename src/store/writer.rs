//! Opens every output before the first game and writes it as the run goes.

use super::folder::{is_at, lock, path_inside};
use super::manifest::{STDOUT, is_read_at_once};
use super::replace::replace_as;
use super::{
    Folder, FolderError, GAMES_PARQUET, JOURNAL, Journal, MANIFEST, Manifest, Prefix, Sum, Table, TableForm,
    Timing, parquet,
};
use crate::exec::{Ranges, Text};
use serde_json::Value;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Where standard error of players in processes of their own goes.
pub const BOTS_LOG: &str = "bots.log";

/// The most bytes of it that are kept.
pub(super) const MOST_LOG: usize = 1 << 20;

/// Its end where more was said.
const MORE_SAID: &str = "\n… (more was said and is not kept)\n";

/// The outputs that a run was asked for, beside the manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The tables that are written at the end.
    pub tables: Vec<TableForm>,
    /// The tables that get rows as the run goes.
    pub rows: Vec<TableForm>,
    /// Whether `games.csv` is written once more as `games.parquet` at the end, with the games that are in it.
    pub parquet: bool,
    /// Where the transcripts go; `-` is standard output.
    pub transcripts: Option<PathBuf>,
    /// How many transcripts are wanted, if not all.
    pub transcript_limit: Option<u64>,
    /// Whether players have something to say to their authors, which goes to `bots.log`.
    pub log: bool,
    /// Whether there is text to be read at once, beside the files.
    pub prints: bool,
    /// Whether a file of transcripts that is there already may be overwritten.
    pub force: bool,
    /// Whether a crash of the machine may take the files: then nothing waits until they are on the disk.
    pub temporary: bool,
}

impl Files {
    /// Whether some of the output cannot be continued, because it is printed or piped.
    #[must_use]
    pub fn is_read_at_once(&self) -> bool {
        self.prints || self.transcripts.as_deref().is_some_and(is_read_at_once)
    }

    /// Where the transcripts go, as a manifest in this folder has it: `./` and the rest of the path inside of the folder, which
    /// may be moved with them; any other path as it was named.
    #[must_use]
    pub fn transcripts_name(&self, folder: Option<&Path>) -> Option<String> {
        let path = self.transcripts.as_deref()?;
        Some(match folder.and_then(|folder| path_inside(folder, path)) {
            Some(inside) => format!("./{}", inside.display()),
            None => path.strip_prefix(".").unwrap_or(path).display().to_string(),
        })
    }

    /// The names of the files in the folder, the manifest and the journal first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        let tables = self.tables.iter().chain(&self.rows).map(|table| table.file);
        let parquet = self.parquet.then_some(GAMES_PARQUET);
        let log = self.log.then_some(BOTS_LOG);
        [MANIFEST, JOURNAL].into_iter().chain(tables).chain(parquet).chain(log)
    }
}

/// One open file that text is appended to.
struct Output {
    name: String,
    /// Where it is; nothing for standard output.
    path: Option<PathBuf>,
    out: BufWriter<Box<dyn Write + Send>>,
    /// The file, to have it on the disk.
    file: Option<File>,
    /// What is written.
    written: Prefix,
    /// What stands before the first game: a header.
    head: Prefix,
    /// Whether it was there before.
    old: bool,
}

impl Output {
    /// Opens a file and locks it; what it holds stays as it is.
    fn open(path: &Path) -> Result<Self, FolderError> {
        let failed = |error| FolderError::io("write", path)(error);
        let old = path.exists();
        let file = File::options().write(true).create(true).truncate(false).open(path).map_err(failed)?;
        if file.metadata().is_ok_and(|data| data.is_file()) {
            lock(path, file.try_clone().ok())?;
        }
        let second = file.try_clone().map_err(failed)?;
        let name = path.display().to_string();
        let written = Prefix::default();
        Ok(Self {
            name,
            path: Some(path.to_owned()),
            out: BufWriter::new(Box::new(file)),
            file: Some(second),
            written,
            head: written,
            old,
        })
    }

    /// Goes on behind these bytes; what follows them is cut off.
    fn go_on(&mut self, written: Prefix) -> Result<(), FolderError> {
        if let Some(file) = self.file.as_mut().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))
        {
            file.set_len(written.bytes)
                .and_then(|()| file.seek(SeekFrom::End(0)))
                .map_err(FolderError::io("write", Path::new(&self.name)))?;
        }
        self.written = written;
        Ok(())
    }

    fn stdout() -> Self {
        let out: Box<dyn Write + Send> = Box::new(io::stdout());
        Self {
            name: "standard output".to_owned(),
            path: None,
            out: BufWriter::new(out),
            file: None,
            written: Prefix::default(),
            head: Prefix::default(),
            old: true,
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.written.add(bytes);
        Ok(())
    }

    /// Goes back to these bytes, and writes nothing more.
    fn end_at(&mut self, written: Prefix) {
        let rest = std::mem::replace(&mut self.out, BufWriter::new(Box::new(io::sink())));
        // Dropped as it is, it would write its buffer.
        drop(rest.into_parts());
        let written = if written.bytes == 0 { self.head } else { written };
        // A file with less, as on a full disk, is not made longer.
        if self
            .file
            .as_ref()
            .and_then(|file| file.metadata().ok())
            .is_some_and(|data| data.len() > written.bytes)
        {
            // What cannot be cut off now is when the run goes on.
            let _ = self.go_on(written);
        }
    }

    /// Its path, where what was written is no longer there.
    fn lost(&self) -> Option<&Path> {
        let (file, path) = (self.file.as_ref()?, self.path.as_deref()?);
        let is_file = file.metadata().is_ok_and(|data| data.is_file());
        (is_file && !is_at(file, path)).then_some(path)
    }

    /// Has everything in the file, and what is durable on the disk.
    fn sync(&mut self, durable: bool) -> io::Result<()> {
        self.out.flush()?;
        match &self.file {
            Some(file) if durable && file.metadata()?.is_file() => file.sync_data(),
            _ => Ok(()),
        }
    }
}

/// The open outputs of a run.
pub struct Writer {
    /// Nothing where only the text of a run is wanted.
    folder: Option<Folder>,
    manifest: Manifest,
    /// The timing of the part of the run that came before.
    before: Option<Timing>,
    tables: Vec<TableForm>,
    rows: Vec<Output>,
    /// The table that is written once more as columns.
    in_columns: Option<TableForm>,
    transcripts: Option<Output>,
    /// What players say to their authors, and how much more of it fits; nothing once it is full.
    log: Option<(File, usize)>,
    /// Whether all has to be on the disk.
    durable: bool,
    unwritten: Unwritten,
}

/// A failed write: what could not be written, and what could.
#[derive(Debug, Default)]
pub struct Unwritten {
    failed: Vec<(String, io::Error)>,
    written: Vec<String>,
    /// Whether the folder or a file is gone, or another is in its place.
    is_gone: bool,
}

impl Unwritten {
    fn note(&mut self, name: &str, result: io::Result<()>) {
        match result {
            // Of several failures of one file the first tells the cause.
            _ if self.failed.iter().any(|(other, _)| other == name) => {}
            Ok(()) if self.written.iter().any(|other| other == name) => {}
            Ok(()) => self.written.push(name.to_owned()),
            Err(error) => {
                self.written.retain(|other| other != name);
                self.failed.push((name.to_owned(), error));
            }
        }
    }

    /// The names of what could not be written.
    #[must_use]
    pub fn names(&self) -> String {
        self.failed.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Whether the folder or a file is gone, or another is in its place: what was kept cannot be gone on with.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.is_gone
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
        write!(f, "incomplete: {}; ", self.names())?;
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
    /// Names the file or folder that cannot be used. What was made is removed again; what was there is as it was,
    /// unless it was to be overwritten or is made from the journal in the end.
    pub fn open(folder: Option<Folder>, mut manifest: Manifest, files: &Files) -> Result<Self, FolderError> {
        if let Some(path) = &files.transcripts {
            Folder::check_transcripts(folder.as_ref(), path, files)?;
        }
        manifest.transcript_limit = files.transcript_limit;
        manifest.files = files.names().map(ToOwned::to_owned).collect();
        let resumed = folder.as_ref().and_then(Folder::resumed);
        let before = resumed.map(|(old, _)| old.timing.clone());
        let journal = resumed.map(|(_, journal)| journal.clone());
        if let Some((old, _)) = resumed {
            manifest = old.clone();
        }
        let unwritten = Unwritten::default();
        let tables = files.tables.clone();
        let mut writer = Self {
            folder,
            manifest,
            before,
            tables,
            rows: Vec::new(),
            in_columns: files.rows.first().copied().filter(|_| files.parquet),
            transcripts: None,
            log: None,
            durable: !files.temporary,
            unwritten,
        };
        if let Err(error) = writer.begin(journal.as_ref(), files) {
            if let (Some(output), Some(path)) =
                (writer.transcripts.filter(|output| !output.old), &files.transcripts)
            {
                drop(output);
                let _ = fs::remove_file(path);
            }
            writer.folder.iter_mut().for_each(|folder| folder.undo(files.names()));
            return Err(error);
        }
        Ok(writer)
    }

    /// Claims the folder and opens the files.
    fn begin(&mut self, journal: Option<&Journal>, files: &Files) -> Result<(), FolderError> {
        if let Some(folder) = &mut self.folder {
            folder.create()?;
        }
        let folder = self.folder().map(ToOwned::to_owned);
        let rows = files.rows.iter().filter_map(|table| Some((table, folder.as_ref()?.join(table.file))));
        // What is there is opened before anything of it is lost.
        self.transcripts = match files.transcripts.as_deref() {
            None => None,
            Some(path) if path.as_os_str() == STDOUT => Some(Output::stdout()),
            Some(path) => Some(Output::open(path)?),
        };
        let mut there = rows
            .clone()
            .map(|(_, path)| if path.exists() { Output::open(&path).map(Some) } else { Ok(None) })
            .collect::<Result<Vec<_>, _>>()?;
        // The tables of the end are made from the journal. Until then none lie there, for those of another run, or of fewer
        // games, would be taken for this one's after a kill.
        if let Some(folder) = &self.folder {
            let parquet = files.parquet.then_some(GAMES_PARQUET);
            folder.remove(files.tables.iter().map(|table| table.file).chain(parquet))?;
        }
        // From here on the folder is known as one of this plan, even if the run is killed in the next moment.
        if journal.is_none() {
            self.manifest.transcripts = files.transcripts_name(self.folder());
            self.keep(&Ranges::default(), Value::Null, Timing::default()).map_err(|error| {
                let path = self.folder().unwrap_or(Path::new("")).to_owned();
                if self.unwritten.is_gone {
                    FolderError::Overtaken { path }
                } else {
                    FolderError::io("write to", &path)(error)
                }
            })?;
            self.folder.iter().try_for_each(|folder| folder.remove_stale(&self.manifest))?;
        }
        if let Some(transcripts) = &mut self.transcripts {
            transcripts.go_on(journal.map_or(Prefix::default(), |journal| journal.transcripts))?;
        }
        if let Some(folder) = self.folder().filter(|_| files.log) {
            let path = folder.join(BOTS_LOG);
            let failed = |error| FolderError::io("write", &path)(error);
            let mut file =
                File::options().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
            if journal.is_none() {
                file.set_len(0).map_err(failed)?;
            }
            let there = file.seek(SeekFrom::End(0)).map_err(failed)?;
            let left = (MOST_LOG - MORE_SAID.len()).checked_sub(there as usize);
            self.log = left.map(|left| (file, left));
        }
        for (place, (table, path)) in rows.enumerate() {
            let mut output = there[place].take().map_or_else(|| Output::open(&path), Ok)?;
            output.go_on(journal.map_or(Prefix::default(), |journal| journal.rows_of(place)))?;
            if journal.is_none() {
                let header = output.write(table.header().as_bytes()).and_then(|()| output.out.flush());
                header.map_err(FolderError::io("write", &path))?;
                output.head = output.written;
            }
            self.rows.push(output);
        }
        Ok(())
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
        if let Some((file, left)) = &mut self.log {
            // Failures are passed over: it is of no account for the results.
            if let Some(rest) = left.checked_sub(text.log.len()) {
                *left = rest;
                let _ = file.write_all(&text.log);
            } else {
                let _ = file.write_all(&[&text.log[..*left], MORE_SAID.as_bytes()].concat());
                self.log = None;
            }
        }
        let rows = self.rows.iter_mut().zip(&text.rows);
        for (output, bytes) in rows.chain(self.transcripts.as_mut().map(|output| (output, &text.transcripts)))
        {
            if !bytes.is_empty()
                && let Err(error) = output.write(bytes)
            {
                let kind = error.kind();
                self.unwritten.note(&output.name, Err(error));
                return Err(kind.into());
            }
        }
        Ok(())
    }

    /// Writes a table, if it is among the files of this run. [`Writer::finish`] will tell when that fails.
    pub fn table(&mut self, table: &Table) {
        if !self.check_places() {
            return;
        }
        if let Some(folder) = &self.folder
            && self.tables.iter().any(|form| form.file == table.file)
        {
            let path = folder.path().join(&table.file);
            let result = table.csv().and_then(|text| replace_as(&path, &text, self.durable));
            self.unwritten.note(&path.display().to_string(), result);
        }
    }

    /// Keeps the counts of these indices, whose text has been written: has the text on the disk, then writes the
    /// journal and the manifest of a run that goes on. `timing` is that of this part of the run. What is there stays as
    /// it is when the text is incomplete.
    ///
    /// # Errors
    /// When a file cannot be written; [`Writer::finish`] will tell which.
    pub fn keep(&mut self, ranges: &Ranges, totals: Value, timing: Timing) -> io::Result<()> {
        for output in self.transcripts.iter_mut().chain(&mut self.rows) {
            let result = output.sync(self.durable);
            self.unwritten.note(&output.name, result);
        }
        self.check_places();
        if self.unwritten.failed.is_empty()
            && let Some(folder) = &self.folder
        {
            let rows = self.rows.iter().map(|output| output.written).collect();
            let transcripts = self.transcripts.as_ref().map_or(Prefix::default(), |output| output.written);
            let plan = Sum::of_plan(&self.manifest.plan);
            let journal = Journal { plan, ranges: ranges.clone(), rows, transcripts, totals };
            let result = journal.write(folder.path(), self.durable);
            self.unwritten.note(&folder.path().join(JOURNAL).display().to_string(), result);
        }
        if self.unwritten.failed.is_empty() {
            let timing = timing.after(self.before.as_ref(), ranges.len());
            self.manifest = self.manifest.clone().finish(ranges.clone(), true, timing);
            self.write_manifest();
        }
        self.sync_names();
        match self.unwritten.failed.first() {
            None => Ok(()),
            Some((_, error)) => Err(error.kind().into()),
        }
    }

    /// Goes back to what was kept last, where something could not be written: files of rows and of transcripts end there. Returns its
    /// journal, if there is a folder.
    pub fn go_back(&mut self) -> Option<Journal> {
        let folder = self.folder.as_ref().filter(|_| !self.unwritten.is_gone)?;
        let journal = Journal::read(folder.path()).ok()?;
        for (place, output) in self.rows.iter_mut().enumerate() {
            output.end_at(journal.rows_of(place));
        }
        self.transcripts.iter_mut().for_each(|output| output.end_at(journal.transcripts));
        Some(journal)
    }

    /// Ends the run with what was kept last. `partial` says whether something is missing.
    ///
    /// # Errors
    /// Says which files are incomplete, why, and which are written.
    pub fn finish(mut self, partial: bool) -> Result<Manifest, Unwritten> {
        self.parquet();
        if self.check_places() && self.unwritten.failed.is_empty() {
            self.manifest.partial = partial;
            self.write_manifest();
        }
        self.sync_names();
        if self.unwritten.failed.is_empty() { Ok(self.manifest) } else { Err(self.unwritten) }
    }

    /// Writes the rows once more as columns, if that was asked for and nothing has failed.
    fn parquet(&mut self) {
        if self.unwritten.failed.is_empty()
            && let Some((folder, table)) = self.folder.as_ref().zip(self.in_columns)
        {
            let [from, to] = [table.file, GAMES_PARQUET].map(|name| folder.path().join(name));
            self.unwritten.note(&to.display().to_string(), parquet::convert(&from, &to, self.durable));
        }
    }

    /// Whether the folder and the files with rows are still there. Otherwise nothing is written to what is in their place, and nothing
    /// that was written there counts.
    fn check_places(&mut self) -> bool {
        let folder = self.folder.as_ref().filter(|folder| !folder.is_there()).map(Folder::path);
        let files = self.rows.iter().chain(&self.transcripts).filter_map(Output::lost);
        let lost: Vec<PathBuf> =
            folder.map_or_else(|| files.map(Into::into).collect(), |path| vec![path.into()]);
        for path in &lost {
            let reason = io::Error::other("it was removed or replaced in the meantime");
            self.unwritten.is_gone = true;
            self.unwritten.written.retain(|name| !Path::new(name).starts_with(path));
            self.unwritten.note(&path.display().to_string(), Err(reason));
        }
        lost.is_empty()
    }

    /// Has the names of files that were put in place on the disk, too.
    fn sync_names(&mut self) {
        let is_written = self.durable && self.unwritten.failed.is_empty();
        self.folder.iter().filter(|_| is_written).for_each(Folder::sync);
    }

    fn write_manifest(&mut self) {
        if let Some(folder) = &self.folder {
            let path = folder.path().join(MANIFEST);
            let result = self.manifest.write(&path, self.durable);
            self.unwritten.note(&path.display().to_string(), result);
        }
    }
}
