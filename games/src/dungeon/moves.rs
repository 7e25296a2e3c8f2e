//! The moves and their notation.

use super::deck::{CardKind, kind};
use crate::cards::Card;
use std::fmt;

/// A move: to face a card in some way, or to avoid the room.
///
/// Stored as [`Card::id`], plus 64 for a fight with the weapon; 0 is [`Move::AVOID`]. Moves compare by this
/// number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

/// The action of a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Put the whole room under the pile.
    Avoid,
    /// Equip a weapon.
    Take,
    /// Drink a potion.
    Drink,
    /// Fight a monster with bare hands.
    Bare,
    /// Fight a monster with the weapon.
    Weapon,
}

const ARMED: u8 = 64;

impl Move {
    /// Put the whole room under the pile.
    pub const AVOID: Move = Move(0);

    /// The move that faces this card, with bare hands if it is a monster.
    #[must_use]
    #[inline]
    pub const fn facing(card: Card) -> Self {
        Self(card.id())
    }

    /// The move that fights this monster with the weapon.
    #[must_use]
    pub const fn armed(card: Card) -> Self {
        Self(card.id() | ARMED)
    }

    /// The same fight with the weapon.
    #[must_use]
    #[inline]
    pub(super) const fn with_weapon(self) -> Self {
        Self(self.0 | ARMED)
    }

    /// The move that faces the card with this [`Card::id`] (0 avoids the room), with the weapon if `armed`
    /// is 1 and without if it is 0. Trusted like [`Card::from_id`].
    #[must_use]
    pub(super) const fn from_parts(id: u8, armed: u8) -> Self {
        Self(id | armed << 6)
    }

    /// The number that it is stored as, below 128.
    #[inline]
    pub(super) const fn number(self) -> usize {
        (self.0 & (2 * ARMED - 1)) as usize
    }

    /// Whether it is a fight with the weapon.
    #[must_use]
    pub const fn is_armed(self) -> bool {
        self.0 & ARMED != 0
    }

    /// The action of the move.
    #[must_use]
    #[inline]
    pub const fn action(self) -> Action {
        /// By suit, then the same with the weapon, which only monsters are fought with.
        const ACTIONS: [Action; 8] = {
            use Action::{Bare, Drink, Take, Weapon};
            [Bare, Take, Drink, Bare, Weapon, Weapon, Weapon, Weapon]
        };
        if self.0 == 0 { Action::Avoid } else { ACTIONS[(self.0 >> 4 & 7) as usize] }
    }

    /// The card that the move faces; none for [`Move::AVOID`].
    #[must_use]
    pub const fn card(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card::from_id(self.0 & (ARMED - 1))) }
    }

    /// Reads a move, legal or not. `None` when it is not in the notation.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (&first, rest) = words.split_first()?;
        let Some((card, how)) = rest.split_first() else {
            return (first == "avoid").then_some(Move::AVOID);
        };
        let card: Card = card.parse().ok()?;
        match (first, kind(card), how) {
            ("take", CardKind::Weapon, [])
            | ("drink", CardKind::Potion, [])
            | ("fight", CardKind::Monster, ["bare"]) => Some(Move::facing(card)),
            ("fight", CardKind::Monster, ["weapon"]) => Some(Move::armed(card)),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(card) = self.card() else {
            return f.write_str("avoid");
        };
        match self.action() {
            Action::Take => write!(f, "take {card}"),
            Action::Drink => write!(f, "drink {card}"),
            Action::Weapon => write!(f, "fight {card} weapon"),
            _ => write!(f, "fight {card} bare"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
