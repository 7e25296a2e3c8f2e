//! `verslun`: Verslun, for one player.
//!
//! 52 cards, columns of four. The player pairs cards of the hand with a column's cards from the bottom up
//! and so claims it; what is claimed counts at the end. A claimed column may be given up, with the hand,
//! for new cards. Cards drawn from the pile are chance events whose outcome the deck has settled, so that a
//! search can value what a move leaves behind before the next cards are known.

mod binomial;
mod bits;
mod board;
pub mod bound;
mod claims;
mod clairvoyant;
mod deck;
mod kit;
mod moves;
mod pile;
mod position;
mod random_claim;
mod rules;
mod steps;
mod tally;
pub mod value;
mod view;

#[cfg(test)]
mod tests;

pub use board::{Board, Phase};
pub use deck::{ALL_POINTS, points};
pub use moves::{Claim, Move, letter};
pub use position::{Chance, Verslun};
pub use rules::{HEIGHT, MAX_COLUMNS, MAX_HAND, Match, Rules};
pub use tally::VerslunTally;
pub use view::View;
