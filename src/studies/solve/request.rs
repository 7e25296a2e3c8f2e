//! The request for exact answers.

use crate::json;
use crate::studies::request::default_seed;
use knave_agents::options::{self, Fields};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Deals to be solved with every card known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The game.
    pub game: String,
    /// Options of the rules; the others keep their defaults. A deal of a file may have its own. Null stands for the
    /// option that the objective looks for.
    #[serde(default)]
    pub rules: Fields,
    /// The question; the game's first one where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// The nodes that may be visited for each deal; the objective's default where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// The number of deals, from 1, which are those of a run with the same seed. Of a file all deals are solved: 0, or their number.
    #[serde(default, deserialize_with = "json::whole")]
    pub n: u64,
    /// The seed; without effect where the deals stand in a file.
    #[serde(default = "default_seed", deserialize_with = "json::whole")]
    pub seed: u64,
    /// The file of the deals, if they stand in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deals: Option<DealsFile>,
    /// Whether decks of the file may lack cards of the game.
    #[serde(default, skip_serializing_if = "options::is_nothing")]
    pub short_deck: bool,
}

/// A file of deals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DealsFile {
    /// Its path; `-` is standard input.
    pub file: PathBuf,
    /// The 64-bit FNV-1a hash of its bytes in hexadecimal, which is checked if it stands here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fnv1a: Option<String>,
}
