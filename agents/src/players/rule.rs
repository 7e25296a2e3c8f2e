//! `rule`: the game's hand-written policy.

use super::common::policy;
use crate::agent::{Agent, Decision};
use crate::game::Game;
use crate::options::OptionError;
use crate::registry::Configure;
use crate::rng::Rng;
use crate::tools::{Policy, Tools};
use serde::Serialize;
use std::sync::Arc;

/// Plays as one of the game's policies says.
#[derive(Clone)]
pub struct Rule<G: Game> {
    policy: Arc<dyn Policy<G>>,
    buffer: Vec<G::Move>,
}

/// The options of `rule`.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(rename_all = "snake_case")]
pub struct Options {
    /// The policy; empty for the game's default
    #[arg(long, default_value = "")]
    policy: String,
}

impl<G: Tools> Configure<G> for Rule<G> {
    const NAME: &'static str = "rule";
    const SUMMARY: &'static str = "the game's hand-written policy";
    type Options = Options;

    fn configure(options: &Options, rules: &G::Rules) -> Result<Self, OptionError> {
        let policy = policy("rule", "policy", &options.policy, rules)?;
        Ok(Self { policy, buffer: Vec::new() })
    }
}

impl<G: Tools> Agent<G> for Rule<G> {
    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
        let world = <G as Game>::sample_world(&decision.view(), rng);
        self.policy.choose(&world, &mut self.buffer, rng)
    }
}
