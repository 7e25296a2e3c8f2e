//! What positions of doubles are worth.

pub mod features;
pub(super) mod points;
pub mod rule;
