//! Rules: the options, and the points of the cards.

use crate::cards::CardSet;
use knave_agents::{Options, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of players.
pub const SEATS: usize = 4;

/// The seat that deals.
pub const DEALER: Seat = 3;

/// The two cards that beat all others: JC and JS.
pub const SCOUNDRELS: CardSet = CardSet::from_bits(1 << 11 | 1 << (48 + 11));

/// Options of the rules of whist.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// whether the scoundrels, JC and JS, belong to their printed suits
    pub scoundrels: Scoundrels,
    /// the points of an ace
    #[schemars(extend("enum" = [-1, 0, 1]))]
    pub ace: i8,
    /// which of the other cards count +1, 0 and -1
    pub count: Count,
}

/// The suit of a scoundrel.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scoundrels {
    /// the printed one, for leading and following
    Printed,
    /// none: a scoundrel may be played at any time, and leads no suit
    Free,
}

/// The points of the cards from two to king, named after two ways to count cards in blackjack.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// 2 to 7 count +1, 8 and 9 nothing, 10 to king -1
    Ko,
    /// 2 to 6 count +1, 7 to 9 nothing, 10 to king -1
    Hilo,
}

/// The cards that count +1 and −1, by [`Count`] and by the points of an ace, from −1 on.
const VALUES: [[(CardSet, CardSet); 4]; 2] = {
    const HIGH: u16 = 0b0011_1100_0000_0000;
    const ACE: u16 = 1 << 14;
    const fn by_ace(low: u16) -> [(CardSet, CardSet); 4] {
        let none = (ranks(low), ranks(HIGH));
        [(none.0, ranks(HIGH | ACE)), none, (ranks(low | ACE), none.1), none]
    }
    [by_ace(0b1111_1100), by_ace(0b0111_1100)]
};

/// The cards of these ranks in all suits without the scoundrels, a bit a rank.
const fn ranks(lane: u16) -> CardSet {
    CardSet::from_bits(CardSet::of_ranks(lane).bits() & !SCOUNDRELS.bits())
}

impl Rules {
    /// The cards that count +1, and those that count −1. Scoundrels never count: they leave with their trick.
    #[must_use]
    #[inline]
    pub const fn values(&self) -> (CardSet, CardSet) {
        VALUES[self.count as usize][(self.ace + 1) as usize & 3]
    }

    /// The cards that belong to no suit.
    #[must_use]
    #[inline]
    pub const fn free(&self) -> CardSet {
        match self.scoundrels {
            Scoundrels::Printed => CardSet::EMPTY,
            Scoundrels::Free => SCOUNDRELS,
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self { scoundrels: Scoundrels::Printed, ace: -1, count: Count::Ko }
    }
}

impl Options for Rules {}
