//! What columns refuses of views that are told.

use super::*;
use crate::told::refused;
use serde_json::json;

/// Dice, cards played and columns that go by themselves are refused together where no round leads there.
#[test]
fn the_parts_of_a_round_fit() {
    let mut position = Columns::from_deck(&Rules::default(), &deck("")).unwrap();
    act(&mut position, &["roll 4 2 6"]);
    let waited = "waited=0: expected 1 or more, for nothing has been played in this round";
    refused(&Rules::default(), &position, &[(&[("/round", json!(3))], waited)]);
    act(&mut position, &["place a4 b2 c6", "play b 9C"]);
    let direction = "expected none, as no card goes to the top one by such a step";
    let empty = [
        ("/columns/0/0/cards", json!([])),
        ("/columns/0/0/top", json!(null)),
        ("/columns/0/0/direction", json!("down")),
        ("/stolen", json!(["3D"])),
    ];
    let without_a_die = [("/dice/2", json!(0)), ("/left/2", json!(0)), ("/untouched/2", json!(false))];
    let waiting = "waited=2: expected 0, as a card was played or a column finished in this round";
    refused(
        &Rules::default(),
        &position,
        &[
            (&[("/columns/1/1/direction", json!("down"))], &format!("columns=direction down: {direction}")),
            (&[("/columns/0/1/direction", json!("up"))], &format!("columns=direction up: {direction}")),
            (&empty, &format!("columns=direction down: {direction}")),
            (&[("/untouched/1", json!(true))], "untouched=true: expected false, with 1 left of 2"),
            (&[("/left/1", json!(2))], "untouched=false: expected true, with 2 left of 2"),
            (&[("/left/0", json!(0))], "untouched=true: expected false, with 0 left of 4"),
            (&[("/left/2", json!(0))], "untouched=true: expected false, with 0 left of 1"),
            (&without_a_die, "dice=[4, 2, 0, 0]: expected 3 dice, by the open pairs"),
            (&[("/round", json!(3)), ("/waited", json!(2))], waiting),
            (&[("/counts", json!([0, 0]))], "counts=[0, 0]: expected [7, 6]"),
        ],
    );
}
