//! Estimates with their intervals, read from rows.

use super::rows::Row;
use crate::numbers::Unit;

/// A value with its interval.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    pub label: String,
    pub value: f64,
    /// The ends of the interval, where there is one.
    pub ends: Option<(f64, f64)>,
}

impl Estimate {
    /// The estimate in these columns of a row: value, lower end, upper end.
    pub fn of(label: &str, row: &Row<'_>, [value, low, high]: [&str; 3]) -> Option<Self> {
        let ends = row.number(low).zip(row.number(high));
        Some(Self { label: label.to_owned(), value: row.number(value)?, ends })
    }

    /// The estimates of all rows that have one.
    pub fn all(labels: &[String], rows: &[Row<'_>], columns: [&str; 3]) -> Vec<Self> {
        labels.iter().zip(rows).filter_map(|(label, row)| Self::of(label, row, columns)).collect()
    }

    /// The same with the other sign: a difference seen from the other side.
    pub fn turned(&self) -> Self {
        let ends = self.ends.map(|(low, high)| (-high, -low));
        Self { value: -self.value, ends, ..self.clone() }
    }

    /// The value and its interval, to be read.
    pub fn text(&self, unit: Unit) -> String {
        let value = unit.text(self.value);
        self.ends.map_or(value.clone(), |(low, high)| {
            format!("{value} ({} to {})", unit.text(low), unit.text(high))
        })
    }
}

/// Estimates as a sentence, for the text alternative of a chart.
pub(super) fn in_words(estimates: &[Estimate], unit: Unit) -> String {
    let words: Vec<String> = estimates.iter().map(|e| format!("{}: {}", e.label, e.text(unit))).collect();
    words.join("; ")
}
