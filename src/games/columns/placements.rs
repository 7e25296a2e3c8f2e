//! Where the dice go: `placements.csv`.
//!
//! Every placement offers each of its numbers of eyes, and 0 where a pair must stay without a die, to each open pair:
//! that is one case for each different number and pair, however many of the dice show that number. The cases are
//! counted by what the pair looks like to the roller; one of them for each open pair is what was chosen.

use super::board::{Board, Column, PAIRS};
use crate::games::Cell;
use knave_agents::Seat;

/// The file.
pub const FILE: &str = "placements.csv";

/// Its columns after `game` and `agent`.
pub const COLUMNS: &[&str] = &[
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

/// Rounds are counted together from one of these to the next.
const BUCKETS: [u32; 6] = [1, 4, 7, 10, 15, 25];
/// Columns of this many cards or more are counted together.
const LONG: usize = 8;
/// An empty column, growing ones of 1 to 8 cards, finished ones of 4 to 8.
const LOOKS: usize = 1 + LONG + (LONG - 3);
const DICE: usize = 7;
const CELLS: usize = BUCKETS.len() * DICE * LOOKS * LOOKS;

/// How often a die could have gone to a pair, did, and the roller won then.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Case {
    offered: u64,
    placed: u64,
    won: u64,
}

/// The counts of both seats.
#[derive(Clone, Debug)]
pub struct Placements {
    cases: [Vec<Case>; 2],
    /// What was chosen in the game that is being played.
    chosen: [Vec<u16>; 2],
}

fn look(column: &Column) -> usize {
    let len = column.len().min(LONG);
    if column.finished { LONG + len - 3 } else { len }
}

/// The length and the state of what looks like this.
fn described(look: usize) -> (u64, &'static str) {
    match look {
        0 => (0, "empty"),
        1..=LONG => (look as u64, "growing"),
        _ => ((look - LONG + 3) as u64, "finished"),
    }
}

fn bucket(round: u32) -> usize {
    BUCKETS.iter().rposition(|&first| first <= round).unwrap_or(0)
}

fn bucket_name(i: usize) -> String {
    match BUCKETS.get(i + 1) {
        Some(next) => format!("{:02}-{:02}", BUCKETS[i], next - 1),
        None => format!("{:02}+", BUCKETS[i]),
    }
}

impl Placements {
    /// Nothing counted yet.
    pub fn new() -> Self {
        Self {
            cases: [vec![Case::default(); CELLS], vec![Case::default(); CELLS]],
            chosen: Default::default(),
        }
    }

    /// Counts the placement of the roller.
    pub fn add(&mut self, board: &Board, dice: [u8; PAIRS]) {
        let roller = board.roller();
        let open = board.open_pairs();
        let rolled = board.rolled.iter().fold(0_u8, |set, die| set | 1 << die);
        // One pair stays without a die, but for the last, which gets it.
        let without = open.count_ones() as usize > board.dice_count();
        let offered = rolled & !1 | u8::from(without);
        let first = bucket(board.round) * DICE;
        for pair in (0..PAIRS).filter(|pair| open >> pair & 1 == 1) {
            let [own, opp] = [roller, 1 - roller].map(|seat| look(&board.columns[seat][pair]));
            let cell = |die: usize| ((first + die) * LOOKS + own) * LOOKS + opp;
            let mut left = offered;
            while left != 0 {
                self.cases[roller][cell(left.trailing_zeros() as usize)].offered += 1;
                left &= left - 1;
            }
            self.chosen[roller].push(cell(usize::from(dice[pair])) as u16);
        }
    }

    /// Counts the end of a game.
    pub fn finish(&mut self, winner: Option<Seat>) {
        for (seat, (cases, chosen)) in self.cases.iter_mut().zip(&mut self.chosen).enumerate() {
            let won = u64::from(winner == Some(seat));
            for &cell in chosen.iter() {
                let case = &mut cases[usize::from(cell)];
                case.placed += 1;
                case.won += won;
            }
            chosen.clear();
        }
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (case, more) in self.cases.iter_mut().flatten().zip(other.cases.iter().flatten()) {
            case.offered += more.offered;
            case.placed += more.placed;
            case.won += more.won;
        }
    }

    /// The rows of these seats together: what came at least once.
    pub fn rows(&self, seats: &[Seat]) -> Vec<Vec<Cell>> {
        let mut rows = Vec::new();
        for cell in 0..CELLS {
            let mut case = Case::default();
            for more in seats.iter().map(|&seat| &self.cases[seat][cell]) {
                case.offered += more.offered;
                case.placed += more.placed;
                case.won += more.won;
            }
            if case.offered == 0 {
                continue;
            }
            let (own, opp) = (cell / LOOKS % LOOKS, cell % LOOKS);
            let (bucket, die) = (cell / (LOOKS * LOOKS * DICE), cell / (LOOKS * LOOKS) % DICE);
            let ((own_length, own_state), (opp_length, opp_state)) = (described(own), described(opp));
            rows.push(vec![
                Cell::Text(bucket_name(bucket)),
                Cell::Count(die as u64),
                Cell::Count(own_length),
                Cell::Count(opp_length),
                Cell::Text(own_state.to_owned()),
                Cell::Text(opp_state.to_owned()),
                Cell::Count(case.offered),
                Cell::Count(case.placed),
                Cell::rate(case.placed, case.offered),
                Cell::rate(case.won, case.placed),
            ]);
        }
        rows
    }
}
