//! `greedy`: one move ahead by the game's evaluator.

use super::common::{Judge, Walk, evaluator};
use crate::agent::{Agent, Decision};
use crate::game::Game;
use crate::options::OptionError;
use crate::registry::Configure;
use crate::rng::Rng;
use crate::tools::Tools;
use serde::Serialize;

/// Plays the move whose position the evaluator likes best, the first among equals.
#[derive(Clone)]
pub struct Greedy<G: Tools> {
    judge: Judge<G>,
}

/// The options of `greedy`.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(rename_all = "snake_case")]
pub struct Options {
    /// The evaluator that values what a move leaves behind; empty for the game's default
    #[arg(long, default_value = "")]
    evaluator: String,
}

impl<G: Tools> Configure<G> for Greedy<G> {
    const NAME: &'static str = "greedy";
    const SUMMARY: &'static str = "one move ahead by the game's evaluator";
    type Options = Options;

    fn configure(options: &Options, rules: &G::Rules) -> Result<Self, OptionError> {
        let evaluator = evaluator("greedy", "evaluator", &options.evaluator, rules)?;
        Ok(Self { judge: Judge::of(evaluator, Walk::Moves, 0) })
    }
}

impl<G: Tools> Agent<G> for Greedy<G> {
    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
        let world = <G as Game>::sample_world(&decision.view(), rng);
        let best = self.judge.best(&world, decision.seat());
        self.judge.steps.get(best)[0]
    }
}
