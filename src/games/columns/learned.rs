//! The features of a learned value: what a placement or a phase of play leaves behind, as a seat knows it.
//!
//! It does not matter which of the four pairs is which. Each pair is looked up in a few tables, and what is found is
//! counted: a feature that two pairs have is there twice. What a look is worth depends on what comes next and on who
//! is about to do it, so most tables have a part for each [`viewpoint`].

use super::board::{Board, Column, Direction, PAIRS, Phase, above, below};
use super::heuristic::{Insight, SUITS, Slots, chain, fits, slots, viewpoint};
use super::{Columns, Move, Rules, phase};
use crate::cards::CardSet;
use crate::games::CardGame as _;
use knave_agents::learn::{After, Features, LearnedValue, Model};
use knave_agents::{Seat, StepList};
use std::sync::{Arc, LazyLock};

/// Viewpoints.
const POINTS: u16 = 6;
/// What can be done in a pair: dice of 0, 1, 2, 3 to 5 and 6, by viewpoint where dice lie; no dice in the others.
const ACCESS: u16 = 4 * DICE + 2;
const DICE: u16 = 5;
/// Columns of 0 to 7 or more cards, and finished ones.
const LOOKS: u16 = 9;
/// Cards missing, 0 to 5 or more.
const NEEDS: u16 = 6;
/// Probabilities, in steps.
const ODDS: u16 = 7;
/// Cards of the hand that go on in a row, 0 to 4 or more.
const CHAINS: u16 = 5;
/// Sums of the probabilities of what fits, in steps.
const FITS: u16 = 7;
/// Cards missing on one side, 0 to 13 or more.
const RACE: u16 = 14;

// Where each table begins.
const LOOK: u16 = 0;
const RISK: u16 = LOOK + LOOKS * LOOKS * ACCESS;
const GROWTH: u16 = RISK + 8 * ODDS * 2 * POINTS;
const OUTS: u16 = GROWTH + NEEDS * CHAINS * 2 * ACCESS;
const PREY: u16 = OUTS + NEEDS * FITS * POINTS;
const OTHERS: u16 = PREY + 8 * 3 * 3 * POINTS;
const HELD: u16 = OTHERS + NEEDS * FITS * ACCESS;
const RACES: u16 = HELD + 18 * POINTS;
const FINISHED: u16 = RACES + RACE * RACE * POINTS;
const KEPT: u16 = FINISHED + 25 * POINTS;
const FACED: u16 = KEPT + 8 * POINTS;
const STOCK: u16 = FACED + 8 * POINTS;
const STUCK: u16 = STOCK + 5 * 2;
const INPUTS: u16 = STUCK + 2 * 5;

fn look(column: &Column) -> u16 {
    if column.finished { LOOKS - 1 } else { (column.len() as u16).min(LOOKS - 2) }
}

/// A probability in steps, those that are certain apart.
fn odds(p: f32) -> u16 {
    match p {
        p if p <= 0.0 => 0,
        p if p >= 1.0 => ODDS - 1,
        p => 1 + (p * 5.0) as u16,
    }
}

/// How much fits on a column, in steps.
fn fitting(column: &Column, each: &[f32; 16], scale: f32) -> u16 {
    if column.is_empty() { FITS - 1 } else { ((fits(column, each) * scale) as u16).min(FITS - 2) }
}

/// What kind of die this is.
const KIND: [u16; 7] = [0, 1, 2, 3, 3, 3, 4];

/// The features of a board for a seat that holds `hand` and knows what `insight` tells; `stock` is the number of cards in
/// the stock and `faced` that in the other's hand.
pub fn list(board: &Board, hand: CardSet, insight: &Insight, stock: usize, faced: usize, out: &mut Vec<u16>) {
    out.clear();
    let me = insight.seat;
    let point = viewpoint(board, me) as u16;
    let fresh = match board.phase {
        Phase::First => false,
        Phase::Second => me == board.roller(),
        _ => true,
    };
    let risk = &insight.odds[usize::from(fresh)];
    let [own, opp] = [&board.columns[me], &board.columns[1 - me]];
    let [mine, yours]: [Slots; 2] = [own, opp].map(|columns| slots(columns, board.rules.finish));
    let playing = matches!(board.phase, Phase::First | Phase::Second);
    let mid = playing && board.mover() == me;
    let need = |slots: &Slots, pair: usize| u16::from(slots.missing[pair]).min(NEEDS - 1);
    // The ranks that fit on own columns, and those that steal others'.
    let (mut fit, mut steal) = ([0_u16; 16], [0_u16; 16]);
    for pair in 0..PAIRS {
        let (a, b) = (&own[pair], &opp[pair]);
        // What the die lets the seat do when it plays next, or the other.
        let die =
            if mid && board.untouched >> pair & 1 == 0 { board.left[pair].min(5) } else { board.dice[pair] };
        let access = match point {
            0 => 4 * DICE,
            3 => 4 * DICE + 1,
            _ => (point - 1 - u16::from(point > 3)) * DICE + KIND[usize::from(die)],
        };
        out.push(LOOK + (access * LOOKS + look(a)) * LOOKS + look(b));
        if board.open >> pair & 1 == 0 {
            continue;
        }
        let any = board.dice[pair] > 0;
        if !a.finished {
            let p = if a.is_empty() { 0 } else { odds(risk[usize::from(a.top)]) };
            out.push(RISK + ((point * 2 + u16::from(any)) * ODDS + p) * 8 + look(a));
            let most = match die {
                _ if !playing => 3,
                0 | 6 => 1,
                die => die,
            };
            let length = u16::from(chain(a, hand, most)).min(CHAINS - 1);
            let bound = u16::from(a.direction != Direction::None);
            out.push(GROWTH + ((access * 2 + bound) * CHAINS + length) * NEEDS + need(&mine, pair));
            let outs = fitting(a, &insight.share, 20.0);
            out.push(OUTS + (point * FITS + outs) * NEEDS + need(&mine, pair));
            let mut ranks = if a.is_empty() { 0 } else { a.fitting() };
            while ranks != 0 {
                fit[ranks.trailing_zeros() as usize] += 1;
                ranks &= ranks - 1;
            }
        }
        if !b.finished {
            let held = if b.is_empty() { 0 } else { (hand.bits() & SUITS << b.top).count_ones() };
            // Whether there is a die, and whether this seat can still steal now.
            let may = if any { 2 - u16::from(mid && board.untouched >> pair & 1 == 0) } else { 0 };
            out.push(PREY + ((point * 3 + may) * 3 + (held as u16).min(2)) * 8 + look(b));
            let sum = fitting(b, risk, 3.0);
            out.push(OTHERS + (access * FITS + sum) * NEEDS + need(&yours, pair));
            steal[usize::from(b.top)] += 1;
        }
    }
    let missing = |slots: &Slots| slots.missing.iter().map(|&n| u16::from(n)).sum::<u16>().min(RACE - 1);
    out.push(RACES + (point * RACE + missing(&mine)) * RACE + missing(&yours));
    let finished = |seat: usize| u16::from(board.finished[seat].count());
    out.push(FINISHED + (point * 5 + finished(me)) * 5 + finished(1 - me));
    out.push(KEPT + point * 8 + (hand.len() as u16).min(7));
    out.push(FACED + point * 8 + (faced as u16).min(7));
    // What is due is left out: whoever plays has no cards only when some are about to be drawn.
    let stolen = u16::from(!board.stolen.is_empty());
    out.push(STOCK + stolen * 5 + stock.div_ceil(4).min(4) as u16);
    out.push(STUCK + u16::from(mine.stuck).min(4));
    out.push(STUCK + 5 + u16::from(yours.stuck).min(4));
    // Each card of the hand: the own columns that it fits, the others' that it steals, its neighbours in the hand.
    for card in hand {
        let rank = card.rank();
        let near = SUITS << above(rank) | SUITS << below(rank) | SUITS << rank;
        let pairs = u16::from((hand.bits() & near).count_ones() > 1);
        let (fit, steal) = (fit[usize::from(rank)].min(2), steal[usize::from(rank)].min(2));
        out.push(HELD + point * 18 + (pairs * 3 + fit) * 3 + steal);
    }
}

impl Features for Columns {
    const FEATURES_VERSION: u32 = 1;
    const INPUTS: usize = INPUTS as usize;
    const WATCHES: bool = true;

    fn features(&self, seat: Seat, out: &mut Vec<u16>) {
        let insight = Insight::new(self, seat);
        list(&self.board, self.hands[seat], &insight, self.stock.len(), self.hands[1 - seat].len(), out);
    }

    fn afterstates(
        &self,
        seat: Seat,
        steps: &mut StepList<Move>,
        buffer: &mut Vec<u16>,
        each: &mut dyn FnMut(usize, After<'_>),
    ) {
        let (board, hand, stock) = (&self.board, self.hands[seat], self.stock.len());
        let (insight, faced) = (Insight::new(self, seat), self.hands[1 - seat].len());
        steps.clear();
        if board.phase == Phase::Place {
            board.placements(|dice| {
                let mut after = *board;
                after.place(dice);
                list(&after, hand, &insight, stock, faced, buffer);
                steps.push(&[Move::Place(dice)]);
                each(steps.len() - 1, After::Open { features: buffer, settled: 0.0 });
            });
            return;
        }
        phase::outcomes(board, hand, self.open, stock, |outcome| {
            if outcome.wins {
                steps.clear();
            }
            steps.push(outcome.moves);
            let after = outcome.board;
            if after.phase == Phase::Over {
                each(steps.len() - 1, After::Over(if outcome.wins { 1.0 } else { 0.5 }));
            } else {
                list(after, outcome.hand, &insight, stock, faced, buffer);
                each(steps.len() - 1, After::Open { features: buffer, settled: 0.0 });
            }
        });
    }
}

static MODEL: LazyLock<Arc<Model>> = LazyLock::new(|| {
    let model = Model::from_bytes(include_bytes!("../../../agents/models/columns.model"));
    Arc::new(model.unwrap_or_else(|error| unreachable!("a test reads this file: {error}")))
});

/// The trained value, where it was trained for these rules.
pub fn value(rules: &Rules) -> Option<LearnedValue<Columns>> {
    let rules = serde_json::to_value(rules).unwrap_or_default();
    MODEL.check::<Columns>(Columns::NAME, Columns::RULES_VERSION, &rules).ok()?;
    Some(LearnedValue::new(Arc::clone(&MODEL)))
}
