//! Plays games: by the million, on every core, with results that depend on nothing but the plan.
//!
//! A [`Plan`] is checked before anything starts. A [`Table`] plays one game of it and tells its
//! observers; [`run`] shares the indices out to workers in chunks and merges what they counted, in any
//! order because every count is an integer. [`solve`] does the same for exact answers about deals. [`replay`]
//! referees a recorded game.

pub mod deals;
mod games;
mod plan;
mod pool;
mod record;
pub mod replay;
pub mod solve;
mod table;
mod totals;

pub use games::{Wanted, run};
pub use plan::{Plan, PlanError, Request, rules};
pub use pool::{Control, Desk, Failure, Job, Outcome, Ranges, Text, Work, share_out};
pub use record::{GameRow, points};
pub use table::{Observer, Table};
pub use totals::Totals;
