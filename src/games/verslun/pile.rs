//! The pile: face-down cards in an order that nobody knows.
//!
//! The deck is shuffled lazily, eight cards at a time from one random word, so that a game that ends
//! early pays for the cards that it saw. The blocks lie at fixed places of the deck: its order depends
//! on the generator alone, never on the moves.

use super::rules::CARDS;
use crate::cards::{Card, CardSet};
use knave_agents::Rng;
use rand::Rng as _;

/// How many places a pile has, more than cards so that indices need no check.
const PLACES: usize = 64;
const MASK: usize = PLACES - 1;
/// How many cards one random word settles.
const BLOCK: usize = 8;

/// The 52 cards in order.
const FULL: [u8; PLACES] = {
    let (mut cards, mut i) = ([0; PLACES], 0);
    while i < CARDS {
        cards[i] = (i / 13 * 16 + i % 13 + 2) as u8;
        i += 1;
    }
    cards
};

/// The face-down cards, the order included. Cards that were drawn stay where they lay.
#[derive(Clone, Debug)]
pub struct Pile {
    cards: [u8; PLACES],
    /// The top of the pile.
    head: u8,
    /// One past the bottom of the pile.
    end: u8,
    /// The cards up to here have their final place; the others are still to be shuffled.
    settled: u8,
    rng: Rng,
}

impl Pile {
    /// The 52 cards in an order that `rng` settles.
    pub fn shuffled(rng: Rng) -> Self {
        Self { cards: FULL, head: 0, end: CARDS as u8, settled: 0, rng }
    }

    /// A pile of these cards, top first.
    pub fn ordered(deck: &[Card]) -> Self {
        let mut cards = [0; PLACES];
        for (place, card) in cards.iter_mut().zip(deck) {
            *place = card.id();
        }
        let end = deck.len() as u8;
        Self { cards, head: 0, end, settled: end, rng: Rng::new(0) }
    }

    /// These cards in an order drawn uniformly.
    pub fn sample(unseen: CardSet, rng: &mut Rng) -> Self {
        let mut cards = [0; PLACES];
        for (place, card) in cards.iter_mut().zip(unseen) {
            *place = card.id();
        }
        let state = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        Self { cards, head: 0, end: unseen.len() as u8, settled: 0, rng: Rng::new(state) }
    }

    /// The number of cards in the pile.
    pub fn len(&self) -> usize {
        usize::from(self.end - self.head)
    }

    /// The cards in the pile.
    pub fn cards(&self) -> CardSet {
        let left = usize::from(self.head)..usize::from(self.end);
        CardSet::from_bits(self.cards[left].iter().fold(0, |bits, id| bits | 1 << id))
    }

    /// The whole deck, top first, all settled.
    pub fn deck(&self) -> Vec<Card> {
        let mut pile = self.clone();
        pile.settle(usize::from(self.end));
        pile.cards[..usize::from(self.end)].iter().map(|&id| Card::from_id(id)).collect()
    }

    /// Shuffles on until the first `upto` cards of the deck have their place.
    #[inline]
    fn settle(&mut self, upto: usize) {
        while usize::from(self.settled) < upto {
            let left = usize::from(self.end - self.settled);
            // Almost every block is whole: let the compiler unroll it.
            if left >= BLOCK { self.settle_block(BLOCK) } else { self.settle_block(left) }
        }
    }

    #[inline(always)]
    fn settle_block(&mut self, count: usize) {
        let start = usize::from(self.settled);
        let left = usize::from(self.end) - start;
        loop {
            // One word gives every swap of the block: multiply by the bound, take the high half, go on
            // with the low half (batched dice rolls, Brackett-Rozinsky and Lemire 2024). A word whose
            // last remainder falls below 2^64 mod the product of the bounds would be biased: then the
            // block is shuffled again from where it stands, which is as good as from any order.
            let mut word = self.rng.next_u64();
            let mut product = 1;
            for i in 0..count {
                let bound = (left - i) as u64;
                let wide = u128::from(word) * u128::from(bound);
                word = wide as u64;
                product *= bound;
                self.cards.swap((start + i) & MASK, (start + i + (wide >> 64) as usize) & MASK);
            }
            if word >= product || word >= product.wrapping_neg() % product {
                break;
            }
        }
        self.settled += count as u8;
    }

    /// The top four cards, removed: a column, the last card drawn first, as it lies at the bottom.
    #[inline]
    pub fn draw_column(&mut self) -> [u8; 4] {
        debug_assert!(self.len() >= 4, "too few cards to deal");
        let head = usize::from(self.head);
        self.settle(head + 4);
        self.head += 4;
        std::array::from_fn(|i| self.cards[(head + 3 - i) & MASK])
    }

    /// The top `n` cards, removed.
    #[inline]
    pub fn draw(&mut self, n: usize) -> CardSet {
        debug_assert!(n <= self.len(), "too few cards to draw");
        let head = usize::from(self.head);
        self.settle(head + n);
        self.head += n as u8;
        CardSet::from_bits((head..head + n).fold(0, |bits, i| bits | 1 << self.cards[i & MASK]))
    }

    /// Changes what is hidden so that these cards come next. Everything unsettled stays as random as it
    /// was.
    ///
    /// # Panics
    /// If a card is not in the pile.
    pub fn force(&mut self, next: impl Iterator<Item = u8> + Clone) {
        let head = usize::from(self.head);
        // Blocks are shuffled as a whole: settle first, swap afterwards.
        self.settle(head + next.clone().count());
        for (i, id) in next.enumerate() {
            let place = head + i;
            let Some(found) = (place..usize::from(self.end)).find(|&p| self.cards[p] == id) else {
                panic!("{} cannot come next", Card::from_id(id));
            };
            self.cards.swap(place, found);
        }
    }
}
