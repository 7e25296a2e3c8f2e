//! Placements of the dice, as `placements.csv` has them.
//!
//! Every placement offers each rolled number to each open pair, and 0 where a pair must stay without a die. A cell is a
//! number together with the look of a pair to the roller. A placement counts once in a cell, even when several dice show
//! the number or several pairs look the same.

use crate::columns::{Board, Column, PAIRS};
use crate::{Cell, class_name};
use knave_agents::Seat;
use std::collections::BTreeMap;

/// The name of the file.
pub const FILE: &str = "placements.csv";

/// Its columns after `game` and `agent`.
pub const COLUMNS: &[&str] = &[
    "game",
    "agent",
    "rounds_bucket",
    "die",
    "own_length",
    "opp_length",
    "own_state",
    "opp_state",
    "offered",
    "placed",
    "share",
    "win_rate",
];

/// The first numbers of the classes of rounds.
const BUCKETS: [u32; 6] = [1, 4, 7, 10, 15, 25];
/// The length from which on columns are counted together.
const LONG: usize = 8;
/// The number of looks of a column: empty, growing with 1 to 8 cards, finished with 4 to 8.
const LOOKS: usize = 1 + LONG + (LONG - 3);
/// The number of cells for a die: the looks of a pair in each class of rounds.
const CELLS: usize = BUCKETS.len() * LOOKS * LOOKS;
/// Stands for no cell.
const CLOSED: u16 = u16::MAX;
/// No die and six dice, padded to a cache line.
const DICE: usize = 8;

/// So many placements of a game are kept one by one. Few games have more; without a limit one of many rounds would fill the
/// memory.
const KEPT: usize = if cfg!(test) { 16 } else { 4096 };

/// Counts by the die, 0 for none.
pub type ByDie = [u64; DICE];

/// The counts of a seat, by the look of a pair.
#[derive(Clone, Debug)]
struct Counts {
    offered: Vec<ByDie>,
    placed: Vec<ByDie>,
    won: Vec<ByDie>,
    /// The placements of the game under way: the cell of each pair, and its die. Closed pairs have the cell [`CLOSED`],
    /// and so have pairs that repeat the cell and the die of another.
    chosen: Vec<([u16; PAIRS], [u8; PAIRS])>,
    /// How often each die was put into each cell in the earlier part of a long game.
    earlier: BTreeMap<(u16, u8), u64>,
}

/// The counts of both seats.
#[derive(Clone, Debug)]
pub struct Placements([Counts; 2]);

/// 1 for each die of a set, where bit n stands for die n.
const EACH: [ByDie; 128] = {
    let mut table = [[0; DICE]; 128];
    let mut set = 0;
    while set < 128 {
        let mut die = 0;
        while die < 7 {
            table[set][die] = (set >> die & 1) as u64;
            die += 1;
        }
        set += 1;
    }
    table
};

fn add(counts: &mut ByDie, more: &ByDie) {
    for (count, more) in counts.iter_mut().zip(more) {
        *count += more;
    }
}

#[inline]
fn look(column: &Column) -> usize {
    column.len().min(LONG) + if column.finished { LONG - 3 } else { 0 }
}

/// The length and the state of a column with this look.
fn described(look: usize) -> (u64, &'static str) {
    match look {
        0 => (0, "empty"),
        1..=LONG => (look as u64, "growing"),
        _ => ((look - LONG + 3) as u64, "finished"),
    }
}

fn bucket(round: u32) -> usize {
    const OF: [u8; 32] = {
        let (mut table, mut round) = ([0; 32], 0);
        while round < 32 {
            while table[round] + 1 < BUCKETS.len() as u8 && BUCKETS[table[round] as usize + 1] <= round as u32
            {
                table[round] += 1;
            }
            round += 1;
        }
        table
    };
    usize::from(OF[round.min(31) as usize])
}

impl Counts {
    /// Keeps the placements so far as sums.
    #[cold]
    fn sum_up(&mut self) {
        for (cells, dice) in self.chosen.drain(..) {
            for place in cells.into_iter().zip(dice).filter(|&(cell, _)| cell != CLOSED) {
                *self.earlier.entry(place).or_default() += 1;
            }
        }
    }
}

impl Placements {
    /// Counts of nothing.
    pub fn new() -> Self {
        let none = vec![[0; DICE]; CELLS];
        let counts = Counts {
            offered: none.clone(),
            placed: none.clone(),
            won: none,
            chosen: Vec::with_capacity(128),
            earlier: BTreeMap::new(),
        };
        Self([counts.clone(), counts])
    }

    /// Counts the placement of the roller.
    #[inline(never)]
    pub fn add(&mut self, board: &Board, dice: [u8; PAIRS]) {
        let roller = board.roller();
        let counts = &mut self.0[roller];
        let [a, b, c] = board.rolled;
        // One open pair stays without a die, unless it is the only one. A die that was not rolled has the bit of none.
        let without = u8::from(board.open.count_ones() > 1);
        let each = &EACH[usize::from((1 << a | 1 << b | 1 << c) & !1 | without) & 127];
        let first = bucket(board.round) * LOOKS * LOOKS;
        let mut cells = [CLOSED; PAIRS];
        for (pair, chosen) in cells.iter_mut().enumerate() {
            if board.open >> pair & 1 == 1 {
                let (own, opp) = (look(&board.columns[roller][pair]), look(&board.columns[1 - roller][pair]));
                *chosen = (first + own * LOOKS + opp) as u16;
            }
        }
        let mut placed = cells;
        for (pair, &cell) in cells.iter().enumerate().filter(|&(_, &cell)| cell != CLOSED) {
            let before = &cells[..pair];
            if !before.contains(&cell) {
                add(&mut counts.offered[usize::from(cell)], each);
            }
            if before.iter().zip(dice).any(|(&other, die)| (other, die) == (cell, dice[pair])) {
                placed[pair] = CLOSED;
            }
        }
        if counts.chosen.len() == KEPT {
            counts.sum_up();
        }
        counts.chosen.push((placed, dice));
    }

    /// Counts the end of a game, which these seats have won.
    pub fn finish(&mut self, won: impl Fn(Seat) -> bool) {
        for (seat, counts) in self.0.iter_mut().enumerate() {
            let won = u64::from(won(seat));
            for (cells, dice) in counts.chosen.drain(..) {
                for (cell, die) in cells.into_iter().zip(dice).filter(|&(cell, _)| cell != CLOSED) {
                    counts.placed[usize::from(cell)][usize::from(die) % DICE] += 1;
                    counts.won[usize::from(cell)][usize::from(die) % DICE] += won;
                }
            }
            for ((cell, die), times) in std::mem::take(&mut counts.earlier) {
                counts.placed[usize::from(cell)][usize::from(die) % DICE] += times;
                counts.won[usize::from(cell)][usize::from(die) % DICE] += won * times;
            }
        }
    }

    /// Every count.
    pub fn counts(&mut self) -> impl Iterator<Item = &mut [u64]> {
        let seats = self.0.iter_mut();
        let tables = seats.flat_map(|seat| [&mut seat.offered, &mut seat.placed, &mut seat.won]);
        tables.map(|table| table.as_flattened_mut())
    }

    /// How often the seat placed each die.
    pub fn placed(&self, seat: Seat) -> ByDie {
        let mut sum = [0; DICE];
        self.0[seat].placed.iter().for_each(|placed| add(&mut sum, placed));
        sum
    }

    /// The rows of these seats together, for cells that came up at least once.
    pub fn rows(&self, seats: &[Seat]) -> Vec<Vec<Cell>> {
        let mut rows = Vec::new();
        for bucket in 0..BUCKETS.len() {
            for die in 0..7 {
                for (own, opp) in (0..LOOKS * LOOKS).map(|looks| (looks / LOOKS, looks % LOOKS)) {
                    let cell = (bucket * LOOKS + own) * LOOKS + opp;
                    let sum = |counts: fn(&Counts) -> &[ByDie]| -> u64 {
                        seats.iter().map(|&seat| counts(&self.0[seat])[cell][die]).sum()
                    };
                    let offered = sum(|counts| &counts.offered);
                    let (placed, won) = (sum(|counts| &counts.placed), sum(|counts| &counts.won));
                    if offered > 0 {
                        let ((own, own_state), (opp, opp_state)) = (described(own), described(opp));
                        rows.push(vec![
                            Cell::Text(class_name(&BUCKETS, bucket, 2)),
                            Cell::Count(die as u64),
                            Cell::Count(own),
                            Cell::Count(opp),
                            Cell::Text(own_state.to_owned()),
                            Cell::Text(opp_state.to_owned()),
                            Cell::Count(offered),
                            Cell::Count(placed),
                            Cell::rate(placed, offered),
                            Cell::rate(won, placed),
                        ]);
                    }
                }
            }
        }
        rows
    }
}
