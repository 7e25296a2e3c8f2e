//! Plays games: by the million, on every core, with results that depend on nothing but the plan.
//!
//! A [`Plan`] is checked before anything starts. A [`Table`] plays one game of it and tells its
//! observers; [`share_out`] gives the indices of a [`Job`] to workers in chunks and merges what they counted.
//! [`Games`] is the job of a plan, [`solve`] has that of exact answers about deals, [`compare`] that of several agents
//! on the same deals, [`bound`] that of bounds on fair play. [`replay`] referees a recorded game.

pub mod bound;
pub mod compare;
pub mod deals;
mod games;
mod plan;
mod pool;
mod ranges;
mod record;
pub mod replay;
pub mod solve;
mod table;
mod totals;

pub use games::{Games, Wanted};
pub use plan::{Plan, PlanError, Request, rules};
pub use pool::{Control, Desk, Failure, Job, Outcome, Text, Work, share_out};
pub use ranges::Ranges;
pub use record::{GameRow, points};
pub use table::{Observer, Table};
pub use totals::Totals;
