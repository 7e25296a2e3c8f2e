//! `dungeon`: Scoundrel by Zach Gage and Kurt Bieg (2011), for one player.
//!
//! 44 cards: 26 monsters, 9 weapons, 9 potions. A room holds four cards. The player faces three of them; the fourth stays.
//!
//! The order of the deck is modelled as chance: the room fills by a [`Chance::Fill`] whose outcome the deck has settled. So a
//! search can value the end of a turn before the next cards are known.
//!
//! | room | contents |
//! |---|---|
//! | `rules`, `deck` | options; the cards and their kinds |
//! | `board` | everything face up, and what moves do to it |
//! | `moves` | moves and their notation |
//! | `pile` | the face-down cards |
//! | `position` | board and pile: the game itself |
//! | `view` | what the player knows |
//! | `shown` | the view as data, for players in other processes |
//! | `encoding` | views and moves as arrays, for players that learn |
//! | `steps` | whole turns, dominated ones left out |
//! | `fast_random` | quick games in which every move is random |
//! | `tally` | strategy counts |
//! | `value` | evaluators and policies; their weights are in `models` |
//! | `clairvoyant` | exact answers: whole deals, and the end-game in play |
//! | `bound` | an upper bound on fair play |
//! | `listing` | small games written out, to be solved |
//! | `kit` | what the game offers to players and to the harness |

mod board;
mod bound;
pub mod clairvoyant;
mod deck;
mod encoding;
mod fast_random;
mod kit;
mod listing;
mod moves;
mod pile;
mod position;
mod rules;
mod shown;
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
pub use rules::{Aim, AvoidOrder, Rules, Unfaced, WeaponLimit};
pub use tally::DungeonTally;
pub use view::{PileView, View};
