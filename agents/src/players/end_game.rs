//! The exact end-game of a search: the game's solver under a budget of nodes.

use crate::end_game_solver::{EndGameSolver, Solution};
use crate::game::{Values, solo};
use crate::kit::{MakeEndGameSolver, Setup, Tools};
use crate::options::OptionError;
use std::sync::{Mutex, PoisonError};

/// The game's exact solver under a budget.
///
/// Inside a search it answers for solo games only. Its value is one seat's, from which those of other seats do
/// not follow.
pub struct EndGame<G: Tools> {
    make: Option<MakeEndGameSolver<G>>,
    budget: u64,
    hidden: Hidden,
    // The lock only makes the agent `Sync`; it is never taken.
    solver: Mutex<Option<Box<dyn EndGameSolver<G>>>>,
}

/// The most hidden cards with which the solver still answers.
#[derive(Copy, Clone, Debug, Default)]
pub struct Hidden {
    /// At decisions.
    pub decision: u32,
    /// Inside a search.
    pub search: u32,
}

impl<G: Tools> Clone for EndGame<G> {
    fn clone(&self) -> Self {
        Self::with(self.make, self.budget, self.hidden)
    }
}

impl<G: Tools> EndGame<G> {
    /// The game's solver, with `budget` nodes a call; 0 turns it off.
    #[must_use]
    pub fn new(make: Option<MakeEndGameSolver<G>>, budget: u64) -> Self {
        Self::with(make, budget, Hidden::default())
    }

    /// The same where it also answers with at most so many hidden cards ([`EndGameSolver::allow_hidden`]), at decisions and
    /// inside a search. Inside it never answers with more than at decisions.
    ///
    /// # Errors
    /// When the game's solver cannot answer with so many.
    pub fn with_hidden(setup: &Setup<'_, G>, budget: u64, hidden: Hidden) -> Result<Self, OptionError> {
        let make = setup.kit.end_game;
        let most = make.map_or(0, |make| make().most_hidden());
        for (option, hidden) in [("solver_hidden", hidden.decision), ("leaf_hidden", hidden.search)] {
            if hidden > most {
                let reason =
                    format!("the exact solver of this game answers with at most {most} hidden cards");
                return Err(setup.refuse(option, &hidden, &reason));
            }
        }
        Ok(Self::with(make, budget, hidden))
    }

    fn with(make: Option<MakeEndGameSolver<G>>, budget: u64, hidden: Hidden) -> Self {
        let solver = make.filter(|_| budget > 0).map(|make| make());
        let hidden = Hidden { search: hidden.search.min(hidden.decision), ..hidden };
        Self { make, budget, hidden, solver: Mutex::new(solver) }
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
    fn solver(&mut self, position: &G, hidden: u32) -> Option<&mut (dyn EndGameSolver<G> + 'static)> {
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
        let Solution::Value(value) = self.solver(position, self.hidden.search)?.value(position, budget)
        else {
            return None;
        };
        Some(solo(value))
    }

    /// Puts a best line in `line`, and returns whether the solver decides. The line is empty where no move can
    /// change the value. With other players only its first move is certain to be best.
    pub fn solve(&mut self, position: &G, line: &mut Vec<G::Move>) -> bool {
        line.clear();
        let budget = self.budget;
        let solution =
            self.solver(position, self.hidden.decision).map(|solver| solver.solve(position, budget, line));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rng::{Role, stream};
    use crate::toys::ladder::{Ladder, Rules};

    /// A solver that answers with as many hidden cards as it is allowed.
    struct Bold(u32);

    impl EndGameSolver<Ladder> for Bold {
        fn applies(&self, position: &Ladder) -> bool {
            position.hidden() <= self.0
        }

        fn most_hidden(&self) -> u32 {
            4
        }

        fn allow_hidden(&mut self, hidden: u32) {
            self.0 = hidden;
        }

        fn solve(&mut self, position: &Ladder, _: u64, _: &mut Vec<u8>) -> Solution {
            Solution::Value(position.exact())
        }
    }

    /// At decisions and inside a search the solver answers with as many hidden cards as each allows, in clones too, and inside never
    /// with more than at decisions.
    #[test]
    fn limits_of_hidden_cards_are_kept_apart() {
        let rules = Rules { cards: 4, shuffled: false };
        let start = Ladder::deal(&rules, &mut stream(1, 0, Role::Deal));
        assert_eq!(start.hidden(), 4);
        for (decision, search, answers) in
            [(4, 0, (true, false)), (4, 4, (true, true)), (0, 4, (false, false)), (3, 3, (false, false))]
        {
            let mut end = EndGame::<Ladder>::with(Some(|| Box::new(Bold(0))), 1, Hidden { decision, search });
            for _ in 0..2 {
                let mut line = Vec::new();
                assert_eq!((end.solve(&start, &mut line), end.values(&start).is_some()), answers);
                assert_eq!((end.solve(&start, &mut line), end.values(&start).is_some()), answers);
                end = end.clone();
            }
        }
    }
}
