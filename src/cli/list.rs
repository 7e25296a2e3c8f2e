//! `sim list`: the games, agents and presets, with every option.

use super::exit::{Exit, bad_input, print};
use crate::registry::{AnyGame, Registry};
use clap::{Args as ClapArgs, ValueEnum};
use knave_agents::options::OptionDoc;
use knave_agents::presets::Preset;
use std::fmt::Write as _;

#[derive(ClapArgs)]
pub struct Args {
    /// What to show
    what: What,
    /// Show agents with their defaults in this game
    #[arg(long)]
    game: Option<String>,
}

#[derive(Copy, Clone, PartialEq, ValueEnum)]
enum What {
    /// The games and the options of their rules
    Games,
    /// The agents and their options
    Agents,
    /// The named presets of agents
    Presets,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let named = |name: &str| registry.game(name).map_err(bad_input);
    let text = match (args.what, &args.game) {
        (What::Games, None) => registry.games().map(game).collect::<Vec<_>>().join("\n"),
        (What::Games, Some(name)) => game(named(name)?),
        (What::Agents, Some(name)) => agents(named(name)?),
        (What::Agents, None) => registry.games().next().map(agents).unwrap_or_default(),
        (What::Presets, Some(_)) => return Err(bad_input("--game does not apply to presets")),
        (What::Presets, None) => presets()?,
    };
    print(&text)?;
    Ok(Exit::Done)
}

fn game(game: &dyn AnyGame) -> String {
    let mut text = format!("{}  {}\n", game.name(), game.summary());
    options(&mut text, &game.rules());
    let objectives = game.objectives();
    if !objectives.is_empty() {
        text.push_str(
            "  exact answers for someone who knows every card (clairvoyant; sim solve --objective):\n",
        );
    }
    let width = objectives.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, question) in objectives {
        let _ = writeln!(text, "    {name:width$}  {question}");
    }
    text
}

fn agents(game: &dyn AnyGame) -> String {
    let mut text = format!("Agents, with their defaults in {}:\n", game.name());
    for (name, summary, docs) in game.agents() {
        let _ = write!(text, "\n{name}  {summary}\n");
        options(&mut text, &docs);
    }
    text
}

/// One option a line: name, default, meaning, values.
fn options(text: &mut String, docs: &[OptionDoc]) {
    let shown = |doc: &OptionDoc| format!("{}={}", doc.name, doc.default);
    let width = docs.iter().map(|doc| shown(doc).len()).max().unwrap_or(0);
    for doc in docs {
        let _ = write!(text, "  {:width$}  {}", shown(doc), doc.meaning);
        if !doc.values.is_empty() {
            let _ = write!(text, " [{}]", doc.values.join(", "));
        }
        text.push('\n');
    }
}

fn presets() -> anyhow::Result<String> {
    let mut text = String::new();
    for name in Preset::names() {
        if let Some(preset) = Preset::find(name)? {
            let _ = writeln!(text, "{name}  {} (agent {})", preset.summary, preset.agent);
        }
    }
    if text.is_empty() {
        text.push_str("There are no presets.\n");
    }
    Ok(text)
}
