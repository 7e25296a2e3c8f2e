//! What the players of runs did: the counts of `tally.csv` for a game.

use super::highest;
use crate::games::TallyMeasure;
use crate::numbers::Unit;
use crate::report::ReportError;
use crate::report::charts::{self, SERIES};
use crate::report::label::Label;
use crate::report::page::{Rank, Section};
use crate::report::parts::{Figure, ShownTable};
use crate::report::rows::{Row, distinct, groups, labels};
use crate::studies::run::tables::TALLY;
use std::collections::{BTreeSet, HashMap};

/// A chart of counts has at most so many keys. More stand in a table.
const KEYS: usize = 60;

/// What an agent did in the runs that share a label.
struct Counted<'a> {
    label: Label,
    /// The games that it played, each as often as it sat there.
    games: f64,
    /// By measure and key.
    counts: HashMap<(&'a str, &'a str), f64>,
}

/// The counts of every agent, for each game that it played in a seat.
pub(super) fn section(
    rows: &[Row<'_>],
    summary: &[Row<'_>],
    measures: &[TallyMeasure],
) -> Result<Section, ReportError> {
    let (counted, all) = counted(rows, summary);
    let names: Vec<String> = counted.iter().map(|row| row.text("measure").to_owned()).collect();
    let (mut figures, mut single, mut long) = (Vec::new(), Vec::new(), Vec::new());
    for (measure, rows) in groups(&counted, &names) {
        let title = measure.replace('_', " ");
        let known = measures.iter().find(|known| known.name == measure);
        let (by, meaning) = known.map_or(("", ""), |known| (known.key, known.meaning));
        let keys = distinct(rows.iter().map(|row| row.text("key")));
        let agents: Vec<(String, Vec<f64>)> = all
            .iter()
            .filter_map(|own| Some((own.label.to_string(), own.a_game(&measure, &keys)?)))
            .collect();
        if let [key] = &keys[..] {
            let line = |(agent, counts): (String, Vec<f64>)| {
                vec![title.clone(), key.clone(), agent, Unit::Plain.text(counts[0]), meaning.to_owned()]
            };
            single.extend(agents.into_iter().map(line));
            continue;
        }
        if keys.len() > KEYS {
            let by = if by.is_empty() { "case" } else { by };
            let meaning = if meaning.is_empty() { String::new() } else { format!(": {meaning}") };
            for some in agents.chunks(SERIES) {
                let columns: Vec<&str> =
                    [by].into_iter().chain(some.iter().map(|(agent, _)| agent.as_str())).collect();
                let line = |(place, key): (usize, &String)| {
                    let counts = some.iter().map(|(_, counts)| Unit::Plain.text(counts[place]));
                    [key.clone()].into_iter().chain(counts).collect()
                };
                let lines = keys.iter().enumerate().map(line).collect();
                long.push(ShownTable::new(format!("{title}, a game{meaning}"), &columns, lines));
            }
            continue;
        }
        for some in agents.chunks(SERIES) {
            let words: Vec<String> =
                some.iter().map(|(agent, counts)| format!("{agent}: {}", most(&keys, counts))).collect();
            let alt = format!("{title}, a game. {}", words.join("; "));
            let (names, series): (Vec<String>, Vec<Vec<f64>>) = some.iter().cloned().unzip();
            let svg = charts::bars(&keys, &series, (by, Unit::Plain), &alt)?;
            let figure = Figure { note: meaning.to_owned(), ..Figure::new(&title, svg) };
            figures.push(figure.with_legend(names, agents.len()));
        }
    }
    let columns = ["measure", "case", "agent", "a game", "what is counted"];
    let single = (!single.is_empty()).then(|| ShownTable::new("Counts for a game", &columns, single));
    let tables = single.into_iter().chain(long).chain(ShownTable::raw(TALLY.file, rows)).collect();
    let note = "Counts a game, for each seat that an agent played.";
    Ok(Section {
        title: "What players did".to_owned(),
        rank: Rank::Detail,
        note,
        figures,
        tables,
        ..Section::default()
    })
}

/// The rows whose games are known, and what they come to. Of a run without a summary nobody knows how many games its counts are of.
fn counted<'a>(rows: &[Row<'a>], summary: &[Row<'a>]) -> (Vec<Row<'a>>, Vec<Counted<'a>>) {
    let player = |row: &Row<'a>| (row.run(), row.text("agent"));
    let mut played: HashMap<_, f64> = HashMap::new();
    for row in summary {
        *played.entry(player(row)).or_default() += row.number("games").unwrap_or(0.0);
    }
    let games = |player| played.get(&player).copied().filter(|&games| games > 0.0);
    let labelled = rows.iter().copied().zip(labels(rows, &["agent"], &[]));
    let (rows, labels): (Vec<_>, Vec<_>) = labelled.filter(|(row, _)| games(player(row)).is_some()).unzip();
    let count = |(label, rows): (Label, Vec<Row<'a>>)| {
        let players: BTreeSet<_> = rows.iter().map(player).collect();
        let mut counts: HashMap<_, f64> = HashMap::new();
        for row in &rows {
            let count = row.number("count").unwrap_or(0.0);
            *counts.entry((row.text("measure"), row.text("key"))).or_default() += count;
        }
        Counted { label, games: players.into_iter().filter_map(games).sum(), counts }
    };
    let all = groups(&rows, &labels).into_iter().map(count).collect();
    (rows, all)
}

impl Counted<'_> {
    /// The counts of a measure for a game, by key; none where it has none at all.
    fn a_game(&self, measure: &str, keys: &[String]) -> Option<Vec<f64>> {
        let counts: Vec<Option<&f64>> =
            keys.iter().map(|key| self.counts.get(&(measure, key.as_str()))).collect();
        let a_game = counts.iter().map(|count| count.map_or(0.0, |count| count / self.games)).collect();
        counts.iter().any(Option::is_some).then_some(a_game)
    }
}

/// The key with the highest count, in words.
fn most(keys: &[String], counts: &[f64]) -> String {
    match highest(keys.iter().zip(counts.iter().copied())) {
        _ if counts.iter().all(|&count| count == 0.0) => "none".to_owned(),
        Some((key, count)) => format!("most at {key}, {} a game", Unit::Plain.text(count)),
        None => "most at several".to_owned(),
    }
}
