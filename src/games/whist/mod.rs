//! `whist`: Scoundrel's Whist, for four players.
//!
//! Thirteen tricks with a trump suit and two scoundrels, the jacks of clubs and spades, that beat every
//! other card and then leave the game. Low cards count for the player who wins them, high cards against.
//!
//! Nothing is random after the deal.

mod board;
mod deal;
mod fast_random;
mod kit;
mod moves;
mod position;
mod rules;
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
