//! The end-game solver: the exact answer in play, once every card of the pile is known.
//!
//! The question is whether the dungeon can still be cleared or, where players maximise the score, what the highest is. The
//! search is depth first over whole turns with a transposition table; `search` says why it is exact.

use super::best_score::{FinishedGame, Found, best_score};
use super::search::{Node, OutOfBudget, Search, WIN};
use crate::games::dungeon::board::utility_of_score;
use crate::games::dungeon::moves::Move;
use crate::games::dungeon::position::Dungeon;
use crate::games::dungeon::rules::{Aim, AvoidOrder, Rules};
use knave_agents::{Solution, Solver};

/// Exact solver of fully known positions.
///
/// Where players want to win, a lost position has the value 0: how far a doomed player gets is below its resolution.
#[derive(Default)]
pub struct DungeonSolver {
    search: Search,
    /// The rules that the table was filled under.
    rules: Rules,
}

impl DungeonSolver {
    /// The nodes that the last call visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.search.nodes
    }
}

impl Solver<Dungeon> for DungeonSolver {
    fn applies(&self, position: &Dungeon) -> bool {
        position.board.rules.avoid_order == AvoidOrder::Kept && position.pile.unseen().is_empty()
    }

    fn forget(&mut self) {
        self.search.ask(WIN);
    }

    fn solve(&mut self, position: &Dungeon, budget: u64, line: &mut Vec<Move>) -> Solution {
        line.clear();
        if position.board.rules.objective == Aim::Score {
            return self.score(position, budget, line);
        }
        let node = self.start(position, budget);
        let search = &mut self.search;
        match search.finds(&node, line) {
            Ok((true, true)) => Solution::Value(1.0),
            Ok((true, false)) => {
                // Finding the line again mostly reads the table; it has an allowance of its own.
                search.budget = search.nodes.saturating_add(budget);
                if search.line(node, line).is_ok() {
                    return Solution::Value(1.0);
                }
                line.clear();
                Solution::Undecided
            }
            Ok((false, _)) => Solution::Value(0.0),
            Err(OutOfBudget) => Solution::Undecided,
        }
    }

    fn value(&mut self, position: &Dungeon, budget: u64) -> Solution {
        if position.board.rules.objective == Aim::Score {
            return self.score(position, budget, &mut Vec::new());
        }
        let node = self.start(position, budget);
        match self.search.reaches(&node) {
            Ok(reached) => Solution::Value(f64::from(u8::from(reached))),
            Err(OutOfBudget) => Solution::Undecided,
        }
    }
}

impl DungeonSolver {
    /// The highest score that can still be reached, as a utility.
    fn score(&mut self, position: &Dungeon, budget: u64, line: &mut Vec<Move>) -> Solution {
        let search = &mut self.search;
        (search.nodes, search.budget) = (0, budget);
        let Found { reached, bound, line: found } = best_score(position, |score| {
            search.ask(score);
            let start = search.start(position);
            let mut moves = Vec::new();
            let reached = search.reaches_by(start, &mut moves)?;
            Ok(reached.then(|| FinishedGame::finish(position, moves)))
        });
        match (reached, found) {
            (Some(score), Some(found)) if reached == bound => {
                line.extend_from_slice(&found.moves);
                Solution::Value(utility_of_score(score, &position.board.rules))
            }
            _ => Solution::Undecided,
        }
    }

    fn start(&mut self, position: &Dungeon, budget: u64) -> Node {
        if self.rules != position.board.rules {
            self.rules = position.board.rules;
            self.forget();
        }
        (self.search.nodes, self.search.budget) = (0, budget);
        self.search.start(position)
    }
}
