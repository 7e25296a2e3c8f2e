//! Card games: decks, cards and results, as transcripts and tables need them.

use super::LONGEST;
use crate::cards::Card;
use crate::promises::{check_end, check_rules};
use crate::{CardGame, check_deck};
use knave_agents::Turn;
use knave_agents::rng::{Rng, Role, stream};

/// Checks [`CardGame`] in `games` random games under each of the rules:
/// - [`CardGame::deck`] tells every card of the full deck, and the same of two deals by the same random numbers;
/// - [`CardGame::from_deck`] makes the same game of it. After the same moves and dice all seats see the same, the same cards are turned
///   up, and results are the same. `sim replay` depends on it;
/// - `from_deck` refuses decks with a card that comes twice or is not of the game;
/// - [`CardGame::cards`] are the whole deck at first, no card lies in two places, and none comes back before all do;
/// - teams, ranges of scores, scores and utilities keep their [`promises`](crate::promises), and the seats of a team win together,
///   with one score of their side.
///
/// Whether the score and who has won are what the rules say, it cannot know.
///
/// # Panics
/// When one of them is broken; the message names the rules' index, the game's index and the ply.
pub fn card_game<G: CardGame>(rules: &[G::Rules], games: u64) {
    let full = sorted(G::full_deck());
    if let Err(wrong) = check_deck(&full, &full) {
        panic!("full_deck: {wrong}");
    }
    for (r, rules) in rules.iter().enumerate() {
        if let Err(broken) = check_rules::<G>(rules) {
            panic!("rules {r}: {broken}");
        }
        for index in 0..games {
            let at = format!("rules {r}, seed 9, game {index}");
            let deal = || G::deal(rules, &mut stream(9, index, Role::Deal));
            let start = deal();
            let deck = start.deck();
            is_whole(&deck, &full, &at);
            assert!(deck == deal().deck(), "{at}: two deals by the same random numbers have different decks");
            refuses::<G>(rules, &deck, &full, &at);
            let again = G::from_deck(rules, &deck)
                .unwrap_or_else(|error| panic!("{at}: from_deck refuses the deck of a deal: {error}"));
            let end = play(start, again, &full, &mut stream(9, index, Role::Chance), &at);
            if let Err(broken) = check_end(&end, rules) {
                panic!("{at}: {broken}");
            }
            for (seat, first) in G::teams(rules, end.seats()).into_iter().enumerate() {
                let [own, of_first] = [seat, first].map(|seat| (end.won(seat), end.side_score(seat)));
                assert!(
                    own == of_first,
                    "{at}: seats {first} and {seat} are a team, and whether they have won and the score of their side are {of_first:?} and {own:?}"
                );
            }
        }
    }
}

fn sorted(mut cards: Vec<Card>) -> Vec<Card> {
    cards.sort_unstable();
    cards
}

fn is_whole(deck: &[Card], full: &[Card], at: &str) {
    if let Err(wrong) = check_deck(full, deck) {
        panic!("{at}: deck: {wrong}");
    }
    let missing = full.iter().find(|card| !deck.contains(card));
    assert!(missing.is_none(), "{at}: deck: {} is missing", missing.map(Card::to_string).unwrap_or_default());
}

/// One card more, or another one at the end: a card of the deck, or one that is not of the game.
fn refuses<G: CardGame>(rules: &G::Rules, deck: &[Card], full: &[Card], at: &str) {
    let foreign = Card::all().find(|card| !full.contains(card));
    for card in deck.first().copied().into_iter().chain(foreign) {
        for kept in [deck, &deck[..deck.len().saturating_sub(1)]] {
            let wrong = [kept, &[card]].concat();
            // A single card, exchanged for itself, is right.
            let Err(reason) = check_deck(full, &wrong) else { continue };
            assert!(G::from_deck(rules, &wrong).is_err(), "{at}: from_deck takes a wrong deck: {reason}");
        }
    }
}

/// Plays the same random game on the deal and on what its deck makes, and returns the end.
fn play<G: CardGame>(mut dealt: G, mut again: G, full: &[Card], rng: &mut Rng, at: &str) -> G {
    let mut cards = sorted(dealt.cards());
    assert!(cards == full, "{at}: at first, cards are {cards:?}, and not the whole deck");
    let mut buffer = Vec::new();
    for ply in 0..LONGEST {
        let at = format!("{at}, ply {ply}");
        cards = conserved(&cards, dealt.cards(), full, &at);
        assert!(dealt.turn() == again.turn(), "{at}: from_deck of the deck makes another game: turns differ");
        for seat in 0..dealt.seats() {
            let same = dealt.view(seat) == again.view(seat);
            assert!(same, "{at}: from_deck of the deck makes another game: views of seat {seat} differ");
        }
        match dealt.turn() {
            Turn::Over => {
                let results = |end: &G| -> Vec<_> {
                    let seats = 0..end.seats();
                    seats
                        .map(|seat| (end.score(seat), end.side_score(seat), end.won(seat), end.end()))
                        .collect()
                };
                assert!(results(&dealt) == results(&again), "{at}: from_deck of the deck has other results");
                return dealt;
            }
            Turn::Player(_) => {
                let m = dealt.random_move(&mut buffer, rng);
                dealt.play(m);
                again.play(m);
            }
            Turn::Chance | Turn::Shuffle => {
                let is_recorded = dealt.chance_is_recorded();
                let outcome = dealt.roll(rng);
                if is_recorded {
                    again.play_chance(outcome);
                } else {
                    let other = again.roll(&mut stream(0, 0, Role::Chance));
                    assert!(
                        other == outcome,
                        "{at}: from_deck of the deck makes another game: {other:?} comes, and {outcome:?} in the deal"
                    );
                }
            }
        }
    }
    panic!("{at}: the game does not end")
}

/// The cards that are left, sorted: none lies in two places, and all were there before, unless the whole deck is dealt anew.
fn conserved(before: &[Card], now: Vec<Card>, full: &[Card], at: &str) -> Vec<Card> {
    let now = sorted(now);
    assert!(now.is_sorted_by(|a, b| a < b), "{at}: a card lies in two places: {now:?}");
    assert!(
        now == full || now.iter().all(|card| before.contains(card)),
        "{at}: a card came from nowhere: {before:?} became {now:?}"
    );
    now
}
