//! The moves and their notation.

use super::deck::set_of;
use super::rules::{HEIGHT, MAX_COLUMNS};
use crate::cards::{Card, CardSet};
use std::fmt;

/// A move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Fill the hand from the pile.
    Draw,
    /// Leave the hand as it is.
    Stay,
    /// Give up the hand and this claimed column for new ones.
    Redeal(u8),
    /// Give up nothing.
    Keep,
    /// Claim a column.
    Claim(Claim),
    /// Claim nothing, which ends the game.
    Pass,
    /// End the game after a claim.
    End,
    /// Go on after a claim.
    On,
}

/// A claim: a column, and the cards of the hand that are paired with it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Claim {
    /// The column, counted from 0.
    pub column: u8,
    /// The partners of the column's cards from the bottom up, as [`Card::id`], 0 after the last. They stand in the canonical
    /// order: of all legal orders of the same cards, the first in the byte order of the notation.
    pub partners: [u8; HEIGHT],
}

impl Claim {
    /// The number of pairs, 1 to 4.
    #[must_use]
    #[inline]
    pub fn height(&self) -> usize {
        // Up to the highest byte that is not 0.
        4 - u32::from_le_bytes(self.partners).leading_zeros() as usize / 8
    }

    /// The cards that it takes from the hand.
    #[must_use]
    #[inline]
    pub fn cards(&self) -> CardSet {
        set_of(self.partners)
    }
}

/// The letter of a column.
#[must_use]
pub fn letter(column: u8) -> char {
    char::from(b'a' + column)
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Draw => f.write_str("draw"),
            Move::Stay => f.write_str("stay"),
            Move::Redeal(column) => write!(f, "redeal {}", letter(*column)),
            Move::Keep => f.write_str("keep"),
            Move::Claim(claim) => {
                write!(f, "claim {}", letter(claim.column))?;
                let partners = claim.partners.iter().filter(|&&id| id != 0);
                partners.into_iter().try_for_each(|&id| write!(f, " {}", Card::from_id(id)))
            }
            Move::Pass => f.write_str("pass"),
            Move::End => f.write_str("end"),
            Move::On => f.write_str("on"),
        }
    }
}

impl Move {
    /// Reads a move, legal or not, the cards of a claim in any order. `None` when it is not in the notation.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let column = |word: &str| match *word.as_bytes() {
            [letter] if (b'a'..b'a' + MAX_COLUMNS as u8).contains(&letter) => Some(letter - b'a'),
            _ => None,
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["draw"] => Some(Move::Draw),
            ["stay"] => Some(Move::Stay),
            ["redeal", letter] => column(letter).map(Move::Redeal),
            ["keep"] => Some(Move::Keep),
            ["claim", letter, ref cards @ ..] if (1..=HEIGHT).contains(&cards.len()) => {
                let mut partners = [0; HEIGHT];
                for (partner, card) in partners.iter_mut().zip(cards) {
                    *partner = card.parse::<Card>().ok()?.id();
                }
                column(letter).map(|column| Move::Claim(Claim { column, partners }))
            }
            ["pass"] => Some(Move::Pass),
            ["end"] => Some(Move::End),
            ["on"] => Some(Move::On),
            _ => None,
        }
    }
}
