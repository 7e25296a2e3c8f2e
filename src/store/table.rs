//! Tables: tidy CSV files, written and read.

use super::columns::{ColumnKind, column_kind};
use super::read::plain_file;
use crate::games::TableForm;
use serde::Serialize;
use serde_json::{Number, Value};
use std::fs;
use std::io;
use std::path::Path;

/// A table of text, as it stands in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The name of the file.
    pub file: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// A cell for each column in every row; an undefined value is an empty cell.
    pub rows: Vec<Vec<String>>,
    /// The number of rows that the file holds beyond `rows`.
    pub more: u64,
}

/// A line of a file below the names of its columns.
pub(crate) struct Line<'a> {
    columns: &'a [String],
    cells: &'a csv::StringRecord,
}

impl<'a> Line<'a> {
    /// The cell in this column; empty where there is none.
    pub fn text(&self, column: &str) -> &'a str {
        let place = self.columns.iter().position(|name| name == column);
        place.and_then(|place| self.cells.get(place)).unwrap_or_default()
    }
}

impl Table {
    /// A table of this form, whose rows have a field for each column, of the same name where fields have names.
    ///
    /// # Errors
    /// If a row cannot be serialised as a line of cells.
    pub fn of(form: &TableForm, rows: impl IntoIterator<Item = impl Serialize>) -> io::Result<Self> {
        let mut text = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        text.write_record(form.columns)?;
        for (i, row) in rows.into_iter().enumerate() {
            debug_assert!(i > 0 || has_columns(&row, form), "{}: other columns", form.file);
            text.serialize(row)?;
        }
        let text = text.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
        Self::parse(form.file, &text[..], |_| true)
    }

    /// Reads a file, of its rows at most the first `most`.
    ///
    /// # Errors
    /// When the file cannot be read, or is no table.
    pub fn read(path: &Path, most: usize) -> io::Result<Self> {
        let mut read = 0;
        let is_first = |_: &Line<'_>| {
            read += 1;
            read <= most
        };
        Self::read_where(path, is_first)
    }

    /// Reads a file, of its rows those to keep.
    ///
    /// # Errors
    /// When the file cannot be read, or is no table.
    pub(crate) fn read_where(path: &Path, keep: impl FnMut(&Line<'_>) -> bool) -> io::Result<Self> {
        let file = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Self::parse(&file, plain_file(path)?, keep)
    }

    fn parse(file: &str, text: impl io::Read, mut keep: impl FnMut(&Line<'_>) -> bool) -> io::Result<Self> {
        let mut reader = csv::Reader::from_reader(text);
        let cells = |record: &csv::StringRecord| record.iter().map(ToOwned::to_owned).collect::<Vec<_>>();
        let columns = cells(reader.headers()?);
        if columns.is_empty() {
            return Err(io::Error::other("it is empty, without the names of its columns"));
        }
        let (mut rows, mut more, mut record) = (Vec::new(), 0, csv::StringRecord::new());
        while reader.read_record(&mut record)? {
            if keep(&Line { columns: &columns, cells: &record }) {
                rows.push(cells(&record));
            } else {
                more += 1;
            }
        }
        Ok(Self { file: file.to_owned(), columns, rows, more })
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// When a row has another number of cells than there are columns.
    pub fn csv(&self) -> io::Result<Vec<u8>> {
        let mut text = csv::Writer::from_writer(Vec::new());
        text.write_record(&self.columns)?;
        for row in &self.rows {
            text.write_record(row)?;
        }
        text.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }

    /// Whether the file in this folder is this table, to the byte.
    pub(crate) fn is_in(&self, folder: &Path) -> bool {
        let there = fs::read(folder.join(&self.file));
        self.csv().is_ok_and(|text| there.is_ok_and(|there| there == text))
    }

    /// The name without the ending of the file.
    #[must_use]
    pub fn stem(&self) -> &str {
        self.file.trim_end_matches(".csv")
    }

    /// The rows as objects: numbers where the column holds some, texts, and null for an undefined value.
    #[must_use]
    pub fn records(&self) -> Value {
        let cell = |name: &String, text: &String| match number(text) {
            _ if text.is_empty() => Value::Null,
            Some(number) if column_kind(name) != ColumnKind::Text => Value::Number(number),
            _ => Value::String(text.clone()),
        };
        let record = |row: &Vec<String>| {
            let cells = self.columns.iter().zip(row).map(|(name, text)| (name.clone(), cell(name, text)));
            Value::Object(cells.collect())
        };
        self.rows.iter().map(record).collect()
    }

    /// The place of a column.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

/// The number that a text is, to the last digit: the reader of JSON alone is quick and may miss it by one.
fn number(text: &str) -> Option<Number> {
    let read: Number = text.parse().ok()?;
    if read.is_f64() { Number::from_f64(text.parse().ok()?) } else { Some(read) }
}

/// Whether the fields of a row are called like the columns of its table. Those of a tuple have no names, and fit any.
pub(crate) fn has_columns(row: &impl Serialize, form: &TableForm) -> bool {
    let mut text = csv::Writer::from_writer(Vec::new());
    // What has a list in it cannot be written below names.
    if text.serialize(row).is_err() {
        return true;
    }
    let text = text.into_inner().unwrap_or_default();
    let lines = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&text[..]);
    lines.into_byte_records().count() == 1 || text.starts_with(form.header().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Row {
        low: f64,
        high: f64,
    }

    /// Numbers of `--json` are those of the table, also where a quick reader would miss them by the last digit.
    #[test]
    fn numbers_keep_their_last_digit() {
        for text in ["0.09694617405883371", "4.6094660482407524e-229", "18446744073709551615", "-7"] {
            assert_eq!(number(text).unwrap().to_string(), text);
        }
        assert_eq!(["", "x", "1,5"].map(number), [None, None, None]);
    }

    /// Two columns of numbers that changed places would be written one under the name of the other.
    #[test]
    fn fields_are_called_like_columns() {
        let row = Row { low: 1.0, high: 2.0 };
        let form = |columns| TableForm { file: "rows.csv", columns };
        for (columns, right) in [
            (&["low", "high"] as &[_], true),
            (&["high", "low"], false),
            (&["low"], false),
            (&["low", "high", "n"], false),
        ] {
            assert_eq!(has_columns(&row, &form(columns)), right, "{columns:?}");
        }
        assert!(has_columns(&(1, "of two\nlines"), &form(&["low", "high"])));
    }

    /// A table is made of no rows with other names.
    #[test]
    #[should_panic(expected = "rows.csv: other columns")]
    #[cfg(debug_assertions)]
    fn tables_have_rows_of_their_form() {
        let form = TableForm { file: "rows.csv", columns: &["high", "low"] };
        let _ = Table::of(&form, [Row { low: 1.0, high: 2.0 }]);
    }
}
