//! The 44 cards and what each of them is.

use crate::cards::{Card, Suit};

/// The cards of the dungeon, in order.
pub(super) const DECK: [Card; 44] = {
    let mut deck = [Card::new(Suit::Clubs, 2); 44];
    let mut n = 0;
    let mut s = 0;
    while s < 4 {
        let suit = Suit::ALL[s];
        let top = if matches!(suit, Suit::Clubs | Suit::Spades) { 14 } else { 10 };
        let mut rank = 2;
        while rank <= top {
            deck[n] = Card::new(suit, rank);
            n += 1;
            rank += 1;
        }
        s += 1;
    }
    deck
};

/// The sum of all monsters: twice 2 to 14.
pub(super) const MONSTERS: u16 = 208;

/// The kind of a card.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum CardKind {
    /// Clubs and spades, 2 to 14.
    Monster,
    /// Diamonds, 2 to 10.
    Weapon,
    /// Hearts, 2 to 10.
    Potion,
}

/// The kind of this card.
#[must_use]
#[inline]
pub const fn kind(card: Card) -> CardKind {
    match card.suit() {
        Suit::Clubs | Suit::Spades => CardKind::Monster,
        Suit::Diamonds => CardKind::Weapon,
        Suit::Hearts => CardKind::Potion,
    }
}

/// The sum of the ranks in a lane.
#[must_use]
#[inline]
pub(super) fn rank_sum(lane: u16) -> u32 {
    // Bit k of every rank, counted over the ranks that have it.
    (lane & 0xaaaa).count_ones()
        + (lane & 0xcccc).count_ones() * 2
        + (lane & 0xf0f0).count_ones() * 4
        + (lane & 0xff00).count_ones() * 8
}
