//! `columns`: Scoundrel, the race of two players with cards and three dice.
//!
//! Each round the roller places the dice between pairs of columns. Then both play, the roller last. Hidden are the hands
//! and the order of the stock.
//!
//! Cards are drawn into hands that nobody else sees, so drawing is no public event:
//!
//! - Hands are replenished together with the roll of the dice.
//! - A player who runs out in mid-play gets seven cards by a [`Turn::Shuffle`](knave_agents::Turn::Shuffle), which tells
//!   nobody anything.
//! - Cards drawn around a reshuffle come with [`Chance::Reshuffle`].
//!
//! So a search can value the end of a phase of play before new cards are known.
//!
//! | room | contents |
//! |---|---|
//! | `rules` | options, and which columns fill which slots |
//! | `board` | everything face up, and what moves do to it |
//! | `moves` | moves and their notation |
//! | `pile` | the stock |
//! | `move_sets` | incremental move generation: legal moves as sets of cards |
//! | `position` | board, hands and stock: the game itself |
//! | `view` | what one seat knows |
//! | `shown` | the view as data, for players in other processes |
//! | `encoding` | views and moves as arrays, for players that learn |
//! | `steps` | whole phases of play, every outcome once |
//! | `fast_random` | quick games in which every move is random |
//! | `tally` | strategy counts and `placements.csv` |
//! | `value` | evaluators and policies; their weights are in `models` |
//! | `placement_option` | the option `placement` of the agents |
//! | `kit` | what the game offers to players and to the harness |

mod board;
mod encoding;
mod fast_random;
mod kit;
mod move_sets;
mod moves;
mod pile;
mod placement_option;
mod position;
mod rules;
mod shown;
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
pub use rules::{Finish, FinishedColumns, HAND, PAIRS, Rules};
pub use tally::ColumnsTally;
pub use view::View;
