//! Solvers: exact answers at the end of a game, where nothing is hidden any more.

use crate::game::Game;

/// The exact answer where nothing is hidden any more.
pub trait Solver<G: Game>: Send {
    /// Whether the solver can answer here: every seat knows the whole position, and nothing random is
    /// left. Depends only on what every seat knows.
    fn applies(&self, position: &G) -> bool;

    /// Forgets what earlier calls found. What a solver keeps may save work, but within a budget it also
    /// decides what is found: agents call this before every game, so that results depend on no other.
    fn forget(&mut self) {}

    /// The value of `position` to the player whose turn it is (or, on a random event whose outcome is
    /// settled, will be), or `Undecided` after `budget` nodes. `line` receives that player's moves to
    /// the end of a best line of play, in order; it is left empty where no move can change the value.
    fn solve(&mut self, position: &G, budget: u64, line: &mut Vec<G::Move>) -> Solution;

    /// The same without a line, for a solver to which that is less work.
    fn value(&mut self, position: &G, budget: u64) -> Solution {
        self.solve(position, budget, &mut Vec::new())
    }
}

/// What a [`Solver`] found.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Solution {
    /// The utility under perfect play.
    Value(f64),
    /// The budget ran out first.
    Undecided,
}
