//! The players, a file each, and what their searches share.
//!
//! [`decide`] is the loop of every decision; [`valuer`] values positions, [`end_game`] asks the exact solver, [`plan`] keeps
//! moves that were decided on together, [`belief`] weighs worlds by the moves seen.

pub mod belief;
mod come_back;
pub mod decide;
pub mod end_game;
pub mod exact;
pub mod expectimax;
pub mod flat;
pub mod greedy;
pub mod mcts;
pub mod plan;
pub mod random;
pub mod rule;
pub mod valuer;
