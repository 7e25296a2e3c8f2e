//! The features of a learned value: what a placement or a phase of play leaves behind, as a seat knows it.
//!
//! Each pair is looked up in a few tables, the same for all four: it does not matter which pair is which, and a
//! feature that two pairs have counts twice.

use super::board::{ALL, Board, Column, Direction, PAIRS, Phase, of_ranks};
use super::heuristic::{Insight, Slots, chain, fits, slots, viewpoint};
use super::tables::{
    ANYBODYS, CHAINS, FINISHED, FIT, FITS, GROWING, GROWTH, HANDS, HELD, LOOK, LOOKS, MINE, NEAR, NEEDS,
    NONE, OTHERS, OUTS, PREY, RACE, RACES, RISK, STOCK, STOCKS, STUCK, YOURS,
};
use super::{Columns, Finish, Move, Rules, phase, tables};
use crate::cards::CardSet;
use crate::games::models;
use knave_agents::learn::{After, Features, Groups, LearnedValue, Model};
use knave_agents::{Seat, StepList};
use std::sync::{Arc, LazyLock};

fn look(column: &Column) -> u16 {
    if column.finished { LOOKS - 1 } else { (column.len() as u16).min(GROWING - 1) }
}

/// The number of steps that a number reaches.
fn steps(number: f32, steps: &[f32]) -> u8 {
    steps.iter().map(|&step| u8::from(number >= step)).sum()
}

/// What kind of die this is.
const KIND: [u16; 7] = [0, 1, 2, 3, 3, 3, 4];

/// All that a seat knows beside the board and its hand, in steps: it stays the same while the seat plays.
pub struct Lens {
    seat: Seat,
    /// The odds that the other holds a rank when he plays next.
    risk: [u8; 16],
    /// How much of what was not seen fits on an own column, by top and direction.
    outs: [u8; 64],
    /// How many cards that fit on his column the other may hold when he plays next.
    fits: [u8; 64],
    /// The number of cards in the other's hand, up to 7.
    faced: u16,
    /// The number of cards in the stock, in steps.
    stock: u16,
}

impl Lens {
    /// What `seat` knows; `fresh` says whether hands are replenished before the other plays next.
    fn new(position: &Columns, seat: Seat, fresh: bool) -> Self {
        let Insight { odds, share, .. } = Insight::new(position, seat);
        let odds = &odds[usize::from(fresh)];
        let all = |each: &[f32; 16], limits: &[f32], empty: u16| {
            std::array::from_fn(|i| {
                let direction = [Direction::None, Direction::Up, Direction::Down, Direction::None][i >> 4];
                let column = Column { top: i as u8 & 15, direction, ..Column::default() };
                match column.top {
                    2..=14 => steps(fits(&column, each), limits),
                    _ => empty as u8,
                }
            })
        };
        Self {
            seat,
            risk: odds.map(|p| steps(p, &[1e-6, 0.15, 0.3, 0.45, 1.0])),
            outs: all(&share, &[0.1, 0.16, 0.22, 0.3], OUTS - 1),
            fits: all(odds, &[0.1, 0.3, 0.5, 0.75, 1.0], FITS - 1),
            faced: (position.hands[1 - seat].len() as u16).min(HELD - 1),
            stock: (position.stock.len().div_ceil(4) as u16).min(STOCKS - 1),
        }
    }
}

/// The place of a column in the tables of a [`Lens`].
fn place(column: &Column) -> usize {
    usize::from(column.top & 15) | (column.direction as usize & 3) << 4
}

/// Whether hands are replenished before the other plays next.
fn fresh(board: &Board, seat: Seat) -> bool {
    match board.phase {
        Phase::First => false,
        Phase::Second => seat == board.roller(),
        _ => true,
    }
}

/// The features of a board for a seat that holds `hand` and knows what `lens` tells. They are always in the same places: those
/// of each pair, and then those of the whole.
pub fn list(board: &Board, hand: CardSet, lens: &Lens, out: &mut Vec<u16>) {
    let me = lens.seat;
    let point = viewpoint(board, me) as u16;
    let [own, opp] = [&board.columns[me], &board.columns[1 - me]];
    let [mine, yours]: [Slots; 2] = [own, opp].map(|columns| slots(columns, board.rules.finish));
    let mid = matches!(board.phase, Phase::First | Phase::Second) && board.mover() == me;
    let need = |slots: &Slots, pair: usize| u16::from(slots.missing[pair]).min(NEEDS - 1);
    let mut features = [NONE; 5 * PAIRS + 6];
    let mut fit = 0;
    for (pair, features) in features.chunks_exact_mut(5).take(PAIRS).enumerate() {
        let (a, b) = (&own[pair], &opp[pair]);
        // What the die lets the seat do when it plays next, or the other.
        let die =
            if mid && board.untouched >> pair & 1 == 0 { board.left[pair].min(5) } else { board.dice[pair] };
        let kind = KIND[usize::from(die)];
        features[0] = LOOK.at([ANYBODYS.part(point, kind), look(a), look(b)]);
        let any = board.dice[pair] > 0;
        if !a.finished {
            let risk = u16::from(lens.risk[usize::from(a.top & 15)]);
            let outs = u16::from(lens.outs[place(a)]);
            features[1] = RISK.at([point, u16::from(any), risk, outs, look(a)]);
            let most = match die {
                _ if !MINE.dice(point) => 3,
                0 | 6 => 1,
                die => die,
            };
            let length = u16::from(chain(a, hand, most)).min(CHAINS - 1);
            let bound = u16::from(a.direction != Direction::None);
            features[2] = GROWTH.at([MINE.part(point, kind), bound, length, need(&mine, pair)]);
            fit |= if a.is_empty() { 0 } else { a.fitting() };
        }
        if !b.finished {
            let held = (hand.bits() & of_ranks(b.stolen_by()).bits()).count_ones();
            // Whether there is a die, and whether this seat can still steal now.
            let may = if any { 2 - u16::from(mid && board.untouched >> pair & 1 == 0) } else { 0 };
            features[3] = PREY.at([point, may, (held as u16).min(2), look(b)]);
            let fits = u16::from(lens.fits[place(b)]);
            features[4] = OTHERS.at([YOURS.part(point, kind), fits, need(&yours, pair)]);
        }
    }
    let held = (hand.len() as u16).min(HELD - 1);
    let [fitting, near] = cards(hand, fit);
    let missing = |slots: &Slots| slots.missing.iter().map(|&n| u16::from(n)).sum::<u16>().min(RACE - 1);
    let finished = |seat: usize| u16::from(board.finished[seat].count());
    // What is due is left out: whoever plays has no cards only when some are about to be drawn.
    let stolen = u16::from(!board.stolen.is_empty());
    let dry = u16::from(stolen == 0 && lens.stock == 0);
    features[5 * PAIRS..].copy_from_slice(&[
        FIT.at([point, held, fitting]),
        NEAR.at([point, held, near]),
        HANDS.at([point, dry, held, lens.faced]),
        RACES.at([point, missing(&mine), missing(&yours)]),
        FINISHED.at([point, finished(me), finished(1 - me)]),
        STOCK.at([point, stolen, lens.stock]),
    ]);
    out.clear();
    out.extend_from_slice(&features);
    if board.rules.finish == Finish::Exact {
        out.push(STUCK.at([0, u16::from(mine.stuck).min(4)]));
        out.push(STUCK.at([1, u16::from(yours.stuck).min(4)]));
    }
}

/// The number of cards of these ranks in a hand, and of others that have a neighbour there.
fn cards(hand: CardSet, fit: u16) -> [u16; 2] {
    let lanes: [u16; 4] = std::array::from_fn(|suit| (hand.bits() >> (16 * suit)) as u16);
    let (once, twice) = lanes.iter().fold((0, 0), |(once, twice), lane| (once | lane, twice | once & lane));
    // The ranks above and below those of the hand.
    let (up, down) = (once << 1 & ALL | once >> 12 & 4, once >> 1 & ALL | (once & 4) << 12);
    let near = twice | once & (up | down);
    [fit, near & !fit].map(|ranks| (hand.bits() & of_ranks(ranks).bits()).count_ones().min(7) as u16)
}

impl Features for Columns {
    const FEATURES_VERSION: u32 = 2;
    const INPUTS: usize = tables::INPUTS as usize;
    const WATCHES: bool = true;
    const SHARED: usize = tables::SHARED as usize;
    /// Each pair, the hands, and the rest.
    const GROUPS: Groups = Groups([5, 5, 5, 5, 3, 0, 0, 0]);
    const HEADS: usize = tables::POINTS as usize;

    /// A head for each viewpoint.
    fn head(features: &[u16]) -> usize {
        tables::point(features[5 * PAIRS + 4])
    }

    fn shared(feature: u16, out: &mut Vec<u16>) {
        tables::shared(feature, out);
    }

    fn features(&self, seat: Seat, out: &mut Vec<u16>) {
        list(&self.board, self.hands[seat], &Lens::new(self, seat, fresh(&self.board, seat)), out);
    }

    fn afterstates(
        &self,
        seat: Seat,
        steps: &mut StepList<Move>,
        buffer: &mut Vec<u16>,
        each: &mut dyn FnMut(usize, After<'_>),
    ) {
        let (board, hand) = (&self.board, self.hands[seat]);
        let places = board.phase == Phase::Place;
        let lens = Lens::new(self, seat, !places && fresh(board, seat));
        steps.clear();
        if places {
            board.placements(|dice| {
                let mut after = *board;
                after.place(dice);
                list(&after, hand, &lens, buffer);
                steps.push(&[Move::Place(dice)]);
                each(steps.len() - 1, After::Open { features: buffer, settled: 0.0 });
            });
            return;
        }
        phase::outcomes(board, hand, self.open, self.stock.len(), |outcome| {
            if outcome.wins {
                steps.clear();
            }
            steps.push(outcome.moves);
            let after = outcome.board;
            if after.phase == Phase::Over {
                each(steps.len() - 1, After::Over(if outcome.wins { 1.0 } else { 0.5 }));
            } else {
                list(after, outcome.hand, &lens, buffer);
                each(steps.len() - 1, After::Open { features: buffer, settled: 0.0 });
            }
        });
    }
}

static MODEL: LazyLock<Arc<Model>> =
    LazyLock::new(|| models::shipped(include_bytes!("../../../agents/models/columns.model")));

/// The limit of rounds in training.
const TRAINED: u32 = 40;

/// Games that have not ended after so many rounds hardly ever do, so that a value learnt with one limit holds for others.
const LONG: u32 = 50;

/// The trained value, where it was trained for these rules.
pub fn value(rules: &Rules) -> Option<LearnedValue<Columns>> {
    let max_rounds = if rules.max_rounds >= LONG { TRAINED } else { rules.max_rounds };
    models::value(std::slice::from_ref(&*MODEL), &Rules { max_rounds, ..*rules })
}
