//! The worst decisions of an analysis, with the positions that they were taken in.

use super::read;
use crate::board::{Board, Suits, draw};
use crate::numbers::short;
use crate::store::{Manifest, Table};
use crate::studies::analyse::tables::DECISIONS;
use crate::studies::input;
use crate::text::quoted;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
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
    // Of several files the games do not tell from which they are. Where lines are empty, a game is not in the line of its number.
    let files = manifest.plan.transcripts();
    let (file, lines) = match &files[..] {
        [file] if *file != "-" => (quoted(file), numbers(Path::new(file))),
        _ => (String::new(), Vec::new()),
    };
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
        if let Some(line) = cell("index").parse().ok().and_then(|game: usize| lines.get(game)) {
            let _ = writeln!(text, "  sim hint {file} --line {line} --decision {}", cell("number"));
        }
        text += &draw(&Board::read(cell("view").as_bytes()), Suits::of_locale());
    }
    Ok(text)
}

/// The numbers of the lines of a file that hold games, if it can still be read.
fn numbers(file: &Path) -> Vec<usize> {
    let lines = |file| input::lines(BufReader::new(file)).map(|(number, _)| number).collect();
    File::open(file).map(lines).unwrap_or_default()
}

fn cell<'a>(table: &Table, row: &'a [String], name: &str) -> &'a str {
    table.column(name).map_or("", |place| &row[place])
}
