//! `dungeon`: Scoundrel by Zach Gage and Kurt Bieg (2011), for one player.
//!
//! 44 cards: 26 monsters, 9 weapons, 9 potions. Rooms of four; three cards of a room are faced and the
//! fourth stays. What follows from the order of the deck is modelled as chance: the room fills by a
//! [`Chance::Fill`] whose outcome the deck has settled, so that a search can value what a turn leaves
//! behind before the next cards are known.

mod board;
mod bound;
pub mod clairvoyant;
mod deck;
mod kit;
mod moves;
mod pile;
mod position;
mod rules;
mod steps;
mod tally;
pub mod value;
mod view;

#[cfg(test)]
mod tests;

pub use board::{Board, NO_LIMIT, Phase};
pub use deck::{CardKind, kind};
pub use moves::{Action, Move};
pub use position::{Chance, Dungeon};
pub use rules::{AvoidOrder, Rules, Unfaced, WeaponLimit};
pub use tally::DungeonTally;
pub use view::{PileView, View};
