//! The best score from a position whose pile is known, by bisection.

use super::search::{OutOfBudget, WIN};
use crate::dungeon::board::Phase;
use crate::dungeon::deck::{CardKind, kind};
use crate::dungeon::moves::Move;
use crate::dungeon::position::Dungeon;
use crate::dungeon::steps;
use knave_agents::{Game as _, Line, Rng, Turn};

/// The part of an [`Answer`](knave_agents::Answer) that has been found.
pub struct Found {
    pub reached: Option<i64>,
    pub bound: Option<i64>,
    pub line: Option<Line<Dungeon>>,
}

/// The best score from a position; `reaches` answers whether so many points can be reached.
pub fn best_score(
    position: &Dungeon,
    mut reaches: impl FnMut(i64) -> Result<Option<FinishedGame>, OutOfBudget>,
) -> Found {
    let cards = position.board.room().chain(position.pile.cards());
    let potions = cards.filter(|&card| kind(card) == CardKind::Potion);
    let bonus = potions.map(|card| i64::from(card.rank())).max().unwrap_or(0);
    let highest = i64::from(position.board.rules.health) + bonus;
    // Between the scores that can be reached and those that cannot.
    let mut found = Found { reached: None, bound: Some(highest), line: None };
    let (mut low, mut high) = (-i64::from(position.board.unfaced) - 1, highest + 1);
    // Whether it can be won comes first, then the highest score, which most deals that can be won reach.
    let mut ask = WIN;
    while high - low > 1 {
        match reaches(ask) {
            Ok(Some(game)) => {
                low = game.score;
                (found.reached, found.line) = (Some(game.score), Some(game.line));
                ask = if ask == WIN { highest } else { middle(low, high) };
            }
            Ok(None) => {
                high = ask;
                found.bound = Some(high - 1);
                ask = middle(low, high);
            }
            Err(OutOfBudget) => break,
        }
    }
    found
}

/// The middle of two numbers, rounded down.
pub fn middle(low: i64, high: i64) -> i64 {
    low + (high - low) / 2
}

/// A finished game and its score.
pub struct FinishedGame {
    pub line: Line<Dungeon>,
    pub score: i64,
}

impl FinishedGame {
    /// Plays the moves and, where they do not end the game, goes on in a way that loses no points.
    pub fn finish(deal: &Dungeon, mut moves: Vec<Move>) -> Self {
        let mut position = deal.clone();
        let mut played = 0;
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Player(_) => {
                    if played == moves.len() {
                        moves.push(last_stand(&position));
                    }
                    debug_assert!(position.is_legal(moves[played]));
                    position.play(moves[played]);
                    played += 1;
                }
                // What comes follows from the deck.
                Turn::Chance | Turn::Shuffle => {
                    position.roll(&mut Rng::new(0));
                }
            }
        }
        debug_assert_eq!(played, moves.len());
        Self { line: Line { rules: deal.board.rules, moves }, score: position.board.score() }
    }
}

/// The move that faces a card so that, in the rest of this turn, monsters of the highest sum can be faced.
fn last_stand(position: &Dungeon) -> Move {
    let mut best: Option<(u16, Move)> = None;
    position.board.for_each_facing(|m| {
        let mut next = position.board;
        next.face(m, position.pile.len() == 0);
        let more = if next.phase == Phase::Play { steps::most_slain(&next) } else { 0 };
        let left = next.unfaced - u16::from(more);
        if best.is_none_or(|(least, _)| left < least) {
            best = Some((left, m));
        }
    });
    best.map_or(Move::AVOID, |(_, m)| m)
}
