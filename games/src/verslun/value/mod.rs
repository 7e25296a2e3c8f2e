//! Evaluators and policies: the points to come, by hand-written features ([`rule`]) and by a net that learned by
//! self-play.
//!
//! Both value afterstates ([`context`]) and play the best turn (`best_turn`). They build on chances of draws (`chances`) and on
//! expectations over the next draw (`draws`).

pub(super) mod best_turn;
mod chances;
pub mod context;
mod draws;
mod features;
pub(super) mod net;
pub mod rule;
