//! Solvers: exact answers at the end of a game, where nothing is hidden any more; some answer one draw before, too.

use crate::game::Game;

/// An exact solver of end-games.
pub trait EndGameSolver<G: Game>: Send {
    /// Whether the solver applies: every seat knows the whole position, and nothing random is left, save what
    /// [`EndGameSolver::allow_hidden`] allows. It depends only on what every seat knows.
    fn applies(&self, position: &G) -> bool;

    /// The most hidden cards with which the solver can still answer; see [`EndGameSolver::allow_hidden`].
    fn most_hidden(&self) -> u32 {
        0
    }

    /// From now on the solver applies, too, where at most so many cards are hidden and the next random event shows them all. Values
    /// are then expectations over what is hidden, and lines end at that event.
    fn allow_hidden(&mut self, _hidden: u32) {}

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

/// The result of an [`EndGameSolver`].
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Solution {
    /// The utility under perfect play.
    Value(f64),
    /// The budget ran out first.
    Undecided,
}
