//! `random`: every legal move with the same probability.

use crate::agent::Agent;
use crate::configure::Configure;
use crate::decision::Decision;
use crate::game::Game;
use crate::kit::Setup;
use crate::options::{self, OptionError};
use crate::rng::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A uniformly random player.
#[derive(Clone)]
pub struct Random<G: Game> {
    buffer: Vec<G::Move>,
}

/// `random` has no options.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {}

impl options::Options for Options {}

impl<G: Game> Configure<G> for Random<G> {
    const NAME: &'static str = "random";
    const SUMMARY: &'static str = "every legal move with the same probability";
    type Options = Options;

    fn configure(_: &Options, _: &Setup<'_, G>) -> Result<Self, OptionError> {
        Ok(Self { buffer: Vec::new() })
    }
}

impl<G: Game> Agent<G> for Random<G> {
    fn plays_uniformly(&self) -> bool {
        true
    }

    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
        decision.random_move(&mut self.buffer, rng)
    }
}
