//! The exact answer once every card of the pile is known: can the dungeon still be cleared?
//!
//! Depth-first over whole turns with a transposition table; `search` holds it, and says why it is exact.

use super::Dungeon;
use super::moves::Move;
use super::rules::{AvoidOrder, Rules};
use super::search::{OutOfBudget, Search, WIN};
use knave_agents::{Solution, Solver};

/// Decides fully known positions of the dungeon.
///
/// The value of a lost position is given as 0: how far a doomed player gets is below its resolution.
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
        if self.rules != position.board.rules {
            self.rules = position.board.rules;
            self.forget();
        }
        let search = &mut self.search;
        (search.nodes, search.budget) = (0, budget);
        let node = search.start(position);
        match search.reaches(&node) {
            Ok(true) => {
                // Finding the line again mostly reads the table; it has an allowance of its own.
                search.budget = search.nodes.saturating_add(budget);
                if search.line(node, line).is_ok() {
                    return Solution::Value(1.0);
                }
                line.clear();
                Solution::Undecided
            }
            Ok(false) => Solution::Value(0.0),
            Err(OutOfBudget) => Solution::Undecided,
        }
    }
}
