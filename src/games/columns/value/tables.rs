//! The tables in which the learned value looks things up: a feature is a place in one of them.
//!
//! What a look is worth depends on what comes next and on who is about to do it, so most tables have a part for each
//! viewpoint. While the value is learnt, places share coarser tables ([`shared`]): much of what is learnt of a
//! column with a die of 4 holds for one with a die of 2.

/// Viewpoints.
pub const POINTS: u16 = 6;
/// Kinds of dice.
const DICE: u16 = 5;
/// Columns of 0 to 6 or more cards, and finished ones.
pub const LOOKS: u16 = 8;
/// Those that are not finished.
pub const GROWING: u16 = LOOKS - 1;
/// Cards missing in a column, 0 to 5 or more.
pub const NEEDS: u16 = 6;
/// The odds that the other holds a rank, in steps.
pub const ODDS: u16 = 6;
/// How much of what was not seen fits on an own column, in steps.
pub const OUTS: u16 = 5;
/// Cards of the hand that go on in a row, 0 to 5 or more.
pub const CHAINS: u16 = 6;
/// How many cards the other may play on his column in a row, in steps, and an empty column.
pub const FITS: u16 = 9;
/// What of the hand is near the card on top: see [`super::ranks::Ranks::around`].
pub const PATTERNS: u16 = 172;
/// Cards missing on one side, 0 to 12 or more.
pub const RACE: u16 = 13;
/// Cards in a hand, 0 to 7.
pub const HELD: u16 = 8;
/// Cards in the stock, in steps.
pub const STOCKS: u16 = 7;
/// Stolen cards, in steps.
pub const PILES: u16 = 5;
/// Columns that are stuck, 0 to 4.
const STUCKS: u16 = 5;
/// Whether the stolen pile is dealt out again next, soon, or later.
pub const WHEN: u16 = 3;
/// Cards of one rank in the stolen pile, 0 to 3 or more.
pub const SAME: u16 = 4;
/// Cards in the stolen pile that fit on a column, 0 to 4 or more.
pub const BACK: u16 = 5;
/// Cards of the hand that are there more than once, or that several own columns want, 0 to 4 or more.
pub const DOUBLES: u16 = 5;
/// Cards of the hand that an own column wants and that can steal, 0 to 3 or more.
pub const TORN: u16 = 4;
/// Pairs that are open, 0 to 4.
const OPEN_PAIRS: u16 = 5;

/// How a table is parted by viewpoint and die.
pub struct Parts {
    /// The first part of each viewpoint.
    first: [u16; POINTS as usize],
    /// The parts with dice; those of viewpoints at which dice are next come after them.
    diced: u16,
    count: u16,
}

impl Parts {
    /// Whether the dice on the table count at this viewpoint.
    pub fn dice(&self, point: u16) -> bool {
        self.first[usize::from(point)] < self.diced
    }

    /// The part for a viewpoint and a kind of die: no die, 1, 2, 3 to 5, or 6.
    pub fn part(&self, point: u16, die: u16) -> u16 {
        self.first[usize::from(point)] + die * u16::from(self.dice(point))
    }

    fn point(&self, part: u16) -> u16 {
        let first = |point: &u16| self.first[usize::from(*point)];
        (0..POINTS).filter(|point| first(point) <= part).max_by_key(first).unwrap_or_default()
    }
}

/// By the dice that were placed, for whomever they are.
pub const ANYBODYS: Parts = Parts { first: [20, 0, 5, 21, 10, 15], diced: 4 * DICE, count: 4 * DICE + 2 };
/// By the dice for the next play of the seat.
pub const MINE: Parts = Parts { first: [15, 0, 16, 17, 5, 10], diced: 3 * DICE, count: 3 * DICE + 3 };
/// By the dice for the next play of the other.
pub const YOURS: Parts = Parts { first: [15, 0, 5, 16, 10, 17], diced: 3 * DICE, count: 3 * DICE + 3 };

/// A table with a row for each combination of `N` numbers.
pub struct Table<const N: usize> {
    first: u16,
    sizes: [u16; N],
}

impl<const N: usize> Table<N> {
    /// The table of these sizes that begins here.
    const fn new(first: u16, sizes: [u16; N]) -> Self {
        Self { first, sizes }
    }

    /// The feature after the last.
    const fn end(&self) -> u16 {
        let (mut rows, mut i) = (1, 0);
        while i < N {
            rows *= self.sizes[i];
            i += 1;
        }
        self.first + rows
    }

    /// The feature for these numbers, each below its size.
    #[inline]
    pub fn at(&self, numbers: [u16; N]) -> u16 {
        self.first + numbers.iter().zip(self.sizes).fold(0, |at, (number, size)| at * size + number)
    }

    /// The numbers of a feature, if it is in this table.
    fn numbers(&self, feature: u16) -> Option<[u16; N]> {
        let mut rest = feature.checked_sub(self.first).filter(|_| feature < self.end())?;
        let mut numbers = [0; N];
        for (number, size) in numbers.iter_mut().zip(self.sizes).rev() {
            (*number, rest) = (rest % size, rest / size);
        }
        Some(numbers)
    }
}

/// The looks of both columns of a pair.
pub const LOOK: Table<3> = Table::new(0, [ANYBODYS.count, LOOKS, LOOKS]);
/// Of an own column: viewpoint, whether a die lies there, the odds that it can be stolen, what fits, its look.
pub const RISK: Table<5> = Table::new(LOOK.end(), [POINTS, 2, ODDS, OUTS, GROWING]);
/// Of an own column: part, whether it has a direction, what goes on in a row, what is missing.
pub const GROWTH: Table<4> = Table::new(RISK.end(), [MINE.count, 2, CHAINS, NEEDS]);
/// Of the other's column: viewpoint, whether there is a die and the seat can still steal, with how many cards, its look.
pub const PREY: Table<4> = Table::new(GROWTH.end(), [POINTS, 3, 3, GROWING]);
/// Of the other's column: part, what he may hold that fits, what is missing.
pub const OTHERS: Table<3> = Table::new(PREY.end(), [YOURS.count, FITS, NEEDS]);
/// Of an own column: part, what of the hand is near it.
pub const PATTERN: Table<2> = Table::new(OTHERS.end(), [MINE.count, PATTERNS]);
/// Of the other's column: viewpoint, whether it has a direction, what fits of what was not seen, its look.
pub const THEIRS: Table<4> = Table::new(PATTERN.end(), [POINTS, 2, OUTS, GROWING]);
/// Of an own column: viewpoint, when the stolen pile comes back, cards in it that can steal the column, and that fit on it.
pub const OWN_BACK: Table<4> = Table::new(THEIRS.end(), [POINTS, WHEN, SAME, BACK]);
/// The same of the other's column.
pub const OPP_BACK: Table<4> = Table::new(OWN_BACK.end(), [POINTS, WHEN, SAME, BACK]);
/// Viewpoint, cards in the hand, those of them that fit on an own column.
pub const FIT: Table<3> = Table::new(OPP_BACK.end(), [POINTS, HELD, HELD]);
/// Viewpoint, cards in the hand, those that do not fit but have a neighbour there.
pub const NEAR: Table<3> = Table::new(FIT.end(), [POINTS, HELD, HELD]);
/// Viewpoint, cards in the hand, those that can be played in a row on an own column, or steal.
pub const USE: Table<3> = Table::new(NEAR.end(), [POINTS, HELD, HELD]);
/// Viewpoint, cards in the hand, those of a rank that is there already.
pub const DOUBLE: Table<3> = Table::new(USE.end(), [POINTS, HELD, DOUBLES]);
/// Viewpoint, cards of the hand that fit on several own columns, and those that fit on one and can steal.
pub const WANTED: Table<3> = Table::new(DOUBLE.end(), [POINTS, DOUBLES, TORN]);
/// Viewpoint, what is missing in all own columns and in all of the other's.
pub const RACES: Table<3> = Table::new(WANTED.end(), [POINTS, RACE, RACE]);
/// Viewpoint, how many own columns are finished and how many of the other's.
pub const FINISHED: Table<3> = Table::new(RACES.end(), [POINTS, 5, 5]);
/// Viewpoint, whether there is nothing to draw any more, cards in the hand and in the other's.
pub const HANDS: Table<4> = Table::new(FINISHED.end(), [POINTS, 2, HELD, HELD]);
/// Viewpoint, the stolen pile, the stock.
pub const STOCK: Table<3> = Table::new(HANDS.end(), [POINTS, PILES, STOCKS]);
/// Viewpoint, the cards of the other's hand that the seat knows of, and of its own that he knows of.
pub const KNOWN: Table<3> = Table::new(STOCK.end(), [POINTS, HELD, HELD]);
/// Viewpoint, the pairs that are open.
pub const OPEN: Table<2> = Table::new(KNOWN.end(), [POINTS, OPEN_PAIRS]);
/// Side, how many columns are stuck.
pub const STUCK: Table<2> = Table::new(OPEN.end(), [2, STUCKS]);
/// What stands for a finished column in the tables of growing ones.
pub const NONE: u16 = STUCK.end();
/// The number of features.
pub const INPUTS: u16 = NONE + 1;

const BOTH_LOOKS: Table<3> = Table::new(INPUTS, [POINTS, LOOKS, LOOKS]);
const OWN_LOOK: Table<2> = Table::new(BOTH_LOOKS.end(), [ANYBODYS.count, LOOKS]);
const OPP_LOOK: Table<2> = Table::new(OWN_LOOK.end(), [ANYBODYS.count, LOOKS]);
const ALL_ODDS: Table<4> = Table::new(OPP_LOOK.end(), [POINTS, 2, ODDS, GROWING]);
const ALL_OUTS: Table<3> = Table::new(ALL_ODDS.end(), [POINTS, OUTS, GROWING]);
const CHAIN: Table<3> = Table::new(ALL_OUTS.end(), [POINTS, CHAINS, NEEDS]);
const NEED: Table<2> = Table::new(CHAIN.end(), [MINE.count, NEEDS]);
const ALL_FITS: Table<3> = Table::new(NEED.end(), [POINTS, FITS, NEEDS]);
const ALL_PREY: Table<3> = Table::new(ALL_FITS.end(), [POINTS, 3, GROWING]);
const OWN_RACE: Table<2> = Table::new(ALL_PREY.end(), [POINTS, RACE]);
const OPP_RACE: Table<2> = Table::new(OWN_RACE.end(), [POINTS, RACE]);
const LEAD: Table<2> = Table::new(OPP_RACE.end(), [POINTS, 2 * RACE]);
const HAND: Table<2> = Table::new(LEAD.end(), [POINTS, HELD]);
const FACED: Table<2> = Table::new(HAND.end(), [POINTS, HELD]);
const FITTING: Table<2> = Table::new(FACED.end(), [POINTS, HELD]);
const NEIGHBOURS: Table<2> = Table::new(FITTING.end(), [POINTS, HELD]);
const USEFUL: Table<2> = Table::new(NEIGHBOURS.end(), [POINTS, HELD]);
const AROUND: Table<2> = Table::new(USEFUL.end(), [POINTS, PATTERNS]);
/// The number of features that are shared.
pub const SHARED: u16 = AROUND.end() - INPUTS;

/// The viewpoint of a feature of [`FINISHED`].
#[inline]
pub fn point(feature: u16) -> usize {
    usize::from((feature - FINISHED.first) / (FINISHED.sizes[1] * FINISHED.sizes[2]))
}

/// Appends what a feature shares with others.
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
    }
}
