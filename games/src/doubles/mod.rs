//! `doubles`: Doubles by Dave Milovich (2004), for two to seven players.
//!
//! The roller puts stakes on the table with two dice. The players outbid each other for them with cards. The roller may
//! pocket stakes that nobody challenges. After the deal only the dice are random, and in a match the deck of every
//! further game.
//!
//! | room | contents |
//! |---|---|
//! | `rules` | options |
//! | `board` | everything that all players see, and the course of a turn |
//! | `moves` | moves and their notation |
//! | `pile` | the deck of the first game |
//! | `position` | board and hands: the game itself |
//! | `view` | what one seat knows |
//! | `shown` | the view as data, for players in other processes |
//! | `encoding` | views and moves as arrays, for players that learn |
//! | `steps` | one move of those that come to the same |
//! | `fast_random` | quick games in which every move is random |
//! | `tally` | strategy counts |
//! | `value` | evaluators and the policy; their weights are in `models` |
//! | `listing` | small games written out, to be solved |
//! | `kit` | what the game offers to players and to the harness |

mod board;
mod encoding;
mod fast_random;
mod kit;
mod listing;
mod moves;
mod pile;
mod position;
mod rules;
mod shown;
pub mod steps;
mod tally;
pub mod value;
mod view;

#[cfg(test)]
mod tests;

pub use board::{Board, Hands, NO_ONE, Phase};
pub use moves::Move;
pub use position::{Chance, Doubles};
pub use rules::{MAX_CARDS, Rules, Team, Teams};
pub use tally::DoublesTally;
pub use view::View;
