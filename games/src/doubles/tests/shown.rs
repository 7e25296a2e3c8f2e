//! Views as data: what no player is told is refused.

use super::*;
use crate::doubles::shown::{Shown, read, shown};
use crate::told::refused;
use knave_agents::ViewError;
use serde_json::{Value, json};

/// Hands of other sizes with the right sum are refused where one has more cards than were dealt to it: evaluators have no room for
/// them.
#[test]
fn no_hand_is_larger_than_it_was_dealt() {
    let rules = rules(3, 7);
    let deck: Vec<Card> = Card::all().collect();
    let mut position = Doubles::from_deck(&rules, &deck).unwrap();
    position.play_chance(Chance::Roll([1, 2]));
    let told = serde_json::to_value(shown(&position.view(0))).unwrap();
    let reading = |told: Value| -> Result<View, ViewError> {
        read(&rules, &serde_json::from_value::<Shown>(told).unwrap())
    };
    assert_eq!(reading(told.clone()).unwrap(), position.view(0));

    let mut others = told.clone();
    others["counts"] = json!([7, 8, 6]);
    let expected = ViewError::new("counts", 8, "at most 7 cards in a hand");
    assert_eq!(reading(others).unwrap_err(), expected);

    // The own hand is larger, too.
    let (mut own, mut unseen) = (told["hand"].clone(), told["unseen"].clone());
    let (own_cards, unseen_cards) = (own.as_array_mut().unwrap(), unseen.as_array_mut().unwrap());
    own_cards.extend(unseen_cards.drain(..3));
    let mut large = told;
    (large["hand"], large["unseen"]) = (own, unseen);
    large["counts"] = json!([10, 6, 5]);
    let expected = ViewError::new("counts", 10, "at most 7 cards in a hand");
    assert_eq!(reading(large).unwrap_err(), expected);
}

/// Scores, turns and challenges are refused that the rolls and the cards played cannot have brought.
#[test]
fn the_parts_of_a_turn_fit() {
    let rules = rules(3, 2);
    let mut script = Script::new(&rules, "2C 3C 4C 5C 6C 7C 8C AC");
    script.play("34 5C");
    let no_challenge = [("/high", json!(null)), ("/challenger", json!(null))];
    let ace = [("/high", json!("A")), ("/played", json!(["AC"])), ("/unseen/4", json!("5C"))];
    refused(
        &rules,
        &script.0,
        &[
            (&[("/high", json!("A"))], "high=A: expected the rank of a card that was played"),
            (&ace, "hand=2: expected a card among them that may be played"),
            (&[("/challenger", json!(2))], "challenger=2: expected a seat that has played a card"),
            (&no_challenge, "played=1: expected no card before the first challenge"),
            (&[("/roller", json!(2))], "rolls=1: expected at least 3, as seat 0 rolled first"),
            (
                &[("/scores/1", json!(256))],
                "scores=[0, 256, 0]: expected 0 to 0 together, 2 to 12 for each roll of other turns",
            ),
            (
                &[("/rolls", json!(30))],
                "scores=[0, 0, 0]: expected 53 to 348 together, 2 to 12 for each roll of other turns",
            ),
        ],
    );
    let mut doubles = Script::new(&rules, "2C 3C 4C 5C 6C 7C");
    doubles.play("33");
    let first = "mover=1: expected 0, the first with cards from the roller on";
    refused(&rules, &doubles.0, &[(&[("/mover", json!(1))], first)]);
}

/// In a match another seat rolls first in each game, and no game but the last reaches the target.
#[test]
fn games_of_a_match_fit() {
    let rules = Rules { target: 50, ..rules(3, 2) };
    let mut script = Script::new(&rules, "2C 3C 4C 5C 6C 7C");
    script.play("34");
    let scores = [("/game", json!(3)), ("/scores/0", json!(60))];
    refused(
        &rules,
        &script.0,
        &[
            (&[("/game", json!(1))], "rolls=1: expected at least 3, as seat 1 rolled first"),
            (&scores, "scores=[60, 0, 0]: expected less than 50 each, as the match goes on"),
        ],
    );
}
