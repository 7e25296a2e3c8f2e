//! Random play to the end, a trick at a time.
//!
//! The same moves from the same random numbers as one after another, for a fraction of the work: a random
//! player never asks what the others have shown, what lies on the table or who is ahead, so only hands and
//! tricks taken are kept, and the points are counted once, at the end.

use super::table::{SEATS, Won};
use super::{SCOUNDRELS, Scoundrels, Whist};
use crate::cards::{Card, CardSet};
use knave_agents::Seat;
use std::hint::select_unpredictable;

/// What a card is worth in a trick, by [`Card::id`]: among the cards of a trick the highest wins, and among
/// equals the last. Its upper half tells how the trick was won.
type Keys = [u8; 64];

/// How far the kinds of cards that win in different ways lie apart in [`Keys`].
const KIND: u8 = 16;

/// By trump suit and led suit, scoundrels in their printed suits.
static KEYS: [[Keys; 4]; 4] = {
    let mut keys = [[[0; 64]; 4]; 4];
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

/// Whether these games can be raced: where scoundrels belong to their printed suits.
pub fn can_race(position: &Whist) -> bool {
    position.table.rules.scoundrels == Scoundrels::Printed
}

/// Plays on at random, from the beginning of a trick to the end of the game. `word` gives the next random word
/// of a seat; `lead` is told, before each trick, how the one before was won, who leads and which card.
///
/// Afterwards the game is over and its points, the cards taken and the last trick are right; what only
/// matters to a decision is left as it was.
#[inline]
pub fn race(position: &mut Whist, mut word: impl FnMut(Seat) -> u64, mut lead: impl FnMut(Won, Seat, Card)) {
    debug_assert!(position.table.count == 0 && can_race(position));
    let Whist { table, hands, legal, .. } = position;
    let tricks = hands[0].len();
    // The cards of a hand are numbered, so that the sets to draw from are small enough for a table.
    let mut cards = [[0; 16]; SEATS];
    let mut left = [(1_u16 << tricks) - 1; SEATS];
    let mut suits = [[0; 4]; SEATS];
    let mut taken = [0; SEATS];
    for seat in 0..SEATS {
        taken[seat] = table.taken[seat].bits();
        let mut rest = hands[seat].bits();
        let mut before = 0_u16;
        for (i, suit) in suits[seat].iter_mut().enumerate() {
            let up_to = (1 << (rest << (48 - 16 * i)).count_ones()) - 1;
            *suit = up_to & !before;
            before = up_to;
        }
        for card in &mut cards[seat][..13] {
            *card = (rest.trailing_zeros() & 63) as u8;
            rest &= rest.wrapping_sub(1);
        }
    }
    let (mut leader, mut won) = (table.seat(), table.won);
    let keys = &KEYS[table.trump as usize];
    for _ in 0..tricks {
        // Who leads is known last, and all else waits for it: the words do not.
        let mut words = [0; SEATS];
        for (seat, next) in words.iter_mut().enumerate() {
            *next = word(seat);
        }
        let number = draw(left[leader], words[leader]);
        left[leader] &= !(1 << number);
        let first = cards[leader][number];
        lead(won, leader, Card::from_id(first));
        let suit = usize::from(first >> 4 & 3);
        let keys = &keys[suit];
        let mut best = u32::from(keys[usize::from(first & 63)]) << 2;
        let mut trick = 1 << first;
        for place in 1..SEATS {
            let seat = (leader + place) & 3;
            let follow = left[seat] & suits[seat][suit];
            let number = draw(select_unpredictable(follow == 0, left[seat], follow), words[seat]);
            left[seat] &= !(1 << number);
            let card = cards[seat][number];
            best = best.max(u32::from(keys[usize::from(card & 63)]) << 2 | place as u32);
            trick |= 1 << card;
        }
        leader = (leader + best as usize) & 3;
        taken[leader] |= trick;
        won = WAYS[(best >> 6) as usize & 3];
    }
    *hands = [CardSet::EMPTY; SEATS];
    *legal = CardSet::EMPTY;
    table.settle(leader, won, taken);
}

/// The places of the bits of a number below 2^13 in order, four bits each, the first lowest.
static PLACES: [u64; 1 << 13] = {
    let (mut table, mut set) = ([0; 1 << 13], 0);
    while set < table.len() {
        let (mut bit, mut n) = (0, 0);
        while bit < 13 {
            if set >> bit & 1 == 1 {
                table[set] |= bit << (4 * n);
                n += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    table
};

/// One of the numbers of this set, by a random word as [`knave_agents::rng::below`] makes it.
#[inline(always)]
fn draw(legal: u16, word: u64) -> usize {
    let n = ((u128::from(word) * u128::from(legal.count_ones())) >> 64) as u32;
    (PLACES[usize::from(legal) & (PLACES.len() - 1)] >> ((4 * n) & 63) & 15) as usize
}
