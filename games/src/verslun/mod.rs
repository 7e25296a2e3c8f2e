//! `verslun`: Verslun, for one player.
//!
//! 52 cards, columns of four. To claim a column, the player pairs its cards from the bottom up with cards of the hand. Claimed
//! cards count at the end. A claimed column may be given up, together with the hand, for new cards.
//!
//! Cards drawn from the pile are random events whose outcome the deck has settled. So a search can value the end of a turn
//! before the next cards are known.
//!
//! | room | contents |
//! |---|---|
//! | `rules`, `deck` | options and what pairs; the cards and their points |
//! | `bits`, `binomial` | sets as bits; the number of ways to draw |
//! | `board` | everything face up, and what moves do to it |
//! | `moves` | moves and their notation |
//! | `claims`, `random_claim` | legal claims: listed, or one drawn at random |
//! | `pile` | the face-down cards |
//! | `position` | board and pile: the game itself |
//! | `view` | what the player knows |
//! | `shown` | the view as data, for players in other processes |
//! | `encoding` | views and moves as arrays, for players that learn |
//! | `steps` | stretches of play between random events, worse ones left out |
//! | `fast_random` | quick games in which every move is random |
//! | `tally` | strategy counts |
//! | `value` | evaluators and policies; their weights are in `models` |
//! | `clairvoyant` | exact answers about whole deals |
//! | `bound` | an upper bound on fair play |
//! | `listing` | small games written out, to be solved |
//! | `kit` | what the game offers to players and to the harness |

mod binomial;
mod bits;
mod board;
pub mod bound;
mod claims;
mod clairvoyant;
mod deck;
mod encoding;
mod fast_random;
mod kit;
mod listing;
mod moves;
mod pile;
mod position;
mod random_claim;
mod rules;
mod shown;
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
