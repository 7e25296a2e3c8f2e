//! Agents by name: presets, layers of options, and what is said about mistakes.

use knave_agents::presets::Preset;
use knave_agents::spec::SpecError;
use knave_agents::toys::ladder::{Ladder, Rules};
use knave_agents::{AgentSpec, Tools as _, Used, registry};
use serde_json::Value;
use std::path::PathBuf;

const RULES: Rules = Rules { cards: 4, shuffled: false };

fn parameters(spec: &str) -> Result<Value, SpecError> {
    let spec: AgentSpec = spec.parse().unwrap();
    registry::prepare(&registry::general::<Ladder>(), "ladder", &spec, &RULES).map(|agent| agent.parameters)
}

fn refusal(spec: &str) -> String {
    parameters(spec).unwrap_err().to_string()
}

/// A preset file that is removed at the end of the test.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("knave-{}-{name}.toml", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A preset that names an agent or an option that does not exist would fail only when it is used.
#[test]
fn presets_name_real_agents_and_options() {
    let entries = registry::general::<Ladder>();
    for name in Preset::names() {
        let preset = Preset::find(name).unwrap().unwrap();
        assert!(!preset.summary.is_empty(), "{name} has no summary");
        for game in preset.games.keys().map(String::as_str).chain([""]) {
            let (agent, options) = preset.for_game(game);
            let entry = entries.iter().find(|entry| entry.name == agent);
            let known =
                entry.unwrap_or_else(|| panic!("{name}: no agent {agent}")).options(&Ladder::kit(&RULES));
            for option in options.keys() {
                assert!(known.iter().any(|doc| doc.name == *option), "{name}: no option {option}");
            }
        }
        assert!(entries.iter().all(|entry| entry.name != name), "{name} is an agent's name too");
        parameters(name).unwrap();
    }
}

/// Every file in `presets/` is built in, under its own name.
#[test]
fn every_preset_file_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let mut names: Vec<&str> = Preset::names().collect();
    files.sort();
    names.sort_unstable();
    assert_eq!(files, names);
}

/// Options are layered: the agent's own default, the game's, the preset's, and what was given.
#[test]
fn options_are_layered() {
    assert_eq!(parameters("mcts").unwrap()["iterations"], 1000, "the agent's own");
    assert_eq!(parameters("flat").unwrap()["worlds"], 24, "the game's");
    let text = "agent = \"flat\"\nsummary = \"s\"\n[options]\nworlds = 9\nsolver_nodes = 5\n\
                [games.ladder]\nsolver_nodes = 6\n[games.other]\nworlds = 10\n";
    let file = File::new("layers", text);
    let preset = parameters(file.name()).unwrap();
    assert_eq!(preset["worlds"], 9, "the preset's over the game's");
    assert_eq!(preset["solver_nodes"], 6, "the preset's for this game over its own for all");
    assert_eq!(preset["steps"], "turns", "untouched");
    let given = parameters(&format!("{}:worlds=7", file.name())).unwrap();
    assert_eq!((&given["worlds"], &given["solver_nodes"]), (&7.into(), &6.into()), "what was given");
}

/// What is wrong in a preset is told with the file and the line, and a game that there is not is wrong, too.
#[test]
fn mistakes_in_presets_have_a_place() {
    let refused = |text: &str| {
        let file = File::new("mistakes", text);
        let error = parameters(file.name()).unwrap_err().to_string();
        error.replace(file.name(), "FILE")
    };
    let head = "agent = \"mcts\"\nsummary = \"s\"\n";
    for (text, told) in [
        (
            format!("{head}[options]\niteratoins = 3\n"),
            "preset FILE: line 4: agent mcts has no option 'iteratoins'",
        ),
        (format!("{head}[options]\n\nc = -1\n"), "preset FILE: line 5: agent mcts: c=-1 is refused"),
        (format!("{head}[games.ladder]\nc = -1\n"), "preset FILE: line 4: agent mcts: c=-1 is refused"),
        ("agent = \"mtcs\"\nsummary = \"s\"\n".to_owned(), "preset FILE: line 1: unknown agent 'mtcs'"),
        (
            "agent = \"fast\"\nsummary = \"s\"\n".to_owned(),
            "preset FILE: line 1: 'fast' is a preset itself; agents: ",
        ),
        (format!("{head}[games.ladder]\nagent = 3\n"), "preset FILE: line 4: agent = 3: expected the name"),
        (format!("{head}[game.ladder]\nc = 1\n"), "unknown field 'game', did you mean 'games'?"),
    ] {
        let error = refused(&text);
        assert!(error.contains(told), "{told}\n{error}");
    }
    let given = File::new("given", &format!("{head}[options]\nc = 1\n"));
    let error = parameters(&format!("{}:c=-1", given.name())).unwrap_err().to_string();
    assert!(!error.contains("line"), "what was given does not stand in the file: {error}");
    let preset =
        Preset::parse("FILE", &format!("{head}[games.ladder]\nc = 1\n[games.lader]\nc = 2\n")).unwrap();
    let error = preset.check_games(&["ladder", "pig"]).unwrap_err().to_string();
    assert_eq!(
        error,
        "preset FILE: line 5: unknown game 'lader', did you mean 'ladder'?; games: ladder, pig"
    );
    assert_eq!(preset.check_games(&["ladder", "lader"]), Ok(()));
}

/// A model serves few rules: a preset that prefers it must work under all others, too.
#[test]
fn presets_fall_back_where_a_tool_is_not_made_for_the_rules() {
    let policy = |names: &str| {
        let text = format!("agent = \"rule\"\nsummary = \"s\"\n[options]\npolicy = {names}\n");
        parameters(File::new("fall-back", &text).name()).map(|parameters| parameters["policy"].clone())
    };
    assert_eq!(policy("[\"net\", \"rising\"]").unwrap(), "rising");
    assert_eq!(policy("[\"rising\", \"net\"]").unwrap(), "rising");
    let error = policy("[\"net\", \"none such\"]").unwrap_err().to_string();
    assert!(error.contains("policy=[\"net\",\"none such\"] is refused"), "{error}");
}

/// A listing shows the lists of presets as options of their agents, so they must be read as such: as text and as data.
#[test]
fn given_lists_mean_what_they_do_in_presets() {
    let data = r#"{"agent": "rule", "options": {"policy": ["net", "rising"]}}"#;
    let data: AgentSpec = serde_json::from_str(data).unwrap();
    let data = registry::prepare(&registry::general::<Ladder>(), "ladder", &data, &RULES).unwrap();
    assert_eq!(data.parameters["policy"], "rising");
    for text in
        [r#"rule:policy=["net","rising"]"#, r#"rule:policy=["rising","net"]"#, r#"fast:policy=["rising"]"#]
    {
        assert_eq!(parameters(text).unwrap()["policy"], "rising", "{text}");
    }
    // A name that no rules know is a mistake, wherever it stands.
    for list in [r#"["rising","risin"]"#, r#"["risin","rising"]"#] {
        let reason = "agent rule: policy=risin is refused: expected one of rising, did you mean 'rising'?";
        assert_eq!(refusal(&format!("rule:policy={list}")), reason);
    }
    for list in [r#"["net"]"#, "[rising,net]", "[]"] {
        assert_eq!(
            refusal(&format!("rule:policy={list}")),
            format!(
                "agent rule: policy={list} is refused: no name of the list is that of a policy for these rules; expected a list such as \
                 [\"a\",\"b\"] with one of rising"
            )
        );
    }
}

/// The listing shows the default that will be used.
#[test]
fn options_are_listed_with_the_games_defaults() {
    let entries = registry::general::<Ladder>();
    let flat = entries.iter().find(|entry| entry.name == "flat").unwrap();
    let worlds = flat.options(&Ladder::kit(&RULES)).into_iter().find(|doc| doc.name == "worlds").unwrap();
    assert_eq!(worlds.default, "24");
}

#[test]
fn prepared_agents_keep_the_name_they_were_given() {
    let spec: AgentSpec = "strong:c=1.5".parse().unwrap();
    let agent = registry::prepare(&registry::general::<Ladder>(), "ladder", &spec, &RULES).unwrap();
    assert_eq!((agent.label.as_str(), agent.agent.as_str()), ("strong:c=1.5", "mcts"));
    assert_eq!((&agent.parameters["iterations"], &agent.parameters["c"]), (&1000.into(), &1.5.into()));
}

/// The record of an agent holds its evaluators and policies, and notes on renamed options.
#[test]
fn prepared_agents_tell_what_they_use() {
    let prepared = |spec: &str| {
        let spec: AgentSpec = spec.parse().unwrap();
        registry::prepare(&registry::general::<Ladder>(), "ladder", &spec, &RULES).unwrap()
    };
    let used = |kind, name: &str| Used { kind, name: name.to_owned(), fnv1a: None, model: None };
    assert_eq!(prepared("greedy").uses, [used("evaluator", "score")]);
    assert_eq!(prepared("rule").uses, [used("policy", "rising")]);
    assert_eq!(prepared("mcts").uses, []);
    let old = prepared("mcts:rollout=none,leaf=exact,trust=3");
    assert_eq!(old.uses, [used("evaluator", "exact")]);
    assert_eq!(old.notes, ["option 'trust' of agent mcts is now called 'prior_visits'"]);
    assert_eq!(old.parameters["prior_visits"], 3.0);
    assert_eq!(prepared("strong").notes, [""; 0]);
    assert!(refusal("mcts:trust=3,prior_visits=4").contains("option 'prior_visits' is given twice"));
}

#[test]
fn mistakes_are_named_with_what_would_be_right() {
    let unknown = refusal("mtcs");
    assert!(unknown.starts_with("unknown agent 'mtcs', did you mean 'mcts'?"), "{unknown}");
    assert!(unknown.contains("random") && unknown.contains("strong"), "{unknown}");
    let preset = refusal("stron");
    assert!(preset.contains("did you mean 'strong'?"), "{preset}");
    let option = refusal("mcts:iteration=5");
    assert!(
        option.starts_with("agent mcts has no option 'iteration', did you mean 'iterations'?"),
        "{option}"
    );
    let value = refusal("mcts:iterations=0");
    assert!(value.starts_with("agent mcts: iterations=0 is refused"), "{value}");
    assert!(refusal("mcts:width=8").contains("width=8 is refused: only an evaluator can tell"));
    let worlds = refusal("flat:rollout=rule,min_z=1,worlds=1");
    assert_eq!(
        worlds,
        "agent flat: min_z=1 is refused: worlds=1 has no spread to measure it by: set worlds to at least 2"
    );
    parameters("flat:rollout=rule,min_z=1,worlds=2").unwrap();
    let leaf = refusal("mcts:rollout=none,leaf=scor");
    assert!(leaf.contains("leaf=scor is refused") && leaf.contains("did you mean 'score'?"), "{leaf}");
}

/// Options that can do nothing are refused: with nobody else to model, no decision that gets more, no rollout to stop. A game's own
/// default is none that somebody gave.
#[test]
fn options_without_effect_are_refused() {
    for (spec, told) in [
        (
            "mcts:rollout=none,leaf=score,others=evaluator",
            "others=evaluator is refused: it is for games of several",
        ),
        (
            "mcts:rollout=none,leaf=score,policy_share=0.5",
            "policy_share=0.5 is refused: it is for games of several",
        ),
        ("mcts:late_hidden=5", "late_hidden=5 is refused: no decision gets more iterations by it"),
        ("flat:rollout=none,leaf=score,rollout_depth=2", "rollout_depth=2 is refused: there are no rollouts"),
    ] {
        let found = refusal(spec);
        assert!(found.contains(told), "{spec}: {found}");
    }
    parameters("mcts:late_hidden=5,late_iterations=9").unwrap();
    parameters("flat:rollout=random,leaf=score,rollout_depth=2").unwrap();
}

/// A preset that is wrong is refused with its path and the line.
#[test]
fn malformed_presets_are_refused_with_the_line() {
    for (name, text, line, word) in [
        ("syntax", "agent = \"mcts\"\nsummary = \"s\"\n[options\n", "line 3", ""),
        ("missing", "agent = \"mcts\"\n", "missing", "summary"),
        ("field", "agent = \"mcts\"\nsummary = \"s\"\noption = 3\n", "line 3", "option"),
        ("kind", "agent = 3\nsummary = \"s\"\n", "line 1", "expected a text"),
    ] {
        let file = File::new(name, text);
        let message = refusal(file.name());
        assert!(message.starts_with(&format!("preset {}: ", file.name())), "{message}");
        assert!(message.contains(line) && message.contains(word), "{name}: {message}");
    }
    let message = refusal("no/such/file.toml");
    assert!(message.starts_with("preset no/such/file.toml: "), "{message}");
    let file = File::new("option", "agent = \"mcts\"\nsummary = \"s\"\n[options]\niteratons = 3\n");
    assert!(refusal(file.name()).contains("did you mean 'iterations'?"));
    let file = File::new("agent", "agent = \"mtcs\"\nsummary = \"s\"\n");
    assert!(refusal(file.name()).contains("did you mean 'mcts'?"));
}
