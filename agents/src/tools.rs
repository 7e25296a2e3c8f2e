//! What a game offers to searches: coarser moves, evaluators, policies and an exact solver.
//!
//! Strength comes from the games, search stays general. All of them work on positions, because a
//! search walks positions that it sampled; none of them may use more of a position than the seat in
//! question knows ([`crate::testkit`] checks that with re-dealt worlds).

use crate::agent::Event;
use crate::game::{Game, Seat};
use crate::rng::Rng;
use std::sync::Arc;

/// The value of a position to a seat.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The utility that `seat` can expect, in [0, 1], from what it may know of `position`. The
    /// position is not over; it is most often one in which a move or step has just been played, with
    /// chance still to come.
    fn value(&self, position: &G, seat: Seat) -> f64;

    /// The utility that `seat` can expect of a decision of its own, about the value of what its best step
    /// leaves behind; for an evaluator that has a quicker way than to value every step. `None` where it
    /// has none.
    fn decision(&self, _position: &G, _seat: Seat) -> Option<f64> {
        None
    }

    /// Whether this is a good place to stop a rollout that has come far enough: `Some(true)` to take the value of the
    /// position as it stands, `Some(false)` to play on. `None` where all places are alike; then the best step of the
    /// player whose turn it is is valued.
    fn settled(&self, _position: &G) -> Option<bool> {
        None
    }

    /// Replaces the contents of `steps` with the steps of `seat`, whose turn it is ([`Steps::steps`]), and those
    /// of `values` with the value of what each leaves behind ([`Game::utility`] where the game is over); for an
    /// evaluator that has a quicker way than one after the other. `false` where it has none, and where the exact
    /// end-game may know better.
    fn steps(
        &self,
        _position: &G,
        _seat: Seat,
        _steps: &mut StepList<G::Move>,
        _values: &mut Vec<f64>,
    ) -> bool {
        false
    }
}

/// A quick way to choose moves: a rule of thumb, for rollouts and for the `rule` agent.
pub trait Policy<G: Game>: Send + Sync {
    /// One of the legal moves of the player whose turn it is, from what that player may know.
    /// `buffer` is scratch space.
    fn choose(&self, position: &G, buffer: &mut Vec<G::Move>, rng: &mut Rng) -> G::Move;

    /// The move of the player whose turn it is, from its view alone, for a policy that needs no more: it saves
    /// sampling a world to show. `None` for all others.
    fn choose_by_view(&self, _view: &G::View, _rng: &mut Rng) -> Option<G::Move> {
        None
    }

    /// Replaces the contents of `line` with what the policy means to play from here: one or more legal moves
    /// of the player whose turn it is, with no chance between them, [`Policy::choose`] among equals. A policy
    /// that thinks whole turns overrides it, so that it need not think them anew at every move.
    fn plan(&self, position: &G, line: &mut Vec<G::Move>, rng: &mut Rng) {
        let m = self.choose(position, line, rng);
        line.clear();
        line.push(m);
    }

    /// Plays on for the player whose turn it is: what it plans, or more, for a policy that knows a quicker
    /// way through a whole turn, chance included. `buffer` is scratch space.
    fn play(&self, position: &mut G, buffer: &mut Vec<G::Move>, rng: &mut Rng) {
        self.plan(position, buffer, rng);
        for &m in &*buffer {
            position.play(m);
        }
    }
}

/// Coarser moves: a whole room, a whole phase, a whole turn.
pub trait Steps: Game {
    /// Whether steps are coarser than moves. Without it the steps are the legal moves, in their order.
    const COARSE: bool = false;

    /// Replaces the contents of `out` with the steps of the player whose turn it is.
    ///
    /// A step is a sequence of one or more legal moves of this player, played one after another with
    /// no chance between them. Each outcome is reached by one step, dominated ones may be left out (a
    /// game proves what it calls dominated), and the list is never empty. Only what the player knows
    /// may matter. Without an override every legal move is a step of its own.
    fn steps(&self, out: &mut StepList<Self::Move>) {
        out.clear();
        let mut moves = std::mem::take(&mut out.scratch);
        self.moves(&mut moves);
        for &m in &moves {
            out.push(&[m]);
        }
        out.scratch = moves;
    }
}

/// A list of steps in one piece of memory.
#[derive(Clone, Debug)]
pub struct StepList<M> {
    moves: Vec<M>,
    ends: Vec<u32>,
    scratch: Vec<M>,
}

impl<M> Default for StepList<M> {
    fn default() -> Self {
        Self { moves: Vec::new(), ends: Vec::new(), scratch: Vec::new() }
    }
}

impl<M: Copy> StepList<M> {
    /// Removes all steps and keeps the memory.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
    }

    /// Appends the step that consists of these moves.
    pub fn push(&mut self, step: &[M]) {
        debug_assert!(!step.is_empty());
        self.moves.extend_from_slice(step);
        self.ends.push(self.moves.len() as u32);
    }

    /// The number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no step.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The moves of step `i`.
    ///
    /// # Panics
    /// If there is no step `i`.
    #[must_use]
    pub fn get(&self, i: usize) -> &[M] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.moves[start..self.ends[i] as usize]
    }

    /// The steps in the order in which they were pushed.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[M]> {
        (0..self.len()).map(|i| self.get(i))
    }
}

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

/// Everything that a game offers to the agents.
pub trait Tools: Steps {
    /// The names of the game's evaluators, the default first. May be empty.
    const EVALUATORS: &'static [&'static str] = &[];

    /// The names of the game's policies, the default first. May be empty.
    const POLICIES: &'static [&'static str] = &[];

    /// Whether [`Tools::begun`] answers.
    const RETRACES: bool = false;

    /// The evaluator of this name for these rules; `None` when there is no such evaluator.
    fn evaluator(_name: &str, _rules: &Self::Rules) -> Option<Arc<dyn Evaluator<Self>>> {
        None
    }

    /// The policy of this name for these rules; `None` when there is no such policy.
    fn policy(_name: &str, _rules: &Self::Rules) -> Option<Arc<dyn Policy<Self>>> {
        None
    }

    /// The exact end-game solver, where the game has one.
    fn solver() -> Option<Box<dyn Solver<Self>>> {
        None
    }

    /// The position with which the game began if this one came of it by these public events, the oldest first.
    fn begun(&self, _history: &[Event<Self>]) -> Option<Self> {
        None
    }

    /// The options of an agent that have another default in this game, as `(option, value)`.
    fn defaults(_agent: &str) -> &'static [(&'static str, &'static str)] {
        &[]
    }
}
