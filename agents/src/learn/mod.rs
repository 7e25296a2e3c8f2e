//! Learned values: a small net over sparse features, trained by self-play.
//!
//! A game says what a seat knows of a position as a list of [`Features`]. A [`Net`] of two hidden layers
//! gives the utility that the seat can expect; it learns from the seat's own games by TD(λ) ([`td`]), in
//! floating point. For play its weights are rounded to whole numbers ([`Model`]): the first layer is then
//! a sum that can be changed feature by feature without error, and every machine computes the same value.

pub mod features;
mod learned_value;
mod model;
pub mod td;
#[cfg(test)]
mod tests;

pub use crate::net::{Groups, Net, Shape};
pub use crate::training::{Schedule, Training};
pub use features::{Afterstate, Features};
pub use learned_value::{LearnedValue, probability};
pub use model::{Header, Model, ModelError};
