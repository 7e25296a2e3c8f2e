//! Where a run may write: never over anything that is not its own.

use super::journal::Journal;
use super::manifest::{Manifest, PlanRecord};
use super::{Files, names};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

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

/// What is to become of results that are there already.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// They stay, unless they are a finished run of the same plan, which gives the same results again.
    #[default]
    Keep,
    /// They are overwritten.
    Replace,
    /// A run of the same plan goes on from them.
    Resume,
}

/// Why an output cannot be used.
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
        path = path.display())]
    Unfinished {
        /// The folder.
        path: PathBuf,
        /// How many indices are finished.
        finished: u64,
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
    #[error("{path} cannot be resumed: {reason}", path = path.display())]
    Resume {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        reason: String,
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
    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { what, path, source }
    }
}

/// A folder that a run may write to.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The manifest of what is there already.
    old: Option<Manifest>,
    /// Where the run goes on.
    journal: Option<Journal>,
    /// Folders made for this run, the outermost first.
    created: Vec<PathBuf>,
}

impl Folder {
    /// Checks that the folder may be used for this plan, and changes nothing: it does not exist, is
    /// empty, holds the same plan, or may be overwritten.
    ///
    /// # Errors
    /// Says what is in the way.
    pub fn check(path: &Path, plan: &PlanRecord, existing: Existing) -> Result<Self, FolderError> {
        let folder = |old| Self { path: path.to_owned(), old, journal: None, created: Vec::new() };
        let taken = |what: &str| FolderError::Taken { path: path.to_owned(), what: what.to_owned() };
        let mut entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(folder(None)),
            Err(error) => return Err(FolderError::io("use the folder", path)(error)),
        };
        if entries.next().is_none() {
            return Ok(folder(None));
        }
        let text = fs::read_to_string(path.join(names::MANIFEST)).unwrap_or_default();
        let old: Option<Manifest> = serde_json::from_str(&text).ok();
        match &old {
            _ if existing == Existing::Replace => {}
            None => return Err(taken("is not empty and holds no manifest of a run")),
            Some(manifest) if manifest.plan != *plan => {
                return Err(taken(&format!("holds another run ({})", difference(&manifest.plan, plan))));
            }
            Some(manifest) if existing == Existing::Resume => {
                let journal = Some(resumable(path, manifest)?);
                return Ok(Self { journal, ..folder(old) });
            }
            Some(manifest) if manifest.partial => {
                let path = path.to_owned();
                return Err(FolderError::Unfinished { path, finished: manifest.finished });
            }
            Some(_) => {}
        }
        Ok(folder(old))
    }

    /// Where the run goes on, if it does.
    #[must_use]
    pub fn journal(&self) -> Option<&Journal> {
        self.journal.as_ref()
    }

    /// The manifest that the run goes on from.
    pub(super) fn resumed(&self) -> Option<(&Manifest, &Journal)> {
        self.old.as_ref().zip(self.journal.as_ref())
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the transcripts may be written to this file: it does not exist, is empty or no
    /// plain file, was written by the run that is replaced, or overwriting was asked for.
    ///
    /// # Errors
    /// Says what is in the way.
    pub fn check_transcripts(folder: Option<&Self>, path: &Path, files: &Files) -> Result<(), FolderError> {
        let mut own = files.names();
        if folder.is_some_and(|folder| own.any(|name| folder.path.join(name) == path)) {
            return Err(FolderError::Clash { path: path.to_owned() });
        }
        let old = folder.and_then(|folder| folder.old.as_ref());
        let replaced = old.and_then(|old| old.transcripts.as_deref()).map(Path::new);
        if folder.is_some_and(|folder| folder.journal.is_some()) {
            return Ok(());
        }
        let full = fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() > 0);
        if full && !files.force && replaced != Some(path) {
            return Err(FolderError::Exists { path: path.to_owned() });
        }
        Ok(())
    }

    /// Makes the folder.
    pub(super) fn create(&mut self) -> Result<(), FolderError> {
        let path = self.path.clone();
        let missing: Vec<&Path> = path
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
            .collect();
        for folder in missing.into_iter().rev() {
            if let Err(error) = fs::create_dir(folder) {
                self.undo();
                return Err(FolderError::io("create the folder", folder)(error));
            }
            self.created.push(folder.to_owned());
        }
        Ok(())
    }

    /// Removes the folders that were made, as far as they are empty.
    pub(super) fn undo(&mut self) {
        while let Some(folder) = self.created.pop() {
            // A folder that is not empty stays; the error that led here is the one to report.
            let _ = fs::remove_dir(folder);
        }
    }

    /// Removes the tables of the run that is replaced which the new run does not write.
    pub(super) fn remove_stale(&self, written: &[String]) -> Result<(), FolderError> {
        let old = self.old.iter().flat_map(|old| &old.files);
        // What a manifest names is trusted as far as it is a table in this folder.
        let table =
            |name: &&String| name.ends_with(".csv") && Path::new(name).file_name() == Some(OsStr::new(name));
        for name in old.filter(table).filter(|name| !written.contains(name)) {
            let path = self.path.join(name);
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

/// The journal of a folder with this manifest.
fn resumable(path: &Path, manifest: &Manifest) -> Result<Journal, FolderError> {
    let fresh = Manifest::new(manifest.plan.clone());
    if (&manifest.version, &manifest.commit) != (&fresh.version, &fresh.commit) {
        let build =
            |manifest: &Manifest| format!("{} {}", manifest.version, manifest.commit).trim().to_owned();
        let reason = format!("it was begun by knave {}, and this is {}", build(manifest), build(&fresh));
        return Err(FolderError::Resume { path: path.to_owned(), reason });
    }
    Journal::read(path)
}

/// In which field two plans differ first.
pub(super) fn difference(old: &PlanRecord, new: &PlanRecord) -> String {
    let fields = [
        ("game", old.game == new.game),
        ("rules version", old.rules_version == new.rules_version),
        ("rules", old.rules == new.rules),
        ("agents", old.agents == new.agents),
        ("seed", old.seed == new.seed),
        ("number of games", old.games == new.games),
        ("question", old.solve == new.solve),
        ("way of comparing", old.compare == new.compare),
        ("way of bounding", old.bound == new.bound),
        ("shard", old.shard == new.shard),
    ];
    let differing: Vec<&str> = fields.iter().filter(|(_, same)| !same).map(|(name, _)| *name).collect();
    format!("its {} differ{}", differing.join(", "), if differing.len() == 1 { "s" } else { "" })
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
