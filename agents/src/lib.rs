//! The contract between a game and a player, and players and searches for every game.
//!
//! This crate knows no card, so the compiler keeps search ignorant of the games. A game implements [`Game`] and
//! [`Notation`] and offers its [`Kit`] through [`Tools`]. Then every agent of the [`registry`] can play it.
//! [`toys`] are small games with exact answers, on which every search is tested. [`testkit`] holds the tests
//! that every game and every agent must pass.

pub mod agent;
pub mod batch;
pub mod bot;
pub mod bound;
pub mod chance_correction;
pub mod configure;
pub mod deal_solver;
pub mod decision;
pub mod encoding;
pub mod end_game_solver;
pub mod evaluator;
pub mod exact;
pub mod game;
pub mod kit;
pub mod learn;
pub mod net;
pub mod options;
pub mod players;
pub mod policy;
pub mod presets;
pub mod protocol;
pub mod registry;
pub mod rng;
pub mod shown;
pub mod spec;
pub mod steps;
pub mod testkit;
pub mod toys;
pub mod training;

pub use agent::Agent;
pub use bound::{Bounding, DealBound, DealBounder};
pub use configure::Configure;
pub use deal_solver::{Answer, DealSolver, Line, Objective, Sense, Verdict, verdict};
pub use decision::Decision;
pub use encoding::Encoding;
pub use end_game_solver::{EndGameSolver, Solution};
pub use evaluator::{Evaluator, ModelId};
pub use game::{
    ChanceRecord, EnumerableChance, Event, Game, IllegalMove, Notation, NotationError, Seat, Turn, Values,
    played,
};
pub use kit::{Entry, Kit, Setup, Tools, Used};
pub use options::{OptionError, Options};
pub use policy::Policy;
pub use registry::Prepared;
pub use rng::{Rng, Role};
pub use shown::{Shown, ViewError};
pub use spec::{AgentSpec, SpecError};
pub use steps::StepList;
