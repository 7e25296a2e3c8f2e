//! The features of a learned value: what a turn leaves behind, sorted into bins.

use super::board::points;
use super::choice::{Worth, choice};
use super::heuristic::Rule;
use super::prospects::{Kind, LATER, Left, Scene};
use super::rules::{HEIGHT, Rules};
use super::{ALL_POINTS, Move, Phase, Verslun};
use crate::games::models;
use arrayvec::ArrayVec;
use knave_agents::learn::{Features, LearnedValue, Model, probability};
use knave_agents::{Evaluator, Policy, Rng, Seat};
use std::sync::{Arc, LazyLock};

/// A feature for each of so many bins, and where they begin among all of them.
#[derive(Copy, Clone)]
struct Bins {
    start: u16,
    count: u16,
}

impl Bins {
    /// So many bins after these.
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

/// Columns that are told apart: the most promising ones.
const SLOTS: u16 = 4;

// What is about to happen with how many open columns; cards left in the pile after it; the hand.
const KIND: Bins = Bins { start: 0, count: 15 };
const PILE: Bins = KIND.then(53);
const HAND: Bins = PILE.then(9);
const HAND_POINTS: Bins = HAND.then(26);
/// The three poorest claimed columns as far as they can be given up; the last bin for none.
const POOREST: [Bins; 3] = {
    let first = HAND_POINTS.then(42);
    [first, first.then(42), first.then(42).then(42)]
};
const RICH: Bins = POOREST[2].then(21);
const STUCK: Bins = RICH.then(24);
const ALL_SOON: Bins = STUCK.then(41);
const ALL_LATER: Bins = ALL_SOON.then(41);
const ALL_AFRESH: Bins = ALL_LATER.then(61);
// For every slot.
const SOON: u16 = 35;
const ANY: u16 = 11;
const LATER_ON: u16 = 24;
const AFRESH: u16 = 24;
const AT_HAND: u16 = 36;
const SLOT: u16 = SOON + ANY + LATER_ON + AFRESH + AT_HAND;
const SLOT_0: u16 = ALL_AFRESH.end();
/// For every card of a column, how many partners lack and how many the pile holds; the same for all columns.
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
const INPUTS: u16 = SUIT_WORTH.end();

/// Bins in a row, that share being beyond a bound.
const ROWS: [Bins; 9] =
    [PILE, HAND_POINTS, POOREST[0], POOREST[1], RICH, STUCK, ALL_SOON, ALL_LATER, ALL_AFRESH];
// What is shared comes in this order: the bounds of rows, what slots share, the bounds of each slot, suits by less.
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
const SHARED: u16 = HELD_ALL.end() - INPUTS;

/// What the net adds to the points that the hand-written evaluator expects is between this and its negative.
const MOST: f32 = 125.0;

/// A column as it looks with the hand.
struct Column {
    soon: f32,
    any: f32,
    later: f32,
    afresh: f32,
    at_hand: u8,
    /// A bin for each card.
    cards: [u16; HEIGHT],
}

impl Column {
    fn new(scene: &Scene, left: &Left, place: usize, drawn: usize) -> Self {
        let afresh = scene.afresh[place];
        let prospect = if left.kind == Kind::Deal {
            afresh
        } else {
            scene.prospect(place, left.hand, (scene.chances(drawn), scene.chances(drawn + LATER)))
        };
        let (mut cards, mut at_hand, mut hand, mut going) = ([0; HEIGHT], 0, left.hand, true);
        for (card, needed) in cards.iter_mut().zip(&scene.columns[place]) {
            let there = (left.hand & needed.pairing).count_ones() as u16;
            let lacking = u16::from(needed.rank).saturating_sub(there).min(LACK - 1);
            *card = lacking * UNSEEN + u16::from(needed.unseen).min(UNSEEN - 1);
            let partners = hand & needed.pairing;
            going &= partners != 0;
            if going {
                let id = partners.ilog2() as u8;
                hand &= !(1 << id);
                // A pair with a partner of unknown points is worth seven more than the card.
                at_hand += needed.worth as u8 - 7 + points(id);
            }
        }
        let (soon, any, later) = (prospect.soon, prospect.any, prospect.later);
        Self { soon, any, later, afresh: afresh.soon, at_hand, cards }
    }
}

/// The cards of a suit, in the lane of clubs.
const LANE: u64 = 0x7ffc;

/// The points of the cards of one suit.
fn points_of(lane: u64) -> u16 {
    /// The ranks whose points have each bit.
    const BITS: [u64; 4] = [0x42a8, 0x3ccc, 0x00f0, 0x3f00];
    (0..4).map(|bit| ((lane & BITS[bit]).count_ones() as u16) << bit).sum()
}

/// Replaces the contents of `out` with the features of what a turn leaves behind.
fn features(scene: &Scene, left: &Left, out: &mut Vec<u16>) {
    let redealt = scene.rules.redealt();
    let (drawn, gone) = match left.kind {
        Kind::Draw => {
            let drawn = usize::from(scene.rules.hand).saturating_sub(left.hand.count_ones() as usize);
            (drawn, drawn)
        }
        Kind::Deal => (usize::from(scene.rules.hand), redealt),
        Kind::Claim => (0, 0),
    };
    let pile = scene.pile.saturating_sub(gone);
    let mut columns: ArrayVec<Column, 11> = ArrayVec::new();
    let mut open = left.open;
    while open != 0 {
        let place = open.trailing_zeros() as usize;
        open &= open - 1;
        let column = Column::new(scene, left, place, drawn);
        let at = columns.iter().position(|other| other.soon < column.soon).unwrap_or(columns.len());
        columns.insert(at, column);
    }
    out.clear();
    out.push(KIND.of(left.kind as u16 * 5 + (columns.len() as u16).min(4)));
    out.push(PILE.of(pile as u16));
    out.push(HAND.of(left.hand.count_ones() as u16));
    out.push(HAND_POINTS.of(u16::from(left.hand_points) / 2));
    for (n, (bins, worth)) in POOREST.iter().zip(left.poorest).enumerate() {
        let lost = worth == u8::MAX || pile < (n + 1) * redealt;
        out.push(bins.of(if lost { u16::MAX } else { (u16::from(worth) / 2).min(40) }));
    }
    out.push(RICH.amount((scene.rich + 0.5) * 20.0));
    let sum = |of: fn(&Column) -> f32| columns.iter().map(of).sum::<f32>();
    let stuck = stuck(scene, left, drawn);
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
    suits(scene, left, out);
}

/// The chance that no open column can be claimed after the next draw.
fn stuck(scene: &Scene, left: &Left, drawn: usize) -> f32 {
    let (mut open, mut pairing) = (left.open, 0);
    while open != 0 {
        pairing |= scene.columns[open.trailing_zeros() as usize][0].pairing;
        open &= open - 1;
    }
    if left.hand & pairing != 0 {
        return 0.0;
    }
    let (pile, good) = (scene.pile, (scene.unseen & pairing).count_ones() as usize);
    (0..drawn.min(pile)).map(|i| pile.saturating_sub(good + i) as f32 / (pile - i) as f32).product()
}

/// Appends the features of the suits.
fn suits(scene: &Scene, left: &Left, out: &mut Vec<u16>) {
    // A byte for every suit.
    let (mut first, mut wanted, mut open) = (0_u32, 0_u32, left.open);
    while open != 0 {
        let place = open.trailing_zeros() as usize;
        open &= open - 1;
        first += 1 << (8 * scene.columns[place][0].suit);
        scene.columns[place].iter().for_each(|needed| wanted += 1 << (8 * needed.suit));
    }
    let mut rows = [[0; 3]; 4];
    for (suit, row) in rows.iter_mut().enumerate() {
        let lane = |cards: u64| cards >> (16 * suit) & LANE;
        let count = |counts: u32| (counts >> (8 * suit) & 0xff) as u16;
        let (hand, unseen) = (lane(left.hand), lane(scene.unseen));
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

impl Features for Verslun {
    const FEATURES_VERSION: u32 = 2;
    const INPUTS: usize = INPUTS as usize;
    const SHARED: usize = SHARED as usize;
    const RANGE: f64 = 2.0 * MOST as f64 / ALL_POINTS as f64;

    /// What the hand-written evaluator expects, less the most that the net takes away.
    fn settled(&self, _: Seat) -> f64 {
        f64::from(Rule::fitted().points(self) - MOST) / f64::from(ALL_POINTS)
    }

    fn features(&self, _: Seat, out: &mut Vec<u16>) {
        let Verslun { board, pile } = &*self.laid_out();
        let scene = Scene::new(board, pile.cards());
        let kind = match board.phase {
            Phase::Dealing => Kind::Deal,
            Phase::Claim | Phase::Redeal => Kind::Claim,
            _ => Kind::Draw,
        };
        features(&scene, &Left::new(board, &scene, kind), out);
    }

    fn shared(feature: u16, out: &mut Vec<u16>) {
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
        } else if (SUIT_POINTS.start..SUIT_POINTS.end()).contains(&feature) {
            let held = (feature - SUIT_POINTS.start) / WANTED;
            out.extend((1..=held).map(|bound| HELD_ALL.start + bound));
        }
    }

    fn decide(&self, _: Seat, net: &mut dyn FnMut(&[u16]) -> f64, line: &mut Vec<Move>) -> Option<f64> {
        let choice = choice(&mut ByNet::new(net, true), self);
        line.clear();
        line.extend(choice.moves);
        Some(f64::from(choice.value) / f64::from(ALL_POINTS))
    }
}

/// Values by a net what looks good to the hand-written evaluator.
struct ByNet<'a> {
    net: &'a mut dyn FnMut(&[u16]) -> f64,
    rule: Arc<Rule>,
    thorough: bool,
    features: Vec<u16>,
}

impl<'a> ByNet<'a> {
    fn new(net: &'a mut dyn FnMut(&[u16]) -> f64, thorough: bool) -> Self {
        Self { net, rule: Rule::fitted(), thorough, features: Vec::with_capacity(64) }
    }
}

impl Worth for ByNet<'_> {
    fn thorough(&self) -> bool {
        self.thorough
    }

    fn guess(&self, scene: &Scene, left: &Left) -> f32 {
        (&&*self.rule).guess(scene, left)
    }

    /// More costs time, less costs points.
    fn margin(&self) -> Option<f32> {
        Some(if self.thorough { 8.0 } else { 5.0 })
    }

    fn worth(&mut self, scene: &Scene, left: &Left, guess: f32) -> f32 {
        features(scene, left, &mut self.features);
        guess - MOST + 2.0 * MOST * (self.net)(&self.features) as f32
    }
}

/// The trained value, and the policy that maximises it.
pub struct Learned(LearnedValue<Verslun>);

impl Learned {
    /// Calls `f` with the net.
    fn with_net<T>(&self, f: impl FnOnce(&mut dyn FnMut(&[u16]) -> f64) -> T) -> T {
        // From one afterstate to the next only a few features change.
        f(&mut |features| {
            self.0.batch(|common| common.extend_from_slice(features), |logit| probability(logit(&[])))
        })
    }

    /// The best moves up to the next random event, and what they promise.
    fn decide(&self, position: &Verslun, line: &mut Vec<Move>) -> Option<f64> {
        self.with_net(|net| Features::decide(position, 0, net, line))
    }
}

impl Evaluator<Verslun> for Learned {
    fn value(&self, position: &Verslun, seat: Seat) -> f64 {
        self.0.value(position, seat)
    }

    fn decision(&self, position: &Verslun, _: Seat) -> Option<f64> {
        // A search asks for many of them: what the best claims of all would add is about the same everywhere.
        let choice = self.with_net(|net| choice(&mut ByNet::new(net, false), position));
        Some(f64::from(choice.value) / f64::from(ALL_POINTS))
    }
}

impl Policy<Verslun> for Learned {
    fn choose(&self, position: &Verslun, buffer: &mut Vec<Move>, _: &mut Rng) -> Move {
        self.decide(position, buffer);
        buffer[0]
    }

    fn plan(&self, position: &Verslun, line: &mut Vec<Move>, _: &mut Rng) {
        self.decide(position, line);
    }
}

static MODEL: LazyLock<Arc<Model>> =
    LazyLock::new(|| models::shipped(include_bytes!("../../../agents/models/verslun.model")));

/// The trained value, where it was trained for these rules.
pub fn value(rules: &Rules) -> Option<Learned> {
    // The target decides what counts as won, not what is maximised.
    let rules = Rules { target: Rules::default().target, ..*rules };
    models::value(std::slice::from_ref(&*MODEL), &rules).map(Learned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use knave_agents::rng::stream;
    use knave_agents::{Game as _, Role, Turn};

    /// What a plan promises is the value of what it leaves behind, every move is legal, what a search takes a decision to be
    /// worth is close to that and hardly ever more, and the net plays better than the rule that it corrects.
    #[test]
    fn decisions_keep_their_promise() {
        let learned = value(&Rules::default()).expect("the model is for the default rules");
        let (mut turns, mut line, mut points) = (0, Vec::new(), [0, 0]);
        let (mut short, mut more) = (0.0, 0);
        for index in 0..1_500 {
            for (player, points) in points.iter_mut().enumerate() {
                let mut rng = stream(43, index, Role::Deal);
                let mut position = Verslun::deal(&Rules::default(), &mut rng);
                while position.turn() != Turn::Over {
                    if position.turn() == Turn::Chance {
                        position.roll(&mut rng);
                        continue;
                    }
                    let promised = if player == 1 {
                        Rule::fitted().plan(&position, &mut line, &mut rng);
                        None
                    } else {
                        let promised = learned.decide(&position, &mut line).unwrap();
                        let quick = learned.decision(&position, 0).unwrap();
                        short += (promised - quick) * f64::from(ALL_POINTS);
                        more += usize::from(quick > promised + 1e-6);
                        Some(promised)
                    };
                    line.iter().for_each(|&m| position.try_play(m).unwrap());
                    let over = position.turn() == Turn::Over;
                    let kept = if over { position.utility(0) } else { learned.value(&position, 0) };
                    assert!(promised.is_none_or(|promised| (promised - kept).abs() < 1e-5), "{index}");
                    turns += 1;
                }
                *points += i64::from(position.board().points);
            }
        }
        assert!(turns > 20_000, "{turns}");
        assert!(more < turns / 100 && short > 0.0 && short < f64::from(turns as u32), "{more}, {short}");
        // By two points on average, with a standard error of less than one.
        assert!(points[0] > points[1], "{points:?}");
    }
}
