//! What a page shows: sections of charts and tables, made from the tables of all folders.

use super::ReportError;
use super::folder::{Folder, Row, Table, rows};
use super::{compared, results, solved};
use crate::store::names;

/// A part of the page.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub title: String,
    /// What one should know to read it.
    pub note: &'static str,
    pub figures: Vec<Figure>,
    pub tables: Vec<Shown>,
}

/// A chart.
#[derive(Debug)]
pub(super) struct Figure {
    pub title: String,
    pub svg: String,
    /// The names of the series, if there are several.
    pub legend: Vec<String>,
}

/// A table as it is shown.
#[derive(Debug)]
pub(super) struct Shown {
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Rows that are not shown.
    pub more: u64,
    /// Whether a reader has to ask for it.
    pub folded: bool,
}

/// More rows of a table are not shown.
const MOST: usize = 400;
/// A table with more rows waits until a reader asks for it.
const LONG: usize = 14;

impl Shown {
    pub fn new(title: impl Into<String>, columns: &[&str], mut rows: Vec<Vec<String>>) -> Self {
        let more = rows.len().saturating_sub(MOST) as u64;
        rows.truncate(MOST);
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { title: title.into(), columns, folded: rows.len() > LONG, rows, more }
    }

    /// A table that lies behind a chart, as it stands in its file.
    pub fn raw(title: impl Into<String>, rows: &[Row<'_>]) -> Self {
        let columns: Vec<&str> =
            rows.first().map_or_else(Vec::new, |row| row.cells().map(|(column, _)| column).collect());
        let cells = rows.iter().map(|row| columns.iter().map(|column| row.text(column).to_owned()).collect());
        Self { folded: true, ..Self::new(title, &columns, cells.collect()) }
    }

    fn file(folder: &Folder, table: &Table) -> Self {
        let columns: Vec<&str> = table.columns.iter().map(String::as_str).collect();
        let shown = Self::new(format!("{} of {}", table.file, folder.name), &columns, table.rows.clone());
        Self { more: shown.more + table.more, folded: true, ..shown }
    }
}

/// The tables that have a section of their own.
const KNOWN: [&str; 12] = [
    names::SUMMARY,
    names::SCORES,
    names::TALLY,
    results::PLACEMENTS,
    names::SOLVABILITY,
    names::VALUES,
    names::NODES,
    names::BOUND,
    names::COMPARISON,
    names::MATRIX,
    names::RATINGS,
    names::SEATS,
];

/// The games that the tables of a folder are about.
pub(super) fn games(folder: &Folder) -> Vec<&str> {
    let tables = folder.tables.iter();
    tables
        .filter_map(|table| Some((table, table.columns.iter().position(|column| column == "game")?)))
        .flat_map(|(table, place)| table.rows.iter().map(move |row| row[place].as_str()))
        .fold(Vec::new(), |mut games, game| {
            if !games.contains(&game) {
                games.push(game);
            }
            games
        })
}

/// All sections, game by game; then the tables that no section knows.
pub(super) fn all(games: &[String], folders: &[&Folder]) -> Result<Vec<Section>, ReportError> {
    let mut sections = Vec::new();
    for game in games {
        let rows = |file: &str| rows(folders, file, game);
        let mut of_game = vec![
            results::summary(&rows(names::SUMMARY))?,
            results::cost(&rows(names::SUMMARY))?,
            compared::comparison(&rows(names::COMPARISON))?,
            compared::matrix(&rows(names::MATRIX))?,
            compared::ratings(&rows(names::RATINGS))?,
            compared::seats(&rows(names::SEATS))?,
            results::scores(&rows(names::SCORES))?,
            results::tally(&rows(names::TALLY), &rows(names::SUMMARY))?,
            results::placements(&rows(results::PLACEMENTS))?,
            solved::bounds(&rows(names::BOUND))?,
            solved::solvability(&rows(names::SOLVABILITY))?,
            solved::values(&rows(names::VALUES), &rows(names::NODES))?,
        ];
        of_game.retain(|section| !section.figures.is_empty() || !section.tables.is_empty());
        if games.len() > 1 {
            of_game.iter_mut().for_each(|section| section.title = format!("{game}: {}", section.title));
        }
        sections.extend(of_game);
    }
    let unknown = |folder: &&'_ Folder| -> Vec<Shown> {
        let known = |table: &&Table| {
            KNOWN.contains(&table.file.as_str()) && table.columns.iter().any(|column| column == "game")
        };
        folder.tables.iter().filter(|table| !known(table)).map(|table| Shown::file(folder, table)).collect()
    };
    let tables: Vec<Shown> = folders.iter().flat_map(unknown).collect();
    if !tables.is_empty() {
        let note =
            "Tables that are shown as they are; of tables with a row for every game or deal, the first rows.";
        sections.push(Section { title: "Further tables".to_owned(), note, tables, ..Section::default() });
    }
    Ok(sections)
}
