//! `rule`: the game's hand-written policy.

use super::common::{EndGame, Plan};
use crate::agent::{Agent, Decision};
use crate::configure::Configure;
use crate::game::Game;
use crate::kit::{Setup, Tools};
use crate::options::{self, OptionError};
use crate::policy::Policy;
use crate::rng::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Plays as one of the game's policies says.
#[derive(Clone)]
pub struct Rule<G: Tools> {
    policy: Arc<dyn Policy<G>>,
    end: EndGame<G>,
    plan: Plan<G>,
    buffer: Vec<G::Move>,
}

/// The options of `rule`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The policy; empty for the game's default
    pub policy: String,
    /// Nodes for the exact solver where nothing is hidden any more; 0 turns it off
    pub solver_nodes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { policy: String::new(), solver_nodes: 10_000 }
    }
}

impl options::Options for Options {}

impl<G: Tools> Configure<G> for Rule<G> {
    const NAME: &'static str = "rule";
    const SUMMARY: &'static str = "the game's hand-written policy, and its exact end-game";
    type Options = Options;

    fn configure(options: &Options, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let policy = setup.policy("policy", &options.policy)?;
        Ok(Self {
            policy,
            end: EndGame::new(setup.kit.end_game, options.solver_nodes),
            plan: Plan::default(),
            buffer: Vec::new(),
        })
    }
}

impl<G: Tools> Agent<G> for Rule<G> {
    fn begin_game(&mut self) {
        self.end.forget();
        self.plan.clear();
    }

    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
        if let Some(m) = self.plan.follow(&decision, rng) {
            return m;
        }
        let view = decision.view();
        if !self.end.exists()
            && let Some(m) = self.policy.choose_by_view(&view, rng)
        {
            return m;
        }
        let world = <G as Game>::sample_world(&view, rng);
        if let Some(line) = self.end.line(&world)
            && !line.is_empty()
        {
            self.plan.start(world.clone(), line);
            if let Some(m) = self.plan.follow(&decision, rng) {
                return m;
            }
        }
        self.policy.plan(&world, &mut self.buffer, rng);
        let first = self.buffer[0];
        if self.buffer.len() == 1 {
            return first;
        }
        self.plan.start(world, &self.buffer);
        self.plan.follow(&decision, rng).unwrap_or(first)
    }
}
