//! The options of the rules.

use super::deck::{ACE, CARDS, LANE, SUITS};
use knave_agents::options::{OptionError, Options};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The cards in a column.
pub const HEIGHT: usize = 4;
/// The most columns that any rules have.
pub const MAX_COLUMNS: usize = 11;
/// The largest hand that any rules have.
pub const MAX_HAND: usize = 20;

/// Every option of the rules. Defaults first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// whether an ace, in the hand or in a column, pairs with any card
    pub aces_wild: bool,
    /// which cards pair: those of a suit, or those of a suit_or_rank
    #[serde(rename = "match")]
    pub matching: Match,
    /// the size to which the hand is filled
    #[schemars(range(min = 4, max = MAX_HAND))]
    pub hand: u8,
    /// the number of columns, with 4 * columns + hand at most 52
    #[schemars(range(min = 1, max = MAX_COLUMNS))]
    pub columns: u8,
    /// the points from which on a game counts as won
    #[schemars(range(min = 0, max = u32::MAX))]
    pub target: u32,
}

/// Which cards pair.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// cards of one suit
    Suit,
    /// cards of one suit and cards of one rank
    SuitOrRank,
}

impl Default for Rules {
    fn default() -> Self {
        Self { aces_wild: false, matching: Match::Suit, hand: 5, columns: 4, target: 100 }
    }
}

impl Rules {
    /// Whether suits alone decide which cards pair.
    #[must_use]
    #[inline]
    pub fn suits_only(&self) -> bool {
        self.matching == Match::Suit && !self.aces_wild
    }

    /// The cards that pair with the card of this number.
    #[must_use]
    #[inline]
    pub fn pairing(&self, id: u8) -> u64 {
        let mut cards = LANE << (id & 48);
        if self.matching == Match::SuitOrRank {
            cards |= SUITS << (id & 15);
        }
        if self.aces_wild {
            cards |= SUITS << ACE;
            if id & 15 == ACE {
                cards = !0;
            }
        }
        cards
    }

    /// The number of cards that are laid out at the start.
    #[must_use]
    pub fn laid_out(&self) -> usize {
        HEIGHT * usize::from(self.columns)
    }

    /// The number of cards that a redeal takes from the pile.
    #[must_use]
    #[inline]
    pub fn redealt(&self) -> usize {
        HEIGHT + usize::from(self.hand)
    }
}

impl Options for Rules {
    fn check(&self) -> Result<(), OptionError> {
        let cards = self.laid_out() + usize::from(self.hand);
        if cards <= CARDS {
            return Ok(());
        }
        let reason =
            format!("4 * columns + hand is at most {CARDS}, and with hand={} it is {cards}", self.hand);
        Err(OptionError::refused("columns", &self.columns, reason))
    }
}
