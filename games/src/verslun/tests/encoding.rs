//! Claims as actions: a learner must be able to spell each, and to see what it has spelled.

use super::*;
use crate::cards::Suit;
use crate::verslun::encoding::encoding;
use knave_agents::encoding::first;

/// A claim is its column and its partners in canonical order; one of fewer than four is completed by an action of its own. What
/// is spelled so far is seen.
#[test]
fn claims_are_spelled_in_canonical_order() {
    let encoding = encoding();
    let [claim, partner, complete] =
        ["claim", "partner", "complete"].map(|name| first(encoding.actions, name));
    let card = |text: &str| {
        let card = cards(text)[0];
        let suit = Suit::ALL.iter().position(|&suit| suit == card.suit()).unwrap() as u16;
        partner + 13 * suit + u16::from(card.rank()) - 2
    };
    let deck = "5S 4S 3D 2C  9S 5H 4D KH  KC JC 6C 8S QD";
    let rules = Rules { columns: 2, ..Rules::default() };
    let position = after(rules, deck, "draw");
    let spelled = |text: &str| {
        let m = position.parse_move(text).unwrap();
        (encoding.spell)(&position.view(0), m).to_vec()
    };
    assert_eq!(spelled("claim a KC"), [claim, card("KC"), complete]);
    assert_eq!(spelled("claim a KC QD 8S"), [claim, card("KC"), card("QD"), card("8S"), complete]);
    let mut row = vec![0.0; encoding.observation_length()];
    encoding.write(&position.view(0), &spelled("claim a JC QD 8S")[..3], &mut row);
    let begun = usize::from(first(encoding.observation, "begun"));
    let shown: Vec<u16> =
        (0..63).filter(|place| row[begun + place] == 1.0).map(|place| claim + place as u16).collect();
    assert_eq!(shown, [claim, card("JC"), card("QD")]);
    // A whole column needs no end.
    let whole = after(rules, "5D 4S 3D 2C  9S 5H 4D KH  KC JC TD 8S QD", "draw");
    let m = whole.parse_move("claim a JC QD 8S TD").unwrap();
    let expected = [claim, card("JC"), card("QD"), card("8S"), card("TD")];
    assert_eq!((encoding.spell)(&whole.view(0), m).to_vec(), expected);
}
