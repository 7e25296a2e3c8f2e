//! Tests of whist: worked examples of the rules, and sampled worlds against enumeration.

mod encoding;
mod hidden;
mod net;
mod rule;
mod rules;
mod shown;
mod tally;

use super::*;
use crate::CardGame as _;
use crate::cards::{Card, CardSet, Suit};
use knave_agents::rng::stream;
use knave_agents::{Game as _, Notation as _, Rng, Role, Seat, Tools as _, Turn};
use rand::seq::SliceRandom as _;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

/// The deck that deals these hands; the last card of the last hand is shown.
fn deck(hands: [&str; 4]) -> Vec<Card> {
    let hands = hands.map(cards);
    (0..hands[0].len() * 4).map(|i| hands[i % 4][i / 4]).collect()
}

/// The position after these cards.
fn after(rules: Rules, hands: [&str; 4], played: &str) -> Whist {
    let mut position = Whist::from_deck(&rules, &deck(hands)).unwrap();
    for card in played.split_whitespace() {
        let m = position.parse_move(&format!("play {card}")).unwrap_or_else(|error| panic!("{error}"));
        position.try_play(m).unwrap();
    }
    position
}

fn legal(position: &Whist) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.iter().map(|m| m.0.to_string()).collect()
}

fn all_rules() -> Vec<Rules> {
    let mut all = Vec::new();
    for scoundrels in [Scoundrels::Printed, Scoundrels::Free] {
        for count in [Count::Ko, Count::Hilo] {
            all.extend([-1, 0, 1].map(|ace| Rules { scoundrels, ace, count }));
        }
    }
    all
}

const FREE: Rules = Rules { scoundrels: Scoundrels::Free, ace: -1, count: Count::Ko };
