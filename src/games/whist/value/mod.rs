//! What positions of whist are worth, and what to play.

mod net;
pub mod rule;
