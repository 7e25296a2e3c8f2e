//! `sim list`: the games, agents and presets, with every option.

use crate::agents::options::{OptionDoc, describe};
use crate::agents::presets::Preset;
use crate::agents::registry;
use crate::cli::exit::{Exit, bad_input};
use crate::games::{self, CardGame, Visitor};
use clap::{Args as ClapArgs, ValueEnum};
use std::fmt::Write as _;
use std::io::Write as _;

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

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let text = match (args.what, &args.game) {
        (What::Games, None) => games::NAMES
            .iter()
            .map(|name| games::visit(name, ListGame))
            .collect::<Result<Vec<_>, _>>()?
            .join("\n"),
        (What::Games, Some(name)) => games::visit(name, ListGame).map_err(bad_input)?,
        (What::Agents, name) => {
            let name = name.as_deref().unwrap_or(games::NAMES[0]);
            games::visit(name, ListAgents).map_err(bad_input)?
        }
        (What::Presets, Some(_)) => return Err(bad_input("--game does not apply to presets")),
        (What::Presets, None) => presets()?,
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(Exit::Done)
}

struct ListGame;

impl Visitor for ListGame {
    type Output = String;

    fn visit<G: CardGame>(self) -> String {
        let mut text = format!("{}  {}\n", G::NAME, G::SUMMARY);
        options(&mut text, &describe::<G::Rules>());
        let objectives = G::kit(&G::Rules::default()).objectives;
        if !objectives.is_empty() {
            text.push_str(
                "  exact answers for someone who knows every card (clairvoyant; sim solve --objective):\n",
            );
        }
        let width = objectives.iter().map(|objective| objective.name.len()).max().unwrap_or(0);
        for objective in objectives {
            let _ = writeln!(text, "    {:width$}  {}", objective.name, objective.question);
        }
        text
    }
}

struct ListAgents;

impl Visitor for ListAgents {
    type Output = String;

    fn visit<G: CardGame>(self) -> String {
        let mut text = format!("Agents, with their defaults in {}:\n", G::NAME);
        let kit = G::kit(&G::Rules::default());
        for entry in registry::agents(&kit) {
            let _ = write!(text, "\n{}  {}\n", entry.name, entry.summary);
            options(&mut text, &entry.options(&kit));
        }
        text
    }
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
