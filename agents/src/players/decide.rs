//! The decision loop of all players that search; a player's file holds its search alone.
//!
//! A decision takes these steps: follow the plan, play a forced move, sample a world, ask the exact end-game,
//! search, and begin a new plan.

use super::end_game::EndGame;
use super::plan::Plan;
use crate::agent::Agent;
use crate::configure::Configure;
use crate::decision::Decision;
use crate::game::Game;
use crate::kit::{Setup, Tools};
use crate::options::{OptionError, Options};
use crate::rng::Rng;

/// A search: what a player does where there is something to decide.
pub trait Search<G: Tools>: Clone + Send + Sync + 'static {
    /// The agent's name on the command line.
    const NAME: &'static str;
    /// One line for `sim list agents`.
    const SUMMARY: &'static str;
    /// Whether forced moves are played without a search. A policy that plans whole turns is asked all the same.
    const SKIPS_FORCED_MOVES: bool = true;
    /// The options.
    type Options: Options;

    /// Makes the search for the game and the rules of the set-up.
    ///
    /// # Errors
    /// When options contradict each other or ask for what the game does not offer.
    fn configure(options: &Self::Options, setup: &Setup<'_, G>) -> Result<Self, OptionError>;

    /// The exact end-game. The loop asks it before the search, and clears it before every game.
    fn end_game(&mut self) -> &mut EndGame<G>;

    /// Forgets the last game.
    fn begin_game(&mut self) {}

    /// Whether the search needs the public history: see [`Agent::uses_history`].
    fn uses_history(&self) -> bool {
        false
    }

    /// A move by the view alone, for a search that needs no world here.
    fn choose_by_view(&mut self, _view: &G::View, _rng: &mut Rng) -> Option<G::Move> {
        None
    }

    /// Draws random numbers for the whole decision, before the exact end-game is asked.
    fn begin_decision(&mut self, _rng: &mut Rng) {}

    /// Puts one or more moves of the player whose turn it is in `line`, which is empty. `world` agrees with the
    /// view. Later moves of the line are played as long as the game goes as in `world`.
    fn search(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, rng: &mut Rng);

    /// The search where the exact end-game says that no move can change the value.
    fn break_tie(
        &mut self,
        decision: &Decision<'_, G>,
        world: &mut G,
        line: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) {
        self.search(decision, world, line, rng);
    }
}

/// An agent that decides by a search.
#[derive(Clone)]
pub struct DecisionLoop<G: Game, S> {
    search: S,
    plan: Plan<G>,
    moves: Vec<G::Move>,
    line: Vec<G::Move>,
}

impl<G: Tools, S: Search<G>> Configure<G> for DecisionLoop<G, S> {
    const NAME: &'static str = S::NAME;
    const SUMMARY: &'static str = S::SUMMARY;
    type Options = S::Options;

    fn configure(options: &S::Options, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let search = S::configure(options, setup)?;
        Ok(Self { search, plan: Plan::default(), moves: Vec::new(), line: Vec::new() })
    }
}

impl<G: Tools, S: Search<G>> Agent<G> for DecisionLoop<G, S> {
    fn begin_game(&mut self) {
        self.search.end_game().forget();
        self.search.begin_game();
        self.plan.clear();
    }

    fn uses_history(&self) -> bool {
        self.search.uses_history()
    }

    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
        if let Some(m) = self.plan.follow(&decision, rng) {
            return m;
        }
        if S::SKIPS_FORCED_MOVES {
            decision.moves(&mut self.moves);
            if let [only] = self.moves[..] {
                return only;
            }
        }
        let view = decision.view();
        if let Some(m) = self.search.choose_by_view(&view, rng) {
            return m;
        }
        let mut world = G::sample_world(&view, rng);
        self.search.begin_decision(rng);
        let line = &mut self.line;
        line.clear();
        if !self.search.end_game().solve(&world, line) {
            self.search.search(&decision, &mut world, line, rng);
        } else if line.is_empty() {
            self.search.break_tie(&decision, &mut world, line, rng);
        }
        if let [only] = line[..] {
            return only;
        }
        self.plan.start(world, line);
        // A lawful game lets the first move be played.
        self.plan.follow(&decision, rng).unwrap_or_else(|| decision.random_move(&mut self.moves, rng))
    }
}
