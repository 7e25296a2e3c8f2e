//! The hand-written evaluator and policy `rule`: a weight for each of the [`FEATURES`] of what a turn leaves
//! behind, in `agents/models/verslun-rule.toml`. The value of a position is its points and, for the points to
//! come, the weighted sum of the features.

use super::board::{Board, Claim, Move, Phase, points};
use super::claims;
use super::prospects::{FEATURES, KINDS, Kind, Left, N, Scene, features};
use super::rules::{HEIGHT, Rules};
use super::turn::lowest;
use super::{ALL_POINTS, Verslun};
use arrayvec::ArrayVec;
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

/// How the next turn begins.
#[derive(Copy, Clone)]
enum Next {
    Draw,
    Redeal,
    Claim,
}

/// The best claim: its value, and how the next turn begins.
struct Best {
    value: f32,
    claim: Claim,
    next: Next,
}

/// The moves up to the next random event, and their value in points.
struct Choice {
    moves: ArrayVec<Move, 6>,
    value: f32,
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

    fn value(&self, scene: &Scene, left: &Left) -> f32 {
        f32::from(left.points) + self.to_come(left.kind, &scene.features(left))
    }

    /// The value of giving up the poorest column.
    fn redeal(&self, scene: &Scene, left: &Left) -> Option<f32> {
        let [lowest, second, third] = left.poorest;
        if lowest == u8::MAX || scene.pile < scene.rules.redealt() {
            return None;
        }
        let points = left.points - u16::from(lowest);
        let poorest = [second, third, u8::MAX];
        let after = Left { kind: Kind::Deal, points, hand: 0, hand_points: 0, open: left.open, poorest };
        Some(self.value(scene, &after))
    }

    /// The best way to begin a turn, and its value.
    fn turn(&self, scene: &Scene, left: &Left) -> (f32, Next) {
        if scene.pile == 0 {
            return (f32::from(left.points), Next::Draw);
        }
        let mut best = (self.value(scene, left), Next::Draw);
        if let Some(value) = self.redeal(scene, left).filter(|&value| value > best.0) {
            best = (value, Next::Redeal);
        }
        if scene.pairs(left) {
            let value = self.value(scene, &Left { kind: Kind::Claim, ..*left });
            if value > best.0 {
                best = (value, Next::Claim);
            }
        }
        best
    }

    /// The best claim, with the highest partners for every column and height.
    fn claim(&self, scene: &Scene, board: &Board, now: &Left) -> Option<Best> {
        let mut best: Option<Best> = None;
        for place in board.open() {
            let mut left = Left { open: now.open & !(1 << place), ..*now };
            let (mut worth, mut partners) = (0, [0; HEIGHT]);
            for (at, needed) in scene.columns[place].iter().enumerate() {
                let Some(id) = highest(left.hand & needed.pairing) else {
                    break;
                };
                partners[at] = id;
                worth += points(id) + points(board.columns[place][at]);
                left.hand &= !(1 << id);
                left.hand_points -= points(id);
                left.points = now.points + u16::from(worth);
                left.poorest = scene.poorest_with(worth);
                let (value, next) = self.turn(scene, &left);
                if best.as_ref().is_none_or(|best| value > best.value) {
                    best = Some(Best { value, claim: Claim { column: place as u8, partners }, next });
                }
            }
        }
        best
    }

    fn choice(&self, position: &Verslun) -> Choice {
        let Verslun { board, pile } = &*position.laid_out();
        let scene = Scene::new(board, pile.cards());
        let now = Left::new(board, &scene, Kind::Draw);
        let mut choice = Choice { moves: ArrayVec::new(), value: f32::from(board.points) };
        match board.phase {
            Phase::Redeal => {
                let kept = self.claim(&scene, board, &now);
                choice.value = kept.as_ref().map_or(choice.value, |best| best.value);
                if let Some(value) = self.redeal(&scene, &now).filter(|&value| value > choice.value) {
                    choice.value = value;
                    choice.moves.extend(lowest(board).map(Move::Redeal));
                } else {
                    choice.moves.push(Move::Keep);
                    choice.moves.extend(kept.into_iter().flat_map(|best| best.moves(board, scene.pile)));
                }
            }
            Phase::Claim => {
                let best = self.claim(&scene, board, &now);
                choice.value = best.as_ref().map_or(choice.value, |best| best.value);
                choice.moves.extend(best.into_iter().flat_map(|best| best.moves(board, scene.pile)));
            }
            phase => {
                let (value, next) = self.turn(&scene, &now);
                choice.value = value;
                choice.moves.extend((phase == Phase::End).then_some(Move::On));
                choice.moves.extend(next.moves(board, scene.pile));
            }
        }
        choice
    }
}

impl Best {
    /// The claim and the moves after it.
    fn moves(&self, board: &Board, pile: usize) -> ArrayVec<Move, 4> {
        let mut moves = ArrayVec::new();
        // The partners pair in the order in which they were found.
        let claim = Move::Claim(claims::canonical(board, &self.claim).unwrap_or(self.claim));
        let mut after = *board;
        after.play(claim, pile);
        moves.extend([claim, Move::On]);
        moves.extend(self.next.moves(&after, pile));
        moves
    }
}

impl Next {
    /// The moves that begin the turn; none where the pile is empty and the game over.
    fn moves(self, board: &Board, pile: usize) -> ArrayVec<Move, 2> {
        let mut moves = ArrayVec::new();
        match self {
            _ if pile == 0 => {}
            Next::Draw => moves.push(Move::Draw),
            Next::Redeal => {
                moves.push(Move::Stay);
                moves.extend(lowest(board).map(Move::Redeal));
            }
            Next::Claim => moves.extend([Move::Stay, Move::Keep]),
        }
        moves
    }
}

/// The card with the most points, of those of the last suit.
fn highest(cards: u64) -> Option<u8> {
    const ACES: u64 = 0x4000_4000_4000_4000;
    let cards = if cards & !ACES == 0 { cards } else { cards & !ACES };
    (cards != 0).then(|| cards.ilog2() as u8)
}

fn utility(points: f32) -> f64 {
    f64::from(points / f32::from(ALL_POINTS)).clamp(0.0, 1.0)
}

impl Evaluator<Verslun> for Rule {
    fn value(&self, position: &Verslun, _: Seat) -> f64 {
        utility(self.points(position))
    }

    fn decision(&self, position: &Verslun, _: Seat) -> Option<f64> {
        Some(utility(self.choice(position).value))
    }
}

impl Policy<Verslun> for Rule {
    fn choose(&self, position: &Verslun, _: &mut Vec<Move>, _: &mut Rng) -> Move {
        if position.board.phase == Phase::End {
            return Move::On;
        }
        self.choice(position).moves[0]
    }

    fn plan(&self, position: &Verslun, line: &mut Vec<Move>, _: &mut Rng) {
        line.clear();
        line.extend(self.choice(position).moves);
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
        "flat" => &[("rollout", "none"), ("leaf", ""), ("worlds", "100"), ("halving", "true")],
        "mcts" => &[
            ("rollout", "none"),
            ("leaf", ""),
            ("iterations", "500"),
            ("c", "0.6"),
            ("trust", "15"),
            ("paired", "true"),
            ("widen_alpha", "1"),
        ],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::verslun::rules::Match;
    use knave_agents::Role;
    use knave_agents::rng::stream;

    /// The weights file names every part and feature, and nothing else.
    #[test]
    fn the_rule_has_all_its_weights() {
        let rule = Rule::fitted();
        assert!(rule.weights.iter().flatten().all(|weight| weight.is_finite()));
        assert!(rule.weights.iter().all(|weights| weights.iter().any(|&weight| weight != 0.0)));
        assert!(evaluator("none such", &Rules::default()).is_none());
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
