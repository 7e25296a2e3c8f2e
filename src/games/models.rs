//! The trained models that come with Knave.

use super::CardGame;
use knave_agents::learn::{Features, LearnedValue, Model};
use std::sync::Arc;

/// The model in a file that is part of the program, under the name of the file.
pub fn shipped(name: &str, file: &[u8]) -> Arc<Model> {
    let model =
        Model::from_bytes(file).unwrap_or_else(|error| unreachable!("a test reads this file: {error}"));
    Arc::new(model.named(name))
}

/// The value by the first of these models that was trained for these rules.
pub fn value<G: CardGame + Features>(models: &[Arc<Model>], rules: &G::Rules) -> Option<LearnedValue<G>> {
    let rules = serde_json::to_value(rules).unwrap_or_default();
    let fits = |model: &&Arc<Model>| model.check::<G>(G::NAME, G::RULES_VERSION, &rules).is_ok();
    models.iter().find(fits).map(|model| LearnedValue::new(Arc::clone(model)))
}
