//! What several tests of verslun share: decks and moves by their texts, and rules of all kinds.

mod bound;
mod encoding;
mod exact;
mod hidden;
mod listing;
mod rules;
mod shown;
mod steps;
mod tally;
mod turns;

use super::*;
use crate::CardGame as _;
use crate::cards::Card;
use knave_agents::rng::stream;
use knave_agents::{EnumerableChance as _, Game as _, Notation as _, Rng, Role, StepList, Tools as _, Turn};
use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use std::collections::BTreeMap;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

fn settle(position: &mut Verslun) {
    while position.turn() == Turn::Chance {
        position.roll(&mut Rng::new(1));
    }
}

/// Plays these moves, separated by commas; cards come as soon as they can.
fn go(position: &mut Verslun, moves: &str) {
    for text in moves.split(',') {
        let m = position.parse_move(text.trim()).unwrap_or_else(|error| panic!("{error}"));
        position.try_play(m).unwrap();
        settle(position);
    }
}

fn after(rules: Rules, deck: &str, moves: &str) -> Verslun {
    let mut position = Verslun::from_deck(&rules, &cards(deck)).unwrap();
    go(&mut position, moves);
    position
}

fn legal(position: &Verslun) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

/// Rules with every value of every option, in all combinations of the two that decide what pairs.
fn many_rules() -> Vec<Rules> {
    let mut rules = Vec::new();
    for aces_wild in [false, true] {
        for matching in [Match::Suit, Match::SuitOrRank] {
            for (hand, columns) in [(5, 4), (4, 11), (4, 1), (5, 2), (6, 3), (8, 2)] {
                rules.push(Rules { aces_wild, matching, hand, columns, ..Rules::default() });
            }
        }
    }
    rules
}

fn moves_on(text: &str) -> bool {
    !["pass", "end"].contains(&text)
}
