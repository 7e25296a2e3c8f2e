//! Views as data: what no player is told is refused.

use super::*;
use crate::doubles::shown::{Shown, read, shown};
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
