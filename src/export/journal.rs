//! `journal.json`: the exact counts of a folder, from which a run can go on and shards can be joined.
//!
//! While a run goes on the journal is written anew every second, whole: to a file beside it that then takes its
//! name, so that there is a whole one whenever the run is killed. The rows that belong to it have been flushed
//! before; what stands behind them in their files is cut off when the run goes on.

use super::FolderError;
use super::names::JOURNAL;
use crate::runner::Ranges;
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
        replace(&folder.join(JOURNAL), serde_json::to_vec(self)?)
    }
}

/// Puts a line of text, or several, in place of a file, which is never seen half written.
pub(super) fn replace(path: &Path, mut text: Vec<u8>) -> io::Result<()> {
    text.push(b'\n');
    let fresh = path.with_extension("new");
    let mut write = || {
        let mut file = File::create(&fresh)?;
        file.write_all(&text)?;
        file.sync_data()?;
        fs::rename(&fresh, path)
    };
    write().inspect_err(|_| {
        // Where the disk is full, half a file only makes it worse.
        let _ = fs::remove_file(&fresh);
    })
}
