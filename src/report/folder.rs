//! Result folders as they lie on the disk: a manifest and tables of text.
//!
//! They are read without knowing what wrote them, so that a table of a later version, or of another program that
//! keeps to the form, is shown all the same.

use super::ReportError;
use crate::store::{Manifest, names};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Tables with a row for every game or deal, of which the first rows tell the form and no more.
const LONG: [&str; 2] = [names::GAMES, names::SOLUTIONS];

/// How many rows of a long table are kept.
const HEAD: usize = 10;

/// A folder of results.
#[derive(Debug)]
pub(super) struct Folder {
    /// The name of the folder itself.
    pub name: String,
    /// As it was named on the command line.
    pub path: PathBuf,
    /// What was run; null in the folder of a study that holds tables of several runs.
    pub manifest: Value,
    /// In alphabetical order of their names.
    pub tables: Vec<Table>,
    /// The runs that a study consists of.
    pub parts: Vec<Self>,
}

/// A table of text.
#[derive(Debug)]
pub(super) struct Table {
    /// The name of its file.
    pub file: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Rows that the file holds and `rows` does not.
    pub more: u64,
}

impl Folder {
    /// Reads a folder that holds a manifest, or folders that do.
    ///
    /// # Errors
    /// When it holds neither, or something in it cannot be read.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        let io = |error: std::io::Error| ReportError::wrong(path, &error);
        let mut entries: Vec<PathBuf> = fs::read_dir(path)
            .map_err(io)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()
            .map_err(io)?;
        entries.sort();
        let manifest = match fs::read(path.join(names::MANIFEST)) {
            Ok(text) => manifest(&path.join(names::MANIFEST), &text)?,
            Err(_) => Value::Null,
        };
        let holds_run = |entry: &&PathBuf| entry.join(names::MANIFEST).is_file();
        let parts: Vec<Self> =
            entries.iter().filter(holds_run).map(|entry| Self::read(entry)).collect::<Result<_, _>>()?;
        if manifest.is_null() && parts.is_empty() {
            return Err(ReportError::NoRun { path: path.to_owned() });
        }
        let is_table = |entry: &&PathBuf| entry.extension().is_some_and(|extension| extension == "csv");
        let tables =
            entries.iter().filter(is_table).map(|entry| Table::read(entry)).collect::<Result<_, _>>()?;
        let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = absolute.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(Self { name, path: path.to_owned(), manifest, tables, parts })
    }

    /// The game, where one stands in the manifest.
    pub fn game(&self) -> Option<&str> {
        self.manifest.pointer("/plan/game").and_then(Value::as_str)
    }

    pub fn table(&self, file: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.file == file)
    }

    /// The folders whose tables are shown, those of a study only where the study does not join them itself.
    pub fn shown(&self) -> Vec<&Self> {
        if self.tables.is_empty() { self.parts.iter().flat_map(Self::shown).collect() } else { vec![self] }
    }

    /// This folder and its parts, as far as they hold a run.
    pub fn runs(&self) -> Vec<&Self> {
        let own = (!self.manifest.is_null()).then_some(self);
        own.into_iter().chain(self.parts.iter().flat_map(Self::runs)).collect()
    }
}

/// Reads a manifest and checks that its form is known.
fn manifest(path: &Path, text: &[u8]) -> Result<Value, ReportError> {
    let value: Value = serde_json::from_slice(text).map_err(|error| ReportError::wrong(path, &error))?;
    match value["schema"].as_u64() {
        Some(schema) if schema == u64::from(Manifest::SCHEMA) => Ok(value),
        _ => {
            let reason =
                format!("its schema is {}, and this version reads {}", value["schema"], Manifest::SCHEMA);
            Err(ReportError::wrong(path, &reason))
        }
    }
}

impl Table {
    fn read(path: &Path) -> Result<Self, ReportError> {
        let file = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let wrong = |error: csv::Error| ReportError::wrong(path, &error);
        let mut reader = csv::Reader::from_path(path).map_err(wrong)?;
        let text = |record: &csv::StringRecord| record.iter().map(ToOwned::to_owned).collect::<Vec<_>>();
        let columns = text(reader.headers().map_err(wrong)?);
        let keep = if LONG.contains(&file.as_str()) { HEAD } else { usize::MAX };
        let (mut rows, mut more, mut record) = (Vec::new(), 0, csv::StringRecord::new());
        while reader.read_record(&mut record).map_err(wrong)? {
            if rows.len() < keep {
                rows.push(text(&record));
            } else {
                more += 1;
            }
        }
        Ok(Self { file, columns, rows, more })
    }
}

/// A row of a table, and the folder that it lies in.
#[derive(Copy, Clone)]
pub(super) struct Row<'a> {
    pub folder: &'a Folder,
    columns: &'a [String],
    cells: &'a [String],
}

impl<'a> Row<'a> {
    /// The run that the row is about: a part of a study, or the folder itself.
    pub fn run(&self) -> &'a Folder {
        let cell = self.text("cell");
        self.folder.parts.iter().find(|part| part.name == cell).unwrap_or(self.folder)
    }

    /// The cell in this column; empty where there is none.
    pub fn text(&self, column: &str) -> &'a str {
        let place = self.columns.iter().position(|other| other == column);
        place.and_then(|place| self.cells.get(place)).map_or("", String::as_str)
    }

    /// The number in this column.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.text(column).parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// The columns and cells of the row.
    pub fn cells(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.columns.iter().map(String::as_str).zip(self.cells.iter().map(String::as_str))
    }
}

/// The rows about a game in the tables of this name, of all folders.
pub(super) fn rows<'a>(folders: &[&'a Folder], file: &str, game: &str) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for &folder in folders {
        let Some(table) = folder.table(file) else { continue };
        let all = table.rows.iter().map(|cells| Row { folder, columns: &table.columns, cells });
        rows.extend(all.filter(|row| row.text("game") == game));
    }
    rows
}

/// What tells the rows apart: the columns `always`, and of the columns `also` those in which rows differ. Where
/// two runs would have the same label, what differs between runs is added: rules, seed, size, cell, folder.
pub(super) fn labels(rows: &[Row<'_>], always: &[&str], also: &[&str]) -> Vec<String> {
    let differ = |column: &str| rows.iter().any(|row| row.text(column) != rows[0].text(column));
    let also: Vec<&str> = also.iter().filter(|column| differ(column)).copied().collect();
    let named = |column: &str, text: &str| match text {
        "" => String::new(),
        number if number.parse::<f64>().is_ok() => format!("{column} {number}"),
        text => text.to_owned(),
    };
    let label = |row: &Row<'_>| {
        let fixed = always.iter().map(|column| row.text(column).to_owned());
        let varying = also.iter().map(|column| named(column, row.text(column)));
        fixed.chain(varying).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    };
    let rules = |row: &Row<'_>| {
        let rules =
            row.cells().filter_map(|(column, cell)| Some((column.strip_prefix("rule_")?, column, cell)));
        let differing = rules.filter(|(_, column, cell)| differ(column) && !cell.is_empty());
        differing.map(|(rule, _, cell)| format!("{rule}={cell}")).collect::<Vec<_>>().join(", ")
    };
    let mut labels: Vec<String> = rows.iter().map(label).collect();
    let further: [&dyn Fn(&Row<'_>) -> String; 5] = [
        &rules,
        &|row| named("seed", row.text("seed")),
        &|row| named("n", row.text("n")),
        &|row| row.text("cell").to_owned(),
        &|row| row.folder.name.clone(),
    ];
    for further in further {
        let mut runs: Vec<(&str, &Path)> = Vec::new();
        let clash = labels.iter().zip(rows).any(|(label, row)| {
            let found = runs.iter().find(|(other, _)| other == label).map(|(_, path)| *path);
            if found.is_none() {
                runs.push((label, &row.run().path));
            }
            found.is_some_and(|path| path != row.run().path)
        });
        let texts: Vec<String> = rows.iter().map(further).collect();
        if clash && texts.iter().any(|text| *text != texts[0]) {
            for (label, text) in labels.iter_mut().zip(texts).filter(|(_, text)| !text.is_empty()) {
                *label += &format!(" · {text}");
            }
        }
    }
    labels
}
