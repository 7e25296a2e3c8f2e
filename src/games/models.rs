//! Trained models and fitted weights that come with Knave. They lie in `<game>/models/`, each beside its recipe.

use super::CardGame;
use knave_agents::learn::{Features, LearnedValue, Model, ModelError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
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

/// The same where a model for the rules `alike`, which make no difference to it, does as well.
///
/// # Errors
/// When it was trained for neither. The error names an option that is wrong in both.
pub fn value_alike<G: CardGame + Features>(
    model: Model,
    rules: &G::Rules,
    alike: &G::Rules,
) -> Result<LearnedValue<G>, ModelError> {
    let model = Arc::new(model);
    value(Arc::clone(&model), alike).or_else(|wrong| {
        value(model, rules).map_err(|error| match &error {
            ModelError::Rules { option, .. } if field(rules, option) != field(alike, option) => wrong,
            _ => error,
        })
    })
}

fn field(rules: &impl Serialize, option: &str) -> Value {
    serde_json::to_value(rules).map_or(Value::Null, |mut rules| rules[option].take())
}

/// The fitted weights in a table of a TOML file that is part of the program.
pub fn weights<W: DeserializeOwned>(file: &str, table: &str) -> W {
    let weights = toml::from_str::<toml::Table>(file).map(|mut file| file.remove(table));
    let weights = weights.ok().flatten().and_then(|weights| weights.try_into().ok());
    weights.unwrap_or_else(|| unreachable!("a test reads this file"))
}
