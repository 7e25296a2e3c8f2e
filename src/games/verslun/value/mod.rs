//! What a position is worth: the points to come, by hand-written features and by a trained net.

mod best_turn;
mod chances;
pub mod context;
mod draws;
mod features;
pub(super) mod net;
pub mod rule;
