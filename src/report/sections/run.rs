//! Runs: what players reached, and what it cost.

use super::distribution::Places;
use super::over_rules::Quantity;
use super::{Kind, Tables, placements, tally};
use crate::numbers::Unit;
use crate::play::Measure;
use crate::report::ReportError;
use crate::report::charts::{self, SERIES};
use crate::report::estimate::Estimate;
use crate::report::findings::Verb;
use crate::report::label::Label;
use crate::report::page::{Rank, Section};
use crate::report::parts::{Figure, ShownTable};
use crate::report::repeat::{Asked, Line, labels as players};
use crate::report::rows::{Row, groups, labels};
use crate::studies::run::Request;
use crate::studies::run::tables::{GAMES, SCORES, SUMMARY, TALLY};
use std::collections::BTreeMap;

pub(super) const KIND: Kind =
    Kind { files: &[SUMMARY.file, SCORES.file, TALLY.file, placements::FILE], sections };

/// A rate of wins above this is one at which nobody loses.
const SURE: f64 = 0.99;

const WINS: [&str; 3] = ["win_rate", "win_low", "win_high"];
const POINTS: [&str; 3] = ["score_mean", "score_low", "score_high"];

/// What was asked.
pub(super) fn asked(request: &Request, line: Line<'_>) -> Asked {
    let Request { game: _, rules: _, cards, agents, n, seed } = request;
    let line = line.cards(cards.as_ref()).agents(agents).option("-n", n).option("--seed", seed).rules();
    line.end(players(agents), Some((GAMES.file, "--games")))
}

fn sections(tables: &Tables<'_>) -> Result<Vec<Section>, ReportError> {
    let summary = tables.rows(SUMMARY.file);
    Ok(vec![
        results(&summary, tables)?,
        cost(&summary, tables.about)?,
        scores(&tables.rows(SCORES.file))?,
        tally::section(&tables.rows(TALLY.file), &summary, tables.measures)?,
        placements::section(&tables.rows(placements::FILE))?,
    ])
}

/// Win rates and scores with their intervals.
fn results(rows: &[Row<'_>], all: &Tables<'_>) -> Result<Section, ReportError> {
    let labels = labels(rows, &["agent"], &["seat"]);
    let (mut figures, mut findings) = (Vec::new(), Vec::new());
    for (title, columns, verb) in
        [("Win rate", WINS, Verb::WINS), ("Mean score, points", POINTS, Verb::SCORES)]
    {
        let quantity = Quantity { title, columns, verb, mark: None };
        let (drawn, told) = quantity.over_rules(&labels, rows)?;
        figures.extend(drawn);
        if columns == measure(rows, all.about).0 {
            findings = told;
        }
    }
    let text =
        |row: &Row<'_>, columns, unit| Estimate::of(row, columns).map_or_else(String::new, |e| e.text(unit));
    let number =
        |row: &Row<'_>, column| row.number(column).map_or_else(String::new, |value| Unit::Plain.text(value));
    let line = |(label, row): (&Label, &Row<'_>)| {
        let ends = ["score_q05", "score_q95"].map(|column| number(row, column));
        let spread = if ends.concat().is_empty() { String::new() } else { ends.join(" to ") };
        let [wins, scores] = [text(row, WINS, Unit::Share), text(row, POINTS, Unit::Plain)];
        let [sd, median, moves] =
            ["score_sd", "score_median", "moves_mean"].map(|column| number(row, column));
        vec![label.to_string(), row.text("games").to_owned(), wins, scores, sd, median, spread, moves]
    };
    let columns = [
        "agent",
        "games",
        "win rate (95 %)",
        "mean score (95 %)",
        "sd",
        "median",
        "5 % to 95 % quantile",
        "moves",
    ];
    let shown = ShownTable::new("Summary", &columns, labels.iter().zip(rows).map(line).collect());
    let shown = ShownTable { folded: false, ..shown };
    let tables = ShownTable::raw(SUMMARY.file, rows).map_or_else(Vec::new, |raw| vec![shown, raw]);
    let note = match rows.iter().filter_map(|row| row.origin().run.as_ref()).any(|run| all.has_teams(run)) {
        true => {
            "Intervals are 95 %: Wilson's for rates, Student's t for means, widened for what may not have been seen yet. A win is \
             shared by all who win: where two partners win every game, each of them has 50 %."
        }
        false => {
            "Intervals are 95 %: Wilson's for rates, Student's t for means, widened for what may not have been seen yet."
        }
    };
    Ok(Section { title: "Results".to_owned(), note, findings, figures, tables, ..Section::default() })
}

/// The columns of win rates, or of scores where the game is about these. A game that does not say so is about wins, unless all is won
/// or all is lost, and not by chance.
fn measure(rows: &[Row<'_>], about: Option<Measure>) -> ([&'static str; 3], Unit) {
    let is_sure =
        |column, test: &dyn Fn(f64) -> bool| rows.iter().all(|row| row.number(column).is_some_and(test));
    let is_open =
        || !is_sure("win_low", &|low| low > SURE) && !is_sure("win_high", &|high| high < 1.0 - SURE);
    match about.unwrap_or(if is_open() { Measure::Wins } else { Measure::Score }) {
        Measure::Wins => (WINS, Unit::Share),
        Measure::Score => (POINTS, Unit::Plain),
    }
}

/// Win rate, or the score where the game is about that, against the time of a game.
fn cost(rows: &[Row<'_>], about: Option<Measure>) -> Result<Section, ReportError> {
    let (columns, unit) = measure(rows, about);
    // The time of a game belongs to an agent only where nobody else plays.
    let mut seats: BTreeMap<_, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *seats.entry(row.run()).or_default() += 1);
    let single: Vec<Row<'_>> = rows.iter().filter(|row| seats[&row.run()] == 1).copied().collect();
    let mut points = Vec::new();
    for (label, row) in labels(&single, &["agent"], &[]).into_iter().zip(&single) {
        let Some(run) = &row.origin().run else { continue };
        let (timing, finished) = (&run.manifest.timing, run.manifest.finished);
        let cost = timing.seconds * timing.mean_threads() / finished as f64 * 1000.0;
        let estimate = Estimate::of(row, columns).filter(|_| finished > 0 && cost > 0.0);
        points.extend(estimate.map(|estimate| (cost, Estimate { label, ..estimate })));
    }
    if points.len() < 2 {
        return Ok(Section::default());
    }
    let title = "What strength costs";
    let axis = "milliseconds a game, all threads together";
    let words: Vec<String> = points
        .iter()
        .map(|(cost, e)| format!("{}: {} ms, {}", e.label, Unit::Plain.text(*cost), e.text(unit)))
        .collect();
    let svg = charts::scatter(&points, (axis, unit), &format!("{title}. {}", words.join("; ")))?;
    let what = if unit == Unit::Share { "win rate (95 %)" } else { "mean score (95 %)" };
    let line = |(cost, e): &(f64, Estimate)| vec![e.label.to_string(), Unit::Plain.text(*cost), e.text(unit)];
    let tables =
        vec![ShownTable::new(title, &["agent", "ms a game", what], points.iter().map(line).collect())];
    let figures = vec![Figure::new(format!("{what} against cost"), svg)];
    let note = "Times were taken while the games were played, on whatever else the machine had to do: read them as ratios.";
    Ok(Section { title: title.to_owned(), note, figures, tables, ..Section::default() })
}

/// How often each score came.
fn scores(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let all = groups(rows, &labels(rows, &["agent"], &["seat"]));
    let Some(places) = Places::of(rows.iter().filter_map(|row| row.number("score"))) else {
        return Ok(Section::default());
    };
    let title = match places.steps() {
        Some(steps) => format!("Share of the games, {steps}"),
        None => "Share of the games with each score".to_owned(),
    };
    let (mut figures, mut lines) = (Vec::new(), Vec::new());
    for group in all.chunks(SERIES) {
        let (mut series, mut words) = (Vec::new(), Vec::new());
        for (label, rows) in group {
            let pairs: Vec<(f64, f64)> =
                rows.iter().filter_map(|row| row.number("score").zip(row.number("games"))).collect();
            let shares = places.shares(&pairs);
            words.push(format!("{label}: {}", quantiles(pairs)));
            let filled = shares.iter().enumerate().filter(|(_, share)| **share > 0.0);
            lines.extend(
                filled.map(|(i, &share)| vec![label.to_string(), places.name(i), Unit::Share.text(share)]),
            );
            series.push(shares);
        }
        let alt = format!("Share of the games with each score. {}", words.join("; "));
        let legend: Vec<String> = group.iter().map(|(label, _)| label.to_string()).collect();
        let svg = places.chart(&legend, &series, "score, points", &alt)?;
        figures.push(Figure::new(&title, svg).with_legend(legend, all.len()));
    }
    let shown = ShownTable::new("Scores", &["agent", "score", "share of the games"], lines);
    let tables = vec![ShownTable { folded: true, ..shown }];
    Ok(Section {
        title: "Scores".to_owned(),
        rank: Rank::Detail,
        note: "",
        figures,
        tables,
        ..Section::default()
    })
}

/// The median and the 5 % and 95 % quantiles, in words.
fn quantiles(mut pairs: Vec<(f64, f64)>) -> String {
    let games: f64 = pairs.iter().map(|pair| pair.1).sum();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let quantile = |share: f64| {
        let mut before = 0.0;
        let found = pairs.iter().find(|pair| {
            before += pair.1;
            before >= share * games
        });
        found.map_or_else(String::new, |pair| Unit::Plain.text(pair.0))
    };
    format!("median {}, nine games in ten from {} to {}", quantile(0.5), quantile(0.05), quantile(0.95))
}
