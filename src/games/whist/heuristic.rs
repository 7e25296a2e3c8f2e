//! The hand-written policy and evaluator `rule`: named features, a weight for each in
//! `agents/models/whist-rule.toml`.
//!
//! The policy plays the card with the highest score. What it looks at is so little (see [`Case`]) that
//! the scores of all cases stand in a table, which makes it quick enough for rollouts. The evaluator
//! estimates the utility from the standing, the trick and the hand.

use super::table::SEATS;
use super::{Move, Rules, SCOUNDRELS, Whist};
use crate::cards::{Card, CardSet};
use knave_agents::{Evaluator, Policy, Rng, Seat};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// What the policy looks at when it weighs a card.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// How many players have yet to play to the trick, 0 to 3; 3 is a lead.
    pub after: usize,
    /// The points of the cards in the trick, −3 to 3.
    pub points: i32,
    /// Whether the card would win the trick as it lies.
    pub wins: bool,
    /// Whether it is a trump.
    pub trump: bool,
    /// Whether it is a scoundrel.
    pub scoundrel: bool,
    /// Whether no higher card of its suit is in another hand.
    pub highest: bool,
    /// Its rank, 2 to 14.
    pub rank: u8,
    /// Its points, −1 to 1.
    pub value: i32,
}

/// The names of the policy's features, in order.
pub const POLICY_FEATURES: [&str; P] = [
    "lead_rank",
    "lead_value",
    "lead_trump",
    "lead_scoundrel",
    "lead_highest",
    "lead_highest_value",
    "lead_trump_rank",
    "lead_eight",
    "lose_rank",
    "lose_value",
    "lose_trump",
    "lose_highest",
    "lose_value_last",
    "win_last",
    "win_last_points",
    "win_last_value",
    "win_last_rank",
    "win_last_trump",
    "win_last_scoundrel",
    "win_third",
    "win_third_points",
    "win_third_value",
    "win_third_rank",
    "win_third_trump",
    "win_third_scoundrel",
    "win_third_highest",
    "win_second",
    "win_second_points",
    "win_second_value",
    "win_second_rank",
    "win_second_trump",
    "win_second_scoundrel",
    "win_second_highest",
];
/// The number of the policy's features.
pub const P: usize = 33;

impl Case {
    /// The features, in the order of [`POLICY_FEATURES`]. Ranks count from −1 (two) to 1 (ace).
    #[must_use]
    pub fn features(&self) -> [f32; P] {
        let mut features = [0.0; P];
        let bit = |flag: bool| f32::from(u8::from(flag));
        let plain = bit(!self.scoundrel);
        let rank = plain * (f32::from(self.rank) - 8.0) / 6.0;
        let value = self.value as f32;
        let (trump, scoundrel) = (bit(self.trump && !self.scoundrel), bit(self.scoundrel));
        let highest = plain * bit(self.highest);
        let points = self.points as f32;
        let mut put =
            |from: usize, values: &[f32]| features[from..from + values.len()].copy_from_slice(values);
        match (self.after, self.wins) {
            (3, _) => {
                let eight = plain * bit((7..=9).contains(&self.rank));
                put(0, &[rank, value, trump, scoundrel, highest, highest * value, trump * rank, eight]);
            }
            (after, false) => put(8, &[rank, value, trump, highest, bit(after == 0) * value]),
            (0, true) => put(13, &[1.0, points, value, rank, trump, scoundrel]),
            (1, true) => put(19, &[1.0, points, value, rank, trump, scoundrel, highest]),
            (_, true) => put(26, &[1.0, points, value, rank, trump, scoundrel, highest]),
        }
        features
    }

    /// The number of cases with numbers of their own.
    const COUNT: usize = 4 * 8 * 8 * 16;

    /// The number of this case. Scoundrels take the place of a rank that there is not.
    fn number(&self) -> usize {
        let flags = usize::from(self.wins) << 2 | usize::from(self.trump) << 1 | usize::from(self.highest);
        let rank = if self.scoundrel { 0 } else { usize::from(self.rank) };
        ((self.after * 8 + (self.points + 3) as usize) * 8 + flags) * 16 + rank
    }
}

/// What all cards of a decision have in common.
#[derive(Copy, Clone, Debug)]
pub struct Situation {
    after: usize,
    points: i32,
    winning: CardSet,
    trumps: CardSet,
    others: CardSet,
    plus: CardSet,
    minus: CardSet,
}

impl Situation {
    /// The situation of the player whose turn it is.
    #[must_use]
    pub fn new(position: &Whist) -> Self {
        let table = &position.table;
        let (plus, minus) = table.rules.values();
        Self {
            after: 3 - usize::from(table.count),
            points: table.trick_points(),
            winning: table.winning,
            trumps: table.trumps(),
            others: position.others(table.seat()),
            plus,
            minus,
        }
    }

    /// The case of a card of the hand.
    #[must_use]
    pub fn case(&self, card: Card) -> Case {
        Case {
            after: self.after,
            points: self.points,
            wins: self.winning.contains(card),
            trump: self.trumps.contains(card),
            scoundrel: SCOUNDRELS.contains(card),
            highest: self.others.lane(card.suit()) >> card.rank() == 0,
            rank: card.rank(),
            value: i32::from(self.plus.contains(card)) - i32::from(self.minus.contains(card)),
        }
    }
}

/// The policy `rule`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The scores of all cases.
    scores: Box<[f32]>,
}

impl Rule {
    /// The policy with these weights, in the order of [`POLICY_FEATURES`].
    #[must_use]
    pub fn new(rules: &Rules, weights: &[f32; P]) -> Self {
        let (plus, minus) = rules.values();
        let mut scores = vec![0.0; Case::COUNT].into_boxed_slice();
        for number in 0..Case::COUNT {
            let rank = (number % 16) as u8;
            let scoundrel = rank == 0;
            if !scoundrel && !(2..=14).contains(&rank) {
                continue;
            }
            // Hearts stand for every suit: no scoundrel is among them.
            let lane = |cards: CardSet| i32::from(cards.lane(crate::cards::Suit::Hearts) >> rank & 1);
            let case = Case {
                after: number / 1024,
                points: (number / 128 % 8) as i32 - 3,
                wins: number >> 6 & 1 == 1,
                trump: number >> 5 & 1 == 1,
                scoundrel,
                highest: number >> 4 & 1 == 1,
                rank,
                value: if scoundrel { 0 } else { lane(plus) - lane(minus) },
            };
            debug_assert_eq!(case.number(), number);
            scores[number] = case.features().iter().zip(weights).map(|(x, w)| x * w).sum();
        }
        Self { scores }
    }

    /// The card to play by the player whose turn it is.
    #[must_use]
    pub fn card(&self, position: &Whist) -> Card {
        let situation = Situation::new(position);
        let (mut best, mut best_score) = (position.table.shown, f32::NEG_INFINITY);
        for card in position.legal() {
            let score = self.scores[situation.case(card).number()];
            if score > best_score {
                (best, best_score) = (card, score);
            }
        }
        best
    }
}

impl Policy<Whist> for Rule {
    fn choose(&self, position: &Whist, _: &mut Vec<Move>, _: &mut Rng) -> Move {
        Move(self.card(position))
    }
}

/// The names of the evaluator's features, in order.
pub const VALUE_FEATURES: [&str; V] = [
    "bias",
    "dealer",
    "margin",
    "margin_left",
    "ahead",
    "trick_won",
    "trick_won_points",
    "trick_open",
    "trick_open_points",
    "trick_lost",
    "trick_lost_points",
    "leads",
    "scoundrels",
    "trumps",
    "high_trumps",
    "highest",
    "low_cards",
    "high_cards",
];
/// The number of the evaluator's features.
pub const V: usize = 18;

/// The features of a position for `seat`, from what it knows, in the order of [`VALUE_FEATURES`].
#[must_use]
pub fn value_features(position: &Whist, seat: Seat) -> [f32; V] {
    let table = &position.table;
    let hand = position.hand(seat);
    let others = position.others(seat);
    let (plus, minus) = table.rules.values();
    let count = |cards: CardSet, of: CardSet| (cards.bits() & of.bits()).count_ones() as f32;
    let points = table.points.map(i32::from);
    let own = points[seat];
    let best = (0..SEATS).filter(|&other| other != seat).map(|other| points[other]).max().unwrap_or(0);
    let sum: i32 = points.iter().sum();
    let left = hand.len() as f32;
    let spread = (left + 1.0).sqrt();
    let trick = table.trick_points() as f32;
    let (mut won, mut open, mut lost) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    if table.count > 0 {
        let state = if !table.has_played(seat) {
            &mut open
        } else if table.ahead() == seat {
            &mut won
        } else {
            &mut lost
        };
        *state = [1.0, trick];
    }
    let mut highest = 0.0;
    for card in hand {
        highest += f32::from(u8::from(others.lane(card.suit()) >> card.rank() == 0));
    }
    let trumps = table.trumps();
    let high_trumps = CardSet::from_bits(trumps.bits() & 0x7800_7800_7800_7800);
    [
        1.0,
        f32::from(u8::from(seat == super::DEALER)),
        (own - best) as f32 / spread,
        (own - best) as f32 * left / 13.0,
        (4 * own - sum) as f32 / 4.0 / spread,
        won[0],
        won[1],
        open[0],
        open[1],
        lost[0],
        lost[1],
        f32::from(u8::from(table.count == 0 && table.seat() == seat)),
        count(hand, SCOUNDRELS),
        count(hand, trumps) / 3.0,
        count(hand, high_trumps),
        highest / 3.0,
        count(hand, plus) / 5.0,
        count(hand, minus) / 5.0,
    ]
}

/// The evaluator `rule`.
#[derive(Clone, Debug)]
pub struct Value {
    /// The weights, in the order of [`VALUE_FEATURES`].
    pub weights: [f32; V],
}

impl Value {
    /// The utility that `seat` can expect.
    #[must_use]
    pub fn utility(&self, position: &Whist, seat: Seat) -> f64 {
        let features = value_features(position, seat);
        let logit: f32 = features.iter().zip(&self.weights).map(|(x, w)| x * w).sum();
        1.0 / (1.0 + f64::from(-logit).exp())
    }
}

impl Evaluator<Whist> for Value {
    fn value(&self, position: &Whist, seat: Seat) -> f64 {
        self.utility(position, seat)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[allow(dead_code)]
    made_by: String,
    policy: BTreeMap<String, f32>,
    value: BTreeMap<String, f32>,
}

static FITTED: LazyLock<([f32; P], [f32; V])> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("../../../agents/models/whist-rule.toml"))
        .unwrap_or_else(|error| unreachable!("a test reads this file: {error}"));
    (POLICY_FEATURES.map(|name| file.policy[name]), VALUE_FEATURES.map(|name| file.value[name]))
});

/// The weights of `agents/models/whist-rule.toml`: the policy's and the evaluator's.
#[must_use]
pub fn fitted() -> ([f32; P], [f32; V]) {
    *FITTED
}

/// The names of the evaluators.
pub const EVALUATORS: &[&str] = &["rule"];
/// The names of the policies.
pub const POLICIES: &[&str] = &["rule"];

/// The evaluator of this name.
#[must_use]
pub fn evaluator(name: &str, _: &Rules) -> Option<Arc<dyn Evaluator<Whist>>> {
    (name == "rule").then(|| Arc::new(Value { weights: fitted().1 }) as Arc<dyn Evaluator<Whist>>)
}

/// The policy of this name.
#[must_use]
pub fn policy(name: &str, rules: &Rules) -> Option<Arc<dyn Policy<Whist>>> {
    (name == "rule").then(|| Arc::new(Rule::new(rules, &fitted().0)) as Arc<dyn Policy<Whist>>)
}

/// The options with another default in this game.
#[must_use]
pub fn defaults(agent: &str) -> &'static [(&'static str, &'static str)] {
    match agent {
        "flat" => &[("rollout", "rule"), ("worlds", "200")],
        "mcts" => &[("rollout", "rule"), ("c", "0.4")],
        _ => &[],
    }
}
