//! Comparisons: how agents differ on the same deals.

use super::over_rules::Quantity;
use super::{Kind, Tables, highest, unit};
use crate::numbers::Unit;
use crate::play::Measure;
use crate::report::ReportError;
use crate::report::charts;
use crate::report::estimate::Estimate;
use crate::report::findings::{self, Verb};
use crate::report::label::Label;
use crate::report::page::Section;
use crate::report::parts::{Figure, ShownTable};
use crate::report::repeat::{Asked, Line, labels as players};
use crate::report::rows::{Row, distinct, groups, labels};
use crate::studies;
use crate::studies::compare::Request;
use crate::studies::compare::tables::{COMPARISON, MATRIX, RATINGS, SEATS};

/// How two agents differ.
const DIFFERENCE: [&str; 3] = ["mean_difference", "low", "high"];

pub(super) const KIND: Kind =
    Kind { files: &[COMPARISON.file, MATRIX.file, RATINGS.file, SEATS.file], sections };

/// What was asked.
pub(super) fn asked(request: &Request, line: Line<'_>) -> Asked {
    let Request { game: _, rules: _, cards, agents, n, seed, until, sprt, measure, control } = request;
    let goal = until.is_some() || sprt.is_some();
    line.cards(cards.as_ref())
        .agents(agents)
        .option("-n", n)
        .option("--seed", seed)
        .rules()
        .maybe("--until", until.map(|width| format!("width={width}")))
        .maybe("--sprt", sprt.map(|[low, high]| format!("{low},{high}")))
        .maybe("--measure", goal.then(|| measure.name()))
        .maybe("--control", *control)
        .end(players(agents), None)
}

fn sections(tables: &Tables<'_>) -> Result<Vec<Section>, ReportError> {
    Ok(vec![
        comparison(&tables.rows(COMPARISON.file), tables.about)?,
        matrix(&tables.rows(MATRIX.file))?,
        ratings(&tables.rows(RATINGS.file))?,
        seats(&tables.rows(SEATS.file))?,
    ])
}

/// Charts of intervals for each measure.
fn by_measure(
    title: &str,
    rows: &[Row<'_>],
    labels: impl Fn(&[Row<'_>]) -> Vec<Label>,
    columns: [&str; 3],
    mark: Option<f64>,
) -> Result<Vec<Figure>, ReportError> {
    let measures: Vec<String> = rows.iter().map(|row| row.text("measure").to_owned()).collect();
    let mut figures = Vec::new();
    for (measure, rows) in groups(rows, &measures) {
        let title = if measure.is_empty() { title.to_owned() } else { format!("{title}: {measure}") };
        let quantity = Quantity { title: &title, columns, verb: Verb::of(unit(&measure)), mark };
        figures.extend(quantity.over_rules(&labels(&rows), &rows)?.0);
    }
    Ok(figures)
}

fn section(title: &str, note: &'static str, figures: Vec<Figure>, rows: &[Row<'_>]) -> Section {
    let tables = ShownTable::raw(title, rows).into_iter().collect();
    Section { title: title.to_owned(), note, figures, tables, ..Section::default() }
}

/// Differences of agents.
fn comparison(rows: &[Row<'_>], about: Option<Measure>) -> Result<Section, ReportError> {
    let minus = |label: Label| Label { names: vec![label.names.join(" \u{2212} ")], ..label };
    let names =
        |rows: &[Row<'_>]| labels(rows, &["agent_a", "agent_b"], &[]).into_iter().map(minus).collect();
    let figures = by_measure("Differences", rows, names, DIFFERENCE, Some(0.0))?;
    let note = "The first agent less the second, on the same deals, with 95 % intervals: where the interval leaves out 0, \
                they differ. Of twenty intervals of equal agents one does so by chance.";
    // Rules and the like stand where runs differ in them.
    let of = |measure: &str| -> Vec<Row<'_>> {
        rows.iter().filter(|row| row.text("measure") == measure).copied().collect()
    };
    let told = about.map(|about| of(about.name())).filter(|rows| !rows.is_empty());
    let told = told.unwrap_or_else(|| rows.first().map_or_else(Vec::new, |row| of(row.text("measure"))));
    let sentence = |(label, row): (&Label, &Row<'_>)| {
        let more = Estimate::of(row, DIFFERENCE)?;
        let agents = [row.text("agent_a"), row.text("agent_b")];
        let verb = |row: &Row<'_>| Verb::of(unit(row.text("measure")));
        let rest = Some(label.apart()).filter(|rest| !rest.is_empty());
        let rest = rest.map_or_else(String::new, |rest| format!("{rest}: "));
        let same = |other: &&Row<'_>| {
            other.run() == row.run() && [other.text("agent_a"), other.text("agent_b")] == agents
        };
        let others = rows.iter().filter(same).filter(|other| other.text("measure") != row.text("measure"));
        let other = others.into_iter().find_map(|row| Some((Estimate::of(row, DIFFERENCE)?, verb(row))));
        let other = other.as_ref().map(|(more, verb)| (more, *verb));
        let told = findings::difference(agents, (row.text("measure"), &more, verb(row)), other);
        let tested =
            rows.iter().filter(same).find_map(test).map_or_else(String::new, |test| format!(" {test}"));
        Some(rest + &told + &tested)
    };
    let labels = labels(&told, &["agent_a", "agent_b"], &[]);
    let findings = findings::limited(labels.iter().zip(&told).filter_map(sentence).collect());
    Ok(Section { findings, ..section("Agents compared", note, figures, rows) })
}

/// What the sequential test of this row says, if there was one.
fn test(row: &Row<'_>) -> Option<String> {
    let Some(studies::Request::Compare(Request { sprt: Some(elo), .. })) =
        row.origin().run.as_ref().map(|run| &run.request)
    else {
        return None;
    };
    row.number("llr")?;
    let [low, high] = elo.map(|elo| elo.to_string().replace('-', "\u{2212}"));
    let [less, more] = elo.map(|elo| elo.abs().to_string());
    let [a, b] = ["agent_a", "agent_b"].map(|column| findings::code(row.text(column)));
    let test = format!("The sequential test in {}", row.text("measure"));
    // Of the two it accepts the nearer one. What is told is that the other is too far.
    Some(match row.text("decision") {
        "elo0" => {
            let told = match elo[1] {
                elo if elo > 0.0 => format!("not {more} Elo better than {a}"),
                0.0 => format!("worse than {a}"),
                _ => format!("more than {more} Elo worse than {a}"),
            };
            format!("{test} accepts {low} Elo rather than {high}: {b} is {told}.")
        }
        "elo1" => {
            let told = match elo[0] {
                elo if elo < 0.0 => format!("not {less} Elo worse than {a}"),
                0.0 => format!("better than {a}"),
                _ => format!("more than {less} Elo better than {a}"),
            };
            format!("{test} accepts {high} Elo rather than {low}: {b} is {told}.")
        }
        _ => format!("{test} has not decided between {low} and {high} Elo of {b} over {a}."),
    })
}

/// Each agent against each other.
fn matrix(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let mut figures = Vec::new();
    let has_fair = rows.iter().all(|row| row.number("fair").is_some());
    for (measure, rows) in groups(rows, &labels(rows, &["measure"], &[])) {
        let agents = distinct(rows.iter().flat_map(|row| [row.text("agent"), row.text("opponent")]));
        let means: Vec<f64> = rows.iter().filter_map(|row| row.number("mean")).collect();
        let middle = means.iter().sum::<f64>() / means.len().max(1) as f64;
        let cell = |agent: &String, opponent: &String| {
            let row =
                rows.iter().find(|row| row.text("agent") == agent && row.text("opponent") == opponent)?;
            // What is fair differs from pair to pair where some games have no winner. Scores have no such number.
            Some((row.number("mean")?, row.number("fair").unwrap_or(middle)))
        };
        if means.is_empty() {
            continue;
        }
        let cells: Vec<Vec<Option<(f64, f64)>>> = agents
            .iter()
            .map(|agent| agents.iter().map(|opponent| cell(agent, opponent)).collect())
            .collect();
        let unit = unit(rows[0].text("measure"));
        let best = highest(rows.iter().filter_map(|row| Some((row, row.number("mean")?))));
        let best = best.map_or_else(String::new, |(row, _)| {
            format!("; the highest is {} against {}", row.text("agent"), row.text("opponent"))
        });
        let alt =
            format!("{measure} of each of {} agents in a row against each in a column{best}", agents.len());
        // Names are too long for the head of a column.
        let numbers: Vec<String> = (1..=agents.len()).map(|number| number.to_string()).collect();
        let rows: Vec<String> =
            numbers.iter().zip(&agents).map(|(number, agent)| format!("{agent}: {number}")).collect();
        let svg = charts::heat((&rows, &numbers), &cells, unit, &alt)?;
        let scale = if unit == Unit::Share { ", %" } else { "" };
        figures.push(Figure::new(format!("Row against column: {measure}{scale}"), svg));
    }
    let note = match has_fair {
        true => "Blue is above what equal agents would get, orange below.",
        false => {
            "Blue is above what equal agents would get, orange below; in a chart of scores, above and below its mean."
        }
    };
    Ok(section("Each against each", note, figures, rows))
}

/// The strength of agents.
fn ratings(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let names = |rows: &[Row<'_>]| labels(rows, &["agent"], &[]);
    let figures = by_measure("Ratings", rows, names, ["rating", "low", "high"], Some(0.0))?;
    Ok(section(
        "Ratings",
        "On the scale of Elo: of two at a table, one that is 100 points better wins 64 %.",
        figures,
        rows,
    ))
}

/// What agents make in each seat, or alone.
fn seats(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let names = |rows: &[Row<'_>]| labels(rows, &["agent"], &["seat"]);
    let all: Vec<Row<'_>> = rows.iter().filter(|row| row.text("agent").is_empty()).copied().collect();
    let (title, note, chosen) = match all.is_empty() {
        true => ("Agents", "What each agent makes by itself.", rows),
        false => ("Seats", "What an agent gets in each seat.", all.as_slice()),
    };
    let figures = by_measure(title, chosen, names, ["mean", "low", "high"], None)?;
    Ok(section(title, note, figures, rows))
}
