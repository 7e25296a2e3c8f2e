//! Incremental move generation: the legal moves as sets of cards, kept up to date from move to move.
//!
//! A random move is drawn from the sets without listing the moves.

#[cfg(doc)]
use super::board::Column;
use super::board::{ALL, Board};
use super::moves::Move;
use super::rules::PAIRS;
use crate::cards::{Card, CardSet};
use knave_agents::Rng;
use knave_agents::rng::below;

/// The cards that the mover may play or steal with, held or not, and the columns that may be finished.
///
/// All of it follows from the board. The cards are meaningful only while a player plays.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MoveSets {
    /// The cards that may be played to the own column of each pair, then the cards that steal there.
    cards: [u64; 2 * PAIRS],
    /// [`Column::fitting`] of the columns of each seat, a 16-bit lane each.
    fitting: [u64; 2],
    /// [`Column::stolen_by`] of the columns of each seat, a 16-bit lane each.
    stolen_by: [u64; 2],
    /// The columns of each seat that may be finished, one bit each.
    ripe: [u8; 2],
    /// The lengths that each seat may finish: bit n for n cards, bit 6 for six or more.
    lengths: [u8; 2],
}

/// One bit in every lane.
const LANES: u64 = 0x0001_0001_0001_0001;

/// Puts a value into a lane.
#[inline]
fn set_lane(lanes: &mut u64, lane: usize, value: u16) {
    *lanes = *lanes & !(0xffff << (16 * lane)) | u64::from(value) << (16 * lane);
}

/// One bit in every byte.
const BYTES: u64 = 0x0101_0101_0101_0101;

impl MoveSets {
    /// The sets for this board.
    pub fn of(board: &Board) -> Self {
        let mut sets =
            Self { cards: [0; 2 * PAIRS], fitting: [0; 2], stolen_by: [0; 2], ripe: [0; 2], lengths: [0; 2] };
        for (seat, columns) in board.columns.iter().enumerate() {
            for (pair, column) in columns.iter().enumerate() {
                set_lane(&mut sets.fitting[seat], pair, column.fitting());
                set_lane(&mut sets.stolen_by[seat], pair, column.stolen_by());
            }
            sets.ripen(board, seat);
        }
        for pair in 0..PAIRS {
            sets.cards[pair] = board.playable(pair).bits();
            sets.cards[PAIRS + pair] = board.stealing(pair).bits();
        }
        sets
    }

    /// Updates the sets when a phase of play begins, all pairs at once, a lane each.
    #[inline]
    pub fn begin(&mut self, board: &Board) {
        let mover = board.mover();
        // The dice in lanes; 7 more sets bit 3 of those that are there.
        let dice = u64::from(u32::from_le_bytes(board.dice));
        let dice = (dice | dice << 16) & 0x0000_ffff_0000_ffff;
        let dice = (dice | dice << 8) & (0xff * LANES);
        let any = ((dice + 7 * LANES) >> 3 & LANES) * 0xffff;
        let six = (dice >> 1 & dice >> 2 & LANES) * 0xffff;
        // A finished column is one that nothing fits on.
        let fitting = self.fitting[mover];
        let open = (((fitting >> 1) & (0x7fff * LANES)) + 0x7fff * LANES) >> 15 & LANES;
        let play = fitting & any & !six | (open * u64::from(ALL)) & six;
        let steal = self.stolen_by[1 - mover] & any;
        for pair in 0..PAIRS {
            self.cards[pair] = CardSet::of_ranks((play >> (16 * pair)) as u16).bits();
            self.cards[PAIRS + pair] = CardSet::of_ranks((steal >> (16 * pair)) as u16).bits();
        }
    }

    /// Updates which columns of a seat may be finished.
    fn ripen(&mut self, board: &Board, seat: usize) {
        let may = |len: &usize| board.finished[seat].with(*len).fit(board.rules.finish);
        self.lengths[seat] = (4..=6).filter(may).fold(0, |lengths, len| lengths | 1 << len);
        self.ripe[seat] =
            (0..PAIRS).fold(0, |ripe, pair| ripe | u8::from(board.may_finish(seat, pair)) << pair);
    }

    /// Updates the sets after a card was played to the own column of the pair.
    #[inline]
    pub fn played(&mut self, board: &Board, seat: usize, pair: usize) {
        let column = &board.columns[seat][pair];
        set_lane(&mut self.fitting[seat], pair, column.fitting());
        set_lane(&mut self.stolen_by[seat], pair, column.stolen_by());
        // After a six there are no cards left to play.
        let more = u16::from(board.left[pair] > 0);
        self.cards[pair] = CardSet::of_ranks(column.fitting() * more).bits();
        self.cards[PAIRS + pair] = 0;
        let ripe = self.lengths[seat] >> column.len().min(6) & 1;
        self.ripe[seat] = self.ripe[seat] & !(1 << pair) | ripe << pair;
    }

    /// Updates the sets after the opponent's column of the pair was stolen.
    #[inline]
    pub fn stole(&mut self, seat: usize, pair: usize) {
        self.cards[pair] = 0;
        self.cards[PAIRS + pair] = 0;
        set_lane(&mut self.fitting[1 - seat], pair, ALL);
        set_lane(&mut self.stolen_by[1 - seat], pair, 0);
        self.ripe[1 - seat] &= !(1 << pair);
    }

    /// Updates the sets after the own column of the pair was finished.
    pub fn finished(&mut self, board: &Board, seat: usize, pair: usize) {
        self.cards[pair] = 0;
        set_lane(&mut self.fitting[seat], pair, 0);
        set_lane(&mut self.stolen_by[seat], pair, 0);
        self.ripen(board, seat);
    }

    /// A uniformly random legal move of this seat with this hand.
    // Always inlined: the fast path for random play goes on by the kind of move.
    #[inline(always)]
    pub fn random_move(&self, seat: usize, hand: CardSet, rng: &mut Rng) -> Move {
        let hand = hand.bits();
        // How many moves each set gives, a byte each; no hand has more than seven cards, so that no byte
        // overflows when the counts are added up by the multiplication.
        let counts = (0..2 * PAIRS)
            .fold(0, |counts, i| counts | u64::from((self.cards[i] & hand).count_ones()) << (8 * i));
        let sums = counts.wrapping_mul(BYTES);
        let with_card = (sums >> 56) as u32;
        let ripe = self.ripe[seat];
        let pick = below(rng, with_card + ripe.count_ones() + 1);
        if pick < with_card {
            // The first set whose sum is above the pick: the number of sums that are not.
            let not_above = ((u64::from(pick) * BYTES) | (BYTES << 7)).wrapping_sub(sums) & (BYTES << 7);
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

/// The place of the nth bit of a set, counted from 0. The first steps have no branch, for it could not be predicted.
#[inline]
fn nth_bit(mut bits: u64, n: u32) -> u32 {
    for step in 0..3 {
        bits &= bits.wrapping_sub(u64::from(n > step));
    }
    for _ in 3..n {
        bits &= bits - 1;
    }
    bits.trailing_zeros()
}

/// The permutations of four things. The first 1, 2, 6 and 24 permute the first 1, 2, 3 and 4 things alone.
const ORDERS: [[u8; PAIRS]; 24] = {
    let mut orders = [[0, 1, 2, 3]; 24];
    let mut n = 0;
    while n < 24 {
        let (mut i, mut rest) = (1, n);
        while i < PAIRS {
            let j = i - rest % (i + 1);
            rest /= i + 1;
            (orders[n][i], orders[n][j]) = (orders[n][j], orders[n][i]);
            i += 1;
        }
        n += 1;
    }
    orders
};

/// A uniformly random placement of the dice that were rolled.
#[inline]
pub fn random_placement(board: &Board, rng: &mut Rng) -> Move {
    const COUNT: [u32; PAIRS + 1] = [1, 1, 2, 6, 24];
    let [a, b, c] = board.rolled;
    let dice = [a, b, c, 0];
    // A uniform permutation of the dice and of the places without one. Every placement comes from the same number of
    // permutations: the ways to exchange equal dice.
    let order = &ORDERS[below(rng, COUNT[board.open.count_ones() as usize]) as usize];
    let mut places = [0; PAIRS];
    let mut next = 0;
    for (pair, place) in places.iter_mut().enumerate() {
        let open = board.open >> pair & 1;
        *place = dice[usize::from(order[next & 3] & 3)] * open;
        next += usize::from(open);
    }
    Move::Place(places)
}
