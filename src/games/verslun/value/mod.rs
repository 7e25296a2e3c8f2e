//! What a position is worth: by hand-written features, and by a trained net.

mod best_turn;
pub mod context;
mod draws;
mod features;
pub(super) mod net;
pub mod rule;
