//! The hand-written evaluator.

use super::*;
use crate::dungeon::steps::{Outcomes, outcomes};
use crate::dungeon::value::rule::Rule;
use crate::models::check_names;
use knave_agents::Policy as _;

/// The weights file must name every feature and nothing else.
#[test]
fn the_rule_has_all_its_weights() {
    let file = include_str!("../models/dungeon-rule.toml");
    check_names(file, &["weights"], |file| Rule::read(file).map(drop));
}

/// The evaluator gives a utility, and what is not there is not found.
#[test]
fn the_rule_is_found_by_its_name() {
    let (rules, kit) = (Rules::default(), Dungeon::kit(&Rules::default()));
    let rule = kit.find_evaluator("rule", &rules).unwrap();
    let deal =
        after(Rules::default(), "2C 3C 4C 5C 6C 7C", &["fight 2C bare", "fight 3C bare", "fight 4C bare"]);
    assert!((0.0..=1.0).contains(&rule.value(&deal, 0)));
    assert!(kit.find_evaluator("none such", &rules).is_none());
}

/// What the ways to play a turn have in common is worked out once for all of them, and the log-odds are those of each alone.
#[test]
fn log_odds_after_a_turn_are_those_of_each_way_alone() {
    let rule = Rule::fitted();
    let (mut compared, mut last) = (0, 0);
    for index in 0..40 {
        let mut rng = stream(71, index, Role::Deal);
        let mut position = Dungeon::deal(&Rules::default(), &mut rng);
        let mut ways = Outcomes::new();
        settle(&mut position, &mut rng);
        while position.turn() != Turn::Over {
            let pile = &position.pile;
            let logit_after = rule.logit_after(pile.cards(), pile.unseen());
            outcomes(&position.board, pile.len() == 0, &mut ways);
            for way in &ways {
                let alone = rule.logit(&way.board, pile.cards(), pile.unseen());
                assert_eq!(logit_after(&way.board).to_bits(), alone.to_bits());
                compared += 1;
                last += usize::from(pile.len() == 0);
            }
            let played = rule.choose(&position, &mut Vec::new(), &mut rng);
            position.try_play(played).unwrap();
            settle(&mut position, &mut rng);
        }
    }
    assert!(compared > 1000 && last > 20, "{compared} ways, {last} of them with an empty pile");
}
