//! Features of the learned value: the board after a placement or phase of play, as a seat knows it.
//!
//! All four pairs have the same crosses, so their order matters only where columns of one length share out the slots. A feature of two
//! pairs counts twice.

use super::crosses::{
    self, ANYBODYS, BACK, CHAINS, DOUBLE, DOUBLES, FINISHED, FIT, FITS, GROWING, GROWTH, HANDS, HELD, KNOWN,
    LOOK, LOOKS, MINE, NEAR, NEEDS, NONE, OPEN, OPP_BACK, OTHERS, OUTS, OWN_BACK, PATTERN, PREY, RACE, RACES,
    RISK, SAME, STOCK, STUCK, THEIRS, TORN, USE, WANTED, YOURS,
};
use super::knowledge::{SeatKnowledge, viewpoint};
use super::ranks::Ranks;
use super::slots::{Slots, slots};
use crate::bins::bin;
use crate::cards::CardSet;
use crate::columns::board::{above, below};
use crate::columns::{Board, Column, Columns, Direction, Finish, HAND, PAIRS, Phase};
use knave_agents::Seat;

/// The place of [`FINISHED`] among the features of the whole.
const FINISHED_AT: usize = 7;

/// The number of features of each pair.
pub const EACH: usize = 9;

fn look(column: &Column) -> u16 {
    if column.finished { LOOKS - 1 } else { (column.len() as u16).min(GROWING - 1) }
}

/// The kind of each die.
const KIND: [u16; 7] = [0, 1, 2, 3, 3, 3, 4];

/// The knowledge of a seat beside the board and its hand, in bins: it stays the same while the seat plays.
pub struct BinnedKnowledge {
    seat: Seat,
    /// The probability that the other holds a rank in its next phase.
    risk: [u8; 16],
    /// The share of the unseen cards that fits on a column, by direction and top.
    outs: [[u8; 16]; 3],
    /// The expected cards in a row of the other on each of its columns. The seat changes these only by stealing them.
    fits: [u8; PAIRS],
    /// The number of cards in the other's hand, up to 7.
    faced: u16,
    /// The number of cards in the stock.
    stock: usize,
    /// The number of known cards in the other's hand, up to 7.
    known_cards: u16,
    /// The cards in either hand that the other player knows of.
    revealed: CardSet,
}

impl BinnedKnowledge {
    /// The knowledge of `seat`; `fresh` says whether hands are replenished before the other plays next.
    pub fn new(position: &Columns, seat: Seat, fresh: bool) -> Self {
        let SeatKnowledge { odds, share, expected, .. } = SeatKnowledge::new(position, seat);
        let (odds, expected) = (&odds[usize::from(fresh)], &expected[usize::from(fresh)]);
        let columns = &position.board.columns[1 - seat];
        Self {
            seat,
            risk: odds.map(|p| bin(p, &[1e-6, 0.15, 0.3, 0.45, 1.0])),
            outs: outs(&share),
            fits: columns
                .each_ref()
                .map(|b| if b.is_empty() { 0 } else { bin(reach(b, odds, expected), &REACH) }),
            faced: (position.hands[1 - seat].len() as u16).min(HELD - 1),
            stock: position.stock.len(),
            known_cards: ((position.hands[1 - seat] & position.revealed).len() as u16).min(HELD - 1),
            revealed: position.revealed,
        }
    }

    /// The bin of the share of the unseen cards that fits on a column.
    fn fitting(&self, column: &Column) -> u16 {
        u16::from(self.outs[column.direction as usize][usize::from(column.top & 15)])
    }
}

/// The bin of an empty column, on which everything fits.
const NO_OUTS: u8 = OUTS as u8 - 1;

/// The edges of the bins of [`reach`].
const REACH: [f32; 7] = [0.1, 0.25, 0.45, 0.7, 1.0, 1.5, 2.2];

/// The expected number of cards that go on a column in a row, from a hand with these odds and counts of each rank.
fn reach(column: &Column, odds: &[f32; 16], expected: &[f32; 16]) -> f32 {
    let run = |next: fn(u8) -> u8| {
        let (mut rank, mut odd, mut sum) = (column.top, 1.0, 0.0);
        for _ in 0..3 {
            rank = next(rank);
            sum += odd * expected[usize::from(rank)];
            odd *= odds[usize::from(rank)];
        }
        sum
    };
    let runs = match column.direction {
        Direction::Up => run(above),
        Direction::Down => run(below),
        Direction::None => {
            let (up, down) = (run(above), run(below));
            up.max(down) + up.min(down) * (1.0 - up.max(down).min(1.0))
        }
    };
    expected[usize::from(column.top)] + runs
}

/// The edges of the bins of the share of the unseen cards that fits.
const SHARES: [f32; 4] = [0.1, 0.16, 0.22, 0.3];

/// The bins of [`fits`](super::knowledge::fits) with the share of each rank, by direction and top: rank by rank in loops that
/// need no branch, for this is worked out at every decision of a search.
fn outs(share: &[f32; 16]) -> [[u8; 16]; 3] {
    let (mut up, mut down) = ([0.0; 16], [0.0; 16]);
    for rank in 2..=14 {
        up[usize::from(rank)] = share[usize::from(above(rank))];
        down[usize::from(rank)] = share[usize::from(below(rank))];
    }
    [
        of_tops(|top| share[top] + up[top] + down[top]),
        of_tops(|top| share[top] + up[top]),
        of_tops(|top| share[top] + down[top]),
    ]
}

/// The bins of these sums by top.
#[inline]
fn of_tops(sum: impl Fn(usize) -> f32) -> [u8; 16] {
    let mut bins = [0; 16];
    for (top, to) in bins.iter_mut().enumerate() {
        *to = bin(sum(top), &SHARES);
    }
    bins[0] = NO_OUTS;
    bins
}

/// Replaces `out` with the features of a board for a seat that holds `hand`: those of each pair, then those of the whole.
///
/// Features are always in the same places, except that those of stuck columns are there only when lengths must be exact.
pub fn list(board: &Board, hand: CardSet, bins: &BinnedKnowledge, out: &mut Vec<u16>) {
    let me = bins.seat;
    let point = viewpoint(board, me) as u16;
    let [own, opp] = [&board.columns[me], &board.columns[1 - me]];
    let [mine, yours]: [Slots; 2] = [own, opp].map(|columns| slots(columns, board.rules.finish));
    let mid = matches!(board.phase, Phase::First | Phase::Second) && board.mover() == me;
    let need = |slots: &Slots, pair: usize| u16::from(slots.missing[pair]).min(NEEDS - 1);
    let mut features = [NONE; EACH * PAIRS + 11];
    let [ranks, pile] = [hand, board.stolen].map(Ranks::of);
    let held = (hand.len() as u16).min(HELD - 1);
    // Hands are filled before long: whether the stock is gone by then.
    let drawn = 2 * HAND - usize::from(held + bins.faced);
    let when = u16::from(bins.stock >= drawn) + u16::from(bins.stock >= drawn + HAND);
    let back = |column: &Column| {
        let count = |of: u16, most: u16| (pile.count(of) as u16).min(most - 1);
        [
            point,
            when,
            count(column.stolen_by(), SAME),
            count(if column.is_empty() { 0 } else { column.fitting() }, BACK),
        ]
    };
    let (mut fit, mut used, mut twice, mut steals) = (0, 0, 0, 0);
    for (pair, features) in features.chunks_exact_mut(EACH).take(PAIRS).enumerate() {
        let (a, b) = (&own[pair], &opp[pair]);
        // The die for the next phase of the seat, or of the other.
        let die =
            if mid && board.untouched >> pair & 1 == 0 { board.left[pair].min(5) } else { board.dice[pair] };
        let kind = KIND[usize::from(die)];
        features[0] = LOOK.at([ANYBODYS.part(point, kind), look(a), look(b)]);
        let any = board.dice[pair] > 0;
        if !a.finished {
            let risk = u16::from(bins.risk[usize::from(a.top & 15)]);
            let outs = bins.fitting(a);
            features[1] = RISK.at([point, u16::from(any), risk, outs, look(a)]);
            let most = match die {
                _ if !MINE.dice(point) => 5,
                0 | 6 => 1,
                die => u16::from(die),
            };
            let [up, down] = if a.is_empty() { [0; 2] } else { ranks.rows(a) };
            let length =
                if a.is_empty() { held.min(2) } else { ranks.count(up).max(ranks.count(down)) as u16 };
            let length = length.min(most).min(CHAINS - 1);
            let bound = u16::from(a.direction != Direction::None);
            features[2] = GROWTH.at([MINE.part(point, kind), bound, length, need(&mine, pair)]);
            features[5] = PATTERN.at([MINE.part(point, kind), ranks.around(a)]);
            features[7] = OWN_BACK.at(back(a));
            if !a.is_empty() {
                twice |= fit & a.fitting();
                fit |= a.fitting();
                used |= up | down;
            }
        }
        if !b.finished {
            let held = ranks.count(b.stolen_by());
            steals |= b.stolen_by();
            features[8] = OPP_BACK.at(back(b));
            // Whether there is a die, and whether this seat can still steal now.
            let may = if any { 2 - u16::from(mid && board.untouched >> pair & 1 == 0) } else { 0 };
            features[3] = PREY.at([point, may, (held as u16).min(2), look(b)]);
            let fits = if b.is_empty() { FITS - 1 } else { u16::from(bins.fits[pair]) };
            features[4] = OTHERS.at([YOURS.part(point, kind), fits, need(&yours, pair)]);
            let bound = u16::from(b.direction != Direction::None);
            features[6] = THEIRS.at([point, bound, bins.fitting(b), look(b)]);
        }
    }
    let count = |of: u16| (ranks.count(of) as u16).min(HELD - 1);
    let missing = |slots: &Slots| slots.missing.iter().map(|&n| u16::from(n)).sum::<u16>().min(RACE - 1);
    let finished = |seat: usize| u16::from(board.finished[seat].count());
    // No feature tells of a due draw: a hand is empty only when one is due.
    let stolen = bin(board.stolen.len(), &[1, 3, 6, 10]);
    let stock = bin(bins.stock, &[1, 4, 8, 12, 16, 21]);
    let late = crosses::late(board.rules.max_rounds.saturating_sub(board.round));
    let dry = u16::from(stolen == 0 && bins.stock == 0);
    let mine_known = ((hand & bins.revealed).len() as u16).min(HELD - 1);
    features[EACH * PAIRS..].copy_from_slice(&[
        FIT.at([point, held, count(fit)]),
        NEAR.at([point, held, count(ranks.near() & !fit)]),
        USE.at([point, held, count(used | steals)]),
        DOUBLE.at([point, held, (held - ranks.once.count_ones() as u16).min(DOUBLES - 1)]),
        WANTED.at([point, count(twice).min(DOUBLES - 1), count(fit & steals).min(TORN - 1)]),
        HANDS.at([point, dry, held, bins.faced]),
        RACES.at([point, missing(&mine), missing(&yours)]),
        FINISHED.at([point, finished(me), finished(1 - me)]),
        STOCK.at([point, stolen, stock]),
        KNOWN.at([point, bins.known_cards, mine_known]),
        OPEN.at([point, board.rules.finish as u16, late, board.open.count_ones() as u16]),
    ]);
    out.clear();
    out.extend_from_slice(&features);
    if board.rules.finish == Finish::Exact {
        out.push(STUCK.at([0, u16::from(mine.stuck).min(4)]));
        out.push(STUCK.at([1, u16::from(yours.stuck).min(4)]));
    }
}

/// The viewpoint of listed features.
pub fn point(features: &[u16]) -> usize {
    crosses::point(features[EACH * PAIRS + FINISHED_AT])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::value::knowledge::fits;
    use knave_agents::rng::{Role, below as random, stream};

    /// Rank by rank, the bins are those of the sum that the hand-written value asks for, column by column.
    #[test]
    fn outs_are_bins_of_what_fits() {
        let mut rng = stream(4, 0, Role::Chance);
        for _ in 0..200 {
            let mut share = [0.0; 16];
            share[2..=14].fill_with(|| random(&mut rng, 40) as f32 / 250.0);
            let outs = outs(&share);
            for direction in [Direction::None, Direction::Up, Direction::Down] {
                for top in (2..=14).chain([0]) {
                    let column = Column { top, direction, ..Column::default() };
                    let bin: u8 = bin(fits(&column, &share), &SHARES);
                    assert_eq!(outs[direction as usize][usize::from(top)], bin, "{column:?} {share:?}");
                }
            }
        }
    }
}
