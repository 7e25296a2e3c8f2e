//! Presets: named agents, a TOML file each, with options for every game or for one.

use crate::game::Game;
use crate::kit::{Kit, untrained};
use crate::options::{Fields, overlay};
use crate::spec::SpecError;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A named agent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The agent that it configures.
    pub agent: String,
    /// One line for `sim list presets`.
    pub summary: String,
    /// Options in every game.
    #[serde(default)]
    pub options: Fields,
    /// Differences in single games.
    #[serde(default)]
    pub games: BTreeMap<String, Difference>,
}

/// The difference in one game: another agent with its options, or options on top of the preset's.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Difference {
    /// The agent in this game, if it is another.
    #[serde(default)]
    pub agent: Option<String>,
    /// Options in this game.
    #[serde(flatten)]
    pub options: Fields,
}

/// The presets that come with Knave: (name, contents of the file in `agents/presets/`).
const BUILT_IN: &[(&str, &str)] = &[
    ("fast", include_str!("../presets/fast.toml")),
    ("strong", include_str!("../presets/strong.toml")),
    ("best", include_str!("../presets/best.toml")),
];

impl Preset {
    /// Reads a preset file.
    ///
    /// # Errors
    /// When the text is no preset, with the line.
    pub fn parse(path: &str, text: &str) -> Result<Self, SpecError> {
        toml::from_str(text).map_err(|error| SpecError::Preset {
            path: path.to_owned(),
            reason: error.to_string().trim_end().to_owned(),
        })
    }

    /// The preset of this name, or of the file of this path, which ends in `.toml`. `None` when no preset has
    /// this name.
    ///
    /// # Errors
    /// When the file cannot be read or is no preset.
    pub fn find(name: &str) -> Result<Option<Self>, SpecError> {
        if name.ends_with(".toml") {
            let text = std::fs::read_to_string(name)
                .map_err(|error| SpecError::Preset { path: name.to_owned(), reason: error.to_string() })?;
            return Self::parse(name, &text).map(Some);
        }
        match BUILT_IN.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Self::parse(name, text).map(Some),
            None => Ok(None),
        }
    }

    /// The names of the presets that come with Knave.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The agent and the options of this preset in one game.
    #[must_use]
    pub fn for_game(&self, game: &str) -> (&str, Fields) {
        match self.games.get(game) {
            None => (&self.agent, self.options.clone()),
            Some(Difference { agent: Some(agent), options }) => (agent, options.clone()),
            Some(Difference { agent: None, options }) => {
                (&self.agent, overlay(self.options.clone(), options))
            }
        }
    }
}

/// Puts in the place of each list of evaluators or policies its first name that is made for these rules, or its last. A note
/// says where the first, a trained one, is not.
pub(crate) fn choose_for_rules<G: Game>(
    mut options: Fields,
    kit: &Kit<G>,
    rules: &G::Rules,
) -> (Fields, Option<String>) {
    let mut note = None;
    for value in options.values_mut() {
        let Value::Array(names) = value else { continue };
        let made = |name: &&Value| {
            name.as_str().is_some_and(|name| {
                kit.find_policy(name, rules).is_some() || kit.find_evaluator(name, rules).is_some()
            })
        };
        let chosen = names.iter().find(made).or(names.last()).cloned().unwrap_or_default();
        if kit.models.is_some() && names.first() != Some(&chosen) {
            note = Some(untrained(chosen.as_str().unwrap_or_default()));
        }
        *value = chosen;
    }
    (options, note)
}
