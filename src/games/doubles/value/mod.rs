//! What positions of doubles are worth.

pub mod rule;
