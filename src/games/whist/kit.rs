//! What whist offers to players.

use super::heuristic::{Rule, Value, fitted};
use super::learned::AfterTrick;
use super::{Move, Whist};
use knave_agents::{Event, Kit};
use std::sync::Arc;

pub(super) fn kit() -> Kit<Whist> {
    Kit::default()
        .evaluator("net", |rules| Some(Arc::new(AfterTrick::new(rules)?)))
        .evaluator("rule", |_| Some(Arc::new(Value { weights: fitted().1 })))
        .policy("rule", |rules| Some(Arc::new(Rule::new(rules, &fitted().0))))
        .reconstruct_start(reconstruct_start)
        .default_option("greedy", "evaluator", "rule")
        .default_option("flat", "rollout", "rule")
        .default_option("flat", "worlds", 200)
        .default_option("mcts", "rollout", "rule")
        .default_option("mcts", "c", 0.4)
        .trainable()
}

/// The deal: the cards that were played go back to the hands that they came from.
pub(super) fn reconstruct_start(position: &Whist, history: &[Event<Whist>]) -> Option<Whist> {
    let mut dealt = position.hands;
    for event in history {
        if let Event::Move(seat, Move(card)) = event {
            dealt[seat & 3].insert(*card);
        }
    }
    Some(Whist::start(&position.table.rules, dealt, position.table.shown))
}
