//! The hand-written evaluator.

use super::*;
use crate::dungeon::steps::{Outcomes, outcomes};
use crate::dungeon::value::rule::Rule;
use crate::models::check_names;
use knave_agents::Policy as _;

/// The weights files must name every weight and nothing else.
#[test]
fn the_rule_has_all_its_weights() {
    let win = include_str!("../models/dungeon-rule.toml");
    let score = include_str!("../models/dungeon-rule-score.toml");
    check_names(win, &["weights"], |win| Rule::read(win, score).map(drop));
    for table in ["won", "lost"] {
        check_names(score, &[table], |score| Rule::read(win, score).map(drop));
    }
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

/// Where players aim at the score, the evaluator tells scores: on average roughly what the policy makes of deals, whatever the health.
#[test]
fn the_rule_expects_the_score_that_it_makes() {
    let rule = Rule::fitted();
    for health in [4, 20, 41, 99] {
        let rules = Rules { health, objective: Aim::Score, ..Rules::default() };
        let (mut expected, mut made) = (0.0, 0.0);
        for index in 0..300 {
            let mut rng = stream(73, index, Role::Deal);
            let mut position = Dungeon::deal(&rules, &mut rng);
            settle(&mut position, &mut rng);
            expected += rule.expected_score(&position) / 300.0;
            while position.turn() != Turn::Over {
                let played = rule.choose(&position, &mut Vec::new(), &mut rng);
                position.try_play(played).unwrap();
                settle(&mut position, &mut rng);
            }
            made += position.score(0) as f64 / 300.0;
        }
        let near = 12.0 + made.abs() / 4.0;
        assert!((expected - made).abs() < near, "health {health}: expected {expected:.1}, made {made:.1}");
    }
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
