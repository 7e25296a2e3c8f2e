//! The pile: face-down cards in an order that nobody knows.
//!
//! The deck is shuffled lazily, block by block ([`crate::shuffle`]).

use super::deck::CARDS;
use crate::cards::{Card, CardSet, ids};
use crate::shuffle::{self, BLOCK, DECK, MASK, PLACES};
use knave_agents::Rng;
use knave_agents::rng::split;

/// The most cards that are drawn at once with the usual hand.
const USUAL: usize = 5;

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
    /// The cards in the pile; not meaningful while cards are put aside without a place.
    left: CardSet,
    rng: Rng,
}

impl Pile {
    /// The 52 cards in an order that `rng` settles.
    #[inline]
    pub fn shuffled(rng: Rng) -> Self {
        Self { cards: DECK, head: 0, end: CARDS as u8, settled: 0, left: CardSet::DECK, rng }
    }

    /// A pile of these cards, top first.
    pub fn ordered(deck: &[Card]) -> Self {
        let cards = ids(deck.iter().copied());
        let end = deck.len() as u8;
        let left = deck.iter().copied().collect();
        Self { cards, head: 0, end, settled: end, left, rng: Rng::new(0) }
    }

    /// These cards in an order drawn uniformly.
    pub fn sample(unseen: CardSet, rng: &mut Rng) -> Self {
        let cards = ids(unseen);
        let end = unseen.len() as u8;
        Self { cards, head: 0, end, settled: 0, left: unseen, rng: split(rng) }
    }

    /// The number of cards in the pile.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.end - self.head)
    }

    /// The cards in the pile.
    #[inline]
    pub fn cards(&self) -> CardSet {
        debug_assert!(!self.owes(), "nobody knows which cards are put aside");
        self.left
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
            self.settle_block();
        }
    }

    /// Gives the next eight cards their place, or as many as are left.
    #[inline]
    fn settle_block(&mut self) {
        let start = usize::from(self.settled);
        let left = usize::from(self.end) - start;
        // With known bounds for the blocks that every game begins with the compiler does half the work.
        match (start, left) {
            (0, 52) => self.settle_cards(0, 52, BLOCK),
            (8, 44) => self.settle_cards(8, 44, BLOCK),
            (16, 36) => self.settle_cards(16, 36, BLOCK),
            _ => self.settle_others(start, left),
        }
    }

    #[inline(never)]
    fn settle_others(&mut self, start: usize, left: usize) {
        if left >= BLOCK {
            self.settle_cards(start, left, BLOCK);
        } else {
            self.settle_cards(start, left, left);
        }
    }

    #[inline(always)]
    fn settle_cards(&mut self, start: usize, left: usize, count: usize) {
        shuffle::settle(&mut self.cards, start, left, count, &mut self.rng);
        self.settled += count as u8;
    }

    /// Takes the top `n` cards away before they have their place; [`Pile::lay_out`] settles later which they are.
    #[inline]
    pub fn put_aside(&mut self, n: usize) {
        self.head += n as u8;
    }

    /// Whether cards were put aside that have no place yet.
    #[inline]
    pub fn owes(&self) -> bool {
        self.settled < self.head
    }

    /// The columns that the first cards of the deck make.
    #[inline]
    pub fn lay_out(&mut self, columns: &mut [[u8; 4]]) {
        self.settle(4 * columns.len());
        for (i, column) in columns.iter_mut().enumerate() {
            *column = self.column(4 * i);
            self.left -= CardSet::of_ids(column);
        }
    }

    /// The top four cards as a column, removed.
    #[inline]
    pub fn draw_column(&mut self) -> [u8; 4] {
        debug_assert!(self.len() >= 4, "too few cards to deal");
        let head = usize::from(self.head);
        self.settle(head + 4);
        self.head += 4;
        let column = self.column(head);
        self.left -= CardSet::of_ids(&column);
        column
    }

    /// Four cards as a column: the last of them is its first, at the bottom.
    #[inline]
    fn column(&self, place: usize) -> [u8; 4] {
        let card = |i: usize| self.cards[(place + i) & MASK];
        [card(3), card(2), card(1), card(0)]
    }

    /// The top `n` cards, removed.
    #[inline]
    pub fn draw(&mut self, n: usize) -> CardSet {
        debug_assert!(n <= self.len(), "too few cards to draw");
        let head = usize::from(self.head);
        self.settle(head + n);
        self.head += n as u8;
        let card = |i: usize| self.cards[(head + i) & MASK];
        let drawn = CardSet::from_bits(if n <= USUAL {
            // Without a loop to `n`: its end could not be predicted.
            (0..USUAL).fold(0, |bits, i| bits | u64::from(i < n) << card(i))
        } else {
            (0..n).fold(0, |bits, i| bits | 1 << card(i))
        });
        self.left -= drawn;
        drawn
    }

    /// Changes the hidden order so that these cards come next. Everything unsettled stays as random as it was.
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
