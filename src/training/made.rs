//! Whether a model that is there already is that of a recipe, as far as models record how they were made.

use super::{RIVAL_MODELS, RIVAL_PRESETS, Stage, Train, TrainError, read};
use knave_agents::learn::Model;
use knave_agents::options::spread::Spreads;
use serde_json::{Value, json};

impl Train<'_> {
    /// What no model records of such a recipe, if there is something: a recipe that differs there alone makes another model.
    #[must_use]
    pub fn unrecorded(&self) -> Option<String> {
        let has_shares = |stage: &Stage| matches!(&stage.rules, Spreads::Many(tables) if tables.len() > 1);
        let all = [
            (self.recipe.stages.len() > 1, "the rules of earlier stages"),
            (self.start.is_some(), "the rules of the model to begin with"),
            (self.recipe.stages.last().is_some_and(has_shares), "the shares of tables of rules"),
        ];
        let told: Vec<&str> = all.iter().filter(|(is_there, _)| *is_there).map(|(_, what)| *what).collect();
        (!told.is_empty()).then(|| told.join(", nor "))
    }

    /// Whether the file to be written is there already, and holds the model of this recipe, as far as its header records how it was
    /// made ([`Train::unrecorded`]).
    pub(super) fn is_made(&self) -> Result<bool, TrainError> {
        let Ok(Model { header, .. }) = read(&self.out) else { return Ok(false) };
        let last = self.recipe.stages.len() - 1;
        let (_, trainable) = self.trainable(last)?;
        let versions = (header.rules_version, header.features_version);
        let same = (&header.game, &header.rules) == (&self.recipe.game, &trainable.rules)
            && versions == (trainable.rules_version, trainable.training.features_version());
        let nets: Vec<usize> = self.first_nets().chain([last]).collect();
        let trainings = match header.training.get("mean_of").and_then(Value::as_array) {
            Some(several) => several.iter().collect(),
            None => vec![&header.training],
        };
        if !same || trainings.len() != nets.len() {
            return Ok(false);
        }
        for (training, &i) in trainings.into_iter().zip(&nets) {
            if !self.ends_with(i, training)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a header tells of this stage and of those that it goes on from.
    fn ends_with(&self, i: usize, training: &Value) -> Result<bool, TrainError> {
        let (schedule, trainable) = self.trainable(i)?;
        let stage = &self.recipe.stages[i];
        let held_out = &training["held_out"];
        // Earlier models do not tell them.
        let other = |field: &str, now: Value| training.get(field).is_some_and(|told| *told != now);
        let rivals = &trainable.rivals;
        if other(RIVAL_MODELS, json!(rivals.models)) || other(RIVAL_PRESETS, json!(rivals.presets)) {
            return Ok(false);
        }
        if training["seed"] != json!(stage.seed)
            || training["schedule"] != json!(schedule)
            || held_out["games"] != json!(self.recipe.held_out)
        {
            return Ok(false);
        }
        if training.get("cards").cloned() != trainable.cards.as_ref().map(|cards| json!(cards)) {
            return Ok(false);
        }
        let from = training.get("from");
        match i {
            _ if stage.afresh => Ok(from.is_none()),
            0 => Ok(from == self.start.as_ref().map(|(_, model)| &model.header.training)),
            _ => from.map_or(Ok(false), |from| self.ends_with(i - 1, from)),
        }
    }
}
