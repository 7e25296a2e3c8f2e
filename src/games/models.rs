//! Trained models and fitted weights that come with Knave. They lie in `<game>/models/`, each beside its recipe.

use super::CardGame;
use knave_agents::learn::{Features, LearnedValue, Model};
use serde::de::DeserializeOwned;
use std::sync::{Arc, OnceLock};

/// The trained models of a game, each under rules of its own.
pub struct Models {
    /// Names and contents of the files.
    files: &'static [(&'static str, &'static [u8])],
    read: OnceLock<Vec<Arc<Model>>>,
}

impl Models {
    /// The models in these files, each with its name. They are read when they are first asked for.
    pub const fn new(files: &'static [(&'static str, &'static [u8])]) -> Self {
        Self { files, read: OnceLock::new() }
    }

    /// The value by the first model that was trained for these rules.
    pub fn value<G: CardGame + Features>(&self, rules: &G::Rules) -> Option<LearnedValue<G>> {
        let rules = serde_json::to_value(rules).unwrap_or_default();
        let fits = |model: &&Arc<Model>| model.check::<G>(G::NAME, G::RULES_VERSION, &rules).is_ok();
        self.models().iter().find(fits).map(|model| LearnedValue::new(Arc::clone(model)))
    }

    fn models(&self) -> &[Arc<Model>] {
        let read = |(name, file): &(&str, &[u8])| {
            let model = Model::from_bytes(file);
            Arc::new(model.unwrap_or_else(|error| unreachable!("a test reads {name}: {error}")).named(name))
        };
        self.read.get_or_init(|| self.files.iter().map(read).collect())
    }
}

/// The fitted weights in a table of a TOML file that is part of the program.
pub fn weights<W: DeserializeOwned>(file: &str, table: &str) -> W {
    let weights = toml::from_str::<toml::Table>(file).map(|mut file| file.remove(table));
    let weights = weights.ok().flatten().and_then(|weights| weights.try_into().ok());
    weights.unwrap_or_else(|| unreachable!("a test reads this file"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::Recipe;
    use knave_agents::learn::Schedule;
    use serde_json::{Value, json};
    use std::fs;

    /// Every model has its recipe beside it, and the recipe says what the header of the model says. So what makes a model again is
    /// never lost.
    #[test]
    fn every_model_has_its_recipe() {
        let games = concat!(env!("CARGO_MANIFEST_DIR"), "/src/games");
        let folders = fs::read_dir(games).unwrap().map(|game| game.unwrap().path().join("models"));
        let files =
            folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().map(|file| file.unwrap().path());
        let (mut models, one) = (0, json!(1.0));
        for path in files.filter(|path| path.extension().is_some_and(|ending| ending == "model")) {
            let model = Model::from_bytes(&fs::read(&path).unwrap()).unwrap();
            let recipe = fs::read_to_string(path.with_extension("recipe.toml")).unwrap();
            let recipe: Recipe = toml::from_str(&recipe).unwrap();
            assert_eq!(recipe.game, model.header.game);
            let mut training = &model.header.training;
            for stage in recipe.stages.iter().rev() {
                let mut schedule = json!(Schedule::default());
                for (field, value) in &stage.schedule {
                    schedule[field] = value.clone();
                }
                // The oldest headers do not name the discount, which was 1 then.
                for (field, value) in schedule.as_object().unwrap() {
                    let recorded = training["schedule"].get(field).or((field == "discount").then_some(&one));
                    assert_eq!(recorded, Some(value), "{}: {field}", path.display());
                }
                assert_eq!(training["seed"], stage.seed, "{}", path.display());
                assert_eq!(training["held_out"]["games"], recipe.held_out, "{}", path.display());
                for (field, value) in &stage.rules {
                    assert_eq!(model.header.rules[field], *value, "{}: {field}", path.display());
                }
                training = &training["from"];
            }
            assert_eq!(*training, Value::Null, "{}: a stage is missing", path.display());
            models += 1;
        }
        assert!(models >= 4, "{models} models");
    }
}
