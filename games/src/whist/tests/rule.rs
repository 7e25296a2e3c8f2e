//! The hand-written policy and evaluator `rule`.

use super::*;
use crate::models::check_names;

/// The policy by cases that anybody would agree on: the last to play wins a trick of low cards as
/// cheaply as can be and leaves one of high cards alone, and a scoundrel is not led.
#[test]
fn the_rule_plays_sensibly() {
    let rule = Whist::kit(&Rules::default()).find_policy("rule", &Rules::default()).unwrap();
    let chosen = |hands, played| {
        let position = after(Rules::default(), hands, played);
        rule.choose(&position, &mut Vec::new(), &mut Rng::new(1)).0.to_string()
    };
    assert_eq!(chosen(["2H 2D 3D", "3H 3S 8S", "4H 4C 8C", "7H QH 7D"], "2H 3H 4H"), "7H");
    assert_eq!(chosen(["QH 2D 3D", "TH 3S 8S", "JH 4C 8C", "KH 3H 7D"], "QH TH JH"), "3H");
    assert_ne!(chosen(["JS 2D 3C", "TH 3S 8S", "JH 4C 8C", "KH 3H 7D"], ""), "JS");
}

/// The agent `rule` asks the policy by the view alone, searches ask it by the position: the answer must be the
/// same, in every position of 100 games that it plays itself.
#[test]
fn the_rule_needs_no_more_than_the_view() {
    for rules in [Rules::default(), FREE] {
        let rule = Whist::kit(&rules).find_policy("rule", &rules).unwrap();
        for index in 0..50 {
            let mut rng = stream(81, index, Role::Deal);
            let mut position = Whist::deal(&rules, &mut rng);
            while let Turn::Player(seat) = position.turn() {
                let m = rule.choose(&position, &mut Vec::new(), &mut rng);
                assert_eq!(rule.choose_by_view(&position.view(seat), &mut rng), Some(m));
                position.try_play(m).unwrap();
            }
        }
    }
}

/// The weights file must name every feature and nothing else, those of the evaluator and those of the policy.
#[test]
fn the_rule_has_all_its_weights() {
    let file = include_str!("../models/whist-rule.toml");
    check_names(file, &["value"], |file| value::rule::Value::read(file).map(drop));
    check_names(file, &["policy"], |file| value::rule_policy::read_weights(file).map(drop));
}

/// The evaluator knows ahead from behind, and what is not there is not found.
#[test]
fn the_rule_knows_who_is_ahead() {
    let (rules, kit) = (Rules::default(), Whist::kit(&Rules::default()));
    let rule = kit.find_evaluator("rule", &rules).unwrap();
    // Ahead is better than behind.
    let position = after(Rules::default(), ["2H 3C", "9H 4D", "8H 5C", "7H 6D"], "2H 9H 8H 7H");
    let values = [0, 1, 2, 3].map(|seat| rule.value(&position, seat));
    assert!(values.iter().all(|value| (0.0..=1.0).contains(value)) && values[1] > values[0], "{values:?}");
    assert!(kit.find_evaluator("none such", &rules).is_none());
    assert!(kit.find_policy("none such", &rules).is_none());
}
