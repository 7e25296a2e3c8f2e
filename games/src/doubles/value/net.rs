//! The learned values, for three to seven players, and the learned policy for two.

use super::features::{self, HEADS, INPUTS, SHARED};
use crate::doubles::{Board, Doubles, Move, Rules, Teams, steps};
use crate::models::{self, Models};
use knave_agents::learn::{Afterstate, Features, LearnedValue, Model, ModelError};
use knave_agents::{Game as _, ModelId, Policy, Rng, Seat, StepList, Turn, played};
use std::sync::Arc;

impl Features for Doubles {
    const FEATURES_VERSION: u32 = 1;
    const INPUTS: usize = INPUTS as usize;
    const SHARED: usize = SHARED as usize;
    const LEARNS_FROM_ALL_STEPS: bool = true;
    const HEADS: usize = HEADS;

    fn head(features: &[u16]) -> usize {
        features::head(features)
    }

    fn shared(feature: u16, out: &mut Vec<u16>) {
        features::shared(feature, out);
    }

    /// Rollouts go on to the end of the turn, where nobody's answer is left to guess.
    fn quiescent(&self) -> Option<bool> {
        Some(self.board.stakes == 0)
    }

    fn features(&self, seat: Seat, out: &mut Vec<u16>) {
        features::features(self, seat as u8, out);
    }

    /// What others will answer is hidden, so an answer is valued before theirs.
    fn afterstates(
        &self,
        seat: Seat,
        steps: &mut StepList<Move>,
        buffer: &mut Vec<u16>,
        each: &mut dyn FnMut(usize, Afterstate<'_>),
    ) {
        steps.clear();
        let mut count = 0;
        steps::distinct_moves(self, |m| {
            steps.push(&[m]);
            if !features::after_answer(self, m, buffer) {
                let after = played(self, &[m]);
                if after.turn() == Turn::Over {
                    each(count, Afterstate::Over(after.utility(seat)));
                    count += 1;
                    return;
                }
                after.features(seat, buffer);
            }
            each(count, Afterstate::Open { features: buffer, settled: 0.0 });
            count += 1;
        });
    }
}

/// The limit of rolls in training. It hardly matters, so the value holds for all limits from here on.
const LONG: u32 = 400;

/// The rules that a model must have been trained for to serve these. Teams of one are none.
fn trained(rules: &Rules) -> Rules {
    let alone = rules.sides() == Rules::default().sides();
    let teams = if alone { Teams::default() } else { rules.teams.clone() };
    Rules { max_rolls: rules.max_rolls.min(LONG), teams, ..rules.clone() }
}

/// The trained models. The first that fits is taken. With two players the hand-written value does as well. A model for all numbers of
/// players is good for few cards; with all seven cards it was weaker than `rule`.
pub static MODELS: Models = Models::new(&[
    ("doubles-3.model", include_bytes!("../models/doubles-3.model")),
    ("doubles-4.model", include_bytes!("../models/doubles-4.model")),
    ("doubles-5.model", include_bytes!("../models/doubles-5.model")),
    ("doubles-6.model", include_bytes!("../models/doubles-6.model")),
    ("doubles-7.model", include_bytes!("../models/doubles-7.model")),
    ("doubles-3-cards-3-6.model", include_bytes!("../models/doubles-3-cards-3-6.model")),
    ("doubles-cards-1-2.model", include_bytes!("../models/doubles-cards-1-2.model")),
    ("doubles-cards-3-6.model", include_bytes!("../models/doubles-cards-3-6.model")),
]);

/// Whether there is a trained model for these rules, which is known without reading one. With six players and five or six cards,
/// `flat` by the model for all numbers of players lost to `rule`.
pub fn serves(rules: &Rules) -> bool {
    let Rules { players, cards, .. } = *rules;
    let astray = players == 6 && matches!(cards, 5 | 6);
    players > 2 && !astray && trained(rules) == Rules { players, cards, max_rolls: LONG, ..Rules::default() }
}

/// The learned value; `None` where no model serves these rules.
pub fn value(rules: &Rules) -> Option<LearnedValue<Doubles>> {
    serves(rules).then(|| MODELS.value(&trained(rules))).flatten()
}

/// The learned value of a model; an error where that does not fit.
pub fn of_model(model: Model, rules: &Rules) -> Result<LearnedValue<Doubles>, ModelError> {
    models::value_alike(model, rules, trained)
}

/// The learned choice of moves.
pub struct Choice(LearnedValue<Doubles>);

/// The trained policies, for two players.
static POLICIES: Models =
    Models::new(&[("doubles-2-policy.model", include_bytes!("../models/doubles-2-policy.model"))]);

/// All trained models.
pub fn models() -> Vec<Arc<Model>> {
    [MODELS.list(), POLICIES.list()].concat()
}

/// The learned policy; `None` where no model was trained for these rules.
pub fn policy(rules: &Rules) -> Option<Choice> {
    POLICIES.value(&trained(rules)).map(Choice)
}

/// The learned policy of a model; an error where that does not fit.
pub fn policy_of_model(model: Model, rules: &Rules) -> Result<Choice, ModelError> {
    models::value_alike(model, rules, trained).map(Choice)
}

impl Policy<Doubles> for Choice {
    fn choose(&self, position: &Doubles, buffer: &mut Vec<Move>, rng: &mut Rng) -> Move {
        let Board { rolls, max_rolls, .. } = position.board;
        match self.0.choose(position, buffer, rng) {
            // At the limit the stakes would be lost, and a match might never end.
            Move::ROLL if rolls == max_rolls => Move::POCKET,
            chosen => chosen,
        }
    }

    fn model(&self) -> Option<&ModelId> {
        Some(self.0.model_id())
    }
}
