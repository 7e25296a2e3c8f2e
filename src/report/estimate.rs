//! Estimates with their intervals, read from rows.

use super::label::Label;
use super::rows::Row;
use crate::numbers::{Unit, upper_end, with_interval};
use crate::stats::Interval;
use crate::store::is_difference;
use std::collections::BTreeMap;
use std::ops::Range;

/// A value with its interval.
#[derive(Clone, Debug, Default)]
pub(super) struct Estimate {
    pub label: Label,
    /// The agents in the other seats, by seat, where there are any. The strength of two agents is compared at equal tables alone.
    pub others: BTreeMap<String, String>,
    pub value: f64,
    /// The ends of the interval, where there is one; infinite where they are open.
    pub ends: Option<(f64, f64)>,
    /// Whether it is a difference: its text tells on which side of zero it lies.
    pub is_difference: bool,
}

impl Estimate {
    /// The estimate in these columns of a row: value, lower end, upper end.
    pub fn of(row: &Row<'_>, [value, low, high]: [&str; 3]) -> Option<Self> {
        let interval = Interval::between(row.number(low), row.number(high));
        let ends = interval.map(|Interval { low, high }| (low, high));
        let is_difference = is_difference(value);
        Some(Self { value: row.number(value)?, ends, is_difference, ..Self::default() })
    }

    /// The estimates of all rows that have one, with their labels.
    pub fn all(labels: &[Label], rows: &[Row<'_>], columns: [&str; 3]) -> Vec<Self> {
        let estimate =
            |(label, row): (&Label, &Row<'_>)| Some(Self { label: label.clone(), ..Self::of(row, columns)? });
        labels.iter().zip(rows).filter_map(estimate).collect()
    }

    /// The same with the other sign: a difference seen from the other side.
    pub fn turned(&self) -> Self {
        let ends = self.ends.map(|(low, high)| (-high, -low));
        Self { value: -self.value, ends, ..self.clone() }
    }

    /// The value and its interval, to be read: "91.04 % (90.99 to 91.10)", with as many digits as the interval is worth; of a
    /// difference, also with as many as tell on which side of zero it lies.
    pub fn text(&self, unit: Unit) -> String {
        let value = unit.text(self.value);
        let (low, high) = match self.ends {
            None => return value,
            Some((low, f64::INFINITY)) => return format!("{value} ({} or more)", unit.text(low)),
            Some((f64::NEG_INFINITY, high)) => return format!("{value} ({} or less)", unit.text(high)),
            Some(ends) => ends,
        };
        let show = if self.is_difference { Unit::difference } else { Unit::show };
        let [value, interval] = show(unit, self.value, Some(Interval { low, high }));
        format!("{value} ({interval})").replace('-', "\u{2212}")
    }

    /// The upper end of the interval, with as many decimals as the interval is worth, and not rounded down; and the value with its
    /// interval up to this end.
    pub fn up_to(&self, unit: Unit) -> Option<[String; 2]> {
        let (low, high) = self.ends.filter(|(_, high)| high.is_finite())?;
        let (factor, sign) = if unit == Unit::Share { (100.0, " %") } else { (1.0, "") };
        let interval = Interval { low: factor * low, high: factor * high };
        let (high, interval_up) = upper_end(factor * self.value, interval);
        let (value, _) = with_interval(factor * self.value, interval);
        let texts = [high + sign, format!("{value}{sign} ({interval_up})")];
        Some(texts.map(|text| text.replace('-', "\u{2212}")))
    }

    /// Whether the intervals of both are known and do not touch.
    pub fn is_apart(&self, other: &Self) -> bool {
        self.ends.zip(other.ends).is_some_and(|(own, other)| own.0 > other.1 || own.1 < other.0)
    }

    /// Whether both differ though they are the lowest and the highest of so many, that is by intervals that hold for all pairs of
    /// these together.
    pub fn is_apart_among(&self, other: &Self, count: usize) -> bool {
        let jointly = |own: &Self| {
            let ends = own.ends.map(|(low, high)| {
                let wide = Interval { low, high }.jointly(own.value, count * (count - 1) / 2);
                (wide.low, wide.high)
            });
            Self { ends, ..own.clone() }
        };
        jointly(self).is_apart(&jointly(other))
    }

    /// The interval as far as a chart shows it, or the value where there is none.
    pub fn within(&self, axis: &Range<f64>) -> (f64, f64) {
        let (low, high) = self.ends.unwrap_or((self.value, self.value));
        (low.max(axis.start), high.min(axis.end))
    }
}

/// Estimates as a sentence, for the text alternative of a chart.
pub(super) fn in_words(estimates: &[Estimate], unit: Unit) -> String {
    let words: Vec<String> = estimates.iter().map(|e| format!("{}: {}", e.label, e.text(unit))).collect();
    words.join("; ")
}
