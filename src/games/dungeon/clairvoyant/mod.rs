//! Exact answers about whole deals: can it be won, with what score, with how little health?
//!
//! Each is a row of questions whether a score can be reached ([`search`] says why its answers are
//! exact), asked best first ([`best_first`]) and, where that finds no end, depth first. The answers are monotone: who
//! can score more can score less, and who can win can win with more health, as it starts with more and has the
//! higher ceiling.

mod best_first;
pub mod end_game;
pub(super) mod search;

use super::board::Phase;
use super::deck::{Kind, kind};
use super::moves::Move;
use super::rules::{AvoidOrder, Rules};
use super::{Dungeon, steps};
use crate::games::CardGame as _;
use best_first::BestFirst;
use knave_agents::{Answer, DealSolver, Line, Objective, OptionError, Sense};
use knave_agents::{Game as _, Rng, Turn};
use search::{OutOfBudget, Search, WIN};

/// The most health that the rules allow.
const MOST_HEALTH: i64 = 99;

/// The health that is asked about first: about as many deals can be won with it as not.
const TYPICAL_HEALTH: i64 = 8;

/// The nodes a deal by default: far more than any of a million deals has needed to be won.
pub(super) const BUDGET: u64 = 10_000_000;

/// The questions that have answers.
pub(super) fn objectives() -> Vec<Objective<Dungeon>> {
    let win = Objective {
        name: "win",
        question: "can the dungeon be cleared",
        sense: Sense::Whether,
        unknown: None,
        budget: BUDGET,
        check,
        solver: || Box::new(DungeonDeals::new(DungeonDeals::win)),
    };
    let score = Objective {
        name: "score",
        question: "the best score",
        sense: Sense::Most,
        solver: || Box::new(DungeonDeals::new(DungeonDeals::score)),
        ..win
    };
    let health = Objective {
        name: "health",
        question: "the smallest health at the start (and ceiling), from 1 to 99, that clears the dungeon",
        sense: Sense::Least,
        unknown: Some("health"),
        solver: || Box::new(DungeonDeals::new(DungeonDeals::health)),
        ..win
    };
    vec![win, score, health]
}

pub(super) fn check(rules: &Rules) -> Result<(), OptionError> {
    if rules.avoid_order == AvoidOrder::Kept {
        return Ok(());
    }
    Err(OptionError::Value {
        owner: "exact answers of dungeon".to_owned(),
        name: "avoid_order".to_owned(),
        value: "shuffled".to_owned(),
        reason: "the order of avoided cards would be random, so the deck alone does not decide the deal; \
                 expected kept"
            .to_owned(),
    })
}

/// Finds the best value of the deals of the dungeon.
pub(super) struct DungeonDeals {
    search: Search,
    best: BestFirst,
    find: fn(&mut DungeonDeals, &Dungeon) -> Found,
}

/// What was found, as in [`Answer`].
pub(super) struct Found {
    pub reached: Option<i64>,
    pub bound: Option<i64>,
    pub line: Option<Line<Dungeon>>,
}

impl DealSolver<Dungeon> for DungeonDeals {
    fn solve(&mut self, _: &Rules, deal: &Dungeon, budget: u64) -> Answer<Dungeon> {
        (self.search.nodes, self.search.budget) = (0, budget);
        let Found { reached, bound, line } = (self.find)(self, deal);
        Answer { reached, bound, nodes: self.search.nodes, line }
    }
}

impl DungeonDeals {
    pub(super) fn new(find: fn(&mut Self, &Dungeon) -> Found) -> Self {
        Self { search: Search::default(), best: BestFirst::default(), find }
    }

    /// The same, with room for so many records in the best-first search.
    #[cfg(test)]
    pub(super) fn with_room(self, room: usize) -> Self {
        Self { best: BestFirst::with_room(room), ..self }
    }

    /// Whether this score can be reached; on a yes a whole game that reaches it.
    fn reaches(&mut self, deal: &Dungeon, score: i64) -> Result<Option<Game>, OutOfBudget> {
        let mut moves = Vec::new();
        let search = &mut self.search;
        search.ask(score);
        let start = search.start(deal);
        let reached = match self.best.reaches(search, &start, &mut moves)? {
            Some(reached) => reached,
            None => {
                search.ask(score);
                search.reaches_by(start, &mut moves)?
            }
        };
        Ok(reached.then(|| Game::finish(deal, moves)))
    }

    pub(super) fn win(&mut self, deal: &Dungeon) -> Found {
        match self.reaches(deal, WIN) {
            Ok(Some(game)) => Found { reached: Some(1), bound: Some(1), line: Some(game.line) },
            Ok(None) => Found { reached: None, bound: None, line: None },
            Err(OutOfBudget) => Found { reached: None, bound: Some(1), line: None },
        }
    }

    pub(super) fn score(&mut self, deal: &Dungeon) -> Found {
        best_score(deal, |score| self.reaches(deal, score))
    }

    fn health(&mut self, deal: &Dungeon) -> Found {
        let mut found = Found { reached: None, bound: Some(1), line: None };
        // Between the health that does not do and the one that does.
        let (mut low, mut high) = (0, MOST_HEALTH + 1);
        let mut ask = TYPICAL_HEALTH;
        // The first steps away from the typical health double.
        let mut step = 1;
        while high - low > 1 {
            let mut deal = deal.clone();
            deal.board.health = ask as u8;
            deal.board.rules.health = ask as u8;
            match self.reaches(&deal, WIN) {
                Ok(Some(game)) => {
                    (found.reached, found.line) = (Some(ask), Some(game.line));
                    high = ask;
                    ask = if low > 0 { middle(low, high) } else { (high - step).max(1) };
                }
                Ok(None) => {
                    low = ask;
                    found.bound = (ask < MOST_HEALTH).then_some(ask + 1);
                    ask = if high <= MOST_HEALTH { middle(low, high) } else { (low + step).min(MOST_HEALTH) };
                }
                Err(OutOfBudget) => break,
            }
            step *= 2;
        }
        found
    }
}

/// The best score from a position whose pile is known, by questions whether so many points can be reached.
pub(super) fn best_score(
    position: &Dungeon,
    mut reaches: impl FnMut(i64) -> Result<Option<Game>, OutOfBudget>,
) -> Found {
    let potions = position.cards().into_iter().filter(|&card| kind(card) == Kind::Potion);
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

fn middle(low: i64, high: i64) -> i64 {
    low + (high - low) / 2
}

/// A finished game.
pub(super) struct Game {
    pub line: Line<Dungeon>,
    pub score: i64,
}

impl Game {
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
        Self { line: Line { rules: deal.board.rules, moves }, score: position.score(0) }
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
