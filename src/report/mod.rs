//! A page about result folders: one file that opens anywhere, with charts, tables and what to type to have it all again.
//!
//! The page holds no script and asks for nothing from outside. It depends on nothing but the folders, so the same
//! folders give the same page. A table that no section knows is shown as a table.

mod charts;
mod compared;
mod folder;
mod number;
mod page;
mod repeat;
mod results;
mod sections;
mod solved;

use folder::Folder;
use plotters::drawing::DrawingAreaErrorKind;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder is not one of results.
    #[error("{path} holds no results: there is no manifest.json in it, nor in a folder inside it", path = path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// The same folder was named twice.
    #[error("{path} was named twice", path = path.display())]
    Twice {
        /// The folder.
        path: PathBuf,
    },
    /// Something cannot be read.
    #[error("cannot read {path}: {reason}", path = path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A chart cannot be drawn.
    #[error("cannot draw a chart: {0}")]
    Chart(String),
}

impl ReportError {
    fn wrong(path: &Path, reason: &dyn Display) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: reason.to_string() }
    }
}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for ReportError {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Self::Chart(error.to_string())
    }
}

/// The page about these folders, as HTML. Folders of the same game share their charts and tables.
///
/// # Errors
/// Names the folder that holds no results, or the file that cannot be read.
pub fn page(paths: &[PathBuf]) -> Result<String, ReportError> {
    let mut folders = Vec::new();
    for (i, path) in paths.iter().enumerate() {
        if paths[..i].contains(path) {
            return Err(ReportError::Twice { path: path.clone() });
        }
        folders.push(Folder::read(path)?);
    }
    let shown: Vec<&Folder> = folders.iter().flat_map(Folder::shown).collect();
    let runs: Vec<&Folder> = folders.iter().flat_map(Folder::runs).collect();
    let mut games: Vec<String> = Vec::new();
    let of_runs = runs.iter().filter_map(|run| run.game());
    for game in of_runs.chain(shown.iter().flat_map(|folder| sections::games(folder))) {
        if !games.iter().any(|known| known == game) {
            games.push(game.to_owned());
        }
    }
    let sections = sections::all(&games, &shown)?;
    Ok(page::render(&games, &folders, &runs, &sections))
}
