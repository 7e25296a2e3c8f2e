//! What sections consist of: charts and tables, as data and as HTML.

use super::ReportError;
use super::charts;
use super::estimate::{Estimate, in_words};
use super::folder::Folder;
use super::rows::{Row, columns};
use crate::numbers::Unit;
use crate::store::Table;
use maud::{Markup, PreEscaped, html};
use std::collections::HashMap;

/// A chart.
#[derive(Debug)]
pub(super) struct Figure {
    pub title: String,
    /// What is shown, where the title does not say it.
    pub note: String,
    pub svg: String,
    /// The names of the series, where there are several in this chart and the others that belong to it.
    pub legend: Vec<String>,
}

/// A table as it is shown.
#[derive(Debug)]
pub(super) struct ShownTable {
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Rows that are not shown.
    pub more: u64,
    /// Whether a reader has to ask for it.
    pub folded: bool,
}

/// More rows of a table, or of an agent in a table behind charts, are not shown.
const MOST: usize = 400;
/// A table with more rows waits until a reader asks for it.
const LONG: usize = 14;
/// More lines make one chart too long.
const LINES: usize = 30;

impl Figure {
    /// A chart of one series, with its title.
    pub fn new(title: impl Into<String>, svg: String) -> Self {
        Self { title: title.into(), note: String::new(), svg, legend: Vec::new() }
    }

    /// Charts of intervals on one scale, beside the value `mark` if there is one.
    pub fn intervals(
        title: &str,
        estimates: &[Estimate],
        unit: Unit,
        mark: Option<f64>,
    ) -> Result<Vec<Self>, ReportError> {
        let all = estimates.len().div_ceil(LINES);
        let chart = |(place, lines): (usize, &[Estimate])| {
            let title = if all > 1 { format!("{title}, {} of {all}", place + 1) } else { title.to_owned() };
            let alt = format!("{title}. {}", in_words(lines, unit));
            Ok(Self::new(&title, charts::intervals((lines, estimates), unit, mark, &alt)?))
        };
        estimates.chunks(LINES).enumerate().map(chart).collect()
    }

    /// The same with the names of its series; `all` is how many there are, also in other charts.
    pub fn with_legend(self, names: Vec<String>, all: usize) -> Self {
        Self { legend: if all > 1 { names } else { Vec::new() }, ..self }
    }

    /// The chart as HTML.
    pub fn render(&self) -> Markup {
        html! {
            figure {
                figcaption { (self.title) @if !self.note.is_empty() { span.note { ": " (self.note) } } }
                @if !self.legend.is_empty() {
                    ul.legend {
                        @for (i, name) in self.legend.iter().enumerate() { li { span class={ "swatch series" (i) } {} (name) } }
                    }
                }
                (PreEscaped(&self.svg))
            }
        }
    }
}

impl ShownTable {
    /// A table with these columns.
    pub fn new(title: impl Into<String>, columns: &[&str], mut rows: Vec<Vec<String>>) -> Self {
        let more = rows.len().saturating_sub(MOST) as u64;
        rows.truncate(MOST);
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { title: title.into(), columns, folded: rows.len() > LONG, rows, more }
    }

    /// The tables that lie behind a chart, as they stand in their files; none without rows. Of each agent the first rows are shown.
    pub fn raw(title: impl Into<String>, all: &[Row<'_>]) -> Option<Self> {
        let columns = columns(all);
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut rows = Vec::new();
        for row in all {
            let count = counts.entry(row.text("agent")).or_default();
            *count += 1;
            if *count <= MOST {
                rows.push(columns.iter().map(|column| row.text(column).to_owned()).collect());
            }
        }
        let columns = columns.into_iter().map(ToOwned::to_owned).collect();
        let more = (all.len() - rows.len()) as u64;
        (!all.is_empty()).then(|| Self { title: title.into(), columns, rows, more, folded: true })
    }

    /// A table that no section knows.
    pub fn file(folder: &Folder, table: &Table) -> Self {
        let columns: Vec<&str> = table.columns.iter().map(String::as_str).collect();
        let shown = Self::new(format!("{} of {}", table.file, folder.name), &columns, table.rows.clone());
        Self { more: shown.more + table.more, folded: true, ..shown }
    }

    /// The table as HTML.
    pub fn render(&self) -> Markup {
        let rows = self.rows.len() as u64;
        let all = rows + self.more;
        html! {
            details open[!self.folded] {
                summary { (self.title) " (" (all) @if all == 1 { " row" } @else { " rows" } @if self.more > 0 { ", " (rows) " shown" } ")" }
                div.wide tabindex="0" role="region" aria-label=(self.title) {
                    table {
                        thead { tr { @for column in &self.columns { th scope="col" { (column) } } } }
                        tbody {
                            @for row in &self.rows {
                                tr { @for cell in row { td.number[is_number(cell)] { (cell) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn is_number(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit() || "-+\u{2212}".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One series needs no name, unless the others stand in the next chart.
    #[test]
    fn series_are_named_where_there_are_several() {
        let drawn = |all| {
            Figure::new("", String::new()).with_legend(vec!["rule".to_owned()], all).render().into_string()
        };
        assert!(drawn(7).contains("rule") && !drawn(1).contains("rule"));
    }
}
