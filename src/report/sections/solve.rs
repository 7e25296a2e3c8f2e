//! Exact answers about deals.

use super::distribution::Places;
use super::over_rules::{Quantity, Swept};
use super::{Kind, Tables, highest};
use crate::numbers::Unit;
use crate::report::ReportError;
use crate::report::charts::{self, Base, Plot, SERIES, Series};
use crate::report::estimate::Estimate;
use crate::report::findings::{self, Verb};
use crate::report::label::Label;
use crate::report::page::{Rank, Section};
use crate::report::parts::{Figure, ShownTable};
use crate::report::repeat::{Asked, Line};
use crate::report::rows::{Row, groups, labels};
use crate::stats::Interval;
use crate::studies::solve::Request;
use crate::studies::solve::tables::{NODES, SOLUTIONS, SOLVABILITY, VALUES};
use crate::text::file_word;
use std::cmp::Ordering;

pub(super) const KIND: Kind = Kind { files: &[SOLVABILITY.file, VALUES.file, NODES.file], sections };

const NOTE: &str = "Answers of someone who knows every card from the start: they bound what any player can reach and are no \
                    player's results. Bands and intervals are 95 %, widened both ways by the deals that were left undecided.";

/// What was asked.
pub(super) fn asked(request: &Request, line: Line<'_>) -> Asked {
    let Request { objective, budget, n, seed, deals, short_deck, .. } = request;
    let line = line.maybe("--objective", objective.as_ref());
    let line = match deals {
        Some(deals) => {
            let line = line.option("--deals", file_word(&deals.file));
            if *short_deck { line.word("--short-deck") } else { line }
        }
        None => line.option("-n", n).option("--seed", seed),
    };
    let players = format!("exact answers: {}", objective.as_deref().unwrap_or_default());
    line.maybe("--budget", *budget).rules().end(players, Some((SOLUTIONS.file, "--solutions")))
}

fn sections(tables: &Tables<'_>) -> Result<Vec<Section>, ReportError> {
    Ok(vec![
        solvability(&tables.rows(SOLVABILITY.file))?,
        values(&tables.rows(VALUES.file), &tables.rows(NODES.file))?,
    ])
}

/// How many deals reach a value.
fn solvability(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let mut figures = Vec::new();
    let (single, curves): (Vec<Row<'_>>, Vec<Row<'_>>) =
        rows.iter().partition(|row| row.text("threshold").is_empty());
    let names = labels(&single, &["objective"], &[]);
    let rate = ["rate", "low", "high"];
    let verb = Verb { does: "with every card known:", unit: Unit::Share };
    let quantity = Quantity { title: "Deals that can be won", columns: rate, verb, mark: None };
    let (drawn, told) = quantity.over_rules(&names, &single)?;
    figures.extend(drawn);
    let is_swept = Swept::of(&single, &names).is_some();
    let mut findings = if is_swept { told } else { winnable(&single, rate) };
    if is_swept && single.iter().any(is_partial) {
        findings.push("Shares are of the decided deals, intervals of all.".to_owned());
    }
    let all = groups(&curves, &labels(&curves, &["objective"], &[]));
    for group in all.chunks(SERIES) {
        let (mut series, mut bands, mut words) = (Vec::new(), Vec::new(), Vec::new());
        for (label, rows) in group {
            // A few typed deals have no interval.
            let point = |row: &Row<'_>| {
                let share = Estimate::of(row, rate)?;
                let told = share_told(row, &share);
                Some((row.number("threshold")?, share, told))
            };
            let mut points: Vec<(f64, Estimate, [String; 2])> = rows.iter().filter_map(point).collect();
            // The strictest threshold stands last; of one alone nobody knows what is stricter.
            let ends = points.first().zip(points.last());
            let reach = ends.map_or("", |(first, last)| match first.0.total_cmp(&last.0) {
                Ordering::Greater => "at most ",
                Ordering::Equal => "",
                Ordering::Less => "at least ",
            });
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            // Where deals are undecided, what they leave open counts.
            let off = |share: &Estimate| {
                let (low, high) = share.ends.unwrap_or((share.value, share.value));
                (low - 0.5).abs().max((high - 0.5).abs())
            };
            let half = points.iter().min_by(|a, b| off(&a.1).total_cmp(&off(&b.1)));
            findings.extend(half.map(|(value, _, [share, rest])| {
                let of = findings::called(label);
                format!("By the objective {of}, {share} come to {reach}{value} with every card known{rest}.")
            }));
            words.push(half.map_or_else(String::new, |p| {
                format!("{label}: {} at {}", Unit::Share.text(p.1.value), p.0)
            }));
            let ends = |share: &Estimate| share.ends.unwrap_or((share.value, share.value));
            let low = points.iter().map(|p| (p.0, ends(&p.1).0));
            let high = points.iter().rev().map(|p| (p.0, ends(&p.1).1));
            bands.push(low.chain(high).collect());
            series.push(Series {
                label: label.to_string(),
                points: points.iter().map(|p| (p.0, p.1.value)).collect(),
            });
        }
        let alt = format!("Share of the deals that reach a value. {}", words.join("; "));
        let plot = Plot::of(series.iter(), bands.iter(), Base::Data, None);
        let svg = charts::lines(&series, &bands, &plot, ("value", Unit::Share), &alt)?;
        let legend = series.into_iter().map(|series| series.label).collect();
        figures.push(Figure::new("Deals that reach a value", svg).with_legend(legend, all.len()));
    }
    let tables = ShownTable::raw("Deals that reach a value", rows).into_iter().collect();
    Ok(Section {
        title: "Solvability".to_owned(),
        rank: Rank::Detail,
        note: NOTE,
        findings: findings::limited(findings),
        figures,
        tables,
        ..Section::default()
    })
}

/// How many deals can be won, from the most down.
fn winnable(rows: &[Row<'_>], rate: [&str; 3]) -> Vec<String> {
    let one = |(label, row): (&Label, &Row<'_>)| {
        let share = Estimate::of(row, rate)?;
        let rules = label.in_brackets();
        let [told, rest] = share_told(row, &share);
        Some((share.value, format!("{told} can be won with every card known{rules}{rest}.")))
    };
    let mut told: Vec<(f64, String)> =
        labels(rows, &["objective"], &[]).iter().zip(rows).filter_map(one).collect();
    told.sort_by(|a, b| b.0.total_cmp(&a.0));
    findings::limited(told.into_iter().map(|(_, sentence)| sentence).collect())
}

/// Whether deals are missing from the share of this row.
fn is_partial(row: &Row<'_>) -> bool {
    row.number("undecided").is_some_and(|undecided| undecided > 0.0)
}

/// The share of a row with the deals that it is one of, and the end of its sentence where some deals are undecided: the interval, which
/// is one of all deals, and how many are undecided.
fn share_told(row: &Row<'_>, share: &Estimate) -> [String; 2] {
    if !is_partial(row) {
        return [format!("{} of the deals", share.text(Unit::Share)), String::new()];
    }
    let (value, all) = match share.ends {
        Some((low, high)) => {
            let [value, interval] = Unit::Share.show(share.value, Some(Interval { low, high }));
            (value, format!(", and {interval} % of all"))
        }
        None => (share.text(Unit::Share), String::new()),
    };
    let [undecided, deals] = ["undecided", "deals"].map(|column| row.text(column));
    [format!("{value} of the decided deals"), format!("{all}; {undecided} of {deals} are undecided")]
}

/// The best values, and what the answers cost.
fn values(rows: &[Row<'_>], nodes: &[Row<'_>]) -> Result<Section, ReportError> {
    let mut figures = Vec::new();
    let solved: Vec<Row<'_>> = rows.iter().filter(|row| row.number("value").is_some()).copied().collect();
    for (label, rows) in groups(&solved, &labels(&solved, &["objective"], &[])) {
        if rows.len() < 2 {
            continue;
        }
        let mut points: Vec<(f64, f64)> =
            rows.iter().filter_map(|row| row.number("value").zip(row.number("deals"))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let deals: f64 = points.iter().map(|point| point.1).sum();
        let Some(places) = Places::of(points.iter().map(|point| point.0)) else { continue };
        let most = highest(points.iter().copied());
        let most = most.map_or_else(String::new, |(value, _)| format!(", most often {value}"));
        let alt = format!(
            "Values of {deals} solved deals, {label}: from {} to {}{most}",
            points[0].0,
            points[points.len() - 1].0
        );
        let steps = places.steps().map_or_else(String::new, |steps| format!(", {steps}"));
        let title = format!("Values of the solved deals: {label}{steps}");
        let svg = places.chart(&[label.to_string()], &[places.shares(&points)], "value", &alt)?;
        figures.push(Figure::new(title, svg));
    }
    let shown = [("Verdicts and values", rows), ("Nodes visited for a deal", nodes)];
    let tables = shown.into_iter().filter_map(|(title, rows)| ShownTable::raw(title, rows)).collect();
    let title = "Values of deals, and what they cost".to_owned();
    Ok(Section { title, rank: Rank::Detail, note: "", figures, tables, ..Section::default() })
}
