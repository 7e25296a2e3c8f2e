//! `journal.json`: the exact counts of a folder, from which a run can go on and shards can be joined.
//!
//! While a run goes on the journal is written anew every second, whole: to a file beside it that then takes its
//! name, so that there is a whole one whenever the run is killed. The rows that belong to it are on the disk
//! before; what stands behind them in their files is cut off when the run goes on.

use super::FolderError;
use super::JOURNAL;
use super::replace::replace;
use crate::exec::Ranges;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io;
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
