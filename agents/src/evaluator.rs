//! Evaluators: the value of a position to a seat, hand-written or trained.
//!
//! An evaluator works on positions, because a search walks positions that it sampled. It may not use more of a
//! position than the seat in question knows; [`crate::testkit`] checks that with re-dealt worlds.

use crate::game::{Game, Seat};
use crate::steps::StepList;
use serde::Serialize;

/// The value of a position to a seat.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The utility that `seat` can expect, in [0, 1], from what it may know of `position`. The
    /// position is not over; it is most often one in which a move or step has just been played, with
    /// chance still to come.
    fn value(&self, position: &G, seat: Seat) -> f64;

    /// The utility that `seat` can expect of a decision of its own, about the value of what its best step
    /// leaves behind; for an evaluator that has a quicker way than to value every step. `None` where it
    /// has none.
    fn decision(&self, _position: &G, _seat: Seat) -> Option<f64> {
        None
    }

    /// Whether this is a good place to stop a rollout that has come far enough: `Some(true)` to take the value of the
    /// position as it stands, `Some(false)` to play on. `None` where all places are alike; then the best step of the
    /// player whose turn it is is valued.
    fn quiescent(&self, _position: &G) -> Option<bool> {
        None
    }

    /// Replaces the contents of `steps` with the steps of `seat`, whose turn it is (`Tools::steps`), and those
    /// of `values` with the value of what each leaves behind ([`Game::utility`] where the game is over); for an
    /// evaluator that has a quicker way than one after the other. `false` where it has none, and where the exact
    /// end-game may know better.
    fn steps(
        &self,
        _position: &G,
        _seat: Seat,
        _steps: &mut StepList<G::Move>,
        _values: &mut Vec<f64>,
    ) -> bool {
        false
    }

    /// The trained model that gives the values, where there is one.
    fn model(&self) -> Option<&ModelId> {
        None
    }
}

/// Which trained model: manifests record it, so that results tell by what they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ModelId {
    /// The name of its file.
    pub name: String,
    /// The 64-bit FNV-1a hash of its bytes, in hexadecimal.
    pub fnv1a: String,
}
