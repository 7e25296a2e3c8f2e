//! The rules by their worked examples.

use super::*;
use knave_agents::Options as _;

/// The game of the text: 7 points for a six, given up; then all four cards of a column for 65, whichever
/// order its clubs are named in; then 27 more, and the game ends without a claim at 92.
#[test]
fn the_example_of_the_text() {
    // Columns as in the text where it tells, from the top: the four lie in the order a to d.
    let deck = "2S 3H 4S TH  9S 5H 4D KH  3D 7S QC 7C  2C 4C JH 6D \
                AD 2D 9C TC 3C \
                5D 4H QS KS \
                KC JC 8S QD 6C \
                8H 5C 9D 2H \
                5S 7D";
    let mut game = after(Rules::default(), deck, "draw, claim d AD, on, stay");
    assert_eq!(game.board().points, 7);
    go(&mut game, "redeal d");
    assert_eq!(game.board().points, 0);
    for order in ["JC KC 8S QD", "KC JC 8S QD", "6C KC 8S QD", "KC 6C 8S QD"] {
        let m = game.parse_move(&format!("claim c {order}")).unwrap();
        let canonical = if order.contains("6C") { "claim c 6C KC 8S QD" } else { "claim c JC KC 8S QD" };
        assert_eq!(m.to_string(), canonical);
    }
    assert!(game.parse_move("claim c 8S KC JC QD").is_err(), "an order in which the cards do not pair");
    go(&mut game, "claim c KC JC 8S QD");
    assert_eq!(game.board().points, 65);
    assert_eq!(game.board().hand, cards("6C").into_iter().collect());
    go(&mut game, "on, draw, keep");
    assert_eq!(game.board().hand.len(), 5);
    go(&mut game, "claim b 8H 9D, on");
    assert_eq!(game.board().points, 65 + 10 + 4 + 8 + 9);
}

/// Ends as the rules say: without a claim at all, without a legal one there is no decision, by choice,
/// and where a card is needed that the pile does not have.
#[test]
fn ends() {
    let rules = Rules { columns: 1, hand: 4, ..Rules::default() };
    let end = |deck: &str, moves: &str| {
        let position = after(rules, deck, moves);
        assert_eq!(position.turn(), Turn::Over, "{moves}");
        (position.end(), position.score(0))
    };
    let first = "2C 3C 4C 5C 6C 2H 3H 4H ";
    assert_eq!(end(first, "stay"), ("no_claim", 0));
    assert_eq!(end("2C 3C 4C 5C 5H 2H 3H 4H", "draw"), ("no_claim", 0));
    assert_eq!(end(first, "draw, pass"), ("no_claim", 0));
    assert_eq!(end(first, "draw, claim a 6C, end"), ("stopped", 11));
    // The pile is empty: it is still asked whether to go on.
    assert_eq!(end(first, "draw, claim a 6C, on"), ("pile_empty", 11));
    let claimed = "draw, claim a 6C, on, ";
    // Seven cards do not fill a column and a hand of four, eight do and empty the pile.
    let seven = "6H 7H 8H 9H 6D 7D 8D ";
    let eight = "6H 7H 8H 9H 6D 7D 8D 9S ";
    let nine_hearts = "9H 7H 8H 9D 6D 7D 8D TD ";
    assert_eq!(end(&format!("{first}{seven}"), &format!("{claimed}stay, redeal a")), ("pile_empty", 0));
    assert_eq!(end(&format!("{first}{eight}"), &format!("{claimed}stay, redeal a")), ("no_claim", 0));
    let goes_on = format!("{claimed}stay, redeal a, claim a 6D, on");
    assert_eq!(end(&format!("{first}{nine_hearts}"), &goes_on), ("pile_empty", 15));
    // Drawing takes what there is, and a redeal is offered though nothing is left.
    let one = format!("{first}9H");
    assert_eq!(end(&one, &format!("{claimed}draw, redeal a")), ("pile_empty", 0));
    assert_eq!(end(&one, &format!("{claimed}draw, keep")), ("no_claim", 11));
    let position = after(rules, &one, &format!("{claimed}draw"));
    assert_eq!(legal(&position), ["redeal a", "keep"]);
    // A deck that the columns use up.
    assert_eq!(Verslun::from_deck(&rules, &cards("2C 3C 4C 5C")).unwrap().end(), "pile_empty");
    assert!(Verslun::from_deck(&rules, &cards("2C 3C 4C")).is_err());
}

/// What a redeal that fails gives up is not counted, and other columns are.
#[test]
fn other_columns_outlast_a_failed_redeal() {
    let rules = Rules { columns: 2, hand: 4, ..Rules::default() };
    let deck = "2C 3C 4C 5C 2H 3H 4H 5H TC TH 6D 7D 8D";
    let position = after(rules, deck, "draw, claim a TC, on, stay, keep, claim b TH, on, stay, redeal a");
    assert_eq!((position.end(), position.score(0)), ("pile_empty", 15));
}

/// A game is won from the target on, and the target changes no score.
#[test]
fn winning() {
    for (target, won) in [(0, true), (15, true), (16, false)] {
        let rules = Rules { columns: 1, target, ..Rules::default() };
        let position = after(rules, "2C 3C 4C 5C TC", "draw, claim a TC, end");
        assert_eq!((position.score(0), position.won(0)), (15, won));
    }
}

/// What pairs under the variants, and that a claim is a matching: each card of the column has one of its
/// own, and any order of the same cards is read as the same move.
#[test]
fn variants_of_pairing() {
    let claims = |aces_wild, matching, deck: &str| {
        let rules = Rules { aces_wild, matching, columns: 1, hand: 4, ..Rules::default() };
        let mut moves = legal(&after(rules, deck, "draw"));
        assert_eq!(moves.pop().as_deref(), Some("pass"));
        moves.into_iter().map(|text| text.replace("claim a ", "")).collect::<Vec<_>>()
    };
    // From the bottom: 5C, AD, 3H, 2S.
    let deck = "2S 3H AD 5C  AC 5H 9D KS";
    assert_eq!(claims(false, Match::Suit, deck), ["AC", "AC 9D", "AC 9D 5H", "AC 9D 5H KS"]);
    assert_eq!(
        claims(false, Match::SuitOrRank, deck),
        // 5C takes 5H as well, and AD then AC or 9D; but 3H takes no other than 5H.
        ["AC", "AC 9D", "AC 9D 5H", "AC 9D 5H KS", "5H", "5H AC", "5H 9D"]
    );
    // The ace of the column takes any card: AC and any other, and 5C takes no other but the ace.
    let wild = claims(true, Match::Suit, deck);
    assert_eq!(wild.iter().filter(|text| text.len() == 5).count(), 3);
    assert!(wild.contains(&"AC 5H".to_owned()) && wild.contains(&"AC KS".to_owned()));
    let rules = Rules { aces_wild: true, columns: 1, hand: 4, ..Rules::default() };
    let position = after(rules, "2S 3H 4C 5C  AC AD 9C KS", "draw");
    let read = |text: &str| position.parse_move(text).map(|m| m.to_string());
    assert_eq!(read("claim a AD AC"), Ok("claim a AC AD".to_owned()));
    assert_eq!(read("claim a AC 9C"), Ok("claim a 9C AC".to_owned()));
    assert!(read("claim a AC AC").is_err() && read("claim a KS").is_err() && read("claim b AC").is_err());
    assert!(read("claim a").is_err() && read("claim a AC AD 9C KS KC").is_err());
}

/// The joint limit of columns and hand is named with its value.
#[test]
fn too_many_cards_are_refused() {
    let refused = Rules { hand: 9, columns: 11, ..Rules::default() }.check().unwrap_err().to_string();
    for part in ["columns=11", "hand=9", "52", "53"] {
        assert!(refused.contains(part), "{refused}");
    }
    for (hand, columns) in [(20, 8), (8, 11), (4, 1)] {
        assert!(Rules { hand, columns, ..Rules::default() }.check().is_ok());
    }
}
