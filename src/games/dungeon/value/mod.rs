//! What a position is worth: by hand-written features, and by a trained net.

pub(super) mod net;
pub mod rule;
