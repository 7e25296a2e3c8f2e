//! Profiles: one strategy for each seat, and what they come to.

use super::tree::{InformationSet, Node, Tree};
use crate::game::Game;

/// A profile: the probability of every move in every information set.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    probabilities: Vec<f64>,
}

impl Profile {
    /// Every move as probable as the others.
    #[must_use]
    pub fn uniform<G: Game>(tree: &Tree<G>) -> Self {
        let mut profile = Self { probabilities: vec![0.0; tree.moves()] };
        for set in tree.sets() {
            profile.at_mut(set).fill(1.0 / set.moves.len() as f64);
        }
        profile
    }

    /// The probabilities of the moves of an information set.
    #[must_use]
    pub fn at<G: Game>(&self, set: &InformationSet<G>) -> &[f64] {
        &self.probabilities[set.places()]
    }

    /// The same, to be changed.
    pub fn at_mut<G: Game>(&mut self, set: &InformationSet<G>) -> &mut [f64] {
        &mut self.probabilities[set.places()]
    }

    /// The mean result of every seat when all play by this profile.
    #[must_use]
    pub fn values<G: Game>(&self, tree: &Tree<G>) -> Vec<f64> {
        let mut values = vec![0.0; tree.seats()];
        self.add(tree, 0, 1.0, &mut values);
        values
    }

    fn add<G: Game>(&self, tree: &Tree<G>, node: u32, reach: f64, values: &mut [f64]) {
        match tree.node(node) {
            Node::End(first) => {
                values
                    .iter_mut()
                    .zip(tree.results(first))
                    .for_each(|(value, result)| *value += reach * result);
            }
            Node::Chance(first, count) => {
                for (next, probability) in tree.outcomes(first, count) {
                    self.add(tree, next, reach * probability, values);
                }
            }
            Node::Decision(set, first) => {
                for (number, &probability) in self.at(&tree.sets()[set as usize]).iter().enumerate() {
                    if probability > 0.0 {
                        self.add(tree, tree.after(first, number), reach * probability, values);
                    }
                }
            }
        }
    }
}
