//! placeholder
use super::*;
pub const EVALUATORS: &[&str] = &[];
pub const POLICIES: &[&str] = &[];
pub fn evaluator(_: &str, _: &Rules) -> Option<Arc<dyn Evaluator<Dungeon>>> {
    None
}
pub fn policy(_: &str, _: &Rules) -> Option<Arc<dyn Policy<Dungeon>>> {
    None
}
pub fn defaults(_: &str) -> &'static [(&'static str, &'static str)] {
    &[]
}
