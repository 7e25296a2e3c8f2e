//! What lies face up: the room, the health, the weapon; and the moves on it.

use super::rules::{AvoidOrder, Rules, WeaponLimit};
use crate::cards::{Card, Suit};
use std::fmt;

/// The limit of a weapon that has slain nothing: above every monster.
pub const NO_LIMIT: u8 = 15;

/// A move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Put the whole room under the pile.
    Avoid,
    /// Equip a weapon.
    Take(Card),
    /// Drink a potion.
    Drink(Card),
    /// Fight a monster with bare hands.
    Bare(Card),
    /// Fight a monster with the weapon.
    Weapon(Card),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Avoid => f.write_str("avoid"),
            Move::Take(card) => write!(f, "take {card}"),
            Move::Drink(card) => write!(f, "drink {card}"),
            Move::Bare(card) => write!(f, "fight {card} bare"),
            Move::Weapon(card) => write!(f, "fight {card} weapon"),
        }
    }
}

impl Move {
    /// The card that the move faces; none for [`Move::Avoid`].
    #[must_use]
    pub const fn card(self) -> Option<Card> {
        match self {
            Move::Avoid => None,
            Move::Take(card) | Move::Drink(card) | Move::Bare(card) | Move::Weapon(card) => Some(card),
        }
    }

    /// Reads a move; whether it is legal is another question. `None` when it is not in the notation.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (first, rest) = words.split_first()?;
        let card = rest.first().and_then(|word| word.parse().ok());
        match (*first, card, rest) {
            ("avoid", _, []) => Some(Move::Avoid),
            ("take", Some(card), [_]) => Some(Move::Take(card)),
            ("drink", Some(card), [_]) => Some(Move::Drink(card)),
            ("fight", Some(card), [_, "bare"]) => Some(Move::Bare(card)),
            ("fight", Some(card), [_, "weapon"]) => Some(Move::Weapon(card)),
            _ => None,
        }
    }
}

/// What a card is in the dungeon.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Clubs and spades, 2 to 14.
    Monster,
    /// Diamonds, 2 to 10.
    Weapon,
    /// Hearts, 2 to 10.
    Potion,
}

/// What this card is in the dungeon.
#[must_use]
pub const fn kind(card: Card) -> Kind {
    match card.suit() {
        Suit::Clubs | Suit::Spades => Kind::Monster,
        Suit::Diamonds => Kind::Weapon,
        Suit::Hearts => Kind::Potion,
    }
}

/// What happens next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Four avoided cards are about to be put into an unknown order.
    Order,
    /// The room is about to be filled.
    Fill,
    /// The player decides.
    Play,
    /// Nothing: the player died.
    Died,
    /// Nothing: every card has been faced.
    Cleared,
}

/// Everything face up.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The rules.
    pub rules: Rules,
    /// What happens next.
    pub phase: Phase,
    /// Health, 0 to the ceiling.
    pub health: u8,
    /// The weapon's value, 0 without one.
    pub weapon: u8,
    /// The last monster that the weapon slew, or [`NO_LIMIT`]; 0 without a weapon.
    pub limit: u8,
    /// The cards in the room by slot, as [`Card::id`], 0 where there is none.
    pub room: [u8; 4],
    /// How many cards the player has yet to face in this room.
    pub to_face: u8,
    /// Whether nothing has been done in this room yet and the room before was not avoided.
    pub may_avoid: bool,
    /// Whether a potion was drunk in this turn.
    pub drunk: bool,
    /// The card faced last, as [`Card::id`], 0 before the first.
    pub last: u8,
    /// The sum of the monsters not yet faced, those in the pile included.
    pub unfaced: u16,
}

impl Board {
    /// The cards in the room, by slot.
    pub fn room(&self) -> impl Iterator<Item = Card> + Clone + use<> {
        self.room.into_iter().filter(|&id| id != 0).map(Card::from_id)
    }

    /// The number of cards in the room.
    #[must_use]
    pub fn room_len(&self) -> usize {
        self.room.iter().filter(|&&id| id != 0).count()
    }

    /// The highest monster that the weapon may be used on.
    #[must_use]
    pub fn reach(&self) -> u8 {
        match self.rules.weapon_limit {
            WeaponLimit::AtMost => self.limit,
            WeaponLimit::Below => self.limit.saturating_sub(1),
        }
    }

    /// The ways to face a card, for drawing one without a branch that would be mispredicted: bit `slot`
    /// for each card, and bit `4 + slot` for each monster within reach of the weapon.
    #[must_use]
    pub fn ways(&self) -> u8 {
        // The four bytes of the room side by side; the results are the top bits of the bytes.
        const TOP: u32 = 0x8080_8080;
        let room = u32::from_le_bytes(self.room);
        let ranks = room & 0x0f0f_0f0f;
        let present = (ranks + 0x7f7f_7f7f) & TOP;
        let reached = ((TOP | (u32::from(self.reach()) * 0x0101_0101)) - ranks) & TOP;
        // Clubs are 0 and spades are 3: the two bits of a monster's suit are equal.
        let monsters = (!(room ^ room >> 1) & 0x1010_1010) << 3;
        let gather = |tops: u32| ((tops >> 7).wrapping_mul(0x1020_4080) >> 28) as u8;
        gather(present) | gather(present & reached & monsters) << 4
    }

    /// The health that a legal move costs.
    #[must_use]
    pub fn damage(&self, m: Move) -> u8 {
        match m {
            Move::Bare(card) => card.rank(),
            Move::Weapon(card) => card.rank().saturating_sub(self.weapon),
            _ => 0,
        }
    }

    /// The move that faces this card, with bare hands if it is a monster.
    #[must_use]
    pub fn facing(&self, card: Card) -> Move {
        match kind(card) {
            Kind::Monster => Move::Bare(card),
            Kind::Weapon => Move::Take(card),
            Kind::Potion => Move::Drink(card),
        }
    }

    /// Calls `f` with every move that faces a card of the room, by slot.
    pub fn for_each_facing(&self, mut f: impl FnMut(Move)) {
        for card in self.room() {
            f(self.facing(card));
            if kind(card) == Kind::Monster && card.rank() <= self.reach() {
                f(Move::Weapon(card));
            }
        }
    }

    /// Appends the legal moves, unsorted.
    pub fn moves(&self, out: &mut Vec<Move>) {
        if self.phase != Phase::Play {
            return;
        }
        if self.may_avoid {
            out.push(Move::Avoid);
        }
        self.for_each_facing(|m| out.push(m));
    }

    /// Faces a card with a legal move other than [`Move::Avoid`]. `pile_empty` says whether the room
    /// can be filled again.
    pub fn face(&mut self, m: Move, pile_empty: bool) {
        let Some(card) = m.card() else {
            unreachable!("avoiding faces no card");
        };
        let health = self.health.saturating_sub(self.damage(m));
        match m {
            Move::Take(_) => {
                self.weapon = card.rank();
                self.limit = NO_LIMIT;
            }
            Move::Drink(_) => {
                if !self.drunk {
                    self.health = (self.health + card.rank()).min(self.rules.health);
                }
                self.drunk = true;
            }
            _ => {
                self.unfaced -= u16::from(card.rank());
                if let Move::Weapon(_) = m {
                    self.limit = card.rank();
                }
            }
        }
        if let Move::Bare(_) | Move::Weapon(_) = m {
            self.health = health;
        }
        for slot in &mut self.room {
            if *slot == card.id() {
                *slot = 0;
            }
        }
        self.after_facing(m, 1, pile_empty);
    }

    /// Finishes what facing `cards` cards leaves behind, the last of them by `m`, once health, weapon
    /// and room are right.
    pub fn after_facing(&mut self, m: Move, cards: u8, pile_empty: bool) {
        if let Some(card) = m.card() {
            self.last = card.id();
        }
        self.may_avoid = false;
        self.to_face -= cards;
        if self.health == 0 {
            self.phase = Phase::Died;
        } else if self.to_face == 0 {
            self.end_turn(pile_empty);
        }
    }

    fn end_turn(&mut self, pile_empty: bool) {
        // The card that stays takes the first slot of the next room.
        let carried = self.room.iter().fold(0, |sum, id| sum | id);
        self.room = [carried, 0, 0, 0];
        self.drunk = false;
        self.may_avoid = true;
        if !pile_empty {
            self.phase = Phase::Fill;
        } else if carried == 0 {
            self.phase = Phase::Cleared;
        } else {
            self.enter();
        }
    }

    /// Empties the room for [`Move::Avoid`] and returns its cards in slot order.
    pub fn avoid(&mut self) -> [u8; 4] {
        self.may_avoid = false;
        self.phase = match self.rules.avoid_order {
            AvoidOrder::Kept => Phase::Fill,
            AvoidOrder::Shuffled => Phase::Order,
        };
        std::mem::take(&mut self.room)
    }

    /// How many cards fill the room from a pile of this size.
    #[must_use]
    pub fn missing(&self, pile: usize) -> usize {
        let free = if self.room[0] == 0 { 4 } else { 3 };
        free.min(pile)
    }

    /// Fills the room with these cards, 0 after the last; `may_avoid` still says whether the room before
    /// was not avoided.
    pub fn fill(&mut self, cards: [u8; 4]) {
        self.room = match self.room[0] {
            0 => cards,
            carried => [carried, cards[0], cards[1], cards[2]],
        };
        self.enter();
    }

    fn enter(&mut self) {
        let cards = self.room_len() as u8;
        // Three of a room of four are faced; a smaller room is the last one and faced to the end.
        self.to_face = if cards == 4 { 3 } else { cards };
        self.may_avoid &= cards == 4;
        self.phase = Phase::Play;
    }

    /// The final score.
    #[must_use]
    pub fn score(&self) -> i64 {
        use super::rules::Unfaced;
        if self.phase == Phase::Cleared {
            let last = Card::from_id(self.last);
            let bonus = kind(last) == Kind::Potion && self.health == self.rules.health;
            return i64::from(self.health) + if bonus { i64::from(last.rank()) } else { 0 };
        }
        let mut lost = i64::from(self.unfaced);
        if self.rules.unfaced == Unfaced::Pile {
            let face_up = self.room().filter(|&card| kind(card) == Kind::Monster);
            lost -= face_up.map(|card| i64::from(card.rank())).sum::<i64>();
        }
        -lost
    }
}
