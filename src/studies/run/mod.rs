//! `run`: games are played and counted.

mod job;
mod plan;
mod recorder;
pub mod tables;
mod totals;

pub use job::{Games, Wanted};
pub use plan::{Plan, PlanError, Request, rules};
pub(crate) use plan::{recorded_rules, rules_owner};
pub use recorder::GameRow;
pub(crate) use recorder::{fresh_rows, take_rows};
pub use totals::Totals;
