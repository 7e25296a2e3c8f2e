//! `journal.json`: the exact counts of a folder, from which a run can go on and shards can be joined.
//!
//! While a run goes on the journal is written anew every second, whole: to a file beside it that then takes its
//! name, so that there is a whole one whenever the run is killed. The rows that belong to it are on the disk
//! before; what stands behind them in their files is cut off when the run goes on.

use super::FolderError;
use super::names::JOURNAL;
use crate::exec::Ranges;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// The exact state of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Journal {
    /// The indices that have been counted.
    pub ranges: Ranges,
    /// The bytes of the table with rows for each index that belong to them.
    pub rows: u64,
    /// The bytes of the transcripts that belong to them.
    pub transcripts: u64,
    /// The counts.
    pub totals: Value,
}

impl Journal {
    /// Reads the journal of a folder.
    ///
    /// # Errors
    /// When there is none that can be read.
    pub fn read(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join(JOURNAL);
        let text = fs::read(&path).map_err(FolderError::io("read", &path))?;
        serde_json::from_slice(&text)
            .map_err(|error| FolderError::io("read", &path)(io::Error::other(error.to_string())))
    }

    /// Writes the journal in place of the one that is there.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let mut text = serde_json::to_vec(self)?;
        text.push(b'\n');
        replace(&folder.join(JOURNAL), &text)
    }
}

/// How the name of a file ends that is to take the place of another; it begins with a dot.
const FRESH: &str = ".new";

/// Whether a file of this name was left by [`replace`] when it was killed.
pub(super) fn is_left_over(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(FRESH)
}

/// Puts this text in place of a file, which is never seen half written.
pub(super) fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let fresh = path.with_file_name(format!(".{name}{FRESH}"));
    let write = || {
        let mut file = File::create(&fresh)?;
        file.write_all(text)?;
        file.sync_data()?;
        fs::rename(&fresh, path)
    };
    write().inspect_err(|_| {
        // Where the disk is full, half a file only makes it worse.
        let _ = fs::remove_file(&fresh);
    })
}
