//! Ranks: a hand seen from a column, with bit arithmetic in place of a walk from card to card.

use crate::cards::CardSet;
use crate::columns::board::{ALL, Column, Direction};

/// The number of ranks.
const RANKS: u32 = 13;

/// The ranks in a hand, one bit each.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Ranks {
    cards: CardSet,
    /// The ranks in the hand.
    pub once: u16,
    /// The ranks with two cards or more.
    twice: u16,
}

/// Rotates ranks so that this one is bit 0. Bit 13 is the same rank again.
#[inline]
const fn from(ranks: u16, rank: u8) -> u32 {
    let ranks = (ranks >> 2) as u32;
    let turned = (ranks | ranks << RANKS) >> (rank - 2);
    turned & 0x3fff
}

/// The inverse of [`from`].
#[inline]
const fn to(seen: u32, rank: u8) -> u16 {
    let turned = ((seen | seen >> RANKS) & 0x1fff) << (rank - 2);
    ((turned | turned >> RANKS) as u16 & 0x1fff) << 2
}

impl Ranks {
    /// The ranks of a hand.
    #[must_use]
    #[inline]
    pub fn of(cards: CardSet) -> Self {
        let bits = cards.bits();
        let lanes = [bits as u16, (bits >> 16) as u16, (bits >> 32) as u16, (bits >> 48) as u16];
        let (once, twice) =
            lanes.iter().fold((0, 0), |(once, twice), lane| (once | lane, twice | once & lane));
        Self { cards, once, twice }
    }

    /// The number of cards of these ranks.
    #[must_use]
    #[inline]
    pub fn count(&self, of: u16) -> u32 {
        (self.cards & CardSet::of_ranks(of)).len() as u32
    }

    /// The ranks that have a neighbour in the hand or two cards.
    #[must_use]
    #[inline]
    pub const fn near(&self) -> u16 {
        let once = self.once;
        let (up, down) = (once << 1 & ALL | once >> 12 & 4, once >> 1 & ALL | (once & 4) << 12);
        self.twice | once & (up | down)
    }

    /// The ranks that can be played in a row on a column that is not empty, upward and downward.
    ///
    /// The rank on top is always among them. It is alone where the column cannot go that way.
    #[must_use]
    #[inline]
    pub const fn rows(&self, column: &Column) -> [u16; 2] {
        let seen = from(self.once, column.top) | 1 | 1 << RANKS;
        let up = (1 << (!seen).trailing_zeros()) - 1_u32;
        let gap = (!(seen << 18)).leading_zeros();
        let down = 0x3fff & !(0x3fff_u32 >> gap);
        let only = 1_u32;
        match column.direction {
            Direction::Up => [to(up, column.top), to(only, column.top)],
            Direction::Down => [to(only, column.top), to(down, column.top)],
            Direction::None => [to(up, column.top), to(down, column.top)],
        }
    }

    /// The pattern of the hand around the card on top of a column, a number below [`super::crosses::PATTERNS`].
    ///
    /// It tells which ranks up to three steps away are held. Where the direction is given, the nearest two are counted up
    /// to twice. For an empty column it tells the longest row in the hand.
    #[must_use]
    #[inline]
    pub fn around(&self, column: &Column) -> u16 {
        if column.top == 0 {
            let (mut row, mut length) = (self.once >> 2 & 0x1fff, 0);
            while row != 0 && length < 7 {
                row &= row >> 1 | (row & 1) << 12;
                length += 1;
            }
            return 164 + length;
        }
        let seen = from(self.once, column.top) as u16;
        let twice = from(self.twice, column.top) as u16;
        // Bits 1 to 3 are the ranks above; bits 12 to 10 those below.
        let [one, two, three] = match column.direction {
            Direction::None => return seen & 15 | (seen >> 10 & 7) << 4,
            Direction::Up => [1, 2, 3],
            Direction::Down => [12, 11, 10],
        };
        let count = |bit: u16| (seen >> bit & 1) + (twice >> bit & 1);
        128 + ((count(0) * 3 + count(one)) * 2 + (seen >> two & 1)) * 2 + (seen >> three & 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Card;
    use crate::columns::board::{above, below};
    use knave_agents::rng::{Role, below as random, stream};

    /// The bits agree with a walk from card to card: which ranks go on in a row, which are near, and how many cards they
    /// have.
    #[test]
    fn ranks_agree_with_a_walk() {
        let mut rng = stream(3, 0, Role::Chance);
        for _ in 0..20_000 {
            let deck: Vec<Card> = Card::all().collect();
            let hand: CardSet =
                (0..random(&mut rng, 14)).map(|_| deck[random(&mut rng, 52) as usize]).collect();
            let held = |rank: u8| hand.into_iter().filter(|card| card.rank() == rank).count();
            let top = 2 + random(&mut rng, 13) as u8;
            let direction = [Direction::None, Direction::Up, Direction::Down][random(&mut rng, 3) as usize];
            let column = Column { top, direction, ..Column::default() };
            let ranks = Ranks::of(hand);
            let row = |next: fn(u8) -> u8, wrong: Direction| {
                let (mut row, mut rank) = (1_u16 << top, next(top));
                while direction != wrong && held(rank) > 0 && rank != top {
                    row |= 1 << rank;
                    rank = next(rank);
                }
                row
            };
            let rows = ranks.rows(&column);
            assert_eq!(rows, [row(above, Direction::Down), row(below, Direction::Up)], "{hand:?} {column:?}");
            let of = |row: u16| (2..15).filter(|r| row >> r & 1 == 1).map(held).sum::<usize>();
            assert_eq!(rows.map(|row| ranks.count(row) as usize), rows.map(of));
            let near = |r: u8| held(r) > 1 || held(r) == 1 && (held(above(r)) > 0 || held(below(r)) > 0);
            assert_eq!(ranks.near(), (2..15).filter(|&r| near(r)).fold(0, |all, r| all | 1 << r));
        }
    }
}
