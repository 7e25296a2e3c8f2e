//! Carries out a job from the command line: folder, journal, progress, interrupts, summary.

use crate::cli::exit::{Exit, bad_input, complain, say};
use crate::cli::progress::Progress;
use crate::cli::work::{self, Workspace};
use crate::exec::{Control, Failure, Job, Ranges, Sink, Text, run_job};
use crate::store::{Existing, Files, Folder, Manifest, PlanRecord, Timing, Writer};
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// What people are told about the counts of a job, and the tables that are made of them.
pub trait Report<T> {
    /// What is counted: `games`.
    const NOUN: &'static str;

    /// The estimate so far, for the progress line.
    fn estimate(&self, totals: &T) -> String;

    /// Writes the tables.
    fn tables(&self, writer: &mut Writer, totals: &T);

    /// The summary that ends the command.
    fn summary(&self, totals: &T, manifest: &Manifest) -> String;
}

/// Where and how a job is done.
pub struct Task<'a> {
    /// The options.
    pub workspace: &'a Workspace,
    /// What is done.
    pub plan: PlanRecord,
    /// The folder for the results, if there is to be one.
    pub path: Option<PathBuf>,
    /// The outputs.
    pub files: Files,
}

impl Task<'_> {
    /// Does the job.
    ///
    /// # Errors
    /// When the outputs cannot be used, which is found before anything is done, or cannot be written.
    pub fn carry_out<J: Job, R: Report<J::Totals>>(self, job: &J, report: &R) -> anyhow::Result<Exit> {
        let Self { workspace, mut plan, path, mut files } = self;
        plan.shard = workspace.shard;
        files.force = workspace.force;
        let range = plan.range();
        if range.is_empty() {
            return Err(bad_input(format!("--shard: {} {} cannot fill each part", plan.games, R::NOUN)));
        }
        if path.is_none() && workspace.existing() == Existing::Resume {
            return Err(bad_input("--resume needs a folder: name one with --out"));
        }
        let stop = work::stop_on_interrupt()?;
        let folder = path.map(|path| Folder::check(&path, &plan, &files, workspace.existing()));
        let folder = folder.transpose().map_err(bad_input)?;
        let (totals, next) = begin(job, &range, folder.as_ref())?;
        let to_stderr = files.transcripts.as_ref().is_some_and(|path| path.as_os_str() == "-");
        let writer = Writer::open(folder, Manifest::new(plan), &files).map_err(bad_input)?;
        let control = Control { threads: workspace.threads(), stop: &stop };
        let progress = Progress::new(R::NOUN, next - range.start, range.end - range.start, workspace.quiet);
        let clock = Clock::new(next, control.threads);
        let mut front = Front { job, report, writer, progress, start: range.start, clock };
        let outcome = run_job(job, totals, next..range.end, control, &mut front);

        let Front { mut writer, progress, clock, .. } = front;
        progress.end();
        let (totals, next) = (&outcome.totals, outcome.next);
        let complete = outcome.enough || next == range.end;
        let folder = writer.folder().map(ToOwned::to_owned);
        let finished = Ranges::from(range.start..next);
        // The counts first: tables that no longer fit on the disk can be made from them. The end tells of failures.
        let _ = writer.keep(&finished, job.record(totals), clock.timing(next));
        report.tables(&mut writer, totals);
        let manifest = match writer.finish(!complete) {
            Ok(manifest) => manifest,
            Err(unwritten) if unwritten.is_closed_pipe() => return Ok(Exit::Done),
            Err(unwritten) if folder.is_some() && !files.is_read_at_once() => {
                return Err(anyhow::anyhow!("{unwritten}; --resume goes on from what was kept"));
            }
            Err(unwritten) => return Err(unwritten.into()),
        };
        if !workspace.quiet {
            let printed = print(report.summary(totals, &manifest), folder.as_deref(), to_stderr);
            if complete {
                printed?;
            }
        }
        let kept = match folder {
            Some(folder) if files.is_read_at_once() => {
                format!("; {} holds what was finished", folder.display())
            }
            Some(folder) => format!("; {} holds what was finished, --resume goes on", folder.display()),
            None => String::new(),
        };
        match outcome.failure {
            Some(Failure::Sink(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done),
            Some(failure) => {
                complain(format!("{failure}{kept}"));
                Ok(Exit::Failed)
            }
            None if !complete => {
                say(format_args!("Interrupted{kept}"));
                Ok(Exit::Interrupted)
            }
            None => Ok(Exit::Done),
        }
    }
}

/// Prints a summary, and where the results lie.
pub fn print(mut summary: String, folder: Option<&Path>, to_stderr: bool) -> io::Result<()> {
    if let Some(folder) = folder {
        summary += &format!("Written to {}\n", folder.display());
    }
    if to_stderr {
        io::stderr().write_all(summary.as_bytes())
    } else {
        io::stdout().write_all(summary.as_bytes())
    }
}

/// The counts of what the folder holds already, and the first index that it does not.
fn begin<J: Job>(job: &J, range: &Range<u64>, folder: Option<&Folder>) -> anyhow::Result<(J::Totals, u64)> {
    let Some((folder, journal)) = folder.and_then(|folder| Some((folder, folder.journal()?))) else {
        return Ok((job.totals(), range.start));
    };
    let damaged =
        |why: &str| bad_input(format!("the journal in {} cannot be used: {why}", folder.path().display()));
    let done: Vec<_> = journal.ranges.iter().collect();
    match done.as_slice() {
        [] => Ok((job.totals(), range.start)),
        [done] if done.start == range.start && done.end <= range.end => {
            let totals = job.restore(journal.totals.clone()).map_err(|why| damaged(&why))?;
            if job.counted(&totals) != done.end - done.start {
                return Err(damaged("it counts other games than it lists"));
            }
            Ok((totals, done.end))
        }
        _ => Err(damaged("it counts games that this run does not do, or not in order")),
    }
}

/// When this part of a run was begun.
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

/// Where the text and the counts go.
struct Front<'a, J, R> {
    job: &'a J,
    report: &'a R,
    writer: Writer,
    progress: Progress,
    start: u64,
    clock: Clock,
}

impl<J: Job, R: Report<J::Totals>> Sink<J::Totals> for Front<'_, J, R> {
    fn text(&mut self, text: Text) -> io::Result<()> {
        if !text.print.is_empty() {
            io::stdout().write_all(&text.print)?;
        }
        self.writer.text(&text)
    }

    fn progress(&mut self, totals: &J::Totals, next: u64) {
        self.progress.show(next - self.start, || self.report.estimate(totals));
    }

    fn keep(&mut self, totals: &J::Totals, next: u64) -> io::Result<()> {
        self.writer.keep(&(self.start..next).into(), self.job.record(totals), self.clock.timing(next))
    }
}
