//! `sim show`: the contents of a results folder, to be read or for another program.

mod measure;
mod view;
mod worst;

use crate::cli::exit::{Exit, bad_input, print_bytes, print_marked, say};
use crate::cli::json;
use crate::experiment::not_joined;
use crate::numbers::thousands;
use crate::registry::Registry;
use crate::screen::{Screen, strong, warning};
use crate::store::{CELLS, JOURNAL, MANIFEST, Manifest, ManifestError, REMADE, Shard, Table, why_unwritten};
use crate::studies::solve::tables::VALUES;
use crate::studies::{BY_INDEX, Request};
use crate::text::visible;
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use knave_agents::AgentSpec;
use knave_agents::options::shown;
use serde_json::Value;
use std::fmt::{Display, Write as _};
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use view::View;

/// What is to be shown.
#[derive(ClapArgs)]
pub struct Args {
    /// The folder of a run, a comparison, exact answers, bounds, an analysis or a study
    #[arg(value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
    /// How to show it
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Show this table only, such as scores.csv; --format csv shows the first of the folder by default
    #[arg(long, value_name = "NAME", conflicts_with = "measure")]
    pub table: Option<String>,
    /// Show how often this was counted in tally.csv, such as cause_of_death, in all games and per game
    #[arg(long, value_name = "NAME")]
    pub measure: Option<String>,
    /// Print one JSON document, the same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

impl Args {
    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// How it is shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables, histograms and intervals to be read
    Text,
    /// Tables to be put into a document
    Markdown,
    /// The manifest and the tables as one object
    Json,
    /// A table as it is
    Csv,
}

pub(super) fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let text = text(registry, args)?;
    say_not_joined(&args.folder);
    match args.format() {
        Format::Text => print_marked(&text)?,
        // A file must not be able to write over what stands on the screen.
        Format::Markdown => print_bytes(visible(&text).as_bytes())?,
        _ if io::stdout().is_terminal() => print_bytes(visible(&text).as_bytes())?,
        // For another program the bytes are as they are in the file.
        _ => print_bytes(text.as_bytes())?,
    }
    Ok(Exit::Done)
}

/// Says that the joined tables of a study do not tell of all that lies beside them, as when it was interrupted.
pub(super) fn say_not_joined(folder: &Path) {
    let names = not_joined(folder);
    if let Some(first) = names.first() {
        let more = match names.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        say(format_args!(
            "note: the joined tables of {} do not hold what lies in {first}{more}: what is newer is joined by the command that made them, and a folder that is no longer part of the study can be removed",
            folder.display()
        ));
    }
}

/// What is shown; text to be read has marks, and what it repeats of files is visible.
///
/// # Errors
/// When the folder holds no results, or a table of them cannot be read.
pub fn text(registry: &Registry, args: &Args) -> anyhow::Result<String> {
    let folder = &args.folder;
    let format = args.format();
    let contents = Contents::of(folder).map_err(bad_input)?;
    if let Some(name) = &args.measure {
        let table = measure::table(folder, contents.files(), name).map_err(bad_input)?;
        return rendered(&contents, &[View { table, whole: true }], format);
    }
    let chosen: Vec<&String> = match &args.table {
        Some(wanted) => {
            let is_wanted = |name: &str| name == wanted || name.strip_suffix(".csv") == Some(wanted.as_str());
            contents.tables().filter(|name| is_wanted(name)).collect()
        }
        None if format == Format::Csv => contents.tables().take(1).collect(),
        None => contents.short_tables().collect(),
    };
    if let (Some(wanted), []) = (&args.table, &chosen[..]) {
        let names: Vec<&str> = contents.tables().map(String::as_str).collect();
        let folder = folder.display();
        return Err(bad_input(format!("{folder} has no table {wanted}; its tables: {}", names.join(", "))));
    }
    let whole = args.table.is_some();
    let view = |name: &&String| read(folder, name).map(|table| View { table, whole });
    let tables: Vec<View> = chosen.iter().map(view).collect::<Result<_, _>>().map_err(bad_input)?;
    match format {
        Format::Text if !whole => {
            let worst = match &contents {
                Contents::Results(results) => {
                    worst::text(registry, folder, (&results.0, &results.1), Screen::stdout().width)
                        .map_err(bad_input)?
                }
                Contents::Study(_) => String::new(),
            };
            Ok(rendered(&contents, &tables, format)? + &visible(&worst))
        }
        // Not from the cells: the file may quote them in another way.
        Format::Csv => {
            Ok(chosen.iter().map(|name| fs::read_to_string(folder.join(name))).collect::<Result<_, _>>()?)
        }
        _ => rendered(&contents, &tables, format),
    }
}

/// These tables, as they are to be shown.
fn rendered(contents: &Contents, tables: &[View], format: Format) -> anyhow::Result<String> {
    Ok(match format {
        Format::Text => {
            let width = Screen::stdout().width;
            // Under the heading of a table that is not asked for by name there would be nothing, as of faults where there were none.
            let tables = tables.iter().filter(|view| view.whole || !view.table.rows.is_empty());
            contents.head() + &tables.map(|view| view.text(width)).collect::<String>()
        }
        Format::Markdown => tables.iter().map(View::markdown).collect::<Vec<_>>().join("\n"),
        Format::Json => serde_json::to_string_pretty(&contents.json(tables))? + "\n",
        Format::Csv => {
            let csv = tables.iter().map(|view| view.table.csv()).collect::<Result<Vec<_>, _>>()?;
            String::from_utf8(csv.concat())?
        }
    })
}

/// The results in a folder as a document, without the tables that have a row for each game or deal.
///
/// # Errors
/// When the folder holds no results, or a table of them cannot be read.
pub(super) fn document(folder: &Path) -> anyhow::Result<Value> {
    let contents = Contents::of(folder).map_err(bad_input)?;
    let view = |name: &String| read(folder, name).map(|table| View { table, whole: false });
    let tables: Vec<View> = contents.short_tables().map(view).collect::<Result<_, _>>().map_err(bad_input)?;
    Ok(contents.json(&tables))
}

/// What is read first of a joined table: the options of the rules, who played, and the results with their intervals.
const BRIEF: [&str; 26] = [
    "agent",
    "agent_a",
    "agent_b",
    "seat",
    "objective",
    "threshold",
    "quantity",
    "measure",
    "win_rate",
    "win_low",
    "win_high",
    "score_mean",
    "score_low",
    "score_high",
    "rate",
    "mean",
    "mean_difference",
    "result",
    "result_low",
    "result_high",
    "regret",
    "regret_low",
    "regret_high",
    "low",
    "high",
    "decision",
];

/// A joined table of the folder of a study, with those columns alone that have something in them.
///
/// # Errors
/// When the table cannot be read.
pub(super) fn brief(folder: &Path, file: &str) -> Result<String, String> {
    let mut table = read(folder, file)?;
    let is_brief = |name: &String| name.starts_with("rule_") || BRIEF.contains(&name.as_str());
    let is_filled =
        |place: usize| table.rows.iter().any(|row| row.get(place).is_some_and(|cell| !cell.is_empty()));
    let names = table.columns.iter().enumerate();
    let keep: Vec<bool> = names.map(|(place, name)| is_brief(name) && is_filled(place)).collect();
    for row in std::iter::once(&mut table.columns).chain(&mut table.rows) {
        let mut kept = keep.iter();
        row.retain(|_| kept.next() == Some(&true));
    }
    Ok(View { table, whole: true }.text(Screen::stdout().width))
}

/// The best values of deals by rules, as one reads them first: how many deals, and the mean, the lowest and the highest of their values.
///
/// # Errors
/// When the table cannot be read.
pub(super) fn best_values(folder: &Path) -> Result<String, String> {
    let table = read(folder, VALUES.file)?;
    let is_key = |name: &&String| name.starts_with("rule_") || *name == "objective";
    let keys: Vec<&String> = table.columns.iter().filter(is_key).collect();
    let cell = |row: &Vec<String>, name: &str| {
        table.column(name).and_then(|place| row.get(place)).cloned().unwrap_or_default()
    };
    /// The values that deals have by some rules, and how many deals have each.
    struct Group {
        key: Vec<String>,
        pairs: Vec<(f64, f64)>,
    }
    let mut groups: Vec<Group> = Vec::new();
    for row in &table.rows {
        let key: Vec<String> = keys.iter().map(|name| cell(row, name)).collect();
        let number = |name: &str| cell(row, name).parse::<f64>().ok();
        let Some(pair) = number("value").zip(number("deals")) else { continue };
        match groups.iter_mut().find(|group| group.key == key) {
            Some(group) => group.pairs.push(pair),
            None => groups.push(Group { key, pairs: vec![pair] }),
        }
    }
    let line = |Group { key, pairs }| {
        let deals: f64 = pairs.iter().map(|pair| pair.1).sum();
        let mean = pairs.iter().map(|(value, deals)| value * deals).sum::<f64>() / deals;
        let values = || pairs.iter().map(|pair| pair.0);
        let (low, high) =
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        let numbers = [deals, mean, low, high].map(|number| number.to_string());
        key.into_iter().chain(numbers).collect()
    };
    let rows = groups.into_iter().map(line).collect();
    let columns =
        keys.into_iter().cloned().chain(["solved", "mean", "lowest", "highest"].map(ToOwned::to_owned));
    let table = Table { file: table.file.clone(), columns: columns.collect(), rows, ..Table::default() };
    Ok(View { table, whole: true }.text(Screen::stdout().width))
}

/// Whether a joined table of how many deals reach a value asks for more than one value.
///
/// # Errors
/// When the table cannot be read.
pub(super) fn asks_for_values(folder: &Path, file: &str) -> Result<bool, String> {
    let table = read(folder, file)?;
    let place = table.column("threshold");
    Ok(place.is_some_and(|place| table.rows.iter().any(|row| !row[place].is_empty())))
}

/// What helps where a table with a row for each game is gone, which is written while the games are played.
const LOST: &str = "it was removed; the command that made the results writes it again with --force";

/// Reads a table of a folder, or says why it cannot be shown.
fn read(folder: &Path, name: &str) -> Result<Table, String> {
    let path = folder.join(name);
    if !path.exists() {
        let name = path.display();
        if Manifest::read(folder).is_ok_and(|manifest| manifest.partial) {
            return Err(format!("{name} is missing: {}", why_unwritten(folder)));
        }
        if folder.join(JOURNAL).is_file() {
            let long = BY_INDEX.iter().any(|file| path.ends_with(file));
            return Err(format!("{name} is missing: {}", if long { LOST } else { REMADE }));
        }
        let is_cell = folder.join("..").join(CELLS).is_file();
        let cell = "of the cells of a study only the manifests are kept, and their tables joined beside them";
        return Err(format!("{name} is missing: {}", if is_cell { cell } else { LOST }));
    }
    Table::read(&path, usize::MAX).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// What a folder holds.
enum Contents {
    /// Results: their manifest, and what was asked.
    Results(Box<(Manifest, Request)>),
    /// The joined tables of the cells of a study.
    Study(Vec<String>),
}

impl Contents {
    fn of(folder: &Path) -> Result<Self, String> {
        if !folder.join(CELLS).is_file() {
            return results(folder).map(|results| Self::Results(Box::new(results)));
        }
        let entries =
            fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        // Somebody may have put folders there, and files whose names are no text: neither are tables of a study.
        let files = entries.flatten().filter(|entry| entry.path().is_file());
        let mut files: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        // The cells first: they say what the others are about.
        files.sort_by_key(|name| (name != CELLS, name.clone()));
        Ok(Self::Study(files))
    }

    fn files(&self) -> &[String] {
        match self {
            Self::Results(results) => &results.0.files,
            Self::Study(files) => files,
        }
    }

    /// The tables.
    fn tables(&self) -> impl Iterator<Item = &String> {
        self.files().iter().filter(|name| name.ends_with(".csv"))
    }

    /// The tables without a row for each game or deal.
    fn short_tables(&self) -> impl Iterator<Item = &String> {
        self.tables().filter(|name| !BY_INDEX.contains(&name.as_str()))
    }

    /// The lines before the tables.
    fn head(&self) -> String {
        match self {
            Self::Results(results) => head(&results.0, &results.1),
            Self::Study(_) => "Study: the tables of its cells, joined\n".to_owned(),
        }
    }

    fn json(&self, tables: &[View]) -> Value {
        let manifest = match self {
            Self::Results(results) => Some(&results.0),
            Self::Study(_) => None,
        };
        json::results(manifest, tables.iter().map(|view| &view.table))
    }
}

/// Reads the manifest, or says why this is no folder of results.
fn results(folder: &Path) -> Result<(Manifest, Request), String> {
    let name = folder.display();
    if !folder.is_dir() {
        return Err(format!("{name} is no folder"));
    }
    let not_of_sim =
        |error: &dyn Display| format!("{name} holds no results: its {MANIFEST} is not one of sim ({error})");
    let manifest = Manifest::read(folder).map_err(|error| match error {
        ManifestError::Missing { .. } => format!("{name} holds no results: no {MANIFEST}{}", inside(folder)),
        error => not_of_sim(&error),
    })?;
    let request = Request::recorded(&manifest.plan).map_err(|error| not_of_sim(&error))?;
    Ok((manifest, request))
}

/// The folders of results and studies in this folder, as a hint.
fn inside(folder: &Path) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let holds_results = |path: &PathBuf| [MANIFEST, CELLS].iter().any(|name| path.join(name).is_file());
    let mut found: Vec<String> =
        entries.filter(holds_results).map(|path| path.display().to_string()).collect();
    found.sort();
    let more = if found.len() > 5 { format!(" and {} more", found.len() - 5) } else { String::new() };
    found.truncate(5);
    if found.is_empty() {
        String::new()
    } else {
        format!("; there are results in {}{more}", found.join(", "))
    }
}

/// The lines before the tables of results: what was asked, and how much of it is done.
fn head(manifest: &Manifest, request: &Request) -> String {
    let plan = &manifest.plan;
    let (kind, seed, agents): (&str, Option<u64>, &[AgentSpec]) = match request {
        Request::Run(asked) => ("Run", Some(asked.seed), &asked.agents),
        Request::Compare(asked) => ("Comparison", Some(asked.seed), &asked.agents),
        Request::Solve(asked) => {
            ("Exact answers (clairvoyant)", asked.deals.is_none().then_some(asked.seed), &[])
        }
        Request::Bound(asked) => ("Upper bound", Some(asked.seed), &asked.agents),
        Request::Analyse(asked) => ("Analysis", Some(asked.seed), &asked.agents),
    };
    let noun = request.noun();
    let seed = seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
    let done = format!("{} of {}", thousands(manifest.finished), thousands(plan.size()));
    let state = match (plan.shard, manifest.partial) {
        (Some(Shard { part, of }), false) => format!(" (part {part} of {of})"),
        (Some(Shard { part, of }), true) => warning(&format!(" (part {part} of {of}, partial)")),
        (None, true) => warning(" (partial)"),
        (None, false) if manifest.finished < plan.size() => " (enough)".to_owned(),
        (None, false) => String::new(),
    };
    let rules = settings(plan.rules());
    let title = strong(&visible(&format!("{kind}: {}", plan.game())));
    let mut asked = format!("Rules: {rules}\n");
    if let Some(cards) = plan.cards() {
        let _ = writeln!(asked, "Cards: {}", cards.ranges());
    }
    for (i, agent) in agents.iter().enumerate() {
        let options = settings(agent.options.iter().map(|(name, value)| (name.as_str(), value)));
        let _ = writeln!(asked, "Agent {i}: {agent} ({options})");
    }
    for (name, fnv1a) in plan.own_models() {
        let _ = writeln!(asked, "Model: {name}, fnv1a {fnv1a}");
    }
    format!("{title}{seed}, {done} {noun}{state}\n{}", visible(&asked))
}

/// `name=value, …`
fn settings<'a>(settings: impl Iterator<Item = (&'a str, &'a Value)>) -> String {
    settings.map(|(name, value)| format!("{name}={}", shown(value))).collect::<Vec<_>>().join(", ")
}
