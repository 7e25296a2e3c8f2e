//! Tests for every card game, as functions that panic with what is wrong. Those for every game are in [`knave_agents::testkit`].

mod card_game;
mod listing;

pub use card_game::card_game;
pub use listing::listing;

/// The most moves and random events of a game.
const LONGEST: u32 = 100_000;
