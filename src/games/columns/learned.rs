//! The features of a learned value: what a placement or a phase of play leaves behind, as a seat knows it.
//!
//! It does not matter which of the four pairs is which. Each pair is looked up in a few tables, and what is found is
//! counted: a feature that two pairs have is there twice. What a look is worth depends on what comes next and on who
//! is about to do it, so most tables have a part for each [`viewpoint`].

use super::board::{ALL, Board, Column, Direction, PAIRS, Phase, of_ranks};
use super::heuristic::{Insight, Slots, chain, fits, slots, viewpoint};
use super::{Columns, Finish, Move, Rules, phase};
use crate::cards::CardSet;
use crate::games::CardGame as _;
use knave_agents::learn::{After, Features, LearnedValue, Model};
use knave_agents::{Seat, StepList};
use std::sync::{Arc, LazyLock};

/// Viewpoints.
const POINTS: u16 = 6;
/// Dice of 0, 1, 2, 3 to 5 and 6.
/// The part of a table for each viewpoint and die, first for what happens in a pair, then for the seat's own next play
/// and for the other's: where a die matters, and where it does not because dice are next.
const PARTS: [[u16; POINTS as usize]; 3] =
    [[20, 0, 5, 21, 10, 15], [15, 0, 16, 17, 5, 10], [15, 0, 5, 16, 10, 17]];
const ANY: u16 = 22;
const NEXT: u16 = 18;
/// Columns of 0 to 6 or more cards, and finished ones.
const LOOKS: u16 = 8;
/// Those that are not finished.
const GROWING: u16 = LOOKS - 1;
/// Cards missing, 0 to 5 or more.
const NEEDS: u16 = 6;
/// Probabilities, in steps.
const ODDS: u16 = 6;
/// Shares of what was not seen, in steps.
const OUTS: u16 = 5;
/// Cards of the hand that go on in a row, 0 to 4 or more.
const CHAINS: u16 = 5;
/// Sums of the probabilities of what fits, in steps, and any card.
const FITS: u16 = 7;
/// Cards missing on one side, 0 to 12 or more.
const RACE: u16 = 13;
/// Cards in a hand, 0 to 7.
const HELD: u16 = 8;

// Where each table begins.
const LOOK: u16 = 0;
const RISK: u16 = LOOK + LOOKS * LOOKS * ANY;
const GROWTH: u16 = RISK + GROWING * OUTS * ODDS * 2 * POINTS;
const PREY: u16 = GROWTH + NEEDS * CHAINS * 2 * NEXT;
const OTHERS: u16 = PREY + GROWING * 3 * 3 * POINTS;
const FIT: u16 = OTHERS + NEEDS * FITS * NEXT;
const NEAR: u16 = FIT + HELD * HELD * POINTS;
const RACES: u16 = NEAR + HELD * HELD * POINTS;
const FINISHED: u16 = RACES + RACE * RACE * POINTS;
const HANDS: u16 = FINISHED + 25 * POINTS;
const STOCK: u16 = HANDS + HELD * HELD * 2 * POINTS;
const STUCK: u16 = STOCK + 5 * 2 * POINTS;
/// What stands for a column that is finished in the tables of growing ones.
const NONE: u16 = STUCK + 2 * 5;
const INPUTS: u16 = NONE + 1;

fn look(column: &Column) -> u16 {
    if column.finished { LOOKS - 1 } else { (column.len() as u16).min(GROWING - 1) }
}

/// The number of steps that a number reaches.
fn steps(number: f32, steps: &[f32]) -> u8 {
    steps.iter().map(|&step| u8::from(number >= step)).sum()
}

// What features share while they are learnt, from INPUTS on.
const SHARED_LOOK: u16 = INPUTS;
const SHARED_OWN: u16 = SHARED_LOOK + LOOKS * LOOKS * POINTS;
const SHARED_OPP: u16 = SHARED_OWN + LOOKS * ANY;
const SHARED_RISK: u16 = SHARED_OPP + LOOKS * ANY;
const SHARED_OUTS: u16 = SHARED_RISK + GROWING * ODDS * 2 * POINTS;
const SHARED_GROWTH: u16 = SHARED_OUTS + GROWING * OUTS * POINTS;
const SHARED_NEED: u16 = SHARED_GROWTH + NEEDS * CHAINS * POINTS;
const SHARED_OTHERS: u16 = SHARED_NEED + NEEDS * NEXT;
const SHARED_PREY: u16 = SHARED_OTHERS + NEEDS * FITS * POINTS;
const SHARED_MINE: u16 = SHARED_PREY + 3 * GROWING * POINTS;
const SHARED_YOURS: u16 = SHARED_MINE + RACE * POINTS;
const SHARED_LEAD: u16 = SHARED_YOURS + RACE * POINTS;
const SHARED_HAND: u16 = SHARED_LEAD + 2 * RACE * POINTS;
const SHARED_FACED: u16 = SHARED_HAND + HELD * POINTS;
const SHARED_FIT: u16 = SHARED_FACED + HELD * POINTS;
const SHARED_NEAR: u16 = SHARED_FIT + HELD * POINTS;
const SHARED_END: u16 = SHARED_NEAR + HELD * POINTS;

/// The viewpoint of a part of a table.
fn point_of(parts: usize, part: u16) -> u16 {
    let parts = PARTS[parts];
    (0..POINTS)
        .filter(|&point| parts[usize::from(point)] <= part)
        .max_by_key(|&point| parts[usize::from(point)])
        .unwrap_or(0)
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
    sums: [u8; 64],
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
            sums: all(odds, &[0.1, 0.3, 0.5, 0.75, 1.0], FITS - 1),
            faced: (position.hands[1 - seat].len() as u16).min(HELD - 1),
            stock: position.stock.len().div_ceil(4).min(4) as u16,
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

/// The features of a board for a seat that holds `hand` and knows what `lens` tells.
pub fn list(board: &Board, hand: CardSet, lens: &Lens, out: &mut Vec<u16>) {
    let me = lens.seat;
    let point = viewpoint(board, me) as u16;
    let [any_part, own_part, opp_part] = PARTS.map(|parts| parts[usize::from(point)]);
    // Whether the dice that lie there are for the next play of the seat, or of the other.
    let (own_dice, opp_dice) = (matches!(point, 1 | 4 | 5), matches!(point, 1 | 2 | 4));
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
        let part = any_part + kind * u16::from(point % 3 != 0);
        features[0] = LOOK + (part * LOOKS + look(a)) * LOOKS + look(b);
        let any = board.dice[pair] > 0;
        if !a.finished {
            let p = u16::from(lens.risk[usize::from(a.top & 15)]);
            let outs = u16::from(lens.outs[place(a)]);
            features[1] =
                RISK + (((point * 2 + u16::from(any)) * ODDS + p) * OUTS + outs) * GROWING + look(a);
            let most = match die {
                _ if !own_dice => 3,
                0 | 6 => 1,
                die => die,
            };
            let length = u16::from(chain(a, hand, most)).min(CHAINS - 1);
            let bound = u16::from(a.direction != Direction::None);
            let part = own_part + kind * u16::from(own_dice);
            features[2] = GROWTH + ((part * 2 + bound) * CHAINS + length) * NEEDS + need(&mine, pair);
            fit |= if a.is_empty() { 0 } else { a.fitting() };
        }
        if !b.finished {
            let held = (hand.bits() & of_ranks(b.stolen_by()).bits()).count_ones();
            // Whether there is a die, and whether this seat can still steal now.
            let may = if any { 2 - u16::from(mid && board.untouched >> pair & 1 == 0) } else { 0 };
            features[3] = PREY + ((point * 3 + may) * 3 + (held as u16).min(2)) * GROWING + look(b);
            let part = opp_part + kind * u16::from(opp_dice);
            features[4] =
                OTHERS + (part * FITS + u16::from(lens.sums[place(b)])) * NEEDS + need(&yours, pair);
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
        FIT + (point * HELD + held) * HELD + fitting,
        NEAR + (point * HELD + held) * HELD + near,
        RACES + (point * RACE + missing(&mine)) * RACE + missing(&yours),
        FINISHED + (point * 5 + finished(me)) * 5 + finished(1 - me),
        HANDS + ((point * 2 + dry) * HELD + held) * HELD + lens.faced,
        STOCK + (point * 2 + stolen) * 5 + lens.stock,
    ]);
    out.clear();
    out.extend_from_slice(&features);
    if board.rules.finish == Finish::Exact {
        out.push(STUCK + u16::from(mine.stuck).min(4));
        out.push(STUCK + 5 + u16::from(yours.stuck).min(4));
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
    const INPUTS: usize = INPUTS as usize;
    const WATCHES: bool = true;
    const SHARED: usize = (SHARED_END - INPUTS) as usize;

    fn shared(feature: u16, out: &mut Vec<u16>) {
        match feature {
            LOOK..RISK => {
                let (part, a, b) = (feature / (LOOKS * LOOKS), feature / LOOKS % LOOKS, feature % LOOKS);
                out.push(SHARED_LOOK + (point_of(0, part) * LOOKS + a) * LOOKS + b);
                out.push(SHARED_OWN + part * LOOKS + a);
                out.push(SHARED_OPP + part * LOOKS + b);
            }
            RISK..GROWTH => {
                let at = feature - RISK;
                let (look, outs, rest) = (at % GROWING, at / GROWING % OUTS, at / GROWING / OUTS);
                out.push(SHARED_RISK + rest * GROWING + look);
                let point = rest / ODDS / 2;
                out.push(SHARED_OUTS + (point * OUTS + outs) * GROWING + look);
            }
            GROWTH..PREY => {
                let at = feature - GROWTH;
                let (need, chain, part) = (at % NEEDS, at / NEEDS % CHAINS, at / NEEDS / CHAINS / 2);
                out.push(SHARED_GROWTH + (point_of(1, part) * CHAINS + chain) * NEEDS + need);
                out.push(SHARED_NEED + part * NEEDS + need);
            }
            PREY..OTHERS => {
                let at = feature - PREY;
                out.push(SHARED_PREY + at / GROWING / 9 * 3 * GROWING + at % (3 * GROWING));
            }
            OTHERS..FIT => {
                let at = feature - OTHERS;
                let (rest, part) = (at % (NEEDS * FITS), at / (NEEDS * FITS));
                out.push(SHARED_OTHERS + point_of(2, part) * NEEDS * FITS + rest);
            }
            FIT..NEAR => {
                let at = feature - FIT;
                out.push(SHARED_FIT + at / HELD / HELD * HELD + at % HELD);
            }
            NEAR..RACES => {
                let at = feature - NEAR;
                out.push(SHARED_NEAR + at / HELD / HELD * HELD + at % HELD);
            }
            RACES..FINISHED => {
                let at = feature - RACES;
                let (yours, mine, point) = (at % RACE, at / RACE % RACE, at / RACE / RACE);
                out.push(SHARED_MINE + point * RACE + mine);
                out.push(SHARED_YOURS + point * RACE + yours);
                out.push(SHARED_LEAD + point * 2 * RACE + RACE + mine - yours);
            }
            HANDS..STOCK => {
                let at = feature - HANDS;
                let (faced, held, point) = (at % HELD, at / HELD % HELD, at / HELD / HELD / 2);
                out.push(SHARED_HAND + point * HELD + held);
                out.push(SHARED_FACED + point * HELD + faced);
            }
            _ => {}
        }
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

static MODEL: LazyLock<Arc<Model>> = LazyLock::new(|| {
    let model = Model::from_bytes(include_bytes!("../../../agents/models/columns.model"));
    Arc::new(model.unwrap_or_else(|error| unreachable!("a test reads this file: {error}")))
});

/// Games that have not ended after so many rounds hardly ever do, so that a value learnt with one limit holds for others.
const LONG: u32 = 50;

/// The trained value, where it was trained for these rules.
pub fn value(rules: &Rules) -> Option<LearnedValue<Columns>> {
    let mut found = serde_json::to_value(rules).unwrap_or_default();
    if rules.max_rounds >= LONG {
        found["max_rounds"] = MODEL.header.rules["max_rounds"].clone();
    }
    MODEL.check::<Columns>(Columns::NAME, Columns::RULES_VERSION, &found).ok()?;
    Some(LearnedValue::new(Arc::clone(&MODEL)))
}
