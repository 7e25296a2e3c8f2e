//! Studies as data: a file says which requests belong to it; each is a cell with a folder of its own, and the tables of
//! all cells are joined.

mod file;
mod join;
mod sweep;

pub use file::{Cell, Study};
pub use join::not_joined;
pub use sweep::Sweep;
pub(crate) use sweep::with_lists;

use crate::registry::Registry;
use crate::store::{
    CELLS, Existing, FolderError, JOURNAL, Journal, MANIFEST, Manifest, ManifestError, PlanRecord, Sum,
    Table, holds_nothing, is_under_way, left_over,
};
use crate::studies::{BY_INDEX, Done, End, Outputs, RequestError, Session, SessionError, SessionObserver};
use knave_agents::options::{hint, listed};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A study with validated cells.
pub struct Experiment {
    /// The study in its file.
    pub study: Study,
    /// The folder of the study.
    pub out: PathBuf,
    /// How far each cell is, and why it is no further.
    states: Vec<State>,
    /// The cells that the joined tables tell of as their manifests do.
    joined: BTreeSet<String>,
    notes: Vec<String>,
    /// The tables that any cell has.
    tables: BTreeSet<String>,
    /// The names of all tables that studies may have.
    known: BTreeSet<&'static str>,
}

/// Which cells are done once more.
#[derive(Copy, Clone, Debug, Default)]
pub struct Redo {
    /// Those whose folder holds something else.
    pub force: bool,
    /// All, finished ones too.
    pub again: bool,
}

/// An observer of a study.
pub trait Watcher: SessionObserver {
    /// A cell's turn has come, or it was finished before.
    fn cell(&mut self, number: usize, cell: &Cell, finished: bool);

    /// A cell has ended, whole or not.
    fn ended(&mut self, _done: &Done) {}
}

/// An error of reading or running a study.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// A cell could not be done.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The tables could not be joined.
    #[error("{0}")]
    Join(String),
}

/// The result of a study: the names of the joined files, unless they were not made, and the end of its last cell.
pub type Completed = (Option<Vec<String>>, End);

/// The state of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Its folder is not there, or lacks what it would go on from or be joined from.
    New,
    /// Its folder holds a part of it, or all of it with tables that are not those of its journal.
    Begun,
    /// Its folder holds all of it, or its manifest does and the tables are joined.
    Finished,
    /// Its folder holds something else: another request, other rules, players or models, or another version's files.
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

    /// How far the cell in this folder is, which writes `files`; `wanted` are those that were asked for beside its tables, and
    /// `joined` is whether the joined tables tell of it.
    fn of(
        folder: &Path,
        plan: &PlanRecord,
        (files, wanted): (Vec<String>, &[String]),
        outputs: &Outputs,
        joined: bool,
    ) -> Self {
        let transcripts = outputs.transcripts.as_ref().and_then(|name| name.to_str());
        let names = || files.iter().map(String::as_str).chain(transcripts).map(ToOwned::to_owned).collect();
        match Manifest::read(folder) {
            Err(ManifestError::Missing { .. }) if !folder.exists() || holds_nothing(folder, names()) => {
                Self::New
            }
            // In its first moment a run has no manifest.
            Err(ManifestError::Missing { .. }) if is_under_way(folder) => Self::Begun,
            Err(error) => Self::Other(error.to_string()),
            Ok(manifest) if manifest.plan != *plan => Self::Other(manifest.plan.difference(plan)),
            Ok(manifest) => match lacks(&manifest, plan.size(), wanted, outputs) {
                Some(reason) => Self::Other(reason),
                None if manifest.partial && has_transcripts(folder, outputs) => Self::Begun,
                None if manifest.partial => Self::New,
                // Of a committed study only the manifests of its cells are kept, beside the joined tables.
                None if !has_tables(folder, &manifest) && joined => Self::Finished,
                None if has_tables(folder, &manifest) && has_transcripts(folder, outputs) => Self::Finished,
                None => Self::New,
            },
        }
    }
}

/// What is found out about a cell.
struct Found {
    state: State,
    /// The files that it writes.
    files: Vec<String>,
    notes: Vec<String>,
}

impl Found {
    fn of(registry: &Registry, cell: &Cell, out: &Path, joined: bool) -> Result<Self, SessionError> {
        let session = Session::new(registry, &cell.request)?.outputs(cell.outputs.clone());
        let (wanted, files) = (session.further_files()?, session.files()?);
        let (folder, plan) = (out.join(&cell.name), session.record());
        let state = match State::of(&folder, &plan, (files.clone(), &wanted), &cell.outputs, joined) {
            State::Finished if has_changed_tables(&folder, &session) => State::Begun,
            state => state,
        };
        Ok(Self { state, files, notes: session.notes() })
    }
}

/// Whether a cell that was begun has to begin anew.
fn cannot_go_on(error: &SessionError) -> bool {
    matches!(error, SessionError::Folder(FolderError::Resume { .. }) | SessionError::Journal { .. })
}

/// Why a folder does not hold what a cell of `size` games or deals asks for; nothing if it does.
fn lacks(manifest: &Manifest, size: u64, wanted: &[String], outputs: &Outputs) -> Option<String> {
    let missing: Vec<&str> =
        wanted.iter().filter(|name| !manifest.files.contains(name)).map(String::as_str).collect();
    if !missing.is_empty() {
        return Some(format!("it was made without {}", missing.join(" and ")));
    }
    let now = outputs.transcripts.as_ref().map(|name| format!("./{}", name.display()));
    let limits = [manifest.transcript_limit, outputs.transcript_limit];
    let [before_limit, now_limit] = limits.map(|limit| limit.unwrap_or(size).min(size));
    match (&manifest.transcripts, now) {
        (None, Some(now)) => Some(format!("it was made without transcripts, which now go to {now}")),
        (Some(before), Some(now)) if *before != now => {
            Some(format!("its transcripts were written to {before}, not to {now}"))
        }
        (Some(_), Some(_)) if before_limit != now_limit => {
            Some(format!("it was to write {before_limit} transcripts, not {now_limit}"))
        }
        (Some(before), None) if manifest.partial => {
            Some(format!("it was begun with transcripts in {before}"))
        }
        _ => None,
    }
}

/// Whether the transcripts that a cell is asked for are there, as far as its folder tells.
fn has_transcripts(folder: &Path, outputs: &Outputs) -> bool {
    let Some(name) = &outputs.transcripts else { return true };
    let written = Journal::read(folder).map_or(0, |journal| journal.transcripts.bytes);
    folder.join(name).metadata().is_ok_and(|file| file.len() >= written)
}

fn has_tables(folder: &Path, manifest: &Manifest) -> bool {
    tables_of(manifest).all(|name| folder.join(name).exists())
}

fn tables_of(manifest: &Manifest) -> impl Iterator<Item = &String> {
    manifest.files.iter().filter(|name| name.ends_with(".csv"))
}

/// The journal of the run that the manifest of a folder tells of. Version control keeps manifests alone, and may put one beside
/// tables of an earlier run, whose journal then is another's.
fn journal_of(folder: &Path, manifest: &Manifest) -> Option<Journal> {
    let same_run =
        |journal: &Journal| journal.ranges == manifest.ranges && journal.plan == Sum::of_plan(&manifest.plan);
    Journal::read(folder).ok().filter(same_run)
}

/// Whether a finished cell has tables that are not those of its journal. Going on from that makes them again. Tables of another
/// version of sim may differ and be right, and of what is no plain file is told where tables are joined.
fn has_changed_tables(folder: &Path, session: &Session) -> bool {
    let build = Manifest::new(session.record()).build();
    Manifest::read(folder).is_ok_and(|manifest| {
        manifest.build() == build
            && tables_of(&manifest).all(|name| folder.join(name).is_file())
            && journal_of(folder, &manifest).is_some_and(|journal| !session.is_intact(folder, &journal))
    })
}

/// Every note once, with the cells that it is about where it is not about all.
fn with_cells(cells: &[Cell], notes: Vec<Vec<String>>) -> Vec<String> {
    /// So many cells are named.
    const NAMED: usize = 6;
    let mut distinct: Vec<(String, Vec<&str>)> = Vec::new();
    for (cell, note) in
        cells.iter().zip(notes).flat_map(|(cell, notes)| notes.into_iter().map(move |n| (cell, n)))
    {
        match distinct.iter_mut().find(|(other, _)| *other == note) {
            Some((_, cells)) => cells.push(&cell.name),
            None => distinct.push((note, vec![&cell.name])),
        }
    }
    let told = |(note, about): (String, Vec<&str>)| match about.len().saturating_sub(NAMED) {
        _ if about.len() == cells.len() => note,
        0 => format!("{note} (in {})", about.join(", ")),
        more => format!("{note} (in {} and {more} more)", about[..NAMED].join(", ")),
    };
    distinct.into_iter().map(told).collect()
}

impl Experiment {
    /// Reads a study and checks every cell. Its folder is `results/NAME` unless another is named.
    ///
    /// # Errors
    /// Names the file, the line and the field that is wrong, its value and what would be right.
    pub fn read(registry: &Registry, file: &Path, out: Option<&Path>) -> Result<Self, String> {
        let name = file.display();
        let text = fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"))?;
        let study = Study::read(&name.to_string(), &text)?;
        let stem = file.file_stem().unwrap_or_default();
        if out.is_none() && !matches!(Path::new(stem).components().next(), Some(Component::Normal(_))) {
            return Err(format!("{name}: no folder can have its name: name one with --out"));
        }
        let out = out.map_or_else(|| Path::new("results").join(stem), Path::to_owned);
        let experiment = Self::new(registry, study, out, &|cell, error| {
            let field = match error {
                SessionError::Request(error) => error.field(),
                _ => "",
            };
            format!("{name}: line {}: {field}: cell {}: {error}", cell.line(field), cell.name)
        })?;
        let mut wanted = experiment.study.tables.iter().flatten();
        match wanted.find(|table| !experiment.tables.contains(*table)) {
            None => Ok(experiment),
            Some(table) => {
                let (hint, all) = (hint(table, experiment.table_names()), listed(experiment.table_names()));
                Err(format!("{name}: tables: no cell has '{table}'{hint}; tables: {all}"))
            }
        }
    }

    /// Checks every cell of a study that is to be done in the folder `out`; `wrong` words what is wrong with a cell.
    ///
    /// # Errors
    /// What is wrong with the first cell that cannot be done, or with the folder.
    pub fn new(
        registry: &Registry,
        study: Study,
        out: PathBuf,
        wrong: &dyn Fn(&Cell, &SessionError) -> String,
    ) -> Result<Self, String> {
        // A file is in the way, not what a cell of the study holds.
        if let Some(file) = out.ancestors().find(|path| path.exists()).filter(|path| !path.is_dir()) {
            return Err(format!("{} is no folder: choose another place with --out", file.display()));
        }
        let joined = join::listed(&out, &study.cells, study.tables.as_deref());
        let mut tables = BTreeSet::new();
        let mut state = |cell: &Cell| {
            let wrong = |error: SessionError| wrong(cell, &error);
            let Found { state, files, notes } =
                Found::of(registry, cell, &out, joined.contains(&cell.name)).map_err(wrong)?;
            if let Some(name) = &cell.outputs.transcripts
                && files.iter().any(|file| name.as_os_str() == file.as_str())
            {
                let reason = format!("{} is the name of another file of the cell", name.display());
                return Err(wrong(RequestError::new("transcripts", reason).into()));
            }
            tables.extend(files);
            Ok((state, notes))
        };
        let found = study.cells.iter().map(&mut state).collect::<Result<Vec<_>, String>>()?;
        let (states, notes): (Vec<State>, Vec<Vec<String>>) = found.into_iter().unzip();
        let notes = with_cells(&study.cells, notes);
        tables.retain(|name| name.ends_with(".csv"));
        let known = registry.tables().collect();
        Ok(Self { study, out, states, joined, notes, tables, known })
    }

    /// The names of the tables that can be joined.
    fn table_names(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().map(String::as_str)
    }

    /// Notes for the user, each once.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What lies in the folder of the study and is neither a cell of it, nor a table that it has joined or was joining when it was
    /// killed: a file or folder, or the name of a cell in the joined tables.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn stranger(&self) -> io::Result<Option<String>> {
        let entries = match fs::read_dir(&self.out) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            entries => entries?,
        };
        let joined = match Table::read(&self.out.join(CELLS), usize::MAX) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(io::Error::new(error.kind(), format!("{CELLS}: {error}"))),
            Ok(joined) => Some(joined),
        };
        // The list of cells is written last.
        let is_own = |path: &Path| {
            join::is_joined(path)
                && Table::read(path, usize::MAX)
                    .is_ok_and(|table| join::cells(&table).all(|name| self.is_cell(name)))
        };
        let files: Vec<String> = self.known.iter().copied().chain([CELLS]).map(ToOwned::to_owned).collect();
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let is_joined = match &joined {
                Some(_) => Path::new(&name).extension().is_some_and(|end| end == "csv"),
                None => self.known.contains(name.as_str()) && is_own(&self.out.join(&name)),
            };
            if !is_joined && !self.is_cell(&name) && !left_over(&name, &files) {
                return Ok(Some(name));
            }
        }
        let joined = joined.unwrap_or_default();
        Ok(join::cells(&joined).find(|name| !self.is_cell(name)).cloned())
    }

    /// The cells, and how far each is.
    pub fn cells(&self) -> impl Iterator<Item = (&Cell, &State)> {
        self.study.cells.iter().zip(&self.states)
    }

    /// The number of finished cells.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.states.iter().filter(|state| **state == State::Finished).count()
    }

    /// Checks that the folder is not that of a run, and that neither it nor a folder of a cell holds anything else that would be
    /// overwritten or removed, unless it may be.
    ///
    /// # Errors
    /// Names the folder.
    pub fn check(&self, redo: Redo) -> Result<(), String> {
        let may_replace = redo.force || redo.again;
        let (out, holds) = (self.out.display(), |name: &str| self.out.join(name).exists());
        if let Some(name) = [MANIFEST, JOURNAL].into_iter().find(|name| holds(name)) {
            return Err(format!("{out} is the folder of a run ({name}): choose another place with --out"));
        }
        let is_own = holds(CELLS) || self.study.cells.iter().any(|cell| holds(&cell.name));
        let table = self.table_names().find(|name| holds(name)).filter(|_| !is_own && !redo.force);
        if let Some(name) = table {
            return Err(format!(
                "{out} holds {name}, which is not of this study: choose another place with --out, or overwrite it with --force"
            ));
        }
        for (cell, state) in self.cells().filter(|_| !may_replace) {
            if let State::Other(reason) = state {
                return Err(format!(
                    "{} does not hold this cell, but something else ({reason}): remove it, choose another place with --out, or do it anew with --force",
                    self.out.join(&cell.name).display()
                ));
            }
        }
        self.loses(redo).map_or(Ok(()), Err)
    }

    /// Why the study must not be done: joined tables hold rows that are nowhere else, and it joins them no more.
    #[must_use]
    pub fn loses(&self, redo: Redo) -> Option<String> {
        // Tables that stay keep the rows of cells of the study. Of those that go, cells that are done anew have their own.
        let is_lost = |name: &str, cell: &str| !self.is_cell(cell) || !(redo.again || self.stays(name));
        let out = self.out.display();
        let lost = |name: &&'static str| {
            match join::kept_here_alone(&self.out, name) {
            Ok(cells) => cells.into_iter().find(|cell| is_lost(name, cell)).map(|cell| {
                format!("{out} holds {name} with rows of {cell} that are nowhere else, and this study would remove them: choose another place with --out, or have them removed with --force")
            }),
            Err(error) => Some(format!(
                "{name} in {out} cannot be read, and may hold rows that are nowhere else: {error}; repair it, or have it written anew with --force"
            )),
        }
        };
        self.known.iter().filter(|_| !redo.force).find_map(lost)
    }

    fn is_cell(&self, name: &str) -> bool {
        self.study.cells.iter().any(|cell| cell.name == name)
    }

    /// Whether the study joins a table of this name.
    fn stays(&self, name: &str) -> bool {
        match &self.study.tables {
            Some(chosen) => chosen.iter().any(|table| table == name),
            None => self.tables.contains(name) && !BY_INDEX.contains(&name),
        }
    }

    /// Whether there is something to join: of a committed study whose cells are done nothing but the joined tables is left.
    fn joins(&self, redo: Redo) -> bool {
        let mut cells = 0..self.study.cells.len();
        cells.clone().any(|i| self.is_due(i, redo)) || cells.all(|i| self.can_join(i))
    }

    /// Does the cells that are not finished, one after the other, and joins the tables.
    ///
    /// # Errors
    /// As [`Session::run`], and when the tables cannot be joined.
    pub fn complete(
        &self,
        registry: &Registry,
        redo: Redo,
        (threads, stop): (usize, Arc<AtomicBool>),
        watcher: &mut dyn Watcher,
    ) -> Result<Completed, ExperimentError> {
        let joins = self.joins(redo);
        for (i, (cell, state)) in self.cells().enumerate() {
            let mut state = state.clone();
            let mut finished = !self.is_due(i, redo);
            if !finished && !redo.again {
                // Another process may have done it while this one did those before.
                state = Found::of(registry, cell, &self.out, self.joined.contains(&cell.name))?.state;
                finished = state == State::Finished && self.can_join(i);
            }
            watcher.cell(i, cell, finished);
            if finished {
                continue;
            }
            let existing = match state {
                _ if redo.again => Existing::Replace,
                State::Begun => Existing::Resume,
                State::Other(_) if redo.force => Existing::Replace,
                State::New | State::Finished | State::Other(_) => Existing::Remake,
            };
            let mut carry_out =
                |existing| self.carry_out(registry, i, existing, (threads, Arc::clone(&stop)), watcher);
            let done = match carry_out(existing) {
                // Some of what is begun cannot be gone on with, such as what another version began.
                Err(error) if redo.force && existing == Existing::Resume && cannot_go_on(&error) => {
                    carry_out(Existing::Replace)?
                }
                done => done?,
            };
            watcher.ended(&done);
            if !matches!(done.end, End::Complete) {
                return Ok((None, done.end));
            }
        }
        let joined = match joins {
            true => self.join().map(Some),
            // What nothing else holds has been refused before, or may go.
            false => self.prune().map(|()| None),
        };
        let out = self.out.display();
        let failed = |error| ExperimentError::Join(format!("cannot join the tables in {out}: {error:#}"));
        Ok((joined.map_err(failed)?, End::Complete))
    }

    /// Does a cell.
    fn carry_out(
        &self,
        registry: &Registry,
        cell: usize,
        existing: Existing,
        (threads, stop): (usize, Arc<AtomicBool>),
        observer: &mut dyn Watcher,
    ) -> Result<Done, SessionError> {
        let cell = &self.study.cells[cell];
        let folder = self.out.join(&cell.name);
        let mut outputs = cell.outputs.clone();
        outputs.transcripts = outputs.transcripts.map(|name| folder.join(name));
        let session = Session::new(registry, &cell.request)?.outputs(outputs).folder(folder);
        session.existing(existing).threads(threads).stop(stop).run(observer)
    }

    /// Whether a cell has to be done for the tables to be joined.
    #[must_use]
    pub fn is_due(&self, cell: usize, redo: Redo) -> bool {
        let all = self.study.cells.len();
        let are_joined = self.finished() == all && self.joined.len() == all;
        // A cell of a committed study has kept its manifest alone. Its tables are needed once another cell is not joined.
        redo.again || self.states[cell] != State::Finished || !(are_joined || self.can_join(cell))
    }

    /// Whether the folder of a cell holds what joining needs.
    fn can_join(&self, cell: usize) -> bool {
        let folder = self.out.join(&self.study.cells[cell].name);
        let same_run =
            |manifest: &Manifest| !folder.join(JOURNAL).is_file() || journal_of(&folder, manifest).is_some();
        folder.join(MANIFEST).is_file()
            && Manifest::read(&folder)
                .is_ok_and(|manifest| has_tables(&folder, &manifest) && same_run(&manifest))
    }

    /// Joins the tables of all cells, and returns the names of the files.
    ///
    /// # Errors
    /// When a table cannot be read or written, or two have other columns.
    pub fn join(&self) -> anyhow::Result<Vec<String>> {
        join::join(&self.out, &self.study.cells, self.study.tables.as_deref(), &self.known)
    }

    /// Removes from the joined tables what is not of this study.
    fn prune(&self) -> anyhow::Result<()> {
        join::prune(&self.out, |cell| self.is_cell(cell), |name| self.stays(name), &self.known)
    }
}
