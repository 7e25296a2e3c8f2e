//! Studies as data: a file says which requests belong to it; each is a cell with a folder of its own, and the tables of
//! all cells are joined.

mod file;
mod join;

pub use file::{Cell, Study};
pub use join::CELLS;

use crate::registry::Registry;
use crate::store::{Existing, MANIFEST, Manifest, ManifestError, PlanRecord};
use crate::studies::{Done, Observer, Session, SessionError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A study whose cells have been found right.
pub struct Experiment {
    /// What stands in its file.
    pub study: Study,
    /// The folder of the study.
    pub out: PathBuf,
    /// How far each cell is, and why it is no further.
    states: Vec<State>,
}

/// How far a cell is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Its folder is not there.
    New,
    /// Its folder holds a part of it.
    Begun,
    /// Its folder holds all of it, or its manifest does and the tables are joined.
    Finished,
    /// Its folder holds something else: other rules, players or models, or another version's files.
    Other(String),
}

impl State {
    /// In a word or three.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::New => "to do",
            Self::Begun => "begun",
            Self::Finished => "finished",
            Self::Other(_) => "holds something else",
        }
    }

    fn of(folder: &Path, plan: &PlanRecord, joined: bool) -> Self {
        match Manifest::read(folder) {
            Err(ManifestError::Missing { .. }) if !folder.exists() => Self::New,
            Err(error) => Self::Other(error.to_string()),
            Ok(manifest) if manifest.plan != *plan => Self::Other(manifest.plan.difference(plan)),
            Ok(manifest) if manifest.partial => Self::Begun,
            // Of a committed study only the manifests of its cells are kept, beside the joined tables.
            Ok(manifest) if joined || has_tables(folder, &manifest) => Self::Finished,
            Ok(_) => Self::New,
        }
    }
}

fn has_tables(folder: &Path, manifest: &Manifest) -> bool {
    manifest.files.iter().filter(|name| name.ends_with(".csv")).all(|name| folder.join(name).exists())
}

impl Experiment {
    /// Reads a study and checks every cell. Its folder is `results/NAME` unless another is named.
    ///
    /// # Errors
    /// Names the file, the line and the field that is wrong, its value and what would be right.
    pub fn read(registry: &Registry, file: &Path, out: Option<&Path>) -> Result<Self, String> {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"))?;
        let study = Study::read(&name.to_string(), &text)?;
        let stem = file.file_stem().unwrap_or_default();
        let out = out.map_or_else(|| Path::new("results").join(stem), Path::to_owned);
        let joined = out.join(CELLS).is_file();
        let state = |cell: &Cell| {
            let wrong = |error: SessionError| {
                let field = match &error {
                    SessionError::Request(error) => error.field(),
                    _ => "",
                };
                let line = cell.line(field);
                format!("{name}: line {line}: {field}: cell {}: {error}", cell.name)
            };
            let session = Session::new(registry, &cell.request).map_err(wrong)?.outputs(cell.outputs.clone());
            session.check().map_err(wrong)?;
            Ok(State::of(&out.join(&cell.name), &session.record(), joined))
        };
        let states = study.cells.iter().map(state).collect::<Result<_, String>>()?;
        Ok(Self { study, out, states })
    }

    /// The cells, and how far each is.
    pub fn cells(&self) -> impl Iterator<Item = (&Cell, &State)> {
        self.study.cells.iter().zip(&self.states)
    }

    /// How many cells are finished.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.states.iter().filter(|state| **state == State::Finished).count()
    }

    /// Does a cell.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn carry_out(
        &self,
        registry: &Registry,
        cell: usize,
        existing: Existing,
        (threads, stop): (usize, Arc<AtomicBool>),
        observer: &mut dyn Observer,
    ) -> Result<Done, SessionError> {
        let cell = &self.study.cells[cell];
        let folder = self.out.join(&cell.name);
        let mut outputs = cell.outputs.clone();
        outputs.transcripts = outputs.transcripts.map(|name| folder.join(name));
        let session = Session::new(registry, &cell.request)?.outputs(outputs).folder(folder);
        session.existing(existing).threads(threads).stop(stop).run(observer)
    }

    /// Whether the folder of a cell holds what joining needs.
    #[must_use]
    pub fn can_join(&self, cell: usize) -> bool {
        let folder = self.out.join(&self.study.cells[cell].name);
        folder.join(MANIFEST).is_file()
            && Manifest::read(&folder).is_ok_and(|manifest| has_tables(&folder, &manifest))
    }

    /// Joins the tables of all cells, and returns the names of the files.
    ///
    /// # Errors
    /// When a table cannot be read or written, or two have other columns.
    pub fn join(&self) -> anyhow::Result<Vec<String>> {
        let folders: Vec<PathBuf> = self.study.cells.iter().map(|cell| self.out.join(&cell.name)).collect();
        let cells: Vec<(&Cell, &Path)> =
            self.study.cells.iter().zip(folders.iter().map(PathBuf::as_path)).collect();
        join::join(&self.out, &cells, self.study.tables.as_deref())
    }
}
