//! Evaluators and the policy: by hand-written features ([`rule`]), and by a net that learned by self-play.

mod features;
pub(super) mod net;
pub mod rule;
