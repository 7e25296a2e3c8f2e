//! The hand-written evaluator and policy `rule`: a linear function of the [`FEATURES`] of an afterstate.
//!
//! The value of a position is its points and, for the points to come, the weighted sum of the features. The weights are fitted
//! to self-play; they stand in `models/verslun-rule.toml`.

use super::best_turn::{TurnValue, best_turn};
use super::context::{Afterstate, DecisionContext, LATER, Upcoming, only_ends, with_afterstate};
use crate::models::{in_order, named_weights};
use crate::verslun::board::Phase;
use crate::verslun::deck::ALL_POINTS;
use crate::verslun::moves::Move;
use crate::verslun::position::Verslun;
use knave_agents::{Evaluator, Game as _, Policy, Rng, Seat, Turn};
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
    "second_column",
    "later",
    "later_redeal",
    "rich",
    "rich_open",
    "best_pile",
    "afresh_pile",
    "points_pile",
];
/// The number of features.
pub const N: usize = 34;

/// The next events, by their names in the file of weights.
pub const UPCOMING: [(&str, Upcoming); 3] =
    [("draw", Upcoming::Draw), ("deal", Upcoming::Deal), ("claim", Upcoming::Claim)];

/// The features of an afterstate, in the order of [`FEATURES`].
pub fn features(context: &DecisionContext, after: &Afterstate) -> [f32; N] {
    let redealt = context.rules.redealt();
    let drawn = after.drawn(context);
    let pile = after.pile(context);
    let chances = (context.chances(drawn), context.chances(drawn + LATER));
    let (mut best, mut second, mut all, mut stuck, mut later) = (0.0_f32, 0.0_f32, 0.0, 1.0, 0.0);
    let (mut best_afresh, mut afresh) = (0.0_f32, 0.0);
    for place in after.open() {
        let fresh = context.afresh[place];
        let redeal = after.upcoming == Upcoming::Deal;
        let prospect = if redeal { fresh } else { context.prospect(place, after.hand, chances) };
        second = second.max(prospect.soon.min(best));
        best = best.max(prospect.soon);
        all += prospect.soon;
        later += prospect.later;
        stuck *= 1.0 - prospect.any;
        best_afresh = best_afresh.max(fresh.soon);
        afresh += fresh.soon;
    }
    let redeal = redealt as f32;
    let (p, share) = (pile as f32, pile as f32 / 36.0);
    let piece = |n: f32| ((p - n * redeal) / redeal).clamp(0.0, 1.0);
    let redeals = |n: usize| f32::from(pile >= n * redealt && after.poorest[n - 1] < u8::MAX);
    let poorest = after.poorest.map(f32::from);
    let count = after.open.count_ones();
    [
        1.0,
        f32::from(count == 0),
        f32::from(count == 1),
        f32::from(count == 2),
        f32::from(count == 3),
        piece(0.0),
        piece(1.0),
        piece(2.0),
        piece(3.0),
        f32::from(pile == 0),
        redeals(1) * poorest[0] / 40.0,
        redeals(2) * poorest[1] / 40.0,
        redeals(3) * poorest[2] / 40.0,
        redeals(1) * (30.0 - poorest[0]).max(0.0) / 30.0,
        redeals(2) * (30.0 - poorest[1]).max(0.0) / 30.0,
        best / 40.0,
        all / 80.0,
        stuck * f32::from(pile >= redealt),
        stuck * f32::from(pile < redealt),
        afresh / 80.0,
        best_afresh / 40.0,
        after.hand.count_ones() as f32 / 5.0,
        f32::from(after.hand_points) / 30.0,
        best / 40.0 * f32::from(pile == 0),
        all / 80.0 * f32::from(pile < redealt),
        count as f32 * piece(0.0) / 4.0,
        second / 40.0,
        later / 80.0,
        later / 80.0 * f32::from(pile >= redealt),
        context.rich,
        context.rich * count as f32 / 4.0,
        best / 40.0 * share,
        afresh / 80.0 * share,
        f32::from(after.points) / 100.0 * share,
    ]
}

/// The evaluator and policy `rule`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The weights of each of [`UPCOMING`], in the order of [`FEATURES`], in points.
    pub weights: [[f32; N]; 3],
}

impl Rule {
    /// The rule with the weights of `models/verslun-rule.toml`.
    #[must_use]
    pub fn fitted() -> Arc<Self> {
        Arc::clone(&RULE)
    }

    /// The rule with the weights of a file such as `models/verslun-rule.toml`.
    ///
    /// # Errors
    /// Unless the file has a row for each feature, and no others.
    pub(in crate::verslun) fn read(file: &str) -> Result<Self, String> {
        let events = UPCOMING.map(|(event, _)| event);
        let rows: [BTreeMap<String, f32>; 3] = named_weights(file, "weights", &events)?;
        let [draw, deal, claim] = rows.map(|row| in_order(row, &FEATURES));
        Ok(Self { weights: [draw?, deal?, claim?] })
    }

    /// The points that can be expected at the end.
    #[must_use]
    pub fn points(&self, position: &Verslun) -> f32 {
        let now = f32::from(position.board.points);
        if position.turn() == Turn::Over || only_ends(position) {
            return now;
        }
        now + with_afterstate(position, |context, after| {
            self.to_come(after.upcoming, &features(context, after))
        })
    }

    /// The points to come.
    #[must_use]
    pub fn to_come(&self, upcoming: Upcoming, features: &[f32; N]) -> f32 {
        // Four sums side by side; plain indices are vectorised everywhere.
        let (weights, mut sums) = (&self.weights[upcoming as usize], [0.0; 4]);
        for i in 0..N {
            sums[i % 4] += weights[i] * features[i];
        }
        sums.iter().sum::<f32>().max(0.0)
    }
}

impl TurnValue for &Rule {
    fn first_look(&self, context: &DecisionContext, after: &Afterstate) -> f32 {
        f32::from(after.points) + self.to_come(after.upcoming, &features(context, after))
    }
}

fn utility(points: f32) -> f64 {
    f64::from(points / f32::from(ALL_POINTS)).clamp(0.0, 1.0)
}

impl Evaluator<Verslun> for Rule {
    fn value(&self, position: &Verslun, _: Seat) -> f64 {
        utility(self.points(position))
    }

    fn decision(&self, position: &Verslun, _: Seat) -> Option<f64> {
        Some(utility(best_turn(&mut &*self, position).value))
    }
}

impl Policy<Verslun> for Rule {
    fn choose(&self, position: &Verslun, _: &mut Vec<Move>, _: &mut Rng) -> Move {
        if position.board.phase == Phase::End {
            return Move::On;
        }
        best_turn(&mut &*self, position).moves[0]
    }

    fn plan(&self, position: &Verslun, line: &mut Vec<Move>, _: &mut Rng) {
        line.clear();
        line.extend(best_turn(&mut &*self, position).moves);
    }
}

static RULE: LazyLock<Arc<Rule>> = LazyLock::new(|| {
    let rule = Rule::read(include_str!("../models/verslun-rule.toml"));
    Arc::new(rule.unwrap_or_else(|error| unreachable!("a test reads this file: {error}")))
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::check_names;
    use crate::verslun::rules::{Match, Rules};
    use knave_agents::Role;
    use knave_agents::rng::stream;

    /// The weights file must name every part and feature and nothing else.
    #[test]
    fn the_rule_has_all_its_weights() {
        let file = include_str!("../models/verslun-rule.toml");
        let read = |file: &str| Rule::read(file).map(drop);
        check_names(file, &["weights"], read);
        for (event, _) in UPCOMING {
            check_names(file, &["weights", event], read);
        }
        let rule = Rule::fitted();
        assert!(rule.weights.iter().flatten().all(|weight| weight.is_finite()));
        assert!(rule.weights.iter().all(|weights| weights.iter().any(|&weight| weight != 0.0)));
    }

    /// A plan is legal and begins with the move that the policy chooses, and the value of a decision is that of the plan's
    /// afterstate; under every option.
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
