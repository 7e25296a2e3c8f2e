//! The options of `expectimax`.

use crate::options;
use crate::players::valuer::Granularity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The options of `expectimax`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Steps ahead, the candidate included, to the end of a game that is over sooner; 1 asks the evaluator alone
    #[schemars(range(min = 1, max = 200))]
    pub depth: u32,
    /// An event with at most this many outcomes is taken exactly, any other is sampled
    #[schemars(range(min = 0, max = 1_000_000))]
    pub enumerate: u64,
    /// Worlds sampled for an event with more outcomes
    #[schemars(range(min = 1, max = 1_000_000))]
    pub samples: u32,
    /// The most that a step may be worse than the best by the evaluator to be searched, in utility; 1 searches all
    #[schemars(range(min = 0.0, max = 1.0))]
    pub margin: f64,
    /// Worlds that the evaluator's value is worth where an event is sampled
    #[schemars(range(min = 0.0, max = 1e6))]
    pub prior_samples: f64,
    /// The standard errors by which a candidate must do worse than the best to be dropped before all worlds are sampled; 0
    /// drops none
    #[schemars(range(min = 0.0, max = 100.0))]
    pub drop_z: f64,
    /// Nodes a decision; what lies below a node that has spent its share is valued at once
    #[schemars(range(min = 1))]
    pub nodes: u64,
    /// The evaluator at the edge; empty for the game's default, none for 0.5 everywhere
    pub leaf: String,
    /// Whether the candidates are single moves or whole turns
    pub steps: Granularity,
    /// Positions that the transposition table holds; 0 turns it off
    pub table: usize,
    /// Nodes for the exact solver where nothing is hidden any more; 0 turns it off
    pub solver_nodes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            depth: 2,
            enumerate: 512,
            samples: 32,
            margin: 1.0,
            prior_samples: 0.0,
            drop_z: 0.0,
            nodes: 100_000,
            leaf: String::new(),
            steps: Granularity::Turns,
            table: 100_000,
            solver_nodes: 10_000,
        }
    }
}

impl Options {
    /// Whether the evaluator values the steps of every decision, not only those at the edge.
    pub(super) fn values_steps(&self) -> bool {
        self.margin < 1.0 || self.prior_samples > 0.0
    }
}

impl options::Options for Options {}
