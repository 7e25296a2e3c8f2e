//! The exact answer once every card of the pile is known: can the dungeon still be cleared?
//!
//! Depth-first over whole turns with a transposition table; `search` holds it, and says why it is exact.

use super::Dungeon;
use super::moves::Move;
use super::rules::{AvoidOrder, Rules};
use super::search::{Node, OutOfBudget, Search, WIN};
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
        let node = self.start(position, budget);
        match self.search.reaches(&node) {
            Ok(reached) => Solution::Value(f64::from(u8::from(reached))),
            Err(OutOfBudget) => Solution::Undecided,
        }
    }
}

impl DungeonSolver {
    fn start(&mut self, position: &Dungeon, budget: u64) -> Node {
        if self.rules != position.board.rules {
            self.rules = position.board.rules;
            self.forget();
        }
        (self.search.nodes, self.search.budget) = (0, budget);
        self.search.start(position)
    }
}
