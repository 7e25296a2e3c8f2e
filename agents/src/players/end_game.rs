//! The exact end-game of a search: the game's solver under a budget of nodes.

use crate::game::{Values, solo};
use crate::kit::{MakeSolver, Setup, Tools};
use crate::options::OptionError;
use crate::solver::{Solution, Solver};
use std::sync::{Mutex, PoisonError};

/// The game's exact solver under a budget.
///
/// Inside a search it answers for solo games only. Its value is one seat's, from which those of other seats do
/// not follow.
pub struct EndGame<G: Tools> {
    make: Option<MakeSolver<G>>,
    budget: u64,
    /// The hidden cards with which it still answers at a decision …
    hidden: u32,
    /// … and inside a search.
    in_search: u32,
    // The lock only makes the agent `Sync`; it is never taken.
    solver: Mutex<Option<Box<dyn Solver<G>>>>,
}

impl<G: Tools> Clone for EndGame<G> {
    fn clone(&self) -> Self {
        Self { in_search: self.in_search, ..Self::with(self.make, self.budget, self.hidden) }
    }
}

impl<G: Tools> EndGame<G> {
    /// The game's solver, with `budget` nodes a call; 0 turns it off.
    #[must_use]
    pub fn new(make: Option<MakeSolver<G>>, budget: u64) -> Self {
        Self::with(make, budget, 0)
    }

    /// The same where it also answers decisions with at most so many hidden cards ([`Solver::allow_hidden`]).
    ///
    /// # Errors
    /// When the game's solver does not.
    pub fn with_hidden(setup: &Setup<'_, G>, budget: u64, hidden: u32) -> Result<Self, OptionError> {
        let make = setup.kit.end_game;
        let most = make.map_or(0, |make| make().most_hidden());
        if hidden > 0 && budget == 0 {
            return Err(setup.refuse("solver_hidden", &hidden, "solver_nodes=0 turns the solver off"));
        }
        if hidden > most {
            let reason = format!("the exact solver of this game answers with at most {most} hidden cards");
            return Err(setup.refuse("solver_hidden", &hidden, &reason));
        }
        Ok(Self::with(make, budget, hidden))
    }

    /// The same where it answers with at most so many hidden cards inside a search, too.
    ///
    /// # Errors
    /// When these are more than at decisions.
    pub fn in_search(self, setup: &Setup<'_, G>, hidden: u32) -> Result<Self, OptionError> {
        if hidden > self.hidden {
            let reason = format!("it cannot be more than solver_hidden={}", self.hidden);
            return Err(setup.refuse("leaf_hidden", &hidden, &reason));
        }
        Ok(Self { in_search: hidden, ..self })
    }

    fn with(make: Option<MakeSolver<G>>, budget: u64, hidden: u32) -> Self {
        let solver = make.filter(|_| budget > 0).map(|make| make());
        Self { make, budget, hidden, in_search: 0, solver: Mutex::new(solver) }
    }

    /// Whether there is a solver to ask.
    pub fn exists(&mut self) -> bool {
        self.solver.get_mut().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Forgets what was found in earlier games.
    pub fn forget(&mut self) {
        if let Some(solver) = self.solver.get_mut().unwrap_or_else(PoisonError::into_inner) {
            solver.forget();
        }
    }

    /// The solver, where it applies with at most so many hidden cards.
    fn solver(&mut self, position: &G, hidden: u32) -> Option<&mut (dyn Solver<G> + 'static)> {
        let solver = self.solver.get_mut().unwrap_or_else(PoisonError::into_inner).as_deref_mut()?;
        solver.allow_hidden(hidden);
        solver.applies(position).then_some(solver)
    }

    /// The exact values of a position in a solo game, where the solver decides.
    pub fn values(&mut self, position: &G) -> Option<Values> {
        if position.seats() != 1 {
            return None;
        }
        let budget = self.budget;
        let Solution::Value(value) = self.solver(position, self.in_search)?.value(position, budget) else {
            return None;
        };
        Some(solo(value))
    }

    /// Puts a best line in `line`, and returns whether the solver decides. The line is empty where no move can
    /// change the value. With other players only its first move is certain to be best.
    pub fn solve(&mut self, position: &G, line: &mut Vec<G::Move>) -> bool {
        line.clear();
        let budget = self.budget;
        let solution = self.solver(position, self.hidden).map(|solver| solver.solve(position, budget, line));
        if position.seats() > 1 {
            line.truncate(1);
        }
        let solved = matches!(solution, Some(Solution::Value(_)));
        if !solved {
            line.clear();
        }
        solved
    }
}
