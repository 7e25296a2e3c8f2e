//! Evaluators and the policy: by hand-written features ([`rule`]), and by a trained net.

pub(super) mod net;
pub mod rule;
