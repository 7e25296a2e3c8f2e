//! What verslun refuses of views that are told.

use super::*;
use serde_json::json;

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
    for hand in [&["2H", "3D"][..], &[]] {
        assert!(read("turn", hand).is_ok());
        let error = read("claim", hand).unwrap_err().to_string();
        assert_eq!(error, "view: phase=claim: expected turn, redeal or end, as the hand can claim nothing");
    }
}
