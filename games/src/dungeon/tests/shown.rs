//! What the dungeon refuses of views that are told.

use super::*;
use serde_json::{Value, json};

/// The last room: two cards, and so many of them yet to be faced.
fn last_room(to_face: u16) -> Value {
    json!({
        "health": 10, "weapon": 0, "limit": null, "room": ["9C", "5H"], "to_face": to_face, "may_avoid": false,
        "drunk": false, "unfaced": 9, "unseen": [], "avoided": [], "drawn_of_block": 0,
    })
}

/// More cards to face than lie in the room are refused: play would count down to the end of a turn that never comes.
#[test]
fn no_more_is_faced_than_lies_in_the_room() {
    let rules = Rules::default();
    let shown = Dungeon::kit(&rules).shown.unwrap();
    let read = |to_face| shown.read(&rules, &last_room(to_face)).unwrap();
    for to_face in [1, 2] {
        assert!(read(to_face).is_ok(), "{to_face}");
    }
    let mut other = last_room(2);
    other["unfaced"] = json!(14);
    let error = shown.read(&rules, &other).unwrap().unwrap_err().to_string();
    assert_eq!(error, "view: unfaced=14: expected 9");
    for to_face in [0, 3, 200, 255] {
        let error = read(to_face).unwrap_err().to_string();
        assert_eq!(error, format!("view: to_face={to_face}: expected 1 or 2"));
    }
}
