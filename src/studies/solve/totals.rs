//! What is counted of solved deals.

use crate::stats::Histogram;
use knave_agents::{Answer, Game, Verdict, verdict};
use std::collections::BTreeMap;

/// The counts of solved deals. Parts add up to the whole, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolveTotals {
    /// The number of deals.
    pub deals: u64,
    /// How many deals there are of each answer: the value reached and the bound, see [`Answer`].
    pub answers: BTreeMap<(Option<i64>, Option<i64>), u64>,
    /// The nodes visited for each deal.
    pub nodes: Histogram,
}

impl SolveTotals {
    pub(super) fn add<G: Game>(&mut self, answer: &Answer<G>) {
        self.deals += 1;
        *self.answers.entry((answer.reached, answer.bound)).or_default() += 1;
        self.nodes.add(i64::try_from(answer.nodes).unwrap_or(i64::MAX));
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.deals += other.deals;
        for (answer, count) in &other.answers {
            *self.answers.entry(*answer).or_default() += count;
        }
        self.nodes.merge(&other.nodes);
    }

    /// The verdicts and how many deals have each: values in rising order, then the unsolvable, then the
    /// undecided.
    pub fn verdicts(&self) -> impl Iterator<Item = (Verdict, u64)> {
        let mut verdicts = BTreeMap::new();
        for (&(reached, bound), count) in &self.answers {
            *verdicts.entry(verdict(reached, bound)).or_default() += count;
        }
        verdicts.into_iter()
    }

    /// The best values of the solved deals.
    #[must_use]
    pub fn values(&self) -> Histogram {
        let mut values = Histogram::default();
        for (verdict, count) in self.verdicts() {
            if let Verdict::Solved(value) = verdict {
                values.add_times(value, count);
            }
        }
        values
    }

    /// How many deals have this verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> u64 {
        self.verdicts().find(|(other, _)| *other == verdict).map_or(0, |(_, count)| count)
    }
}
