//! What columns offers to players.

use super::heuristic::{Missing, Rule};
use super::placing::Placing;
use super::{Columns, learned};
use knave_agents::Kit;
use knave_agents::players::{flat::Flat, greedy::Greedy, mcts::Mcts, rule::Rule as ByRule};
use std::sync::Arc;

pub(super) fn kit() -> Kit<Columns> {
    Kit::default()
        .evaluator("net", |rules| Some(Arc::new(learned::value(rules)?)))
        .evaluator("rule", |_| Some(Rule::fitted()))
        .evaluator("missing", |_| Some(Arc::new(Missing)))
        .policy("rule", |_| Some(Rule::fitted()))
        // `random` places at random anyway.
        .agent::<Placing<Greedy<Columns>>>()
        .agent::<Placing<ByRule<Columns>>>()
        .agent::<Placing<Flat<Columns>>>()
        .agent::<Placing<Mcts<Columns>>>()
        // A look at single moves asks for positions in mid-play, which the trained value does not know.
        .default_option("greedy", "evaluator", "rule")
        .default_option("flat", "rollout", "none")
        .default_option("flat", "leaf", "")
        .default_option("flat", "worlds", 4)
        .default_option("mcts", "rollout", "none")
        .default_option("mcts", "leaf", "")
        .default_option("mcts", "iterations", 200)
        .default_option("mcts", "c", 0.1)
        .default_option("mcts", "width", 20)
        .trainable()
}
