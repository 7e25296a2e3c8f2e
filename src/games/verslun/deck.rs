//! The 52 cards and their points.

use crate::cards::CardSet;

/// The cards of the game.
pub const CARDS: usize = 52;

/// The ranks of one suit, in the lane of clubs.
pub const LANE: u64 = 0x7ffc;
/// The points of all 52 cards: no game scores more, under any rules.
pub const ALL_POINTS: u16 = 340;

/// The points of a card by [`Card::id`]: an ace is 1, a court card 10; 0 where there is no card.
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
pub fn points(id: u8) -> u8 {
    POINTS[usize::from(id) & 63]
}

/// The cards with these numbers, 0 for none.
#[inline]
pub fn set_of([a, b, c, d]: [u8; 4]) -> CardSet {
    CardSet::from_bits((1 << a | 1 << b | 1 << c | 1 << d) & !1)
}

/// The points of these cards together.
#[inline]
pub fn points_of_four([a, b, c, d]: [u8; 4]) -> u8 {
    points(a) + points(b) + points(c) + points(d)
}
