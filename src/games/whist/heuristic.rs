//! stub
use super::{Rules, Whist};
use knave_agents::{Evaluator, Policy};
use std::sync::Arc;
/// The names of the evaluators.
pub const EVALUATORS: &[&str] = &[];
/// The names of the policies.
pub const POLICIES: &[&str] = &[];
/// The evaluator of this name.
#[must_use]
pub fn evaluator(_: &str, _: &Rules) -> Option<Arc<dyn Evaluator<Whist>>> {
    None
}
/// The policy of this name.
#[must_use]
pub fn policy(_: &str, _: &Rules) -> Option<Arc<dyn Policy<Whist>>> {
    None
}
/// The options with another default in this game.
#[must_use]
pub fn defaults(_: &str) -> &'static [(&'static str, &'static str)] {
    &[]
}
