//! The hand-written evaluator `rule`: logistic regression on the standing, the trick and the hand.
//!
//! The weights are in the table `value` of `models/whist-rule.toml`.

use crate::cards::CardSet;
use crate::models::named_weights;
use crate::whist::{DEALER, SCOUNDRELS, SEATS, Whist};
use knave_agents::learn::probability;
use knave_agents::{Evaluator, Seat};
use std::sync::{Arc, LazyLock};

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

/// The features of a position for `seat`, in the order of [`VALUE_FEATURES`].
#[must_use]
pub fn value_features(position: &Whist, seat: Seat) -> [f32; V] {
    let board = &position.board;
    let hand = position.hand(seat);
    let others = position.others(seat);
    let (plus, minus) = board.rules.values();
    let count = |cards: CardSet, of: CardSet| (cards & of).len() as f32;
    let points = board.points.map(i32::from);
    let own = points[seat];
    let best = (0..SEATS).filter(|&other| other != seat).map(|other| points[other]).max().unwrap_or(0);
    let sum: i32 = points.iter().sum();
    let left = hand.len() as f32;
    let spread = (left + 1.0).sqrt();
    let trick = board.trick_points() as f32;
    let (mut won, mut open, mut lost) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    if board.count > 0 {
        let state = if !board.has_played(seat) {
            &mut open
        } else if board.ahead() == seat {
            &mut won
        } else {
            &mut lost
        };
        *state = [1.0, trick];
    }
    let mut highest = 0.0;
    for card in hand {
        highest += f32::from(others.lane(card.suit()) >> card.rank() == 0);
    }
    let trumps = board.trumps();
    let high_trumps = trumps & CardSet::of_ranks(0x7800);
    [
        1.0,
        f32::from(seat == DEALER),
        (own - best) as f32 / spread,
        (own - best) as f32 * left / 13.0,
        (4 * own - sum) as f32 / 4.0 / spread,
        won[0],
        won[1],
        open[0],
        open[1],
        lost[0],
        lost[1],
        f32::from(board.count == 0 && board.mover() == seat),
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
    /// The evaluator with the weights of `models/whist-rule.toml`.
    #[must_use]
    pub fn fitted() -> Arc<Self> {
        Arc::clone(&VALUE)
    }

    /// The evaluator with the weights of a file such as `models/whist-rule.toml`.
    ///
    /// # Errors
    /// Unless the table `value` has a row for each feature, and no others.
    pub(in crate::whist) fn read(file: &str) -> Result<Self, String> {
        Ok(Self { weights: named_weights(file, "value", &VALUE_FEATURES)? })
    }

    /// The expected utility of `seat`.
    #[must_use]
    pub fn utility(&self, position: &Whist, seat: Seat) -> f64 {
        let features = value_features(position, seat);
        let logit: f32 = features.iter().zip(&self.weights).map(|(x, w)| x * w).sum();
        probability(logit.into())
    }
}

impl Evaluator<Whist> for Value {
    fn value(&self, position: &Whist, seat: Seat) -> f64 {
        self.utility(position, seat)
    }
}

static VALUE: LazyLock<Arc<Value>> = LazyLock::new(|| {
    let value = Value::read(include_str!("../models/whist-rule.toml"));
    Arc::new(value.unwrap_or_else(|error| unreachable!("a test reads this file: {error}")))
});
