//! The features of the net: amounts of an afterstate, sorted into bins.

use super::context::{Afterstate, ColumnCard, DecisionContext, LATER, PARTNER, Upcoming};
use super::draws::Draws;
use crate::verslun::claims::upwards;
use crate::verslun::deck::{lane, points, points_of};
use crate::verslun::rules::{HEIGHT, MAX_COLUMNS, Match, Rules};
use arrayvec::ArrayVec;

/// A group of bins, with a feature for each.
#[derive(Copy, Clone)]
struct Bins {
    start: u16,
    count: u16,
}

impl Bins {
    /// The group of so many bins after this one.
    const fn then(self, count: u16) -> Self {
        Self { start: self.end(), count }
    }

    const fn end(self) -> u16 {
        self.start + self.count
    }

    /// The feature of a bin; what lies beyond the last counts as the last.
    fn of(self, bin: u16) -> u16 {
        self.start + bin.min(self.count - 1)
    }

    /// The feature of a number of units, rounded down.
    fn amount(self, units: f32) -> u16 {
        self.of(units.max(0.0) as u16)
    }
}

/// The numbers of open columns that are told apart.
const OPEN: u16 = 9;
/// The columns that are told apart: the most promising ones.
const SLOTS: u16 = 4;

// The next event with the number of open columns; the cards left in the pile after it; the hand.
const KIND: Bins = Bins { start: 0, count: 3 * OPEN };
const PILE: Bins = KIND.then(53);
const HAND: Bins = PILE.then(9);
const HAND_POINTS: Bins = HAND.then(41);
/// The three poorest claimed columns as far as they can be given up; the last bin for none.
const POOREST: [Bins; 3] = {
    let first = HAND_POINTS.then(42);
    [first, first.then(42), first.then(42).then(42)]
};
const RICH: Bins = POOREST[2].then(21);
const STUCK: Bins = RICH.then(24);
const ALL_SOON: Bins = STUCK.then(81);
const ALL_LATER: Bins = ALL_SOON.then(81);
const ALL_AFRESH: Bins = ALL_LATER.then(101);
// For every slot.
const SOON: u16 = 35;
const ANY: u16 = 11;
const LATER_ON: u16 = 24;
const AFRESH: u16 = 24;
const AT_HAND: u16 = 36;
const SLOT: u16 = SOON + ANY + LATER_ON + AFRESH + AT_HAND;
const SLOT_0: u16 = ALL_AFRESH.end();
/// For every card of a column: how many partners are missing, and how many the pile holds. The same for all columns.
const LACK: u16 = 5;
const UNSEEN: u16 = 12;
const CARD: u16 = LACK * UNSEEN;
const CARDS: [Bins; HEIGHT] = {
    let first = Bins { start: SLOT_0 + SLOTS * SLOT, count: CARD };
    [first, first.then(CARD), first.then(CARD).then(CARD), first.then(CARD).then(CARD).then(CARD)]
};
// For every suit, all suits alike: the cards of it in the hand, the open columns that begin with it, all cards of it in
// open columns, the cards of it in the pile; the points of it in the hand; how rich it is in the pile.
const HELD: u16 = 4;
const FIRST: u16 = 3;
const WANTED: u16 = 7;
const LEFT: u16 = 7;
const SUIT: Bins = CARDS[HEIGHT - 1].then(HELD * FIRST * WANTED * LEFT);
const HELD_POINTS: u16 = 14;
const SUIT_POINTS: Bins = SUIT.then(HELD_POINTS * WANTED);
const SUIT_RICH: u16 = 8;
const SUIT_WORTH: Bins = SUIT_POINTS.then(SUIT_RICH * WANTED);
// The best claim after the next draw: the points expected of it and of the second best, and the chances that it brings so
// many.
const BEST: Bins = SUIT_WORTH.then(41);
const SECOND: Bins = BEST.then(31);
const AT_LEAST: [Bins; 4] = {
    let first = SECOND.then(17);
    [first, first.then(17), first.then(17).then(17), first.then(17).then(17).then(17)]
};
// Pairs and triples: the poorest column and the pile; the best claim, the redeals that are left and the poorest column; the
// next event and the pile.
const THIRDS: u16 = 14;
const POOREST_PILE: Bins = AT_LEAST[3].then(13 * THIRDS);
const REDEALS: u16 = 5;
const POOR: u16 = 7;
const BEST_POOREST: Bins = POOREST_PILE.then(11 * REDEALS * POOR);
const PILES: u16 = 32;
const KIND_PILE: Bins = BEST_POOREST.then(KIND.count * PILES);
/// The points of a slot's cards.
const OWN: u16 = 24;
const OWNS: Bins = KIND_PILE.then(SLOTS * OWN);
// The points of the next two claims, and the pile between them.
const BOTH: Bins = OWNS.then(66);
const FEW: u16 = 14;
const BOTH_PILE: Bins = BOTH.then(16 * FEW);
// What the rules say: the size of the hand, the number of columns and which cards pair. What lies beyond counts as the last.
const HANDS: u16 = 5;
const COLUMNS: u16 = 7;
const PAIRINGS: u16 = 4;
const RULES: Bins = BOTH_PILE.then(HANDS * COLUMNS * PAIRINGS);
pub const INPUTS: u16 = RULES.end();

/// Groups of amounts: each bin shares being beyond a bound with those above it.
const ROWS: [Bins; 16] = [
    BOTH,
    PILE,
    HAND_POINTS,
    POOREST[0],
    POOREST[1],
    RICH,
    STUCK,
    ALL_SOON,
    ALL_LATER,
    ALL_AFRESH,
    BEST,
    SECOND,
    AT_LEAST[0],
    AT_LEAST[1],
    AT_LEAST[2],
    AT_LEAST[3],
];
// Shared features come in this order: bounds of rows, bins of slots in any slot, bounds of each slot, suits by fewer parts.
const SLOT_SHARED: u16 = {
    let (mut end, mut i) = (INPUTS, 0);
    while i < ROWS.len() {
        end += ROWS[i].count;
        i += 1;
    }
    end
};
const SLOT_BOUNDS: u16 = SLOT_SHARED + SLOT;
const HELD_WANTED: Bins = Bins { start: SLOT_BOUNDS + SLOTS * (SOON + AT_HAND), count: HELD * WANTED };
const WANTED_LEFT: Bins = HELD_WANTED.then(WANTED * LEFT);
const HELD_FIRST: Bins = WANTED_LEFT.then(HELD * FIRST);
const HELD_ALL: Bins = HELD_FIRST.then(HELD_POINTS);
const RULE: Bins = HELD_ALL.then(HANDS + COLUMNS + PAIRINGS);
pub const SHARED: u16 = RULE.end() - INPUTS;

/// A column, as the hand can claim it.
struct Column {
    soon: f32,
    any: f32,
    later: f32,
    afresh: f32,
    at_hand: u8,
    /// The points of all its cards.
    own: u8,
    /// A bin for each card.
    cards: [u16; HEIGHT],
}

impl Column {
    fn new(context: &DecisionContext, after: &Afterstate, place: usize, drawn: usize) -> Self {
        let (afresh, column) = (context.afresh[place], &context.columns[place]);
        let prospect = if after.upcoming == Upcoming::Deal {
            afresh
        } else {
            context.prospect(place, after.hand, (context.chances(drawn), context.chances(drawn + LATER)))
        };
        let cards = column.map(|card| {
            let there = (after.hand & card.pairing).count_ones() as u16;
            let lacking = u16::from(card.rank).saturating_sub(there).min(LACK - 1);
            lacking * UNSEEN + u16::from(card.unseen).min(UNSEEN - 1)
        });
        // A pair with a partner of unknown points is worth seven more than the card.
        let own_points = |card: &ColumnCard| (card.worth - PARTNER) as u8;
        // The last partner by number, whatever its points: the features are what the model was trained on.
        let last = |cards: u64| cards.checked_ilog2().map(|id| id as u8);
        let partners = upwards(column.iter().map(|card| card.pairing), after.hand, last);
        let at_hand = column.iter().zip(partners).map(|(card, id)| own_points(card) + points(id)).sum();
        let own = column.iter().map(own_points).sum();
        let (soon, any, later) = (prospect.soon, prospect.any, prospect.later);
        Self { soon, any, later, afresh: afresh.soon, at_hand, own, cards }
    }
}

/// Replaces the contents of `out` with the features of an afterstate.
pub fn features(context: &DecisionContext, after: &Afterstate, draws: &Draws, out: &mut Vec<u16>) {
    let redealt = context.rules.redealt();
    let drawn = after.drawn(context);
    let pile = after.pile(context);
    let mut columns: ArrayVec<Column, MAX_COLUMNS> = ArrayVec::new();
    for place in after.open() {
        let column = Column::new(context, after, place, drawn);
        let at = columns.iter().position(|other| other.soon < column.soon).unwrap_or(columns.len());
        columns.insert(at, column);
    }
    out.clear();
    let kind = after.upcoming as u16 * OPEN + (columns.len() as u16).min(OPEN - 1);
    out.push(KIND.of(kind));
    out.push(PILE.of(pile as u16));
    out.push(HAND.of(after.hand.count_ones() as u16));
    out.push(HAND_POINTS.of(u16::from(after.hand_points) / 2));
    for (n, (bins, worth)) in POOREST.iter().zip(after.poorest).enumerate() {
        let lost = worth == u8::MAX || pile < (n + 1) * redealt;
        out.push(bins.of(if lost { u16::MAX } else { (u16::from(worth) / 2).min(40) }));
    }
    out.push(RICH.amount((context.rich + 0.5) * 20.0));
    let sum = |of: fn(&Column) -> f32| columns.iter().map(of).sum::<f32>();
    let stuck = stuck(context, after, drawn);
    out.push(STUCK.amount(stuck.sqrt() * 23.5));
    out.push(ALL_SOON.amount(sum(|column| column.soon) / 4.0));
    out.push(ALL_LATER.amount(sum(|column| column.later) / 4.0));
    out.push(ALL_AFRESH.amount(sum(|column| column.afresh) / 4.0));
    for (slot, column) in (0..SLOTS).zip(&columns) {
        let mut bins = Bins { start: SLOT_0 + slot * SLOT, count: 0 };
        let mut push = |count: u16, bin: u16| {
            bins = bins.then(count);
            out.push(bins.of(bin));
        };
        push(SOON, (column.soon / 2.0) as u16);
        push(ANY, (column.any * 10.0) as u16);
        push(LATER_ON, (column.later / 3.0) as u16);
        push(AFRESH, (column.afresh / 3.0) as u16);
        push(AT_HAND, u16::from(column.at_hand) / 2);
    }
    for column in columns.iter().take(usize::from(SLOTS)) {
        out.extend(column.cards.iter().zip(CARDS).map(|(&card, bins)| bins.of(card)));
    }
    suits(context, after, out);
    out.push(BEST.amount(draws.best / 2.0));
    out.push(SECOND.amount(draws.second / 2.0));
    for (bins, chance) in AT_LEAST.iter().zip(draws.at_least) {
        out.push(bins.amount(chance.sqrt() * 16.0 + 0.5));
    }
    let poorest = |unit: u8, most: u16| {
        if after.poorest[0] == u8::MAX { most } else { u16::from(after.poorest[0] / unit).min(most - 1) }
    };
    // Exact where few are left, in threes before.
    let thirds = (pile as u16).div_ceil(3).min(THIRDS - 1);
    let piles = (pile as u16).min(20 + (pile as u16).saturating_sub(20).div_ceil(3));
    out.push(POOREST_PILE.of(poorest(5, 12) * THIRDS + thirds));
    let (best, redeals) = ((draws.best / 6.0) as u16, (pile / redealt) as u16);
    let best = best.min(10) * REDEALS + redeals.min(REDEALS - 1);
    out.push(BEST_POOREST.of(best * POOR + poorest(8, POOR - 1)));
    out.push(KIND_PILE.of(kind * PILES + piles));
    out.push(BOTH.amount(draws.both / 2.0));
    let few = if draws.both > 0.0 { (pile as u16).min(FEW - 1) } else { 0 };
    out.push(BOTH_PILE.of(((draws.both / 8.0) as u16).min(15) * FEW + few));
    for (slot, column) in (0..SLOTS).zip(&columns) {
        out.push(OWNS.start + slot * OWN + (u16::from(column.own) / 2).min(OWN - 1));
    }
    out.push(rules(&context.rules));
}

/// The feature of some rules.
fn rules(rules: &Rules) -> u16 {
    let hand = u16::from(rules.hand).saturating_sub(4).min(HANDS - 1);
    let columns = u16::from(rules.columns).saturating_sub(2).min(COLUMNS - 1);
    let pairing = u16::from(rules.matching == Match::SuitOrRank) + 2 * u16::from(rules.aces_wild);
    RULES.of((hand * COLUMNS + columns) * PAIRINGS + pairing)
}

/// The chance that no open column can be claimed after the next draw.
fn stuck(context: &DecisionContext, after: &Afterstate, drawn: usize) -> f32 {
    let pairing = after.open().fold(0, |pairing, place| pairing | context.columns[place][0].pairing);
    if after.hand & pairing != 0 {
        return 0.0;
    }
    let (pile, good) = (context.pile, (context.unseen & pairing).count_ones() as usize);
    (0..drawn.min(pile)).map(|i| pile.saturating_sub(good + i) as f32 / (pile - i) as f32).product()
}

/// Appends the features of the suits.
fn suits(context: &DecisionContext, after: &Afterstate, out: &mut Vec<u16>) {
    // A byte for every suit.
    let (mut first, mut wanted) = (0_u32, 0_u32);
    for place in after.open() {
        first += 1 << (8 * context.columns[place][0].suit);
        context.columns[place].iter().for_each(|card| wanted += 1 << (8 * card.suit));
    }
    let mut rows = [[0; 3]; 4];
    for (suit, row) in rows.iter_mut().enumerate() {
        let count = |counts: u32| (counts >> (8 * suit) & 0xff) as u16;
        let (hand, unseen) = (lane(after.hand, suit), lane(context.unseen, suit));
        let wanted = count(wanted).min(WANTED - 1);
        let number = unseen.count_ones();
        // 0 to 3 as they are, then 4 and 5, 6 and 7, more.
        let few = (number as u16).min(number as u16 / 2 + 2).min(LEFT - 1);
        let held = (hand.count_ones() as u16).min(HELD - 1);
        let first = count(first).min(FIRST - 1);
        let rich = if number == 0 {
            0
        } else {
            (points_of(unseen) / number as u16).saturating_sub(2).min(SUIT_RICH - 1)
        };
        *row = [
            SUIT.start + ((held * FIRST + first) * WANTED + wanted) * LEFT + few,
            SUIT_POINTS.start + (points_of(hand) / 3).min(HELD_POINTS - 1) * WANTED + wanted,
            SUIT_WORTH.start + rich * WANTED + wanted,
        ];
    }
    (0..3).for_each(|kind| out.extend(rows.iter().map(|row| row[kind])));
}

/// Appends the shared features of a feature: see [`knave_agents::learn::Features::shared`].
pub fn shared(feature: u16, out: &mut Vec<u16>) {
    let mut start = INPUTS;
    for bins in ROWS {
        if (bins.start..bins.end()).contains(&feature) {
            out.extend((1..=feature - bins.start).map(|bound| start + bound));
        }
        start += bins.count;
    }
    if (SLOT_0..CARDS[0].start).contains(&feature) {
        // The same in any slot; and for amounts, in this slot, being beyond a bound.
        let (slot, part) = ((feature - SLOT_0) / SLOT, (feature - SLOT_0) % SLOT);
        out.push(SLOT_SHARED + part);
        let start = SLOT_BOUNDS + slot * (SOON + AT_HAND);
        let hand = SOON + ANY + LATER_ON + AFRESH;
        if part < SOON {
            out.extend((1..=part).map(|bound| start + bound));
        } else if (hand..hand + AT_HAND).contains(&part) {
            out.extend((1..=part - hand).map(|bound| start + SOON + bound));
        }
    } else if (SUIT.start..SUIT.end()).contains(&feature) {
        let (rest, left) = ((feature - SUIT.start) / LEFT, (feature - SUIT.start) % LEFT);
        let (held, wanted) = (rest / WANTED, rest % WANTED);
        let (held, first) = (held / FIRST, held % FIRST);
        out.push(HELD_WANTED.start + held * WANTED + wanted);
        out.push(WANTED_LEFT.start + wanted * LEFT + left);
        out.push(HELD_FIRST.start + held * FIRST + first);
    } else if (RULES.start..RULES.end()).contains(&feature) {
        let (rest, pairing) = ((feature - RULES.start) / PAIRINGS, (feature - RULES.start) % PAIRINGS);
        let (hand, columns) = (rest / COLUMNS, rest % COLUMNS);
        out.extend([hand, HANDS + columns, HANDS + COLUMNS + pairing].map(|option| RULE.start + option));
    } else if (SUIT_POINTS.start..SUIT_POINTS.end()).contains(&feature) {
        let held = (feature - SUIT_POINTS.start) / WANTED;
        out.extend((1..=held).map(|bound| HELD_ALL.start + bound));
    }
}
