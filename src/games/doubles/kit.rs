//! What doubles offers to players.

use super::Doubles;
use super::heuristic::{Points, Rule};
use knave_agents::Kit;
use std::sync::Arc;

pub(super) fn kit() -> Kit<Doubles> {
    Kit::default()
        .evaluator("rule", |_| Some(Rule::fitted()))
        .evaluator("points", |_| Some(Arc::new(Points)))
        .policy("rule", |_| Some(Rule::fitted()))
        // By the evaluator `rule` it plays much as the policy does.
        .default_option("greedy", "evaluator", "points")
        .default_option("flat", "rollout", "rule")
        .default_option("flat", "rollout_depth", 3)
        .default_option("flat", "leaf", "")
        .default_option("flat", "worlds", 64)
        .default_option("mcts", "rollout", "none")
        .default_option("mcts", "leaf", "")
        .default_option("mcts", "c", 0.2)
        .default_option("mcts", "widen_alpha", 1)
}
