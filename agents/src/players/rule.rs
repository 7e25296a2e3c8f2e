//! `rule`: one of the game's policies, and its exact end-game.

use super::decide::{DecisionLoop, Search};
use super::end_game::EndGame;
use crate::decision::Decision;
use crate::kit::{Setup, Tools};
use crate::options::{self, OptionError};
use crate::policy::Policy;
use crate::rng::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A player by a policy of the game.
pub type ByPolicy<G> = DecisionLoop<G, PolicyPlay<G>>;

/// The search of [`ByPolicy`]: it asks the policy.
#[derive(Clone)]
pub struct PolicyPlay<G: Tools> {
    policy: Arc<dyn Policy<G>>,
    end: EndGame<G>,
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

impl<G: Tools> Search<G> for PolicyPlay<G> {
    const NAME: &'static str = "rule";
    const SUMMARY: &'static str = "the game's policy, hand-written by default, and its exact end-game";
    const SKIPS_FORCED_MOVES: bool = false;
    type Options = Options;

    fn configure(options: &Options, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let policy = setup.policy("policy", &options.policy)?;
        Ok(Self { policy, end: EndGame::new(setup.kit.end_game, options.solver_nodes) })
    }

    fn end_game(&mut self) -> &mut EndGame<G> {
        &mut self.end
    }

    fn choose_by_view(&mut self, view: &G::View, rng: &mut Rng) -> Option<G::Move> {
        if self.end.exists() { None } else { self.policy.choose_by_view(view, rng) }
    }

    fn search(&mut self, _: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, rng: &mut Rng) {
        self.policy.plan(world, line, rng);
    }
}
