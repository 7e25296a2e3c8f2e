//! The board: everything that all players know, and the course of a trick.
//!
//! It holds the trick, the cards taken, and the suits that players have shown to be out of.

use super::rules::{Rules, SCOUNDRELS, SEATS};
use crate::cards::{Card, CardSet, Suit};
use knave_agents::Seat;
use std::hint::select_unpredictable;

/// The led suit before a lead: every card follows.
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

/// The board: everything that all players know.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The rules.
    pub rules: Rules,
    /// The card that was dealt last and shown. The dealer holds it until it is played.
    pub shown: Card,
    /// The trump suit.
    pub trump: Suit,
    /// The mover; after the last trick, its winner.
    pub mover: u8,
    /// The number of cards in the trick, 0 to 3.
    pub count: u8,
    /// How the trick before this one was won.
    pub won: Won,
    /// The seat that would win the trick as it lies.
    ahead: u8,
    /// The cards of the trick.
    pub trick: CardSet,
    /// The cards that would win the trick as it lies, among bits of no card: before a lead all are set.
    pub winning: CardSet,
    /// The cards of the led suit; all cards before one is led.
    led: CardSet,
    /// The cards that may be played whatever is led.
    free: CardSet,
    /// By seat, the cards of the suits that it may still hold, judged by its play, among bits of no card.
    pub possible: [CardSet; SEATS],
    /// By seat, the cards of the tricks that it has won, scoundrels included.
    pub taken: [CardSet; SEATS],
    /// By seat, the points of those cards.
    pub points: [i8; SEATS],
}

impl Board {
    /// The board of a fresh deal.
    #[inline]
    pub(super) const fn new(rules: Rules, shown: Card) -> Self {
        Self {
            rules,
            shown,
            trump: shown.suit(),
            mover: 0,
            count: 0,
            won: Won::NotYet,
            ahead: 0,
            trick: CardSet::EMPTY,
            winning: ANY,
            led: ANY,
            free: rules.free(),
            possible: [ANY; SEATS],
            taken: [CardSet::EMPTY; SEATS],
            points: [0; SEATS],
        }
    }

    /// The mover.
    #[must_use]
    #[inline]
    pub fn mover(&self) -> Seat {
        usize::from(self.mover & 3)
    }

    /// The leader of the trick, also before the lead.
    #[must_use]
    pub fn leader(&self) -> Seat {
        usize::from(self.mover.wrapping_sub(self.count) & 3)
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
        let follow = hand & self.led;
        select_unpredictable(follow.is_empty(), hand, follow | hand & self.free)
    }

    /// Lays a trick that this seat plays to next: its cards, the suit led, and the seat that is ahead.
    pub(super) fn lay(&mut self, seat: Seat, trick: CardSet, led: Option<Suit>, ahead: Seat) {
        self.trick = trick;
        self.count = trick.len() as u8;
        self.mover = seat as u8;
        self.ahead = ahead as u8;
        self.led = led.map_or(ANY, |suit| CardSet::of_suit(suit) - self.free);
        let trumps = self.trumps();
        let best = [trick & SCOUNDRELS, trick & trumps, trick & self.led]
            .into_iter()
            .find_map(|cards| cards.into_iter().max_by_key(|card| card.rank()));
        self.winning = best.map_or(ANY, |card| self.beating(card));
    }

    /// Plays one of the first three cards of a trick.
    #[inline]
    pub(super) fn play(&mut self, card: Card) {
        self.record_void(card);
        if self.led == ANY && !self.free.contains(card) {
            // The card's number without its rank is where its suit begins.
            self.led = CardSet::from_bits(0xffff << (card.id() & 48)) - self.free;
        }
        let wins = self.winning.contains(card);
        self.ahead = select_unpredictable(wins, self.mover, self.ahead);
        self.winning = select_unpredictable(wins, self.beating(card), self.winning);
        self.trick.insert(card);
        self.count += 1;
        self.mover = (self.mover + 1) & 3;
    }

    /// Plays the last card of a trick. Its winner takes it and leads next.
    #[inline]
    pub(super) fn finish_trick(&mut self, card: Card) {
        self.record_void(card);
        let winner = select_unpredictable(self.winning.contains(card), self.mover, self.ahead) & 3;
        self.trick.insert(card);
        self.won = self.how(self.trick);
        let seat = usize::from(winner);
        self.points[seat] += self.trick_points() as i8;
        self.taken[seat] |= self.trick;
        self.trick = CardSet::EMPTY;
        self.winning = ANY;
        self.led = ANY;
        self.count = 0;
        self.mover = winner;
    }

    /// Ends the game with these cards taken, the last trick by this seat in this way.
    #[inline]
    pub(super) fn settle(&mut self, winner: Seat, won: Won, taken: [u64; SEATS]) {
        let (plus, minus) = self.rules.values();
        let count = |cards: u64, of: CardSet| (cards & of.bits()).count_ones() as i8;
        for (seat, cards) in taken.into_iter().enumerate() {
            self.points[seat] = count(cards, plus) - count(cards, minus);
            self.taken[seat] = CardSet::from_bits(cards);
        }
        self.won = won;
        self.mover = winner as u8;
    }

    /// Records a void: a player who does not follow suit is out of it. A free card shows nothing.
    #[inline]
    fn record_void(&mut self, card: Card) {
        let follows = self.led.contains(card) | self.free.contains(card);
        let shown_out = select_unpredictable(follows, CardSet::EMPTY, self.led);
        let possible = &mut self.possible[usize::from(self.mover & 3)];
        *possible -= shown_out;
    }

    /// The cards that beat this one, the winning card of the trick so far.
    #[inline]
    fn beating(&self, card: Card) -> CardSet {
        let higher = CardSet::from_bits((2_u64 << card.id()).wrapping_neg());
        let trumps = self.trumps();
        let plain = higher & self.led | trumps;
        let others = select_unpredictable(trumps.contains(card), higher & trumps, plain);
        // A scoundrel is beaten by the other one alone.
        let others = select_unpredictable(SCOUNDRELS.contains(card), CardSet::EMPTY, others);
        others | SCOUNDRELS
    }

    /// How a full trick is won.
    #[inline]
    fn how(&self, trick: CardSet) -> Won {
        if !(trick & SCOUNDRELS).is_empty() {
            return Won::Scoundrel;
        }
        let trumps = self.trumps();
        // No branch, for it could not be predicted.
        let ruffed = !(trick & trumps).is_empty() & (self.led & trumps).is_empty();
        select_unpredictable(ruffed, Won::Ruff, Won::Suit)
    }

    /// The seat that would win the trick as it lies. Trusted: the trick is not empty.
    #[must_use]
    pub fn ahead(&self) -> Seat {
        usize::from(self.ahead)
    }

    /// The trumps, including a scoundrel printed in that suit.
    #[must_use]
    #[inline]
    pub const fn trumps(&self) -> CardSet {
        CardSet::of_suit(self.trump)
    }

    /// The points of the cards in the trick.
    #[must_use]
    #[inline]
    pub fn trick_points(&self) -> i32 {
        let (plus, minus) = self.rules.values();
        let count = |of: CardSet| (self.trick & of).len() as i32;
        count(plus) - count(minus)
    }
}
