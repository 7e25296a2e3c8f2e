//! `bound`: how good fair play can be at most, beside a fair player on the same deals.

mod job;
mod plan;
mod request;
mod summary;
pub mod tables;
mod totals;

pub use job::BoundingDeals;
pub use plan::{BoundError, Plan};
pub use request::Request;
pub use summary::BoundSummary;
pub use totals::BoundTotals;

/// What its indices stand for.
pub(super) const NOUN: &str = "deals";
