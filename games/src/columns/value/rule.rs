//! The hand-written evaluator and policy `rule`: logistic regression on named features of a board.
//!
//! The weights are in `models/columns-rule.toml`. The worth of a card depends on who acts next, so each feature has a
//! weight for each [`viewpoint`].

use super::knowledge::{SeatKnowledge, fits, fresh, viewpoint};
use super::slots::slots;
use crate::cards::CardSet;
use crate::columns::board::{above, below};
use crate::columns::{Board, Column, Columns, Direction, Move, PAIRS, Phase, steps};
use crate::models::named_weights;
use knave_agents::learn::probability;
use knave_agents::{Evaluator, Policy, Rng, Seat};
use std::sync::{Arc, LazyLock};

/// The names of the features, in order. Most count cards or columns, own ones or the opponent's.
pub const FEATURES: [&str; N] = [
    "bias",
    // Finished columns, own less the opponent's.
    "finished",
    // Cards that are missing to fill all slots, in all and in the worst column, and how near none is.
    "missing_own",
    "missing_opp",
    "worst_own",
    "worst_opp",
    "near_own",
    "near_opp",
    // Columns long enough for their slots that are not finished.
    "ripe_own",
    "ripe_opp",
    // Cards in columns that the other may steal next, by the odds that he can: short columns, and those of four or more.
    "prey_own_short",
    "prey_own_long",
    "prey_opp_short",
    "prey_opp_long",
    // Cards that may be played next, the opponent's by the odds; those of them that are missing; cards unseen that fit.
    "growth_own",
    "growth_opp",
    "needed_own",
    "needed_opp",
    "outs_own",
    // Sixes at columns that are not finished.
    "six_own",
    "six_opp",
    // Columns without direction, own less the opponent's; empty columns.
    "free",
    "empty_own",
    "empty_opp",
    // Cards kept in the hand.
    "kept",
    // Columns too long for any slot that is left, own less the opponent's; only where lengths must be exact.
    "stuck",
];
/// The number of features.
pub const N: usize = 26;

/// The place of a feature, found at compile time.
const fn at(name: &str) -> usize {
    let mut i = 0;
    while i < N {
        let (a, b) = (FEATURES[i].as_bytes(), name.as_bytes());
        let mut same = a.len() == b.len();
        let mut j = 0;
        while same && j < a.len() {
            same = a[j] == b[j];
            j += 1;
        }
        if same {
            return i;
        }
        i += 1;
    }
    panic!("no such feature")
}

/// What a seat may do in a pair in its next phase.
#[derive(Copy, Clone)]
struct Access {
    /// The probability that it may play or steal.
    open: f32,
    /// The most cards that it may play: one with a six.
    cards: u8,
    six: bool,
}

/// The access of a seat to a pair in its next phase, and whether it may steal there.
fn access(board: &Board, seat: Seat, pair: usize, unknown: f32) -> (Access, bool) {
    let roller = seat == board.roller();
    let die = board.dice[pair];
    match board.phase {
        Phase::First | Phase::Second if seat == board.mover() => {
            let steal = board.untouched >> pair & 1 == 1;
            let cards = board.left[pair];
            (Access { open: f32::from(cards > 0), cards, six: die == 6 && cards > 0 }, steal)
        }
        Phase::First if roller => {
            let cards = if die == 6 { 1 } else { die };
            (Access { open: f32::from(die > 0), cards, six: die == 6 }, die > 0)
        }
        _ => (Access { open: unknown, cards: 3, six: false }, true),
    }
}

/// How many cards of the hand go on this column in a row.
fn chain(column: &Column, hand: CardSet, most: u8) -> u8 {
    let held = |rank: u8| (hand & CardSet::of_rank(rank)).len() as u8;
    if column.is_empty() {
        return most.min(2).min(hand.len() as u8);
    }
    let same = held(column.top);
    let run = |next: fn(u8) -> u8| {
        let (mut rank, mut length) = (column.top, same);
        while length < most {
            rank = next(rank);
            match held(rank) {
                0 => break,
                count => length += count,
            }
        }
        length.min(most)
    };
    match column.direction {
        Direction::Up => run(above),
        Direction::Down => run(below),
        Direction::None => run(above).max(run(below)),
    }
}

/// The features of a board for a seat that holds `hand`.
#[must_use]
pub fn features(board: &Board, hand: CardSet, knowledge: &SeatKnowledge) -> [f32; N] {
    let me = knowledge.seat;
    let mut x = [0.0; N];
    x[const { at("bias") }] = 1.0;
    let odds = &knowledge.odds[usize::from(fresh(board, me))];
    let open = board.open.count_ones().max(1) as f32;
    let unknown = board.dice_count() as f32 / open;
    let [own, opp] = [&board.columns[me], &board.columns[1 - me]];
    let [mine, yours] = [own, opp].map(|columns| slots(columns, board.rules.finish));
    let sides = const {
        [
            [at("missing_own"), at("worst_own"), at("near_own"), at("ripe_own")],
            [at("missing_opp"), at("worst_opp"), at("near_opp"), at("ripe_opp")],
        ]
    };
    for ((side, slots), [missing, worst, near, ripe]) in [(own, &mine), (opp, &yours)].into_iter().zip(sides)
    {
        let total: u8 = slots.missing.iter().sum();
        x[missing] = f32::from(total) / 5.0;
        x[worst] = f32::from(slots.missing.iter().copied().max().unwrap_or(0)) / 3.0;
        x[near] = 1.0 / (1.0 + f32::from(total));
        x[ripe] = (0..PAIRS).filter(|&pair| !side[pair].finished && slots.missing[pair] == 0).count() as f32;
    }
    x[const { at("finished") }] =
        f32::from(board.finished[me].count()) - f32::from(board.finished[1 - me].count());
    for pair in (0..PAIRS).filter(|pair| board.open >> pair & 1 == 1) {
        let (a, b) = (&own[pair], &opp[pair]);
        let (may, steal) = access(board, me, pair, unknown);
        let (might, robs) = access(board, 1 - me, pair, unknown);
        if !a.finished {
            let len = a.len();
            let chance = if board.phase == Phase::First { 1.0 } else { might.open };
            let risk = if robs { chance * odds[usize::from(a.top)] * len as f32 } else { 0.0 };
            x[const { at("prey_own_short") } + usize::from(len >= 4)] += risk / 4.0;
            let cards = if may.six { 1 } else { chain(a, hand, may.cards) };
            x[const { at("growth_own") }] += may.open * f32::from(cards);
            x[const { at("needed_own") }] += may.open * f32::from(cards.min(mine.missing[pair]));
            x[const { at("outs_own") }] += fits(a, &knowledge.share);
            x[const { at("six_own") }] += f32::from(may.six);
            x[const { at("free") }] += f32::from(a.direction == Direction::None && !a.is_empty());
            x[const { at("empty_own") }] += f32::from(a.is_empty());
        }
        if !b.finished {
            let len = b.len();
            let held = !b.is_empty() && !(hand & CardSet::of_rank(b.top)).is_empty();
            let chance = if matches!(board.phase, Phase::Roll | Phase::Place) { may.open } else { 1.0 };
            let gain = if steal && held { chance * len as f32 } else { 0.0 };
            x[const { at("prey_opp_short") } + usize::from(len >= 4)] += gain / 4.0;
            let cards = if might.six { 1.0 } else { fits(b, odds).min(f32::from(might.cards)) };
            x[const { at("growth_opp") }] += might.open * cards;
            x[const { at("needed_opp") }] += might.open * cards.min(f32::from(yours.missing[pair]));
            x[const { at("six_opp") }] += f32::from(might.six);
            x[const { at("free") }] -= f32::from(b.direction == Direction::None && !b.is_empty());
            x[const { at("empty_opp") }] += f32::from(b.is_empty());
        }
    }
    x[const { at("kept") }] = hand.len() as f32 / 7.0;
    x[const { at("stuck") }] = f32::from(mine.stuck) - f32::from(yours.stuck);
    x
}

/// The evaluator and policy `rule`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The weights by [`viewpoint`], in the order of [`FEATURES`].
    pub weights: [[f32; N]; 6],
}

impl Rule {
    /// The rule with the weights of `models/columns-rule.toml`.
    #[must_use]
    pub fn fitted() -> Arc<Self> {
        Arc::clone(&RULE)
    }

    /// The rule with the weights of a file such as `models/columns-rule.toml`.
    ///
    /// # Errors
    /// Unless the file has a row for each feature, and no others.
    pub(in crate::columns) fn read(file: &str) -> Result<Self, String> {
        let rows: [[f32; 6]; N] = named_weights(file, "weights", &FEATURES)?;
        Ok(Self { weights: std::array::from_fn(|point| rows.map(|row| row[point])) })
    }

    /// The log-odds of winning; see [`features`].
    #[must_use]
    pub fn logit(&self, board: &Board, hand: CardSet, knowledge: &SeatKnowledge) -> f32 {
        let weights = &self.weights[viewpoint(board, knowledge.seat)];
        features(board, hand, knowledge).iter().zip(weights).map(|(x, w)| x * w).sum()
    }

    /// Replaces `line` with the best placement or phase of the mover.
    pub fn best(&self, position: &Columns, line: &mut Vec<Move>) {
        let board = &position.board;
        let seat = board.mover();
        let knowledge = SeatKnowledge::new(position, seat);
        let hand = position.hands[seat];
        let mut best = f32::NEG_INFINITY;
        line.clear();
        if board.phase == Phase::Place {
            board.placements(|dice| {
                let mut after = *board;
                after.place(dice);
                let value = self.logit(&after, hand, &knowledge);
                if value > best {
                    best = value;
                    line.clear();
                    line.push(Move::Place(dice));
                }
            });
            return;
        }
        steps::outcomes(board, hand, position.revealed, position.stock.len(), |outcome| {
            let value = if outcome.wins {
                f32::INFINITY
            } else {
                self.logit(outcome.board, outcome.hand, &knowledge)
            };
            if value > best {
                best = value;
                line.clear();
                line.extend_from_slice(outcome.moves);
            }
        });
    }
}

impl Evaluator<Columns> for Rule {
    fn value(&self, position: &Columns, seat: Seat) -> f64 {
        let logit = self.logit(&position.board, position.hands[seat], &SeatKnowledge::new(position, seat));
        probability(logit.into())
    }
}

impl Policy<Columns> for Rule {
    fn choose(&self, position: &Columns, buffer: &mut Vec<Move>, rng: &mut Rng) -> Move {
        self.plan(position, buffer, rng);
        buffer[0]
    }

    fn plan(&self, position: &Columns, line: &mut Vec<Move>, _: &mut Rng) {
        self.best(position, line);
    }
}

static RULE: LazyLock<Arc<Rule>> = LazyLock::new(|| {
    let rule = Rule::read(include_str!("../models/columns-rule.toml"));
    Arc::new(rule.unwrap_or_else(|error| unreachable!("a test reads this file: {error}")))
});
