//! What the player whose turn it is may do, kept up to date from move to move as sets of cards, so that a random move is
//! drawn without listing the moves.

use super::board::{Board, Move, PAIRS};
use crate::cards::{Card, CardSet};
use knave_agents::Rng;
use rand::RngExt as _;

/// The cards that the player whose turn it is may play or steal with, held or not, and the columns that may be
/// finished. It follows from the board; meaningful while a player plays.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The cards that may be played to the own column of each pair, then those that steal there.
    cards: [u64; 2 * PAIRS],
    /// The columns of each seat that may be finished, one bit each.
    ripe: [u8; 2],
}

/// One bit in every byte.
const BYTES: u64 = 0x0101_0101_0101_0101;

impl Options {
    /// The options on this board.
    pub fn of(board: &Board) -> Self {
        let mut options = Self::default();
        options.begin(board);
        for seat in 0..2 {
            options.ripen(board, seat);
        }
        options
    }

    /// A player begins to play.
    pub fn begin(&mut self, board: &Board) {
        for pair in 0..PAIRS {
            self.cards[pair] = board.playable(pair).bits();
            self.cards[PAIRS + pair] = board.stealing(pair).bits();
        }
    }

    fn ripen(&mut self, board: &Board, seat: usize) {
        self.ripe[seat] =
            (0..PAIRS).fold(0, |ripe, pair| ripe | u8::from(board.may_finish(seat, pair)) << pair);
    }

    /// A card was played to the own column of the pair.
    pub fn played(&mut self, board: &Board, seat: usize, pair: usize) {
        self.cards[pair] = board.playable(pair).bits();
        self.cards[PAIRS + pair] = 0;
        self.ripe[seat] = self.ripe[seat] & !(1 << pair) | u8::from(board.may_finish(seat, pair)) << pair;
    }

    /// The opponent's column of the pair was stolen.
    pub fn stole(&mut self, seat: usize, pair: usize) {
        self.cards[pair] = 0;
        self.cards[PAIRS + pair] = 0;
        self.ripe[1 - seat] &= !(1 << pair);
    }

    /// The own column of the pair was finished.
    pub fn finished(&mut self, board: &Board, seat: usize, pair: usize) {
        self.cards[pair] = 0;
        self.ripen(board, seat);
    }

    /// A random move of the player in this seat, who plays with this hand.
    pub fn random_move(&self, seat: usize, hand: CardSet, rng: &mut Rng) -> Move {
        let hand = hand.bits();
        // How many moves each set gives, a byte each; no hand has more than seven cards, so that no byte
        // overflows when the counts are added up by the multiplication.
        let counts = (0..2 * PAIRS)
            .fold(0, |counts, i| counts | u64::from((self.cards[i] & hand).count_ones()) << (8 * i));
        let sums = counts.wrapping_mul(BYTES);
        let with_card = (sums >> 56) as u32;
        let ripe = self.ripe[seat];
        let pick = rng.random_range(0..with_card + ripe.count_ones() + 1);
        if pick < with_card {
            // The first set whose sum is above the pick: the number of sums that are not.
            let not_above = (u64::from(pick) * BYTES | BYTES << 7).wrapping_sub(sums) & BYTES << 7;
            let set = not_above.count_ones();
            let before = (sums << 8 >> (8 * set)) as u32 & 0xff;
            let card = Card::from_id(nth_bit(self.cards[set as usize & 7] & hand, pick - before) as u8);
            let pair = set as u8 % PAIRS as u8;
            return if set < PAIRS as u32 { Move::Play(pair, card) } else { Move::Steal(pair, card) };
        }
        match pick - with_card {
            n if n < ripe.count_ones() => Move::Finish(nth_bit(u64::from(ripe), n) as u8),
            _ => Move::Done,
        }
    }
}

/// The place of the nth bit of a set, counted from 0.
fn nth_bit(mut bits: u64, n: u32) -> u32 {
    for _ in 0..n {
        bits &= bits - 1;
    }
    bits.trailing_zeros()
}

/// A random placement of the dice that were rolled.
pub fn random_placement(board: &Board, rng: &mut Rng) -> Move {
    let [a, b, c] = board.rolled;
    let mut dice = [a, b, c, 0];
    let open = board.open_pairs();
    // A uniform order of the dice, and of no die where a pair stays without one: every placement comes from as many
    // orders as there are ways to exchange equal dice, the same number for each.
    let count = open.count_ones() as usize;
    let mut luck = rng.random_range(0..24_u32);
    for i in (1..count).rev() {
        let n = i as u32 + 1;
        dice.swap(i, (luck % n) as usize);
        luck /= n;
    }
    let mut places = [0; PAIRS];
    let mut next = 0;
    for (pair, place) in places.iter_mut().enumerate() {
        if open >> pair & 1 == 1 {
            *place = dice[next];
            next += 1;
        }
    }
    Move::Place(places)
}
