//! The hand-written evaluator and policy `rule`.

use super::board::{Move, Phase};
use super::turn::lowest;
use super::{ALL_POINTS, Rules, Verslun, claims};
use knave_agents::{Evaluator, Policy, Rng, Seat};
use std::sync::Arc;

/// The evaluator and policy `rule`.
#[derive(Clone, Debug)]
pub struct Rule {}

impl Evaluator<Verslun> for Rule {
    fn value(&self, position: &Verslun, _: Seat) -> f64 {
        let mut points = f64::from(position.board.points);
        if position.board.phase == Phase::NoClaim {
            points -= 1.0;
        }
        (points / f64::from(ALL_POINTS)).clamp(0.0, 1.0)
    }
}

impl Policy<Verslun> for Rule {
    fn choose(&self, position: &Verslun, _: &mut Vec<Move>, _: &mut Rng) -> Move {
        let board = &position.board;
        match board.phase {
            Phase::Turn => Move::Draw,
            Phase::Redeal => {
                if claims::possible(board) || position.pile_len() < board.rules.redealt() {
                    return Move::Keep;
                }
                lowest(board).map_or(Move::Keep, Move::Redeal)
            }
            Phase::Claim => {
                let mut best = (0, Move::Pass);
                claims::list(board, |claim| {
                    let worth = board.points_of(&claim);
                    if worth > best.0 {
                        best = (worth, Move::Claim(claim));
                    }
                });
                best.1
            }
            _ => Move::On,
        }
    }
}

/// The names of the evaluators.
pub const EVALUATORS: &[&str] = &["rule"];
/// The names of the policies.
pub const POLICIES: &[&str] = &["rule"];

/// The evaluator of this name.
#[must_use]
pub fn evaluator(name: &str, _: &Rules) -> Option<Arc<dyn Evaluator<Verslun>>> {
    (name == "rule").then(|| Arc::new(Rule {}) as Arc<dyn Evaluator<Verslun>>)
}

/// The policy of this name.
#[must_use]
pub fn policy(name: &str, _: &Rules) -> Option<Arc<dyn Policy<Verslun>>> {
    (name == "rule").then(|| Arc::new(Rule {}) as Arc<dyn Policy<Verslun>>)
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
