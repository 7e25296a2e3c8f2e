//! `sim show`: what a folder of results holds, to be read, or for another program.

use crate::cli::exit::{Exit, bad_input};
use crate::cli::table::{aligned, thousands, with_interval};
use crate::stats::Interval;
use crate::store::{Manifest, names};
use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(ClapArgs)]
pub struct Args {
    /// The folder of a run, a comparison, exact answers or a study
    folder: PathBuf,
    /// How to show it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Show this table only, such as scores.csv; --format csv shows the first of the folder by default
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
}

#[derive(Copy, Clone, PartialEq, ValueEnum)]
enum Format {
    /// Tables, histograms and intervals to be read
    Text,
    /// Tables to be put into a document
    Markdown,
    /// The manifest and the tables as one object
    Json,
    /// A table as it is
    Csv,
}

/// Tables with a row for each index: too long to be read.
const LONG: [&str; 2] = [names::GAMES, names::SOLUTIONS];

/// The most rows of a table that are shown, unless it is asked for by name.
const MOST_ROWS: usize = 40;

/// The bars of a histogram, and how long the longest is.
const BARS: usize = 16;
const LONGEST_BAR: usize = 40;

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let contents = Contents::of(&args.folder).map_err(bad_input)?;
    let tables: Vec<&String> = contents.files().iter().filter(|name| name.ends_with(".csv")).collect();
    let chosen: Vec<&String> = match &args.table {
        Some(wanted) => tables.iter().copied().filter(|name| *name == wanted).collect(),
        None if args.format == Format::Csv => tables.iter().copied().take(1).collect(),
        None => tables.iter().copied().filter(|name| !LONG.contains(&name.as_str())).collect(),
    };
    if let (Some(wanted), []) = (&args.table, &chosen[..]) {
        let names: Vec<&str> = tables.iter().map(|name| name.as_str()).collect();
        let folder = args.folder.display();
        return Err(bad_input(format!("{folder} has no table {wanted}; its tables: {}", names.join(", "))));
    }
    let tables = chosen.iter().map(|name| Table::read(&args.folder, name).map_err(bad_input));
    let tables: Vec<Table> = tables.collect::<anyhow::Result<_>>()?;
    let by_name = args.table.is_some();
    let text = match args.format {
        Format::Text => contents.head() + &text(&tables, by_name),
        Format::Markdown => tables.iter().map(|table| table.markdown(by_name)).collect::<Vec<_>>().join("\n"),
        Format::Json => {
            let tables: Map<String, Value> = tables.iter().map(|t| (t.stem().to_owned(), t.json())).collect();
            serde_json::to_string_pretty(&contents.json(&tables))? + "\n"
        }
        Format::Csv => tables.into_iter().map(|table| table.source).collect(),
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(Exit::Done)
}

/// What a folder holds.
enum Contents {
    /// Results, with their manifest.
    Results(Box<Manifest>),
    /// The joined tables of the cells of a study.
    Study(Vec<String>),
}

impl Contents {
    fn of(folder: &Path) -> Result<Self, String> {
        if !folder.join(names::CELLS).is_file() {
            return manifest(folder).map(|manifest| Self::Results(Box::new(manifest)));
        }
        let entries =
            fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        let mut files: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        // The cells first: they say what the others are about.
        files.sort_by_key(|name| (name != names::CELLS, name.clone()));
        Ok(Self::Study(files))
    }

    fn files(&self) -> &[String] {
        match self {
            Self::Results(manifest) => &manifest.files,
            Self::Study(files) => files,
        }
    }

    /// What is said before the tables.
    fn head(&self) -> String {
        match self {
            Self::Results(manifest) => head(manifest),
            Self::Study(_) => "Study: the tables of its cells, joined\n".to_owned(),
        }
    }

    fn json(&self, tables: &Map<String, Value>) -> Value {
        match self {
            Self::Results(manifest) => json!({ "manifest": manifest, "tables": tables }),
            Self::Study(_) => json!({ "tables": tables }),
        }
    }
}

/// Reads the manifest, or says why this is no folder of results.
fn manifest(folder: &Path) -> Result<Manifest, String> {
    let name = folder.display();
    if !folder.is_dir() {
        return Err(format!("{name} is no folder"));
    }
    let path = folder.join(names::MANIFEST);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(_) if !path.exists() => {
            return Err(format!("{name} holds no results: no manifest.json{}", inside(folder)));
        }
        Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
    };
    serde_json::from_slice(&text)
        .map_err(|error| format!("{name} holds no results: its manifest.json is not one of sim ({error})"))
}

/// The folders of results in this folder, as a hint.
fn inside(folder: &Path) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<String> = entries
        .filter(|path| path.join(names::MANIFEST).exists())
        .map(|path| path.display().to_string())
        .collect();
    found.sort();
    let more = if found.len() > 5 { format!(" and {} more", found.len() - 5) } else { String::new() };
    found.truncate(5);
    if found.is_empty() {
        String::new()
    } else {
        format!("; there are results in {}{more}", found.join(", "))
    }
}

/// What is said of results before their tables.
fn head(manifest: &Manifest) -> String {
    let plan = &manifest.plan;
    let kind = match (&plan.solve, &plan.compare) {
        _ if plan.bound.is_some() => "Upper bound",
        (Some(_), _) => "Exact answers (clairvoyant)",
        (_, Some(_)) => "Comparison",
        _ => "Run",
    };
    let mut text = format!("{kind}: {}", plan.game);
    if plan.seed != 0 || plan.solve.is_none() {
        let _ = write!(text, ", seed {}", plan.seed);
    }
    let _ = write!(text, ", {} of {}", thousands(manifest.finished), thousands(plan.games));
    let noun = if kind == "Run" { "games" } else { "deals" };
    let state = match manifest.partial {
        true => " (partial)",
        false if manifest.finished < plan.games => " (enough)",
        false => "",
    };
    let _ = writeln!(text, " {noun}{state}");
    let rules = plan.rules.as_object().into_iter().flatten();
    let rules: Vec<String> = rules
        .map(|(name, value)| format!("{name}={}", value.as_str().map_or(value.to_string(), str::to_owned)))
        .collect();
    let _ = writeln!(text, "Rules: {}", rules.join(", "));
    for agent in &plan.agents {
        let options = agent.parameters.as_object().into_iter().flatten();
        let options: Vec<String> = options
            .map(|(name, value)| {
                format!("{name}={}", value.as_str().map_or(value.to_string(), str::to_owned))
            })
            .collect();
        let _ = writeln!(text, "Agent {}: {} ({})", agent.seat, agent.label, options.join(", "));
    }
    text
}

fn text(tables: &[Table], by_name: bool) -> String {
    let mut text = String::new();
    for table in tables {
        let _ = writeln!(text, "\n{}", table.name);
        match table.histograms() {
            Some(histograms) if !by_name => text.push_str(&histograms),
            _ => {
                let (lines, left) = table.lines(by_name);
                text.push_str(&aligned(&lines, left));
                text.push_str(&table.rest(by_name));
            }
        }
    }
    text
}

/// A table as it was written.
struct Table {
    name: String,
    source: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(folder: &Path, name: &str) -> Result<Self, String> {
        let path = folder.join(name);
        let wrong = |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", path.display());
        if !path.exists() {
            let name = path.display();
            return Err(format!(
                "{name} is missing: of the cells of a study only the manifests are kept, and their tables joined beside them"
            ));
        }
        let source = fs::read_to_string(&path).map_err(|error| wrong(&error))?;
        let mut reader = csv::ReaderBuilder::new().from_reader(source.as_bytes());
        let cells = |record: &csv::StringRecord| record.iter().map(ToOwned::to_owned).collect();
        let header = cells(reader.headers().map_err(|error| wrong(&error))?);
        let rows = reader.records().map(|record| record.map(|record| cells(&record)));
        let rows = rows.collect::<Result<_, _>>().map_err(|error| wrong(&error))?;
        Ok(Self { name: name.to_owned(), source, header, rows })
    }

    fn stem(&self) -> &str {
        self.name.trim_end_matches(".csv")
    }

    /// How many columns tell what stands above already: the game, or none in a table of many cells.
    fn above(&self) -> usize {
        usize::from(self.header.first().is_some_and(|name| name == "game"))
    }

    fn shown(&self, by_name: bool) -> usize {
        if by_name { self.rows.len() } else { self.rows.len().min(MOST_ROWS) }
    }

    /// What is said of rows that are not shown.
    fn rest(&self, by_name: bool) -> String {
        let rest = self.rows.len() - self.shown(by_name);
        if rest == 0 {
            String::new()
        } else {
            format!("… and {} more rows: --table {}\n", thousands(rest as u64), self.name)
        }
    }

    /// The cells to be read, a line each, the header first, and how many columns at the left hold text. The ends of
    /// an interval share a column; a value is printed with as many digits as its interval is worth.
    fn lines(&self, by_name: bool) -> (Vec<Vec<String>>, usize) {
        let place = |name: &str| self.header.iter().position(|other| other == name);
        let low = |column: usize| -> Option<(usize, usize)> {
            let prefix = self.header[column].strip_suffix("low")?;
            Some((column, place(&format!("{prefix}high"))?))
        };
        let intervals: Vec<(usize, usize)> = (0..self.header.len()).filter_map(low).collect();
        let high = |column| intervals.iter().any(|&(_, high)| high == column);
        // The value of an interval stands before it.
        let interval_of = |column: usize| intervals.iter().copied().find(|&(low, _)| low == column + 1);
        // The game stands above, and columns in which nothing stands tell nothing.
        let told =
            |column: usize| column >= self.above() && self.rows.iter().any(|row| !row[column].is_empty());
        let columns: Vec<usize> =
            (0..self.header.len()).filter(|&column| told(column) && !high(column)).collect();
        let title = |&column: &usize| match intervals.iter().any(|&(low, _)| low == column) {
            true => "95 % interval".to_owned(),
            false => self.header[column].clone(),
        };
        let cell = |row: &[String], column: usize| {
            let number = |column: usize| row[column].parse::<f64>().ok();
            if let Some(&(low, high)) = intervals.iter().find(|&&(low, _)| low == column) {
                return match (number(low), number(high)) {
                    (Some(low), Some(high)) => with_interval(low, Interval { low, high }).1,
                    _ => row[low].clone(),
                };
            }
            match (number(column), interval_of(column)) {
                (Some(value), Some((low, high))) => match (number(low), number(high)) {
                    (Some(low), Some(high)) => with_interval(value, Interval { low, high }).0,
                    _ => short(&row[column]),
                },
                _ => short(&row[column]),
            }
        };
        let rows = self.rows.iter().take(self.shown(by_name));
        let rows = rows.map(|row| columns.iter().map(|&column| cell(row, column)).collect());
        let lines: Vec<Vec<String>> = [columns.iter().map(title).collect()].into_iter().chain(rows).collect();
        let is_text = |i: &usize| {
            lines[1..].iter().any(|line| line[*i].parse::<f64>().is_err() && !line[*i].is_empty())
        };
        let left = (0..columns.len()).take_while(is_text).count();
        (lines, left)
    }

    fn markdown(&self, by_name: bool) -> String {
        let (lines, left) = self.lines(by_name);
        let mut text = format!("**{}**\n\n", self.name);
        for (i, line) in lines.iter().enumerate() {
            let _ = writeln!(
                text,
                "| {} |",
                line.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | ")
            );
            if i == 0 {
                let rule = (0..line.len()).map(|column| if column < left { "---" } else { "--:" });
                let _ = writeln!(text, "|{}|", rule.collect::<Vec<_>>().join("|"));
            }
        }
        let rest = self.rest(by_name);
        if rest.is_empty() { text } else { format!("{text}\n{rest}") }
    }

    fn json(&self) -> Value {
        let cell = |text: &String| match text.parse::<serde_json::Number>() {
            Ok(number) => Value::Number(number),
            Err(_) if text.is_empty() => Value::Null,
            Err(_) => Value::String(text.clone()),
        };
        let row = |row: &Vec<String>| {
            Value::Object(self.header.iter().cloned().zip(row.iter().map(cell)).collect::<Map<_, _>>())
        };
        self.rows.iter().map(row).collect()
    }

    /// Histograms, where this is a table of them: scores by seat, or best values.
    fn histograms(&self) -> Option<String> {
        let (value, count) = match self.name.as_str() {
            names::SCORES => ("score", "games"),
            names::VALUES => ("value", "deals"),
            _ => return None,
        };
        let place = |name: &str| self.header.iter().position(|other| other == name);
        let (value, count) = (place(value)?, place(count)?);
        let mut groups: Vec<(String, BTreeMap<i64, u64>)> = Vec::new();
        for row in &self.rows {
            // Halves of points are counted twice over, so that keys are whole.
            let (Ok(score), Ok(times)) = (row[value].parse::<f64>(), row[count].parse::<u64>()) else {
                continue;
            };
            // Beyond this nothing is a score of a game.
            if !(-1e9..1e9).contains(&score) {
                continue;
            }
            let title = row.get(self.above()..value).unwrap_or_default().join(", ");
            if groups.last().is_none_or(|(other, _)| *other != title) {
                groups.push((title, BTreeMap::new()));
            }
            let (_, counts) = groups.last_mut()?;
            let sum = counts.entry((2.0 * score).round() as i64).or_default();
            *sum = times.saturating_add(*sum);
        }
        Some(groups.iter().map(|(title, counts)| format!("{title}\n{}", bars(counts))).collect())
    }
}

/// A histogram of values that are counted in halves.
fn bars(counts: &BTreeMap<i64, u64>) -> String {
    let (Some((&first, _)), Some((&last, _))) = (counts.first_key_value(), counts.last_key_value()) else {
        return String::new();
    };
    // A round width: 1, 2, 5, 10, 20, …
    let mut width = 1;
    while (last - first) / (2 * width) >= BARS as i64 {
        width = match width.to_string().as_bytes()[0] {
            b'2' => width / 2 * 5,
            _ => width * 2,
        };
    }
    let mut bins: BTreeMap<i64, u64> = BTreeMap::new();
    for bin in first.div_euclid(2 * width)..=last.div_euclid(2 * width) {
        bins.insert(bin, 0);
    }
    for (&value, &count) in counts {
        let sum = bins.entry(value.div_euclid(2 * width)).or_default();
        *sum = count.saturating_add(*sum);
    }
    let most = bins.values().copied().max().unwrap_or(1);
    let lines = bins.iter().map(|(bin, &count)| {
        let length = (count as f64 / most as f64 * LONGEST_BAR as f64).ceil() as usize;
        let from = bin * width;
        let range = if width == 1 { from.to_string() } else { format!("{from} to {}", from + width - 1) };
        vec![range, thousands(count), "█".repeat(length)]
    });
    let mut lines: Vec<Vec<String>> = lines.collect();
    // The bars begin at the left.
    lines.iter_mut().for_each(|line| line[2] = format!("{:<LONGEST_BAR$}", line[2]));
    aligned(&lines, 0)
}

/// A number with at most four decimals, and whatever else as it is.
fn short(cell: &str) -> String {
    match cell.parse::<f64>() {
        Ok(value) if cell.contains('.') && value.abs() >= 0.001 => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Ok(value) if cell.contains('.') && value != 0.0 => format!("{value:.1e}"),
        _ => cell.to_owned(),
    }
}
