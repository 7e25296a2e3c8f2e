//! `random`: every legal move with the same probability.

use crate::agent::{Agent, Decision};
use crate::game::Game;
use crate::options::OptionError;
use crate::registry::Configure;
use crate::rng::Rng;
use serde::Serialize;

/// Plays a legal move drawn uniformly.
#[derive(Clone)]
pub struct Random<G: Game> {
    buffer: Vec<G::Move>,
}

/// `random` has no options.
#[derive(Clone, Debug, clap::Args, Serialize)]
pub struct Options {}

impl<G: Game> Configure<G> for Random<G> {
    const NAME: &'static str = "random";
    const SUMMARY: &'static str = "every legal move with the same probability";
    type Options = Options;

    fn configure(_: &Options, _: &G::Rules) -> Result<Self, OptionError> {
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
