//! The pile: cards that nobody has seen, and below them the avoided ones.
//!
//! The deck is shuffled lazily, block by block ([`crate::shuffle`]). The cards lie in a ring; places are counted on without
//! wrapping.

use super::deck::{CARDS, DECK};
use super::rules::{AvoidOrder, Rules};
use super::view::PileView;
use crate::cards::{Card, CardSet, ids};
use crate::shuffle::{self, BLOCK, MASK, PLACES};
use knave_agents::Rng;
use knave_agents::rng::split;

/// The 44 cards as a ring and as a set.
const FULL: ([u8; PLACES], CardSet) = {
    let (mut ring, mut bits, mut i) = ([0; PLACES], 0, 0);
    while i < DECK.len() {
        ring[i] = DECK[i].id();
        bits |= 1 << ring[i];
        i += 1;
    }
    (ring, CardSet::from_bits(bits))
};

/// The face-down cards, the order included.
#[derive(Clone, Debug)]
pub struct Pile {
    cards: [u8; PLACES],
    /// The top of the pile.
    head: u8,
    /// One past the bottom of the pile.
    tail: u8,
    /// One past the last card of the deck as dealt: everything from here on was avoided.
    dealt: u8,
    /// The cards up to here have their final place; those up to `dealt` are still to be shuffled.
    settled: u8,
    rng: Rng,
    unseen: CardSet,
    /// All cards in the pile.
    all: CardSet,
}

impl Pile {
    /// The 44 cards in an order that `rng` settles.
    #[inline]
    pub fn shuffled(rng: Rng) -> Self {
        let (cards, all) = FULL;
        let len = DECK.len() as u8;
        Self { cards, head: 0, tail: len, dealt: len, settled: 0, rng, unseen: all, all }
    }

    /// A pile of these cards, top first.
    pub fn ordered(deck: &[Card]) -> Self {
        let cards = ids(deck.iter().copied());
        let len = deck.len() as u8;
        let all = deck.iter().copied().collect();
        Self { cards, head: 0, tail: len, dealt: len, settled: len, rng: Rng::new(0), unseen: all, all }
    }

    /// The number of cards in the pile.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.tail - self.head)
    }

    /// The cards that nobody has seen.
    pub fn unseen(&self) -> CardSet {
        self.unseen
    }

    /// All cards in the pile.
    pub fn cards(&self) -> CardSet {
        self.all
    }

    /// The cards in order, top first, all settled.
    pub fn order(&self) -> Vec<Card> {
        let mut pile = self.clone();
        pile.settle(usize::from(self.dealt));
        (pile.head..pile.tail).map(|i| Card::from_id(pile.cards[usize::from(i) & MASK])).collect()
    }

    /// Shuffles on until the first `upto` cards of the deck have their place.
    #[inline]
    fn settle(&mut self, upto: usize) {
        while usize::from(self.settled) < upto {
            self.settle_block();
        }
    }

    /// Gives the next eight cards their place, or as many as are left.
    #[inline(always)]
    fn settle_block(&mut self) {
        let start = usize::from(self.settled);
        let left = usize::from(self.dealt) - start;
        // With known bounds for the blocks that every game begins with, and a known number of cards in almost every block, the
        // compiler does half the work.
        match (start, left) {
            (0, 44) => self.settle_cards(0, 44, BLOCK),
            (8, 36) => self.settle_cards(8, 36, BLOCK),
            (_, BLOCK..) => self.settle_cards(start, left, BLOCK),
            _ => self.settle_cards(start, left, left),
        }
    }

    #[inline(always)]
    fn settle_cards(&mut self, start: usize, left: usize, count: usize) {
        shuffle::settle(&mut self.cards, start, left, count, &mut self.rng);
        self.settled += count as u8;
    }

    /// Puts the top `n` cards below the others that nobody has seen.
    pub fn rotate_unseen(&mut self, n: usize) {
        if n > 0 {
            debug_assert!(usize::from(self.head) + n <= usize::from(self.dealt), "too few unseen cards");
            self.settle(usize::from(self.dealt));
            self.cards[usize::from(self.head)..usize::from(self.dealt)].rotate_left(n);
        }
    }

    /// The top `n` cards (at most four), removed; 0 after the last.
    #[inline]
    pub fn draw(&mut self, n: usize) -> [u8; 4] {
        let cards = self.draw_blind(n);
        let gone = CardSet::of_ids(&cards);
        self.unseen -= gone;
        self.all -= gone;
        cards
    }

    /// The same for play that never asks which cards are in the pile: the sets stay as they were.
    #[inline]
    pub fn draw_blind(&mut self, n: usize) -> [u8; 4] {
        debug_assert!(n <= self.len(), "too few cards to draw");
        let head = usize::from(self.head);
        self.settle((head + n).min(usize::from(self.dealt)));
        // Four cards at once, and those beyond n cut off.
        let four = std::array::from_fn(|i| self.cards[(head + i) & MASK]);
        let cards = (u64::from(u32::from_le_bytes(four)) & ((1 << (8 * n)) - 1)) as u32;
        self.head += n as u8;
        cards.to_le_bytes()
    }

    /// Puts four cards under the pile, the first nearest the top.
    #[inline]
    pub fn put_under(&mut self, cards: [u8; 4]) {
        cards.iter().for_each(|&id| self.all.insert(Card::from_id(id)));
        self.put_under_blind(cards);
    }

    /// The same for play that never asks which cards are in the pile.
    #[inline]
    pub fn put_under_blind(&mut self, cards: [u8; 4]) {
        for id in cards {
            self.cards[usize::from(self.tail) & MASK] = id;
            self.tail += 1;
        }
    }

    /// Puts the four lowest cards into this order, top first.
    pub fn reorder_bottom(&mut self, cards: [u8; 4]) {
        self.tail -= 4;
        self.put_under(cards);
    }

    /// The four lowest cards, top first.
    pub fn bottom(&self) -> [u8; 4] {
        std::array::from_fn(|i| self.cards[(usize::from(self.tail) - 4 + i) & MASK])
    }

    /// One past the last place at which the card that is drawn from `place` may lie, for all that the player knows. It may be
    /// any unseen card, any of the rest of a block of unknown order, or the one known card.
    fn open_end(&self, place: u8, order: AvoidOrder) -> u8 {
        if place < self.dealt {
            self.dealt
        } else if order == AvoidOrder::Shuffled {
            self.dealt + (place - self.dealt) / 4 * 4 + 4
        } else {
            place + 1
        }
    }

    /// For each of the next `n` cards, how many cards it may be.
    pub fn candidates(&self, n: usize, order: AvoidOrder) -> impl Iterator<Item = usize> {
        let head = self.head;
        (0..n as u8).map(move |i| usize::from(self.open_end(head + i, order) - (head + i)))
    }

    /// The cards that may come after those in `taken`, as [`Card::id`], ascending.
    pub fn possible(&self, taken: &[u8], order: AvoidOrder) -> impl Iterator<Item = u8> {
        let place = self.head + taken.len() as u8;
        let end = self.open_end(place, order);
        // The block begins at the head unless the head lies in an earlier one.
        let start = (self.head..place).find(|&p| self.open_end(p, order) == end).unwrap_or(place);
        let mut cards: Vec<u8> = (start..end)
            .map(|p| self.cards[usize::from(p) & MASK])
            .filter(|id| !taken.contains(id))
            .collect();
        cards.sort_unstable();
        cards.into_iter()
    }

    /// Changes the hidden order so that these cards come next. Everything unsettled stays as random as it was.
    ///
    /// # Panics
    /// If a card cannot come next for all that the player knows.
    pub fn force(&mut self, next: &[u8], order: AvoidOrder) {
        if self.head < self.dealt {
            // Blocks are shuffled as a whole: settle first, swap afterwards.
            self.settle((usize::from(self.head) + next.len()).min(usize::from(self.dealt)));
        }
        for (i, &id) in next.iter().enumerate() {
            let place = self.head + i as u8;
            let end = self.open_end(place, order);
            let Some(found) = (place..end).find(|&p| self.cards[usize::from(p) & MASK] == id) else {
                panic!("{} cannot come next", Card::from_id(id));
            };
            self.cards.swap(usize::from(place) & MASK, usize::from(found) & MASK);
        }
    }

    /// The avoided cards, top first, as [`Card::id`].
    pub fn avoided(&self) -> impl Iterator<Item = u8> {
        let start = self.head.max(self.dealt);
        (start..self.tail).map(|place| self.cards[usize::from(place) & MASK])
    }

    /// How many avoided cards there are.
    pub fn avoided_len(&self) -> usize {
        usize::from(self.tail - self.head.max(self.dealt))
    }

    /// How many cards of the first four avoided ones have been drawn.
    fn drawn_of_block(&self) -> u8 {
        if self.head > self.dealt && self.tail > self.head { (self.head - self.dealt) % 4 } else { 0 }
    }

    /// The player's view of the pile.
    pub fn view(&self, order: AvoidOrder) -> PileView {
        let mut avoided = [0; CARDS];
        let start = self.head.max(self.dealt);
        let len = usize::from(self.tail - start);
        if len > 0 {
            // The ring may begin anew on the way.
            let start = usize::from(start) & MASK;
            let whole = len.min(PLACES - start);
            avoided[..whole].copy_from_slice(&self.cards[start..start + whole]);
            avoided[whole..len].copy_from_slice(&self.cards[..len - whole]);
        }
        let mut view = PileView { unseen: self.unseen, avoided, avoided_len: len as u8, drawn_of_block: 0 };
        if order == AvoidOrder::Shuffled && len > 0 {
            view.drawn_of_block = self.drawn_of_block();
            view.blocks().for_each(<[u8]>::sort_unstable);
        }
        view
    }

    /// A pile drawn uniformly from those with this view.
    pub fn sample(view: &PileView, rules: &Rules, rng: &mut Rng) -> Self {
        let mut cards = [0; PLACES];
        for (place, card) in cards.iter_mut().zip(view.unseen) {
            *place = card.id();
        }
        let unseen = view.unseen.len();
        let drawn = usize::from(view.drawn_of_block);
        let avoided = usize::from(view.avoided_len);
        // The blocks of unknown order keep their places, counted from `dealt`.
        let (head, dealt) = if unseen > 0 { (0, unseen) } else { (drawn, 0) };
        let start = dealt + if unseen > 0 { 0 } else { drawn };
        cards[start..start + avoided].copy_from_slice(&view.avoided[..avoided]);
        if rules.avoid_order == AvoidOrder::Shuffled {
            let first = (4 - drawn).min(avoided);
            shuffle_all(&mut cards[start..start + first], rng);
            cards[start + first..start + avoided].chunks_mut(4).for_each(|block| shuffle_all(block, rng));
        }
        Self {
            cards,
            head: head as u8,
            tail: (start + avoided) as u8,
            dealt: dealt as u8,
            settled: 0,
            rng: split(rng),
            unseen: view.unseen,
            all: view.unseen | CardSet::of_ids(&view.avoided[..avoided]),
        }
    }
}

/// Puts the cards into a uniformly random order.
pub fn shuffle_all(cards: &mut [u8], rng: &mut Rng) {
    use rand::seq::SliceRandom as _;
    cards.shuffle(rng);
}
