//! Rows that studies write as games or deals are done: a table in memory until a worker hands it over.

use serde::Serialize;

/// Rows of a table, without its header.
pub(crate) struct Rows {
    text: csv::Writer<Vec<u8>>,
}

impl Rows {
    /// No rows.
    pub(crate) fn new() -> Self {
        Self { text: fresh() }
    }

    /// Adds a row, which has a field for each column.
    pub(crate) fn write(&mut self, row: &impl Serialize) {
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
