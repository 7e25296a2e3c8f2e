//! Slots: how far the columns of a seat are from being finished. The evaluator `missing` looks at nothing else.

use crate::columns::{Column, Columns, Finish, PAIRS};
use knave_agents::{Evaluator, Seat};
use std::sync::LazyLock;

/// The distance of a seat's columns from the slots that are left.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Slots {
    /// The cards missing in each unfinished column, by pair.
    pub missing: [u8; PAIRS],
    /// The number of columns too long for any slot that is left, where lengths must be exact.
    pub stuck: u8,
}

/// The number of kinds of columns, as far as slots matter: 0 to 6 or more cards, or finished with 4 to 6 or more.
const KINDS: usize = 10;

/// [`Slots`] by the kinds of the columns, for either rule: three bits a pair, and three for those that are stuck.
static SLOTS: LazyLock<[Box<[u16]>; 2]> = LazyLock::new(|| {
    [Finish::AtLeast, Finish::Exact].map(|finish| {
        let packed = |all: usize| {
            let kinds = [all / 1000, all / 100 % 10, all / 10 % 10, all % 10];
            let Slots { missing: [a, b, c, d], stuck } = filled(kinds, finish);
            [b, c, d, stuck].iter().zip(1..).fold(u16::from(a), |sum, (&n, i)| sum | u16::from(n) << (3 * i))
        };
        (0..KINDS.pow(PAIRS as u32)).map(packed).collect()
    })
});

/// Matches unfinished columns with the slots that finished ones leave, the longest with the highest.
pub(super) fn slots(columns: &[Column; PAIRS], finish: Finish) -> Slots {
    let kind = |column: &Column| column.len().min(6) + 3 * usize::from(column.finished);
    let all = columns.iter().fold(0, |all, column| all * KINDS + kind(column));
    let packed = SLOTS[usize::from(finish == Finish::Exact)][all];
    let [a, b, c, d, stuck] = [0, 3, 6, 9, 12].map(|shift| (packed >> shift & 7) as u8);
    Slots { missing: [a, b, c, d], stuck }
}

fn filled(kinds: [usize; PAIRS], finish: Finish) -> Slots {
    let columns = kinds.map(|kind| if kind > 6 { (kind - 3, true) } else { (kind, false) });
    // The pairs, those of the longest columns first.
    let mut order = [3, 2, 1, 0];
    order.sort_by_key(|&pair: &usize| std::cmp::Reverse(columns[pair].0));
    let mut left = [true; PAIRS];
    const LENGTHS: [usize; PAIRS] = [6, 5, 5, 4];
    for (len, _) in order.map(|pair| columns[pair]).into_iter().filter(|column| column.1) {
        let fits = |slot: usize| left[slot] && len >= LENGTHS[slot];
        if let Some(slot) = (0..PAIRS).find(|&slot| fits(slot)) {
            left[slot] = false;
        }
    }
    let mut slots = Slots { missing: [0; PAIRS], stuck: 0 };
    let mut free = (0..PAIRS).filter(|&slot| left[slot]);
    for pair in order.into_iter().filter(|&pair| !columns[pair].1) {
        let (len, slot) = (columns[pair].0, free.next().map_or(4, |slot| LENGTHS[slot]));
        slots.missing[pair] = slot.saturating_sub(len) as u8;
        slots.stuck += u8::from(finish == Finish::Exact && slot < 6 && len > slot);
    }
    slots
}

/// The evaluator `missing`, a plain yardstick: the cards that either side is short of.
pub struct Missing;

impl Evaluator<Columns> for Missing {
    fn value(&self, position: &Columns, seat: Seat) -> f64 {
        let board = &position.board;
        let missing = [seat, 1 - seat].map(|seat| {
            let slots = slots(&board.columns[seat], board.rules.finish);
            f64::from(slots.missing.iter().sum::<u8>() + slots.stuck)
                - 0.5 * f64::from(board.finished[seat].count())
        });
        1.0 / (1.0 + (0.2 * (missing[0] - missing[1])).exp())
    }
}
