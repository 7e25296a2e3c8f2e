//! The options of `mcts`.

use crate::kit::{Setup, Tools};
use crate::options::{self, OptionError};
use crate::players::valuer::{Granularity, Rollout};
use crate::rng::{Role, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The options of `mcts`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Iterations a decision
    #[schemars(range(min = 1, max = 100_000_000))]
    pub iterations: u32,
    /// The least iterations of a decision with at most late_hidden hidden cards; 0 for no more than elsewhere
    #[serde(skip_serializing_if = "options::is_nothing")]
    #[schemars(!skip_serializing_if, range(min = 0, max = 100_000_000))]
    pub late_iterations: u32,
    /// The most hidden cards of a decision that gets late_iterations
    #[serde(skip_serializing_if = "options::is_nothing")]
    #[schemars(!skip_serializing_if, range(min = 0, max = 100))]
    pub late_hidden: u32,
    /// How the iterations are shared out among the candidates of the root
    pub root: Root,
    /// With root=halving, the candidates that are visited: the best by the evaluator
    #[schemars(range(min = 1, max = 1_000_000))]
    pub candidates: u32,
    /// Exploration, in units of the range of values seen at the root
    #[schemars(range(min = 0.0, max = 100.0))]
    pub c: f64,
    /// How a game is played on from a new node; with none, the evaluator values its steps
    pub rollout: Rollout,
    /// The evaluator of new nodes, or none; empty for the game's default where one is needed
    pub leaf: String,
    /// Whether the tree branches on single moves or on whole turns
    pub steps: Granularity,
    /// The most steps of a decision that are looked at, the best by the evaluator; 0 for all
    #[schemars(range(min = 0, max = 1_000_000))]
    pub width: u32,
    /// A chance node visited n times has at most widen_k * n^widen_alpha outcomes, rounded up
    #[schemars(range(min = 0.01, max = 1e6))]
    pub widen_k: f64,
    /// The exponent of the widening; 1 with widen_k=1 samples afresh every time
    #[schemars(range(min = 0.0, max = 1.0))]
    pub widen_alpha: f64,
    /// Without rollouts, the visits that the evaluator's value of a step is worth
    #[schemars(range(min = 0.0, max = 1e6))]
    pub prior_visits: f64,
    /// Model of the opponents: the search itself, or the evaluator's values of their steps alone, which is quicker
    pub others: OpponentModel,
    /// Share of iterations in which opponents follow the game's policy
    #[schemars(range(min = 0.0, max = 1.0))]
    pub policy_share: f64,
    /// Common random numbers in games with one seat: every candidate draws its worlds from the same seed
    pub paired: bool,
    /// Number of worlds weighted by the likelihood of opponents' moves; 0 turns it off
    #[schemars(range(min = 0, max = 1_000_000))]
    pub inference: u32,
    /// Whether the tree below what has happened is kept for the next decision, in games without face-down moves
    pub reuse: bool,
    /// Nodes for the exact solver where nothing is hidden any more; 0 turns it off
    pub solver_nodes: u64,
    /// Use the exact solver with at most this many hidden cards, if the next draw shows them all
    #[serde(skip_serializing_if = "options::is_nothing")]
    #[schemars(!skip_serializing_if, range(min = 0, max = 3))]
    pub solver_hidden: u32,
    /// The same for positions inside the search; never more than solver_hidden
    #[serde(skip_serializing_if = "options::is_nothing")]
    #[schemars(!skip_serializing_if, range(min = 0, max = 3))]
    pub leaf_hidden: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            iterations: 1000,
            late_iterations: 0,
            late_hidden: 0,
            root: Root::Ucb,
            candidates: 8,
            c: 0.7,
            rollout: Rollout::Random,
            leaf: "none".to_owned(),
            steps: Granularity::Turns,
            width: 0,
            widen_k: 1.0,
            widen_alpha: 0.5,
            prior_visits: 1.0,
            others: OpponentModel::Search,
            policy_share: 0.0,
            paired: false,
            inference: 0,
            reuse: true,
            solver_nodes: 10_000,
            solver_hidden: 0,
            leaf_hidden: 0,
        }
    }
}

impl Options {
    /// Refuses what this search or this game cannot do; `evaluates` says whether positions are valued without playing on.
    pub(super) fn check<G: Tools>(&self, setup: &Setup<'_, G>, evaluates: bool) -> Result<(), OptionError> {
        if self.width > 0 && !evaluates && !setup.is_own_default("width", &self.width.to_string()) {
            let reason =
                "only an evaluator can tell which steps are best; set rollout=none and a leaf, or width=0";
            return Err(setup.refuse("width", &self.width, reason));
        }
        let evaluated = "it asks an evaluator for the values of steps; set rollout=none and a leaf";
        if self.others == OpponentModel::Evaluator && !evaluates {
            return Err(setup.refuse("others", &"evaluator", evaluated));
        }
        let reconstructs = setup.kit.reconstruct_start.is_some();
        if self.inference > 0 && !(evaluates && reconstructs) {
            let reason = if reconstructs { evaluated } else { "this game cannot tell how a position began" };
            return Err(setup.refuse("inference", &self.inference, reason));
        }
        if self.inference > 0 && G::COARSE && self.steps != Granularity::Moves {
            let reason = "moves are weighed one by one: set steps=moves";
            return Err(setup.refuse("inference", &self.inference, reason));
        }
        let alone = G::deal(setup.rules, &mut stream(0, 0, Role::Deal)).seats() == 1;
        let nobody = "it is for games of several seats: in this one nobody else plays";
        if self.others == OpponentModel::Evaluator && alone {
            return Err(setup.refuse("others", &"evaluator", nobody));
        }
        if self.policy_share > 0.0 && alone {
            return Err(setup.refuse("policy_share", &self.policy_share, nobody));
        }
        if self.paired && !alone {
            let reason = "it is for games of one seat: others would answer each candidate otherwise";
            return Err(setup.refuse("paired", &self.paired, reason));
        }
        if self.policy_share > 0.0 && !evaluates {
            return Err(setup.refuse("policy_share", &self.policy_share, evaluated));
        }
        if self.candidates != Self::default().candidates && !(evaluates && self.root == Root::Halving) {
            let reason =
                "it takes the best by an evaluator to halve them; set root=halving, rollout=none and a leaf";
            return Err(setup.refuse("candidates", &self.candidates, reason));
        }
        for (option, value) in [("late_iterations", self.late_iterations), ("late_hidden", self.late_hidden)]
        {
            if value > 0 && setup.kit.hidden.is_none() {
                return Err(setup.refuse(option, &value, "this game does not count its hidden cards"));
            }
        }
        // The game's own default may stand where late_iterations=0 turns it off.
        let late_hidden = self.late_hidden.to_string();
        if self.late_hidden > 0
            && self.late_iterations == 0
            && !setup.is_own_default("late_hidden", &late_hidden)
        {
            let reason = "no decision gets more iterations by it: set late_iterations above 0";
            return Err(setup.refuse("late_hidden", &late_hidden, reason));
        }
        Ok(())
    }
}

impl options::Options for Options {
    const RENAMED: &'static [(&'static str, &'static str)] = &[("trust", "prior_visits")];
}

/// The allocation of iterations among the candidates of the root.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Root {
    /// By upper confidence bounds, as in the rest of the tree; the most visited candidate is chosen.
    Ucb,
    /// By sequential halving; the candidate with the best value is chosen.
    Halving,
}

/// The model of the opponents.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OpponentModel {
    /// The search: it finds their choices too.
    Search,
    /// The evaluator's values of their steps.
    Evaluator,
}
