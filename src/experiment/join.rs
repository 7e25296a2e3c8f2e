//! The tables of all cells of a study, joined, with the settings of the cell before each row.

use super::file::Cell;
use crate::json::plain;
use crate::store::{CELLS, Manifest, Table, replace};
use crate::studies::BY_INDEX;
use anyhow::Context as _;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// The columns of every joined table before the rules.
const SETTINGS: [&str; 3] = ["cell", "seed", "n"];

/// The columns of [`CELLS`] behind the settings of a cell: what was asked, and what was done.
const ASKED: [&str; 3] = ["command", "game", "agents"];
const DONE: [&str; 5] = ["finished", "partial", "seconds", "games_per_second", "threads"];

/// The settings of cells, which stand before each row of a joined table.
struct Settings<'a> {
    /// The rules that any cell names.
    rules: BTreeSet<&'a String>,
}

impl<'a> Settings<'a> {
    fn of(cells: impl IntoIterator<Item = &'a Cell>) -> Self {
        Self { rules: cells.into_iter().flat_map(|cell| cell.rules.keys()).collect() }
    }

    fn columns(&self) -> impl Iterator<Item = String> {
        let settings = SETTINGS.map(ToOwned::to_owned);
        settings.into_iter().chain(self.rules.iter().map(|rule| format!("rule_{rule}")))
    }

    /// The manifest tells what was played, defaults included, and each value in one way; empty is an option that means nothing there.
    fn row(&self, cell: &Cell, manifest: &Manifest) -> impl Iterator<Item = String> {
        let all = manifest.plan.request.get("rules");
        let played = |rule: &String| all?.get(rule).filter(|value| !value.is_null());
        let value =
            |&rule: &&String| played(rule).or_else(|| cell.rules.get(rule)).map(plain).unwrap_or_default();
        let rules: Vec<String> = self.rules.iter().map(value).collect();
        // Of deals that stand in a file only the manifest knows the number.
        let number = |field: &str| manifest.plan.request.get(field).map(plain).unwrap_or_default();
        [cell.name.clone(), number("seed"), number("n")].into_iter().chain(rules)
    }

    fn columns_of_list(&self) -> Vec<String> {
        self.columns().chain(ASKED.iter().chain(&DONE).map(|&name| name.to_owned())).collect()
    }

    fn row_of_list(&self, cell: &Cell, manifest: &Manifest) -> Vec<String> {
        let mut agents = cell.agents.join(" ");
        if agents.is_empty() {
            // A bound has one that need not be named.
            let labels = manifest.plan.agents().iter().filter_map(|agent| agent["label"].as_str());
            agents = labels.collect::<Vec<_>>().join(" ");
        }
        let asked = [cell.command.clone(), manifest.plan.game().to_owned(), agents];
        self.row(cell, manifest).chain(asked).chain(done(manifest)).collect()
    }
}

/// The cells of the columns [`DONE`].
fn done(manifest: &Manifest) -> [String; 5] {
    let timing = &manifest.timing;
    [
        manifest.finished.to_string(),
        u8::from(manifest.partial).to_string(),
        format!("{:.3}", timing.seconds),
        timing.games_per_second.map_or_else(String::new, |speed| format!("{speed:.3}")),
        timing.threads.to_string(),
    ]
}

/// The rows of a table with these columns alone; nothing where it lacks one.
fn cells_of<'a>(table: &Table, columns: impl Iterator<Item = &'a str>) -> Option<BTreeSet<Vec<String>>> {
    let places = columns.map(|name| table.column(name)).collect::<Option<Vec<usize>>>()?;
    let row = |row: &Vec<String>| places.iter().filter_map(|&place| row.get(place).cloned()).collect();
    Some(table.rows.iter().map(row).collect())
}

/// What lies in a folder with a manifest that was not there when its tables were joined, without asking the study whether it is
/// one of its cells. Nothing where no tables are joined.
#[must_use]
pub fn not_joined(out: &Path) -> Vec<String> {
    let Ok(list) = Table::read(&out.join(CELLS), usize::MAX) else { return Vec::new() };
    let names = ["cell"].into_iter().chain(DONE);
    let Some(rows) = cells_of(&list, names) else { return Vec::new() };
    let folders = fs::read_dir(out).into_iter().flatten().flatten();
    let mut names: Vec<String> = folders
        .filter_map(|entry| {
            let (name, manifest) =
                (entry.file_name().into_string().ok()?, Manifest::read(&entry.path()).ok()?);
            let row = [name.clone()].into_iter().chain(done(&manifest)).collect::<Vec<_>>();
            (!rows.contains(&row)).then_some(name)
        })
        .collect();
    names.sort();
    names
}

/// Which tables of this manifest are joined: those of `chosen`, or all but those with a row for each index, which stay where they
/// are.
fn joined<'a>(manifest: &'a Manifest, chosen: Option<&'a [String]>) -> impl Iterator<Item = &'a String> {
    let long = |name: &String| BY_INDEX.contains(&name.as_str());
    let tables = manifest.files.iter().filter(|name| name.ends_with(".csv"));
    tables.filter(move |name| chosen.map_or(!long(name), |chosen| chosen.contains(name)))
}

/// The names of the cells whose manifests are those that were there when the tables in `out` were joined, if all of their tables
/// still are there.
pub fn listed(out: &Path, cells: &[Cell], chosen: Option<&[String]>) -> BTreeSet<String> {
    let Ok(list) = Table::read(&out.join(CELLS), usize::MAX) else { return BTreeSet::new() };
    let mut settings = Settings::of(cells);
    // A list of more cells may have more columns. One that lacks an option tells of cells that do not set it: they have its default.
    let has_option = |rule: &String| list.column(&format!("rule_{rule}")).is_some();
    settings.rules.retain(|rule| has_option(rule));
    let columns = settings.columns_of_list();
    let Some(rows) = cells_of(&list, columns.iter().map(String::as_str)) else { return BTreeSet::new() };
    let is_listed = |cell: &&Cell| {
        let manifest = Manifest::read(&out.join(&cell.name));
        manifest.is_ok_and(|manifest| {
            cell.rules.keys().all(has_option)
                && rows.contains(&settings.row_of_list(cell, &manifest))
                && joined(&manifest, chosen).all(|name| out.join(name).is_file())
        })
    };
    cells.iter().filter(is_listed).map(|cell| cell.name.clone()).collect()
}

/// The cell of each row of a joined table.
pub fn cells(table: &Table) -> impl Iterator<Item = &String> {
    let place = table.column("cell");
    table.rows.iter().filter_map(move |row| row.get(place?))
}

/// Whether a file is a table that was joined.
pub fn is_joined(path: &Path) -> bool {
    Table::read(path, 0).is_ok_and(|table| has_settings(&table))
}

/// Whether a table was joined, by the columns that stand before all others.
fn has_settings(table: &Table) -> bool {
    table.columns.starts_with(&SETTINGS.map(ToOwned::to_owned))
}

/// The cells whose rows stand in a joined table and nowhere else, as their folders hold no such table. Those of a committed study
/// keep their manifests alone.
pub fn kept_here_alone(out: &Path, name: &str) -> io::Result<BTreeSet<String>> {
    let path = out.join(name);
    let mut cells = BTreeSet::new();
    let has_rows = fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() > 0);
    if !has_rows || !has_settings(&Table::read(&path, 0)?) {
        return Ok(cells);
    }
    Table::read_where(&path, |line| {
        cells.insert(line.text("cell").to_owned());
        false
    })?;
    cells.retain(|cell| !out.join(cell).join(name).exists());
    Ok(cells)
}

/// Removes joined tables that do not stay, and from the others the rows of cells that the study does not have. Nothing is joined: the
/// cells of a committed study have no tables to join.
pub fn prune(
    out: &Path,
    is_cell: impl Fn(&str) -> bool,
    stays: impl Fn(&str) -> bool,
    known: &BTreeSet<&str>,
) -> anyhow::Result<()> {
    // The list comes last, as where tables are joined.
    for name in known.iter().copied().chain([CELLS]) {
        let path = out.join(name);
        if !is_joined(&path) {
            continue;
        }
        if name != CELLS && !stays(name) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            continue;
        }
        let table = Table::read_where(&path, |line| is_cell(line.text("cell")))?;
        if table.more > 0 {
            replace(&path, &table.csv()?).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}

/// Joins the tables, those of `chosen` or all, and returns the names of the files. Removes tables that an earlier join wrote and this
/// one does not, if their names are among `known`: nothing would tell them from what belongs to these cells.
pub fn join(
    out: &Path,
    cells: &[Cell],
    chosen: Option<&[String]>,
    known: &BTreeSet<&str>,
) -> anyhow::Result<Vec<String>> {
    let settings = Settings::of(cells);
    // Tables in the order in which cells first have them.
    let mut tables: Vec<Table> = Vec::new();
    let columns = settings.columns_of_list();
    let mut list = Table { file: CELLS.to_owned(), columns, ..Table::default() };
    for cell in cells {
        let folder = out.join(&cell.name);
        let Ok(manifest) = Manifest::read(&folder) else {
            continue;
        };
        list.rows.push(settings.row_of_list(cell, &manifest));
        for name in joined(&manifest, chosen) {
            let path = folder.join(name);
            let table = Table::read(&path, usize::MAX).map_err(|error| {
                let (path, folder) = (path.display(), folder.display());
                anyhow::anyhow!("{path}: {error}; remove {folder}, and the same command does this cell again")
            })?;
            let columns: Vec<String> = settings.columns().chain(table.columns).collect();
            let place = tables.iter().position(|other| other.file == *name).unwrap_or_else(|| {
                tables.push(Table { file: name.clone(), columns: columns.clone(), ..Table::default() });
                tables.len() - 1
            });
            anyhow::ensure!(tables[place].columns == columns, "{name} of {} has other columns", cell.name);
            tables[place]
                .rows
                .extend(table.rows.into_iter().map(|row| settings.row(cell, &manifest).chain(row).collect()));
        }
    }
    let is_stale = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        !tables.iter().any(|table| name == table.file.as_str()) && is_joined(path)
    };
    for path in known.iter().map(|name| out.join(name)).filter(|path| is_stale(path)) {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    // The list comes last: by it a study knows that its tables are joined.
    for table in tables.iter().chain([&list]) {
        let (path, text) = (out.join(&table.file), table.csv()?);
        // What is there already may lie where nothing can be written.
        if fs::read(&path).is_ok_and(|old| old == text) {
            continue;
        }
        replace(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(std::iter::once(list).chain(tables).map(|table| table.file).collect())
}
