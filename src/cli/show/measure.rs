//! One measure of `tally.csv`, with how often it was counted in a game.

use super::read;
use crate::games::rounded;
use crate::store::Table;
use crate::studies::run::tables::{SUMMARY, TALLY};
use knave_agents::options::{hint, listed};
use std::collections::HashMap;
use std::path::Path;

/// The rows of a measure, each with its count in a game: of what a game has once at most, that is the share of the games.
///
/// # Errors
/// When the folder has no such measure.
pub fn table(folder: &Path, files: &[String], name: &str) -> Result<Table, String> {
    if ![TALLY.file, SUMMARY.file].iter().all(|wanted| files.iter().any(|file| file == wanted)) {
        return Err(format!("--measure: {} holds no counts of a run ({})", folder.display(), TALLY.file));
    }
    let (tally, summary) = (read(folder, TALLY.file)?, read(folder, SUMMARY.file)?);
    let place = |table: &Table, column: &str| {
        let lacks = || format!("{} has no column {column}", folder.join(&table.file).display());
        table.column(column).ok_or_else(lacks)
    };
    let (measure, count) = (place(&tally, "measure")?, place(&tally, "count")?);
    let rows: Vec<&Vec<String>> = tally.rows.iter().filter(|row| row[measure] == name).collect();
    if rows.is_empty() {
        let mut known: Vec<&str> = tally.rows.iter().map(|row| row[measure].as_str()).collect();
        known.sort_unstable();
        known.dedup();
        let hint = hint(name, known.iter().copied());
        return Err(format!("--measure: there is no '{name}'{hint}; measures: {}", listed(known)));
    }
    // What comes before the measure says who played: the same columns stand in the summary.
    let who = 0..measure;
    let shared = tally.columns[who.clone()].iter().map(|column| place(&summary, column));
    let (shared, all) = (shared.collect::<Result<Vec<usize>, _>>()?, place(&summary, "games")?);
    let games: HashMap<Vec<&str>, u64> = summary
        .rows
        .iter()
        .map(|row| (shared.iter().map(|&i| row[i].as_str()).collect(), row[all].parse().unwrap_or(0)))
        .collect();
    let games = |row: &[String]| {
        let who: Vec<&str> = row[who.clone()].iter().map(String::as_str).collect();
        games.get(&who).copied().unwrap_or(0)
    };
    let number = |row: &[String]| row[count].parse::<u64>().unwrap_or(0);
    let mut columns = tally.columns.clone();
    columns.push("per_game".to_owned());
    let line = |row: &Vec<String>| {
        let mut cells = row.clone();
        let rate = number(row) as f64 / games(row) as f64;
        cells.push(if rate.is_finite() { rounded(rate).to_string() } else { String::new() });
        cells
    };
    let rows = rows.iter().map(|row| line(row)).collect();
    Ok(Table { file: TALLY.file.to_owned(), columns, rows, more: 0 })
}
