//! The counts of solved deals.

use crate::stats::Histogram;
use knave_agents::{Answer, Game, Verdict, verdict};
use serde::{Deserialize, Serialize};
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
    /// The answer to each deal by its index, where they are few and were typed.
    pub each: BTreeMap<u64, Single>,
}

/// The answer to one deal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Single {
    /// The value reached.
    pub reached: Option<i64>,
    /// The bound, see [`Answer`].
    pub bound: Option<i64>,
    /// The nodes visited.
    pub nodes: u64,
}

impl SolveTotals {
    pub(super) fn add<G: Game>(&mut self, answer: &Answer<G>) {
        self.deals += 1;
        *self.answers.entry((answer.reached, answer.bound)).or_default() += 1;
        self.nodes.add(i64::try_from(answer.nodes).unwrap_or(i64::MAX));
    }

    /// Keeps the answer to the deal with this index.
    pub(super) fn keep<G: Game>(&mut self, index: u64, answer: &Answer<G>) {
        let Answer { reached, bound, nodes, .. } = *answer;
        self.each.insert(index, Single { reached, bound, nodes });
    }

    /// Whether the single answers, if there are some, are those that are counted.
    pub(super) fn are_of(&self, size: u64) -> bool {
        let mut nodes = Histogram::default();
        let mut answers: BTreeMap<_, u64> = BTreeMap::new();
        for single in self.each.values() {
            nodes.add(i64::try_from(single.nodes).unwrap_or(i64::MAX));
            *answers.entry((single.reached, single.bound)).or_default() += 1;
        }
        self.each.keys().all(|index| *index < size) && answers == self.answers && nodes == self.nodes
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.deals += other.deals;
        for (answer, count) in &other.answers {
            *self.answers.entry(*answer).or_default() += count;
        }
        self.nodes.merge(&other.nodes);
        self.each.extend(&other.each);
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
