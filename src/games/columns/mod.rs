//! `columns`: Scoundrel, the race of two players with cards and three dice.
//!
//! Each round the roller places the dice between pairs of columns, then both play, the roller last. Hidden are
//! the hands and the order of the stock. Cards are drawn into hands that nobody else sees, so drawing is no public
//! event: hands are replenished together with the roll of the dice, the seven cards of a player who ran out in
//! mid-play come by a [`Turn::Shuffle`] that tells nobody anything, and whatever is drawn around a reshuffle comes with
//! [`Chance::Reshuffle`]. So a search can value what a phase of play leaves behind before new cards are known.

mod board;
mod kit;
mod move_sets;
mod moves;
mod pile;
mod position;
mod random_placement;
mod rules;
pub mod steps;
mod tally;
pub mod value;
mod view;

#[cfg(test)]
mod tests;

pub use board::{Board, Column, Direction, Due, Phase};
pub use moves::{Move, letter};
pub use pile::Order;
pub use position::{Chance, Columns};
pub use rules::{Finish, Finished, HAND, PAIRS, Rules};
pub use tally::ColumnsTally;
pub use view::View;
