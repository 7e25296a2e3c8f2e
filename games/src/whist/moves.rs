//! Moves and their notation.

use crate::cards::Card;
use std::fmt;

/// A move: the card to play.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub Card);

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "play {}", self.0)
    }
}

impl Move {
    /// Reads a move, legal or not. `None` when it is not in the notation.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("play"), Some(card), None) => card.parse().ok().map(Move),
            _ => None,
        }
    }
}
