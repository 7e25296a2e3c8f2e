//! The agents that can play any game, by name. A new agent is one file in `players/` and one line here.

use crate::agent::Agent;
use crate::game::Game;
use crate::options::{self, OptionDoc, OptionError, Pairs};
use crate::players;
use crate::presets::Preset;
use crate::spec::{AgentSpec, SpecError};
use crate::tools::Tools;
use clap::{Args, FromArgMatches};
use serde::Serialize;
use std::sync::Arc;

/// An agent that can be made from its options.
pub trait Configure<G: Game>: Agent<G> + Clone + Sync + Sized + 'static {
    /// The name on the command line.
    const NAME: &'static str;
    /// One line for `sim list agents`.
    const SUMMARY: &'static str;
    /// The options, each with a name, a default, a meaning and a range.
    type Options: Args + FromArgMatches + Serialize;

    /// Makes the agent for a game with these rules.
    ///
    /// # Errors
    /// When options contradict each other or ask for what the game does not offer.
    fn configure(options: &Self::Options, rules: &G::Rules) -> Result<Self, OptionError>;
}

type Prepare<G> = fn(&[(String, String)], &<G as Game>::Rules) -> Result<Prepared<G>, OptionError>;

/// A registered agent.
pub struct Entry<G: Game> {
    /// The name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    describe: fn() -> Vec<OptionDoc>,
    prepare: Prepare<G>,
}

/// An agent with all its options fixed, ready to be copied to every worker.
pub struct Prepared<G: Game> {
    /// As it was named: the agent's or the preset's name with the options that were given.
    pub label: String,
    /// The agent's own name.
    pub agent: String,
    /// Every parameter, defaults included.
    pub parameters: serde_json::Value,
    make: Arc<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>,
}

impl<G: Game> Clone for Prepared<G> {
    fn clone(&self) -> Self {
        let Self { label, agent, parameters, make } = self;
        Self {
            label: label.clone(),
            agent: agent.clone(),
            parameters: parameters.clone(),
            make: Arc::clone(make),
        }
    }
}

impl<G: Game> Prepared<G> {
    /// A fresh copy of the agent.
    #[must_use]
    pub fn make(&self) -> Box<dyn Agent<G>> {
        (self.make)()
    }
}

impl<G: Game> Entry<G> {
    /// The entry of an agent type.
    #[must_use]
    pub fn of<A: Configure<G>>() -> Self {
        Self {
            name: A::NAME,
            summary: A::SUMMARY,
            describe: options::describe::<A::Options>,
            prepare: |pairs, rules| {
                let options: A::Options = options::parse(&format!("agent {}", A::NAME), pairs)?;
                let agent = A::configure(&options, rules)?;
                Ok(Prepared {
                    label: A::NAME.to_owned(),
                    agent: A::NAME.to_owned(),
                    parameters: serde_json::to_value(&options).unwrap_or_default(),
                    make: Arc::new(move || Box::new(agent.clone())),
                })
            },
        }
    }
}

impl<G: Tools> Entry<G> {
    /// The agent's options, with this game's defaults.
    #[must_use]
    pub fn options(&self) -> Vec<OptionDoc> {
        let mut docs = (self.describe)();
        for (name, value) in G::defaults(self.name) {
            if let Some(doc) = docs.iter_mut().find(|doc| doc.name == *name) {
                (*value).clone_into(&mut doc.default);
            }
        }
        docs
    }
}

/// The agents that can play every game.
#[must_use]
pub fn agents<G: Tools>() -> Vec<Entry<G>> {
    vec![
        Entry::of::<players::random::Random<G>>(),
        Entry::of::<players::greedy::Greedy<G>>(),
        Entry::of::<players::rule::Rule<G>>(),
        Entry::of::<players::flat::Flat<G>>(),
        Entry::of::<players::mcts::Mcts<G>>(),
    ]
}

/// Finds the agent or preset that `spec` names and fixes all its options: the agent's own defaults,
/// then the game's, then the preset's, then those that were given.
///
/// # Errors
/// When there is no such agent, preset or option, or a value is refused.
pub fn prepare<G: Tools>(
    entries: &[Entry<G>],
    game: &str,
    spec: &AgentSpec,
    rules: &G::Rules,
) -> Result<Prepared<G>, SpecError> {
    let preset = Preset::find(&spec.name)?;
    let (name, preset_options) =
        preset.as_ref().map_or((spec.name.as_str(), Pairs::new()), |preset| preset.for_game(game));
    let Some(entry) = entries.iter().find(|entry| entry.name == name) else {
        let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
        let presets: Vec<&str> = Preset::names().collect();
        return Err(SpecError::Unknown {
            name: name.to_owned(),
            hint: options::hint(name, names.iter().chain(&presets).copied()),
            agents: names.join(", "),
            presets: if presets.is_empty() { "none".to_owned() } else { presets.join(", ") },
        });
    };
    let defaults: Pairs =
        G::defaults(entry.name).iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let pairs = options::overlay(options::overlay(defaults, &preset_options), &spec.options);
    let mut prepared = (entry.prepare)(&pairs, rules)?;
    prepared.label = spec.to_string();
    Ok(prepared)
}
