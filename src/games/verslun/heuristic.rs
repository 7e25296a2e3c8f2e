//! The hand-written evaluator and policy `rule`: a weight for each of the [`FEATURES`] of what a turn leaves
//! behind, in `agents/models/verslun-rule.toml`. The value of a position is its points and, for the points to
//! come, the weighted sum of the features.

use super::board::{Move, Phase};
use super::choice::{Worth, choice};
use super::prospects::{FEATURES, KINDS, Kind, Left, N, Scene, features};
use super::{ALL_POINTS, Verslun};
use knave_agents::{Evaluator, Game as _, Policy, Rng, Seat, Turn};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// The evaluator and policy `rule`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The weights of each of [`KINDS`], in the order of [`FEATURES`], in points.
    pub weights: [[f32; N]; 3],
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
        // Four sums side by side; plain indices, for the compiler sees through them everywhere.
        let (weights, mut sums) = (&self.weights[kind as usize], [0.0; 4]);
        for i in 0..N {
            sums[i % 4] += weights[i] * features[i];
        }
        sums.iter().sum::<f32>().max(0.0)
    }
}

impl Worth for &Rule {
    fn guess(&self, scene: &Scene, left: &Left) -> f32 {
        f32::from(left.points) + self.to_come(left.kind, &scene.features(left))
    }
}

pub(super) fn utility(points: f32) -> f64 {
    f64::from(points / f32::from(ALL_POINTS)).clamp(0.0, 1.0)
}

impl Evaluator<Verslun> for Rule {
    fn value(&self, position: &Verslun, _: Seat) -> f64 {
        utility(self.points(position))
    }

    fn decision(&self, position: &Verslun, _: Seat) -> Option<f64> {
        Some(utility(choice(&mut &*self, position).value))
    }
}

impl Policy<Verslun> for Rule {
    fn choose(&self, position: &Verslun, _: &mut Vec<Move>, _: &mut Rng) -> Move {
        if position.board.phase == Phase::End {
            return Move::On;
        }
        choice(&mut &*self, position).moves[0]
    }

    fn plan(&self, position: &Verslun, line: &mut Vec<Move>, _: &mut Rng) {
        line.clear();
        line.extend(choice(&mut &*self, position).moves);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::verslun::rules::{Match, Rules};
    use knave_agents::Role;
    use knave_agents::rng::stream;

    /// The weights file names every part and feature, and nothing else.
    #[test]
    fn the_rule_has_all_its_weights() {
        let rule = Rule::fitted();
        assert!(rule.weights.iter().flatten().all(|weight| weight.is_finite()));
        assert!(rule.weights.iter().all(|weights| weights.iter().any(|&weight| weight != 0.0)));
    }

    /// What the policy plans begins with the move that it chooses and is legal, and what it takes a decision to
    /// be worth is the value of what the plan leaves behind; under every option.
    #[test]
    fn choices_keep_their_promise() {
        let rule = Rule::fitted();
        let mut turns = 0;
        for index in 0..400 {
            let rules = Rules {
                aces_wild: index % 2 == 1,
                matching: [Match::Suit, Match::SuitOrRank][index / 2 % 2],
                hand: [5, 4, 12][index / 4 % 3],
                columns: [4, 2, 9][index / 12 % 3],
                ..Rules::default()
            };
            let mut rng = stream(31, index as u64, Role::Deal);
            let mut position = Verslun::deal(&rules, &mut rng);
            while position.turn() != Turn::Over {
                if position.turn() == Turn::Chance {
                    position.roll(&mut rng);
                    continue;
                }
                let promised = rule.decision(&position, 0).unwrap();
                let mut moves = Vec::new();
                rule.plan(&position, &mut moves, &mut rng);
                assert_eq!(moves[0], rule.choose(&position, &mut Vec::new(), &mut rng));
                for m in moves {
                    position.try_play(m).unwrap();
                }
                let over = position.turn() == Turn::Over;
                let kept = if over { position.utility(0) } else { Evaluator::value(&*rule, &position, 0) };
                assert!((promised - kept).abs() < 1e-5, "{rules:?}, game {index}: {promised}, then {kept}");
                turns += 1;
            }
        }
        assert!(turns > 2_000, "{turns}");
    }
}
