//! The pile: the deck of the first game, shuffled lazily. Nothing is drawn after the deal.

use crate::cards::{Card, CardSet, cards_of, ids};
use crate::shuffle::{self, CARDS, DECK, PLACES};
use knave_agents::Rng;
use knave_agents::rng::split;

/// The number of cards that one random word settles: a whole hand.
const BLOCK: usize = 7;

/// A deck, top first. Its order depends on the generator alone, however much of it is settled when.
#[derive(Clone, Debug)]
pub struct Deck {
    ids: [u8; PLACES],
    len: u8,
    /// The number of cards on top that have their final place.
    settled: u8,
    rng: Rng,
}

impl Deck {
    /// All cards in an order that `rng` settles.
    #[inline]
    pub fn shuffled(rng: &mut Rng) -> Self {
        Self { ids: DECK, len: CARDS as u8, settled: 0, rng: split(rng) }
    }

    /// These cards, top first; at most 52.
    pub fn ordered(cards: impl IntoIterator<Item = Card>) -> Self {
        let ids = ids(cards);
        let len = cards_of(&ids).count() as u8;
        Self { ids, len, settled: len, rng: Rng::new(0) }
    }

    /// An empty deck.
    pub fn none() -> Self {
        Self::ordered([])
    }

    /// All cards in order, top first.
    pub fn order(&self) -> impl Iterator<Item = Card> {
        let mut deck = self.clone();
        deck.settle(usize::from(deck.len));
        (0..usize::from(deck.len)).map(move |place| Card::from_id(deck.ids[place]))
    }

    /// The cards as a set.
    pub fn cards(&self) -> CardSet {
        if usize::from(self.len) == CARDS {
            return CardSet::DECK;
        }
        cards_of(&self.ids).collect()
    }

    /// The first `count` cards as [`Card::id`], top first.
    pub fn top(&mut self, count: usize) -> &[u8] {
        self.settle(count);
        &self.ids[..count]
    }

    fn settle(&mut self, upto: usize) {
        while usize::from(self.settled) < upto {
            let left = usize::from(self.len - self.settled);
            // Nearly every block is whole: let the compiler unroll it.
            if left >= BLOCK { self.settle_cards(BLOCK) } else { self.settle_cards(left) }
        }
    }

    #[inline(always)]
    fn settle_cards(&mut self, count: usize) {
        let start = usize::from(self.settled);
        let left = usize::from(self.len) - start;
        shuffle::settle(&mut self.ids, start, left, count, &mut self.rng);
        self.settled += count as u8;
    }
}
