//! Rows of the tables of several folders: found, told apart, put into groups.

use super::findings::unquoted;
use super::folder::{Folder, Run, Setting};
use super::label::Label;
use crate::store::Table;
use knave_agents::AgentSpec;
use knave_agents::game::MAX_SEATS;
use serde::Deserialize as _;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::path::Path;

/// What the columns of options of the rules begin with.
pub(super) const RULE: &str = "rule_";

/// Nothing that is measured comes near this, and beyond it numbers have no decimals left.
const MOST: f64 = 1e15;

/// A row of a table.
#[derive(Copy, Clone)]
pub(super) struct Row<'a> {
    /// The folder of the table.
    pub folder: &'a Folder,
    table: &'a Table,
    cells: &'a [String],
    /// The settings that tell nothing apart: all runs of its game on the page have them.
    shared: &'a [Setting],
}

impl<'a> Row<'a> {
    /// The rows of a table of this folder.
    pub fn of(folder: &'a Folder, table: &'a Table) -> impl Iterator<Item = Self> {
        table.rows.iter().map(move |cells| Self { folder, table, cells, shared: &[] })
    }

    /// The folder of the run that the row is about: a cell of a study, or the folder of the table itself.
    pub fn origin(&self) -> &'a Folder {
        self.folder.parts.get(self.text("cell")).unwrap_or(self.folder)
    }

    /// What tells the run that the row is about from others: the folder of the table, and the cell of the study. Of a cell that is gone
    /// there is no more than its name.
    pub fn run(&self) -> (&'a Path, &'a str) {
        (&self.folder.path, self.text("cell"))
    }

    /// The seed, from the table or the manifest of the run; empty where neither tells.
    pub fn seed(&self) -> String {
        let told = Some(self.text("seed")).filter(|seed| !seed.is_empty());
        told.map_or_else(|| self.origin().seed(), ToOwned::to_owned)
    }

    /// The games or deals that were asked for, from the table or the manifest of the run; empty where neither tells.
    pub fn size(&self) -> String {
        let told = Some(self.text("n")).filter(|size| !size.is_empty());
        told.map_or_else(|| self.origin().size(), ToOwned::to_owned)
    }

    /// By what it was played: the cards and the rules of its run. Of a run that is gone the table tells the options that cells set; all
    /// others are those that the cells still there have in common.
    pub fn settings(&self) -> Vec<Cow<'a, Setting>> {
        if let Some(run) = &self.origin().run {
            return run.settings.iter().map(Cow::Borrowed).collect();
        }
        let told: Vec<&str> = self.columns().filter_map(|column| column.strip_prefix(RULE)).collect();
        let rules = told.iter().map(|rule| (*rule, self.text(&format!("{RULE}{rule}"))));
        let rules = rules.filter(|(_, text)| !text.is_empty());
        let rules = rules.map(|(rule, text)| Cow::Owned(Setting::rule(rule, text)));
        let cells = self.folder.parts.values().filter_map(|cell| cell.run.as_ref());
        let mut cells = cells.filter(|run| run.manifest.plan.game() == self.text("game"));
        let first = cells.next().map_or(&[][..], |run| &run.settings[..]);
        let cells: Vec<_> = cells.collect();
        let in_all = |setting: &&Setting| cells.iter().all(|run| run.settings.contains(setting));
        let others = first.iter().filter(|setting| !told.contains(&setting.option.as_str()));
        let mut all: Vec<_> = others.filter(in_all).map(Cow::Borrowed).chain(rules).collect();
        all.sort_by(|a, b| a.option.cmp(&b.option));
        all
    }

    /// The agent of the row as its run recorded it, or else as its name reads.
    pub fn agent(&self) -> Option<AgentSpec> {
        let name = self.text("agent");
        let mut recorded = self.origin().run.iter().flat_map(|run| run.manifest.plan.agents());
        let agent = recorded.find(|agent| agent["label"] == name);
        agent.map_or_else(|| name.parse().ok(), |agent| AgentSpec::deserialize(agent).ok())
    }

    /// The cell in this column; empty where there is none.
    pub fn text(&self, column: &str) -> &'a str {
        let place = self.table.column(column);
        place.and_then(|place| self.cells.get(place)).map_or("", String::as_str)
    }

    /// The number in this column, if it is one that a chart can show.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.text(column).parse().ok().filter(|number: &f64| number.abs() < MOST)
    }

    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.table.columns.iter().map(String::as_str)
    }
}

/// The rows about a game in the tables of this name, of all folders.
pub(super) fn rows<'a>(
    folders: &[&'a Folder],
    file: &str,
    game: &str,
    shared: &'a [Setting],
) -> Vec<Row<'a>> {
    let tables = folders.iter().filter_map(|&folder| Some((folder, folder.table(file)?)));
    let rows = tables.flat_map(|(folder, table)| Row::of(folder, table));
    rows.filter(|row| row.text("game") == game).map(|row| Row { shared, ..row }).collect()
}

/// The settings that all runs of a game on a page share. Of runs that are gone their rows tell.
pub(super) fn shared(folders: &[&Folder], runs: &[(&Folder, &Run)], game: &str) -> Vec<Setting> {
    let there = runs.iter().filter(|(_, run)| run.manifest.plan.game() == game);
    let there = there.map(|(_, run)| run.settings.iter().map(Cow::Borrowed).collect());
    let tables = folders.iter().flat_map(|&folder| folder.tables.iter().map(move |table| (folder, table)));
    let rows = tables.flat_map(|(folder, table)| Row::of(folder, table));
    let gone = rows.filter(|row| row.text("game") == game && row.origin().run.is_none());
    let mut all = there.chain(gone.map(|row| row.settings()));
    let mut shared: Vec<Cow<'_, Setting>> = all.next().unwrap_or_default();
    all.for_each(|own| shared.retain(|setting| own.contains(setting)));
    shared.into_iter().map(Cow::into_owned).collect()
}

/// The columns of all tables that these rows stand in. A column that the tables before it lack comes behind the one that it follows in its
/// own table.
pub(super) fn columns<'a>(rows: &[Row<'a>]) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for table in rows.chunk_by(|a, b| std::ptr::eq(a.table, b.table)).map(|rows| rows[0]) {
        let mut next = 0;
        for column in table.columns() {
            let place = all.iter().position(|known| *known == column).unwrap_or_else(|| {
                all.insert(next, column);
                next
            });
            next = place + 1;
        }
    }
    all
}

/// The settings of each row that not all runs of its game share. Only what was played by the same ones can be compared.
pub(super) fn settings<'a>(rows: &[Row<'a>]) -> Vec<Vec<Cow<'a, Setting>>> {
    let told = |row: &Row<'a>| {
        let mut own = row.settings();
        own.retain(|setting| !row.shared.contains(setting));
        own
    };
    rows.iter().map(told).collect()
}

/// Labels that tell rows apart: the columns `always`, of the columns `also` those in which rows differ, and the settings in which runs
/// of the game do, be it those of another table on the page. Where two runs would have the same label, other differences between runs
/// are added: seed, size, cell, folder.
pub(super) fn labels(rows: &[Row<'_>], always: &[&str], also: &[&str]) -> Vec<Label> {
    let differ = |column: &&str| rows.iter().any(|row| row.text(column) != rows[0].text(column));
    let also: Vec<&str> = also.iter().copied().filter(differ).collect();
    let label = |(row, settings): (&Row<'_>, Vec<Cow<'_, Setting>>)| {
        let names = always.iter().map(|column| row.text(column).to_owned());
        let columns = also.iter().map(|column| named(column, row.text(column)));
        Label {
            names: names.filter(|text| !text.is_empty()).collect(),
            columns: columns.filter(|text| !text.is_empty()).collect(),
            settings: settings.into_iter().map(|setting| setting.text.clone()).collect(),
            further: Vec::new(),
        }
    };
    let mut labels: Vec<Label> = rows.iter().zip(settings(rows)).map(label).collect();
    tell_apart(&mut labels, rows, &vec![(); rows.len()]);
    labels
}

/// Adds other differences between runs to labels, each where it tells rows apart that have the same label and place: seed, size, cell,
/// folder.
pub(super) fn tell_apart<P: Eq + Hash>(labels: &mut [Label], rows: &[Row<'_>], places: &[P]) {
    let further: [&dyn Fn(&Row<'_>) -> String; 4] = [
        &|row| named("seed", &row.seed()),
        &|row| named("n", &row.size()),
        &|row| unquoted(row.text("cell")),
        &|row| unquoted(&row.folder.name),
    ];
    for text_of in further {
        let texts: Vec<String> = rows.iter().map(text_of).collect();
        if do_differ(&texts, labels, places) {
            for (label, text) in labels.iter_mut().zip(texts).filter(|(_, text)| !text.is_empty()) {
                label.further.push(text);
            }
        }
    }
}

/// Whether two rows with the same label and place have different texts.
pub(super) fn do_differ<P: Eq + Hash>(texts: &[String], labels: &[Label], places: &[P]) -> bool {
    let mut first = HashMap::new();
    let mut rows = labels.iter().zip(places).zip(texts);
    rows.any(|(place, text)| *first.entry(place).or_insert(text) != text)
}

/// A text that speaks for itself, or one with the name of its column: a number, or a judge, which would be read as a player.
pub(super) fn named(column: &str, text: &str) -> String {
    let needs_name = (column == "judge" && !text.is_empty()) || text.parse::<f64>().is_ok();
    if needs_name { format!("{column} {text}") } else { text.to_owned() }
}

/// The agents in the other seats of the run that each row is about, by seat.
pub(super) fn others(rows: &[Row<'_>]) -> Vec<BTreeMap<String, String>> {
    let mut tables: HashMap<(&Path, &str), BTreeMap<&str, &str>> = HashMap::new();
    for row in rows {
        let seats = tables.entry(row.run()).or_default();
        seats.insert(row.text("seat"), row.text("agent"));
    }
    let beside = |row: &Row<'_>| {
        let seats = tables[&row.run()].iter();
        // A table that no game has is not told whole.
        let seats = seats.filter(|(seat, _)| **seat != row.text("seat")).take(MAX_SEATS);
        seats.map(|(seat, agent)| ((*seat).to_owned(), (*agent).to_owned())).collect()
    };
    rows.iter().map(beside).collect()
}

/// The items with the same key, in the order in which the keys come first.
pub(super) fn groups<T: Copy, K: Clone + Eq + Hash>(items: &[T], keys: &[K]) -> Vec<(K, Vec<T>)> {
    let mut places: HashMap<&K, usize> = HashMap::new();
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for (item, key) in items.iter().zip(keys) {
        let place = *places.entry(key).or_insert_with(|| {
            groups.push((key.clone(), Vec::new()));
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
