//! The hand-written evaluator and policy `rule`: logistic regression on named features of the position after a move.
//!
//! The weights are in `models/doubles-rule.toml`.

use super::knowledge::SeatKnowledge;
use super::rule_features::{FEATURES, N, RuleFeatures};
use crate::doubles::{Doubles, Move, Phase, steps};
use crate::models::named_weights;
use knave_agents::game::MAX_SEATS;
use knave_agents::{Evaluator, Policy, Rng, Seat};
use std::sync::{Arc, LazyLock};

/// The evaluator and policy `rule`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The weights, in the order of [`FEATURES`], for two to seven players.
    pub weights: [[f32; N]; MAX_SEATS - 1],
}

impl Rule {
    /// The rule with the weights of `models/doubles-rule.toml`.
    #[must_use]
    pub fn fitted() -> Arc<Self> {
        Arc::clone(&RULE)
    }

    /// The rule with the weights of a file such as `models/doubles-rule.toml`.
    ///
    /// # Errors
    /// Unless the file has a row for each feature, and no others.
    pub(in crate::doubles) fn read(file: &str) -> Result<Self, String> {
        let rows: [[f32; MAX_SEATS - 1]; N] = named_weights(file, "weights", &FEATURES)?;
        Ok(Self { weights: std::array::from_fn(|set| rows.map(|row| row[set])) })
    }

    /// The log-odds of winning with these features, by the weights of `models/doubles-rule.toml`.
    #[must_use]
    pub fn weighted(players: u8, features: &RuleFeatures) -> f32 {
        RULE.logit(players, features)
    }

    /// The log-odds of winning with these features.
    #[must_use]
    pub fn logit(&self, players: u8, features: &RuleFeatures) -> f32 {
        features.weighted(&self.weights[usize::from(players) - 2])
    }

    /// The best move of the mover.
    #[must_use]
    pub fn best(&self, position: &Doubles) -> Move {
        let board = &position.board;
        let known = SeatKnowledge::new(board, &position.hands, board.mover);
        let mut best = (f32::NEG_INFINITY, Move::POCKET);
        steps::distinct_moves(position, |m| {
            // At the limit the stakes would be lost, and a match might never end.
            if m == Move::ROLL && board.rolls == board.max_rolls {
                return;
            }
            let logit = self.logit(board.players, &known.after(m));
            if logit > best.0 {
                best = (logit, m);
            }
        });
        best.1
    }
}

impl Evaluator<Doubles> for Rule {
    fn value(&self, position: &Doubles, seat: Seat) -> f64 {
        let board = &position.board;
        let known = SeatKnowledge::new(board, &position.hands, seat as u8);
        let mut logit = self.logit(board.players, &known.now());
        if board.phase == Phase::Choose && usize::from(board.roller) == seat {
            let choice = |m| self.logit(board.players, &known.after(m));
            logit = choice(Move::POCKET).max(choice(Move::ROLL));
        }
        known.share(logit)
    }

    /// With more than two players the value is too poor to stop at: rollouts by the policy to the end choose better.
    fn quiescent(&self, position: &Doubles) -> Option<bool> {
        (position.board.players > 2).then_some(false)
    }
}

impl Policy<Doubles> for Rule {
    fn choose(&self, position: &Doubles, _: &mut Vec<Move>, _: &mut Rng) -> Move {
        self.best(position)
    }
}

static RULE: LazyLock<Arc<Rule>> = LazyLock::new(|| {
    let rule = Rule::read(include_str!("../models/doubles-rule.toml"));
    Arc::new(rule.unwrap_or_else(|error| unreachable!("a test reads this file: {error}")))
});
