//! What lies or has lain face up: the trick, the cards taken, and what the players have shown to hold
//! and not to hold.

use super::SCOUNDRELS;
use super::rules::Rules;
use crate::cards::{Card, CardSet, Suit};
use knave_agents::Seat;
use std::hint::select_unpredictable;

/// The number of players.
pub const SEATS: usize = 4;

/// The seat that deals.
pub const DEALER: Seat = 3;

/// Stands for the led suit where none is led yet: every card follows.
const ANY: CardSet = CardSet::from_bits(u64::MAX);

/// How a trick was won.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Won {
    /// No trick has been won yet.
    NotYet,
    /// By the highest card of the led suit.
    Suit,
    /// By a trump on another suit.
    Ruff,
    /// By a scoundrel.
    Scoundrel,
}

/// Everything that all players know.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// The rules.
    pub rules: Rules,
    /// The card that was dealt last and shown: it is in the dealer's hand until it is played.
    pub shown: Card,
    /// The trump suit.
    pub trump: Suit,
    /// The seat whose turn it is; after the last trick, the one that won it.
    pub seat: u8,
    /// The number of cards in the trick, 0 to 3.
    pub count: u8,
    /// How the trick before this one was won.
    pub won: Won,
    /// The cards of the trick as [`Card::id`], a byte each, the latest in the lowest byte.
    order: u32,
    /// The cards of the trick.
    pub trick: CardSet,
    /// The cards that belong to the led suit; all, where no suit is led.
    led: CardSet,
    /// The cards that may be played whatever is led.
    free: CardSet,
    /// By seat, the cards of those suits that the seat has not shown to be out of.
    pub open: [CardSet; SEATS],
    /// By seat, the cards of the tricks that it has won, scoundrels included.
    pub taken: [CardSet; SEATS],
    /// By seat, the points of those cards.
    pub points: [i8; SEATS],
}

impl Table {
    /// The table of a fresh deal.
    #[inline]
    pub(super) const fn new(rules: Rules, shown: Card) -> Self {
        Self {
            rules,
            shown,
            trump: shown.suit(),
            seat: 0,
            count: 0,
            won: Won::NotYet,
            order: 0,
            trick: CardSet::EMPTY,
            led: ANY,
            free: rules.free(),
            open: [ANY; SEATS],
            taken: [CardSet::EMPTY; SEATS],
            points: [0; SEATS],
        }
    }

    /// The seat whose turn it is.
    #[must_use]
    #[inline]
    pub fn seat(&self) -> Seat {
        usize::from(self.seat & 3)
    }

    /// The seat that led the trick, or leads it.
    #[must_use]
    pub fn leader(&self) -> Seat {
        usize::from(self.seat.wrapping_sub(self.count) & 3)
    }

    /// The cards of the trick in the order in which they were played.
    pub fn played(&self) -> impl Iterator<Item = Card> + use<> {
        let (order, count) = (self.order, u32::from(self.count));
        (0..count).rev().map(move |i| Card::from_id((order >> (8 * i)) as u8))
    }

    /// The led suit, if one is led.
    #[must_use]
    pub fn led(&self) -> Option<Suit> {
        (self.led != ANY).then(|| Suit::ALL[self.led.bits().trailing_zeros() as usize / 16])
    }

    /// Whether the seat has played to the trick.
    #[must_use]
    pub fn has_played(&self, seat: Seat) -> bool {
        seat.wrapping_sub(self.leader()) & 3 < usize::from(self.count)
    }

    /// The cards of this hand that may be played.
    #[must_use]
    #[inline]
    pub fn legal(&self, hand: CardSet) -> CardSet {
        let hand = hand.bits();
        let follow = hand & self.led.bits();
        CardSet::from_bits(select_unpredictable(follow == 0, hand, follow | hand & self.free.bits()))
    }

    /// Plays one of the first three cards of a trick.
    #[inline]
    pub(super) fn play(&mut self, card: Card) {
        self.mark_open(card);
        (self.trick, self.order) = self.trick_with(card);
        if self.led == ANY && !self.free.contains(card) {
            // The card's number without its rank is where its suit begins.
            self.led = CardSet::from_bits(0xffff << (card.id() & 48) & !self.free.bits());
        }
        self.count += 1;
        self.seat = (self.seat + 1) & 3;
    }

    /// Plays the last card of a trick, which goes to its winner, who leads next.
    #[inline]
    pub(super) fn finish_trick(&mut self, card: Card) {
        self.mark_open(card);
        let (trick, order) = self.trick_with(card);
        let winner = self.seat.wrapping_sub(self.played_after_best(trick, order)) & 3;
        self.won = self.how(trick);
        let seat = usize::from(winner);
        self.points[seat] += self.points_of(trick) as i8;
        self.taken[seat] = CardSet::from_bits(self.taken[seat].bits() | trick.bits());
        self.trick = CardSet::EMPTY;
        self.order = 0;
        self.led = ANY;
        self.count = 0;
        self.seat = winner;
    }

    /// Who plays another suit than the led one shows to be out of it; a free card shows nothing.
    #[inline]
    fn mark_open(&mut self, card: Card) {
        let follows = self.led.contains(card) | self.free.contains(card);
        let shown_out = select_unpredictable(follows, 0, self.led.bits());
        let open = &mut self.open[usize::from(self.seat & 3)];
        *open = CardSet::from_bits(open.bits() & !shown_out);
    }

    /// The trick and its order once this card has been played to it.
    #[inline]
    fn trick_with(&self, card: Card) -> (CardSet, u32) {
        (CardSet::from_bits(self.trick.bits() | 1 << card.id()), self.order << 8 | u32::from(card.id()))
    }

    /// How many cards of a trick were played after the one that wins it.
    #[inline]
    fn played_after_best(&self, trick: CardSet, order: u32) -> u8 {
        let scoundrels = trick.bits() & SCOUNDRELS.bits();
        if scoundrels != 0 {
            let is_scoundrel = |i: &u8| scoundrels >> (order >> (8 * i) & 63) & 1 == 1;
            return (0..4).find(is_scoundrel).unwrap_or(0);
        }
        let trumps = trick.bits() & self.trumps().bits();
        let best = select_unpredictable(trumps == 0, trick.bits() & self.led.bits(), trumps);
        // The byte of the order that equals the highest of these cards becomes the lowest zero byte.
        let differing = order ^ (63 - best.leading_zeros()).wrapping_mul(0x0101_0101);
        let zero = differing.wrapping_sub(0x0101_0101) & !differing & 0x8080_8080;
        (zero.trailing_zeros() / 8) as u8
    }

    /// How a trick is won.
    #[inline]
    fn how(&self, trick: CardSet) -> Won {
        if trick.bits() & SCOUNDRELS.bits() != 0 {
            return Won::Scoundrel;
        }
        let trumps = self.trumps().bits();
        // Nobody can foresee this one, a processor no more than a player.
        let ruffed = (trick.bits() & trumps != 0) & (self.led.bits() & trumps == 0);
        select_unpredictable(ruffed, Won::Ruff, Won::Suit)
    }

    /// The points of these cards.
    #[inline]
    fn points_of(&self, cards: CardSet) -> i32 {
        let (plus, minus) = self.rules.values();
        let count = |of: CardSet| (cards.bits() & of.bits()).count_ones() as i32;
        count(plus) - count(minus)
    }

    /// The seat that would win the trick as it lies. Trusted: some card has been played to it.
    #[must_use]
    pub fn ahead(&self) -> Seat {
        let later = self.played_after_best(self.trick, self.order);
        usize::from(self.seat.wrapping_sub(1 + later) & 3)
    }

    /// The trumps, a scoundrel of that suit among them.
    #[must_use]
    #[inline]
    pub const fn trumps(&self) -> CardSet {
        CardSet::from_bits(lane(self.trump))
    }

    /// The points of the cards in the trick.
    #[must_use]
    #[inline]
    pub fn trick_points(&self) -> i32 {
        self.points_of(self.trick)
    }

    /// The cards that would win the trick as it lies.
    #[must_use]
    #[inline]
    pub fn winning(&self) -> CardSet {
        let (trick, trumps) = (self.trick.bits(), self.trumps().bits());
        let plain = if trick == 0 {
            !0
        } else if trick & SCOUNDRELS.bits() != 0 {
            0
        } else if trick & trumps != 0 {
            higher(trick & trumps) & trumps
        } else {
            higher(trick & self.led.bits()) & self.led.bits() | trumps
        };
        CardSet::from_bits(plain | SCOUNDRELS.bits())
    }
}

/// All cards of a suit.
#[inline]
const fn lane(suit: Suit) -> u64 {
    0xffff << (suit as u64 * 16)
}

/// The bits above the highest of these.
#[inline]
const fn higher(bits: u64) -> u64 {
    !(u64::MAX >> bits.leading_zeros())
}
