//! A game that is played at random to its end, a trick at a time.
//!
//! The moves and random numbers are the same as one move after another. A random player never looks at the board, so only
//! hands and tricks taken are kept, and points are counted once, at the end.

use super::board::{Board, Won};
use super::fast_random::applies;
use super::rules::{SCOUNDRELS, SEATS};
use crate::cards::{Card, CardSet, Suit};
use knave_agents::Seat;
use std::hint::select_unpredictable;

/// The sort keys of cards in a trick, by [`Card::id`]: the highest key wins, among equals the last.
///
/// The upper half of a key tells how the trick was won. The array is longer than needed, so that indices need no check.
type Keys = [u8; 256];

/// The distance in [`Keys`] between cards that win in different ways.
const KIND: u8 = 16;

/// The keys by trump suit and led suit, with scoundrels in their printed suits.
static KEYS: [[Keys; 4]; 4] = {
    let mut keys = [[[0; 256]; 4]; 4];
    let mut n = 0;
    while n < 4 * 4 * 64 {
        let (trump, led, id) = (n / 256, n / 64 % 4, n % 64);
        let (suit, rank) = (id / 16, id as u8 % 16);
        keys[trump][led][id] = if SCOUNDRELS.bits() >> id & 1 == 1 {
            2 * KIND
        } else if suit == led {
            rank
        } else if suit == trump {
            KIND + rank
        } else {
            0
        };
        n += 1;
    }
    keys
};

/// The ways to win, by the upper half of a key.
const WAYS: [Won; 4] = [Won::Suit, Won::Ruff, Won::Scoundrel, Won::Scoundrel];

/// The most tricks in a game.
const TRICKS: usize = 13;

/// A random game between two tricks.
///
/// The cards of a hand are numbered in order, so that its sets are small enough to index a table.
#[derive(Copy, Clone)]
pub struct RandomGame {
    pub trump: Suit,
    /// By seat and number, the cards as [`Card::id`].
    cards: [[u8; 16]; SEATS],
    /// By seat and suit, the numbers of its cards.
    suits: [[u32; 4]; SEATS],
    /// By seat, the numbers of the cards left.
    left: [u32; SEATS],
    /// By seat, the cards of the tricks that it has won.
    taken: [u64; SEATS],
    leader: Seat,
    won: Won,
}

impl RandomGame {
    /// A game that has not begun.
    pub const IDLE: Self = Self {
        trump: Suit::Clubs,
        cards: [[0; 16]; SEATS],
        suits: [[0; 4]; SEATS],
        left: [0; SEATS],
        taken: [0; SEATS],
        leader: 0,
        won: Won::NotYet,
    };

    /// A game from here on. Trusted: a trick is about to begin.
    #[inline(always)]
    pub fn new(board: &Board, hands: &[CardSet; SEATS]) -> Self {
        let mut game = Self::IDLE;
        game.begin(board, hands);
        game
    }

    /// Begins from here on. Trusted: a trick is about to begin.
    #[inline(always)]
    pub fn begin(&mut self, board: &Board, hands: &[CardSet; SEATS]) {
        debug_assert!(board.count == 0 && applies(&board.rules));
        self.trump = board.trump;
        self.left = [(1 << hands[0].len()) - 1; SEATS];
        self.taken = board.taken.map(CardSet::bits);
        self.leader = board.mover();
        self.won = board.won;
        for ((hand, cards), suits) in hands.iter().zip(&mut self.cards).zip(&mut self.suits) {
            let mut rest = hand.bits();
            let mut before = 0_u32;
            for (i, suit) in suits.iter_mut().enumerate() {
                let up_to = (1 << (rest << (48 - 16 * i)).count_ones()) - 1;
                *suit = up_to & !before;
                before = up_to;
            }
            for card in &mut cards[..TRICKS] {
                *card = (rest.trailing_zeros() & 63) as u8;
                rest &= rest.wrapping_sub(1);
            }
        }
    }

    /// Plays a trick at random. For each seat, `word` returns its next 64 random bits.
    ///
    /// `lead` is told how the trick before was won, the leader and the card led.
    #[inline(always)]
    pub fn trick(&mut self, mut word: impl FnMut(Seat) -> u64, lead: impl FnOnce(Won, Seat, Card)) {
        let leader = self.leader & 3;
        // The leader is known late, so the words are drawn before.
        let mut words = [0; SEATS];
        for (seat, next) in words.iter_mut().enumerate() {
            *next = word(seat);
        }
        let number = draw(self.left[leader], words[leader]);
        self.left[leader] &= !(1 << number);
        let first = self.cards[leader][number];
        lead(self.won, leader, Card::from_id(first));
        let suit = usize::from(first >> 4 & 3);
        let keys = &KEYS[self.trump as usize][suit];
        let mut best = u32::from(keys[usize::from(first)]) << 2;
        let mut trick = 1 << first;
        for place in 1..SEATS {
            let seat = (leader + place) & 3;
            let follow = self.left[seat] & self.suits[seat][suit];
            let legal = select_unpredictable(follow == 0, self.left[seat], follow);
            let number = draw(legal, words[seat]);
            self.left[seat] &= !(1 << number);
            let card = self.cards[seat][number];
            let key = u32::from(keys[usize::from(card)]) << 2 | place as u32;
            best = select_unpredictable(key > best, key, best);
            trick |= 1 << card;
        }
        self.leader = (leader + best as usize) & 3;
        self.taken[self.leader] |= trick;
        self.won = WAYS[(best >> 6) as usize & 3];
    }

    /// Ends the game on the board where it began. Points, cards taken and the last trick are right afterwards. Parts that
    /// only a decision needs are left as they were.
    #[inline(always)]
    pub fn finish(&self, board: &mut Board) {
        board.settle(self.leader, self.won, self.taken);
    }
}

/// The places of the bits of each number below 2^13, in order from the low end, four bits each.
static PLACES: [u64; 1 << 13] = {
    let (mut table, mut set) = ([0; 1 << 13], 1_usize);
    while set < table.len() {
        table[set] = table[set & (set - 1)] << 4 | set.trailing_zeros() as u64;
        set += 1;
    }
    table
};

/// A number of this set, drawn by a random word as [`knave_agents::rng::below`] does.
#[inline(always)]
fn draw(set: u32, word: u64) -> usize {
    let n = ((u128::from(word) * u128::from(set.count_ones())) >> 64) as u32;
    (PLACES[set as usize & (PLACES.len() - 1)] >> ((4 * n) & 63) & 15) as usize
}
