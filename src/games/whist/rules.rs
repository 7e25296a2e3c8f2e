//! The options of the rules.

use super::SCOUNDRELS;
use crate::cards::{CardSet, Suit};
use crate::games::Ruleset;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueEnum};
use serde::Serialize;

/// Every option of the rules of whist. Defaults first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Args, Serialize)]
#[command(rename_all = "snake_case")]
pub struct Rules {
    /// whether the scoundrels, JC and JS, belong to their printed suits
    #[arg(long, value_enum, default_value = "printed")]
    pub scoundrels: Scoundrels,
    /// the points of an ace
    #[arg(
        long,
        default_value = "-1",
        value_parser = PossibleValuesParser::new(["-1", "0", "1"]).try_map(|text| text.parse::<i8>())
    )]
    pub ace: i8,
    /// which of the other cards count +1, 0 and -1
    #[arg(long, value_enum, default_value = "ko")]
    pub count: Count,
}

/// The suit of a scoundrel.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, ValueEnum, Serialize)]
#[value(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Scoundrels {
    /// the printed one, for leading and following
    Printed,
    /// none: a scoundrel may be played at any time, and leads no suit
    Free,
}

/// The points of the cards from two to king, after two ways to count cards.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, ValueEnum, Serialize)]
#[value(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// 2 to 7 count +1, 8 and 9 nothing, 10 to king -1
    Ko,
    /// 2 to 6 count +1, 7 to 9 nothing, 10 to king -1
    Hilo,
}

/// The cards of these ranks in all suits, a bit a rank, but no scoundrel.
const fn ranks(lane: u16) -> CardSet {
    CardSet::from_bits((lane as u64 * 0x0001_0001_0001_0001) & !SCOUNDRELS.bits())
}

impl Rules {
    /// The cards that count +1 and those that count −1. A scoundrel is discarded from the trick that it
    /// is played to, for a scoundrel has won it: it never counts.
    #[must_use]
    pub const fn values(&self) -> (CardSet, CardSet) {
        let low = match self.count {
            Count::Ko => 0b1111_1100,
            Count::Hilo => 0b0111_1100,
        };
        const HIGH: u16 = 0b0011_1100_0000_0000;
        const ACE: u16 = 1 << 14;
        match self.ace {
            -1 => (ranks(low), ranks(HIGH | ACE)),
            1 => (ranks(low | ACE), ranks(HIGH)),
            _ => (ranks(low), ranks(HIGH)),
        }
    }

    /// The cards that belong to no suit.
    #[must_use]
    pub const fn free(&self) -> CardSet {
        match self.scoundrels {
            Scoundrels::Printed => CardSet::EMPTY,
            Scoundrels::Free => SCOUNDRELS,
        }
    }

    /// The cards that belong to this suit.
    #[must_use]
    pub const fn suit(&self, suit: Suit) -> CardSet {
        CardSet::from_bits((0xffff << (suit as u64 * 16)) & !self.free().bits())
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self { scoundrels: Scoundrels::Printed, ace: -1, count: Count::Ko }
    }
}

impl Ruleset for Rules {}
