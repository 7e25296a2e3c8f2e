//! Games under way, played from outside: a position by the text of its moves, episodes and lanes by arrays.
//!
//! Notebooks, terminals and learners know a game by its name. They ask the registry for a [`Ruleset`], the game under certain rules, and
//! it deals what they play.

mod action_game;
mod episode;
mod lanes;
mod position;
mod ruled;
mod ruleset;

pub use episode::{Episode, Rewards};
pub use lanes::{Autoreset, Ended, GoOn, Halted, LaneSettings, Lanes, Step};
pub use position::{Appraised, MoveValue, PlayError, Position, PositionError, Seen};
pub(crate) use ruled::Ruled;
pub use ruled::RulesetError;
pub use ruleset::Ruleset;
