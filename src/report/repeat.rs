//! The command line that repeats a run.

use super::folder::Run;
use super::sections;
use crate::registry::Registry;
use crate::store::Manifest;
use knave_agents::AgentSpec;
use knave_agents::options::{Fields, shown};
use knave_agents::presets::Preset;
use std::fmt::Display;

/// What was asked of a run, to be read and to be typed.
pub(super) struct Asked {
    /// Who played, or who answered.
    pub players: String,
    /// The options of the rules that differ from the game's own.
    pub rules: Vec<String>,
    /// The command.
    pub command: String,
}

/// What was asked of this run.
pub(super) fn asked(registry: &Registry, run: &Run) -> Asked {
    let plan = &run.manifest.plan;
    let defaults = registry.game(plan.game()).map(|game| game.default_rules()).unwrap_or_default();
    sections::asked(run, Line::new(&run.manifest, &defaults))
}

/// A command line under construction. A kind of study adds its options in the order in which one would type them.
pub(super) struct Line<'a> {
    manifest: &'a Manifest,
    rules: Vec<String>,
    words: Vec<String>,
}

impl<'a> Line<'a> {
    /// The command and the game. Rules that are as in `defaults` are left out, and so is an option that the study looks for.
    fn new(manifest: &'a Manifest, defaults: &Fields) -> Self {
        let plan = &manifest.plan;
        let rules =
            plan.rules().filter(|(name, value)| !value.is_null() && defaults.get(*name) != Some(*value));
        let line = Self {
            manifest,
            rules: rules.map(|(name, value)| format!("{name}={}", shown(value))).collect(),
            words: vec!["sim".to_owned(), plan.study().to_owned()],
        };
        line.option("--game", plan.game())
    }

    /// An option with its value.
    pub fn option(mut self, name: &str, value: impl Display) -> Self {
        self.words.extend([name.to_owned(), quoted(&value.to_string())]);
        self
    }

    /// The same, if there is a value.
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
        agents.iter().fold(self, |line, agent| line.option("--agent", spelled(agent)))
    }

    /// The rules.
    pub fn rules(self) -> Self {
        let rules = self.rules.clone();
        rules.iter().fold(self, |line, rule| line.option("--rule", rule))
    }

    /// The end of the line: the shard, and the option that asked for the table with a row for each index.
    pub fn end(self, players: String, rows: Option<(&str, &str)>) -> Asked {
        let manifest = self.manifest;
        let shard = manifest.plan.shard.map(|shard| format!("{}/{}", shard.part, shard.of));
        let mut line = self.maybe("--shard", shard);
        let written = |(table, _): &(&str, &str)| manifest.files.iter().any(|file| file == table);
        line.words.extend(rows.filter(written).map(|(_, flag)| flag.to_owned()));
        Asked { players, rules: line.rules, command: line.words.join(" ") }
    }
}

/// The labels of these agents, in their order, one for neighbours that are the same.
pub(super) fn labels(agents: &[AgentSpec]) -> String {
    let mut labels: Vec<String> = agents.iter().map(ToString::to_string).collect();
    labels.dedup();
    labels.join(", ")
}

/// An agent as it is named on a command line: by its label, unless that is a name that only its study knows.
fn spelled(agent: &AgentSpec) -> String {
    let label = agent.to_string();
    let name = label.split(':').next().unwrap_or_default();
    let known = name == agent.name || name.ends_with(".toml") || matches!(Preset::find(name), Ok(Some(_)));
    if known { label } else { AgentSpec { label: None, ..agent.clone() }.to_string() }
}

/// The word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-=:.,/+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::PlanRecord;
    use crate::studies::Request;
    use serde_json::{Value, json};

    fn command(request: &Value, files: &[&str]) -> String {
        let request = request.as_object().unwrap().clone();
        let plan = PlanRecord { request, ..PlanRecord::default() };
        let files = files.iter().map(|&file| file.to_owned()).collect();
        let manifest = Manifest { files, ..Manifest::new(plan) };
        let request = Request::recorded(&manifest.plan).unwrap();
        asked(&Registry::builtin().build(), &Run { manifest, request }).command
    }

    /// Commands name what differs from the defaults and are quoted for a shell.
    #[test]
    fn commands_are_what_one_types() {
        let rules = json!({ "players": 3, "cards": 7, "max_rolls": 10_000, "target": 0, "teams": [0, 1, 0] });
        let run = |game: &str, agents: Value| json!({ "study": "run", "game": game, "rules": rules, "agents": agents, "n": 5, "seed": 2 });
        let expected = "sim run --game doubles --agent random -n 5 --seed 2 --rule players=3 --rule 'teams=[0,1,0]' --games";
        assert_eq!(command(&run("doubles", json!(["random", "random", "random"])), &["games.csv"]), expected);
        let mixed = run("doubles", json!(["random", "rule", "random"]));
        assert!(command(&mixed, &[]).contains("--agent random --agent rule --agent random -n"));
        let unknown = run("chess", json!(["random"]));
        assert!(command(&unknown, &[]).ends_with(
            "--rule cards=7 --rule max_rolls=10000 --rule players=3 --rule target=0 --rule 'teams=[0,1,0]'"
        ));

        let compare = json!({ "study": "compare", "game": "dungeon", "agents": ["x", "y"], "n": 5, "seed": 2,
            "sprt": [-2.0, 5.5], "measure": "score", "control": 3 });
        let expected = "sim compare --game dungeon --agent x --agent y -n 5 --seed 2 --sprt -2,5.5 --measure score --control 3";
        assert_eq!(command(&compare, &[]), expected);

        let solve = json!({ "study": "solve", "game": "dungeon", "rules": { "health": null }, "objective": "win",
            "budget": 9, "n": 5, "seed": 0, "deals": { "file": "it's" } });
        let expected = r"sim solve --game dungeon --objective win --deals 'it'\''s' --budget 9 --solutions";
        assert_eq!(command(&solve, &["solutions.csv"]), expected);
    }

    /// A label that a command line would not understand gives way to the agent and its options.
    #[test]
    fn agents_are_named_as_anybody_can() {
        for (label, expected) in [
            ("slow", "mcts:iterations=50"),
            ("mcts", "mcts"),
            ("strong:iterations=50", "strong:iterations=50"),
            ("my/own.toml", "my/own.toml"),
        ] {
            let agent = json!({ "agent": "mcts", "options": { "iterations": 50 }, "label": label });
            let agent: AgentSpec = serde_json::from_value(agent).unwrap();
            assert_eq!(spelled(&agent), expected);
        }
    }
}
