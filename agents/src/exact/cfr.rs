//! Equilibria of two seats by CFR+: counterfactual regret minimisation with regrets that never fall below zero, seats in
//! turn, and averages weighted by the iteration (Tammelin 2014; Tammelin, Burch, Johanson and Bowling 2015).

use super::ExactError;
use super::best_response::best_response;
use super::profile::Profile;
use super::tree::{Node, Tree};
use crate::game::{Game, Seat};

/// An equilibrium as far as it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// The average strategies.
    pub profile: Profile,
    /// The value of the game for seat 0 is at least this, which its strategy reaches against anybody,
    pub low: f64,
    /// and at most this, for the strategy of seat 1 grants no more.
    pub high: f64,
    /// The iterations that were done.
    pub iterations: u64,
}

/// Finds an equilibrium of a game of two seats whose results always have the same sum, until its value is known to `gap` or
/// `most` iterations are done.
///
/// # Errors
/// When there are not two seats, or the sums differ.
pub fn solve<G: Game>(tree: &Tree<G>, gap: f64, most: u64) -> Result<Equilibrium, ExactError> {
    if tree.seats() != 2 {
        return Err(ExactError::Seats(tree.seats()));
    }
    let sum = tree.constant_sum().ok_or(ExactError::GeneralSum)?;
    let mut search = Search {
        tree,
        current: Profile::uniform(tree),
        regrets: vec![0.0; tree.moves()],
        gained: vec![0.0; tree.moves()],
        sums: vec![0.0; tree.moves()],
        weight: 0.0,
        seat: 0,
    };
    // The bounds cost about as much as an iteration: they are looked at ever more seldom.
    let (mut done, mut look) = (0, 16_u64.min(most));
    loop {
        while done < look {
            done += 1;
            search.iterate(done);
        }
        let profile = search.average();
        let [most_0, most_1] = [0, 1].map(|seat| best_response(tree, &profile, seat).value);
        let (low, high) = (sum - most_1, most_0);
        if high - low <= gap || done >= most {
            return Ok(Equilibrium { profile, low, high, iterations: done });
        }
        look = (done + done / 2).min(most);
    }
}

struct Search<'t, G: Game> {
    tree: &'t Tree<G>,
    /// The strategies of this iteration.
    current: Profile,
    regrets: Vec<f64>,
    /// Regrets of this iteration.
    gained: Vec<f64>,
    /// Strategies so far, weighted.
    sums: Vec<f64>,
    weight: f64,
    seat: Seat,
}

impl<G: Game> Search<'_, G> {
    fn iterate(&mut self, number: u64) {
        self.weight = number as f64;
        for seat in 0..2 {
            self.seat = seat;
            self.walk(0, 1.0, 1.0);
            for set in self.tree.sets().iter().filter(|set| set.seat == seat) {
                for place in set.places() {
                    self.regrets[place] =
                        (self.regrets[place] + std::mem::take(&mut self.gained[place])).max(0.0);
                }
                shares(&self.regrets[set.places()], self.current.at_mut(set));
            }
        }
    }

    /// The value of a node for the seat, with the probabilities that its own moves and everything else lead there.
    fn walk(&mut self, node: u32, own: f64, others: f64) -> f64 {
        let tree = self.tree;
        match tree.node(node) {
            Node::End(first) => tree.results(first)[self.seat],
            Node::Chance(first, count) => tree
                .outcomes(first, count)
                .map(|(next, probability)| probability * self.walk(next, own, others * probability))
                .sum(),
            Node::Decision(set, first) => {
                let set = &tree.sets()[set as usize];
                let mut value = 0.0;
                if set.seat != self.seat {
                    // Moves that are never played are followed, too: averages count every visit of an information set.
                    for number in 0..set.moves.len() {
                        let probability = self.current.at(set)[number];
                        value +=
                            probability * self.walk(tree.after(first, number), own, others * probability);
                    }
                    return value;
                }
                for (number, place) in set.places().enumerate() {
                    let probability = self.current.at(set)[number];
                    let reached = self.walk(tree.after(first, number), own * probability, others);
                    value += probability * reached;
                    self.gained[place] += others * reached;
                    self.sums[place] += self.weight * own * probability;
                }
                set.places().for_each(|place| self.gained[place] -= others * value);
                value
            }
        }
    }

    fn average(&self) -> Profile {
        let mut average = Profile::uniform(self.tree);
        for set in self.tree.sets() {
            shares(&self.sums[set.places()], average.at_mut(set));
        }
        average
    }
}

/// Makes probabilities of weights; all are equal where there is no weight.
fn shares(weights: &[f64], probabilities: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    for (probability, weight) in probabilities.iter_mut().zip(weights) {
        *probability = if sum > 0.0 { weight / sum } else { 1.0 / weights.len() as f64 };
    }
}
