//! What positions of columns are worth.

pub mod net;
mod ranks;
pub mod rule;
mod tables;
