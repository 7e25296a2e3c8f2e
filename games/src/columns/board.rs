//! The board: everything face up, and what moves do to it.

use super::rules::{FinishedColumns, PAIRS, Rules};
use crate::cards::{Card, CardSet};
use knave_agents::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The direction of a column.
#[derive(
    Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Direction {
    /// Either way.
    #[default]
    None,
    /// To higher ranks, an ace after a king and a two after an ace.
    Up,
    /// To lower ranks.
    Down,
}

/// A column of cards.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Column {
    /// Its cards.
    pub cards: CardSet,
    /// The rank of the card played last, 2 to 14; 0 when the column is empty.
    pub top: u8,
    /// Its direction.
    pub direction: Direction,
    /// Whether it is finished.
    pub finished: bool,
}

/// All ranks.
pub const ALL: u16 = 0x7ffc;

/// The rank above.
#[must_use]
pub const fn above(rank: u8) -> u8 {
    if rank == 14 { 2 } else { rank + 1 }
}

/// The rank below.
#[must_use]
pub const fn below(rank: u8) -> u8 {
    if rank == 2 { 14 } else { rank - 1 }
}

/// The ranks that fit on a column, by the rank on top and the direction. Any rank fits on an empty one.
const FITTING: [[u16; 4]; 16] = {
    let mut table = [[ALL; 4]; 16];
    let mut top = 2;
    while top <= 14 {
        let same = 1 << top;
        let (up, down) = (1 << above(top), 1 << below(top));
        table[top as usize] = [same | up | down, same | up, same | down, 0];
        top += 1;
    }
    table
};

/// The direction of the step from one rank to another, as a number. Steps from an empty column have none.
const STEP: [[u8; 16]; 16] = {
    let mut table = [[Direction::None as u8; 16]; 16];
    let mut top = 2;
    while top <= 14 {
        table[top as usize][above(top) as usize] = Direction::Up as u8;
        table[top as usize][below(top) as usize] = Direction::Down as u8;
        top += 1;
    }
    table
};

impl Column {
    /// The number of cards.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.cards.len()
    }

    /// Whether there is no card.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.top == 0
    }

    /// The ranks that fit on this column with a die of 1 to 5. None when it is finished.
    #[must_use]
    #[inline]
    pub const fn fitting(&self) -> u16 {
        FITTING[(self.top & 15) as usize][self.direction as usize & 3] * !self.finished as u16
    }

    /// The rank that steals this column. None when it is empty or finished.
    #[must_use]
    #[inline]
    pub const fn stolen_by(&self) -> u16 {
        (1 << (self.top & 15) & ALL) * !self.finished as u16
    }

    /// Plays a card that the column takes with this die.
    #[inline]
    pub fn add(&mut self, card: Card, die: u8) {
        let rank = card.rank();
        // A column that has a direction takes no step the other way, so that the two agree or one is none.
        let step = self.direction as u8 | STEP[usize::from(self.top & 15)][usize::from(rank)];
        self.direction = [Direction::None, Direction::Up, Direction::Down, Direction::None]
            [usize::from((step * u8::from(die != 6)) & 3)];
        self.top = rank;
        self.cards.insert(card);
    }
}

/// The pairs with a die, one bit each.
#[inline]
const fn with_die(dice: [u8; PAIRS]) -> u8 {
    // A die of 1 to 6 sets bit 3 of its byte when 7 is added; the multiplication brings those bits together.
    let bits = ((u32::from_le_bytes(dice) + 0x0707_0707) >> 3) & 0x0101_0101;
    (bits.wrapping_mul(0x0102_0408) >> 24) as u8
}

/// The phase of a round: what happens next, after any draw that is due.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The hands are replenished and the dice rolled.
    Roll,
    /// The roller places the dice.
    Place,
    /// The other player plays.
    First,
    /// The roller plays.
    Second,
    /// Nothing: the game is over.
    Over,
}

/// A draw that is due: it comes before the phase goes on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Due {
    /// Nothing.
    Nothing,
    /// A player who ran out of cards draws seven from the stock.
    Draw,
    /// Cards are drawn, and on the way the stolen pile is shuffled to become the new stock.
    Reshuffle,
}

/// The board: everything that both players know.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The rules.
    pub rules: Rules,
    /// The columns by seat and pair.
    pub columns: [[Column; PAIRS]; 2],
    /// The stolen cards.
    pub stolen: CardSet,
    /// The phase.
    pub phase: Phase,
    /// The draw that is due first.
    pub due: Due,
    /// The roller of this round. Once the round is over, the roller of the next.
    pub roller: u8,
    /// The seat that plays in this phase: the roller, except in [`Phase::First`].
    pub mover: u8,
    /// The number of this round, from 1.
    pub round: u32,
    /// The number of rounds that have ended since a card was played or a column finished.
    pub waited: u32,
    /// The dice to be placed as they were rolled, 0 after the last.
    pub rolled: [u8; 3],
    /// The die at each pair, 0 for none.
    pub dice: [u8; PAIRS],
    /// How many cards the mover may still play to the own column of each pair.
    pub left: [u8; PAIRS],
    /// The pairs with a die in which the mover has neither played nor stolen, one bit each.
    pub untouched: u8,
    /// The finished columns of each seat.
    pub finished: [FinishedColumns; 2],
    /// The pairs that dice may be placed at, one bit each. A pair closes when both columns are finished.
    pub open: u8,
    /// How often the stolen pile has become the stock.
    pub reshuffles: u32,
}

impl Board {
    /// The board before the first roll, each column with its first card.
    #[must_use]
    pub fn new(rules: &Rules, bases: [[Card; PAIRS]; 2]) -> Self {
        let column = |card: Card| Column {
            cards: [card].into_iter().collect(),
            top: card.rank(),
            ..Column::default()
        };
        Self {
            rules: *rules,
            columns: bases.map(|cards| cards.map(column)),
            stolen: CardSet::EMPTY,
            phase: Phase::Roll,
            due: Due::Nothing,
            roller: 0,
            mover: 0,
            round: 1,
            waited: 0,
            rolled: [0; 3],
            dice: [0; PAIRS],
            left: [0; PAIRS],
            untouched: 0,
            finished: [FinishedColumns::default(); 2],
            open: (1 << PAIRS) - 1,
            reshuffles: 0,
        }
    }

    /// The seat that rolls and plays second.
    #[must_use]
    #[inline]
    pub const fn roller(&self) -> Seat {
        self.roller as Seat
    }

    /// The seat that plays in this phase.
    #[must_use]
    #[inline]
    pub const fn mover(&self) -> Seat {
        self.mover as Seat
    }

    /// The winner: the seat that has finished all four columns, if one has.
    #[must_use]
    pub fn winner(&self) -> Option<Seat> {
        (0..2).find(|&seat| usize::from(self.finished[seat].count()) == PAIRS)
    }

    /// The number of dice to roll: three, less one for each closed pair, at least one.
    #[must_use]
    pub fn dice_count(&self) -> usize {
        // Of n open pairs one stays without a die, unless it is the last.
        (self.open.count_ones() as usize).saturating_sub(1).max(1)
    }

    /// The placements of the dice that were rolled, in ascending order; at most 24.
    pub fn placements(&self, mut each: impl FnMut([u8; PAIRS])) {
        let open = self.open;
        let mut places = [0; PAIRS];
        self.place_from(0, open, self.rolled, &mut places, &mut each);
    }

    fn place_from(
        &self,
        pair: usize,
        open: u8,
        dice: [u8; 3],
        places: &mut [u8; PAIRS],
        each: &mut impl FnMut([u8; PAIRS]),
    ) {
        let left = dice.iter().filter(|&&die| die > 0).count();
        if left > (open >> pair).count_ones() as usize {
            return;
        }
        if pair == PAIRS {
            each(*places);
            return;
        }
        places[pair] = 0;
        self.place_from(pair + 1, open, dice, places, each);
        if open >> pair & 1 == 0 {
            return;
        }
        for die in 1..=6 {
            if let Some(i) = dice.iter().position(|&other| other == die) {
                let mut rest = dice;
                rest[i] = 0;
                places[pair] = die;
                self.place_from(pair + 1, open, rest, places, each);
            }
        }
        places[pair] = 0;
    }

    /// Whether the dice may be placed like this.
    #[must_use]
    pub fn may_place(&self, dice: [u8; PAIRS]) -> bool {
        let open = self.open;
        // How often each die comes, four bits for each number of eyes.
        let count = |dice: &[u8]| {
            dice.iter().filter(|&&die| die > 0).fold(0, |count, die| count + (1_u32 << (4 * die)))
        };
        dice.iter().all(|&die| die <= 6)
            && count(&dice) == count(&self.rolled)
            && (0..PAIRS).all(|pair| dice[pair] == 0 || open >> pair & 1 == 1)
    }

    /// Places the dice; the player who did not roll begins to play.
    #[inline]
    pub fn place(&mut self, dice: [u8; PAIRS]) {
        self.dice = dice;
        self.phase = Phase::First;
        self.mover = 1 - self.roller;
        self.begin_play();
    }

    /// Ends a phase of play: the roller plays, or the round is over.
    #[inline]
    pub fn done(&mut self) {
        if self.phase == Phase::First {
            self.phase = Phase::Second;
            self.mover = self.roller;
            self.begin_play();
            return;
        }
        self.dice = [0; PAIRS];
        self.left = [0; PAIRS];
        self.untouched = 0;
        self.roller ^= 1;
        self.waited += 1;
        self.mover = self.roller;
        if self.round == self.rules.max_rounds {
            self.phase = Phase::Over;
        } else {
            self.phase = Phase::Roll;
            self.round += 1;
        }
    }

    /// Begins the mover's phase of play.
    #[inline]
    fn begin_play(&mut self) {
        self.untouched = with_die(self.dice);
        // All pairs at once, a byte each. The die is the number of cards, except that a six stands for one.
        let dice = u32::from_le_bytes(self.dice);
        let sixes = (dice >> 1 & dice >> 2) & 0x0101_0101;
        let finished = self.columns[self.mover()].each_ref().map(|column| u8::from(column.finished));
        let finished = u32::from_le_bytes(finished);
        self.left = ((dice - 5 * sixes) & !(0xff * finished)).to_le_bytes();
    }

    /// The cards that the mover may play to the own column of the pair, held or not.
    #[must_use]
    #[inline]
    pub fn playable(&self, pair: usize) -> CardSet {
        CardSet::of_ranks(match self.left[pair] {
            0 => 0,
            _ if self.dice[pair] == 6 => ALL,
            _ => self.columns[self.mover()][pair].fitting(),
        })
    }

    /// The cards with which the mover may steal in the pair, held or not.
    #[must_use]
    #[inline]
    pub fn stealing(&self, pair: usize) -> CardSet {
        CardSet::of_ranks(match self.untouched >> pair & 1 {
            0 => 0,
            _ => self.columns[1 - self.mover()][pair].stolen_by(),
        })
    }

    /// Whether this seat may finish its column of the pair when it plays.
    #[must_use]
    #[inline]
    pub fn may_finish(&self, seat: Seat, pair: usize) -> bool {
        let column = &self.columns[seat][pair];
        let len = column.len();
        len >= 4 && !column.finished && self.finished[seat].with(len).fit(self.rules.finish)
    }

    /// Whether the mover has played no card yet.
    #[must_use]
    #[inline]
    pub fn is_untouched(&self) -> bool {
        self.untouched == with_die(self.dice)
    }

    /// Plays a card to the own column of the pair.
    #[inline]
    pub fn add(&mut self, pair: usize, card: Card) {
        let seat = self.mover();
        self.waited = 0;
        self.columns[seat][pair].add(card, self.dice[pair]);
        self.left[pair] -= 1;
        self.untouched &= !(1 << pair);
    }

    /// Steals the opponent's column of the pair.
    #[inline]
    pub fn steal(&mut self, pair: usize, card: Card) {
        self.waited = 0;
        let column = std::mem::take(&mut self.columns[1 - self.mover()][pair]);
        self.stolen |= column.cards;
        self.stolen.insert(card);
        self.left[pair] = 0;
        self.untouched &= !(1 << pair);
    }

    /// Finishes the own column of the pair.
    pub fn finish(&mut self, pair: usize) {
        let seat = self.mover();
        self.waited = 0;
        let column = &mut self.columns[seat][pair];
        column.finished = true;
        let finished = self.finished[seat].with(column.len());
        self.left[pair] = 0;
        self.finished[seat] = finished;
        self.open &= !(u8::from(self.columns[1 - seat][pair].finished) << pair);
        if usize::from(finished.count()) == PAIRS {
            self.phase = Phase::Over;
        }
    }
}
