//! Analysis of decisions and luck: recorded games, valued decision by decision.
//!
//! A [`Judge`] values the moves of a decision by rollouts: it samples worlds that the player cannot tell from the true one,
//! plays each move in all of them, and has one agent play on for everybody to the end. All moves meet the same worlds and the
//! same dice (common random numbers), so that differences are known better than values.
//!
//! A [`Course`] adds such values up to the result of a game. Let Q(d, m) be the mean result of the move m in the decision d, and
//! V(d) = Q(d, j) where j is the move of the judge's own agent. Then, for every seat and exactly,
//!
//! > result = V(first) + Σ (Q(d, played) − V(d)) + Σ (V(next) − Q(d, played)),
//!
//! the value at the deal, what decisions were worth, and luck; after the last decision the result stands for V(next). The second
//! sum is the lemma of Kakade and Langford (2002) on differences of performance.
//!
//! In a game for one player the luck has expectation 0, whoever plays and however good the judge is. For the true cards are one
//! more sample of what the player cannot see, and values and rollouts have the same agent. That agent must keep no memory between
//! decisions. A result without its luck is then an unbiased estimate with less variance (Zinkevich, Bowling, Bard, Kan, Billings
//! 2006, DIVAT; Burch, Schmid, Moravčík, Morrill, Bowling 2018, AIVAT). Where others hold cards, the worlds leave out what their
//! moves tell of them, and the luck may have a small bias.

mod course;
mod judge;
mod recorded;

pub use course::{Course, Judged};
pub use judge::{Appraisal, Judge, JudgeError, JudgeSpec, Judging, Units, Valued};
pub use recorded::{Made, Recorded, Recording};
