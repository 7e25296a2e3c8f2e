//! `whist`: Scoundrel's Whist, for four players.
//!
//! Thirteen tricks with a trump suit and two scoundrels, the jacks of clubs and spades. A scoundrel beats every other card
//! and then leaves the game. Low cards count for the player who wins them, high cards against. Nothing is random after
//! the deal.
//!
//! | room | contents |
//! |---|---|
//! | `rules` | options, and the points of the cards |
//! | `board` | everything that all players know, and the course of a trick |
//! | `moves` | moves and their notation |
//! | `deal` | random hands; there is no pile, for every card is dealt |
//! | `position` | board and hands: the game itself |
//! | `view` | what one seat knows, and sampled worlds |
//! | `shown` | the view as data, for players in other processes |
//! | `encoding` | views and moves as arrays, for players that learn |
//! | `random_game` | a game that is played at random to its end |
//! | `fast_random` | the fast path for all-random play |
//! | `tally` | strategy counts |
//! | `value` | evaluators and the policy; their weights are in `models` |
//! | `listing` | small games written out, for best responses |
//! | `kit` | what the game offers to players and to the harness |
//!
//! Every move is a step of its own.

mod board;
mod deal;
mod encoding;
mod fast_random;
mod kit;
mod listing;
mod moves;
mod position;
mod random_game;
mod rules;
mod shown;
mod tally;
pub mod value;
mod view;

#[cfg(test)]
mod tests;

pub use board::{Board, Won};
pub use moves::Move;
pub use position::Whist;
pub use rules::{Count, DEALER, Rules, SCOUNDRELS, SEATS, Scoundrels};
pub use tally::WhistTally;
pub use view::View;
