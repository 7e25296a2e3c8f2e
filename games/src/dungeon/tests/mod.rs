//! What several tests of the dungeon share: decks and moves by their texts, and rules of all kinds.

mod bound;
mod end_game;
mod exact;
mod hidden;
mod listing;
mod rules;
mod shown;
mod steps;
mod value;

use super::deck::DECK;
use super::pile::Pile;
use super::*;
use crate::CardGame as _;
use crate::cards::{Card, CardSet};
use knave_agents::rng::stream;
use knave_agents::{Game as _, Notation as _, Rng, Role, StepList, Tools as _, Turn, testkit};
use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use std::collections::BTreeMap;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

/// Whether somebody who knows the pile can clear the dungeon: every single move is tried.
fn can_win(position: &Dungeon) -> bool {
    match position.turn() {
        Turn::Over => position.won(0),
        Turn::Player(_) => {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            moves.into_iter().any(|m| {
                let mut next = position.clone();
                next.play(m);
                can_win(&next)
            })
        }
        _ => {
            let mut next = position.clone();
            next.roll(&mut Rng::new(1));
            can_win(&next)
        }
    }
}

/// The position after these moves from this deck; every room is filled as soon as it can be.
fn after(rules: Rules, deck: &str, moves: &[&str]) -> Dungeon {
    let mut position = Dungeon::from_deck(&rules, &cards(deck)).unwrap();
    let mut rng = Rng::new(1);
    settle(&mut position, &mut rng);
    for text in moves {
        let m = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        position.try_play(m).unwrap();
        settle(&mut position, &mut rng);
    }
    position
}

fn settle(position: &mut Dungeon, rng: &mut Rng) {
    while matches!(position.turn(), Turn::Chance | Turn::Shuffle) {
        position.roll(rng);
    }
}

fn legal(position: &Dungeon) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

/// Rules of every kind that the features of the net tell apart.
pub(super) fn all_kinds() -> Vec<Rules> {
    let mut all = Vec::new();
    for weapon_limit in [WeaponLimit::AtMost, WeaponLimit::Below] {
        for avoid_order in [AvoidOrder::Kept, AvoidOrder::Shuffled] {
            let rules = Rules { weapon_limit, avoid_order, ..Rules::default() };
            all.extend([
                rules,
                Rules { health: 9, ..rules },
                Rules { health: 6, ..rules },
                Rules { objective: Aim::Score, ..rules },
                Rules { objective: Aim::Score, unfaced: Unfaced::Pile, health: 33, ..rules },
            ]);
        }
    }
    all
}
