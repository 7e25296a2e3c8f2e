//! Best responses: the most that one seat can reach against fixed strategies of the others.

use super::profile::Profile;
use super::tree::{Node, Tree};
use crate::game::{Game, Seat};

/// A best response of a seat.
#[derive(Clone, Debug, PartialEq)]
pub struct BestResponse {
    /// The mean result of the seat.
    pub value: f64,
    /// The number of its move in each of its information sets; 0 in those of others.
    pub moves: Vec<u32>,
}

/// The best response of `seat` to the others' strategies in `profile`.
///
/// Information sets are settled from the last to the first: the moves of a set are weighed by how probable chance and the
/// others make each of its positions.
#[must_use]
pub fn best_response<G: Game>(tree: &Tree<G>, profile: &Profile, seat: Seat) -> BestResponse {
    let mut search = Search {
        tree,
        profile,
        seat,
        positions: vec![Vec::new(); tree.sets().len()],
        moves: vec![0; tree.sets().len()],
        values: vec![f64::NAN; tree.size()],
    };
    search.collect(0, 1.0);
    let mut own: Vec<usize> = (0..tree.sets().len()).filter(|&set| tree.sets()[set].seat == seat).collect();
    own.sort_by_key(|&set| std::cmp::Reverse(tree.sets()[set].depth));
    for set in own {
        search.settle(set);
    }
    BestResponse { value: search.value(0), moves: search.moves }
}

struct Search<'t, G: Game> {
    tree: &'t Tree<G>,
    profile: &'t Profile,
    seat: Seat,
    /// By information set: the first branches of its nodes, and the probability that chance and the others lead there.
    positions: Vec<Vec<(u32, f64)>>,
    moves: Vec<u32>,
    /// By node; not a number where it is not known yet.
    values: Vec<f64>,
}

impl<G: Game> Search<'_, G> {
    /// Finds the nodes of the seat's information sets.
    fn collect(&mut self, node: u32, reach: f64) {
        let (tree, profile) = (self.tree, self.profile);
        match tree.node(node) {
            Node::End(_) => {}
            Node::Chance(first, count) => {
                for (next, probability) in tree.outcomes(first, count) {
                    self.collect(next, reach * probability);
                }
            }
            Node::Decision(set, first) => {
                let decides = &tree.sets()[set as usize];
                if decides.seat == self.seat {
                    self.positions[set as usize].push((first, reach));
                    (0..decides.moves.len())
                        .for_each(|number| self.collect(tree.after(first, number), reach));
                    return;
                }
                for (number, &probability) in profile.at(decides).iter().enumerate() {
                    if probability > 0.0 {
                        self.collect(tree.after(first, number), reach * probability);
                    }
                }
            }
        }
    }

    /// Chooses the move of an information set, the first of the best.
    fn settle(&mut self, set: usize) {
        let positions = std::mem::take(&mut self.positions[set]);
        let mut best = f64::NEG_INFINITY;
        for number in 0..self.tree.sets()[set].moves.len() {
            let values =
                positions.iter().map(|&(first, reach)| reach * self.value(self.tree.after(first, number)));
            let value: f64 = values.sum();
            if value > best {
                best = value;
                self.moves[set] = number as u32;
            }
        }
    }

    /// The value of a node for the seat, all its later information sets being settled.
    fn value(&mut self, node: u32) -> f64 {
        let known = self.values[node as usize];
        if !known.is_nan() {
            return known;
        }
        let (tree, profile) = (self.tree, self.profile);
        let value = match tree.node(node) {
            Node::End(first) => tree.results(first)[self.seat],
            Node::Chance(first, count) => {
                tree.outcomes(first, count).map(|(next, probability)| probability * self.value(next)).sum()
            }
            Node::Decision(set, first) => {
                let decides = &tree.sets()[set as usize];
                if decides.seat == self.seat {
                    self.value(tree.after(first, self.moves[set as usize] as usize))
                } else {
                    let mut value = 0.0;
                    for (number, &probability) in profile.at(decides).iter().enumerate() {
                        if probability > 0.0 {
                            value += probability * self.value(tree.after(first, number));
                        }
                    }
                    value
                }
            }
        };
        self.values[node as usize] = value;
        value
    }
}
