//! Feature crosses of the learned value: a feature is one combination of binned numbers.
//!
//! The worth of a look depends on who acts next, so most crosses have the viewpoint among their numbers. In training,
//! features share coarser ones ([`shared`]): most of what is learnt about a column with a die of 4 holds with a die of 2.

use crate::bins::bin;
use knave_agents::learn::Cross;

/// The number of viewpoints. The following constants are numbers of bins, too.
pub const POINTS: u16 = 6;
/// Kinds of dice: none, 1, 2, 3 to 5, and 6.
const DICE: u16 = 5;
/// Looks of a column: 0 to 6 or more cards, and finished.
pub const LOOKS: u16 = 8;
/// Looks of a column that is not finished.
pub const GROWING: u16 = LOOKS - 1;
/// Cards missing in a column, 0 to 5 or more.
pub const NEEDS: u16 = 6;
/// The probability that the other holds a rank.
pub const ODDS: u16 = 6;
/// The share of the unseen cards that fits on a column.
pub const OUTS: u16 = 5;
/// Cards of the hand that go on in a row, 0 to 5 or more.
pub const CHAINS: u16 = 6;
/// Expected cards that the other can play on its column in a row, and an empty column.
pub const FITS: u16 = 9;
/// Patterns of the hand around the card on top: see [`super::ranks::Ranks::around`].
pub const PATTERNS: u16 = 172;
/// Cards missing on one side, 0 to 12 or more.
pub const RACE: u16 = 13;
/// Cards in a hand, 0 to 7.
pub const HELD: u16 = 8;
/// Cards in the stock.
pub const STOCKS: u16 = 7;
/// Stolen cards.
pub const PILES: u16 = 5;
/// Columns that are stuck, 0 to 4.
const STUCKS: u16 = 5;
/// Whether the stolen pile is dealt out again next, soon, or later.
pub const WHEN: u16 = 3;
/// Cards of one rank in the stolen pile, 0 to 3 or more.
pub const SAME: u16 = 4;
/// Cards in the stolen pile that fit on a column, 0 to 4 or more.
pub const BACK: u16 = 5;
/// Cards of the hand with a rank held twice, or that fit on several own columns, 0 to 4 or more.
pub const DOUBLES: u16 = 5;
/// Cards of the hand that fit on an own column and can steal, 0 to 3 or more.
pub const TORN: u16 = 4;
/// Pairs that are open, 0 to 4.
const OPEN_PAIRS: u16 = 5;
/// Which columns may be finished.
const FINISHES: u16 = 2;
/// Rounds to come before the limit: see [`late`].
const LATE: u16 = 11;

/// The bin of the number of rounds to come before the limit.
pub fn late(rounds: u32) -> u16 {
    const EDGES: [u32; LATE as usize - 1] = [1, 2, 3, 4, 5, 7, 10, 14, 19, 26];
    bin(rounds, &EDGES)
}

/// A cross of viewpoint and die, without the dice at viewpoints where they do not count.
pub struct Parts {
    /// The first number of each viewpoint.
    first: [u16; POINTS as usize],
    /// The numbers below this have a die; those of viewpoints before a roll come after them.
    diced: u16,
    count: u16,
}

impl Parts {
    /// Whether the dice on the table count at this viewpoint.
    pub fn dice(&self, point: u16) -> bool {
        self.first[usize::from(point)] < self.diced
    }

    /// The number of a viewpoint and a kind of die.
    pub fn part(&self, point: u16, die: u16) -> u16 {
        self.first[usize::from(point)] + die * u16::from(self.dice(point))
    }

    fn point(&self, part: u16) -> u16 {
        let first = |point: &u16| self.first[usize::from(*point)];
        (0..POINTS).filter(|point| first(point) <= part).max_by_key(first).unwrap_or_default()
    }
}

/// By all dice that were placed.
pub const ANYBODYS: Parts = Parts { first: [20, 0, 5, 21, 10, 15], diced: 4 * DICE, count: 4 * DICE + 2 };
/// By the dice for the seat's next phase.
pub const MINE: Parts = Parts { first: [15, 0, 16, 17, 5, 10], diced: 3 * DICE, count: 3 * DICE + 3 };
/// By the dice for the other's next phase.
pub const YOURS: Parts = Parts { first: [15, 0, 5, 16, 10, 17], diced: 3 * DICE, count: 3 * DICE + 3 };

/// The looks of both columns of a pair.
pub const LOOK: Cross<3> = Cross::new(0, [ANYBODYS.count, LOOKS, LOOKS]);
/// Of an own column: viewpoint, whether a die lies there, the risk that it is stolen, unseen cards that fit, its look.
pub const RISK: Cross<5> = Cross::new(LOOK.end(), [POINTS, 2, ODDS, OUTS, GROWING]);
/// Of an own column: viewpoint and die, whether it has a direction, held cards in a row, cards missing.
pub const GROWTH: Cross<4> = Cross::new(RISK.end(), [MINE.count, 2, CHAINS, NEEDS]);
/// Of the other's column: viewpoint, whether a die lies there and the seat can still steal, with how many cards, its look.
pub const PREY: Cross<4> = Cross::new(GROWTH.end(), [POINTS, 3, 3, GROWING]);
/// Of the other's column: viewpoint and die, expected cards in a row, cards missing.
pub const OTHERS: Cross<3> = Cross::new(PREY.end(), [YOURS.count, FITS, NEEDS]);
/// Of an own column: viewpoint and die, the pattern of the hand around it.
pub const PATTERN: Cross<2> = Cross::new(OTHERS.end(), [MINE.count, PATTERNS]);
/// Of the other's column: viewpoint, whether it has a direction, unseen cards that fit, its look.
pub const THEIRS: Cross<4> = Cross::new(PATTERN.end(), [POINTS, 2, OUTS, GROWING]);
/// Of an own column: viewpoint, when the stolen pile returns, cards in it that can steal the column, cards that fit.
pub const OWN_BACK: Cross<4> = Cross::new(THEIRS.end(), [POINTS, WHEN, SAME, BACK]);
/// The same of the other's column.
pub const OPP_BACK: Cross<4> = Cross::new(OWN_BACK.end(), [POINTS, WHEN, SAME, BACK]);
/// Viewpoint, cards in the hand, how many fit on an own column.
pub const FIT: Cross<3> = Cross::new(OPP_BACK.end(), [POINTS, HELD, HELD]);
/// Viewpoint, cards in the hand, how many do not fit but have a neighbour in the hand.
pub const NEAR: Cross<3> = Cross::new(FIT.end(), [POINTS, HELD, HELD]);
/// Viewpoint, cards in the hand, how many can be played in a row on an own column, or steal.
pub const USE: Cross<3> = Cross::new(NEAR.end(), [POINTS, HELD, HELD]);
/// Viewpoint, cards in the hand, how many are of a rank held already.
pub const DOUBLE: Cross<3> = Cross::new(USE.end(), [POINTS, HELD, DOUBLES]);
/// Viewpoint, cards of the hand that fit on several own columns, cards that fit on one and can steal.
pub const WANTED: Cross<3> = Cross::new(DOUBLE.end(), [POINTS, DOUBLES, TORN]);
/// Viewpoint, cards missing in all own columns and in all of the other's.
pub const RACES: Cross<3> = Cross::new(WANTED.end(), [POINTS, RACE, RACE]);
/// Viewpoint, finished columns, own and the other's.
pub const FINISHED: Cross<3> = Cross::new(RACES.end(), [POINTS, 5, 5]);
/// Viewpoint, whether nothing is left to draw, cards in the own hand and in the other's.
pub const HANDS: Cross<4> = Cross::new(FINISHED.end(), [POINTS, 2, HELD, HELD]);
/// Viewpoint, stolen cards, cards in the stock.
pub const STOCK: Cross<3> = Cross::new(HANDS.end(), [POINTS, PILES, STOCKS]);
/// Viewpoint, known cards in the other's hand, own cards that the other knows of.
pub const KNOWN: Cross<3> = Cross::new(STOCK.end(), [POINTS, HELD, HELD]);
/// Viewpoint, which columns may be finished, rounds to come, open pairs.
pub const OPEN: Cross<4> = Cross::new(KNOWN.end(), [POINTS, FINISHES, LATE, OPEN_PAIRS]);
/// Side, stuck columns.
pub const STUCK: Cross<2> = Cross::new(OPEN.end(), [2, STUCKS]);
/// The feature of a finished column in place of those of growing ones.
pub const NONE: u16 = STUCK.end();
/// The number of features.
pub const INPUTS: u16 = NONE + 1;

const BOTH_LOOKS: Cross<3> = Cross::new(INPUTS, [POINTS, LOOKS, LOOKS]);
const OWN_LOOK: Cross<2> = Cross::new(BOTH_LOOKS.end(), [ANYBODYS.count, LOOKS]);
const OPP_LOOK: Cross<2> = Cross::new(OWN_LOOK.end(), [ANYBODYS.count, LOOKS]);
const ALL_ODDS: Cross<4> = Cross::new(OPP_LOOK.end(), [POINTS, 2, ODDS, GROWING]);
const ALL_OUTS: Cross<3> = Cross::new(ALL_ODDS.end(), [POINTS, OUTS, GROWING]);
const CHAIN: Cross<3> = Cross::new(ALL_OUTS.end(), [POINTS, CHAINS, NEEDS]);
const NEED: Cross<2> = Cross::new(CHAIN.end(), [MINE.count, NEEDS]);
const ALL_FITS: Cross<3> = Cross::new(NEED.end(), [POINTS, FITS, NEEDS]);
const ALL_PREY: Cross<3> = Cross::new(ALL_FITS.end(), [POINTS, 3, GROWING]);
const OWN_RACE: Cross<2> = Cross::new(ALL_PREY.end(), [POINTS, RACE]);
const OPP_RACE: Cross<2> = Cross::new(OWN_RACE.end(), [POINTS, RACE]);
const LEAD: Cross<2> = Cross::new(OPP_RACE.end(), [POINTS, 2 * RACE]);
const HAND: Cross<2> = Cross::new(LEAD.end(), [POINTS, HELD]);
const FACED: Cross<2> = Cross::new(HAND.end(), [POINTS, HELD]);
const FITTING: Cross<2> = Cross::new(FACED.end(), [POINTS, HELD]);
const NEIGHBOURS: Cross<2> = Cross::new(FITTING.end(), [POINTS, HELD]);
const USEFUL: Cross<2> = Cross::new(NEIGHBOURS.end(), [POINTS, HELD]);
const AROUND: Cross<2> = Cross::new(USEFUL.end(), [POINTS, PATTERNS]);
const OPEN_ANYWAY: Cross<2> = Cross::new(AROUND.end(), [POINTS, OPEN_PAIRS]);
const RULED: Cross<3> = Cross::new(OPEN_ANYWAY.end(), [POINTS, FINISHES, LATE]);
const FINISH: Cross<2> = Cross::new(RULED.end(), [POINTS, FINISHES]);
const LEFT: Cross<2> = Cross::new(FINISH.end(), [POINTS, LATE]);
/// The number of shared features, in training alone.
pub const SHARED: u16 = LEFT.end() - INPUTS;

/// The viewpoint of a feature of [`FINISHED`].
#[inline]
pub fn point(feature: u16) -> usize {
    usize::from((feature - FINISHED.first()) / (5 * 5))
}

/// Appends the shared features of a feature.
pub fn shared(feature: u16, out: &mut Vec<u16>) {
    if let Some([part, own, opp]) = LOOK.numbers(feature) {
        let both = BOTH_LOOKS.at([ANYBODYS.point(part), own, opp]);
        out.extend([both, OWN_LOOK.at([part, own]), OPP_LOOK.at([part, opp])]);
    } else if let Some([point, any, odds, outs, look]) = RISK.numbers(feature) {
        out.extend([ALL_ODDS.at([point, any, odds, look]), ALL_OUTS.at([point, outs, look])]);
    } else if let Some([part, _, chain, need]) = GROWTH.numbers(feature) {
        out.extend([CHAIN.at([MINE.point(part), chain, need]), NEED.at([part, need])]);
    } else if let Some([point, _, held, look]) = PREY.numbers(feature) {
        out.push(ALL_PREY.at([point, held, look]));
    } else if let Some([part, fits, need]) = OTHERS.numbers(feature) {
        out.push(ALL_FITS.at([YOURS.point(part), fits, need]));
    } else if let Some([part, pattern]) = PATTERN.numbers(feature) {
        out.push(AROUND.at([MINE.point(part), pattern]));
    } else if let Some([point, _, used]) = USE.numbers(feature) {
        out.push(USEFUL.at([point, used]));
    } else if let Some([point, _, fit]) = FIT.numbers(feature) {
        out.push(FITTING.at([point, fit]));
    } else if let Some([point, _, near]) = NEAR.numbers(feature) {
        out.push(NEIGHBOURS.at([point, near]));
    } else if let Some([point, own, opp]) = RACES.numbers(feature) {
        let lead = LEAD.at([point, RACE + own - opp]);
        out.extend([OWN_RACE.at([point, own]), OPP_RACE.at([point, opp]), lead]);
    } else if let Some([point, _, held, faced]) = HANDS.numbers(feature) {
        out.extend([HAND.at([point, held]), FACED.at([point, faced])]);
    } else if let Some([point, finish, late, open]) = OPEN.numbers(feature) {
        out.extend([OPEN_ANYWAY.at([point, open]), RULED.at([point, finish, late])]);
        out.extend([FINISH.at([point, finish]), LEFT.at([point, late])]);
    }
}
