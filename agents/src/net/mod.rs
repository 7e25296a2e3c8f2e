//! A small net over sparse features: its layers in floating point, and how it learns.
//!
//! It knows no game: lists of features go in, log-odds come out.

pub(crate) mod group_cache;
mod layers;
mod learner;
#[cfg(test)]
mod tests;

pub(crate) use layers::differences;
pub use layers::{Groups, Net, Shape, Units, logistic};
pub use learner::Learner;
