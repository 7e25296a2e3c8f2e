//! What verslun refuses of views that are told.

use super::*;
use serde_json::{Value, json};

/// A claim is asked for only where one can be made: elsewhere the game is over, and there is no step.
#[test]
fn no_claim_is_asked_for_where_none_can_be_made() {
    let rules = Rules { columns: 1, ..Rules::default() };
    let shown = Verslun::kit(&rules).shown.unwrap();
    let read = |phase: &str, hand: &[&str]| {
        let columns = json!([{ "cards": ["2C", "3C", "4C", "5C"], "partners": [], "points": 0 }]);
        let told = json!({ "phase": phase, "points": 0, "hand": hand, "columns": columns, "unseen": ["6H"] });
        shown.read(&rules, &told).unwrap()
    };
    let view = read("claim", &["9C", "2H"]).unwrap();
    let mut steps = StepList::default();
    Verslun::sample_world(&view, &mut Rng::new(1)).steps(&mut steps);
    assert!(!steps.is_empty());
    assert!(read("turn", &[]).is_ok());
    for hand in [&["2H", "3D"][..], &[]] {
        let error = read("claim", hand).unwrap_err().to_string();
        assert_eq!(error, "view: phase=claim: expected turn, redeal or end, as the hand can claim nothing");
    }
}

/// A phase, a hand and partners are refused where no claims lead there.
#[test]
fn claims_lead_to_the_view() {
    let rules = Rules { columns: 1, ..Rules::default() };
    let shown = Verslun::kit(&rules).shown.unwrap();
    let refusal = |phase: &str, hand: &[&str], column: &Value, unseen: &[&str]| {
        let points = &column["points"];
        let told =
            json!({ "phase": phase, "points": points, "hand": hand, "columns": [column], "unseen": unseen });
        shown.read(&rules, &told).unwrap().err().map(|error| error.to_string())
    };
    let open = json!({ "cards": ["2C", "3C", "4C", "5C"], "partners": [], "points": 0 });
    let claimed = json!({ "cards": ["2C"], "partners": ["5C"], "points": 7 });
    let dear = json!({ "cards": ["2C"], "partners": ["5C"], "points": 8 });
    let foreign = json!({ "cards": ["2C"], "partners": ["5S"], "points": 7 });
    let five = ["2H", "3H", "4H", "5H", "7H"];
    for (phase, hand, column, expected) in [
        ("end", &five[..0], &open, "phase=end: expected turn or claim, as no column is claimed"),
        ("redeal", &five, &open, "phase=redeal: expected turn or claim, as no column is claimed"),
        ("turn", &five[..1], &open, "hand=1: expected no card in the first turn"),
        ("turn", &five, &claimed, "hand=5: expected at most 4 cards"),
        ("end", &five, &claimed, "hand=5: expected at most 4 cards"),
        ("turn", &five[..1], &dear, "columns=points 8: expected 7"),
        ("turn", &five[..1], &foreign, "columns=2C with 5S: expected partners that pair"),
    ] {
        let error = refusal(phase, hand, column, &["6H"]).unwrap();
        assert_eq!(error, format!("view: {expected}"), "{phase}");
    }
    let error = refusal("turn", &[], &claimed, &[]).unwrap();
    assert_eq!(error, "view: unseen=[]: expected a card, without which no turn begins");
    for (phase, hand) in [("turn", &five[..4]), ("redeal", &five), ("end", &[])] {
        assert_eq!(refusal(phase, hand, &claimed, &["6H"]), None);
    }
    assert_eq!(refusal("end", &[], &claimed, &[]), None);
}
