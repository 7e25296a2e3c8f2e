//! The command line that repeats a run.

use crate::games::ShortDeck;
use crate::registry::{AnyGame, Registry};
use crate::store::{Manifest, PlanRecord};
use crate::text::quoted;
use knave_agents::AgentSpec;
use knave_agents::options::shown;
use serde_json::Value;
use std::fmt::Display;

/// What was asked of a run, to be read and to be typed.
pub(super) struct Asked {
    /// Who played, or who answered.
    pub players: String,
    /// The cards, where they are few, and the options of the rules that differ from the game's own.
    pub rules: Vec<String>,
    /// The command.
    pub command: String,
}

/// A command line under construction. A kind of study adds its options in the order in which one would type them.
pub(super) struct Line<'a> {
    registry: &'a Registry,
    manifest: &'a Manifest,
    rules: Vec<String>,
    cards: Option<String>,
    words: Vec<String>,
}

impl<'a> Line<'a> {
    /// The command and the game. Rules as in the defaults are left out, and so is an option that the study looks for.
    pub fn new(registry: &'a Registry, manifest: &'a Manifest) -> Self {
        let plan = &manifest.plan;
        let defaults = registry.game(plan.game()).map(AnyGame::default_rules).unwrap_or_default();
        let rules =
            plan.rules().filter(|(name, value)| !value.is_null() && defaults.get(*name) != Some(*value));
        let line = Self {
            registry,
            manifest,
            rules: rules.map(|(name, value)| format!("{name}={}", shown(value))).collect(),
            cards: None,
            words: vec!["sim".to_owned(), plan.study().to_owned()],
        };
        line.option("--game", plan.game())
    }

    /// An option with its value.
    pub fn option(mut self, name: &str, value: impl Display) -> Self {
        self.words.extend([name.to_owned(), quoted(&value.to_string())]);
        self
    }

    /// A word without an option's name.
    pub fn word(mut self, word: impl Display) -> Self {
        self.words.push(quoted(&word.to_string()));
        self
    }

    /// An option, if there is a value.
    pub fn maybe(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.option(name, value),
            None => self,
        }
    }

    /// The agents: one where it fills all seats.
    pub fn agents(self, agents: &[AgentSpec]) -> Self {
        let one = agents.iter().all(|agent| *agent == agents[0]);
        let agents = if one { &agents[..agents.len().min(1)] } else { agents };
        agents.iter().fold(self, |line, agent| {
            let agent = line.spelled(agent);
            line.option("--agent", agent)
        })
    }

    /// An agent as one types it.
    pub fn spelled(&self, agent: &AgentSpec) -> String {
        spelled(self.registry, &self.manifest.plan, agent)
    }

    /// The rules.
    pub fn rules(self) -> Self {
        let rules = self.rules.clone();
        rules.iter().fold(self, |line, rule| line.option("--rule", rule))
    }

    /// The cards of a game with few.
    pub fn cards(mut self, cards: Option<&ShortDeck>) -> Self {
        let cards = cards.map(ShortDeck::ranges);
        self.cards = cards.as_ref().map(|cards| format!("cards={cards}"));
        self.maybe("--cards", cards)
    }

    /// The end of the line: the shard, and the option that asked for the table with a row for each index.
    pub fn end(self, players: String, rows: Option<(&str, &str)>) -> Asked {
        let manifest = self.manifest;
        let shard = manifest.plan.shard.map(|shard| format!("{}/{}", shard.part, shard.of));
        let mut line = self.maybe("--shard", shard);
        let written = |(table, _): &(&str, &str)| manifest.files.iter().any(|file| file == table);
        line.words.extend(rows.filter(written).map(|(_, flag)| flag.to_owned()));
        let rules = line.cards.into_iter().chain(line.rules).collect();
        Asked { players, rules, command: line.words.join(" ") }
    }
}

/// The labels of these agents, in their order, one for neighbours that are the same.
pub(super) fn labels(agents: &[AgentSpec]) -> String {
    let mut labels: Vec<String> = agents.iter().map(ToString::to_string).collect();
    labels.dedup();
    labels.join(", ")
}

/// A recorded agent as it is named on a command line: by its label, unless a command line would take that for another agent or
/// for none.
pub fn spelled(registry: &Registry, plan: &PlanRecord, agent: &AgentSpec) -> String {
    let label = agent.to_string();
    let rules = plan.rules().map(|(name, value)| (name.to_owned(), value.clone())).collect();
    let game = registry.game(plan.game()).ok();
    let read: Option<AgentSpec> = label.parse().ok();
    let is_meant = read.is_some_and(|read| match game.and_then(|game| game.resolved(&read, &rules)) {
        Some(meant) => (&meant.name, &meant.options) == (&agent.name, &agent.options),
        // Some are known at a table alone, such as `exact`, which needs the cards.
        None => {
            let same = |(name, value): (&String, &Value)| agent.options.get(name) == Some(value);
            read.name == agent.name && read.options.iter().all(same)
        }
    });
    if is_meant { label } else { AgentSpec { label: None, ..agent.clone() }.to_string() }
}
