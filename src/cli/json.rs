//! `--json`: results as one document for other programs, the same for every command.

use super::exit::print_bytes;
use crate::store::{Manifest, Table};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io;

/// The option of every command that prints a result.
#[derive(Clone, Copy, Default, Args)]
pub struct Json {
    /// Print one JSON document instead
    #[arg(long)]
    pub json: bool,
}

/// Prints a document.
///
/// # Errors
/// When nobody reads it.
pub fn print(document: &impl Serialize) -> io::Result<()> {
    print_bytes((serde_json::to_string_pretty(document)? + "\n").as_bytes())
}

/// Results as a document: the manifest, where there is one, and the rows of each table.
pub fn results<'a>(manifest: Option<&Manifest>, tables: impl IntoIterator<Item = &'a Table>) -> Value {
    let tables: Map<String, Value> =
        tables.into_iter().map(|table| (table.stem().to_owned(), table.records())).collect();
    match manifest {
        Some(manifest) => json!({ "manifest": manifest, "tables": tables }),
        None => json!({ "tables": tables }),
    }
}
