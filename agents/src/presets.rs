//! Presets: named agents, a TOML file each, with options for every game or for one.

use crate::game::Game;
use crate::kit::{Entry, Kit, untrained};
use crate::options::{Fields, OptionError, hint, line_of, listed, overlay, toml_reason};
use crate::spec::{AgentSpec, SpecError};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use toml::Spanned;

/// The field that names the agent.
const AGENT: &str = "agent";

/// A named agent.
#[derive(Clone, Debug)]
pub struct Preset {
    /// The agent that it configures.
    pub agent: String,
    /// One line for `sim list presets`.
    pub summary: String,
    /// Options in every game.
    pub options: Fields,
    /// Overrides in single games.
    pub games: BTreeMap<String, GameOverride>,
    path: String,
    /// The line of each game, and of each option and agent by the game that it is for; an empty name is every game.
    game_lines: BTreeMap<String, usize>,
    lines: BTreeMap<(String, String), usize>,
}

/// The override in one game: another agent with its options, or options on top of the preset's.
#[derive(Clone, Debug, Default)]
pub struct GameOverride {
    /// The agent in this game, if it is another.
    pub agent: Option<String>,
    /// Options in this game.
    pub options: Fields,
}

/// A preset as its file has it, with the places of what may be wrong.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    agent: Spanned<String>,
    summary: String,
    #[serde(default)]
    options: BTreeMap<String, Spanned<Value>>,
    #[serde(default)]
    games: BTreeMap<Spanned<String>, BTreeMap<String, Spanned<Value>>>,
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
        let written: Written = toml::from_str(text).map_err(|error| SpecError::Preset {
            path: path.to_owned(),
            reason: toml_reason(text, &error),
        })?;
        let line = |at: Range<usize>| line_of(text, at.start);
        let agent_line = line(written.agent.span());
        let mut preset = Self {
            agent: written.agent.into_inner(),
            summary: written.summary,
            options: Fields::new(),
            games: BTreeMap::new(),
            path: path.to_owned(),
            game_lines: BTreeMap::new(),
            lines: BTreeMap::from([((String::new(), AGENT.to_owned()), agent_line)]),
        };
        for (name, value) in written.options {
            preset.lines.insert((String::new(), name.clone()), line(value.span()));
            preset.options.insert(name, value.into_inner());
        }
        for (game, written) in written.games {
            let (at, game) = (line(game.span()), game.into_inner());
            let mut changed = GameOverride::default();
            for (name, value) in written {
                let at = line(value.span());
                preset.lines.insert((game.clone(), name.clone()), at);
                match value.into_inner() {
                    Value::String(agent) if name == AGENT => changed.agent = Some(agent),
                    other if name == AGENT => {
                        let reason = format!("agent = {other}: expected the name of an agent");
                        return Err(preset.refusal(Some(at), reason));
                    }
                    value => drop(changed.options.insert(name, value)),
                }
            }
            preset.game_lines.insert(game.clone(), at);
            preset.games.insert(game, changed);
        }
        Ok(preset)
    }

    /// Checks that there is every game that the preset has an override for.
    ///
    /// # Errors
    /// Names the first that there is not, and the line.
    pub fn check_games(&self, known: &[&str]) -> Result<(), SpecError> {
        match self.games.keys().find(|game| !known.contains(&game.as_str())) {
            None => Ok(()),
            Some(game) => {
                let (hint, games) = (hint(game, known.iter().copied()), listed(known.iter().copied()));
                let reason = format!("unknown game '{game}'{hint}; games: {games}");
                Err(self.refusal(self.game_lines.get(game).copied(), reason))
            }
        }
    }

    /// The refusal of the preset's agent in this game.
    pub(crate) fn refuse_agent(&self, game: &str, reason: impl Display) -> SpecError {
        self.refusal(self.line(game, AGENT), reason)
    }

    /// An error about an option as one of the preset, with the line if it stands there, unless it was given otherwise.
    pub(crate) fn located(&self, game: &str, given: &Fields, error: OptionError) -> SpecError {
        let name = match &error {
            OptionError::Unknown { name, .. }
            | OptionError::Twice { name, .. }
            | OptionError::Value { name, .. } => name,
            OptionError::Form { .. } | OptionError::Unfit { .. } => return error.into(),
        };
        // What nobody gave is a default of the agent, whose name the user may not know.
        if given.contains_key(name) { error.into() } else { self.refusal(self.line(game, name), error) }
    }

    fn line(&self, game: &str, name: &str) -> Option<usize> {
        let of = |game: &str| self.lines.get(&(game.to_owned(), name.to_owned())).copied();
        // An override with an agent of its own takes nothing from the rest.
        let alone = self.games.get(game).is_some_and(|changed| changed.agent.is_some());
        of(game).or_else(|| of("").filter(|_| !alone))
    }

    fn refusal(&self, line: Option<usize>, reason: impl Display) -> SpecError {
        let line = line.map_or_else(String::new, |line| format!("line {line}: "));
        SpecError::Preset { path: self.path.clone(), reason: format!("{line}{reason}") }
    }

    /// The preset of this name, or of the file of this path, which ends in `.toml`. `None` when no preset has
    /// this name.
    ///
    /// # Errors
    /// When the file cannot be read or is no preset.
    pub fn find(name: &str) -> Result<Option<Self>, SpecError> {
        if name.ends_with(".toml") {
            let text = std::fs::read_to_string(name).map_err(|error| SpecError::Preset {
                path: name.to_owned(),
                reason: format!("cannot read it: {error}"),
            })?;
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
            Some(GameOverride { agent: Some(agent), options }) => (agent, options.clone()),
            Some(GameOverride { agent: None, options }) => {
                (&self.agent, overlay(self.options.clone(), options))
            }
        }
    }

    /// What this preset is in one game, as data.
    #[must_use]
    pub fn spec(&self, game: &str) -> AgentSpec {
        let (agent, options) = self.for_game(game);
        AgentSpec { name: agent.to_owned(), options, label: None }
    }
}

/// Where an option is a text, puts in the place of a list of evaluators and policies, also one that is written as a text, its first
/// name that is made for these rules. A note says where the first, a trained one, is not; the one on what a search keeps to comes
/// last, by itself. A list without such a name stays, and is refused. A `given` list with a name that the game never has is refused,
/// too: it is a mistake.
pub(crate) fn choose_for_rules<G: Game>(
    mut options: Fields,
    given: &Fields,
    entry: &Entry<G>,
    kit: &Kit<G>,
    rules: &G::Rules,
) -> (Fields, Vec<String>, Option<String>) {
    let (mut notes, mut of_base) = (Vec::new(), None);
    for (option, value) in options.iter_mut().filter(|(option, _)| (entry.is_text)(option)) {
        let names: Vec<Value> = match &*value {
            Value::Array(names) => names.clone(),
            Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
            _ => continue,
        };
        // An evaluator and a policy may have the same name, and not serve the same rules.
        let of_values = ["evaluator", "leaf"].contains(&option.as_str());
        let made = |name: &&Value| {
            name.as_str().is_some_and(|name| match of_values {
                true => kit.find_evaluator(name, rules).is_some(),
                false => kit.find_policy(name, rules).is_some(),
            })
        };
        let known = if of_values { kit.evaluators() } else { kit.policies() };
        // Where nothing was learnt, the name of what is learnt is no mistake.
        let is_known = |name: &str| known.contains(&name) || name == "net";
        let unknown = names.iter().find(|name| !name.as_str().is_some_and(is_known));
        if let Some(unknown) = unknown.filter(|_| given.contains_key(option)) {
            *value = unknown.clone();
            continue;
        }
        let Some(chosen) = names.iter().find(made).cloned() else { continue };
        if kit.models.is_some() && names.first() != Some(&chosen) {
            let chosen = chosen.as_str().unwrap_or_default();
            let note = match of_values {
                true => untrained(chosen),
                false => format!("no trained policy for these rules: the hand-written one ({chosen})"),
            };
            if option == "base" {
                of_base = Some(note);
            } else if !notes.contains(&note) {
                notes.push(note);
            }
        }
        *value = chosen;
    }
    (options, notes, of_base)
}
