//! Moves and their notation.

use crate::cards::Card;
use std::fmt;

/// A move: to pass, to challenge with a card, to pocket the stakes or to roll again.
///
/// Stored as [`Card::id`] for a challenge. The others are numbers of no card, with last four bits of no rank. Moves
/// compare by this number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// Let the turn to challenge go by.
    pub const PASS: Move = Move(0);
    /// Take the stakes that nobody has challenged.
    pub const POCKET: Move = Move(0x4f);
    /// Roll again for higher stakes.
    pub const ROLL: Move = Move(0x51);

    /// Play this card for the stakes.
    #[must_use]
    pub const fn challenge(card: Card) -> Self {
        Self(card.id())
    }

    /// The challenge with the card that has this [`Card::id`]. Trusted like [`Card::from_id`].
    pub(super) const fn from_id(id: u8) -> Self {
        Self(id)
    }

    /// The card of a challenge.
    #[must_use]
    pub const fn card(self) -> Option<Card> {
        match self {
            Move::PASS | Move::POCKET | Move::ROLL => None,
            Move(id) => Some(Card::from_id(id)),
        }
    }

    /// The kind of move as a number below 16: the rank of a challenge, or a number of no rank.
    pub(super) const fn slot(self) -> usize {
        self.0 as usize & 15
    }

    /// Reads a move, legal or not. `None` when it is not in the notation.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        match (words.next()?, words.next(), words.next()) {
            ("pass", None, None) => Some(Move::PASS),
            ("pocket", None, None) => Some(Move::POCKET),
            ("roll", None, None) => Some(Move::ROLL),
            ("challenge", Some(card), None) => card.parse().ok().map(Move::challenge),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (*self, self.card()) {
            (_, Some(card)) => write!(f, "challenge {card}"),
            (Move::PASS, _) => f.write_str("pass"),
            (Move::POCKET, _) => f.write_str("pocket"),
            _ => f.write_str("roll"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
