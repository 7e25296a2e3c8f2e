//! Evaluators: the value of a position to a seat, hand-written or trained.
//!
//! An evaluator is given positions, because a search walks positions that it sampled. It may use only what the
//! seat in question knows of them; [`crate::testkit`] checks that with re-dealt worlds.

use crate::game::{Game, Seat};
use crate::steps::StepList;
use serde::Serialize;

/// The value of a position to a seat.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The expected utility of `seat`, in [0, 1], from what it may know. The position is not over. Most often a
    /// step has just been played, with chance still to come.
    fn value(&self, position: &G, seat: Seat) -> f64;

    /// The expected utility of a decision of `seat`: about the value of the afterstate of its best step. `None`
    /// without a quicker way than to value all steps.
    fn decision(&self, _position: &G, _seat: Seat) -> Option<f64> {
        None
    }

    /// Whether the position is quiescent, so that a rollout may stop here. `Some(true)` takes its value as it
    /// stands, `Some(false)` plays on. `None` stops anywhere and values the best step of the player to move. It depends on what that
    /// player knows.
    fn quiescent(&self, _position: &G) -> Option<bool> {
        None
    }

    /// Lists the steps of `seat`, whose turn it is, and the values of their afterstates ([`Game::utility`]
    /// where the game is over). It is for evaluators that do so quicker than one after the other, or that value
    /// a step before the answers of others whose cards are hidden. `false` without such a way, and where the
    /// exact end-game may know better.
    fn steps(
        &self,
        _position: &G,
        _seat: Seat,
        _steps: &mut StepList<G::Move>,
        _values: &mut Vec<f64>,
    ) -> bool {
        false
    }

    /// The trained model behind the values.
    fn model(&self) -> Option<&ModelId> {
        None
    }
}

/// The identity of a trained model, as manifests record it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ModelId {
    /// The name of its file.
    pub name: String,
    /// The 64-bit FNV-1a hash of its bytes, in hexadecimal.
    pub fnv1a: String,
    /// The cards of the games that it learnt from, where they were not all of the game's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<String>,
}
