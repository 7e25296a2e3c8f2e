//! Claims: which cards of the hand can be paired with a column.
//!
//! A claim gives every card of the column, from the bottom up to its height, a partner of its own from the hand. Two claims
//! that take the same partners for the same column and height are one move. It is written in the first of the legal orders
//! in the byte order of the notation: the canonical order.

use super::bits::subsets;
use super::board::Board;
use super::moves::Claim;
use super::rules::HEIGHT;
use crate::cards::CardSet;

/// The place of a card in the byte order of the notation, by [`crate::cards::Card::id`].
const TEXT_ORDER: [u8; 64] = {
    // The order of the ranks from 2 to the ace: digits, then A, J, K, Q, T.
    const RANKS: [u8; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 12, 9, 11, 10, 8];
    let (mut order, mut id) = ([0; 64], 0);
    while id < 64 {
        if id & 15 >= 2 && id & 15 <= 14 {
            order[id] = RANKS[(id & 15) - 2] * 4 + (id >> 4) as u8;
        }
        id += 1;
    }
    order
};

#[inline]
fn text_order(id: u8) -> u8 {
    TEXT_ORDER[usize::from(id) & 63]
}

/// Puts partners that are all of their column card's suit into canonical order: each suit in text order, in its own places.
pub fn sort_by_suit(partners: &mut [u8; HEIGHT]) {
    for low in 0..HEIGHT - 1 {
        for high in low + 1..HEIGHT {
            let (a, b) = (partners[low], partners[high]);
            if b != 0 && a >> 4 == b >> 4 && text_order(a) > text_order(b) {
                partners.swap(low, high);
            }
        }
    }
}

/// A list of at most four cards in text order.
#[derive(Copy, Clone)]
struct Few {
    ids: [u8; HEIGHT],
    len: usize,
}

impl Few {
    fn of(cards: u64) -> Self {
        let mut few = Self { ids: [0; HEIGHT], len: 0 };
        for card in CardSet::from_bits(cards) {
            few.insert(card.id());
        }
        few
    }

    fn insert(&mut self, id: u8) {
        let mut at = self.len;
        while at > 0 && text_order(self.ids[at - 1]) > text_order(id) {
            self.ids[at] = self.ids[at - 1];
            at -= 1;
        }
        self.ids[at] = id;
        self.len += 1;
    }
}

/// Gives the column's cards from `at` up the cards of `few` that are not `used` yet, in the first order that
/// is legal; `pairs` are the cards that pair with each of them.
fn assign(pairs: &[u64; HEIGHT], few: &Few, at: usize, used: u8, partners: &mut [u8; HEIGHT]) -> bool {
    if at == few.len {
        return true;
    }
    (0..few.len).any(|i| {
        let free = used >> i & 1 == 0 && pairs[at] >> few.ids[i] & 1 == 1;
        partners[at] = few.ids[i];
        free && assign(pairs, few, at + 1, used | 1 << i, partners)
    })
}

/// The canonical order of these cards, at most four, as partners of a column from the bottom up; `None` where no order is
/// legal. `pairs` are the cards that pair with each card of the column.
#[must_use]
pub fn arranged(pairs: &[u64; HEIGHT], cards: u64) -> Option<[u8; HEIGHT]> {
    let mut partners = [0; HEIGHT];
    assign(pairs, &Few::of(cards), 0, 0, &mut partners).then_some(partners)
}

/// The claim with the cards of `claim` in canonical order, where the order that is given is legal.
#[must_use]
pub fn canonical(board: &Board, claim: &Claim) -> Option<Claim> {
    let place = board.open().find(|&place| place == usize::from(claim.column))?;
    let (height, cards) = (claim.height(), claim.cards());
    let distinct = height > 0 && cards.len() == height && cards.bits() & !board.hand.bits() == 0;
    let pairs = board.pairing(place);
    let paired = || claim.partners.iter().zip(pairs).take(height).all(|(id, pairs)| pairs >> id & 1 == 1);
    let gapless = || claim.partners[..height].iter().all(|&id| id != 0);
    if !(distinct && gapless() && paired()) {
        return None;
    }
    arranged(&pairs, cards.bits()).map(|partners| Claim { column: claim.column, partners })
}

/// The partners of a column's cards from the bottom up, each chosen by `pick` of the cards left in the hand that pair.
#[inline]
pub fn upwards(
    pairs: impl Iterator<Item = u64>,
    mut hand: u64,
    pick: impl Fn(u64) -> Option<u8>,
) -> impl Iterator<Item = u8> {
    pairs.map_while(move |pairs| {
        let partner = pick(hand & pairs)?;
        hand &= !(1 << partner);
        Some(partner)
    })
}

/// Calls `f` with every height and set of as many cards of the hand that may pair with a column up to it. [`arranged`]
/// decides whether they do.
pub fn selections(pairs: &[u64; HEIGHT], hand: u64, mut f: impl FnMut(usize, u64)) {
    let mut pool = 0;
    for height in 1..=HEIGHT {
        let partners = pairs[height - 1] & hand;
        if partners == 0 {
            break;
        }
        pool |= partners;
        subsets(pool, height, &mut |cards| f(height, cards));
    }
}

/// Calls `f` with every claim once, by column, then by height.
pub fn list(board: &Board, mut f: impl FnMut(Claim)) {
    for place in board.open() {
        let pairs = board.pairing(place);
        selections(&pairs, board.hand.bits(), |_, cards| {
            if let Some(partners) = arranged(&pairs, cards) {
                f(Claim { column: place as u8, partners });
            }
        });
    }
}
