//! Trained models and fitted weights that come with Knave. They lie in `<game>/models/`, each beside its recipe.

use super::CardGame;
use knave_agents::learn::{Features, LearnedValue, Model, ModelError};
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
        self.list().into_iter().find_map(|model| value::<G>(model, rules).ok())
    }

    /// The models.
    pub fn list(&self) -> Vec<Arc<Model>> {
        let read = |(name, file): &(&str, &[u8])| {
            let model = Model::from_bytes(file);
            Arc::new(model.unwrap_or_else(|error| unreachable!("a test reads {name}: {error}")).named(name))
        };
        self.read.get_or_init(|| self.files.iter().map(read).collect()).clone()
    }
}

/// The value by this model.
///
/// # Errors
/// When it was trained for another game, other rules or other features.
pub fn value<G: CardGame + Features>(
    model: impl Into<Arc<Model>>,
    rules: &G::Rules,
) -> Result<LearnedValue<G>, ModelError> {
    let model = model.into();
    model.check::<G>(G::NAME, G::RULES_VERSION, &serde_json::to_value(rules).unwrap_or_default())?;
    Ok(LearnedValue::new(model))
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
    use crate::registry::Registry;
    use crate::training::Recipe;
    use knave_agents::learn::Schedule;
    use knave_agents::options;
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
        let registry = Registry::builtin().build();
        let mut models = 0;
        for path in files.filter(|path| path.extension().is_some_and(|ending| ending == "model")) {
            let model = Model::from_bytes(&fs::read(&path).unwrap()).unwrap();
            let recipe = fs::read_to_string(path.with_extension("recipe.toml")).unwrap();
            let recipe: Recipe = toml::from_str(&recipe).unwrap();
            assert_eq!(recipe.game, model.header.game);
            let last = recipe.stages.last().unwrap();
            let schedule = options::read("training", &last.schedule).unwrap();
            let trainable = registry.game(&recipe.game).unwrap().training(&last.rules, &schedule, 0).unwrap();
            assert_eq!(trainable.rules, model.header.rules, "{}", path.display());
            assert_eq!(trainable.training.features_version(), model.header.features_version);
            let mut training = &model.header.training;
            for stage in recipe.stages.iter().rev() {
                let mut schedule = json!(Schedule::default());
                for (field, value) in &stage.schedule {
                    schedule[field] = value.clone();
                }
                assert_eq!(training["schedule"], schedule, "{}", path.display());
                assert_eq!(training["seed"], stage.seed, "{}", path.display());
                assert_eq!(training["held_out"]["games"], recipe.held_out, "{}", path.display());
                training = &training["from"];
            }
            assert_eq!(*training, Value::Null, "{}: a stage is missing", path.display());
            models += 1;
        }
        assert!(models >= 4, "{models} models");
    }
}
