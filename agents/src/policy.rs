//! Policies: quick ways to choose moves, for rollouts and for the agent `rule`.
//!
//! A policy works on positions, but may not use more of one than the player whose turn it is knows.

use crate::evaluator::ModelId;
use crate::game::Game;
use crate::rng::Rng;

/// A quick way to choose moves: a rule of thumb, for rollouts and for the `rule` agent.
pub trait Policy<G: Game>: Send + Sync {
    /// One of the legal moves of the player whose turn it is, from what that player may know.
    /// `buffer` is scratch space.
    fn choose(&self, position: &G, buffer: &mut Vec<G::Move>, rng: &mut Rng) -> G::Move;

    /// The move of the player whose turn it is, from its view alone, for a policy that needs no more: it saves
    /// sampling a world to show. `None` for all others.
    fn choose_by_view(&self, _view: &G::View, _rng: &mut Rng) -> Option<G::Move> {
        None
    }

    /// Replaces the contents of `line` with what the policy means to play from here: one or more legal moves
    /// of the player whose turn it is, with no chance between them, [`Policy::choose`] among equals. A policy
    /// that thinks whole turns overrides it, so that it need not think them anew at every move.
    fn plan(&self, position: &G, line: &mut Vec<G::Move>, rng: &mut Rng) {
        let m = self.choose(position, line, rng);
        line.clear();
        line.push(m);
    }

    /// Plays on for the player whose turn it is: what it plans, or more, for a policy that knows a quicker
    /// way through a whole turn, chance included. `buffer` is scratch space.
    fn play(&self, position: &mut G, buffer: &mut Vec<G::Move>, rng: &mut Rng) {
        self.plan(position, buffer, rng);
        for &m in &*buffer {
            position.play(m);
        }
    }

    /// The trained model that chooses, where there is one.
    fn model(&self) -> Option<&ModelId> {
        None
    }
}
