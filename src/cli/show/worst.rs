//! The worst decisions of an analysis, with the positions that they were taken in.

use super::read;
use crate::board::{Board, Suits, draw};
use crate::numbers::short;
use crate::store::{Manifest, Table};
use crate::studies::analyse::tables::DECISIONS;
use crate::text::quoted;
use std::fmt::Write as _;
use std::path::Path;

/// How many are shown.
const SHOWN: usize = 5;

/// The worst decisions that have a grade; nothing for other folders.
///
/// # Errors
/// When the decisions cannot be read.
pub fn text(folder: &Path, manifest: &Manifest) -> Result<String, String> {
    if !manifest.files.iter().any(|file| file == DECISIONS.file) {
        return Ok(String::new());
    }
    let table = read(folder, DECISIONS.file)?;
    let mut bad: Vec<&Vec<String>> =
        table.rows.iter().filter(|row| !cell(&table, row, "grade").is_empty()).collect();
    let loss = |row: &[String]| cell(&table, row, "regret").parse().unwrap_or(0.0_f64);
    // Equal ones stay in their order.
    bad.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
    // Of several files the games do not tell from which they are.
    let files = manifest.plan.transcripts();
    let file = if let [file] = &files[..] { Some(quoted(file)) } else { None };
    let mut text = String::new();
    if !bad.is_empty() {
        let _ = writeln!(text, "\nThe worst of {} decisions with a grade:", bad.len());
    }
    for row in bad.into_iter().take(SHOWN) {
        let cell = |name| cell(&table, row, name);
        let _ = writeln!(
            text,
            "\nGame {}, decision {}, {} in seat {}: {} instead of {} loses {} (se {}), {}",
            cell("index"),
            cell("number"),
            cell("agent"),
            cell("seat"),
            cell("played"),
            cell("best"),
            short(cell("regret")),
            short(cell("regret_se")),
            cell("grade").replace('_', " ")
        );
        if let (Some(file), Ok(game)) = (&file, cell("index").parse::<u64>()) {
            let _ = writeln!(text, "  sim hint {file} --line {} --decision {}", game + 1, cell("number"));
        }
        text += &draw(&Board::read(cell("view").as_bytes()), Suits::of_locale());
    }
    Ok(text)
}

fn cell<'a>(table: &Table, row: &'a [String], name: &str) -> &'a str {
    table.column(name).map_or("", |place| &row[place])
}
