//! Result folders as they lie on the disk: a manifest, tables of text, and the folders of a study inside.
//!
//! Tables are read without knowing what wrote them. One of a later version, or of another program that keeps to the
//! form, is shown all the same.

use super::ReportError;
use crate::experiment::not_joined;
use crate::store::{JOURNAL, MANIFEST, Manifest, ManifestError, REMADE, Table};
use crate::studies::{BY_INDEX, Request};
use knave_agents::options::shown;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// The rows that are kept of a table with a row for every game or deal: enough to show its form.
const HEAD: usize = 10;

/// A folder of results.
#[derive(Debug)]
pub(super) struct Folder {
    /// The name of the folder itself, or its path where another of the page has the same name.
    pub name: String,
    /// As it was named on the command line.
    pub path: PathBuf,
    /// The same place by the one name that has no links in it.
    pub place: PathBuf,
    /// What was run here. The folder of a study has the runs in its parts.
    pub run: Option<Run>,
    /// In alphabetical order of their names.
    pub tables: Vec<Table>,
    /// The folders of results in it, by name. Where tables are joined, their cells alone.
    pub parts: BTreeMap<String, Self>,
    /// The names of what lies here or in a cell beside the cells whose tables are joined: it may be of another study, one of them
    /// under another name, or one that was done again since, and is not shown.
    pub left_out: Vec<String>,
}

/// A run, as its manifest tells it.
#[derive(Debug)]
pub(super) struct Run {
    pub manifest: Manifest,
    /// What was asked.
    pub request: Request,
    /// The cards, and the options of the rules by name. Those in which the runs of a game on a page differ tell them apart.
    pub settings: Vec<Setting>,
}

/// One of the settings by which a run was played.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Setting {
    /// The option of the rules; empty for the cards.
    pub option: String,
    /// As it is read: `health=15`.
    pub text: String,
}

impl Folder {
    /// Reads a folder that holds a manifest, or folders that do.
    ///
    /// # Errors
    /// When it holds neither, or something in it cannot be read.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        Self::read_below(path, &[])
    }

    /// Reads a folder that lies in these, which a link in it may lead back to.
    fn read_below(path: &Path, above: &[PathBuf]) -> Result<Self, ReportError> {
        let io = |error: std::io::Error| ReportError::wrong(path, &error);
        let mut entries: Vec<PathBuf> = fs::read_dir(path)
            .map_err(io)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()
            .map_err(io)?;
        entries.sort();
        let run = Run::read(path)?;
        let absolute = path.canonicalize().map_err(io)?;
        let above = [above, std::slice::from_ref(&absolute)].concat();
        let inside = results_in(&entries, &above);
        let is_table =
            |entry: &&PathBuf| entry.extension().is_some_and(|end| end == "csv") && entry.is_file();
        let tables = entries.iter().filter(|_| run.is_some() || !inside.is_empty()).filter(is_table);
        let tables: Vec<Table> = tables.map(|entry| read_table(entry)).collect::<Result<_, _>>()?;
        let (mut parts, mut left_out) = (BTreeMap::new(), Vec::new());
        // A run has no cells, whatever tables lie beside its own. Of a cell that was done again since, the tables tell the run before.
        let joined = joined(&tables).filter(|_| run.is_none()).map(|mut cells| {
            for name in not_joined(path) {
                cells.remove(&name);
            }
            cells
        });
        for Inside { name, path } in inside {
            let is_cell = joined.as_ref().map(|joined| joined.contains(&name));
            if is_cell == Some(false) {
                left_out.push(name);
                continue;
            }
            let mut part = match Self::read_below(&path, &above) {
                // Links in it may lead back to what is read already.
                Err(ReportError::NoRun { .. }) => continue,
                part => part?,
            };
            if is_cell.is_some() {
                let within = std::mem::take(&mut part.parts).into_keys().chain(part.left_out.drain(..));
                left_out.extend(within.map(|inner| format!("{name}/{inner}")));
            }
            parts.insert(name, part);
        }
        if run.is_none() && parts.is_empty() && left_out.is_empty() {
            return Err(ReportError::NoRun { path: path.to_owned() });
        }
        // Version control keeps manifests alone, without journals.
        let remade = path.join(JOURNAL).is_file();
        let written =
            run.iter().filter(|run| remade && !run.manifest.partial).flat_map(|run| &run.manifest.files);
        for name in written.filter(|name| name.ends_with(".csv") && !BY_INDEX.contains(&name.as_str())) {
            if !path.join(name).is_file() {
                return Err(ReportError::wrong(&path.join(name), &format!("it is missing: {REMADE}")));
            }
        }
        let name = absolute.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(Self { name, path: path.to_owned(), place: absolute, run, tables, parts, left_out })
    }

    /// A folder that two of these hold or are, and the one that holds it, too.
    pub fn held_twice(folders: &[Self]) -> Option<(&Self, &Self)> {
        let mut places: HashMap<&Path, &Self> = HashMap::new();
        for named in folders {
            for part in named.all() {
                let first = *places.entry(&part.place).or_insert(named);
                if first.place != named.place {
                    return Some(if first.place == part.place { (first, named) } else { (part, first) });
                }
            }
        }
        None
    }

    /// Calls folders by their paths whose names others have, too.
    pub fn tell_apart(folders: &mut [Self]) {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut count = |folder: &mut Self| *counts.entry(folder.name.clone()).or_default() += 1;
        folders.iter_mut().for_each(|folder| folder.visit(&mut count));
        let mut rename = |folder: &mut Self| {
            // The folder `.` is the one whose name says nothing.
            if counts[&folder.name] > 1 && folder.path.file_name().is_some() {
                folder.name = folder.path.display().to_string();
            }
        };
        folders.iter_mut().for_each(|folder| folder.visit(&mut rename));
    }

    /// This folder and its parts, one after the other.
    fn visit(&mut self, each: &mut dyn FnMut(&mut Self)) {
        each(self);
        self.parts.values_mut().for_each(|part| part.visit(each));
    }

    /// The seed of its run, as text; empty where it is no run.
    pub fn seed(&self) -> String {
        self.run.as_ref().map_or_else(String::new, |run| run.manifest.plan.seed().to_string())
    }

    /// The games or deals that its run was asked for, as text; empty where it is no run.
    pub fn size(&self) -> String {
        self.run.as_ref().map_or_else(String::new, |run| run.manifest.plan.size().to_string())
    }

    /// The table in this file.
    pub fn table(&self, file: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.file == file)
    }

    /// Whether its run was stopped before the tables were written that sum it up.
    pub fn is_unwritten(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.manifest.partial)
            && self.tables.iter().all(|table| BY_INDEX.contains(&table.file.as_str()))
    }

    /// The folders whose tables are shown: those of cells only where the study does not join them itself.
    pub fn shown(&self) -> Vec<&Self> {
        let own = (!self.tables.is_empty()).then_some(self);
        let is_joined = self.run.is_none() && joined(&self.tables).is_some();
        let parts = self.parts.values().filter(|_| !is_joined);
        own.into_iter().chain(parts.flat_map(Self::shown)).collect()
    }

    /// The folders whose tables in this file are told of: those of cells, too, unless the study joins these tables.
    pub fn telling(&self, file: &str) -> Vec<&Self> {
        let own = self.table(file).filter(|_| self.run.is_none());
        let is_joined = own.is_some_and(|table| table.column("cell").is_some());
        let parts = self.parts.values().filter(|_| !is_joined);
        [self].into_iter().chain(parts.flat_map(|part| part.telling(file))).collect()
    }

    /// This folder and its parts, one after the other.
    pub fn all(&self) -> Vec<&Self> {
        [self].into_iter().chain(self.parts.values().flat_map(Self::all)).collect()
    }

    /// The runs of these, each with its own folder.
    pub fn runs(&self) -> Vec<(&Self, &Run)> {
        self.all().into_iter().filter_map(|folder| Some((folder, folder.run.as_ref()?))).collect()
    }
}

/// The names of the cells whose tables are joined here; none where no tables are.
fn joined(tables: &[Table]) -> Option<BTreeSet<String>> {
    let cells = tables.iter().filter_map(|table| Some((table, table.column("cell")?)));
    let mut cells = cells.peekable();
    cells.peek()?;
    Some(cells.flat_map(|(table, place)| table.rows.iter().map(move |row| row[place].clone())).collect())
}

/// A folder of results in another.
struct Inside {
    name: String,
    path: PathBuf,
}

/// The folders of results among these entries, each once, but none of those above.
fn results_in(entries: &[PathBuf], above: &[PathBuf]) -> Vec<Inside> {
    let mut places: BTreeMap<PathBuf, &PathBuf> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| holds_results(entry, NESTED)) {
        let Ok(place) = entry.canonicalize() else { continue };
        let is_link = entry.file_name() != place.file_name();
        let is_known = above.contains(&place) || (is_link && places.contains_key(&place));
        if !is_known {
            places.insert(place, entry);
        }
    }
    // A link has another name than the folder that it leads to.
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut inside: Vec<Inside> =
        places.into_values().map(|path| Inside { name: name(path), path: path.clone() }).collect();
    inside.sort_by(|a, b| a.name.cmp(&b.name));
    inside
}

/// How many folders lie at most between a folder of results and the one that it is shown with.
const NESTED: usize = 2;

/// Whether a folder is that of a run, or of a study or several runs, with no more than so many folders between.
fn holds_results(folder: &Path, nested: usize) -> bool {
    let mut inside = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    folder.join(MANIFEST).is_file()
        || (nested > 0 && inside.any(|entry| entry.is_dir() && holds_results(&entry, nested - 1)))
}

impl Run {
    /// Reads what was run in a folder, if its manifest tells.
    fn read(folder: &Path) -> Result<Option<Self>, ReportError> {
        let manifest = match Manifest::read(folder) {
            Ok(manifest) => manifest,
            Err(ManifestError::Missing { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let request = Request::recorded(&manifest.plan)
            .map_err(|error| ReportError::wrong(&folder.join(MANIFEST), &error))?;
        let cards = manifest.plan.cards();
        let cards = cards.map_or_else(|| "all cards".to_owned(), |cards| format!("cards={}", cards.ranges()));
        let cards = Setting { option: String::new(), text: cards };
        let rules = manifest.plan.rules().filter(|(_, value)| !value.is_null());
        let rules = rules.map(|(name, value)| Setting::rule(name, &shown(value)));
        let settings = [cards].into_iter().chain(rules).collect();
        Ok(Some(Self { manifest, request, settings }))
    }
}

impl Setting {
    /// An option of the rules with its value.
    pub fn rule(name: &str, value: &str) -> Self {
        Self { option: name.to_owned(), text: format!("{name}={value}") }
    }
}

fn read_table(path: &Path) -> Result<Table, ReportError> {
    let long = BY_INDEX.iter().any(|file| path.ends_with(file));
    Table::read(path, if long { HEAD } else { usize::MAX }).map_err(|error| ReportError::wrong(path, &error))
}
