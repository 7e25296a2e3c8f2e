//! The contract between a game and a player, and every player and search that works for any game.
//!
//! This crate knows no card: the compiler keeps search ignorant of the games. A game implements
//! [`Game`] and [`Notation`], offers searches what it has to offer in [`Tools`], and every agent of
//! the [`registry`] can play it. [`toys`] are small games with exact answers on which every search is
//! tested; [`testkit`] is the conformance test that every game must pass.

pub mod agent;
pub mod game;
pub mod learn;
pub mod luck;
pub mod options;
pub mod players;
pub mod presets;
pub mod registry;
pub mod rng;
pub mod spec;
pub mod testkit;
pub mod tools;
pub mod toys;

pub use agent::{Agent, Decision, Event};
pub use game::{EnumerableChance, Game, IllegalMove, Notation, NotationError, Seat, Turn};
pub use registry::{Configure, Entry};
pub use rng::{Rng, Role};
pub use spec::{AgentSpec, SpecError};
pub use tools::{Evaluator, Policy, Solution, Solver, StepList, Steps, Tools};
