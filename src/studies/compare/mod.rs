//! Compares agents: the same deals for all, every seat in turn.
//!
//! A [`Plan`] says which games are played on each deal. With one seat every agent plays the deal once. With
//! more, every pair of agents shares tables: one of either alone among the other in each seat, and for two agents at up to four
//! seats every other mixture too. What two agents come to is compared at the same tables: the mean of a seat of the
//! one less that of a seat of the other. All games of a deal together are one unit, for they depend on each other:
//! every interval and test counts deals, not games.

mod goal;
mod job;
mod plan;
mod request;
mod summary;
pub mod tables;
mod totals;

pub use crate::play::Measure;
pub use goal::Goal;
pub use job::Comparing;
pub use plan::{CompareError, Lineup, MOST_AGENTS, Plan};
pub use request::Request;
pub use summary::CompareSummary;
pub use totals::{CompareTotals, Difference, IntervalMethod};

/// What its indices stand for.
pub(super) const NOUN: &str = "deals";
