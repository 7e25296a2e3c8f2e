//! Exact statistics: integer counts that merge in any order, and what is computed from them.
//!
//! Nothing here is floating point until it is read: a [`Histogram`] counts scores, [`SeatStats`] counts
//! games, shares of wins and moves. Adding the parts of a run gives the run, to the last bit.

pub mod control;
mod cycles;
mod histogram;
mod interval;
mod moments;
pub mod ratings;
mod seat;
pub mod sequence;
pub mod sprt;

pub use histogram::Histogram;
pub use interval::{Interval, Range, mean_interval, student_tail, wilson};
pub use moments::{Estimate, LEAST_UNBOUNDED, Moments};
pub use seat::SeatStats;
