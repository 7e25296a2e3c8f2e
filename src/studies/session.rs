//! A session does a request: folder, journal, resume, shard, workers, progress, interrupt, tables, summary.

use super::carry_out::How;
use super::outcome::{Done, SessionError, SessionObserver};
use super::planned::{Planned, Planner};
use super::{Outputs, Request};
use crate::exec::Workers;
use crate::store::{Existing, Journal, PlanRecord, Shard, Sum};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Does a request, and writes what it comes to. Without a folder nothing is written; the summary is there all the same.
///
/// ```
/// use knave::registry::Registry;
/// use knave::studies::{Request, Session};
///
/// let registry = Registry::builtin().build();
/// let request: Request =
///     serde_json::from_str(r#"{ "study": "run", "game": "dungeon", "agents": ["random"], "n": 20 }"#)?;
/// let done = Session::new(&registry, &request)?.threads(2).run(&mut ())?;
/// assert_eq!(done.manifest.finished, 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session {
    plan: Box<dyn Planned>,
    place: Place,
    outputs: Outputs,
    existing: Existing,
    shard: Option<Shard>,
    threads: usize,
    stop: Arc<AtomicBool>,
    durable: bool,
}

/// Where results go.
enum Place {
    Nowhere,
    Folder(PathBuf),
    /// To a folder inside of this one, named after the request.
    Inside(PathBuf),
}

impl Session {
    /// Checks a request and prepares its agents.
    ///
    /// # Errors
    /// Names the field of the request that is wrong, its value and what would be right.
    pub fn new(registry: &impl Planner, request: &Request) -> Result<Self, SessionError> {
        request.check_files()?;
        Ok(Self {
            plan: registry.plan(request)?,
            place: Place::Nowhere,
            outputs: Outputs::default(),
            existing: Existing::default(),
            shard: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            stop: Arc::default(),
            durable: true,
        })
    }

    /// Writes to this folder.
    #[must_use]
    pub fn folder(mut self, path: impl Into<PathBuf>) -> Self {
        self.place = Place::Folder(path.into());
        self
    }

    /// Writes to a folder in `parent` that is named after the request, where the kind of study has such a name. A part goes to
    /// a folder of its own in one that is named after the checksum of the plan, too, such as
    /// `dungeon-random-n1000-seed1-a0caab3f0d1e2f4b/03-of-16`.
    #[must_use]
    pub fn folder_in(mut self, parent: &Path) -> Self {
        self.place = Place::Inside(parent.to_owned());
        self
    }

    /// Writes these files too.
    #[must_use]
    pub fn outputs(mut self, outputs: Outputs) -> Self {
        self.outputs = outputs;
        self
    }

    /// What becomes of results that are there already. A part goes on from what there is of it, unless that is overwritten.
    #[must_use]
    pub fn existing(mut self, existing: Existing) -> Self {
        self.existing = existing;
        self
    }

    /// Does one part only.
    #[must_use]
    pub fn shard(mut self, shard: Option<Shard>) -> Self {
        self.shard = shard;
        self
    }

    /// Works on so many threads. Results do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Stops when this is set, after the decisions under way or the deals that are being solved; what is finished is written.
    #[must_use]
    pub fn stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }

    /// Whether results, transcripts too, outlive a crash of the machine, as they do unless this says otherwise: they are on the disk
    /// before the session goes on. For a folder that soon goes that time would be lost; of a small run it is nearly all.
    #[must_use]
    pub fn durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }

    /// What a manifest will say that was asked.
    #[must_use]
    pub fn record(&self) -> PlanRecord {
        PlanRecord { shard: self.shard, ..self.plan.record() }
    }

    /// Notes for the user, such as an option's new name.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for note in self.plan.notes() {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }

    /// Checks the outputs before any work; [`Session::run`] does so too.
    ///
    /// # Errors
    /// When this kind of study cannot write them.
    pub fn check(&self) -> Result<(), SessionError> {
        self.files().map(|_| ())
    }

    /// The files of results, but transcripts.
    ///
    /// # Errors
    /// As [`Session::check`].
    pub fn files(&self) -> Result<Vec<String>, SessionError> {
        Ok(self.plan.file_names(&self.outputs)?)
    }

    /// The files of results that are written only because [`Session::outputs`] ask for them.
    ///
    /// # Errors
    /// As [`Session::check`].
    pub fn further_files(&self) -> Result<Vec<String>, SessionError> {
        let always = self.plan.file_names(&Outputs::default())?;
        let mut files = self.files()?;
        files.retain(|name| !always.contains(name));
        Ok(files)
    }

    /// Checks that the work can be shared out; [`Session::run`] does so when it is to do a part.
    ///
    /// # Errors
    /// Says why not.
    pub fn check_shards(&self) -> Result<(), SessionError> {
        Ok(self.plan.check_shards()?)
    }

    /// What is counted: `games` or `deals`.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        self.plan.noun()
    }

    /// Whether the tables in a folder of this request are those of its journal.
    pub(crate) fn is_intact(&self, folder: &Path, journal: &Journal) -> bool {
        self.plan.is_intact(folder, journal)
    }

    /// The name of the folder for the results unless another is named.
    #[must_use]
    pub fn folder_name(&self) -> Option<String> {
        self.plan.folder_name()
    }

    /// Does the request. [`Done::end`] says whether all of it is done: a player that fails, or a stop, is no error here.
    ///
    /// # Errors
    /// Before any work, when the outputs cannot be used; after it, when they could not be written.
    pub fn run(self, observer: &mut dyn SessionObserver) -> Result<Done, SessionError> {
        let folder = self.place();
        let how = How {
            folder: folder.as_deref(),
            outputs: &self.outputs,
            existing: self.existing,
            shard: self.shard,
            workers: Workers { threads: self.threads, stop: &self.stop },
            durable: self.durable,
        };
        self.plan.carry_out(how, observer)
    }

    /// The folder for the results.
    fn place(&self) -> Option<PathBuf> {
        let parent = match &self.place {
            Place::Nowhere => return None,
            Place::Folder(path) => return Some(path.clone()),
            Place::Inside(parent) => parent,
        };
        let name = self.plan.folder_name()?;
        Some(match self.shard {
            None => parent.join(name),
            Some(shard) => {
                parent.join(format!("{name}-{}", Sum::of_plan(&self.plan.record()))).join(shard.folder_name())
            }
        })
    }
}
