//! The learned evaluator `net`: a net over the features of an afterstate.

use super::features::{
    LOWEST, avoided, avoided_cards, gear, health, in_reach, shuffled, staying, unseen_cards, unseen_left,
};
use crate::dungeon::board::{Board, Phase};
use crate::dungeon::moves::Move;
use crate::dungeon::position::Dungeon;
use crate::dungeon::rules::{Aim, AvoidOrder, Rules};
use crate::dungeon::steps::{self, Outcome, Outcomes};
use crate::models::{self, Models};
use arrayvec::ArrayVec;
use knave_agents::learn::{Features, LearnedValue, Model, ModelError, probability};
use knave_agents::{Evaluator, ModelId, Seat, StepList};

/// The least ceiling under which enough games are won to learn from.
const LEAST_WON: u16 = 8;

/// The learned value.
pub struct Learned {
    value: LearnedValue<Dungeon>,
    /// Lower ceilings of health are valued as if they were this one.
    lowest: u8,
}

impl Learned {
    /// Calls `each` with the outcomes of the turn and their log-odds, `None` where the game is over. Avoiding comes first, with
    /// no outcome. Returns `false` where the exact end-game may know better.
    fn each(&self, position: &Dungeon, mut each: impl FnMut(Option<&Outcome>, Option<f64>)) -> bool {
        let Dungeon { board, pile } = position;
        let unseen = pile.unseen();
        if unseen.is_empty() || board.phase != Phase::Play {
            return false;
        }
        let mut outcomes = Outcomes::new();
        steps::outcomes(board, false, &mut outcomes);
        let left = unseen_left(&board.rules, unseen.len());
        let lowest = u16::from(self.lowest);
        self.value.batch(
            (0, Dungeon::head(&[left])),
            // Ascending, unlike in training, which needs the head first.
            |common| {
                common.extend(unseen_cards(unseen));
                common.push(left);
                avoided_cards(position, common);
            },
            |batch| {
                // Many outcomes leave the same weapon, and so the same monsters in its reach.
                let mut logit = |after: &Board, more: &[u16]| {
                    let part = |out: &mut Vec<u16>| {
                        out.push(gear(after));
                        out.extend(in_reach(after, unseen));
                    };
                    batch.logit_with(gear(after), part, more)
                };
                let rest = |after: &Board| -> ArrayVec<u16, 7> {
                    std::iter::once(health(after, lowest)).chain(staying(after)).collect()
                };
                if board.may_avoid {
                    let mut after = *board;
                    let avoided_now = after.avoid();
                    let mut features = rest(&after);
                    let above = pile.avoided_len();
                    // While cards are unseen, none of those avoided has been drawn.
                    let feature = |(i, id): (usize, u8)| match board.rules.avoid_order {
                        AvoidOrder::Kept => avoided(above + i, id),
                        AvoidOrder::Shuffled => shuffled(above + i, id),
                    };
                    features.extend(avoided_now.into_iter().enumerate().map(feature));
                    each(None, Some(logit(&after, &features)));
                }
                for outcome in &outcomes {
                    let after = &outcome.board;
                    let over = matches!(after.phase, Phase::Died | Phase::Cleared);
                    let odds = (!over).then(|| logit(after, &rest(after)));
                    each(Some(outcome), odds);
                }
            },
        );
        true
    }
}

impl Evaluator<Dungeon> for Learned {
    fn model(&self) -> Option<&ModelId> {
        Some(self.value.model_id())
    }

    fn value(&self, position: &Dungeon, seat: Seat) -> f64 {
        if position.board.rules.health >= self.lowest {
            return self.value.value(position, seat);
        }
        let mut position = position.clone();
        position.board.rules.health = self.lowest;
        self.value.value(&position, seat)
    }

    fn decision(&self, position: &Dungeon, _: Seat) -> Option<f64> {
        let (mut best, mut over) = (f64::NEG_INFINITY, 0.0_f64);
        self.each(position, |outcome, odds| match (outcome, odds) {
            (Some(outcome), None) => over = over.max(outcome.board.utility()),
            (_, odds) => best = best.max(odds.unwrap_or(best)),
        })
        .then(|| probability(best).max(over))
    }

    fn steps(&self, position: &Dungeon, _: Seat, steps: &mut StepList<Move>, values: &mut Vec<f64>) -> bool {
        steps.clear();
        values.clear();
        self.each(position, |outcome, odds| {
            steps.push(outcome.map_or(&[Move::AVOID], Outcome::moves));
            let over = |outcome: &Outcome| outcome.board.utility();
            values.push(odds.map_or_else(|| outcome.map_or(0.0, over), probability));
        })
    }
}

/// The trained models. Rules are served by the first that is for them: the one for the score as the objective, the one for avoided
/// cards that are shuffled, or the one for all others.
pub static MODELS: Models = Models::new(&[
    ("dungeon-score.model", include_bytes!("../models/dungeon-score.model")),
    ("dungeon-shuffled.model", include_bytes!("../models/dungeon-shuffled.model")),
    ("dungeon.model", include_bytes!("../models/dungeon.model")),
]);

/// The rules that a model must have been trained for to serve these: to players who want to win it makes no difference how a
/// death is counted.
fn trained(rules: &Rules) -> Rules {
    let unfaced = if rules.objective == Aim::Win { Rules::default().unfaced } else { rules.unfaced };
    Rules { unfaced, ..*rules }
}

/// The learned value; `None` where no model was trained for these rules.
pub fn value(rules: &Rules) -> Option<Learned> {
    // A score tells something of every game, a win that hardly ever comes does not.
    let lowest = if rules.objective == Aim::Win { LEAST_WON } else { LOWEST };
    MODELS.value(&trained(rules)).map(|value| Learned { value, lowest: lowest as u8 })
}

/// The learned choice of steps of a model; an error where that does not fit.
pub fn policy_of_model(model: Model, rules: &Rules) -> Result<LearnedValue<Dungeon>, ModelError> {
    models::value_alike(model, rules, trained)
}

/// The learned value of a model; an error where that does not fit.
pub fn of_model(model: Model, rules: &Rules) -> Result<Learned, ModelError> {
    let value = models::value_alike(model, rules, trained)?;
    Ok(Learned { value, lowest: LOWEST as u8 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dungeon::rules::Unfaced;
    use crate::dungeon::tests::all_kinds;
    use knave_agents::rng::stream;
    use knave_agents::{Game as _, Role, Tools as _, Turn, played};

    /// The values of all steps of a decision at once are those of each step, and the best is that of the decision.
    #[test]
    fn a_batch_is_what_its_parts_are() {
        let (mut steps, mut listed, mut values) = (StepList::default(), StepList::default(), Vec::new());
        let (mut decisions, mut avoided) = (0, 0);
        for (index, rules) in (0..).zip(all_kinds().iter().cycle().take(64)) {
            let learned = value(rules).expect("the model is for all of these rules");
            let mut rng = stream(41, index, Role::Deal);
            let mut position = Dungeon::deal(rules, &mut rng);
            while position.turn() != Turn::Over {
                if position.turn() != Turn::Player(0) {
                    position.roll(&mut rng);
                    continue;
                }
                if !learned.steps(&position, 0, &mut steps, &mut values) {
                    assert!(position.unseen().is_empty());
                    break;
                }
                position.steps(&mut listed);
                assert!(listed.iter().eq(steps.iter()));
                for (step, &value) in steps.iter().zip(&values) {
                    assert_eq!(learned.value(&played(&position, step), 0), value, "{rules:?}");
                }
                let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(learned.decision(&position, 0), Some(most));
                // Every so often the room is avoided, so that cards of several rooms lie under the pile.
                let best = values.iter().position(|&value| value == most).unwrap();
                let chosen = if position.board.may_avoid && decisions % 3 > 0 { 0 } else { best };
                position = played(&position, steps.get(chosen));
                decisions += 1;
                avoided += usize::from(position.pile.avoided_len() > 4);
            }
        }
        assert!(decisions > 300 && avoided > 100, "{decisions} decisions, {avoided} with many avoided cards");
    }

    /// Where winning is the aim, little health is valued as if it could rise to 8; where the score is, as the model has it.
    #[test]
    fn little_health_is_valued_as_if_it_could_rise() {
        for objective in [Aim::Win, Aim::Score] {
            let rules = Rules { health: 7, objective, ..Rules::default() };
            let learned = value(&rules).expect("the models are for these rules");
            let (mut steps, mut values, mut otherwise) = (StepList::default(), Vec::new(), 0);
            for index in 0..50 {
                let mut rng = stream(44, index, Role::Deal);
                let mut position = Dungeon::deal(&rules, &mut rng);
                position.roll(&mut rng);
                while learned.steps(&position, 0, &mut steps, &mut values) {
                    let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap();
                    position = played(&position, steps.get(best));
                    if position.turn() == Turn::Over {
                        break;
                    }
                    let mut risen = position.clone();
                    risen.board.rules.health = 8;
                    let expected = if objective == Aim::Win { &risen } else { &position };
                    assert_eq!(learned.value(&position, 0), learned.value.value(expected, 0));
                    otherwise +=
                        usize::from(learned.value.value(&position, 0) != learned.value.value(&risen, 0));
                    if position.turn() == Turn::Chance {
                        position.roll(&mut rng);
                    }
                }
            }
            assert!(
                otherwise > 20,
                "{objective:?}: the model itself values only {otherwise} positions otherwise"
            );
        }
    }

    /// The model serves all rules that it was trained for, and rules that make no difference to it: how a death is counted
    /// matters only to players who maximise the score.
    #[test]
    fn models_keep_to_their_rules() {
        let default = Rules::default();
        let odds = |rules: Rules| {
            let mut position = Dungeon::deal(&rules, &mut stream(42, 0, Role::Deal));
            position.roll(&mut stream(42, 0, Role::Chance));
            value(&rules).map(|learned| learned.value(&position, 0).to_bits())
        };
        assert!(odds(default).is_some());
        assert_eq!(odds(Rules { unfaced: Unfaced::Pile, ..default }), odds(default));
        for other in all_kinds().into_iter().filter(|other| *other != default) {
            assert!(odds(other).is_some() && odds(other) != odds(default), "{other:?}");
        }
        for health in [4, 41] {
            assert!(odds(Rules { health, ..default }).is_none(), "{health}");
        }
    }
}
