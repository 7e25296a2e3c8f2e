//! The 52 cards and their points.

use crate::cards::CardSet;
pub use crate::shuffle::CARDS;

/// The points of all cards: no game scores more, under any rules.
pub const ALL_POINTS: u16 = 340;

/// The most points of a claimed column: eight cards of ten.
pub const COLUMN_POINTS: u8 = 80;

/// One bit a suit, at rank 0. Ranks as bits times this are those ranks in all suits.
pub const SUITS: u64 = 0x0001_0001_0001_0001;

/// The rank of an ace.
pub const ACE: u8 = 14;

/// The aces.
const ACES: u64 = SUITS << ACE;

/// The cards of ten points: tens and court cards.
pub const TENS: u64 = 0x3c00 * SUITS;

/// The cards of clubs. Those of the other suits lie 16, 32 and 48 bits higher.
pub const LANE: u64 = 0x7ffc;

/// The cards of one suit (0 to 3), moved to the lane of clubs.
#[must_use]
#[inline]
pub const fn lane(cards: u64, suit: usize) -> u64 {
    cards >> (16 * suit) & LANE
}

/// The points of a card by [`Card::id`](crate::cards::Card::id): an ace is 1, a court card 10; 0 where there is no card.
const POINTS: [u8; 64] = {
    let (mut points, mut id) = ([0; 64], 0);
    while id < 64 {
        points[id] = match id & 15 {
            14 => 1,
            rank @ 2..=10 => rank as u8,
            11..=13 => 10,
            _ => 0,
        };
        id += 1;
    }
    points
};

/// The points of the card with this number; 0 for none.
#[must_use]
#[inline]
pub const fn points(id: u8) -> u8 {
    POINTS[id as usize & 63]
}

/// The points of these cards together.
#[must_use]
#[inline]
pub fn points_of(cards: u64) -> u16 {
    /// The ranks whose points have each bit.
    const BITS: [u64; 4] = [0x42a8 * SUITS, 0x3ccc * SUITS, 0x00f0 * SUITS, 0x3f00 * SUITS];
    (0..4).map(|bit| ((cards & BITS[bit]).count_ones() as u16) << bit).sum()
}

/// The points of the cards with these numbers together.
#[must_use]
#[inline]
pub fn points_of_four([a, b, c, d]: [u8; 4]) -> u8 {
    points(a) + points(b) + points(c) + points(d)
}

/// The cards with these numbers, 0 for none.
#[must_use]
#[inline]
pub fn set_of([a, b, c, d]: [u8; 4]) -> CardSet {
    CardSet::from_bits((1 << a | 1 << b | 1 << c | 1 << d) & !1)
}

/// The card with the most points, of those of the last suit. The last suit with more than its ace comes first.
#[must_use]
#[inline]
pub fn highest(cards: u64) -> Option<u8> {
    let cards = if cards & !ACES == 0 { cards } else { cards & !ACES };
    (cards != 0).then(|| cards.ilog2() as u8)
}

/// The card with the fewest points, of those of the first suit. The first suit with its ace comes first.
#[must_use]
#[inline]
pub fn lowest(cards: u64) -> Option<u8> {
    let cards = if cards & ACES == 0 { cards } else { cards & ACES };
    (cards != 0).then(|| cards.trailing_zeros() as u8)
}

/// The card of this number and those of its suit that [`highest`] puts before it.
#[must_use]
#[inline]
pub fn not_below(id: u8) -> u64 {
    let suit = 0xffff << (id & 48);
    if ACES >> id & 1 == 1 { suit } else { suit & u64::MAX << id & !ACES }
}
