//! The hand-written evaluator.

use super::*;

/// The weights file names every feature.
#[test]
fn the_rule_has_all_its_weights() {
    let rule = heuristic::evaluator("rule", &Rules::default()).unwrap();
    let deal =
        after(Rules::default(), "2C 3C 4C 5C 6C 7C", &["fight 2C bare", "fight 3C bare", "fight 4C bare"]);
    assert!((0.0..=1.0).contains(&rule.value(&deal, 0)));
    assert!(heuristic::evaluator("none such", &Rules::default()).is_none());
}
