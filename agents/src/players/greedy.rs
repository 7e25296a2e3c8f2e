//! `greedy`: one move, or one whole turn, ahead by the game's evaluator.

use super::common::{EndGame, Granularity, Judge, Plan};
use crate::agent::{Agent, Decision};
use crate::configure::Configure;
use crate::game::Game;
use crate::kit::{Setup, Tools};
use crate::options::{self, OptionError};
use crate::rng::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Plays the move or turn whose position the evaluator likes best, the first among equals.
#[derive(Clone)]
pub struct Greedy<G: Tools> {
    judge: Judge<G>,
    plan: Plan<G>,
    moves: Vec<G::Move>,
}

/// The options of `greedy`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The evaluator that values what a move leaves behind; empty for the game's default
    pub evaluator: String,
    /// Whether it looks one move ahead or one whole turn
    pub steps: Granularity,
    /// Nodes for the exact solver where nothing is hidden any more; 0 turns it off
    pub solver_nodes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { evaluator: String::new(), steps: Granularity::Moves, solver_nodes: 0 }
    }
}

impl options::Options for Options {}

impl<G: Tools> Configure<G> for Greedy<G> {
    const NAME: &'static str = "greedy";
    const SUMMARY: &'static str = "one move or one turn ahead by the game's evaluator";
    type Options = Options;

    fn configure(options: &Options, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let evaluator = setup.evaluator("evaluator", &options.evaluator)?;
        let end = EndGame::new(setup.kit.end_game, options.solver_nodes);
        let judge = Judge::of(evaluator, options.steps, end);
        Ok(Self { judge, plan: Plan::default(), moves: Vec::new() })
    }
}

impl<G: Tools> Agent<G> for Greedy<G> {
    fn begin_game(&mut self) {
        self.judge.end.forget();
        self.plan.clear();
    }

    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
        if let Some(m) = self.plan.follow(&decision, rng) {
            return m;
        }
        decision.moves(&mut self.moves);
        if let [only] = self.moves[..] {
            return only;
        }
        let (seat, world) = (decision.seat(), <G as Game>::sample_world(&decision.view(), rng));
        if let Some(line) = self.judge.decided(&world, seat) {
            self.plan.start(world, line);
        } else {
            let best = self.judge.best(&world, seat);
            self.plan.start(world, self.judge.steps.get(best));
        }
        self.plan.follow(&decision, rng).unwrap_or(self.moves[0])
    }
}
