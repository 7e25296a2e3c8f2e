//! What positions of doubles are worth.

pub mod features;
mod points;
pub mod rule;
