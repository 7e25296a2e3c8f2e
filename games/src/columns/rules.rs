//! Rules: the options, and which finished columns fill the slots.

use knave_agents::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of column pairs.
pub const PAIRS: usize = 4;

/// The number of cards in a full hand.
pub const HAND: usize = 7;

/// Options of the rules of columns.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// which columns fill the slots 4, 5, 5 and 6
    pub finish: Finish,
    /// the round after which the game ends with no winner
    #[schemars(range(min = 1, max = u32::MAX))]
    pub max_rounds: u32,
}

/// Which columns may be finished.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// all finished columns can be given different slots, each at least as long as its slot
    AtLeast,
    /// at most one of four cards, two of five, and one of six or more
    Exact,
}

impl Default for Rules {
    fn default() -> Self {
        Self { finish: Finish::AtLeast, max_rounds: 1000 }
    }
}

impl Options for Rules {}

/// Counts of a player's finished columns, by length.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FinishedColumns {
    /// Columns of four cards.
    pub fours: u8,
    /// Columns of five cards.
    pub fives: u8,
    /// Columns of six or more cards.
    pub sixes: u8,
}

impl FinishedColumns {
    /// How many columns are finished.
    #[must_use]
    #[inline]
    pub const fn count(self) -> u8 {
        self.fours + self.fives + self.sixes
    }

    /// These columns and one more of `len` cards, at least four.
    #[must_use]
    #[inline]
    pub const fn with(mut self, len: usize) -> Self {
        match len {
            4 => self.fours += 1,
            5 => self.fives += 1,
            _ => self.sixes += 1,
        }
        self
    }

    /// Whether all of these columns may be finished.
    #[must_use]
    #[inline]
    pub const fn fit(self, finish: Finish) -> bool {
        match finish {
            // By Hall's theorem: columns of four have one slot, those of four and five have three.
            Finish::AtLeast => self.fours <= 1 && self.fours + self.fives <= 3,
            Finish::Exact => self.fours <= 1 && self.fives <= 2 && self.sixes <= 1,
        }
    }
}
