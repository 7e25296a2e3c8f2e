//! The hand-written policy `rule`: the card with the highest linear score of named features.
//!
//! There are so few cases (see [`Case`]) that their scores stand in a table. That makes the policy quick enough for rollouts.
//! The weights are in the table `policy` of `models/whist-rule.toml`.

use crate::cards::{Card, CardSet};
use crate::models::named_weights;
use crate::whist::{Board, Move, Rules, SCOUNDRELS, View, Whist};
use knave_agents::{Policy, Rng};
use std::sync::{Arc, LazyLock};

/// A case: everything about a card that the policy looks at. A scoundrel has no suit, rank or value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The number of players still to play to the trick, 0 to 3; 3 is a lead.
    pub after: usize,
    /// The points of the cards in the trick, −3 to 3.
    pub points: i32,
    /// Whether the card would win the trick as it lies.
    pub wins: bool,
    /// Whether it is a trump.
    pub trump: bool,
    /// Whether it is a scoundrel.
    pub scoundrel: bool,
    /// Its rank, 2 to 14.
    pub rank: u8,
    /// Its points, −1 to 1.
    pub value: i32,
    /// The number of higher cards of its suit in other hands; 3 stands for more.
    pub higher: usize,
    /// The number of cards of its suit in other hands, in threes, rounded up; 3 stands for more.
    pub held: usize,
    /// The number of other cards of its suit in the hand; 3 stands for more.
    pub own: usize,
    /// The number of scoundrels in other hands.
    pub danger: usize,
}

/// The names of the policy's features, in order.
pub const POLICY_FEATURES: [&str; P] = [
    "lead_rank",
    "lead_value",
    "lead_trump",
    "lead_scoundrel",
    "lead_trump_rank",
    "lead_eight",
    "lose_rank",
    "lose_value",
    "lose_trump",
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
    "win_second",
    "win_second_points",
    "win_second_value",
    "win_second_rank",
    "win_second_trump",
    "win_second_scoundrel",
    "lead_highest",
    "lead_highest_value",
    "lead_higher",
    "lead_higher_value",
    "lead_held",
    "lead_held_value",
    "lead_none_held",
    "lead_none_held_value",
    "lead_single",
    "lead_own",
    "lead_danger_value",
    "lose_highest",
    "lose_higher",
    "lose_held",
    "lose_single",
    "lose_single_value",
    "lose_own",
    "lose_danger_value",
    "win_last_highest",
    "win_last_single",
    "win_last_danger",
    "win_third_highest",
    "win_third_higher",
    "win_third_held",
    "win_third_danger",
    "win_third_single",
    "win_second_highest",
    "win_second_higher",
    "win_second_held",
    "win_second_danger",
    "win_second_single",
];
/// The number of the policy's features.
pub const P: usize = 59;
/// The first feature about other cards; those before are about the card and the trick.
const WHERE: usize = 28;

impl Case {
    /// The features, in the order of [`POLICY_FEATURES`]. Ranks count from −1 (two) to 1 (ace).
    #[must_use]
    pub fn features(&self) -> [f32; P] {
        let mut features = [0.0; P];
        let plain = f32::from(!self.scoundrel);
        let rank = plain * (f32::from(self.rank) - 8.0) / 6.0;
        let value = self.value as f32;
        let (trump, scoundrel) = (f32::from(self.trump && !self.scoundrel), f32::from(self.scoundrel));
        let points = self.points as f32;
        let third = |n: usize| plain * n as f32 / 3.0;
        let (higher, held, own) = (third(self.higher), third(self.held), third(self.own));
        let highest = plain * f32::from(self.higher == 0);
        let none = plain * f32::from(self.held == 0);
        let single = plain * f32::from(self.own == 0);
        let danger = plain * self.danger as f32;
        let mut put =
            |from: usize, values: &[f32]| features[from..from + values.len()].copy_from_slice(values);
        match (self.after, self.wins) {
            (3, _) => {
                let eight = plain * f32::from((7..=9).contains(&self.rank));
                put(0, &[rank, value, trump, scoundrel, trump * rank, eight]);
                put(28, &[highest, highest * value, higher, higher * value, held, held * value]);
                put(34, &[none, none * value, single, own, danger * value]);
            }
            (after, false) => {
                put(6, &[rank, value, trump, f32::from(after == 0) * value]);
                put(39, &[highest, higher, held, single, single * value, own, danger * value]);
            }
            (0, true) => {
                put(10, &[1.0, points, value, rank, trump, scoundrel]);
                put(46, &[highest, single, danger]);
            }
            (1, true) => {
                put(16, &[1.0, points, value, rank, trump, scoundrel]);
                put(49, &[highest, higher, held, danger, single]);
            }
            (_, true) => {
                put(22, &[1.0, points, value, rank, trump, scoundrel]);
                put(54, &[highest, higher, held, danger, single]);
            }
        }
        features
    }

    /// The sizes of [`Case::numbers`].
    const COUNTS: [usize; 2] = [4 * 8 * 4 * 16, 4 * 2 * 4 * 256];

    /// The case as two numbers, one for each half of the features. Scoundrels take the place of an unused rank and value.
    fn numbers(&self) -> [usize; 2] {
        let flags = usize::from(self.wins) << 1 | usize::from(self.trump);
        let rank = if self.scoundrel { 0 } else { usize::from(self.rank) };
        let value = if self.scoundrel { 3 } else { (self.value + 1) as usize };
        let card = ((self.after * 8 + (self.points + 3) as usize) * 4 + flags) * 16 + rank;
        let place = ((self.higher * 4 + self.held) * 4 + self.own) * 4 + self.danger;
        [card, ((self.after * 2 + usize::from(self.wins)) * 4 + value) * 256 + place]
    }

    /// A case with this number in this half; the features of the half are the same for all such cases.
    fn of(half: usize, number: usize, value_of: impl Fn(u8) -> i32) -> Self {
        let none = Self {
            after: 0,
            points: 0,
            wins: false,
            trump: false,
            scoundrel: false,
            rank: 8,
            value: 0,
            higher: 0,
            held: 0,
            own: 0,
            danger: 0,
        };
        if half == 0 {
            let rank = (number % 16) as u8;
            let scoundrel = rank == 0;
            let value = if scoundrel { 0 } else { value_of(rank) };
            let (wins, trump) = (number >> 5 & 1 == 1, number >> 4 & 1 == 1);
            let points = (number / 64 % 8) as i32 - 3;
            return Self { after: number / 512, points, wins, trump, scoundrel, rank, value, ..none };
        }
        let value = (number / 256 % 4) as i32 - 1;
        let scoundrel = value == 2;
        Self {
            after: number / 2048,
            wins: number / 1024 % 2 == 1,
            scoundrel,
            value: if scoundrel { 0 } else { value },
            higher: number / 64 % 4,
            held: number / 16 % 4,
            own: number / 4 % 4,
            danger: number % 4,
            ..none
        }
    }
}

/// The context of a decision: everything that its cards have in common.
#[derive(Copy, Clone, Debug)]
pub struct DecisionContext {
    after: usize,
    points: i32,
    winning: CardSet,
    trumps: CardSet,
    hand: CardSet,
    others: CardSet,
    danger: usize,
    plus: CardSet,
    minus: CardSet,
}

impl DecisionContext {
    /// The context of the mover.
    #[must_use]
    pub fn new(position: &Whist) -> Self {
        let seat = position.board.mover();
        Self::of(&position.board, position.hand(seat), position.others(seat))
    }

    fn of(board: &Board, hand: CardSet, others: CardSet) -> Self {
        let (plus, minus) = board.rules.values();
        Self {
            after: 3 - usize::from(board.count),
            points: board.trick_points(),
            winning: board.winning,
            trumps: board.trumps(),
            hand,
            others,
            danger: (others & SCOUNDRELS).len(),
            plus,
            minus,
        }
    }

    /// The case of a card of the hand.
    #[must_use]
    #[inline]
    pub fn case(&self, card: Card) -> Case {
        let count = |lane: u16| lane.count_ones() as usize;
        let others = self.others.lane(card.suit());
        Case {
            after: self.after,
            points: self.points,
            wins: self.winning.contains(card),
            trump: self.trumps.contains(card),
            scoundrel: SCOUNDRELS.contains(card),
            rank: card.rank(),
            value: i32::from(self.plus.contains(card)) - i32::from(self.minus.contains(card)),
            higher: count(others >> card.rank()).min(3),
            held: count(others).div_ceil(3).min(3),
            own: (count(self.hand.lane(card.suit())) - 1).min(3),
            danger: self.danger,
        }
    }
}

/// The policy `rule`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The weights, in the order of [`POLICY_FEATURES`].
    weights: [f32; P],
    /// The scores of all cases, by half of their features.
    scores: [Box<[f32]>; 2],
}

impl Rule {
    /// The policy with the weights of `models/whist-rule.toml`.
    #[must_use]
    pub fn fitted(rules: &Rules) -> Arc<Self> {
        Arc::new(Self::new(rules, &WEIGHTS))
    }

    /// The policy with these weights, in the order of [`POLICY_FEATURES`].
    #[must_use]
    pub fn new(rules: &Rules, weights: &[f32; P]) -> Self {
        let (plus, minus) = rules.values();
        // Hearts stand for every suit, for they have no scoundrel.
        let lane = |cards: CardSet, rank: u8| i32::from(cards.lane(crate::cards::Suit::Hearts) >> rank & 1);
        let scores = [0, 1].map(|half| {
            let of_half = if half == 0 { 0..WHERE } else { WHERE..P };
            let score = |number| {
                let case = Case::of(half, number, |rank| lane(plus, rank) - lane(minus, rank));
                let features = case.features();
                of_half.clone().map(|i| features[i] * weights[i]).sum()
            };
            (0..Case::COUNTS[half]).map(score).collect()
        });
        Self { weights: *weights, scores }
    }

    /// The weights, in the order of [`POLICY_FEATURES`].
    #[must_use]
    pub fn weights(&self) -> &[f32; P] {
        &self.weights
    }

    /// The mover's card.
    #[must_use]
    pub fn card(&self, position: &Whist) -> Card {
        self.best(&DecisionContext::new(position), position.legal())
    }

    fn best(&self, context: &DecisionContext, legal: CardSet) -> Card {
        let (mut best, mut best_score) = (Card::from_id(2), f32::NEG_INFINITY);
        for card in legal {
            let [first, second] = context.case(card).numbers();
            let score = self.scores[0][first] + self.scores[1][second];
            if score > best_score {
                (best, best_score) = (card, score);
            }
        }
        best
    }
}

impl Policy<Whist> for Rule {
    fn choose_by_view(&self, view: &View, _: &mut Rng) -> Option<Move> {
        Some(Move(
            self.best(&DecisionContext::of(&view.board, view.hand, view.others), view.board.legal(view.hand)),
        ))
    }

    fn choose(&self, position: &Whist, _: &mut Vec<Move>, _: &mut Rng) -> Move {
        Move(self.card(position))
    }
}

static WEIGHTS: LazyLock<[f32; P]> = LazyLock::new(|| {
    let weights = read_weights(include_str!("../models/whist-rule.toml"));
    weights.unwrap_or_else(|error| unreachable!("a test reads this file: {error}"))
});

/// The weights of a file such as `models/whist-rule.toml`.
///
/// # Errors
/// Unless the table `policy` has a row for each feature, and no others.
pub(in crate::whist) fn read_weights(file: &str) -> Result<[f32; P], String> {
    named_weights(file, "policy", &POLICY_FEATURES)
}
