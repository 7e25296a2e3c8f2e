//! Rows that studies write as games or deals are done: a table in memory until a worker hands it over.

use crate::store::{TableForm, has_columns};
use serde::Serialize;

/// Rows of a table, without its header.
pub(crate) struct Rows {
    form: TableForm,
    is_checked: bool,
    text: csv::Writer<Vec<u8>>,
}

impl Rows {
    /// No rows of a table of this form.
    pub(crate) fn new(form: TableForm) -> Self {
        Self { form, is_checked: false, text: fresh() }
    }

    /// Adds a row, which has a field for each column.
    pub(crate) fn write(&mut self, row: &impl Serialize) {
        debug_assert!(self.is_checked || has_columns(row, &self.form), "{}: other columns", self.form.file);
        self.is_checked = true;
        self.text.serialize(row).expect("a row of plain fields can be written to memory");
    }

    /// The rows since the last time.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        // Writing to memory cannot fail.
        std::mem::replace(&mut self.text, fresh()).into_inner().unwrap_or_default()
    }
}

fn fresh() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new())
}
