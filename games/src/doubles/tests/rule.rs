//! The hand-written policy `rule`.

use super::*;
use crate::models::check_names;

/// The weights file must name every feature and nothing else.
#[test]
fn the_rule_has_all_its_weights() {
    let file = include_str!("../models/doubles-rule.toml");
    check_names(file, &["weights"], |file| value::rule::Rule::read(file).map(drop));
}

/// What is known of good play: a lone holder on the own roll never pockets, an empty-handed roller rolls again
/// for low stakes, and nobody rolls again where the limit would take the stakes away.
#[test]
fn the_rule_knows_the_end() {
    let rule = value::rule::Rule::fitted();
    let chosen = |max_rolls, deck: &str, words: &str| {
        let mut game = Script::new(&Rules { max_rolls, ..rules(2, 1) }, deck);
        game.play(words);
        assert_eq!(game.0.board.phase, Phase::Choose);
        rule.best(&game.0)
    };
    let deck = "AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD";
    // Seat 1 holds the last card on its own roll; then seat 0 does not, on its own.
    for words in ["12 AC 56 pass", "12 AC 56 pass roll 56 pass", "12 AC 12 pass"] {
        assert_eq!(chosen(10_000, deck, words), Move::ROLL, "{words}");
    }
    assert_eq!(chosen(10_000, deck, "12 AC 56 pass pocket 12 pass"), Move::ROLL);
    assert_eq!(chosen(2, deck, "12 AC 56 pass"), Move::POCKET);
}
