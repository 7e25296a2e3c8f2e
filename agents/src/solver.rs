//! Solvers: exact answers at the end of a game, where nothing is hidden any more.

use crate::game::Game;

/// An exact solver of end-games.
pub trait Solver<G: Game>: Send {
    /// Whether the solver applies: every seat knows the whole position, and nothing random is left. It depends
    /// only on what every seat knows.
    fn applies(&self, position: &G) -> bool;

    /// Forgets earlier calls. What a solver keeps saves work, but within a budget it also decides what is
    /// found. Agents therefore call this before every game.
    fn forget(&mut self) {}

    /// The value of `position` to the player whose turn it is, or `Undecided` after `budget` nodes. On a
    /// settled random event it is the value to the player who is next. `line` receives that player's moves to
    /// the end of a best line, and stays empty where no move can change the value.
    fn solve(&mut self, position: &G, budget: u64, line: &mut Vec<G::Move>) -> Solution;

    /// The value without a line, for a solver to which that is less work.
    fn value(&mut self, position: &G, budget: u64) -> Solution {
        self.solve(position, budget, &mut Vec::new())
    }
}

/// The result of a [`Solver`].
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Solution {
    /// The utility under perfect play.
    Value(f64),
    /// The budget ran out first.
    Undecided,
}
