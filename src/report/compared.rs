//! Agents compared on the same deals.

use super::ReportError;
use super::charts;
use super::folder::{Row, labels};
use super::number::{Estimate, Unit};
use super::sections::{Figure, Section, Shown};
use super::solved::groups;

/// More lines make one chart too long.
const LINES: usize = 30;

/// How the values of a measure are printed.
fn unit(measure: &str) -> Unit {
    if ["wins", "better"].contains(&measure) { Unit::Share } else { Unit::Plain }
}

fn estimate(label: String, row: &Row<'_>, [value, low, high]: [&str; 3]) -> Option<Estimate> {
    Some(Estimate { label, value: row.number(value)?, ends: row.number(low).zip(row.number(high)) })
}

/// A chart of intervals for each measure.
fn by_measure(
    title: &str,
    rows: &[Row<'_>],
    labels: &dyn Fn(&[Row<'_>]) -> Vec<String>,
    columns: [&str; 3],
    mark: Option<f64>,
) -> Result<Vec<Figure>, ReportError> {
    let measures: Vec<String> = rows.iter().map(|row| row.text("measure").to_owned()).collect();
    let mut figures = Vec::new();
    for (measure, rows) in groups(rows, &measures) {
        let unit = unit(&measure);
        let lines: Vec<Estimate> = labels(&rows)
            .into_iter()
            .zip(&rows)
            .filter_map(|(label, row)| estimate(label, row, columns))
            .collect();
        let title = if measure.is_empty() { title.to_owned() } else { format!("{title}: {measure}") };
        for lines in lines.chunks(LINES) {
            let words: Vec<String> =
                lines.iter().map(|line| format!("{}: {}", line.label, line.text(unit))).collect();
            let svg = charts::intervals(lines, unit, mark, &format!("{title}. {}", words.join("; ")))?;
            figures.push(Figure { title: title.clone(), svg, legend: Vec::new() });
        }
    }
    Ok(figures)
}

fn section(title: &str, note: &'static str, figures: Vec<Figure>, rows: &[Row<'_>]) -> Section {
    let tables = if rows.is_empty() { Vec::new() } else { vec![Shown::raw(title, rows)] };
    Section { title: title.to_owned(), note, figures, tables }
}

/// Differences of agents.
pub(super) fn comparison(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let minus = |label: String| label.replacen(" · ", " \u{2212} ", 1);
    let names =
        |rows: &[Row<'_>]| labels(rows, &["agent_a", "agent_b"], &[]).into_iter().map(minus).collect();
    let figures = by_measure("Differences", rows, &names, ["mean_difference", "low", "high"], Some(0.0))?;
    let note = "The first agent less the second, on the same deals, with 95 % intervals: where the interval leaves out 0, \
                they differ.";
    Ok(section("Agents compared", note, figures, rows))
}

/// Each agent against each other.
pub(super) fn matrix(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let measures = labels(rows, &["measure"], &[]);
    let mut figures = Vec::new();
    for (measure, rows) in groups(rows, &measures) {
        let mut agents: Vec<String> = Vec::new();
        for name in rows.iter().flat_map(|row| [row.text("agent"), row.text("opponent")]) {
            if !agents.iter().any(|known| known == name) {
                agents.push(name.to_owned());
            }
        }
        let cell = |agent: &String, opponent: &String| {
            let row =
                rows.iter().find(|row| row.text("agent") == agent && row.text("opponent") == opponent)?;
            row.number("mean")
        };
        let cells: Vec<Vec<Option<f64>>> = agents
            .iter()
            .map(|agent| agents.iter().map(|opponent| cell(agent, opponent)).collect())
            .collect();
        let found = || cells.iter().flatten().flatten().copied();
        let middle = found().sum::<f64>() / found().count().max(1) as f64;
        let fair = rows.iter().find_map(|row| row.number("fair")).unwrap_or(middle);
        let unit = unit(&measure);
        let best = rows.iter().filter(|row| row.number("mean").is_some());
        let best = best.max_by(|a, b| {
            a.number("mean").partial_cmp(&b.number("mean")).unwrap_or(std::cmp::Ordering::Equal)
        });
        let best = best.map_or_else(String::new, |row| {
            format!("; the highest is {} against {}", row.text("agent"), row.text("opponent"))
        });
        let alt =
            format!("{measure} of each of {} agents in a row against each in a column{best}", agents.len());
        let svg = charts::heat((&agents, &agents), &cells, (unit, fair), &alt)?;
        let scale = if unit == Unit::Share { ", %" } else { "" };
        figures.push(Figure {
            title: format!("Row against column: {measure}{scale}"),
            svg,
            legend: Vec::new(),
        });
    }
    let note = "Blue is above what equal agents would get, orange below.";
    Ok(section("Each against each", note, figures, rows))
}

/// The strength of agents.
pub(super) fn ratings(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let names = |rows: &[Row<'_>]| labels(rows, &["agent"], &[]);
    let figures = by_measure("Ratings", rows, &names, ["rating", "low", "high"], Some(0.0))?;
    let figures =
        figures.into_iter().filter(|_| rows.iter().any(|row| row.number("rating").is_some())).collect();
    Ok(section("Ratings", "On the scale of Elo: 100 points are a win rate of 64 %.", figures, rows))
}

/// What seats are worth.
pub(super) fn seats(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let names = |rows: &[Row<'_>]| labels(rows, &["agent"], &["seat"]);
    let all: Vec<Row<'_>> = rows.iter().filter(|row| row.text("agent").is_empty()).copied().collect();
    let chosen = if all.is_empty() { rows } else { &all };
    let figures = by_measure("Seats", chosen, &names, ["mean", "low", "high"], None)?;
    Ok(section("Seats", "What an agent gets in each seat.", figures, rows))
}
