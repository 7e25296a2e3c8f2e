//! The hand-written evaluator.

use super::*;

/// The weights file names every feature.
#[test]
fn the_rule_has_all_its_weights() {
    let (rules, kit) = (Rules::default(), Dungeon::kit(&Rules::default()));
    let rule = kit.find_evaluator("rule", &rules).unwrap();
    let deal =
        after(Rules::default(), "2C 3C 4C 5C 6C 7C", &["fight 2C bare", "fight 3C bare", "fight 4C bare"]);
    assert!((0.0..=1.0).contains(&rule.value(&deal, 0)));
    assert!(kit.find_evaluator("none such", &rules).is_none());
}
