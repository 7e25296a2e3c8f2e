//! The agents: one file each, and what the searches share in [`common`].

pub mod belief;
pub mod common;
pub mod expectimax;
pub mod flat;
pub mod greedy;
pub mod mcts;
pub mod random;
pub mod rule;
