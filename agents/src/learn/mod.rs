//! Learned values: a small net over sparse features, trained by self-play.
//!
//! A game says what a seat knows of a position as a list of [`Features`]. A [`Net`] of two hidden layers
//! gives the utility that the seat can expect; it learns from the seat's own games by TD(λ) ([`td`]), in
//! floating point. For play its weights are rounded to whole numbers ([`Model`]): the first layer is then
//! a sum that can be changed feature by feature without error, and every machine computes the same value.

mod model;
mod net;
pub mod td;
#[cfg(test)]
mod tests;

pub use model::{Header, LearnedValue, Model, ModelError};
pub use net::{Net, Shape};

use crate::game::{Game, Seat};

/// What a seat knows of a position, as features that are there or not.
pub trait Features: Game {
    /// Grows whenever the features change: a model for other features is refused.
    const FEATURES_VERSION: u32;

    /// The number of features that there are.
    const INPUTS: usize;

    /// Replaces the contents of `out` with the features that are there for `seat`, ascending, each below
    /// [`Features::INPUTS`]. Only what the seat knows may matter. Asked of positions that are not over.
    fn features(&self, seat: Seat, out: &mut Vec<u16>);
}
