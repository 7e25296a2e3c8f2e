//! The rules by worked examples, and their options.

use super::*;

/// Cards go round one at a time from the dealer's left; the last is the dealer's, its suit is trump.
#[test]
fn the_deal() {
    let position = Whist::from_deck(&Rules::default(), &cards("2C 3C 4C 5C 6D 7D 8D 9D")).unwrap();
    let hands = [0, 1, 2, 3].map(|seat| position.hand(seat).into_iter().collect::<Vec<_>>());
    assert_eq!(hands, ["2C 6D", "3C 7D", "4C 8D", "5C 9D"].map(cards));
    assert_eq!(position.board().trump, Suit::Diamonds);
    assert_eq!(position.board().shown, cards("9D")[0]);
    assert_eq!(position.turn(), Turn::Player(0));
}

/// Decks that cannot be dealt are refused with the reason.
#[test]
fn impossible_decks_are_refused() {
    let refusal = |text| Whist::from_deck(&Rules::default(), &cards(text)).unwrap_err().to_string();
    assert_eq!(
        refusal("2C 3C 4C 5C 6C"),
        "5 cards cannot be dealt evenly to 4 players: expected a multiple of 4"
    );
    assert_eq!(refusal("2C"), "1 card cannot be dealt evenly to 4 players: expected a multiple of 4");
    assert_eq!(refusal(""), "0 cards are too few: these rules deal 4");
    assert_eq!(refusal("2C 3C 4C 2C"), "2C comes twice");
}

/// Who holds the led suit plays it; who does not may play anything, a scoundrel or a trump among them.
#[test]
fn following() {
    let hands = ["5H 2D", "9H JS", "JC 3S", "4S 7D"];
    assert_eq!(legal(&after(Rules::default(), hands, "")), ["2D", "5H"]);
    assert_eq!(legal(&after(Rules::default(), hands, "5H")), ["9H"]);
    assert_eq!(legal(&after(Rules::default(), hands, "5H 9H")), ["JC", "3S"]);
    // A printed scoundrel follows its suit, and must when it is the only card of it.
    let spades = ["5S 2D", "9H JS", "JC 3S", "4S 7D"];
    assert_eq!(legal(&after(Rules::default(), spades, "5S")), ["JS"]);
    // A free one never has to, and always may.
    assert_eq!(legal(&after(FREE, spades, "5S")), ["9H", "JS"]);
    assert_eq!(legal(&after(FREE, spades, "5S JS")), ["JC", "3S"]);
}

/// A free scoundrel leads no suit: the first other card does, however many scoundrels come before it.
#[test]
fn free_scoundrels_lead_nothing() {
    let hands = ["JS 2D", "JC 5H", "9C 6H", "7H 8H"];
    assert_eq!(legal(&after(FREE, hands, "JS")), ["JC", "5H"]);
    assert_eq!(legal(&after(FREE, hands, "JS JC")), ["9C", "6H"]);
    assert_eq!(legal(&after(FREE, hands, "JS JC 6H")), ["7H", "8H"]);
    let position = after(FREE, ["JS 2D", "JC 5H", "9C 6H", "9S 8H"], "JS JC 6H");
    assert_eq!(position.board().led(), Some(Suit::Hearts));
    assert_eq!(legal(&position), ["8H"]);
    // Printed, the scoundrel leads spades.
    assert_eq!(legal(&after(Rules::default(), ["JS 2D", "3S 5H", "9C 6H", "7H 8H"], "JS")), ["3S"]);
}

/// A free scoundrel that is shown still makes its printed suit trump, and beats trumps as ever.
#[test]
fn a_shown_scoundrel_makes_trump() {
    let position = after(FREE, ["2H AC", "3H 4C", "5H 6H", "7H JC"], "");
    assert_eq!(position.board().trump, Suit::Clubs);
    let hands = ["2H 8D", "3H 4C", "5D 6C", "7D JC"];
    assert_eq!(after(FREE, hands, "2H 3H 6C 7D").turn(), Turn::Player(2));
    assert_eq!(after(FREE, hands, "2H 3H 6C JC").turn(), Turn::Player(3));
}

/// The last scoundrel beats everything, then the highest trump, then the highest card of the led suit.
#[test]
fn winners_of_tricks() {
    let winner = |hands, played| match after(Rules::default(), hands, played).turn() {
        Turn::Player(seat) => (seat, after(Rules::default(), hands, played).board().won),
        turn => panic!("{turn:?}"),
    };
    let hands = ["5H 2D", "AH 3S", "6H 4C", "KH 7D"];
    assert_eq!(winner(hands, "5H AH 6H KH"), (1, Won::Suit));
    let hands = ["5H 2D", "AS 3S", "6D 4C", "8D 7D"];
    assert_eq!(winner(hands, "5H AS 6D 8D"), (3, Won::Ruff));
    assert_eq!(winner(hands, "5H AS 6D 7D"), (3, Won::Ruff));
    assert_eq!(winner(hands, "5H AS 4C 8D"), (3, Won::Ruff));
    // Neither trump nor of the led suit: the lead stands.
    assert_eq!(winner(["5H 2D", "AS 3S", "6C 4C", "9S 7D"], "5H AS 6C 9S"), (0, Won::Suit));
    assert_eq!(winner(["5D 2D", "9D 3S", "6D 4C", "AS 7D"], "5D 9D 6D 7D"), (1, Won::Suit));
    let hands = ["5H 2D", "JC 3S", "AD 4C", "JS 7D"];
    assert_eq!(winner(hands, "5H JC AD 7D"), (1, Won::Scoundrel));
    assert_eq!(winner(hands, "5H JC AD JS"), (3, Won::Scoundrel));
    // Even where spades are led and the other scoundrel follows suit.
    assert_eq!(winner(["AS 2D", "JS 3H", "JC 4C", "6H 7D"], "AS JS JC 6H"), (2, Won::Scoundrel));
    assert_eq!(winner(["AS 2D", "JC 3H", "JS 4C", "6H 7D"], "AS JC JS 6H"), (2, Won::Scoundrel));
}

/// The values of the text, the ace as ruled, and the scoundrels for nothing.
#[test]
fn points() {
    let score = |rules, hands, played| {
        let position = after(rules, hands, played);
        assert_eq!(position.turn(), Turn::Over);
        [0, 1, 2, 3].map(|seat| position.score(seat))
    };
    let rules = Rules::default();
    assert_eq!(score(rules, ["2H", "7H", "8H", "9H"], "2H 7H 8H 9H"), [0, 0, 0, 2]);
    assert_eq!(score(rules, ["TH", "JH", "QH", "KH"], "TH JH QH KH"), [0, 0, 0, -4]);
    assert_eq!(score(rules, ["2H", "AH", "3H", "4H"], "2H AH 3H 4H"), [0, 2, 0, 0]);
    // 6 - 1 for the queen, nothing for the two scoundrels.
    assert_eq!(score(rules, ["6H", "JS", "JC", "QD"], "6H JS JC QD"), [0; 4]);
    assert_eq!(score(rules, ["6H", "JS", "JC", "5H"], "6H JS JC 5H"), [0, 0, 2, 0]);
    // Jacks of the other suits are ordinary.
    assert_eq!(score(rules, ["6H", "JH", "2H", "3H"], "6H JH 2H 3H"), [0, 2, 0, 0]);
    let aces = ["2H", "AH", "7H", "TH"];
    let points = |ace, count| score(Rules { ace, count, ..rules }, aces, "2H AH 7H TH")[1];
    assert_eq!([-1, 0, 1].map(|ace| points(ace, Count::Ko)), [0, 1, 2]);
    assert_eq!([-1, 0, 1].map(|ace| points(ace, Count::Hilo)), [-1, 0, 1]);
}

/// Most points win; equal ones share it.
#[test]
fn the_most_points_win() {
    // Seat 1 wins the first trick (+2) and leads the second to seat 3 (+2).
    let hands = ["2H 3C", "9H 4D", "8H 5C", "7H 6D"];
    let position = after(Rules::default(), hands, "2H 9H 8H 7H 4D 5C 6D 3C");
    assert_eq!([0, 1, 2, 3].map(|seat| position.score(seat)), [0, 2, 0, 4]);
    assert_eq!([0, 1, 2, 3].map(|seat| position.won(seat)), [false, false, false, true]);
    let utility = |share: f64, margin: f64| (7.0 * share + margin + 20.0) / 47.0;
    assert_eq!(position.utility(3), utility(1.0, 2.0));
    assert_eq!(position.utility(0), utility(0.0, -4.0));
    let hands = ["2H 3C", "9H 4D", "8H 8C", "7H 9D"];
    let position = after(Rules::default(), hands, "2H 9H 8H 7H 4D 8C 9D 3C");
    assert_eq!([0, 1, 2, 3].map(|seat| position.score(seat)), [0, 2, 0, 2]);
    assert_eq!(position.utility(3), utility(0.5, 0.0));
    assert_eq!(position.utility(0), utility(0.0, -2.0));
    assert_eq!(position.end(), "played_out");
}

/// Every option's values are read, `-1` among them, and others are refused with what would be right.
#[test]
fn options() {
    use knave_agents::options::{Fields, fields, read};
    let rules = |text| read::<Rules>("rules of whist", &fields("rules of whist", [text]).unwrap());
    for (text, ace) in [("ace=-1", -1), ("ace=0", 0), ("ace=1", 1)] {
        assert_eq!(rules(text).unwrap(), Rules { ace, ..Rules::default() });
    }
    assert_eq!(read::<Rules>("rules of whist", &Fields::new()).unwrap(), Rules::default());
    let refusal = rules("ace=2").unwrap_err().to_string();
    assert!(refusal.starts_with("rules of whist: ace=2 is refused: expected one of -1, 0, 1"), "{refusal}");
}
