//! The hand-written evaluator and policy `rule`: named features of what a turn leaves behind, and a weight
//! for each in `agents/models/verslun-rule.toml`.
//!
//! The value of a position is its points and, for the points to come, the weighted sum of the features. At
//! their heart is what the open columns are likely to yield: a column's card is paired if enough cards that
//! pair with it are in the hand or come with the next draw, a hypergeometric chance; the chances of the cards
//! below it are taken to be independent.

use super::board::{Board, Claim, Move, Phase, points};
use super::claims::{self, pairing};
use super::rules::{CARDS, HEIGHT, MAX_COLUMNS, MAX_HAND, Rules};
use super::{ALL_POINTS, Verslun};
use crate::cards::CardSet;
use knave_agents::{Evaluator, Game as _, Policy, Rng, Seat, Turn};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// The names of the features, in order.
pub const FEATURES: [&str; N] = [
    "bias",
    "no_open",
    "one_open",
    "two_open",
    "three_open",
    "pile_to_redeal",
    "pile_to_second",
    "pile_to_third",
    "pile_beyond",
    "pile_empty",
    "lowest",
    "second_lowest",
    "third_lowest",
    "lowest_poor",
    "second_poor",
    "best_column",
    "all_columns",
    "stuck",
    "stuck_for_good",
    "columns_afresh",
    "best_afresh",
    "hand_cards",
    "hand_points",
    "best_at_last",
    "columns_at_last",
    "open_and_pile",
];
/// The number of features.
pub const N: usize = 26;

/// What is about to happen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The hand will be filled.
    Draw,
    /// A column and a hand will be dealt.
    Deal,
    /// A column will be claimed with this hand.
    Claim,
}

/// The kinds of what is about to happen, by their names in the file of weights.
pub const KINDS: [(&str, Kind); 3] = [("draw", Kind::Draw), ("deal", Kind::Deal), ("claim", Kind::Claim)];

/// The most cards that pair with one card, as far as chances are told apart.
const MOST_PAIRING: usize = 20;

/// The chance that one more of the cards that pair is drawn, where as many as are needed but for the last
/// are there: by the cards in the pile, the cards drawn, the cards of the pile that pair, and the cards
/// needed beyond those in the hand, less one.
static CHANCES: LazyLock<Vec<[[f32; HEIGHT]; MOST_PAIRING + 1]>> = LazyLock::new(|| {
    let mut table = Vec::with_capacity((CARDS + 1) * (MAX_HAND + 1));
    for pile in 0..=CARDS {
        for drawn in 0..=MAX_HAND {
            let mut rows = [[0.0; HEIGHT]; MOST_PAIRING + 1];
            for (pairing, row) in rows.iter_mut().enumerate() {
                let drawn = drawn.min(pile);
                let exactly = |k: usize| hypergeometric(pile, pairing.min(pile), drawn, k);
                let mut at_least = 1.0;
                for (k, chance) in row.iter_mut().enumerate() {
                    let more = at_least - exactly(k);
                    *chance = if more > 1e-9 { (more / at_least) as f32 } else { 0.0 };
                    at_least = more.max(0.0);
                }
            }
            table.push(rows);
        }
    }
    table
});

/// The chance to draw exactly `k` of `good` cards in `drawn` of `pile`.
fn hypergeometric(pile: usize, good: usize, drawn: usize, k: usize) -> f64 {
    let choose = |n: usize, k: usize| -> f64 {
        if k > n {
            return 0.0;
        }
        (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
    };
    if k > drawn { 0.0 } else { choose(good, k) * choose(pile - good, drawn - k) / choose(pile, drawn) }
}

/// The points of a partner that is not known yet.
const PARTNER: f32 = 7.0;

/// A card of an open column.
#[derive(Copy, Clone, Default)]
struct Needed {
    /// The cards that pair with it.
    pairing: u64,
    /// How many of them are in the pile, as far as chances are told apart.
    unseen: u8,
    /// How many cards of its suit lie here and below it.
    rank: u8,
    /// What a pair with it brings.
    worth: f32,
}

/// What the candidates of one decision share.
struct Scene {
    rules: Rules,
    pile: usize,
    columns: [[Needed; HEIGHT]; MAX_COLUMNS],
    /// What each column would bring with a fresh hand.
    afresh: [f32; MAX_COLUMNS],
    /// The points of the claimed columns, ascending.
    claimed: [u8; MAX_COLUMNS],
    claimed_len: usize,
}

/// What a turn leaves behind.
struct Left {
    kind: Kind,
    points: u16,
    hand: u64,
    open: u16,
    /// The points of the three poorest claimed columns, ascending; 255 where there is none.
    poorest: [u8; 3],
}

impl Scene {
    fn new(board: &Board, unseen: CardSet) -> Self {
        let rules = board.rules;
        let mut scene = Self {
            rules,
            pile: unseen.len(),
            columns: [[Needed::default(); HEIGHT]; MAX_COLUMNS],
            afresh: [0.0; MAX_COLUMNS],
            claimed: [u8::MAX; MAX_COLUMNS],
            claimed_len: 0,
        };
        for place in board.claimed() {
            let mut at = scene.claimed_len;
            while at > 0 && scene.claimed[at - 1] > board.worth[place] {
                scene.claimed[at] = scene.claimed[at - 1];
                at -= 1;
            }
            scene.claimed[at] = board.worth[place];
            scene.claimed_len += 1;
        }
        for place in board.open() {
            let mut suits = 0_u32;
            for (needed, &id) in scene.columns[place].iter_mut().zip(&board.columns[place]) {
                if id == 0 {
                    break;
                }
                let shift = u32::from(id >> 4) * 8;
                suits += 1 << shift;
                let pairing = pairing(&rules, id);
                *needed = Needed {
                    pairing,
                    unseen: ((pairing & unseen.bits()).count_ones() as u8).min(MOST_PAIRING as u8),
                    rank: (suits >> shift) as u8,
                    worth: f32::from(points(id)) + PARTNER,
                };
            }
            let drawn = usize::from(rules.hand);
            scene.afresh[place] = scene.column(place, 0, scene.chances(drawn)).0;
        }
        scene
    }

    fn chances(&self, drawn: usize) -> &'static [[f32; HEIGHT]; MOST_PAIRING + 1] {
        &CHANCES[self.pile * (MAX_HAND + 1) + drawn.min(MAX_HAND)]
    }

    /// What a column is likely to bring, and the chance that it can be claimed.
    fn column(&self, place: usize, hand: u64, chances: &[[f32; HEIGHT]; MOST_PAIRING + 1]) -> (f32, f32) {
        let (mut chance, mut worth, mut first) = (1.0, 0.0, 0.0);
        for (at, needed) in self.columns[place].iter().enumerate() {
            let lacking = i32::from(needed.rank) - (hand & needed.pairing).count_ones() as i32;
            if lacking > 0 {
                chance *= chances[usize::from(needed.unseen) % (MOST_PAIRING + 1)][(lacking - 1) as usize & 3];
            }
            worth += chance * needed.worth;
            if at == 0 {
                first = chance;
            }
        }
        (worth, first)
    }

    fn features(&self, left: &Left) -> [f32; N] {
        let redealt = self.rules.redealt();
        let drawn = match left.kind {
            Kind::Draw => usize::from(self.rules.hand).saturating_sub(left.hand.count_ones() as usize),
            Kind::Deal => usize::from(self.rules.hand),
            Kind::Claim => 0,
        };
        let gone = if left.kind == Kind::Deal { redealt } else { drawn };
        let pile = self.pile.saturating_sub(gone);
        let chances = self.chances(drawn);
        let (mut best, mut all, mut stuck) = (0.0_f32, 0.0, 1.0);
        let (mut best_afresh, mut afresh) = (0.0_f32, 0.0);
        let mut open = left.open;
        while open != 0 {
            let place = open.trailing_zeros() as usize;
            open &= open - 1;
            let (worth, first) = self.column(place, left.hand, chances);
            best = best.max(worth);
            all += worth;
            stuck *= 1.0 - first;
            best_afresh = best_afresh.max(self.afresh[place]);
            afresh += self.afresh[place];
        }
        let redeal = redealt as f32;
        let p = pile as f32;
        let piece = |n: f32| ((p - n * redeal) / redeal).clamp(0.0, 1.0);
        let is = |condition: bool| if condition { 1.0 } else { 0.0 };
        let redeals = |n: usize| is(pile >= n * redealt && left.poorest[n - 1] < u8::MAX);
        let poorest = left.poorest.map(f32::from);
        let count = left.open.count_ones();
        let mut hand_points = 0.0;
        for card in CardSet::from_bits(left.hand) {
            hand_points += f32::from(points(card.id()));
        }
        [
            1.0,
            is(count == 0),
            is(count == 1),
            is(count == 2),
            is(count == 3),
            piece(0.0),
            piece(1.0),
            piece(2.0),
            piece(3.0),
            is(pile == 0),
            redeals(1) * poorest[0] / 40.0,
            redeals(2) * poorest[1] / 40.0,
            redeals(3) * poorest[2] / 40.0,
            redeals(1) * (30.0 - poorest[0]).max(0.0) / 30.0,
            redeals(2) * (30.0 - poorest[1]).max(0.0) / 30.0,
            best / 40.0,
            all / 80.0,
            stuck * is(pile >= redealt),
            stuck * is(pile < redealt),
            afresh / 80.0,
            best_afresh / 40.0,
            left.hand.count_ones() as f32 / 5.0,
            hand_points / 30.0,
            best / 40.0 * is(pile == 0),
            all / 80.0 * is(pile < redealt),
            count as f32 * piece(0.0) / 4.0,
        ]
    }

    /// The three poorest claimed columns, with one more of these points.
    fn poorest_with(&self, more: u8) -> [u8; 3] {
        let [a, b, c] = self.poorest(0);
        if more <= a {
            [more, a, b]
        } else if more <= b {
            [a, more, b]
        } else {
            [a, b, c.min(more)]
        }
    }

    /// The three poorest claimed columns but for the first `skip`.
    fn poorest(&self, skip: usize) -> [u8; 3] {
        std::array::from_fn(|i| self.claimed[(skip + i).min(MAX_COLUMNS - 1)])
    }
}

/// The evaluator and policy `rule`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The weights of each of [`KINDS`], in the order of [`FEATURES`], in points.
    pub weights: [[f32; N]; 3],
}

/// What is about to happen in a position that is not over, and its features.
#[must_use]
pub fn features(position: &Verslun) -> (Kind, [f32; N]) {
    let board = &position.board;
    let scene = Scene::new(board, position.pile.cards());
    let kind = match board.phase {
        Phase::Dealing => Kind::Deal,
        Phase::Claim | Phase::Redeal => Kind::Claim,
        _ => Kind::Draw,
    };
    let mut open = 0;
    // A column that is about to be dealt is not known.
    board.open().filter(|&place| board.columns[place][0] != 0).for_each(|place| open |= 1 << place);
    let left =
        Left { kind, points: board.points, hand: board.hand.bits(), open, poorest: scene.poorest(0) };
    (kind, scene.features(&left))
}

impl Rule {
    /// The rule with the weights of `agents/models/verslun-rule.toml`.
    #[must_use]
    pub fn fitted() -> Arc<Self> {
        Arc::clone(&RULE)
    }

    /// The points that can be expected at the end.
    #[must_use]
    pub fn points(&self, position: &Verslun) -> f32 {
        let now = f32::from(position.board.points);
        if position.turn() == Turn::Over {
            return now;
        }
        let (kind, features) = features(position);
        now + self.to_come(kind, &features)
    }

    /// The points to come.
    #[must_use]
    pub fn to_come(&self, kind: Kind, features: &[f32; N]) -> f32 {
        self.weights[kind as usize].iter().zip(features).map(|(w, x)| w * x).sum::<f32>().max(0.0)
    }

    fn value(&self, scene: &Scene, left: &Left) -> f32 {
        f32::from(left.points) + self.to_come(left.kind, &scene.features(left))
    }

    /// The value of a redeal.
    fn redeal(&self, scene: &Scene, left: &Left) -> Option<f32> {
        if left.poorest[0] == u8::MAX || scene.pile < scene.rules.redealt() {
            return None;
        }
        let [lowest, second, third] = left.poorest;
        let points = left.points - u16::from(lowest);
        let after = Left { kind: Kind::Deal, points, hand: 0, open: left.open, poorest: [second, third, u8::MAX] };
        Some(self.value(scene, &after))
    }

    /// The value of the beginning of a turn, and the best of draw, redeal and another claim.
    fn turn(&self, scene: &Scene, left: Left) -> (f32, Next) {
        if scene.pile == 0 {
            return (f32::from(left.points), Next::Draw);
        }
        let mut best = (self.value(scene, &left), Next::Draw);
        if let Some(value) = self.redeal(scene, &left).filter(|&value| value > best.0) {
            best = (value, Next::Redeal);
        }
        let pairs = |place: usize| scene.columns[place][0].pairing & left.hand != 0;
        if (0..MAX_COLUMNS).any(|place| left.open >> place & 1 == 1 && pairs(place)) {
            let value = self.value(scene, &Left { kind: Kind::Claim, ..left });
            if value > best.0 {
                best = (value, Next::Claim);
            }
        }
        best
    }

    /// The best claim and its value, the highest partners taken for every column and height.
    fn claim(&self, scene: &Scene, board: &Board, open: u16) -> Option<(f32, Claim)> {
        let mut best: Option<(f32, Claim)> = None;
        for place in board.open() {
            let (mut hand, mut worth) = (board.hand.bits(), 0);
            let mut partners = [0; HEIGHT];
            for (at, needed) in scene.columns[place].iter().enumerate() {
                let Some(id) = highest(hand & needed.pairing) else {
                    break;
                };
                partners[at] = id;
                hand &= !(1 << id);
                worth += points(id) + points(board.columns[place][at]);
                let left = Left {
                    kind: Kind::Draw,
                    points: board.points + u16::from(worth),
                    hand,
                    open: open & !(1 << place),
                    poorest: scene.poorest_with(worth),
                };
                let value = self.turn(scene, left).0;
                if best.is_none_or(|(other, _)| value > other) {
                    best = Some((value, Claim { column: place as u8, partners }));
                }
            }
        }
        best
    }
}

/// How a turn goes on that begins with a hand of some cards.
#[derive(Copy, Clone, PartialEq)]
enum Next {
    Draw,
    Redeal,
    Claim,
}

/// The card with the most points, of those of the last suit.
fn highest(cards: u64) -> Option<u8> {
    const ACES: u64 = 0x4000_4000_4000_4000;
    let cards = if cards & !ACES == 0 { cards } else { cards & !ACES };
    (cards != 0).then(|| cards.ilog2() as u8)
}

impl Evaluator<Verslun> for Rule {
    fn value(&self, position: &Verslun, _: Seat) -> f64 {
        f64::from(self.points(position) / f32::from(ALL_POINTS)).clamp(0.0, 1.0)
    }
}

impl Policy<Verslun> for Rule {
    fn choose(&self, position: &Verslun, _: &mut Vec<Move>, _: &mut Rng) -> Move {
        let board = &position.board;
        if board.phase == Phase::End {
            return Move::On;
        }
        let scene = Scene::new(board, position.pile.cards());
        let open = board.open().fold(0, |open, place| open | 1 << place);
        let left = Left {
            kind: Kind::Draw,
            points: board.points,
            hand: board.hand.bits(),
            open,
            poorest: scene.poorest(0),
        };
        let lowest = || super::turn::lowest(board).map_or(Move::Keep, Move::Redeal);
        match board.phase {
            Phase::Turn => {
                if self.turn(&scene, left).1 == Next::Draw { Move::Draw } else { Move::Stay }
            }
            Phase::Redeal => {
                let kept = self.claim(&scene, board, open).map_or(f32::from(board.points), |(value, _)| value);
                if self.redeal(&scene, &left).is_some_and(|value| value > kept) { lowest() } else { Move::Keep }
            }
            _ => {
                let best = self.claim(&scene, board, open);
                best.and_then(|(_, claim)| claims::canonical(board, &claim)).map_or(Move::Pass, Move::Claim)
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[allow(dead_code)]
    made_by: String,
    weights: BTreeMap<String, BTreeMap<String, f32>>,
}

static RULE: LazyLock<Arc<Rule>> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("../../../agents/models/verslun-rule.toml"))
        .unwrap_or_else(|error| unreachable!("a test reads this file: {error}"));
    Arc::new(Rule { weights: KINDS.map(|(kind, _)| FEATURES.map(|name| file.weights[kind][name])) })
});

/// The names of the evaluators.
pub const EVALUATORS: &[&str] = &["rule"];
/// The names of the policies.
pub const POLICIES: &[&str] = &["rule"];

/// The evaluator of this name.
#[must_use]
pub fn evaluator(name: &str, _: &Rules) -> Option<Arc<dyn Evaluator<Verslun>>> {
    (name == "rule").then(|| Rule::fitted() as Arc<dyn Evaluator<Verslun>>)
}

/// The policy of this name.
#[must_use]
pub fn policy(name: &str, _: &Rules) -> Option<Arc<dyn Policy<Verslun>>> {
    (name == "rule").then(|| Rule::fitted() as Arc<dyn Policy<Verslun>>)
}

/// The options with another default in this game.
#[must_use]
pub fn defaults(agent: &str) -> &'static [(&'static str, &'static str)] {
    match agent {
        "flat" => &[("rollout", "rule"), ("worlds", "200")],
        "mcts" => &[("rollout", "rule")],
        _ => &[],
    }
}
