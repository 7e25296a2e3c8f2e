//! The contract of a kind of study: what its plan, a validated request, says and does.

use super::request::RequestError;
use super::summary::Summary;
use crate::exec::Job;
use crate::store::{Files, HAS_PARQUET, Manifest, NO_PARQUET, PlanRecord, Table};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Files that are written beside the tables and the manifest. They do not change what is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Outputs {
    /// Whether there is a table with a row for each index: `games.csv` of a run, `solutions.csv` of exact answers.
    pub rows: bool,
    /// Whether `games.csv` is written as `games.parquet` too.
    pub parquet: bool,
    /// Where transcripts go; `-` is standard output.
    pub transcripts: Option<PathBuf>,
    /// Transcripts are those of so many first games or deals, if not of all.
    pub transcript_limit: Option<u64>,
    /// Whether best lines of solved deals are printed.
    pub lines: bool,
}

/// What a kind of study can write beside its tables.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Writes {
    /// What studies in files call the table with a row for each index, if there is one.
    pub rows: Option<&'static str>,
    /// The same table as Parquet.
    pub parquet: bool,
    /// Transcripts.
    pub transcripts: bool,
    /// Best lines, on the screen.
    pub lines: bool,
}

impl Outputs {
    /// Checks that nothing is asked for but what a kind of study can write.
    pub(super) fn only(&self, study: &str, writes: Writes) -> Result<(), RequestError> {
        let wrong = |field, what: &str| Err(RequestError::new(field, format!("{study} writes no {what}")));
        if self.rows && writes.rows.is_none() {
            return wrong("rows", "further table with a row for each index");
        }
        if self.transcripts.is_some() && !writes.transcripts {
            return wrong("transcripts", "transcripts");
        }
        if self.lines && !writes.lines {
            return wrong("lines", "best lines");
        }
        let refused = |field, reason: &str| Err(RequestError::new(field, reason.to_owned()));
        if self.parquet && !writes.parquet {
            return wrong("parquet", "games.parquet");
        }
        if self.parquet && !self.rows {
            return refused("parquet", "games.parquet is games.csv once more: ask for that too");
        }
        if self.parquet && !HAS_PARQUET {
            return refused("parquet", NO_PARQUET);
        }
        match self.transcript_limit {
            Some(_) if self.transcripts.is_none() => {
                refused("transcript_limit", "there are no transcripts to limit")
            }
            Some(0) => {
                refused("transcript_limit", "transcript_limit=0 is refused: expected a whole number from 1")
            }
            _ => Ok(()),
        }
    }
}

/// The plan of a study of some kind: a validated request for a game.
pub(crate) trait StudyPlan: Send + Sync {
    /// The counts.
    type Totals: Send;

    /// What an index stands for: `games` or `deals`.
    fn noun(&self) -> &'static str;

    /// The resolved request.
    fn record(&self) -> PlanRecord;

    /// Notes for the user, such as an option's new name.
    fn notes(&self) -> Vec<String>;

    /// The name of the folder for the results unless another is named; `None` where none is made unasked.
    fn folder_name(&self) -> Option<String>;

    /// What is written.
    ///
    /// # Errors
    /// When this kind of study cannot write it.
    fn files(&self, outputs: &Outputs) -> Result<Files, RequestError>;

    /// The work, with the text that is wanted of it.
    fn job<'a>(&'a self, outputs: &Outputs) -> Box<dyn Job<Totals = Self::Totals> + 'a>;

    /// Gets the players ready to begin, before anything is written. It may give up when `stop` is set.
    ///
    /// # Errors
    /// Says who cannot play, and why.
    fn get_ready(&self, _stop: &AtomicBool) -> Result<(), String> {
        Ok(())
    }

    /// Checks that parts of the work can be done apart.
    ///
    /// # Errors
    /// Says why not.
    fn check_shards(&self) -> Result<(), RequestError> {
        Ok(())
    }

    /// The estimate so far, in a few words.
    fn estimate(&self, totals: &Self::Totals) -> String;

    /// The tables.
    ///
    /// # Errors
    /// If a row cannot be serialised.
    fn tables(&self, totals: &Self::Totals) -> io::Result<Vec<Table>>;

    /// The summary of results with this manifest.
    fn summary(&self, totals: &Self::Totals, manifest: &Manifest) -> Box<dyn Summary>;
}
