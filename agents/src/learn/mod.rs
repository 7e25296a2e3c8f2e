//! Learned values and policies: a small net over sparse features, trained by self-play.
//!
//! A game describes what a seat knows as a list of [`Features`], and a [`Net`](crate::net::Net) estimates the seat's utility.
//! The net learns from its own games by TD(λ) ([`td`]), in floating point. For play its weights are rounded to
//! whole numbers ([`Model`]), so that the first layer changes feature by feature without error. Every machine
//! computes the same values. By its own choices it can learn which step to take instead ([`policy_gradient`]).

mod cross;
pub mod features;
mod header;
mod learned_value;
mod model;
mod model_error;
mod others;
pub mod policy_gradient;
mod second_layer;
mod self_play;
pub mod td;
#[cfg(test)]
mod tests;

pub use cross::Cross;
pub use features::{Afterstate, Features};
pub use header::Header;
pub use learned_value::{Batch, LearnedValue, probability};
pub use model::Model;
pub use model_error::ModelError;
