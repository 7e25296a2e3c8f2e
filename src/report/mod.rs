//! Pages about result folders: one HTML file with charts, tables and the commands that repeat the runs.
//!
//! A page holds no script and fetches nothing. It depends on nothing but the folders and the registered games, so the
//! same folders give the same page. Each kind of study has its part in `sections`; a table that none of them knows
//! is shown as it is.

mod charts;
mod estimate;
mod findings;
mod folder;
mod label;
mod notes;
mod page;
mod parts;
mod repeat;
mod rows;
mod sections;
mod walkthrough;

pub(crate) use repeat::spelled;

use crate::registry::Registry;
use crate::store::{ManifestError, REMADE, why_unwritten};
use crate::studies::input::named_twice;
use folder::Folder;
use plotters::drawing::DrawingAreaErrorKind;
use repeat::Asked;
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
    /// The run has not written its tables yet, or was killed before it did.
    #[error("{path} has no tables: {why}", path = path.display())]
    Unwritten {
        /// The folder.
        path: PathBuf,
        /// The reason.
        why: &'static str,
    },
    /// The same folder was named twice.
    #[error("{path} was named twice", path = path.display())]
    Twice {
        /// The folder.
        path: PathBuf,
    },
    /// A folder lies in another that was named, too.
    #[error("{path} lies in {within}, which was named, too: its results would count twice", path = path.display(), within = within.display())]
    Within {
        /// The folder.
        path: PathBuf,
        /// The other.
        within: PathBuf,
    },
    /// A manifest cannot be used.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
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
pub fn page(registry: &Registry, paths: &[PathBuf]) -> Result<String, ReportError> {
    if let Some(path) = named_twice(paths) {
        return Err(ReportError::Twice { path: path.clone() });
    }
    let mut folders = Vec::new();
    for path in paths {
        let folder = Folder::read(path)?;
        let shown = folder.shown();
        if shown.is_empty() && !folder.is_unwritten() {
            return Err(ReportError::wrong(path, &format!("its tables are missing: {REMADE}")));
        }
        if shown.iter().all(|shown| shown.is_unwritten()) {
            return Err(ReportError::Unwritten { path: path.clone(), why: why_unwritten(path) });
        }
        folders.push(folder);
    }
    if let Some((part, whole)) = Folder::held_twice(&folders) {
        return Err(ReportError::Within { path: part.path.clone(), within: whole.path.clone() });
    }
    Folder::tell_apart(&mut folders);
    let runs: Vec<_> = folders.iter().flat_map(Folder::runs).collect();
    let shown: Vec<&Folder> = folders.iter().flat_map(Folder::shown).collect();
    let mut games: Vec<&str> = Vec::new();
    for game in runs.iter().map(|(_, run)| run.manifest.plan.game()).chain(sections::games(&shown)) {
        if !games.contains(&game) {
            games.push(game);
        }
    }
    let sections = sections::all(registry, &games, &shown, &runs)?;
    let asked: Vec<Asked> = runs.iter().map(|(_, run)| sections::asked(registry, run)).collect();
    Ok(page::render(&games, &folders, &runs, &asked, &sections))
}
