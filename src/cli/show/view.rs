//! One table for `sim show`: in the terminal, in a document, as JSON.

use crate::numbers::{INTERVAL, difference, noun, short, thousands, with_interval};
use crate::screen::{fits, has_unicode, strong, table};
use crate::stats::Interval;
use crate::store::{ColumnKind, Table, column_kind, is_difference};
use crate::studies::run::tables::SCORES;
use crate::studies::solve::tables::VALUES;
use crate::text::{aligned, markdown, visible};
use std::collections::BTreeMap;

/// The most rows of a table that are shown, unless it is asked for by name.
const MOST_ROWS: usize = 40;

/// Numbers that say what a row is about, beside texts and rules.
const KEYS: [&str; 8] = ["index", "number", "seat", "threshold", "die", "seed", "own_length", "opp_length"];

/// The name of a cell, with which the rows of a joined table begin.
const CELL: &str = "cell";

/// Whether a column of a joined table says what the cell is, so that the name of the cell stands for it.
fn is_of_cell(name: &str) -> bool {
    ["seed", "n", "game", "command", "agents"].contains(&name) || column_kind(name) == ColumnKind::Option
}

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
    /// The table to be read in the terminal, as histograms where it holds those.
    pub fn text(&self, width: usize) -> String {
        let body = self.histograms(width).filter(|_| !self.whole).unwrap_or_else(|| {
            let (lines, keys) = self.lines();
            let (same, lines, keys) = shared(lines, keys, width, self.is_shared());
            let dots = if has_unicode() { "…" } else { "..." };
            same + &table(&lines, keys, width) + &self.rest(dots)
        });
        format!("\n{}\n{body}", strong(&visible(&self.table.file)))
    }

    /// The table to be put into a document.
    pub fn markdown(&self) -> String {
        let (lines, _) = self.lines();
        let is_text = |i: &usize| lines[1..].iter().any(|line| line[*i].starts_with(char::is_alphabetic));
        let left: Vec<bool> = (0..lines[0].len()).map(|i| is_text(&i)).collect();
        let rest = self.rest("…");
        let gap = if rest.is_empty() { "" } else { "\n" };
        format!("**{}**\n\n{}{gap}{rest}", self.table.file, markdown(&lines, &left))
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

    /// Tells of a column that is read whether all rows have the same in it, also those that are not shown.
    fn is_shared(&self) -> impl Fn(usize) -> bool {
        let (rows, columns) = (&self.table.rows, self.columns());
        move |column| {
            let place = columns[column].place;
            rows.len() > 1 && rows.iter().all(|row| row[place] == rows[0][place])
        }
    }

    /// A line about the rows that are not shown.
    fn rest(&self, dots: &str) -> String {
        match self.table.rows.len() - self.rows().len() {
            0 => String::new(),
            rest => {
                let (rest, file) = (thousands(rest as u64), visible(&self.table.file));
                format!("{dots} and {rest} more rows: --table {file}\n")
            }
        }
    }

    /// The cells to be read, a line each, the header first, and how many columns say what a row is about. The ends of
    /// an interval share a column; a value is printed with as many digits as its interval is worth. All of them are visible.
    fn lines(&self) -> (Vec<Vec<String>>, usize) {
        let columns = self.columns();
        let name = |column: &Column| self.table.columns[column.place].as_str();
        let title = |column: &Column| match column.is_interval() {
            true => INTERVAL.to_owned(),
            false => visible(name(column)).into_owned(),
        };
        // The gap of a bound stands in the column of the means.
        let measure = self.table.column("measure");
        let is_difference = |column: &Column, row: &[String]| {
            is_difference(&self.table.columns[column.value()])
                || measure.is_some_and(|place| row[place] == "gap")
        };
        let cell = |column: &Column, row: &[String]| {
            visible(&column.text(row, is_difference(column, row))).into_owned()
        };
        let rows = self.rows().iter().map(|row| columns.iter().map(|column| cell(column, row)).collect());
        let lines: Vec<Vec<String>> = [columns.iter().map(title).collect()].into_iter().chain(rows).collect();
        let is_joined = columns.first().is_some_and(|first| name(first) == CELL);
        let is_key = |name: &str| {
            KEYS.contains(&name)
                || matches!(column_kind(name), ColumnKind::Text | ColumnKind::Option)
                || (is_joined && is_of_cell(name))
        };
        let keys = columns.iter().map(name).take_while(|name| is_key(name)).count();
        (lines, keys)
    }

    /// The columns to be read. The game stands above, and empty columns tell nothing.
    fn columns(&self) -> Vec<Column> {
        let ends = |low: usize| {
            let prefix = self.table.columns.get(low)?.strip_suffix("low")?;
            Some((low, self.table.column(&format!("{prefix}high"))?))
        };
        let places = 0..self.table.columns.len();
        let highs: Vec<usize> = places.clone().filter_map(ends).map(|(_, high)| high).collect();
        let is_told = |place: usize| self.table.rows.iter().any(|row| !row[place].is_empty());
        let told = |place: &usize| is_told(*place) || ends(*place).is_some_and(|(_, high)| is_told(high));
        // The value of an interval stands before it.
        let column = |place| Column { place, ends: ends(place).or_else(|| ends(place + 1)) };
        places.skip(self.above()).filter(|place| !highs.contains(place)).filter(told).map(column).collect()
    }

    /// Histograms, where this is a table of them: scores by seat, or best values. Deals without a value are counted between them.
    fn histograms(&self, width: usize) -> Option<String> {
        let (value, nouns) = match &self.table.file {
            file if file == SCORES.file => ("score", "games"),
            file if file == VALUES.file => ("value", "deals"),
            _ => return None,
        };
        let (value, count) = (self.table.column(value)?, self.table.column(nouns)?);
        // The counts of each value; none for rows without one.
        let mut groups: Vec<(String, BTreeMap<i64, u64>)> = Vec::new();
        for row in &self.table.rows {
            let title = row.get(self.above()..value).unwrap_or_default().join(", ");
            let Ok(times) = row[count].parse::<u64>() else { continue };
            if row[value].is_empty() {
                groups
                    .push((format!("{title}: {} {}", thousands(times), noun(times, nouns)), BTreeMap::new()));
                continue;
            }
            // Beyond this nothing is a score of a game.
            let Some(score) = row[value].parse::<f64>().ok().filter(|score| (-1e9..1e9).contains(score))
            else {
                continue;
            };
            if groups.last().is_none_or(|(other, _)| *other != title) {
                groups.push((title, BTreeMap::new()));
            }
            let (_, counts) = groups.last_mut()?;
            // Halves of points are counted twice over, so that keys are whole.
            let sum = counts.entry((2.0 * score).round() as i64).or_default();
            *sum = times.saturating_add(*sum);
        }
        let group = |(title, counts): &(String, _)| format!("{}\n{}", visible(title), bars(counts, width));
        let is_any = groups.iter().any(|(_, counts)| !counts.is_empty());
        is_any.then(|| groups.iter().map(group).collect())
    }
}

/// The keys that all rows of a table share, in a line above it, and the rest of the table: where it is too wide otherwise. In a joined
/// table what the cell stands for is no key then and follows the others.
fn shared(
    lines: Vec<Vec<String>>,
    keys: usize,
    width: usize,
    is_shared: impl Fn(usize) -> bool,
) -> (String, Vec<Vec<String>>, usize) {
    if lines.len() < 2 || fits(&lines, width) {
        return (String::new(), lines, keys);
    }
    let head = &lines[0];
    let is_joined = head.first().is_some_and(|name| name == CELL);
    let gives_way = |i: usize| is_joined && is_of_cell(&head[i]);
    let (given, own): (Vec<usize>, Vec<usize>) = (0..keys).partition(|&i| gives_way(i));
    // Rows that share all of their keys keep them.
    let keeps_all = own.iter().all(|&i| is_shared(i));
    let leaves = |&i: &usize| is_shared(i) && !(keeps_all && own.contains(&i));
    let told: Vec<String> =
        (0..keys).filter(leaves).map(|i| format!("{} {}", head[i], lines[1][i])).collect();
    let own: Vec<usize> = own.iter().copied().filter(|i| !leaves(i)).collect();
    let given = given.iter().copied().filter(|i| !leaves(i));
    let order: Vec<usize> = own.iter().copied().chain(given).chain(keys..head.len()).collect();
    let same = if told.is_empty() { String::new() } else { format!("All rows: {}\n", told.join(", ")) };
    let picked = |line: &Vec<String>| order.iter().map(|&i| line[i].clone()).collect();
    (same, lines.iter().map(picked).collect(), own.len())
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

    /// Where the value stands.
    fn value(&self) -> usize {
        if self.is_interval() { self.place.saturating_sub(1) } else { self.place }
    }

    /// The cell of this row, to be read.
    fn text(&self, row: &[String], is_difference: bool) -> String {
        let number = |place: usize| row[place].parse::<f64>().ok();
        let interval = self.ends.and_then(|(low, high)| Interval::between(number(low), number(high)));
        let show = if is_difference { difference } else { with_interval };
        match (number(self.value()), interval) {
            (value, Some(interval)) if self.is_interval() => show(value.unwrap_or(interval.low), interval).1,
            (Some(value), Some(interval)) => show(value, interval).0,
            _ => short(&row[self.place]),
        }
    }
}

/// A histogram of values that are counted in halves, on a screen of this width.
fn bars(counts: &BTreeMap<i64, u64>, screen: usize) -> String {
    let (Some((&first, _)), Some((&last, _))) = (counts.first_key_value(), counts.last_key_value()) else {
        return String::new();
    };
    // Points are counted one by one, unless there are halves.
    let point = if counts.keys().all(|value| value % 2 == 0) { 2 } else { 1 };
    // A round width: 1, 2, 5, 10, 20, …
    let mut width = 1;
    while (last - first) / (point * width) >= BARS as i64 {
        width = match width.to_string().as_bytes()[0] {
            b'2' => width / 2 * 5,
            _ => width * 2,
        };
    }
    let wide = point * width;
    let places = first.div_euclid(wide)..=last.div_euclid(wide);
    let mut bins: BTreeMap<i64, u64> = places.map(|bin| (bin, 0)).collect();
    for (&value, &count) in counts {
        let sum = bins.entry(value.div_euclid(wide)).or_default();
        *sum = count.saturating_add(*sum);
    }
    let most = bins.values().copied().max().unwrap_or(1);
    let points = |halves: i64| (halves as f64 / 2.0).to_string();
    let label = |(bin, &count): (&i64, &u64)| {
        let (from, to) = (bin * wide, (bin + 1) * wide - point);
        let range = if from == to { points(from) } else { format!("{} to {}", points(from), points(to)) };
        [range, thousands(count)]
    };
    let labels: Vec<[String; 2]> = bins.iter().map(label).collect();
    let widest = |place: usize| labels.iter().map(|label| label[place].len()).max().unwrap_or_default();
    let bar = if has_unicode() { "█" } else { "#" };
    // Two spaces stand between columns.
    let longest = screen.saturating_sub(widest(0) + widest(1) + 4).clamp(1, LONGEST_BAR);
    let lines = labels.iter().zip(bins.values()).map(|([range, games], &count)| {
        let length = (count as f64 / most as f64 * longest as f64).ceil() as usize;
        // The bars begin at the left.
        vec![range.clone(), games.clone(), format!("{:<longest$}", bar.repeat(length))]
    });
    aligned(&lines.collect::<Vec<_>>(), 0)
}
