//! When a comparison has found out enough.

use super::{CompareTotals, Plan};
use crate::games::CardGame;
use crate::play::Measure;
use crate::stats::sprt::{Accepted, Sprt};

/// When to stop.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Goal {
    /// When the interval of every difference is at most so wide.
    Width {
        /// Of what.
        measure: Measure,
        /// From the lower end to the upper, in wins a game or in points.
        width: f64,
    },
    /// When a sequential test says which of two differences it is by which the second agent is better than the
    /// first.
    Sprt {
        /// Of wins, or of who has the better score on a deal.
        measure: Measure,
        /// The test.
        test: Sprt,
    },
}

impl Goal {
    /// After so many deals the goal is looked at.
    pub const ROUND: u64 = 64;

    /// Whether the goal is looked at after this many deals: after each of the first rounds, then less and less often, so
    /// that looking costs little.
    #[must_use]
    pub fn is_due(deals: u64) -> bool {
        let round = deals / Self::ROUND;
        let often = |round: u64| round.is_multiple_of(1 << round.ilog2().saturating_sub(4));
        deals.is_multiple_of(Self::ROUND) && round > 0 && often(round)
    }

    /// Whether it is reached.
    #[must_use]
    pub fn is_reached<G: CardGame>(self, plan: &Plan<G>, totals: &CompareTotals) -> bool {
        match self {
            Self::Width { measure, width } => plan.pairs().all(|(a, b)| {
                let difference = totals.difference(plan, measure, a, b);
                difference.interval.is_some_and(|interval| interval.high - interval.low <= width)
            }),
            Self::Sprt { measure, test } => test.decide(totals.ratio(plan, measure, test)).is_some(),
        }
    }

    /// What the sequential test has said, if it has.
    #[must_use]
    pub fn decision<G: CardGame>(self, plan: &Plan<G>, totals: &CompareTotals) -> Option<Accepted> {
        match self {
            Self::Width { .. } => None,
            Self::Sprt { measure, test } => test.decide(totals.ratio(plan, measure, test)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every moment a goal is looked at again before a sixteenth more has been played, and not more than
    /// 32 times while the deals double.
    #[test]
    fn goals_are_looked_at_often_enough() {
        let due: Vec<u64> = (1..=1 << 20).filter(|&deals| Goal::is_due(deals)).collect();
        assert_eq!(&due[..3], [64, 128, 192]);
        assert!(due.windows(2).all(|pair| pair[1] - pair[0] <= 64.max(pair[0] / 16)));
        assert!(due.len() <= 32 + 14 * 16, "{}", due.len());
    }
}
