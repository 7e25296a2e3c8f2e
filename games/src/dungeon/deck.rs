//! The 44 cards and what each of them is.

use crate::cards::{Card, Suit};

/// The rank of the best weapon and the best potion.
pub(super) const HIGHEST_RED: u8 = 10;

/// The number of cards.
pub(super) const CARDS: usize = 44;

/// The cards of the dungeon, in order.
pub(super) const DECK: [Card; CARDS] = {
    let mut deck = [Card::new(Suit::Clubs, 2); CARDS];
    let mut n = 0;
    let mut s = 0;
    while s < 4 {
        let suit = Suit::ALL[s];
        let top = if matches!(suit, Suit::Clubs | Suit::Spades) { 14 } else { HIGHEST_RED };
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

/// The place of each card in [`DECK`], by [`Card::id`].
const PLACES: [u16; 64] = {
    let (mut places, mut i) = ([0; 64], 0);
    while i < CARDS {
        places[DECK[i].id() as usize] = i as u16;
        i += 1;
    }
    places
};

/// The place in [`DECK`] of the card with this [`Card::id`].
#[must_use]
#[inline]
pub(super) fn place(id: u8) -> u16 {
    PLACES[usize::from(id & 63)]
}

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

/// The ranks up to this one, 15 at most, as the bits of a lane. Below 2 there is no card, so that 0 reaches none.
#[must_use]
#[inline]
pub(super) const fn ranks_upto(rank: u8) -> u16 {
    ((2_u32 << rank) - 1) as u16
}

/// The sum of the ranks in a lane.
#[must_use]
#[inline]
pub(super) fn rank_sum(lane: u16) -> u32 {
    // For each of the four bits of a rank, the ranks that have it, side by side. Counted within every byte at once, since the
    // processors that this is built for need not have an instruction that counts …
    let ranks = (u64::from(lane) * 0x0001_0001_0001_0001) & 0xff00_f0f0_cccc_aaaa;
    let pairs = ranks - (ranks >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // … and added up in the highest byte, each bit with its weight.
    (bytes.wrapping_mul(0x0101_0202_0404_0808) >> 56) as u32
}

#[cfg(test)]
mod tests {
    use super::rank_sum;

    /// The sum over all lanes of ranks from 2 to 14 is that of rank by rank.
    #[test]
    fn ranks_add_up() {
        for lane in (0..1 << 15).step_by(4) {
            let one_by_one = (2..15).filter(|rank| lane >> rank & 1 == 1).sum::<u32>();
            assert_eq!(rank_sum(lane), one_by_one, "{lane:b}");
        }
    }
}
