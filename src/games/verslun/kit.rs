//! What verslun offers to players and solvers.

use super::position::Verslun;
use super::value::{net, rule::Rule};
use super::{bound, clairvoyant};
use knave_agents::Kit;
use knave_agents::players::expectimax::Expectimax;
use std::sync::Arc;

pub(super) fn kit() -> Kit<Verslun> {
    Kit::default()
        .evaluator("net", |rules| Some(Arc::new(net::value(rules)?)))
        .evaluator("rule", |_| Some(Rule::fitted()))
        .policy("rule", |_| Some(Rule::fitted()))
        .policy("net", |rules| Some(Arc::new(net::value(rules)?)))
        .agent::<Expectimax<Verslun>>()
        // Many worlds at a rough value are worth more to these than few at a fine one.
        .default_option("greedy", "evaluator", "rule")
        .default_option("expectimax", "leaf", "rule")
        .default_option("flat", "rollout", "none")
        .default_option("flat", "leaf", "rule")
        .default_option("flat", "worlds", 100)
        .default_option("flat", "halving", true)
        .default_option("mcts", "rollout", "none")
        .default_option("mcts", "leaf", "")
        .default_option("mcts", "iterations", 300)
        .default_option("mcts", "c", 0.3)
        .default_option("mcts", "prior_visits", 100)
        .default_option("mcts", "paired", true)
        .default_option("mcts", "widen_alpha", 1)
        .trainable()
        .objectives(clairvoyant::objectives())
        .bounding(bound::bounding())
}
