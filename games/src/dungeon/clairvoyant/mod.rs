//! Exact answers about whole deals: can it be won, with what score, with how little health?
//!
//! Each answer comes of a row of questions whether a score can be reached. `search` says why they are answered exactly. They
//! are asked best first (`best_first`) and, where that finds no end, depth first. Answers are monotone: who can score more
//! can score less. Who can win can win with more health, which starts higher and has the higher ceiling.
//!
//! [`end_game`] gives the same answers in play, once every card of the pile is known.

mod best_first;
mod best_score;
pub mod end_game;
pub(super) mod search;

use super::position::Dungeon;
use super::rules::{AvoidOrder, MAX_HEALTH, Rules};
use best_first::BestFirst;
use best_score::{FinishedGame, Found, best_score, middle};
use knave_agents::{Answer, DealSolver, Objective, OptionError, Sense};
use search::{OutOfBudget, Search, WIN};

/// The most health that the rules allow.
const MOST_HEALTH: i64 = MAX_HEALTH as i64;

/// The health that is asked about first: about as many deals can be won with it as not.
const TYPICAL_HEALTH: i64 = 8;

/// The nodes a deal by default: far more than any of a million deals has needed to be won.
pub(super) const BUDGET: u64 = 10_000_000;

/// The questions with exact answers.
pub(super) fn objectives() -> Vec<Objective<Dungeon>> {
    let win = Objective {
        name: "win",
        question: "can the dungeon be cleared",
        sense: Sense::Whether,
        unknown: None,
        budget: BUDGET,
        check,
        anywhere: true,
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
        // It is about the health at the start.
        anywhere: false,
        unknown: Some("health"),
        solver: || Box::new(DungeonDeals::new(DungeonDeals::health)),
        ..win
    };
    vec![win, score, health]
}

/// Refuses rules under which the deck alone does not decide a deal.
pub(super) fn check(rules: &Rules) -> Result<(), OptionError> {
    if rules.avoid_order == AvoidOrder::Kept {
        return Ok(());
    }
    let reason = "the order of avoided cards would be random, so the deck alone does not decide the deal; expected kept";
    Err(OptionError::refused("avoid_order", &"shuffled", reason).of("exact answers of dungeon"))
}

/// Solver of whole deals.
pub(super) struct DungeonDeals {
    search: Search,
    best: BestFirst,
    find: fn(&mut DungeonDeals, &Dungeon) -> Found,
}

impl DealSolver<Dungeon> for DungeonDeals {
    fn solve(&mut self, _: &Rules, deal: &Dungeon, budget: u64) -> Answer<Dungeon> {
        (self.search.nodes, self.search.budget) = (0, budget);
        let Found { reached, bound, line } = (self.find)(self, deal);
        Answer { reached, bound, nodes: self.search.nodes, line }
    }
}

impl DungeonDeals {
    pub fn new(find: fn(&mut Self, &Dungeon) -> Found) -> Self {
        Self { search: Search::default(), best: BestFirst::default(), find }
    }

    /// The same, with room for so many records in the best-first search.
    #[cfg(test)]
    pub fn with_capacity(self, records: usize) -> Self {
        Self { best: BestFirst::with_capacity(records), ..self }
    }

    /// A whole game that reaches this score; `None` where none does.
    fn reaches(&mut self, deal: &Dungeon, score: i64) -> Result<Option<FinishedGame>, OutOfBudget> {
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
        Ok(reached.then(|| FinishedGame::finish(deal, moves)))
    }

    pub fn win(&mut self, deal: &Dungeon) -> Found {
        match self.reaches(deal, WIN) {
            Ok(Some(game)) => Found { reached: Some(1), bound: Some(1), line: Some(game.line) },
            Ok(None) => Found { reached: None, bound: None, line: None },
            Err(OutOfBudget) => Found { reached: None, bound: Some(1), line: None },
        }
    }

    pub fn score(&mut self, deal: &Dungeon) -> Found {
        best_score(deal, |score| self.reaches(deal, score))
    }

    fn health(&mut self, deal: &Dungeon) -> Found {
        let mut found = Found { reached: None, bound: Some(1), line: None };
        // Between the health that does not suffice and the one that does.
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
