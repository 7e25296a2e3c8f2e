//! Policies: quick rules for choosing moves, for rollouts and for the agent `rule`.
//!
//! A policy is given positions, but may use only what the player whose turn it is knows.

use crate::evaluator::ModelId;
use crate::game::Game;
use crate::rng::Rng;

/// A policy: a quick rule for choosing moves.
pub trait Policy<G: Game>: Send + Sync {
    /// A legal move of the player whose turn it is; `buffer` is scratch space.
    fn choose(&self, position: &G, buffer: &mut Vec<G::Move>, rng: &mut Rng) -> G::Move;

    /// The move by the view alone, which saves sampling a world: that of [`Policy::choose`] with the same random numbers. `None` for
    /// a policy that needs a position.
    fn choose_by_view(&self, _view: &G::View, _rng: &mut Rng) -> Option<G::Move> {
        None
    }

    /// Replaces the contents of `line` with the moves that the policy plans, without chance between them. The
    /// default plans one move by [`Policy::choose`]. A policy that thinks in whole turns overrides it, so that
    /// it thinks each turn once.
    fn plan(&self, position: &G, line: &mut Vec<G::Move>, rng: &mut Rng) {
        let m = self.choose(position, line, rng);
        line.clear();
        line.push(m);
    }

    /// Plays the planned moves. A policy may know a quicker way through a whole turn, chance included. `buffer`
    /// is scratch space.
    fn play(&self, position: &mut G, buffer: &mut Vec<G::Move>, rng: &mut Rng) {
        self.plan(position, buffer, rng);
        for &m in &*buffer {
            position.play(m);
        }
    }

    /// The trained model behind the choices.
    fn model(&self) -> Option<&ModelId> {
        None
    }
}
