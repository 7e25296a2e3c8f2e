//! The learned evaluator and policy `net`: a net that corrects an expectation of the points to come.

use super::best_turn::{TurnValue, best_turn};
use super::context::{Afterstate, DecisionContext, Upcoming, only_ends, with_afterstate};
use super::draws::{self, Draws};
use super::features;
use super::rule::Rule;
use crate::models::{self, Models};
use crate::verslun::deck::ALL_POINTS;
use crate::verslun::moves::Move;
use crate::verslun::position::Verslun;
use crate::verslun::rules::Rules;
use knave_agents::learn::{Features, LearnedValue, Model, ModelError, probability};
use knave_agents::training::Method;
use knave_agents::{Evaluator, Game as _, ModelId, Policy, Rng, Seat, Turn};
use std::sync::Arc;

/// The largest correction, up or down, of the points that are expected without the net ([`base`]).
const MOST: f32 = 125.0;

/// The expectation that the net corrects: that of the next two claims where they are likely to be the last, and the
/// hand-written evaluator's before.
fn base(context: &DecisionContext, after: &Afterstate, draws: &Draws, by_rule: f32) -> f32 {
    let rest = context.pile.saturating_sub(after.drawn(context));
    let last = (1..=8).contains(&rest) && after.upcoming != Upcoming::Deal && context.rules.suits_only();
    if last { f32::from(after.points) + draws.both } else { by_rule }
}

impl Features for Verslun {
    const FEATURES_VERSION: u32 = 4;
    const INPUTS: usize = features::INPUTS as usize;
    const SHARED: usize = features::SHARED as usize;
    const RANGE: f64 = 2.0 * MOST as f64 / ALL_POINTS as f64;

    /// The expectation to be corrected, less the largest correction.
    fn settled(&self, _: Seat) -> f64 {
        let points = with_afterstate(self, |context, after| {
            draws::end(context, after).unwrap_or_else(|| {
                let by_rule = (&&*Rule::fitted()).first_look(context, after);
                base(context, after, &Draws::new(context, after), by_rule)
            })
        });
        f64::from(points - MOST) / f64::from(ALL_POINTS)
    }

    fn features(&self, _: Seat, out: &mut Vec<u16>) {
        with_afterstate(self, |context, after| {
            features::features(context, after, &Draws::new(context, after), out);
        });
    }

    fn shared(feature: u16, out: &mut Vec<u16>) {
        features::shared(feature, out);
    }

    fn decide(&self, _: Seat, net: &mut dyn FnMut(&[u16]) -> f64, line: &mut Vec<Move>) -> Option<f64> {
        Some(best(&mut NetValue::new(net, Effort::TRAINING), self, line))
    }
}

/// The effort of a decision: more costs time, less costs points.
#[derive(Copy, Clone)]
struct Effort {
    /// [`TurnValue::thorough`].
    thorough: bool,
    /// [`TurnValue::margin`], in points.
    margin: f32,
}

impl Effort {
    /// To play by.
    const PLAY: Self = Self { thorough: true, margin: 10.0 };
    /// In training more games are worth more than closer looks.
    const TRAINING: Self = Self { thorough: true, margin: 8.0 };
    /// A search asks for many decisions, and the loss is about the same in all of them.
    const SEARCH: Self = Self { thorough: false, margin: 3.0 };
}

/// The value of afterstates by a net, which looks only at those that look good to the hand-written evaluator.
struct NetValue<'a> {
    net: &'a mut dyn FnMut(&[u16]) -> f64,
    rule: Arc<Rule>,
    effort: Effort,
    features: Vec<u16>,
}

impl<'a> NetValue<'a> {
    fn new(net: &'a mut dyn FnMut(&[u16]) -> f64, effort: Effort) -> Self {
        Self { net, rule: Rule::fitted(), effort, features: Vec::with_capacity(96) }
    }
}

/// Replaces the contents of `line` with the best moves up to the next random event, and gives the utility that they promise.
fn best(net: &mut NetValue<'_>, position: &Verslun, line: &mut Vec<Move>) -> f64 {
    let turn = best_turn(net, position);
    line.clear();
    line.extend(turn.moves);
    f64::from(turn.value) / f64::from(ALL_POINTS)
}

impl TurnValue for NetValue<'_> {
    fn thorough(&self) -> bool {
        self.effort.thorough
    }

    fn first_look(&self, context: &DecisionContext, after: &Afterstate) -> f32 {
        draws::end(context, after).unwrap_or_else(|| (&&*self.rule).first_look(context, after))
    }

    fn margin(&self) -> Option<f32> {
        Some(self.effort.margin)
    }

    fn second_look(&mut self, context: &DecisionContext, after: &Afterstate, first: f32) -> f32 {
        if draws::end(context, after).is_some() {
            return first;
        }
        let draws = Draws::new(context, after);
        features::features(context, after, &draws, &mut self.features);
        base(context, after, &draws, first) - MOST + 2.0 * MOST * (self.net)(&self.features) as f32
    }
}

/// The learned value, and the policy that maximises it.
pub struct Learned(LearnedValue<Verslun>);

impl Learned {
    /// Calls `f` with the net as a function of features.
    fn with_net<T>(&self, f: impl FnOnce(&mut dyn FnMut(&[u16]) -> f64) -> T) -> T {
        // From one afterstate to the next only a few features change.
        f(&mut |features| {
            self.0.batch(
                (0, 0),
                |common| common.extend_from_slice(features),
                |batch| probability(batch.logit(&[], &[])),
            )
        })
    }

    /// Replaces the contents of `line` with the best moves up to the next random event. Returns the utility that they promise.
    fn decide(&self, position: &Verslun, line: &mut Vec<Move>) -> f64 {
        self.with_net(|net| best(&mut NetValue::new(net, Effort::PLAY), position, line))
    }
}

impl Evaluator<Verslun> for Learned {
    fn model(&self) -> Option<&ModelId> {
        Some(self.0.model_id())
    }

    fn value(&self, position: &Verslun, seat: Seat) -> f64 {
        if position.turn() == Turn::Over || only_ends(position) {
            return position.utility(seat);
        }
        let points = |context: &DecisionContext, after: &Afterstate| {
            self.with_net(|net| {
                let mut net = NetValue::new(net, Effort::SEARCH);
                let first = net.first_look(context, after);
                net.second_look(context, after, first)
            })
        };
        f64::from(with_afterstate(position, points)) / f64::from(ALL_POINTS)
    }

    fn decision(&self, position: &Verslun, _: Seat) -> Option<f64> {
        let turn = self.with_net(|net| best_turn(&mut NetValue::new(net, Effort::SEARCH), position));
        Some(f64::from(turn.value) / f64::from(ALL_POINTS))
    }
}

impl Policy<Verslun> for Learned {
    fn model(&self) -> Option<&ModelId> {
        Some(self.0.model_id())
    }

    fn choose(&self, position: &Verslun, buffer: &mut Vec<Move>, _: &mut Rng) -> Move {
        self.decide(position, buffer);
        buffer[0]
    }

    fn plan(&self, position: &Verslun, line: &mut Vec<Move>, _: &mut Rng) {
        self.decide(position, line);
    }
}

/// The trained models. Rules are served by the first that is for them: the one for other pairings than by suit, the one for hands of
/// four cards, or the one for all others.
pub static MODELS: Models = Models::new(&[
    ("verslun-pairings.model", include_bytes!("../models/verslun-pairings.model")),
    ("verslun-hand-4.model", include_bytes!("../models/verslun-hand-4.model")),
    ("verslun.model", include_bytes!("../models/verslun.model")),
]);

/// The rules that a model must have been trained for to serve these: the target decides what counts as won, not what is maximised.
fn trained(rules: &Rules) -> Rules {
    Rules { target: Rules::default().target, ..*rules }
}

/// The learned value; `None` where no model was trained for these rules.
pub fn value(rules: &Rules) -> Option<Learned> {
    MODELS.value(&trained(rules)).map(Learned)
}

/// The policy of a model; an error where that does not fit. One that has learnt to choose chooses among all steps, as in its training.
pub fn policy_of_model(model: Model, rules: &Rules) -> Result<Arc<dyn Policy<Verslun>>, ModelError> {
    Ok(match model.header.method() {
        Method::Td => Arc::new(of_model(model, rules)?),
        Method::PolicyGradient => Arc::new(models::value_alike::<Verslun>(model, rules, trained)?),
    })
}

/// The learned value of a model; an error where that does not fit.
pub fn of_model(model: Model, rules: &Rules) -> Result<Learned, ModelError> {
    models::value_alike(model, rules, trained).map(Learned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verslun::rules::Match;
    use knave_agents::Role;
    use knave_agents::rng::stream;

    /// Rules are served by the model that plays best under them.
    #[test]
    fn models_keep_to_their_rules() {
        let default = Rules::default();
        let pairs = Match::SuitOrRank;
        for (rules, name) in [
            (default, "verslun.model"),
            (Rules { hand: 8, columns: 2, target: 150, ..default }, "verslun.model"),
            (Rules { hand: 4, columns: 8, ..default }, "verslun-hand-4.model"),
            (Rules { matching: pairs, ..default }, "verslun-pairings.model"),
            (Rules { hand: 4, aces_wild: true, ..default }, "verslun-pairings.model"),
            (
                Rules { hand: 8, columns: 2, aces_wild: true, matching: pairs, ..default },
                "verslun-pairings.model",
            ),
        ] {
            let learned = value(&rules).unwrap_or_else(|| panic!("no model is for {rules:?}"));
            assert_eq!(Evaluator::model(&learned).unwrap().name, name, "{rules:?}");
        }
    }

    /// A plan promises the value of its afterstate, and every move is legal. The value of a decision in a search is close to
    /// that and hardly ever more. The net plays better than the rule that it corrects.
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
                        let promised = learned.decide(&position, &mut line);
                        let searched = learned.decision(&position, 0).unwrap();
                        short += (promised - searched) * f64::from(ALL_POINTS);
                        more += usize::from(searched > promised + 1e-6);
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
