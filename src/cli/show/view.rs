//! One table for `sim show`: in the terminal, in a document, as JSON.

use crate::numbers::{short, thousands, with_interval};
use crate::stats::Interval;
use crate::store::Table;
use crate::studies::run::tables::SCORES;
use crate::studies::solve::tables::VALUES;
use crate::text::{aligned, markdown};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The most rows of a table that are shown, unless it is asked for by name.
const MOST_ROWS: usize = 40;

/// The bars of a histogram, and how long the longest is.
const BARS: usize = 16;
const LONGEST_BAR: usize = 40;

/// A table to be shown.
pub(super) struct View {
    pub table: Table,
    /// Whether all rows are wanted, as they stand.
    pub whole: bool,
}

impl View {
    /// Its name without the ending of the file.
    pub fn stem(&self) -> &str {
        self.table.file.trim_end_matches(".csv")
    }

    /// The table to be read in the terminal, as histograms where it holds those.
    pub fn text(&self) -> String {
        let body = self.histograms().filter(|_| !self.whole).unwrap_or_else(|| {
            let (lines, left) = self.lines();
            aligned(&lines, left) + &self.rest()
        });
        format!("\n{}\n{body}", self.table.file)
    }

    /// The table to be put into a document.
    pub fn markdown(&self) -> String {
        let (lines, left) = self.lines();
        let rest = self.rest();
        let gap = if rest.is_empty() { "" } else { "\n" };
        format!("**{}**\n\n{}{gap}{rest}", self.table.file, markdown(&lines, left))
    }

    /// The number of columns that tell what the head does: the game, or none in a table of many cells.
    fn above(&self) -> usize {
        usize::from(self.table.columns.first().is_some_and(|name| name == "game"))
    }

    /// The rows that are shown.
    fn rows(&self) -> &[Vec<String>] {
        let rows = &self.table.rows;
        if self.whole { rows } else { &rows[..rows.len().min(MOST_ROWS)] }
    }

    /// A line about the rows that are not shown.
    fn rest(&self) -> String {
        let rest = self.table.rows.len() - self.rows().len();
        if rest == 0 {
            String::new()
        } else {
            format!("… and {} more rows: --table {}\n", thousands(rest as u64), self.table.file)
        }
    }

    /// The cells to be read, a line each, the header first, and how many columns at the left hold text. The ends of
    /// an interval share a column; a value is printed with as many digits as its interval is worth.
    fn lines(&self) -> (Vec<Vec<String>>, usize) {
        let columns = self.columns();
        let title = |column: &Column| match column.is_interval() {
            true => "95 % interval".to_owned(),
            false => self.table.columns[column.place].clone(),
        };
        let rows = self.rows().iter().map(|row| columns.iter().map(|column| column.text(row)).collect());
        let lines: Vec<Vec<String>> = [columns.iter().map(title).collect()].into_iter().chain(rows).collect();
        let is_text = |i: &usize| {
            lines[1..].iter().any(|line| line[*i].parse::<f64>().is_err() && !line[*i].is_empty())
        };
        let left = (0..columns.len()).take_while(is_text).count();
        (lines, left)
    }

    /// The columns to be read. The game stands above, and empty columns tell nothing.
    fn columns(&self) -> Vec<Column> {
        let ends = |low: usize| {
            let prefix = self.table.columns.get(low)?.strip_suffix("low")?;
            Some((low, self.table.column(&format!("{prefix}high"))?))
        };
        let places = 0..self.table.columns.len();
        let highs: Vec<usize> = places.clone().filter_map(ends).map(|(_, high)| high).collect();
        let told = |place: &usize| self.table.rows.iter().any(|row| !row[*place].is_empty());
        // The value of an interval stands before it.
        let column = |place| Column { place, ends: ends(place).or_else(|| ends(place + 1)) };
        places.skip(self.above()).filter(|place| !highs.contains(place)).filter(told).map(column).collect()
    }

    /// The rows as objects.
    pub fn json(&self) -> Value {
        let cell = |text: &String| match text.parse::<serde_json::Number>() {
            Ok(number) => Value::Number(number),
            Err(_) if text.is_empty() => Value::Null,
            Err(_) => Value::String(text.clone()),
        };
        let row = |row: &Vec<String>| {
            Value::Object(self.table.columns.iter().cloned().zip(row.iter().map(cell)).collect::<Map<_, _>>())
        };
        self.table.rows.iter().map(row).collect()
    }

    /// Histograms, where this is a table of them: scores by seat, or best values.
    fn histograms(&self) -> Option<String> {
        let (value, count) = match &self.table.file {
            file if file == SCORES.file => ("score", "games"),
            file if file == VALUES.file => ("value", "deals"),
            _ => return None,
        };
        let (value, count) = (self.table.column(value)?, self.table.column(count)?);
        let mut groups: Vec<(String, BTreeMap<i64, u64>)> = Vec::new();
        for row in &self.table.rows {
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

/// A column to be read: a value, or the interval that begins in its place.
struct Column {
    place: usize,
    /// Where the ends of the interval stand, if there is one.
    ends: Option<(usize, usize)>,
}

impl Column {
    fn is_interval(&self) -> bool {
        self.ends.is_some_and(|(low, _)| low == self.place)
    }

    /// The cell of this row, to be read.
    fn text(&self, row: &[String]) -> String {
        let number = |place: usize| row[place].parse::<f64>().ok();
        let interval =
            self.ends.and_then(|(low, high)| Some(Interval { low: number(low)?, high: number(high)? }));
        let Some((value, interval)) = number(self.place).zip(interval) else {
            return short(&row[self.place]);
        };
        let (value, interval) = with_interval(value, interval);
        if self.is_interval() { interval } else { value }
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
    let places = first.div_euclid(2 * width)..=last.div_euclid(2 * width);
    let mut bins: BTreeMap<i64, u64> = places.map(|bin| (bin, 0)).collect();
    for (&value, &count) in counts {
        let sum = bins.entry(value.div_euclid(2 * width)).or_default();
        *sum = count.saturating_add(*sum);
    }
    let most = bins.values().copied().max().unwrap_or(1);
    let lines = bins.iter().map(|(bin, &count)| {
        let length = (count as f64 / most as f64 * LONGEST_BAR as f64).ceil() as usize;
        let from = bin * width;
        let range = if width == 1 { from.to_string() } else { format!("{from} to {}", from + width - 1) };
        // The bars begin at the left.
        vec![range, thousands(count), format!("{:<LONGEST_BAR$}", "█".repeat(length))]
    });
    aligned(&lines.collect::<Vec<_>>(), 0)
}
