//! `sim list`: the games, agents and presets, with every option, the measures of play, and the trained models.

use super::exit::{Exit, bad_input, print};
use super::json::{self, Json};
use super::options::in_words;
use crate::bots::schema;
use crate::games::TallyMeasure;
use crate::registry::{AnyGame, Registry};
use crate::screen::Screen;
use crate::text::wrapped;
use clap::{Args as ClapArgs, ValueEnum};
use knave_agents::learn::Model;
use knave_agents::net::Shape;
use knave_agents::options::{self, OptionDoc};
use knave_agents::presets::Preset;
use knave_agents::training::Method;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(ClapArgs)]
pub struct Args {
    /// What to show
    what: What,
    /// models: show the one in this file
    #[arg(value_name = "FILE", conflicts_with = "game")]
    file: Option<PathBuf>,
    /// Show agents with their defaults, evaluators, policies and models in this game, what presets are in it, or its measures or
    /// models alone
    #[arg(long)]
    game: Option<String>,
    #[command(flatten)]
    json: Json,
}

#[derive(Copy, Clone, PartialEq, ValueEnum)]
enum What {
    /// The games and the options of their rules
    Games,
    /// The agents and their options
    Agents,
    /// The named presets of agents
    Presets,
    /// What runs count of the play, in tally.csv
    Measures,
    /// The trained models, and the rules that they serve
    Models,
    /// The protocol of players in processes of their own, as JSON Schema
    Protocol,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    if args.file.is_some() && args.what != What::Models {
        return Err(bad_input("a file goes with models alone: sim list models FILE"));
    }
    let named = |name: &str| registry.game(name).map_err(bad_input);
    if args.json.json || args.what == What::Protocol {
        json::print(&document(registry, args)?)?;
        return Ok(Exit::Done);
    }
    let text = match (args.what, &args.game) {
        (What::Games, None) => registry.games().map(game).collect::<Vec<_>>().join("\n"),
        (What::Games, Some(name)) => game(named(name)?),
        (What::Agents, Some(name)) => agents(named(name)?) + &values(named(name)?),
        (What::Agents, None) => registry.games().next().map(agents).unwrap_or_default(),
        (What::Presets, Some(name)) => presets(&[named(name)?])?,
        (What::Presets, None) => presets(&registry.games().collect::<Vec<_>>())?,
        (What::Measures, Some(name)) => measures(named(name)?),
        (What::Measures, None) => registry.games().map(measures).collect::<Vec<_>>().join("\n"),
        (What::Models, None) => match &args.file {
            Some(path) => {
                let model = read(path)?;
                described(&model.header.game, &model) + &refusal(registry, &model)
            }
            None => registry.games().map(models).collect(),
        },
        (What::Models, Some(name)) => {
            let listed = models(named(name)?);
            if listed.is_empty() { format!("No model comes with Knave for {name}.\n") } else { listed }
        }
        (What::Protocol, _) => String::new(),
    };
    print(&text)?;
    Ok(Exit::Done)
}

/// What is listed, as a document.
fn document(registry: &Registry, args: &Args) -> anyhow::Result<Value> {
    let games: Vec<&dyn AnyGame> = match &args.game {
        Some(name) => vec![registry.game(name).map_err(bad_input)?],
        None => registry.games().collect(),
    };
    if let Some(path) = &args.file {
        let own = read(path)?;
        return Ok(json!([{ "game": own.header.game, "models": [own.described()] }]));
    }
    let models = |game: &dyn AnyGame| game.models().iter().map(|model| model.described()).collect::<Vec<_>>();
    let objective = |(name, question): (&str, &str)| json!({ "objective": name, "question": question });
    let agent = |(name, summary, options): (&str, &str, Vec<OptionDoc>)| json!({ "agent": name, "summary": summary, "options": options });
    let describe = |game: &dyn AnyGame| match args.what {
        What::Games => json!({
            "game": game.name(),
            "summary": game.summary(),
            "rules": game.rules(),
            "objectives": game.objectives().into_iter().map(objective).collect::<Vec<_>>(),
            "has_bounds": game.has_bounds(),
        }),
        What::Measures => json!({ "game": game.name(), "measures": game.measures() }),
        What::Models => json!({ "game": game.name(), "models": models(game) }),
        _ => json!({
            "game": game.name(),
            "agents": game.agents().into_iter().map(agent).collect::<Vec<_>>(),
            "evaluators": game.evaluators(),
            "policies": game.policies(),
            "models": models(game),
        }),
    };
    Ok(match args.what {
        What::Protocol if args.game.is_some() => return Err(bad_input("--game does not apply to protocol")),
        What::Protocol => protocol(registry),
        What::Presets => {
            let mut presets = Vec::new();
            for name in Preset::names() {
                let Some(preset) = Preset::find(name)? else { continue };
                let of = |game: &&dyn AnyGame| (game.name().to_owned(), configured(&preset, *game).into());
                let agents: Map<String, Value> = games.iter().map(of).collect();
                presets.push(json!({ "preset": name, "summary": preset.summary, "agents": agents }));
            }
            presets.into()
        }
        _ => games.into_iter().map(describe).collect(),
    })
}

/// The agent that a preset is in a game, with its options.
fn configured(preset: &Preset, game: &dyn AnyGame) -> String {
    preset.spec(game.name()).to_string()
}

/// The protocol, with the views of all games.
fn protocol(registry: &Registry) -> Value {
    schema(registry.games().filter_map(|game| Some((game.name(), game.view_schema()?))))
}

fn game(game: &dyn AnyGame) -> String {
    let mut text = two_columns("", &[(game.name().to_owned(), game.summary().to_owned())]);
    list_options(&mut text, &game.rules());
    let objectives = game.objectives();
    if !objectives.is_empty() {
        text.push_str("  exact answers with every card known (clairvoyant; sim solve --objective):\n");
    }
    let lines: Vec<_> =
        objectives.iter().map(|(name, question)| (name.to_string(), question.to_string())).collect();
    text += &two_columns("    ", &lines);
    text
}

fn agents(game: &dyn AnyGame) -> String {
    let mut text = format!("Agents, with their defaults in {}:\n", game.name());
    for (name, summary, docs) in game.agents() {
        text += "\n";
        text += &two_columns("", &[(name.to_owned(), summary.to_owned())]);
        list_options(&mut text, &docs);
    }
    text
}

/// The evaluators, policies and models that options of agents name, the default first.
fn values(game: &dyn AnyGame) -> String {
    let names = |names: Vec<&str>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let models: Vec<Arc<Model>> = game.models();
    let models = models.iter().map(|model| model.id.name.as_str()).collect();
    let lines = [
        ("evaluators", names(game.evaluators())),
        ("policies", names(game.policies())),
        ("models", names(models)),
    ];
    let lines = lines.map(|(what, names)| (what.to_owned(), names));
    format!(
        "\nNames for options of agents in {}, the default first:\n{}",
        game.name(),
        two_columns("  ", &lines)
    )
}

/// Name, default, meaning, and values or range of options, no wider than a screen.
pub fn list_options(text: &mut String, docs: &[OptionDoc]) {
    let shown = |doc: &OptionDoc| format!("{}={}", doc.name, doc.default);
    let lines: Vec<_> = docs.iter().map(|doc| (shown(doc), in_words(doc))).collect();
    *text += &two_columns("  ", &lines);
}

/// Names and what they mean, after an indent, no wider than a screen.
fn two_columns(indent: &str, lines: &[(String, String)]) -> String {
    let screen = Screen::stdout();
    let line = |(name, text): &(String, String)| vec![name.clone(), screen.own(text).into_owned()];
    let lines: Vec<Vec<String>> = lines.iter().map(line).collect();
    let width = screen.width.min(120).saturating_sub(indent.len());
    let text = wrapped(&lines, width as u16);
    text.lines().map(|line| format!("{indent}{line}").trim_end().to_owned() + "\n").collect()
}

/// What runs of a game count, with units and keys.
fn measures(game: &dyn AnyGame) -> String {
    let line = |measure: &TallyMeasure| (measure.name.to_owned(), measure.to_string());
    let lines: Vec<_> = game.measures().iter().map(line).collect();
    format!("{}\n{}", game.name(), two_columns("  ", &lines))
}

/// The models that come with a game.
fn models(game: &dyn AnyGame) -> String {
    game.models().iter().map(|model| described(game.name(), model)).collect()
}

/// The model in a file.
fn read(path: &Path) -> anyhow::Result<Model> {
    let name = path.display();
    let model = Model::read(path).map_err(|error| bad_input(format_args!("cannot read {name}: {error}")))?;
    model.map_err(|error| bad_input(format_args!("{name}: {error}")))
}

/// A line that says why no player of this version can have the model, where that is so.
fn refusal(registry: &Registry, model: &Model) -> String {
    let why = match registry.game(&model.header.game) {
        Ok(game) => game.refusal(model).map(|error| error.to_string()),
        Err(error) => Some(error.to_string()),
    };
    why.map_or_else(String::new, |why| format!("  refused by this version: {why}\n"))
}

/// A line for a model, and one for each table of the rules that it serves.
fn described(game: &str, model: &Model) -> String {
    let mut text = String::new();
    let (id, header) = (&model.id, &model.header);
    let Shape { inputs, first, second, .. } = header.shape;
    let shape = format!("{inputs} x {first} x {second} units");
    let _ = writeln!(text, "{game}  {}  {shape}, fnv1a {}", id.name, id.fnv1a);
    if header.method() == Method::PolicyGradient {
        text += "  a policy, which chooses steps and values no positions\n";
    }
    let nets = header.nets();
    if nets.len() > 1 {
        let _ = writeln!(text, "  the mean of {} nets", nets.len());
    }
    for (net, trained) in nets.iter().zip(header.games()) {
        let held_out = &net["held_out"];
        if let (Some(games), Some(mean)) = (held_out["games"].as_u64(), held_out["mean_utility"].as_f64()) {
            let _ = writeln!(
                text,
                "  learnt from {trained} games; mean utility of the first seat in {games} held-out ones {mean:.4}"
            );
        }
    }
    if !id.cards.is_empty() {
        let _ = writeln!(text, "  learnt with a short deck: {}", id.cards.join(" "));
    }
    for spread in header.spreads().iter().filter_map(Value::as_object) {
        let options: Vec<String> =
            spread.iter().map(|(name, value)| format!("{name}={}", options::shown(value))).collect();
        let _ = writeln!(text, "  serves {}", options.join(" "));
    }
    if !header.spreads().is_empty() {
        text += "  and rules that make no difference to it\n";
    }
    text
}

/// An agent with more letters takes several lines.
const LONG: usize = 64;

/// The presets, and what each is in these games.
fn presets(games: &[&dyn AnyGame]) -> anyhow::Result<String> {
    let mut text = String::new();
    for name in Preset::names() {
        let Some(preset) = Preset::find(name)? else { continue };
        text += &two_columns("", &[(name.to_owned(), preset.summary.clone())]);
        // What does not fit into a line is broken at blanks, which mean nothing in an agent between quotes.
        let broken = |text: String| if text.len() > LONG { text.replace(',', ", ") } else { text };
        let of = |game: &&dyn AnyGame| (game.name().to_owned(), broken(configured(&preset, *game)));
        text += &two_columns("  ", &games.iter().map(of).collect::<Vec<_>>());
    }
    if text.is_empty() {
        text.push_str("There are no presets.\n");
    }
    Ok(text)
}
