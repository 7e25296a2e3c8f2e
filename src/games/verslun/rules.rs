//! The options of the rules.

use super::deck::{ACE, CARDS, LANE, SUITS};
use crate::games::Ruleset;
use clap::{Args, ValueEnum};
use knave_agents::options::OptionError;
use serde::Serialize;

/// The cards in a column.
pub const HEIGHT: usize = 4;
/// The most columns that any rules have.
pub const MAX_COLUMNS: usize = 11;
/// The largest hand that any rules have.
pub const MAX_HAND: usize = 20;

/// Every option of the rules. Defaults first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Args, Serialize)]
#[command(rename_all = "snake_case")]
pub struct Rules {
    /// whether an ace, in the hand or in a column, pairs with any card
    #[arg(long, default_value_t = false, action = clap::ArgAction::Set)]
    pub aces_wild: bool,
    /// which cards pair
    #[arg(long = "match", id = "match", value_enum, default_value = "suit")]
    #[serde(rename = "match")]
    pub matching: Match,
    /// the size to which the hand is filled (4 to 20)
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(4..=20))]
    pub hand: u8,
    /// the number of columns (1 to 11), with 4 * columns + hand at most 52
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=11))]
    pub columns: u8,
    /// the points from which on a game counts as won
    #[arg(long, default_value_t = 100)]
    pub target: u32,
}

/// Which cards pair.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, ValueEnum, Serialize)]
#[value(rename_all = "snake_case")]
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

impl Ruleset for Rules {
    fn validate(&self) -> Result<(), OptionError> {
        let cards = self.laid_out() + usize::from(self.hand);
        if cards <= CARDS {
            return Ok(());
        }
        Err(OptionError::Value {
            owner: "rules of verslun".to_owned(),
            name: "columns".to_owned(),
            value: self.columns.to_string(),
            reason: format!(
                "4 * columns + hand is at most {CARDS}, and with hand={} it is {cards}",
                self.hand
            ),
        })
    }
}
