//! Tests for every game and every agent, as functions that panic with what is wrong.

mod brute_force;
mod conformance;
mod enumeration;
mod fairness;
mod features;
mod frequency;
mod hidden_information;
mod public_history;
mod random_game;
mod sampled_worlds;

/// The most moves and random events of a game.
const LONGEST: usize = 100_000;

pub use brute_force::best_fair_value;
pub use conformance::conformance;
pub use enumeration::enumeration;
pub use fairness::{all_agents_are_fair, fairness};
pub use features::features;
pub use frequency::{chi_square_limit, frequencies};
pub use hidden_information::hidden_information;
pub use public_history::public_history;
pub use random_game::random_game;
pub use sampled_worlds::sampled_worlds;
