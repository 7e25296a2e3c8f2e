//! Moves and their notation.

use super::rules::PAIRS;
use crate::cards::Card;
use std::fmt;

/// A move. Pairs are counted from 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Put the dice between pairs of columns: the die for each pair, 0 for none.
    Place([u8; PAIRS]),
    /// Play a card to the own column of the pair.
    Play(u8, Card),
    /// Steal the opponent's column of the pair.
    Steal(u8, Card),
    /// Finish the own column of the pair.
    Finish(u8),
    /// End the own play.
    Done,
}

/// The letter of a pair.
#[must_use]
pub const fn letter(pair: u8) -> char {
    (b'a' + pair) as char
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::Place(dice) => {
                f.write_str("place")?;
                for (pair, die) in dice.into_iter().enumerate().filter(|&(_, die)| die > 0) {
                    write!(f, " {}{die}", letter(pair as u8))?;
                }
                Ok(())
            }
            Move::Play(pair, card) => write!(f, "play {} {card}", letter(pair)),
            Move::Steal(pair, card) => write!(f, "steal {} {card}", letter(pair)),
            Move::Finish(pair) => write!(f, "finish {}", letter(pair)),
            Move::Done => f.write_str("done"),
        }
    }
}

impl Move {
    /// Reads a move, legal or not, with the dice of a placement in any order. `None` when it is not in the notation.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (first, rest) = words.split_first()?;
        let pair = |word: &str| match word.as_bytes() {
            [letter @ b'a'..=b'd'] => Some(letter - b'a'),
            _ => None,
        };
        match (*first, rest) {
            ("place", [_, ..]) => {
                let mut dice = [0; PAIRS];
                for word in rest {
                    let &[letter @ b'a'..=b'd', die @ b'1'..=b'6'] = word.as_bytes() else {
                        return None;
                    };
                    let place = &mut dice[usize::from(letter - b'a')];
                    if std::mem::replace(place, die - b'0') != 0 {
                        return None;
                    }
                }
                Some(Move::Place(dice))
            }
            ("play", [column, card]) => Some(Move::Play(pair(column)?, card.parse().ok()?)),
            ("steal", [column, card]) => Some(Move::Steal(pair(column)?, card.parse().ok()?)),
            ("finish", [column]) => Some(Move::Finish(pair(column)?)),
            ("done", []) => Some(Move::Done),
            _ => None,
        }
    }
}
