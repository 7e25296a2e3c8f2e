//! The choice of the child to visit: by its upper confidence bound, or by chance.

use super::TreeSearch;
use super::options::Options;
use super::tree::{Edge, NONE};
use crate::game::Seat;
use crate::kit::Tools;
use crate::rng::Rng;
use rand::RngExt as _;

impl<G: Tools> TreeSearch<G> {
    fn score(&self, child: u32, log: f64) -> f64 {
        let node = &self.tree.nodes[child as usize];
        let weight = node.weight();
        let range = self.high[node.seat] - self.low[node.seat];
        let value = if range > 0.0 { (node.mean() - self.low[node.seat]) / range } else { 0.5 };
        // A prior may weigh next to nothing, and no exploration times infinity is no number.
        value + self.options.c * (log / weight).sqrt().min(f64::MAX)
    }

    /// ln(n + 1), kept because searches ask for the same few.
    fn log(&self, n: u32) -> f64 {
        self.logs.get(n as usize).copied().unwrap_or_else(|| f64::from(n + 1).ln())
    }

    /// The child to visit: an unvisited one at random, or the one with the highest bound.
    pub(super) fn select(&mut self, at: u32, world: &G, seat: Seat, rng: &mut Rng) -> u32 {
        // A solo player sees everything public, so the steps are those of the first visit.
        let fixed = world.seats() == 1;
        if !fixed {
            self.match_steps(at, world, seat);
        }
        let node = self.tree.nodes[at as usize];
        let count = if fixed { node.children as usize } else { self.candidates.len() };
        let log_all = self.log(node.visits);
        let (mut best, mut best_score, mut fresh) = (NONE, f64::NEG_INFINITY, 0_u32);
        for i in 0..count {
            // The children of a solo game were made together and lie side by side.
            let child = if fixed { node.first + i as u32 } else { self.candidates[i] };
            let entry = &mut self.tree.nodes[child as usize];
            entry.available += 1;
            let (available, weight) = (entry.available, entry.weight());
            let log = if fixed { log_all } else { self.log(available) };
            if weight == 0.0 {
                fresh += 1;
                if rng.random_range(0..fresh) == 0 {
                    best = child;
                }
            } else if fresh == 0 {
                let score = self.score(child, log);
                if score > best_score {
                    (best, best_score) = (child, score);
                }
            }
        }
        debug_assert!(self.tree.nodes[best as usize].seat == seat, "a step of another seat");
        best
    }

    /// Samples an outcome at a chance node, within the widening.
    pub(super) fn chance(&mut self, at: u32, world: &mut G, rng: &mut Rng) -> u32 {
        let node = self.tree.nodes[at as usize];
        let Options { widen_k, widen_alpha, .. } = self.options;
        // There are no more outcomes than visits. To count them at each visit would make the time of a search quadratic.
        let unlimited = widen_k >= 1.0 && widen_alpha >= 1.0;
        let has_room = || {
            let limit = widen_k * f64::from(node.visits + 1).powf(widen_alpha);
            let outcomes = self.tree.outcomes(at).count();
            outcomes == 0 || (outcomes as f64) < limit
        };
        if unlimited || has_room() {
            let outcome = world.roll(rng);
            let found = self.tree.outcome(at, outcome);
            let child = found.unwrap_or_else(|| self.tree.add_outcome(at, outcome, node.seat));
            self.tree.nodes[child as usize].available += 1;
            return child;
        }
        // An outcome that was drawn twice deserves twice the visits.
        let load = |&child: &u32| {
            let node = &self.tree.nodes[child as usize];
            f64::from(node.visits) / f64::from(node.available)
        };
        let least = self.tree.outcomes(at).min_by(|a, b| load(a).total_cmp(&load(b)));
        let child = least.unwrap_or(NONE);
        if let Edge::Chance(outcome) = self.tree.nodes[child as usize].edge {
            world.play_chance(outcome);
        }
        child
    }
}
