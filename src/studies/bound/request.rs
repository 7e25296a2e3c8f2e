//! The request for a bound.

use crate::games::ShortDeck;
use crate::json;
use crate::studies::request::default_seed;
use knave_agents::AgentSpec;
use knave_agents::options::Fields;
use serde::{Deserialize, Serialize};

/// Deals on which fair play is bounded from above.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The game.
    pub game: String,
    /// Options of the rules; the others keep their defaults.
    #[serde(default)]
    pub rules: Fields,
    /// The cards of the game, where they are not all: a short deck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<ShortDeck>,
    /// The fair player beside the bound: one agent.
    #[serde(default = "rule")]
    pub agents: Vec<AgentSpec>,
    /// The number of deals.
    #[serde(deserialize_with = "json::whole")]
    pub n: u64,
    /// The seed of everything random.
    #[serde(default = "default_seed", deserialize_with = "json::whole")]
    pub seed: u64,
}

/// The player beside a bound unless another is named.
pub(super) fn rule() -> Vec<AgentSpec> {
    vec![AgentSpec { name: "rule".to_owned(), options: Fields::new(), label: None }]
}
