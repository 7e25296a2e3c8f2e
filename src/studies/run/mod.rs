//! `run`: games are played and counted.

mod job;
mod plan;
mod recorder;
mod request;
mod summary;
pub mod tables;
mod totals;

pub use job::{Games, Wanted};
pub(crate) use plan::is_exact;
pub use plan::{Plan, PlanError};
pub use recorder::GameRow;
pub use request::Request;
pub use summary::RunSummary;
pub use totals::Totals;

/// What a run can write beside its tables.
pub(crate) const WRITES: super::Writes =
    super::Writes { rows: Some("games"), parquet: true, transcripts: true, lines: false };

/// What its indices stand for.
pub(super) const NOUN: &str = "games";
