//! `doubles`: Doubles by Dave Milovich (2004), for two to seven players.
//!
//! A roller puts stakes on the table with two dice; the players outbid each other for them with cards, and
//! the roller may pocket stakes that nobody challenges. After the deal only the dice are random, and in a
//! match the deck of every further game.

mod board;
mod kit;
mod moves;
mod pile;
mod position;
mod rules;
pub mod steps;
mod tally;
pub mod value;
mod view;

#[cfg(test)]
mod tests;

pub use board::{Board, Hands, NO_ONE, Phase};
pub use moves::Move;
pub use position::{Chance, Doubles};
pub use rules::{Rules, Teams};
pub use tally::DoublesTally;
pub use view::View;
