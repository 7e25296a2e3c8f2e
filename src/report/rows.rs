//! Rows of the tables of several folders: found, told apart, put into groups.

use super::folder::Folder;
use crate::store::Table;
use knave_agents::game::MAX_SEATS;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// A row of a table.
#[derive(Copy, Clone)]
pub(super) struct Row<'a> {
    /// The folder of the table.
    pub folder: &'a Folder,
    table: &'a Table,
    cells: &'a [String],
}

impl<'a> Row<'a> {
    /// The rows of a table of this folder.
    pub fn of(folder: &'a Folder, table: &'a Table) -> impl Iterator<Item = Self> {
        table.rows.iter().map(move |cells| Self { folder, table, cells })
    }

    /// The folder of the run that the row is about: a cell of a study, or the folder of the table itself.
    pub fn origin(&self) -> &'a Folder {
        self.folder.parts.get(self.text("cell")).unwrap_or(self.folder)
    }

    /// The cell in this column; empty where there is none.
    pub fn text(&self, column: &str) -> &'a str {
        let place = self.table.column(column);
        place.and_then(|place| self.cells.get(place)).map_or("", String::as_str)
    }

    /// The number in this column.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.text(column).parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.table.columns.iter().map(String::as_str)
    }
}

/// The rows about a game in the tables of this name, of all folders.
pub(super) fn rows<'a>(folders: &[&'a Folder], file: &str, game: &str) -> Vec<Row<'a>> {
    let tables = folders.iter().filter_map(|&folder| Some((folder, folder.table(file)?)));
    let rows = tables.flat_map(|(folder, table)| Row::of(folder, table));
    rows.filter(|row| row.text("game") == game).collect()
}

/// Labels that tell rows apart: the columns `always`, and of the columns `also` those in which rows differ. Where two
/// runs would have the same label, the differences between runs are added: rules, seed, size, cell, folder.
pub(super) fn labels(rows: &[Row<'_>], always: &[&str], also: &[&str]) -> Vec<String> {
    let differ = |column: &&str| rows.iter().any(|row| row.text(column) != rows[0].text(column));
    let also: Vec<&str> = also.iter().copied().filter(differ).collect();
    let label = |row: &Row<'_>| {
        let fixed = always.iter().map(|column| row.text(column).to_owned());
        let varying = also.iter().map(|column| named(column, row.text(column)));
        fixed.chain(varying).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    };
    let mut labels: Vec<String> = rows.iter().map(label).collect();
    let origins: Vec<&Path> = rows.iter().map(|row| row.origin().path.as_path()).collect();

    let rules = rows.iter().flat_map(Row::columns).filter(|column| column.starts_with("rule_"));
    let rules: BTreeSet<&str> = rules.collect::<BTreeSet<_>>().into_iter().filter(differ).collect();
    let of_rules = |row: &Row<'_>| {
        let given = row.columns().filter(|column| rules.contains(column) && !row.text(column).is_empty());
        given
            .map(|column| format!("{}={}", &column["rule_".len()..], row.text(column)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let further: [&dyn Fn(&Row<'_>) -> String; 5] = [
        &of_rules,
        &|row| named("seed", row.text("seed")),
        &|row| named("n", row.text("n")),
        &|row| row.text("cell").to_owned(),
        &|row| row.folder.name.clone(),
    ];
    for text_of in further {
        if !clash(&labels, &origins) {
            break;
        }
        let texts: Vec<String> = rows.iter().map(text_of).collect();
        if texts.iter().any(|text| *text != texts[0]) {
            for (label, text) in labels.iter_mut().zip(texts).filter(|(_, text)| !text.is_empty()) {
                *label += &format!(" · {text}");
            }
        }
    }
    labels
}

/// A text that speaks for itself, or a number with the name of its column.
pub(super) fn named(column: &str, text: &str) -> String {
    if text.parse::<f64>().is_ok() { format!("{column} {text}") } else { text.to_owned() }
}

/// Whether rows of different runs have the same label.
fn clash(labels: &[String], origins: &[&Path]) -> bool {
    let mut first: HashMap<&str, &Path> = HashMap::new();
    labels.iter().zip(origins).any(|(label, origin)| *first.entry(label).or_insert(origin) != *origin)
}

/// The agents in the other seats of the run that each row is about, by seat.
pub(super) fn others(rows: &[Row<'_>]) -> Vec<BTreeMap<String, String>> {
    let mut tables: HashMap<&Path, BTreeMap<&str, &str>> = HashMap::new();
    for row in rows {
        let seats = tables.entry(&row.origin().path).or_default();
        seats.insert(row.text("seat"), row.text("agent"));
    }
    let beside = |row: &Row<'_>| {
        let seats = tables[row.origin().path.as_path()].iter();
        // A table that no game has is not told whole.
        let seats = seats.filter(|(seat, _)| **seat != row.text("seat")).take(MAX_SEATS);
        seats.map(|(seat, agent)| ((*seat).to_owned(), (*agent).to_owned())).collect()
    };
    rows.iter().map(beside).collect()
}

/// The items with the same label, in the order in which the labels come first.
pub(super) fn groups<T: Copy>(items: &[T], labels: &[String]) -> Vec<(String, Vec<T>)> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut groups: Vec<(String, Vec<T>)> = Vec::new();
    for (item, label) in items.iter().zip(labels) {
        let place = *places.entry(label).or_insert_with(|| {
            groups.push((label.clone(), Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(*item);
    }
    groups
}

/// These texts, each once, in the order in which they come first.
pub(super) fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    texts.filter(|text| seen.insert(*text)).map(ToOwned::to_owned).collect()
}
