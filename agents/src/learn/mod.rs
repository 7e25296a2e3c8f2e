//! Learned values: a small net over sparse features, trained by self-play.
//!
//! A game says what a seat knows of a position as a list of [`Features`]. A [`Net`] of two hidden layers
//! gives the utility that the seat can expect; it learns from the seat's own games by TD(λ) ([`td`]), in
//! floating point. For play its weights are rounded to whole numbers ([`Model`]): the first layer is then
//! a sum that can be changed feature by feature without error, and every machine computes the same value.

pub mod features;
mod group_cache;
mod model;
mod net;
pub mod schedule;
pub mod td;
#[cfg(test)]
mod tests;

pub use features::{After, Features};
pub use model::{Header, LearnedValue, Model, ModelError, probability};
pub use net::{Groups, Net, Shape};
