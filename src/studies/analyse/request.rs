//! The request for an analysis.

use crate::json;
use crate::play::Measure;
use crate::studies::request::default_seed;
use knave_agents::AgentSpec;
use knave_agents::options::Fields;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Games whose decisions are judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The game.
    pub game: String,
    /// Options of the rules; the others keep their defaults. Transcripts have their own.
    #[serde(default)]
    pub rules: Fields,
    /// The agents by seat, one alone for all seats; none where the games stand in files.
    #[serde(default)]
    pub agents: Vec<AgentSpec>,
    /// The number of games, which are those of a run with the same seed; of games from files all.
    #[serde(default, deserialize_with = "json::whole")]
    pub n: u64,
    /// The seed of everything random, the worlds of the judge among it.
    #[serde(default = "default_seed", deserialize_with = "json::whole")]
    pub seed: u64,
    /// The files of the games, if they stand in some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcripts: Option<Transcripts>,
    /// The agent that plays on for everybody; otherwise `fast`, and in games without a policy `greedy` or `random`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<AgentSpec>,
    /// The number of sampled worlds for each decision, an even one from 20 to 1,000,000; otherwise 400.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worlds: Option<u32>,
    /// The most moves of a decision that are valued, from 2 to 1,000,000; otherwise 12.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// What counts: that of [`Measure::of_game`] unless it is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<Measure>,
}

/// Files of transcripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transcripts {
    /// Their paths; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// The 64-bit FNV-1a hash of their bytes, one after another, in hexadecimal, which is checked if it stands here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fnv1a: Option<String>,
}
