//! What positions of whist are worth, and what to play.

mod features;
pub(super) mod net;
pub mod rule;
pub mod rule_policy;
