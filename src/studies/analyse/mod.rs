//! `analyse`: what decisions cost and what was luck, game by game.

mod grade;
mod job;
mod plan;
mod request;
mod source;
mod summary;
pub mod tables;
mod totals;

pub use grade::Grade;
pub use job::Analysing;
pub use plan::{AnalyseError, Plan};
pub use request::{Request, Transcripts};
pub use source::{RecordedGames, Source, TranscriptError};
pub use summary::AnalysisSummary;
pub use totals::{AnalysisTotals, Lapse};

/// What its indices stand for.
pub(super) const NOUN: &str = "games";
