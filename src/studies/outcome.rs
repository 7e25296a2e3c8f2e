//! Progress, results and errors of a session.

use super::{RequestError, Summary};
use crate::exec::Failure;
use crate::store::{FolderError, Manifest, MergeError, Table, Unwritten};
use std::io;
use std::path::PathBuf;

/// An observer of a session.
pub trait SessionObserver {
    /// How far it is, at most ten times a second.
    fn progress(&mut self, _progress: &Progress<'_>) {}

    /// Text that is to be read at once: best lines of solved deals.
    ///
    /// # Errors
    /// When it cannot be shown; the session then ends early.
    fn print(&mut self, _text: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

/// Watches nothing.
impl SessionObserver for () {}

/// The progress of a session.
pub struct Progress<'a> {
    /// What is counted: `games` or `deals`.
    pub noun: &'static str,
    /// The indices that an earlier session had done.
    pub before: u64,
    /// The indices done, those included.
    pub done: u64,
    /// All indices of this session.
    pub all: u64,
    pub(super) estimate: &'a dyn Fn() -> String,
}

impl Progress<'_> {
    /// The estimate so far, in a few words.
    #[must_use]
    pub fn estimate(&self) -> String {
        (self.estimate)()
    }
}

/// The result of a session.
pub struct Done {
    /// What the folder holds.
    pub manifest: Manifest,
    /// The tables, without those that have a row for each game or deal.
    pub tables: Vec<Table>,
    /// What is to be said of it.
    pub summary: Box<dyn Summary>,
    /// Where it lies, if anywhere.
    pub folder: Option<PathBuf>,
    /// How it ended.
    pub end: End,
    /// Whether all of it was there before, so that nothing was done.
    pub before: bool,
}

impl Done {
    /// A note for the user where nothing was done, since all of it was there before.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        let folder = self.folder.as_ref().filter(|_| self.before)?;
        Some(format!("{} held all of this already", folder.display()))
    }
}

/// The end of a session.
#[derive(Debug)]
pub enum End {
    /// All is done, or enough.
    Complete,
    /// It was told to stop; what was finished is written.
    Interrupted,
    /// It failed; what was finished is written.
    Failed(Failure),
}

/// An error of starting a session, or of writing its results.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The request was refused.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// There are more parts than indices.
    #[error("--shard: {size} {noun} cannot fill {of} parts: expected at most {size}")]
    EmptyShard {
        /// The size of the whole.
        size: u64,
        /// What is counted.
        noun: &'static str,
        /// How many parts were asked for.
        of: u64,
    },
    /// A player cannot begin.
    #[error("{0}")]
    Player(String),
    /// There is nothing to go on from.
    #[error("--resume needs a folder: name one with --out")]
    NowhereToResume,
    /// An output cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Parts cannot be joined.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// Parts cannot be joined yet.
    #[error("{what} can be joined yet: {missing}")]
    TooEarly {
        /// What is to be joined.
        what: &'static str,
        /// Which parts are missing or unfinished, in words.
        missing: String,
    },
    /// The counts of an earlier session cannot be used.
    #[error("the journal in {path} cannot be used: {reason}", path = path.display())]
    Journal {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Something could not be written; the journal holds what was finished if `kept`.
    #[error("{source}{}", if *kept { "; --resume goes on from what was kept" } else { "" })]
    Unwritten {
        /// What, and why.
        source: Unwritten,
        /// Whether a session can go on from the folder.
        kept: bool,
    },
    /// Something else could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl SessionError {
    /// Whether nothing was begun, because what was asked cannot be done.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Folder(error) => error.is_bad_input(),
            error => !matches!(error, Self::Unwritten { .. } | Self::Io(_)),
        }
    }

    /// Whether the same can be done later.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        match self {
            Self::Folder(error) => error.is_busy(),
            error => matches!(error, Self::TooEarly { .. }),
        }
    }

    /// Whether the reader of a pipe has seen enough.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        match self {
            Self::Unwritten { source, .. } => source.is_closed_pipe(),
            Self::Io(error) => error.kind() == io::ErrorKind::BrokenPipe,
            _ => false,
        }
    }
}
