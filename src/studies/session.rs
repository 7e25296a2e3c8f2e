//! A session does a request: folder, journal, resume, shard, workers, progress, interrupt, tables, summary.

use super::study::{Outputs, Planned, Study};
use super::{Head, Request, RequestError, Summary};
use crate::exec::{Control, Failure, Job, Ranges, Sink, Text, run_job};
use crate::registry::Registry;
use crate::store::{
    Existing, Files, Folder, FolderError, Manifest, MergeError, PlanRecord, Shard, Timing, Unwritten, Writer,
};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};

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
    folder: Option<PathBuf>,
    outputs: Outputs,
    existing: Existing,
    shard: Option<Shard>,
    threads: usize,
    stop: Arc<AtomicBool>,
}

/// What a session tells on its way.
pub trait Observer {
    /// How far it is, at most ten times a second.
    fn progress(&mut self, _progress: &Progress<'_>) {}

    /// Text that is to be read at once: best lines of solved deals.
    ///
    /// # Errors
    /// When it cannot be shown; the session then ends early.
    fn print(&mut self, _text: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

/// Watches nothing.
impl Observer for () {}

/// How far a session is.
pub struct Progress<'a> {
    /// What is counted: `games` or `deals`.
    pub noun: &'static str,
    /// The indices that an earlier session had done.
    pub before: u64,
    /// The indices done, those included.
    pub done: u64,
    /// All indices of this session.
    pub all: u64,
    estimate: &'a dyn Fn() -> String,
}

impl Progress<'_> {
    /// The estimate so far, in a few words.
    #[must_use]
    pub fn estimate(&self) -> String {
        (self.estimate)()
    }
}

/// What a session came to.
pub struct Done {
    /// What the folder holds.
    pub manifest: Manifest,
    /// What is to be said of it.
    pub summary: Box<dyn Summary>,
    /// Where it lies, if anywhere.
    pub folder: Option<PathBuf>,
    /// How it ended.
    pub end: End,
}

/// How a session ended.
#[derive(Debug)]
pub enum End {
    /// All is done, or enough.
    Complete,
    /// It was told to stop; what was finished is written.
    Interrupted,
    /// It failed; what was finished is written.
    Failed(Failure),
}

/// Why a session did not begin, or could not write.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The request was refused.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// There are more parts than indices.
    #[error("--shard: {size} {noun} cannot fill each part")]
    EmptyShard {
        /// The size of the whole.
        size: u64,
        /// What is counted.
        noun: &'static str,
    },
    /// There is nothing to go on from.
    #[error("--resume needs a folder: name one with --out")]
    NowhereToResume,
    /// An output cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Parts cannot be joined.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// The counts of an earlier session cannot be used.
    #[error("the journal in {path} cannot be used: {reason}", path = path.display())]
    Journal {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Something could not be written; the journal holds what was finished if `kept`.
    #[error("{source}{}", if *kept { "; --resume goes on from what was kept" } else { "" })]
    Unwritten {
        /// What, and why.
        source: Unwritten,
        /// Whether a session can go on from the folder.
        kept: bool,
    },
    /// Something else could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl SessionError {
    /// Whether nothing was begun, because what was asked cannot be done.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        !matches!(self, Self::Unwritten { .. } | Self::Io(_))
    }

    /// Whether the reader of a pipe has seen enough.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        match self {
            Self::Unwritten { source, .. } => source.is_closed_pipe(),
            Self::Io(error) => error.kind() == io::ErrorKind::BrokenPipe,
            _ => false,
        }
    }
}

impl Session {
    /// Checks a request and prepares its agents.
    ///
    /// # Errors
    /// Names the field of the request that is wrong, its value and what would be right.
    pub fn new(registry: &Registry, request: &Request) -> Result<Self, SessionError> {
        Ok(Self {
            plan: registry.plan(request)?,
            folder: None,
            outputs: Outputs::default(),
            existing: Existing::default(),
            shard: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            stop: Arc::default(),
        })
    }

    /// Writes to this folder.
    #[must_use]
    pub fn folder(mut self, path: impl Into<PathBuf>) -> Self {
        self.folder = Some(path.into());
        self
    }

    /// Writes to a folder in `parent` that is named after the request, where the kind of study has such a name.
    #[must_use]
    pub fn folder_in(mut self, parent: &Path) -> Self {
        let part = self.shard.map_or_else(String::new, |shard| format!("-part{}of{}", shard.part, shard.of));
        self.folder = self.plan.folder_name().map(|name| parent.join(name + &part));
        self
    }

    /// Writes these files too.
    #[must_use]
    pub fn outputs(mut self, outputs: Outputs) -> Self {
        self.outputs = outputs;
        self
    }

    /// What becomes of results that are there already.
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

    /// Stops when this is set: what is under way is finished, and what is finished is written.
    #[must_use]
    pub fn stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }

    /// What a manifest will say that was asked.
    #[must_use]
    pub fn record(&self) -> PlanRecord {
        PlanRecord { shard: self.shard, ..self.plan.record() }
    }

    /// Notes for whoever asked, such as an option's new name.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.plan.notes()
    }

    /// Checks the outputs before any work; [`Session::run`] does so too.
    ///
    /// # Errors
    /// When this kind of study cannot write them.
    pub fn check(&self) -> Result<(), SessionError> {
        Ok(self.plan.check_outputs(&self.outputs)?)
    }

    /// Does the request.
    ///
    /// # Errors
    /// Before any work, when the outputs cannot be used; after it, when they could not be written.
    pub fn run(self, observer: &mut dyn Observer) -> Result<Done, SessionError> {
        let how = How {
            folder: self.folder.as_deref(),
            outputs: &self.outputs,
            existing: self.existing,
            shard: self.shard,
            control: Control { threads: self.threads, stop: &self.stop },
        };
        self.plan.carry_out(how, observer)
    }
}

/// How a plan is carried out; none of it changes the results.
#[derive(Copy, Clone)]
pub struct How<'a> {
    folder: Option<&'a Path>,
    outputs: &'a Outputs,
    existing: Existing,
    shard: Option<Shard>,
    control: Control<'a>,
}

/// Carries out a plan.
pub(super) fn carry_out<S: Study>(
    study: &S,
    how: How<'_>,
    observer: &mut dyn Observer,
) -> Result<Done, SessionError> {
    let How { outputs, existing, control, .. } = how;
    let plan = PlanRecord { shard: how.shard, ..study.record() };
    if how.shard.is_some() {
        study.check_shards()?;
    }
    let files = Files { force: existing == Existing::Replace, ..study.files(outputs)? };
    let range = plan.range();
    if range.is_empty() {
        return Err(SessionError::EmptyShard { size: plan.size(), noun: S::NOUN });
    }
    if how.folder.is_none() && existing == Existing::Resume {
        return Err(SessionError::NowhereToResume);
    }
    let folder = how.folder.map(|path| Folder::check(path, &plan, &files, existing)).transpose()?;
    let job = study.job(outputs);
    let (totals, next) = begin(&job, &range, folder.as_ref())?;
    let writer = Writer::open(folder, Manifest::new(plan), &files)?;
    let clock = Clock::new(next, control.threads);
    let mut front = Front { study, job: &job, writer, observer, range: range.clone(), clock };
    let outcome = run_job(&job, totals, next..range.end, control, &mut front);

    let Front { mut writer, clock, .. } = front;
    let (totals, next) = (&outcome.totals, outcome.next);
    let complete = outcome.enough || next == range.end;
    let folder = writer.folder().map(ToOwned::to_owned);
    let finished = Ranges::from(range.start..next);
    // The counts first: tables that no longer fit on the disk can be made from them. The end tells of failures.
    let _ = writer.keep(&finished, job.record(totals), clock.timing(next));
    study.tables(totals)?.iter().for_each(|table| writer.table(table));
    let kept = folder.is_some() && !files.is_read_at_once();
    let manifest = writer.finish(!complete).map_err(|source| SessionError::Unwritten { source, kept })?;
    let end = match outcome.failure {
        Some(failure) => End::Failed(failure),
        None if !complete => End::Interrupted,
        None => End::Complete,
    };
    let summary = Box::new(study.summary(totals, Head::of::<S::Game>(&manifest)));
    Ok(Done { manifest, summary, folder, end })
}

/// The counts of what the folder holds already, and the first index that it does not.
fn begin<J: Job>(
    job: &J,
    range: &Range<u64>,
    folder: Option<&Folder>,
) -> Result<(J::Totals, u64), SessionError> {
    let Some((folder, journal)) = folder.and_then(|folder| Some((folder, folder.journal()?))) else {
        return Ok((job.totals(), range.start));
    };
    let damaged =
        |reason: &str| SessionError::Journal { path: folder.path().to_owned(), reason: reason.to_owned() };
    let done: Vec<_> = journal.ranges.iter().collect();
    match done.as_slice() {
        [] => Ok((job.totals(), range.start)),
        [done] if done.start == range.start && done.end <= range.end => {
            let totals = job.restore(journal.totals.clone()).map_err(|reason| damaged(&reason))?;
            if job.counted(&totals) != done.end - done.start {
                return Err(damaged("it counts other games than it lists"));
            }
            Ok((totals, done.end))
        }
        _ => Err(damaged("it counts games that this run does not do, or not in order")),
    }
}

/// When this session began.
struct Clock {
    started: SystemTime,
    clock: Instant,
    first: u64,
    threads: usize,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "the manifest says when a run began and how long it took")]
    fn new(first: u64, threads: usize) -> Self {
        Self { started: SystemTime::now(), clock: Instant::now(), first, threads }
    }

    fn timing(&self, next: u64) -> Timing {
        Timing::new(self.started, self.clock.elapsed().as_secs_f64(), next - self.first, self.threads)
    }
}

/// Where the text and the counts of the workers go.
struct Front<'a, S, J> {
    study: &'a S,
    job: &'a J,
    writer: Writer,
    observer: &'a mut dyn Observer,
    range: Range<u64>,
    clock: Clock,
}

impl<S: Study, J: Job<Totals = S::Totals>> Sink<S::Totals> for Front<'_, S, J> {
    fn text(&mut self, text: Text) -> io::Result<()> {
        if !text.print.is_empty() {
            self.observer.print(&text.print)?;
        }
        self.writer.text(&text)
    }

    fn progress(&mut self, totals: &S::Totals, next: u64) {
        let start = self.range.start;
        self.observer.progress(&Progress {
            noun: S::NOUN,
            before: self.clock.first - start,
            done: next - start,
            all: self.range.end - start,
            estimate: &|| self.study.estimate(totals),
        });
    }

    fn keep(&mut self, totals: &S::Totals, next: u64) -> io::Result<()> {
        self.writer.keep(&(self.range.start..next).into(), self.job.record(totals), self.clock.timing(next))
    }
}
