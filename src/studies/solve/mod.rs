//! `solve`: exact answers about deals, for someone who knows every card.

mod deals;
mod job;
mod plan;
mod request;
mod summary;
pub mod tables;
mod totals;

pub use deals::{DealError, ListedDeal};
pub use job::{SolutionRow, SolveWanted, Solving, verdict_text};
pub use plan::{DealSource, Plan, SolveError};
pub use request::{DealsFile, Request};
pub use summary::SolveSummary;
pub use totals::SolveTotals;

/// What exact answers can write beside their tables.
pub(crate) const WRITES: super::Writes =
    super::Writes { rows: Some("solutions"), parquet: false, transcripts: true, lines: true };

/// What its indices stand for.
pub(super) const NOUN: &str = "deals";
