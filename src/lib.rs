//! Knave: how good is this strategy, really?
//!
//! A simulation and research harness for five card-and-dice games. The contract between a game and a
//! player, and the players that work for any game, live in [`knave_agents`]; this crate holds the
//! [`games`], the [`runner`] that plays millions of them, its [`stats`], its [`export`]s and the pages that [`report`] them. The
//! command `sim` is a thin layer over it.

pub mod cards;
pub mod export;
pub mod games;
pub mod report;
pub mod runner;
mod shuffle;
pub mod stats;

pub use knave_agents as agents;
