//! The pile, called the stock in this game: face-down cards in a settled order, top first.

use crate::cards::{Card, CardSet};
use crate::shuffle::{CARDS, DECK};
use knave_agents::Rng;
use rand::Rng as _;

/// An order of cards, as [`Card::id`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    cards: [u8; CARDS],
    len: u8,
}

/// All cards in order.
const FULL: Order = Order { cards: *DECK.first_chunk().expect("a deck has 52 cards"), len: CARDS as u8 };

impl Order {
    /// These cards, at most 52, in this order.
    pub fn of(cards: impl IntoIterator<Item = Card>) -> Self {
        let mut order = Self { cards: [0; CARDS], len: 0 };
        for card in cards {
            order.cards[usize::from(order.len)] = card.id();
            order.len += 1;
        }
        order
    }

    /// All 52 cards in a random order.
    pub fn shuffled_deck(rng: &mut Rng) -> Self {
        let mut order = FULL;
        order.shuffle(rng);
        order
    }

    /// The cards of a set in a random order.
    pub fn shuffled(cards: CardSet, rng: &mut Rng) -> Self {
        let mut order = Self::of(cards);
        order.shuffle(rng);
        order
    }

    /// Batched shuffle: one random word settles four places. After its product with n the high half is below n, and the
    /// low half serves as the next word (Brackett-Rozinsky and Lemire 2024). The last of four places is biased by less
    /// than one part in 2^40. It stands beside [`shuffle`](crate::shuffle), which draws other numbers: with that every seed
    /// would give other games.
    fn shuffle(&mut self, rng: &mut Rng) {
        let mut left = usize::from(self.len);
        while left > 1 {
            let mut luck = rng.next_u64();
            for n in (left.saturating_sub(3).max(2)..=left).rev() {
                let product = u128::from(luck) * n as u128;
                luck = product as u64;
                self.cards.swap(n - 1, (product >> 64) as usize);
            }
            left = left.saturating_sub(4);
        }
    }

    /// The cards.
    pub fn cards(&self) -> impl ExactSizeIterator<Item = Card> {
        self.cards[..usize::from(self.len)].iter().map(|&id| Card::from_id(id))
    }

    /// The number of cards.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether there is no card.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The stock.
///
/// Cards drawn since the last shuffle stay above the top, so that the deck can be read back right after the deal.
#[derive(Copy, Clone, Debug)]
pub struct Stock {
    order: Order,
    drawn: u8,
    /// The cards that are still in the stock.
    left: CardSet,
}

impl Stock {
    /// A stock in this order.
    #[must_use]
    pub fn new(order: Order) -> Self {
        Self { order, drawn: 0, left: order.cards().collect() }
    }

    /// The number of cards.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.order.len - self.drawn)
    }

    /// Draws the card on top. The stock must not be empty.
    #[inline]
    pub fn draw(&mut self) -> Card {
        let card = Card::from_id(self.order.cards[usize::from(self.drawn)]);
        self.drawn += 1;
        self.left.remove(card);
        card
    }

    /// The cards in the stock, top first.
    pub fn cards(&self) -> impl Iterator<Item = Card> {
        let drawn = usize::from(self.drawn);
        (drawn..self.order.len()).map(|i| Card::from_id(self.order.cards[i]))
    }

    /// The cards in the stock as a set.
    #[must_use]
    pub fn left(&self) -> CardSet {
        self.left
    }

    /// The order when the stock was last shuffled, drawn cards included.
    #[must_use]
    pub fn order(&self) -> &Order {
        &self.order
    }
}
