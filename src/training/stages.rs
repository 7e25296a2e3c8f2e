//! Whether the stages of a recipe fit each other.

use super::{Train, TrainError};
use crate::trainable::{BEFORE, Rivals, plays_by_the_model_before};
use knave_agents::learn::Model;
use knave_agents::net::Shape;
use knave_agents::training::Method;
use serde_json::Value;

/// The most trainings that may go on from each other. Each is nested in the record of the next, and a header that nests more than some
/// 120 of them cannot be read.
const MOST_IN_A_ROW: usize = 100;

impl Train<'_> {
    /// Checks each stage, and that it fits those before and after. Gives what each goes on from: of models that are not made yet what is
    /// known of them, with random weights. The notes of all rivals stand beside it.
    pub(super) fn check_stages(&self) -> Result<(Vec<Option<Model>>, Vec<String>), TrainError> {
        let stages = &self.recipe.stages;
        let refused =
            |i: usize, reason: String| Err::<(Vec<_>, Vec<_>), _>(TrainError::Stage { stage: i + 1, reason });
        let (mut start, mut before) = (self.start.as_ref(), None);
        let (mut deals, mut methods, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        // The seeds of the games that the net of a stage has learnt from, and who did.
        let earlier = start.map(|(path, model)| (path.display().to_string(), seeds(&model.header.training)));
        let mut learnt: Vec<(String, Vec<u64>)> = earlier.into_iter().collect();
        let mut by_other_nets = Vec::new();
        let mut in_a_row = start.map_or(0, |(_, model)| nested(&model.header.training));
        let mut models: Vec<Option<Model>> = vec![start.map(|(_, model)| model.clone())];
        let game = self.registry.game(&self.recipe.game)?.name();
        if let Some((path, model)) = start.filter(|(_, model)| model.header.game != game) {
            let (found, expected) = (model.header.game.clone(), game.to_owned());
            return Err(TrainError::Start { path: path.clone(), found, expected });
        }
        for (i, stage) in stages.iter().enumerate() {
            in_a_row = if stage.afresh { 1 } else { in_a_row + 1 };
            if in_a_row > MOST_IN_A_ROW {
                let reason = format!(
                    "{in_a_row} trainings that go on from each other are refused: expected at most {MOST_IN_A_ROW}, where a mean of nets adds two"
                );
                return refused(i, reason);
            }
            let schedule = self.schedule(i)?;
            // Without rivals first: a wrong model is told before a rival that plays by it.
            let mut trainable = self.set_up(i, &schedule.alone(), None)?;
            let by_model_before = |(_, player): &(_, &str)| plays_by_the_model_before(player);
            if let Some((option, player)) = schedule.others().find(by_model_before) {
                let refused = |why: &str| {
                    refused(i, format!("{option}={player} is refused: `{BEFORE}` is the model {why}"))
                };
                if stage.afresh || i == 0 && start.is_none() {
                    return refused("that a training or stage goes on from, and this one goes on from none");
                }
                if deals.last().is_some_and(|(before, _)| *before != trainable.rules) {
                    return refused(&format!("of stage {i}, which has other rules; expected the same"));
                }
            }
            if stage.afresh {
                by_other_nets.append(&mut learnt);
                models[i] = None;
            }
            let Shape { first, second, .. } = trainable.training.net().shape();
            match before {
                None if stage.afresh => {
                    return refused(i, "afresh=true is refused: no stage is before it; leave it out".into());
                }
                Some(sizes) if !stage.afresh && sizes != (first, second) => {
                    let (one, other) = sizes;
                    let reason = format!(
                        "first={first}, second={second} is refused: it goes on from the stage before; expected first={one}, second={other}, or afresh=true"
                    );
                    return refused(i, reason);
                }
                _ => before = Some((first, second)),
            }
            start = start.filter(|_| !stage.afresh);
            if let Some((path, model)) = start {
                self.begin(&mut trainable, schedule.method, path, model)?;
            }
            if schedule.others().next().is_some() {
                let Rivals { notes: told, .. } = self.set_up(i, &schedule, models[i].as_ref())?.rivals;
                told.into_iter().for_each(|note| {
                    if !notes.contains(&note) {
                        notes.push(note);
                    }
                });
            }
            let header = self.header(stage, &schedule, &mut trainable, None);
            models.push(Model::new(header, trainable.training.net(), 0.0).ok());
            let (seed, held_out) = (stage.seed, stage.seed.wrapping_add(1));
            if let Some((by, _)) = learnt.iter().find(|(_, seeds)| seeds.contains(&seed)) {
                let reason =
                    format!("seed={seed} is refused: {by} learnt from the same games; expected another seed");
                return refused(i, reason);
            }
            let other = by_other_nets.iter().find(|(_, seeds)| stage.afresh && seeds.contains(&seed));
            if let Some((by, _)) = other {
                let reason = format!(
                    "seed={seed} is refused: {by}, of another net, learnt from the same games, and a mean is of nets that differ; expected another seed"
                );
                return refused(i, reason);
            }
            if let Some((by, _)) = learnt.iter().find(|(_, seeds)| seeds.contains(&held_out)) {
                let reason = format!(
                    "seed={seed} is refused: its held-out games have seed {held_out}, from which {by} learnt; expected another seed"
                );
                return refused(i, reason);
            }
            learnt.push((format!("stage {}", i + 1), vec![seed]));
            if !stage.afresh
                && methods.last() == Some(&Method::PolicyGradient)
                && schedule.method == Method::Td
            {
                let reason = "method=td is refused: it goes on from the stage before, which learns a policy, and those are no values; expected policy_gradient, or afresh=true";
                return refused(i, reason.into());
            }
            methods.push(schedule.method);
            deals.push((trainable.rules, trainable.cards));
        }
        if let Some(i) = self.first_nets().find(|&i| methods.get(i) != methods.last()) {
            let reason =
                "its method is not that of the last stage; expected the same, for a mean of both nets";
            return refused(i, reason.into());
        }
        let other = self.first_nets().find(|&i| deals.get(i) != deals.last());
        match other {
            Some(i) => {
                let reason = "its rules or cards are not those of the last stage; expected the same, for a mean of both nets";
                refused(i, reason.into())
            }
            None => Ok((models, notes)),
        }
    }
}

/// How deep the record of a training nests those that it goes on from, itself included. The list of a mean is a level, too.
fn nested(training: &Value) -> usize {
    let nets = training.get("mean_of").and_then(Value::as_array).into_iter().flatten();
    let nets = nets.map(|net| 1 + nested(net));
    1 + training.get("from").map(nested).into_iter().chain(nets).max().unwrap_or(0)
}

/// The seeds of the games of self-play that a header tells of, those of the models that it goes on from included.
fn seeds(training: &Value) -> Vec<u64> {
    let nets = training.get("mean_of").and_then(Value::as_array).into_iter().flatten();
    let before = training.get("from").into_iter().chain(nets).flat_map(seeds);
    training["seed"].as_u64().into_iter().chain(before).collect()
}
