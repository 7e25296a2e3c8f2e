//! `sim list`: the games, agents and presets, with every option, and the trained models.

use super::exit::{Exit, bad_input, print};
use crate::bots::schema;
use crate::registry::{AnyGame, Registry};
use clap::{Args as ClapArgs, ValueEnum};
use knave_agents::learn::Shape;
use knave_agents::options::{self, OptionDoc};
use knave_agents::presets::Preset;
use serde_json::Value;
use std::fmt::Write as _;

#[derive(ClapArgs)]
pub struct Args {
    /// What to show
    what: What,
    /// Show agents with their defaults in this game, or its models alone
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
    /// The trained models, and the rules that they serve
    Models,
    /// The protocol of players in processes of their own, as JSON Schema
    Protocol,
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
        (What::Protocol, Some(_)) => return Err(bad_input("--game does not apply to protocol")),
        (What::Protocol, None) => format!("{:#}\n", protocol(registry)),
        (What::Models, None) => registry.games().map(models).collect(),
        (What::Models, Some(name)) => {
            let listed = models(named(name)?);
            if listed.is_empty() { format!("No model comes with Knave for {name}.\n") } else { listed }
        }
    };
    print(&text)?;
    Ok(Exit::Done)
}

/// The protocol, with the views of all games.
fn protocol(registry: &Registry) -> Value {
    schema(registry.games().filter_map(|game| Some((game.name(), game.view_schema()?))))
}

fn game(game: &dyn AnyGame) -> String {
    let mut text = format!("{}  {}\n", game.name(), game.summary());
    list_options(&mut text, &game.rules());
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
        list_options(&mut text, &docs);
    }
    text
}

/// One option a line: name, default, meaning, values.
fn list_options(text: &mut String, docs: &[OptionDoc]) {
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

/// A line for each model, and one for each table of the rules that it serves.
fn models(game: &dyn AnyGame) -> String {
    let mut text = String::new();
    for model in game.models() {
        let (id, header) = (&model.id, &model.header);
        let Shape { inputs, first, second, .. } = header.shape;
        let shape = format!("{inputs} x {first} x {second} units");
        let _ = writeln!(text, "{}  {}  {shape}, fnv1a {}", game.name(), id.name, id.fnv1a);
        let held_out = &header.training["held_out"];
        if let (Some(games), Some(mean)) = (held_out["games"].as_u64(), held_out["mean_utility"].as_f64()) {
            let trained =
                stages(&header.training).map(|stage| stage["schedule"]["games"].as_u64().unwrap_or(0));
            let trained: u64 = trained.sum();
            let _ = writeln!(
                text,
                "  learnt from {trained} games against itself; mean utility of the first seat in {games} held-out ones {mean:.4}"
            );
        }
        for spread in header.spreads().iter().filter_map(Value::as_object) {
            let options: Vec<String> =
                spread.iter().map(|(name, value)| format!("{name}={}", options::shown(value))).collect();
            let _ = writeln!(text, "  serves {}", options.join(" "));
        }
    }
    text
}

/// The last stage of a training and those before it.
fn stages(training: &Value) -> impl Iterator<Item = &Value> {
    std::iter::successors(Some(training), |stage| stage.get("from"))
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
