//! Decisions of many games at once, for players that answer many more quickly than one after the other.

use crate::agent::Agent;
use crate::decision::Decision;
use crate::game::{Game, Seat};
use crate::kit::Copies;
use crate::rng::Rng;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::atomic::AtomicBool;

/// A decision among others that are asked for at once, each of another game or seat.
pub struct Question<'a, G: Game> {
    /// The number of the game for this seat: the same in all its questions, and in no other game or seat that
    /// this copy of the agent plays.
    pub game: u64,
    /// The decision.
    pub decision: Decision<'a, G>,
    /// The random generator of the answer.
    pub rng: &'a mut Rng,
}

/// The reason why a batch of questions was not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The answers are no longer wanted.
    #[error("stopped")]
    Stopped,
    /// The player failed in a way that ends the run.
    #[error("{message}")]
    Failed {
        /// The question that was not answered, if it is known.
        question: Option<usize>,
        /// What happened.
        message: String,
    },
}

/// Something that a player did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number of the game ([`Question::game`]).
    pub game: u64,
    /// What it did.
    pub kind: FaultKind,
    /// Whether the game is lost by it.
    pub forfeits: bool,
}

/// The kinds of faults that an agent can commit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// No answer within the time.
    Late,
    /// A move that is not legal.
    Illegal,
    /// A line that is no answer.
    Malformed,
    /// An answer to a question that was not asked, or was answered before.
    UnknownId,
    /// A line or a heap of lines longer than any answer.
    Flood,
    /// Standard output was closed.
    Closed,
    /// The process ended.
    Crashed,
    /// Another answer to the same question with the same seed.
    Unrepeatable,
}

impl FaultKind {
    /// The word in tables and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Late => "late",
            Self::Illegal => "illegal",
            Self::Malformed => "malformed",
            Self::UnknownId => "unknown_id",
            Self::Flood => "flood",
            Self::Closed => "closed",
            Self::Crashed => "crashed",
            Self::Unrepeatable => "unrepeatable",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The end of a game for a seat.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Ending {
    /// The number of the game ([`Question::game`]).
    pub game: u64,
    /// The seat.
    pub seat: Seat,
    /// Whether it won, alone or with others.
    pub won: bool,
    /// Its score in points.
    pub score: f64,
}

/// An agent for many games that plays one game at a time. Every game has a fresh copy, for nobody tells a copy how its game ended.
pub(crate) struct OneGame<G: Game> {
    make: Copies<G>,
    agent: Box<dyn Agent<G>>,
    /// Whether this copy has been asked in the game.
    asked: bool,
    moves: Vec<G::Move>,
}

impl<G: Game> OneGame<G> {
    pub fn new(make: Copies<G>) -> Self {
        Self { agent: make(), make, asked: false, moves: Vec::new() }
    }
}

impl<G: Game> Agent<G> for OneGame<G> {
    fn begin_game(&mut self) {
        if std::mem::take(&mut self.asked) {
            self.agent = (self.make)();
        }
    }

    fn uses_history(&self) -> bool {
        self.agent.uses_history()
    }

    fn plays_uniformly(&self) -> bool {
        self.agent.plays_uniformly()
    }

    fn get_ready(&mut self, stop: &AtomicBool) -> Result<(), String> {
        self.agent.get_ready(stop)
    }

    /// # Panics
    /// When the agent has no answer, or more than one. One that may fail is not asked like this.
    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
        self.asked = true;
        let mut questions = [Question { game: 0, decision, rng }];
        let answered = self.agent.choose_batch(&mut questions, &mut self.moves, &AtomicBool::new(false));
        answered.unwrap_or_else(|error| panic!("no answer to one question: {error}"));
        let [m] = self.moves[..] else { panic!("{} answers to one question", self.moves.len()) };
        m
    }
}
