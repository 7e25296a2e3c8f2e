//! Knave: how good is this strategy, really?
//!
//! A simulation and research harness for card and dice games. The contract between a game and a player, and the
//! players that work for any game, live in [`knave_agents`]; the games live in [`knave_games`], here [`games`]. This
//! crate holds the [`registry`] of games and players, the loop that [`play`]s them, the workers that [`exec`]ute millions,
//! what decisions of games are worth ([`analysis`]), games that are played from outside ([`live`]) and drawn ([`board`]),
//! players in processes of their own ([`bots`]), the [`store`] of results, the kinds of requests ([`studies`]) and files of
//! many ([`experiment`]), [`small`] games solved, [`training`]s and what they need of a game ([`trainable`]), [`stats`] of
//! results and the pages that [`report`] them. [`cli`] is the command `sim`, a thin layer over all of it.

pub mod analysis;
pub mod board;
pub mod bots;
pub mod cli;
pub mod exec;
pub mod experiment;
mod json;
mod learnt;
pub mod live;
mod numbers;
pub mod play;
pub mod registry;
pub mod report;
mod screen;
pub mod small;
pub mod stats;
pub mod store;
pub mod studies;
mod text;
pub mod trainable;
pub mod training;

pub use knave_agents as agents;
pub use knave_games::{self as games, cards};
