//! Results folders: a run never overwrites what is not its own.

use super::manifest::STDOUT;
use super::replace::{folder_of, is_fresh, left_over, remove_left_overs};
use super::writer::BOTS_LOG;
use super::{
    CELLS, Files, GAMES_PARQUET, JOURNAL, Journal, MANIFEST, Manifest, ManifestError, PlanRecord, Table,
    resume,
};
use crate::numbers::thousands;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// The longest part of a default folder name that the agents may take.
const LONGEST_AGENTS: usize = 80;

/// The default folder name of a run: `<game>-<agents>-n<N>-seed<S>`, with a hyphen for every character
/// of the agents' labels but letters, digits, `.`, `_` and `-`.
pub fn default_name<'a>(game: &str, labels: impl Iterator<Item = &'a str>, games: u64, seed: u64) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let agents: String =
        labels.collect::<Vec<_>>().join("-").chars().map(safe).take(LONGEST_AGENTS).collect();
    format!("{game}-{agents}-n{games}-seed{seed}")
}

/// The treatment of results that are there already.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// They stay. Those of a finished run of the same plan are results already.
    #[default]
    Keep,
    /// They are overwritten.
    Replace,
    /// Those of the same plan are made again, and nothing else is overwritten.
    Remake,
    /// A run of the same plan goes on from them.
    Resume,
}

/// An error of an output.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Something else is there already.
    #[error("{path} {what}: choose another place with --out, or overwrite with --force", path = path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
        /// What it holds.
        what: String,
    },
    /// An unfinished run of the same plan is there.
    #[error("{path} holds an unfinished run of this plan ({finished} done): go on with --resume, or begin anew with --force",
        path = path.display(), finished = thousands(*finished))]
    Unfinished {
        /// The folder.
        path: PathBuf,
        /// How many indices are finished.
        finished: u64,
    },
    /// Some parts of the same plan were joined there, and games before theirs are missing.
    #[error("{path} holds parts of this plan, and games before theirs are missing: merge all parts at once, choose another place with --out, or overwrite with --force",
        path = path.display())]
    Gaps {
        /// The folder.
        path: PathBuf,
    },
    /// The joined tables of a study are there. Others in their place would be taken for the study's.
    #[error("{path} holds the joined tables of a study ({CELLS}): choose another place with --out", path = path.display())]
    Study {
        /// The folder.
        path: PathBuf,
    },
    /// The transcripts' file is there already.
    #[error("{path} exists already: choose another file, or overwrite with --force", path = path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The transcripts' file is one of the run's own.
    #[error("{path} cannot take the transcripts: the run writes another file of that name", path = path.display())]
    Clash {
        /// The file.
        path: PathBuf,
    },
    /// A run cannot go on from what is there.
    #[error("{path} cannot be resumed: {reason}; begin anew with --force", path = path.display())]
    Resume {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Another process is writing there.
    #[error("{path} is being written to by another sim: wait for it, or choose another place", path = path.display())]
    Busy {
        /// The folder or file.
        path: PathBuf,
    },
    /// It is not what it was when it was looked at: another process has written there, or it was removed.
    #[error("{path} has changed in the meantime, as by another sim: start this again, or choose another place", path = path.display())]
    Overtaken {
        /// The folder.
        path: PathBuf,
    },
    /// It cannot be created, read or written.
    #[error("cannot {what} {path}: {source}", path = path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
}

impl FolderError {
    /// Whether another place has to be named. What fails where a place is right, as when the disk is full, goes away without.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        let Self::Io { source, .. } = self else { return !self.is_busy() };
        matches!(
            source.kind(),
            ErrorKind::NotFound
                | ErrorKind::PermissionDenied
                | ErrorKind::AlreadyExists
                | ErrorKind::NotADirectory
                | ErrorKind::IsADirectory
                | ErrorKind::ReadOnlyFilesystem
                | ErrorKind::InvalidFilename
                | ErrorKind::InvalidInput
                | ErrorKind::InvalidData
                | ErrorKind::Unsupported
        )
    }

    /// Whether another process has the folder or file, so that the same call may succeed later.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Busy { .. } | Self::Overtaken { .. })
    }

    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { what, path, source }
    }
}

/// A folder that a run may write to. Nobody else may while it is there.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The manifest of what is there already.
    old: Option<Manifest>,
    /// Where the run goes on.
    journal: Option<Journal>,
    /// Whether there was nothing in it.
    empty: bool,
    /// Whether it was not there at all, so that it could not be locked while it was looked at.
    absent: bool,
    /// The names of the files that are there or will be.
    names: Vec<String>,
    /// Folders made for this run, the outermost first.
    created: Vec<PathBuf>,
    /// The open folder, locked, where the system can do that.
    lock: Option<File>,
}

impl Folder {
    /// Checks that the folder may be used for this plan and these files, and changes nothing: it does not exist, is
    /// empty, holds the same plan, or may be overwritten.
    ///
    /// # Errors
    /// Says what is in the way.
    pub fn check(
        path: &Path,
        plan: &PlanRecord,
        files: &Files,
        existing: Existing,
    ) -> Result<Self, FolderError> {
        let transcripts = files.transcripts.as_deref().and_then(|file| path_inside(path, file));
        let transcripts = transcripts.and_then(|file| file.to_str().map(ToOwned::to_owned));
        let mut folder = Self {
            path: path.to_owned(),
            old: None,
            journal: None,
            empty: true,
            absent: false,
            names: files.names().map(ToOwned::to_owned).chain(transcripts).collect(),
            created: Vec::new(),
            lock: None,
        };
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                folder.absent = true;
                return Ok(folder);
            }
            Err(error) => return Err(FolderError::io("use the folder", path)(error)),
        };
        folder.lock = lock_folder(path)?;
        folder.empty = is_free(path, entries, &folder.names).map_err(FolderError::io("read", path))?;
        if let Some(name) = files.names().map(|name| path.join(name)).find(|name| name.is_dir()) {
            return Err(FolderError::io("write", &name)(ErrorKind::IsADirectory.into()));
        }
        if folder.empty {
            return Ok(folder);
        }
        if path.join(CELLS).exists() {
            return Err(FolderError::Study { path: path.to_owned() });
        }
        let old = Manifest::read(path);
        folder.old = old.as_ref().ok().cloned();
        folder.names.extend(old.iter().flat_map(|old| old.files.iter().cloned()));
        if existing == Existing::Replace {
            return Ok(folder);
        }
        let old = same_plan(old, plan).map_err(|what| FolderError::Taken { path: path.to_owned(), what })?;
        folder.journal = match existing {
            Existing::Replace | Existing::Remake => None,
            Existing::Resume => Some(resumed(path, &old, plan, files)?),
            Existing::Keep => kept(path, &old, plan, files)?,
        };
        Ok(folder)
    }

    /// Where the run goes on, if it does.
    #[must_use]
    pub fn journal(&self) -> Option<&Journal> {
        self.journal.as_ref()
    }

    /// The manifest and the journal that the run goes on from, if anything is done.
    pub(crate) fn resumed(&self) -> Option<(&Manifest, &Journal)> {
        let journal = self.journal.as_ref().filter(|journal| !journal.ranges.is_empty());
        self.old.as_ref().zip(journal)
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether all that the plan writes is there already, with these tables.
    pub(crate) fn is_finished(&self, files: &Files, tables: &[Table]) -> bool {
        let Some((_, journal)) = self.resumed().filter(|(old, _)| !old.partial) else {
            return false;
        };
        let holds = |path: &Path, bytes: u64| path.metadata().is_ok_and(|data| data.len() == bytes);
        let is_written = |table: &&Table| files.tables.iter().any(|form| form.file == table.file);
        tables.iter().filter(is_written).all(|table| table.is_in(&self.path))
            && files
                .rows
                .iter()
                .enumerate()
                .all(|(place, rows)| holds(&self.path.join(rows.file), journal.rows_of(place).bytes))
            && files.transcripts.as_ref().is_none_or(|path| holds(path, journal.transcripts.bytes))
            && (!files.parquet || self.path.join(GAMES_PARQUET).is_file())
    }

    /// Checks that the transcripts may be written to this file: it does not exist, is empty or no
    /// plain file, was written by the run that is replaced, or overwriting was asked for.
    ///
    /// # Errors
    /// Says what is in the way.
    pub(super) fn check_transcripts(
        folder: Option<&Self>,
        path: &Path,
        files: &Files,
    ) -> Result<(), FolderError> {
        let inside = folder.and_then(|folder| path_inside(&folder.path, path));
        let name = inside.as_deref().and_then(Path::to_str).unwrap_or_default();
        if files.names().any(|own| own == name) || is_fresh(name) {
            return Err(FolderError::Clash { path: path.to_owned() });
        }
        if folder.is_some_and(|folder| folder.resumed().is_some()) {
            // Checked with the rest of what the run goes on from.
            return Ok(());
        }
        let old = folder.and_then(|folder| folder.old.as_ref());
        let named = files.transcripts_name(folder.map(|folder| &*folder.path));
        let replaced =
            |old: &Manifest| old.transcripts == named && resume::holds_transcripts(path, &old.plan);
        let full = fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() > 0);
        let full = full && path.as_os_str() != STDOUT;
        if full && !files.force && !old.is_some_and(replaced) {
            return Err(FolderError::Exists { path: path.to_owned() });
        }
        Ok(())
    }

    /// Makes the folder and locks it.
    pub(super) fn create(&mut self) -> Result<(), FolderError> {
        let path = self.path.clone();
        let missing: Vec<&Path> = path
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
            .collect();
        for folder in missing.into_iter().rev() {
            match fs::create_dir(folder) {
                Ok(()) => self.created.push(folder.to_owned()),
                // Another part of the same plan was quicker.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
                Err(error) => {
                    self.undo([]);
                    return Err(FolderError::io("create the folder", folder)(error));
                }
            }
        }
        if self.absent {
            self.claim()?;
        } else if self.lock.is_none() {
            self.lock = lock_folder(&path)?;
        } else if !self.is_there() {
            return Err(FolderError::Overtaken { path });
        }
        // Now that nobody else writes here: files that a killed run was about to put in place.
        remove_left_overs(&path, &self.names);
        Ok(())
    }

    /// Locks a folder that was not there when it was looked at. What lies there now is another's: players may take long to get ready.
    fn claim(&mut self) -> Result<(), FolderError> {
        let was_empty = std::mem::replace(&mut self.empty, false);
        self.lock = lock_folder(&self.path)?;
        let failed = |error| FolderError::io("read", &self.path)(error);
        let entries = fs::read_dir(&self.path).map_err(failed)?;
        if !is_free(&self.path, entries, &self.names).map_err(failed)? {
            return Err(FolderError::Overtaken { path: self.path.clone() });
        }
        self.empty = was_empty;
        Ok(())
    }

    /// Has the names of its files on the disk, and its own if it was made for this run, where the system can do that.
    pub(super) fn sync(&self) {
        let parents = self.created.iter().filter_map(|folder| File::open(folder_of(folder)).ok());
        for folder in parents.chain(self.lock.as_ref().and_then(|folder| folder.try_clone().ok())) {
            // The files themselves are there; not every file system can do this for folders.
            let _ = folder.sync_all();
        }
    }

    /// Whether the folder at the path is still the one that this run has locked, and not another in its place.
    pub(super) fn is_there(&self) -> bool {
        self.lock.as_ref().is_none_or(|folder| is_at(folder, &self.path))
    }

    /// Removes these files, which were made for this run, if there was nothing in the folder before, and the folders
    /// that were made, as far as they are empty.
    pub(super) fn undo<'a>(&mut self, files: impl IntoIterator<Item = &'a str>) {
        // What cannot be removed stays; the error that led here is the one to report.
        if self.empty && self.is_there() {
            for name in files {
                let _ = fs::remove_file(self.path.join(name));
            }
        }
        while let Some(folder) = self.created.pop() {
            let _ = fs::remove_dir(folder);
        }
    }

    /// Removes the tables and the log of the run that is replaced which the new run does not write. Its transcripts may have the name
    /// of one.
    pub(super) fn remove_stale(&self, new: &Manifest) -> Result<(), FolderError> {
        let old = self.old.iter().flat_map(|old| &old.files);
        let table = |name: &&String| [".csv", ".parquet", BOTS_LOG].iter().any(|end| name.ends_with(end));
        let transcripts = new.transcripts.as_deref().and_then(|path| path.strip_prefix("./"));
        let written = |name: &&String| new.files.contains(name) || transcripts == Some(name);
        self.remove(old.filter(table).filter(|name| !written(name)).map(String::as_str))
    }

    /// Removes these files, as far as they are there. What is no plain file stays what it is.
    pub(super) fn remove<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<(), FolderError> {
        let paths = names.into_iter().map(|name| self.path.join(name));
        for path in paths.filter(|path| path.metadata().is_ok_and(|data| data.is_file())) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(FolderError::io("remove", &path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The manifest in a folder, if it is one of this plan; else what the folder holds.
fn same_plan(old: Result<Manifest, ManifestError>, plan: &PlanRecord) -> Result<Manifest, String> {
    match old {
        Ok(old) if old.plan == *plan => Ok(old),
        Ok(old) => Err(format!("holds another run ({})", old.plan.difference(plan))),
        Err(ManifestError::Schema { found, .. }) => {
            Err(format!("holds results of another version of sim (schema {found})"))
        }
        Err(ManifestError::Unreadable { reason, .. }) => {
            Err(format!("holds a {MANIFEST} that is damaged or not one of sim ({reason})"))
        }
        Err(ManifestError::Missing { .. }) => Err("is not empty and holds no manifest of a run".into()),
    }
}

/// Where a run goes on that was told to.
fn resumed(path: &Path, old: &Manifest, plan: &PlanRecord, files: &Files) -> Result<Journal, FolderError> {
    resume::journal(path, old, plan, files)
        .map_err(|reason| FolderError::Resume { path: path.to_owned(), reason: reason.to_string() })
}

/// Where a run goes on that was not told what to do with results of its plan: at the end of finished ones, and at the beginning where
/// nothing would be lost. Anything else is in the way.
fn kept(
    path: &Path,
    old: &Manifest,
    plan: &PlanRecord,
    files: &Files,
) -> Result<Option<Journal>, FolderError> {
    let path = path.to_owned();
    match resume::journal(&path, old, plan, files) {
        Ok(journal) if !old.partial || journal.ranges.is_empty() || old.was_read_at_once() => {
            Ok(Some(journal))
        }
        Ok(journal) => Err(FolderError::Unfinished { path, finished: journal.ranges.len() }),
        Err(resume::Obstacle::Gaps) => Err(FolderError::Gaps { path }),
        // What was only to be read at once is told again, and what was cut off there cannot go on.
        Err(_) if !old.partial && files.is_read_at_once() => Ok(None),
        Err(_) if old.partial && old.was_read_at_once() => Ok(None),
        Err(reason) => {
            Err(FolderError::Taken { path, what: format!("holds this run already, but {reason}") })
        }
    }
}

/// Whether a folder that is there holds nothing, or nothing but what a kill in the first moment of a run that writes files of
/// these names has left, such as an empty file for its transcripts.
#[must_use]
pub fn holds_nothing(path: &Path, mut names: Vec<String>) -> bool {
    names.extend([MANIFEST, JOURNAL].map(ToOwned::to_owned));
    fs::read_dir(path).is_ok_and(|entries| is_free(path, entries, &names).is_ok_and(|free| free))
}

fn is_free(path: &Path, entries: fs::ReadDir, names: &[String]) -> io::Result<bool> {
    // A journal without a manifest.
    let blank = Journal::is_blank(path);
    let mut free = true;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let nothing = |name: &str| left_over(name, names) || (blank && name == JOURNAL);
        let is_empty = || entry.metadata().is_ok_and(|data| data.is_file() && data.len() == 0);
        free &= name
            .to_str()
            .is_some_and(|name| nothing(name) || names.iter().any(|own| own == name) && is_empty());
    }
    Ok(free)
}

/// The path of a file below a folder, whatever way leads there; nothing if it lies elsewhere.
pub(super) fn path_inside(folder: &Path, file: &Path) -> Option<PathBuf> {
    let parent = real(file.parent()?)?;
    let below = parent.strip_prefix(real(folder)?).ok()?;
    Some(below.join(file.file_name()?))
}

/// The path without links and `..`, as far as it is there; what is not there yet is no link.
fn real(path: &Path) -> Option<PathBuf> {
    if path.as_os_str().is_empty() {
        return real(Path::new("."));
    }
    path.canonicalize().ok().or_else(|| {
        let mut above = real(path.parent()?)?;
        match path.components().next_back()? {
            Component::Normal(name) => above.push(name),
            Component::ParentDir => drop(above.pop()),
            _ => {}
        }
        Some(above)
    })
}

/// The folder, open and locked; nothing where the system cannot lock folders.
fn lock_folder(path: &Path) -> Result<Option<File>, FolderError> {
    lock(path, File::open(path).ok())
}

/// Whether an open file or folder is the one at this path, as far as the system can tell.
#[cfg(unix)]
pub fn is_at(open: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |data: fs::Metadata| (data.dev(), data.ino());
    open.metadata().map(id).is_ok_and(|id_of_open| path.metadata().map(id).is_ok_and(|id| id == id_of_open))
}

#[cfg(not(unix))]
pub fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// How often a lock is tried, and how long is waited in between: [`is_under_way`] has it for a moment.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(10);

/// Locks a file or folder against every other sim, until the returned file is closed.
///
/// # Errors
/// [`FolderError::Busy`] when another has it.
pub fn lock(path: &Path, file: Option<File>) -> Result<Option<File>, FolderError> {
    let Some(open) = &file else { return Ok(None) };
    for _ in 0..TRIES {
        match open.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            // Not every file system can.
            Err(TryLockError::Error(_)) => return Ok(None),
            Ok(()) => return Ok(file),
        }
    }
    Err(FolderError::Busy { path: path.to_owned() })
}

/// Whether a process writes to a folder now, as far as the system can tell.
#[must_use]
pub fn is_under_way(path: &Path) -> bool {
    File::open(path).is_ok_and(|folder| matches!(folder.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Why a folder of a run that is not finished lacks tables: a process writes to it now, or none does.
#[must_use]
pub fn why_unwritten(path: &Path) -> &'static str {
    if is_under_way(path) {
        "the run is under way, and writes its tables at its end"
    } else {
        "the run was stopped before it wrote its tables: go on with --resume"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_names_are_safe() {
        let name = |labels: &[&str]| default_name("dungeon", labels.iter().copied(), 100, 7);
        assert_eq!(name(&["random"]), "dungeon-random-n100-seed7");
        assert_eq!(name(&["mcts:c=1.2,k=3", "a/b.toml"]), "dungeon-mcts-c-1.2-k-3-a-b.toml-n100-seed7");
        assert!(name(&["é".repeat(500).as_str()]).len() < 120);
    }
}
