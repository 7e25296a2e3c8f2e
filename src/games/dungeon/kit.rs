//! What the dungeon offers to players and solvers.

use super::bound;
use super::clairvoyant::{self, end_game::DungeonSolver};
use super::position::Dungeon;
use super::value::{net, rule::Rule};
use knave_agents::Kit;
use knave_agents::players::expectimax::Expectimax;
use std::sync::Arc;

pub(super) fn kit() -> Kit<Dungeon> {
    Kit::default()
        .evaluator("net", |rules| Some(Arc::new(net::value(rules)?)))
        .evaluator("rule", |_| Some(Rule::fitted()))
        .policy("rule", |_| Some(Rule::fitted()))
        .end_game(|| Box::new(DungeonSolver::default()))
        .agent::<Expectimax<Dungeon>>()
        .default_option("flat", "rollout", "rule")
        .default_option("flat", "worlds", 16)
        .default_option("mcts", "rollout", "none")
        .default_option("mcts", "leaf", "")
        .default_option("mcts", "iterations", 7)
        .default_option("mcts", "prior_visits", 8)
        .default_option("mcts", "c", 0.3)
        .default_option("mcts", "widen_alpha", 1)
        .trainable()
        .objectives(clairvoyant::objectives())
        .bounding(bound::bounding())
}
