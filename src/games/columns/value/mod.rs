//! What positions of columns are worth.

mod features;
pub mod knowledge;
pub mod net;
mod ranks;
pub mod rule;
pub(super) mod slots;
mod tables;
