//! Exact answers about deals.

use super::ReportError;
use super::charts::{self, SERIES, Series};
use super::folder::{Row, labels};
use super::number::{Estimate, Unit};
use super::sections::{Figure, Section, Shown};

const NOTE: &str = "Answers of someone who knows every card from the start: they bound what any player can reach and are no \
                    player's results. Bands and intervals are 95 %, widened both ways by the deals that were left undecided.";

/// How many deals reach a value.
pub(super) fn solvability(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let mut figures = Vec::new();
    let single: Vec<Row<'_>> = rows.iter().filter(|row| row.text("threshold").is_empty()).copied().collect();
    let estimates: Vec<Estimate> = labels(&single, &["objective"], &[])
        .into_iter()
        .zip(&single)
        .filter_map(|(label, row)| {
            let ends = row.number("low").zip(row.number("high"));
            Some(Estimate { label, value: row.number("rate")?, ends })
        })
        .collect();
    if !estimates.is_empty() {
        let words: Vec<String> =
            estimates.iter().map(|e| format!("{}: {}", e.label, e.text(Unit::Share))).collect();
        let alt = format!("Share of the deals with a yes. {}", words.join("; "));
        let svg = charts::intervals(&estimates, Unit::Share, None, &alt)?;
        figures.push(Figure { title: "Deals that can be won".to_owned(), svg, legend: Vec::new() });
    }
    let curves: Vec<Row<'_>> = rows.iter().filter(|row| !row.text("threshold").is_empty()).copied().collect();
    for group in groups(&curves, &labels(&curves, &["objective"], &[])).chunks(SERIES) {
        let (mut series, mut bands, mut words) = (Vec::new(), Vec::new(), Vec::new());
        for (label, rows) in group {
            let mut points: Vec<(f64, f64, f64, f64)> = rows
                .iter()
                .filter_map(|row| {
                    Some((
                        row.number("threshold")?,
                        row.number("rate")?,
                        row.number("low")?,
                        row.number("high")?,
                    ))
                })
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let half = points.iter().min_by(|a, b| (a.1 - 0.5).abs().total_cmp(&(b.1 - 0.5).abs()));
            words.push(
                half.map_or_else(String::new, |p| format!("{label}: {} at {}", Unit::Share.text(p.1), p.0)),
            );
            bands.push(
                points.iter().map(|p| (p.0, p.2)).chain(points.iter().rev().map(|p| (p.0, p.3))).collect(),
            );
            series.push(Series { label: label.clone(), points: points.iter().map(|p| (p.0, p.1)).collect() });
        }
        let alt = format!("Share of the deals that reach a value. {}", words.join("; "));
        let svg = charts::lines(&series, &bands, ("value", Unit::Share), &alt)?;
        let legend = series.into_iter().map(|series| series.label).collect();
        figures.push(Figure { title: "Deals that reach a value".to_owned(), svg, legend });
    }
    let tables =
        if rows.is_empty() { Vec::new() } else { vec![Shown::raw("Deals that reach a value", rows)] };
    Ok(Section { title: "Solvability".to_owned(), note: NOTE, figures, tables })
}

/// The best values, and what the answers cost.
pub(super) fn values(rows: &[Row<'_>], nodes: &[Row<'_>]) -> Result<Section, ReportError> {
    let mut figures = Vec::new();
    let solved: Vec<Row<'_>> = rows.iter().filter(|row| row.number("value").is_some()).copied().collect();
    for (label, rows) in groups(&solved, &labels(&solved, &["objective"], &[])) {
        if rows.len() < 2 {
            continue;
        }
        let deals: f64 = rows.iter().filter_map(|row| row.number("deals")).sum();
        let mut points: Vec<(f64, f64)> =
            rows.iter().filter_map(|row| row.number("value").zip(row.number("deals"))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let most = points.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0.0, |p| p.0);
        let alt = format!(
            "Values of {deals} solved deals, {label}: from {} to {}, most often {most}",
            points[0].0,
            points[points.len() - 1].0
        );
        let series =
            Series { label: label.clone(), points: points.into_iter().map(|p| (p.0, p.1 / deals)).collect() };
        let svg = charts::lines(&[series], &[], ("value", Unit::Share), &alt)?;
        figures.push(Figure {
            title: format!("Values of the solved deals: {label}"),
            svg,
            legend: Vec::new(),
        });
    }
    let mut tables = Vec::new();
    for (title, rows) in [("Verdicts and values", rows), ("Nodes visited for a deal", nodes)] {
        if !rows.is_empty() {
            tables.push(Shown::raw(title, rows));
        }
    }
    Ok(Section { title: "Values of deals, and what they cost".to_owned(), note: "", figures, tables })
}

/// Bounds on what fair play can reach, beside a fair player and the clairvoyant.
pub(super) fn bounds(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let mut figures = Vec::new();
    for (quantity, rows) in groups(rows, &labels(rows, &["quantity"], &[])) {
        let unit = if quantity.starts_with("win") { Unit::Share } else { Unit::Plain };
        let values: Vec<Row<'_>> = rows.into_iter().filter(|row| row.text("measure") != "gap").collect();
        let lines: Vec<Estimate> = labels(&values, &["measure", "agent"], &[])
            .into_iter()
            .zip(&values)
            .filter_map(|(label, row)| {
                let ends = row.number("low").zip(row.number("high"));
                Some(Estimate { label, value: row.number("mean")?, ends })
            })
            .collect();
        let words: Vec<String> =
            lines.iter().map(|line| format!("{}: {}", line.label, line.text(unit))).collect();
        let title = format!("What can be reached: {quantity}");
        let svg = charts::intervals(&lines, unit, None, &format!("{title}. {}", words.join("; ")))?;
        figures.push(Figure { title, svg, legend: Vec::new() });
    }
    let note =
        "No fair player can do better than the bound in expectation; the clairvoyant knows every card.";
    let tables = if rows.is_empty() { Vec::new() } else { vec![Shown::raw("Bounds", rows)] };
    Ok(Section { title: "Bounds on fair play".to_owned(), note, figures, tables })
}

/// The rows with the same label, in the order in which the labels come first.
pub(super) fn groups<'a>(rows: &[Row<'a>], labels: &[String]) -> Vec<(String, Vec<Row<'a>>)> {
    let mut groups: Vec<(String, Vec<Row<'a>>)> = Vec::new();
    for (row, label) in rows.iter().zip(labels) {
        match groups.iter_mut().find(|(other, _)| other == label) {
            Some((_, rows)) => rows.push(*row),
            None => groups.push((label.clone(), vec![*row])),
        }
    }
    groups
}
