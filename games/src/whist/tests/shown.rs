//! What whist refuses of views that are told.

use super::*;
use crate::told::refusal;
use serde_json::json;

/// Suits that seats are out of are refused where the trick or the own hand shows otherwise.
#[test]
fn voids_fit_the_cards() {
    for rules in [Rules::default(), FREE] {
        let position = after(rules, ["5C 4D", "3D 2H", "8D 3H", "4S 5S"], "5C 3D 8D");
        let refused = |place: &str, suits: &[&str]| refusal(&rules, &position, &[(place, json!(suits))]);
        let expected = "expected C for those who have not followed: 2";
        assert_eq!(refused("/voids/1", &[]), format!("view: voids=[[],[],[\"C\"],[]]: {expected}"));
        let all = r#"[["C"],["C"],["C"],[]]"#;
        assert_eq!(refused("/voids/0", &["C"]), format!("view: voids={all}: {expected}"));
        let own = "view: voids=S: expected a suit of no card in the own hand";
        assert_eq!(refused("/voids/3", &["S"]), own);
    }
    // Who plays a free scoundrel may be out of the suit led, or not.
    let hands = ["5C 4D 6S", "3D 2H JC", "8D 3H 7H", "4H 8H 9S"];
    let position = after(FREE, hands, "5C 3D 8D 4H 4D JC 3H");
    let error = refusal(&FREE, &position, &[("/voids/2", json!(["C"]))]);
    assert!(error.ends_with("expected D for those who have not followed: 1"), "{error}");
}

/// Seat 0 leads the first trick, and then who has won one.
#[test]
fn who_leads_has_won_a_trick() {
    let rules = Rules::default();
    let expected = "expected seat 0 in the first trick, and then a seat that has won one";
    let hands = ["5C 4D", "3C 2H", "8C 3H", "4C 5S"];
    for (played, seat) in [("", 1), ("5C 3C 8C 4C", 3)] {
        let position = after(rules, hands, played);
        let error = refusal(&rules, &position, &[("/mover", json!(seat)), ("/leader", json!(seat))]);
        assert_eq!(error, format!("view: leader={seat}: {expected}"));
    }
}
