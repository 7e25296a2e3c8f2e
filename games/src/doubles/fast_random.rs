//! Fast path for all-random games of two players, an answer to a roll at a time.
//!
//! The moves and random numbers are the same as one move after another. Whether a card is played, a round ends and a roll is due
//! cannot be predicted, so an answer is worked out without asking: what does not happen is added as 0. A few games take turns at it,
//! for each has to wait for its own numbers.

use super::board::Phase;
use super::position::{Doubles, dice};
use super::rules::Rules;
use super::tally::{DoublesTally, SeatTally};
use crate::cards::{CardSet, NTH};
use knave_agents::Rng;
use knave_agents::rng::{Role, Streams, below};

/// The number of games that are dealt at once.
pub const TOGETHER: usize = 32;

/// The number of games that take turns.
const INTERLEAVED: usize = 4;

/// Whether the fast path knows these rules: two players and a single game.
pub fn applies(rules: &Rules) -> bool {
    rules.players == 2 && rules.target == 0
}

/// Plays fresh games of the same rules to their ends and counts them.
pub fn play_at_random(
    games: &mut [Doubles],
    streams: &[Streams],
    tally: &mut DoublesTally,
    moves: &mut [u64],
) {
    debug_assert_eq!(games.len(), streams.len(), "a game has one set of generators");
    let Some(seats) = tally.two_seats() else {
        unreachable!("two players have two seats");
    };
    let mut fresh = games.iter_mut().zip(streams).zip(moves.as_chunks_mut().0);
    let mut fresh =
        || fresh.next().map(|((position, streams), moves)| RandomGame::new(position, *streams, moves));
    let mut playing: Vec<RandomGame<'_>> = std::iter::from_fn(&mut fresh).take(INTERLEAVED).collect();
    while !playing.is_empty() {
        let mut i = 0;
        while let Some(game) = playing.get_mut(i) {
            game.answer(seats);
            if !game.over {
                i += 1;
            } else if let Some(next) = fresh() {
                game.finish();
                *game = next;
                i += 1;
            } else {
                game.finish();
                playing.swap_remove(i);
            }
        }
    }
}

/// The low and the high bit of every byte.
const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// The ranks of a hand, the card with the lowest number first, a byte each.
fn ranks(hand: CardSet) -> u64 {
    hand.into_iter().zip(0..).fold(0, |ranks, (card, place)| ranks | u64::from(card.rank()) << (8 * place))
}

/// The ranks above this one, as the high bits of their bytes.
#[inline]
fn above(ranks: u64, rank: u32) -> u64 {
    ((ranks | HIGH) - LOW * u64::from(rank + 1)) & HIGH
}

/// All bits if the flag is 1, none if it is 0.
#[inline]
fn mask(flag: u32) -> u32 {
    flag.wrapping_neg()
}

/// The generator of the dice, and that of numbers that nobody needs where no roll is due.
const CHANCE: usize = 2;
const SPARE: usize = 3;

/// A game that is being played. Flags among the numbers are 0 or 1.
struct RandomGame<'a> {
    position: &'a mut Doubles,
    moves: &'a mut [u64; 2],
    /// Those of both seats, [`CHANCE`] and [`SPARE`].
    rngs: [Rng; 4],
    /// The [`ranks`] of both hands, 0 for a card that was played.
    hands: [u64; 2],
    scores: [u32; 2],
    stakes: u32,
    /// The rank of the last challenge since the last roll, 0 if there was none.
    high: u32,
    /// The number of rolls that are left.
    rolls: u32,
    /// The number of cards that are left in both hands.
    held: u32,
    roller: u32,
    mover: u32,
    /// The round ends when this seat would be asked: the last challenger, or the roller.
    last: u32,
    /// Whether a roll comes first.
    due: u32,
    over: bool,
}

impl<'a> RandomGame<'a> {
    fn new(position: &'a mut Doubles, streams: Streams, moves: &'a mut [u64; 2]) -> Self {
        let board = &position.board;
        debug_assert!(board.phase == Phase::Roll && board.rolls == 0 && board.game == 0, "a fresh game");
        let dice = streams.role(Role::Chance);
        let hands = [ranks(position.hands[0]), ranks(position.hands[1])];
        Self {
            moves,
            rngs: [streams.role(Role::Agent(0)), streams.role(Role::Agent(1)), dice.clone(), dice],
            hands,
            scores: [0; 2],
            stakes: 0,
            high: 0,
            rolls: board.max_rolls,
            held: board.held.into(),
            roller: 0,
            mover: 0,
            last: 0,
            due: 1,
            over: false,
            position,
        }
    }

    /// Rolls if a roll is due, and plays one answer and what follows from it.
    #[inline(always)]
    fn answer(&mut self, seats: &mut [SeatTally; 2]) {
        let due = self.due;
        let [a, b] = dice(&mut self.rngs[if due == 1 { CHANCE } else { SPARE }]);
        let doubles = u32::from(a == b);
        seats[self.roller as usize & 1].rolled(doubles, due);
        self.stakes += u32::from(a + b) & mask(due);
        self.rolls -= due;
        let forced = doubles & due;

        let seat = self.mover as usize & 1;
        let hand = self.hands[seat];
        let playable = above(hand, self.high);
        let count = playable.count_ones();
        let pick = below(&mut self.rngs[seat], count + 1 - forced);
        let played = u32::from(pick < count);
        // One product gathers the bits of the seven bytes; no two of its partial sums meet.
        let places = ((playable >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
        let place = (u64::from_le_bytes(NTH[usize::from(places)]) >> (8 * pick)) as u32 & 7;
        let rank = (hand >> (8 * place)) as u32 & 15 & mask(played);
        self.hands[seat] = hand & !(u64::from(0xff * played) << (8 * place));
        self.held -= played;
        self.moves[seat] += 1;
        seats[seat].answered(forced, rank, self.stakes);

        let high = self.high & !mask(played) | rank;
        let last = self.last & !mask(played) | self.mover & mask(played);
        let next = self.mover ^ 1;
        let asked = above(self.hands[next as usize & 1], high);
        let ends = u32::from(next == last) | u32::from(asked == 0);
        if ends & u32::from(high == 0) == 1 {
            return self.choose(seats);
        }
        let taken = self.stakes & mask(ends);
        self.scores[last as usize & 1] += taken;
        seats[last as usize & 1].took(taken);
        self.stakes -= taken;
        self.high = high & !mask(ends);
        self.roller ^= ends;
        self.due = ends;
        let first = self.first();
        self.last = self.roller & mask(ends) | last & !mask(ends);
        self.mover = first & mask(ends) | next & !mask(ends);
        self.over = ends & (u32::from(self.held == 0) | u32::from(self.rolls == 0)) == 1;
    }

    /// The roller pockets the stakes that nobody has challenged or rolls again. This is rare, so it is asked for.
    fn choose(&mut self, seats: &mut [SeatTally; 2]) {
        let seat = self.roller as usize & 1;
        let pockets = below(&mut self.rngs[seat], 2) == 0;
        self.moves[seat] += 1;
        seats[seat].chose(pockets, self.stakes);
        if pockets {
            self.scores[seat] += self.stakes;
            self.stakes = 0;
            self.roller ^= 1;
        }
        (self.high, self.due, self.last, self.mover) = (0, 1, self.roller, self.first());
        self.over = self.rolls == 0;
    }

    /// The first seat that is asked after a roll: the roller, unless it has no cards.
    #[inline]
    fn first(&self) -> u32 {
        self.roller ^ u32::from(self.hands[self.roller as usize & 1] == 0)
    }

    /// What is asked of a finished game.
    fn finish(&mut self) {
        let board = &mut self.position.board;
        board.phase = Phase::Over;
        board.scores[..2].copy_from_slice(&self.scores);
        board.limited = self.held > 0;
    }
}
