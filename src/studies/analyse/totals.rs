//! The counts of an analysis.

use super::Grade;
use crate::stats::Moments;
use knave_agents::Seat;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What is measured of a seat in each game, in the order of the slots: sums over the judge's worlds.
pub(super) const RESULT: usize = 0;
pub(super) const START: usize = 1;
pub(super) const LUCK: usize = 2;
pub(super) const OWN: usize = 3;
pub(super) const OTHERS: usize = 4;
pub(super) const REGRET: usize = 5;
pub(super) const SLOTS: usize = 6;

/// How many of the worst decisions are kept.
const WORST: usize = 10;

/// The regret of a decision, and its grade.
pub(super) type Cost = (i64, Option<Grade>);

/// The counts of an analysis. Parts add up to the whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnalysisTotals {
    /// The number of games.
    pub games: u64,
    /// The slots of each seat.
    pub seats: Vec<Moments>,
    /// The seats of all games that an agent has played.
    pub played: BTreeMap<String, u64>,
    /// What decisions cost, by agent, phase and kind of move.
    #[serde(with = "pairs")]
    pub errors: BTreeMap<ErrorKey, ErrorCount>,
    /// The worst decisions, the worst first.
    pub worst: Vec<Lapse>,
}

/// A class of decisions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ErrorKey {
    /// Who decided.
    pub agent: String,
    /// The third of that seat's decisions, from 0.
    pub phase: u8,
    /// The first word of the move.
    pub kind: String,
}

/// What decisions of a class cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorCount {
    /// How many there were.
    pub decisions: u64,
    /// How many had each grade.
    pub grades: [u64; Grade::ALL.len()],
    /// Their regret in the seats of games that have any.
    pub regret: Moments,
}

/// A bad decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lapse {
    /// The index of the game.
    pub index: u64,
    /// The number of the decision in it, from 1.
    pub number: u64,
    /// Who decided.
    pub seat: Seat,
    /// The agent there.
    pub agent: String,
    /// What was played.
    pub played: String,
    /// What was better.
    pub best: String,
    /// By how much, as a sum over the worlds.
    pub regret: i64,
    /// The standard error of that.
    pub error: f64,
    /// What the player knew, in JSON.
    pub view: String,
}

impl AnalysisTotals {
    /// Nothing counted yet.
    pub(super) fn new(seats: usize) -> Self {
        Self { seats: vec![Moments::new(SLOTS); seats], ..Self::default() }
    }

    /// Adds the counts of `other`.
    pub(super) fn merge(&mut self, other: Self) {
        self.games += other.games;
        for (seat, more) in self.seats.iter_mut().zip(&other.seats) {
            seat.merge(more);
        }
        for (agent, seats) in other.played {
            *self.played.entry(agent).or_default() += seats;
        }
        for (key, more) in other.errors {
            match self.errors.get_mut(&key) {
                None => drop(self.errors.insert(key, more)),
                Some(count) => {
                    count.decisions += more.decisions;
                    count.grades.iter_mut().zip(more.grades).for_each(|(count, more)| *count += more);
                    count.regret.merge(&more.regret);
                }
            }
        }
        self.worst.extend(other.worst);
        self.rank();
    }

    /// Counts the decisions of a seat in a game that are of one class.
    pub(super) fn count(&mut self, key: ErrorKey, decisions: &[Cost]) {
        let fresh = || ErrorCount { decisions: 0, grades: [0; 3], regret: Moments::new(1) };
        let count = self.errors.entry(key).or_insert_with(fresh);
        count.decisions += decisions.len() as u64;
        for grade in decisions.iter().filter_map(|decision| decision.1) {
            count.grades[grade as usize] += 1;
        }
        count.regret.add(&[decisions.iter().map(|decision| decision.0).sum()]);
    }

    /// Keeps a bad decision, if it is among the worst.
    pub(super) fn note(&mut self, lapse: Lapse) {
        self.worst.push(lapse);
        self.rank();
    }

    fn rank(&mut self) {
        self.worst.sort_by_key(|lapse| (Reverse(lapse.regret), lapse.index, lapse.number));
        self.worst.truncate(WORST);
    }
}

/// A map as a list of its entries: JSON has texts alone for keys.
mod pairs {
    use super::{ErrorCount, ErrorKey};
    use serde::{Deserialize, Deserializer, Serializer};
    use std::collections::BTreeMap;

    pub fn serialize<S: Serializer>(
        errors: &BTreeMap<ErrorKey, ErrorCount>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(errors)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<ErrorKey, ErrorCount>, D::Error> {
        Ok(Vec::<(ErrorKey, ErrorCount)>::deserialize(deserializer)?.into_iter().collect())
    }
}
