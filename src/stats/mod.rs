//! Exact statistics: integer counts that merge in any order, and what is computed from them.
//!
//! Nothing here is floating point until it is read: a [`Histogram`] counts scores, [`SeatStats`] counts
//! games, shares of wins and moves. Adding the parts of a run gives the run, to the last bit.

mod histogram;
mod interval;
mod seat;

pub use histogram::Histogram;
pub use interval::{Interval, mean_interval, wilson};
pub use seat::SeatStats;
