//! The stock: the cards that are drawn from, top first.

use crate::cards::{Card, CardSet};
use knave_agents::Rng;
use rand::RngExt as _;

/// The cards of a whole deck.
pub const DECK: usize = 52;

/// Cards in a fixed order, as [`Card::id`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    cards: [u8; DECK],
    len: u8,
}

impl Order {
    /// These cards, at most 52, in this order.
    pub fn of(cards: impl IntoIterator<Item = Card>) -> Self {
        let mut order = Self { cards: [0; DECK], len: 0 };
        for card in cards {
            order.cards[usize::from(order.len)] = card.id();
            order.len += 1;
        }
        order
    }

    /// The cards of a set in a random order.
    pub fn shuffled(cards: CardSet, rng: &mut Rng) -> Self {
        let mut order = Self::of(cards);
        let cards = &mut order.cards[..usize::from(order.len)];
        for i in (1..cards.len()).rev() {
            cards.swap(i, rng.random_range(0..=i as u32) as usize);
        }
        order
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

/// The stock. What has been drawn since it was last shuffled is still there above the top, so that a deck can be
/// read back right after the deal.
#[derive(Copy, Clone, Debug)]
pub struct Stock {
    order: Order,
    drawn: u8,
}

impl Stock {
    /// A stock in this order.
    #[must_use]
    pub fn new(order: Order) -> Self {
        Self { order, drawn: 0 }
    }

    /// The number of cards.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.order.len - self.drawn)
    }

    /// Draws the card on top; the stock must not be empty.
    pub fn draw(&mut self) -> Card {
        let card = Card::from_id(self.order.cards[usize::from(self.drawn)]);
        self.drawn += 1;
        card
    }

    /// The cards in the stock, top first.
    pub fn cards(&self) -> impl Iterator<Item = Card> {
        let drawn = usize::from(self.drawn);
        (drawn..self.order.len()).map(|i| Card::from_id(self.order.cards[i]))
    }

    /// The order as it was when it was last shuffled.
    #[must_use]
    pub fn order(&self) -> &Order {
        &self.order
    }
}
