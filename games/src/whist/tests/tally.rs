//! The tally of games that were counted by hand, and of games that nobody watched.

use super::*;
use crate::Tally as _;
use knave_agents::Event;
use rand::Rng as _;

/// A tally that is shown these cards, and the end.
fn counted(mut position: Whist, cards: impl IntoIterator<Item = Card>) -> WhistTally {
    let mut tally = WhistTally::new(&position.board.rules);
    for card in cards {
        let m = Move(card);
        tally.event(&position, &Event::Move(position.board.mover(), m));
        position.try_play(m).unwrap();
    }
    tally.finish(&position, |seat| position.won(seat));
    tally
}

/// The rows of a seat that are not 0, as text.
fn rows(tally: &WhistTally, seat: Seat) -> Vec<String> {
    let rows = tally.rows(seat).into_iter().filter(|row| row.count > 0);
    rows.map(|row| format!("{} {} {}", row.measure, row.key, row.count)).collect()
}

/// Protects the counts of `tally.csv`, by three tricks with hearts trumps: seat 0 leads the nine of clubs, which
/// seat 2 ruffs with the four of hearts; seat 2 leads the two of diamonds and wins with it what the others throw on
/// it; its last card, the six of diamonds, is taken by the jack of spades.
#[test]
fn three_tricks_are_counted_as_by_hand() {
    let hands = ["9C 3S 4S", "8C JS 5S", "4H 2D 6D", "7C QC 8H"];
    let deal = Whist::from_deck(&Rules::default(), &deck(hands)).unwrap();
    let tally = counted(deal, cards("9C 8C 4H 7C 2D QC 3S 5S 6D 8H 4S JS"));
    assert_eq!(rows(&tally, 0), ["leads_plain 9 1"]);
    let caught =
        ["tricks_won scoundrel 1", "last_trick_won  1", "scoundrels_played JS 1", "scoundrels_caught JS 1"];
    let won = ["cards_won 4 1", "cards_won 6 1", "cards_won 8 1"];
    assert_eq!(rows(&tally, 1), [&caught[..], &won[..]].concat());
    let tricks = ["tricks_won suit 1", "tricks_won ruff 1", "leads_plain 2 1", "leads_plain 6 1"];
    let won = ["2 1", "3 1", "4 1", "5 1", "7 1", "8 1", "9 1", "Q 1"].map(|row| format!("cards_won {row}"));
    assert_eq!(rows(&tally, 2), tricks.into_iter().map(str::to_owned).chain(won).collect::<Vec<_>>());
    assert!(rows(&tally, 3).is_empty());
}

/// Rollouts begin anywhere: from positions in the middle of a trick under either rule for scoundrels, play at random
/// ends the game, all cards are taken, and the points are those of the cards taken.
#[test]
fn play_at_random_begins_anywhere() {
    for rules in [Rules::default(), FREE] {
        let mut rng = Rng::new(9);
        for index in 0..300 {
            let mut position = Whist::deal(&rules, &mut Rng::new(rng.next_u64().into()));
            for _ in 0..index % 52 {
                let m = position.random_move(&mut Vec::new(), &mut rng);
                position.play(m);
            }
            position.play_at_random(&mut Vec::new(), &mut rng);
            assert_eq!(position.turn(), Turn::Over);
            let (plus, minus) = rules.values();
            for seat in 0..4 {
                let taken = position.board.taken[seat].bits();
                let count = |of: CardSet| i64::from((taken & of.bits()).count_ones());
                assert_eq!(position.score(seat), count(plus) - count(minus));
            }
            let all = position.board.taken.iter().fold(0, |all, taken| all + taken.len());
            assert_eq!(all, 52);
        }
    }
}
