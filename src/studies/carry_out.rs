//! Carries out a planned study: folder, journal, workers, tables, summary.

use super::outcome::{Done, End, Progress, SessionError, SessionObserver};
use super::study_plan::{Outputs, StudyPlan};
use crate::exec::{Job, Ranges, Sink, Text, Workers, run_job};
use crate::store::{
    Existing, Files, Folder, Journal, Manifest, PlanRecord, Prefix, Shard, Table, TableForm, Timing,
    Unwritten, Writer,
};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime};

/// How a plan is carried out; none of it changes the results.
#[derive(Copy, Clone)]
pub struct How<'a> {
    pub(super) folder: Option<&'a Path>,
    pub(super) outputs: &'a Outputs,
    pub(super) existing: Existing,
    pub(super) shard: Option<Shard>,
    pub(super) workers: Workers<'a>,
    pub(super) durable: bool,
}

/// Carries out a plan.
pub(super) fn carry_out<T: Send>(
    study: &dyn StudyPlan<Totals = T>,
    how: How<'_>,
    observer: &mut dyn SessionObserver,
) -> Result<Done, SessionError> {
    let How { outputs, existing, workers, .. } = how;
    let plan = PlanRecord { shard: how.shard, ..study.record() };
    if how.shard.is_some() {
        study.check_shards()?;
    }
    let force = existing == Existing::Replace;
    let files = Files { force, temporary: !how.durable, ..study.files(outputs)? };
    let range = plan.range();
    // All parts are refused, not those alone that would be empty: nobody should find out when the others are done.
    if let Some(Shard { of, .. }) = how.shard.filter(|shard| shard.of > plan.size()) {
        return Err(SessionError::EmptyShard { size: plan.size(), noun: study.noun(), of });
    }
    if how.folder.is_none() && existing == Existing::Resume {
        return Err(SessionError::NowhereToResume);
    }
    // Nobody stands by where many parts are done.
    let goes_on = existing == Existing::Keep
        && how.shard.is_some()
        && !files.is_read_at_once()
        && !how.folder.is_some_and(was_cut_off);
    let existing = if goes_on { Existing::Resume } else { existing };
    let folder = how.folder.map(|path| Folder::check(path, &plan, &files, existing)).transpose()?;
    let job = study.job(outputs);
    let (totals, next) = begin(&*job, &range, folder.as_ref())?;
    if let Some(done) = finished(study, &totals, folder.as_ref(), &files)? {
        return Ok(done);
    }
    if next < range.end && !job.is_enough(&totals) {
        study.get_ready(workers.stop).map_err(SessionError::Player)?;
        if workers.stop.load(Ordering::Relaxed) {
            return interrupted(study, &totals, folder.as_ref(), plan);
        }
    }
    let writer = Writer::open(folder, Manifest::new(plan), &files)?;
    let clock = Clock::new(next, workers.threads);
    let mut front = Front { study, job: &*job, writer, observer, range: range.clone(), clock };
    let outcome = run_job(&*job, totals, next..range.end, workers, &mut front);

    let Front { mut writer, clock, .. } = front;
    let (mut totals, next) = (outcome.totals, outcome.next);
    let mut complete = outcome.enough || next == range.end;
    let folder = writer.folder().map(ToOwned::to_owned);
    let finished = Ranges::from(range.start..next);
    // The counts first: tables that no longer fit on the disk can be made from them. The end tells of failures.
    let mut kept = folder.is_some() && !files.is_read_at_once();
    // All that the folder holds is of the same games: those that were kept last.
    if writer.keep(&finished, job.record(&totals), clock.timing(next)).is_err() {
        let journal = writer.go_back();
        kept &= journal.is_some();
        if let Some((folder, journal)) = folder.as_deref().zip(journal) {
            totals = restore(&*job, &range, folder, &journal)?.0;
            complete = false;
        }
    }
    let totals = &totals;
    let tables = tables(study, totals, &files)?;
    tables.iter().for_each(|table| writer.table(table));
    let unwritten = |source: Unwritten| SessionError::Unwritten { kept: kept && !source.is_gone(), source };
    let manifest = writer.finish(!complete).map_err(unwritten)?;
    let end = match outcome.failure {
        Some(failure) => End::Failed(failure),
        None if !complete => End::Interrupted,
        None => End::Complete,
    };
    let summary = study.summary(totals, &manifest);
    Ok(Done { manifest, tables, summary, folder, end, before: false })
}

/// The tables of these counts, which are those of the files in their order: the writer would pass over another.
pub(super) fn tables<T: Send>(
    study: &dyn StudyPlan<Totals = T>,
    totals: &T,
    files: &Files,
) -> io::Result<Vec<Table>> {
    let tables = study.tables(totals)?;
    let names = || tables.iter().map(|table| table.file.as_str());
    debug_assert!(
        names().eq(files.tables.iter().map(|form| form.file)),
        "the files of the plan are others than its tables: {:?}",
        names().collect::<Vec<_>>()
    );
    Ok(tables)
}

/// Whether a folder holds a run whose output was printed or piped and did not come to its end: nothing can go on from there.
fn was_cut_off(folder: &Path) -> bool {
    Manifest::read(folder).is_ok_and(|old| old.partial && old.was_read_at_once())
}

/// What a folder holds, where there is nothing left to do or to write: it may be one that nobody may write to.
fn finished<T: Send>(
    study: &dyn StudyPlan<Totals = T>,
    totals: &T,
    folder: Option<&Folder>,
    files: &Files,
) -> Result<Option<Done>, SessionError> {
    let Some((manifest, folder)) = folder.and_then(|folder| Some((folder.resumed()?.0, folder))) else {
        return Ok(None);
    };
    let tables = tables(study, totals, files)?;
    if !folder.is_finished(files, &tables) {
        return Ok(None);
    }
    let manifest = manifest.clone();
    let summary = study.summary(totals, &manifest);
    let folder = Some(folder.path().to_owned());
    Ok(Some(Done { manifest, tables, summary, folder, end: End::Complete, before: true }))
}

/// Whether the tables in a folder of this plan are those of its journal, those with a row for each index among them.
pub(super) fn is_intact<T: Send>(
    study: &dyn StudyPlan<Totals = T>,
    folder: &Path,
    journal: &Journal,
) -> bool {
    let usual = Outputs::default();
    // Not every kind has rows to ask for.
    let files = study.files(&Outputs { rows: true, ..Outputs::default() }).or_else(|_| study.files(&usual));
    let totals = journal.restore(&*study.job(&usual)).ok();
    let tables = totals.and_then(|totals| study.tables(&totals).ok());
    let has_rows = |(form, rows): (&TableForm, &Prefix)| rows.is_all_of(&folder.join(form.file));
    tables.is_some_and(|tables| tables.iter().all(|table| table.is_in(folder)))
        && files.is_ok_and(|files| files.rows.iter().zip(&journal.rows).all(has_rows))
}

/// The end of a session that was told to stop before it began: what is there stays as it is, and nothing else is made.
fn interrupted<T: Send>(
    study: &dyn StudyPlan<Totals = T>,
    totals: &T,
    folder: Option<&Folder>,
    plan: PlanRecord,
) -> Result<Done, SessionError> {
    let before = folder.and_then(|folder| Some((folder.path().to_owned(), folder.resumed()?.0.clone())));
    let (folder, manifest) =
        before.map_or_else(|| (None, Manifest::new(plan)), |(path, manifest)| (Some(path), manifest));
    let summary = study.summary(totals, &manifest);
    Ok(Done {
        manifest,
        tables: study.tables(totals)?,
        summary,
        folder,
        end: End::Interrupted,
        before: false,
    })
}

/// The counts of what the folder holds already, and the first index that it does not.
fn begin<T: Send>(
    job: &dyn Job<Totals = T>,
    range: &Range<u64>,
    folder: Option<&Folder>,
) -> Result<(T, u64), SessionError> {
    match folder.and_then(|folder| Some((folder, folder.journal()?))) {
        Some((folder, journal)) => restore(job, range, folder.path(), journal),
        None => Ok((job.totals(), range.start)),
    }
}

/// The counts of the journal of a folder, and the first index that it does not count.
fn restore<T: Send>(
    job: &dyn Job<Totals = T>,
    range: &Range<u64>,
    folder: &Path,
    journal: &Journal,
) -> Result<(T, u64), SessionError> {
    let damaged = |reason: &str| SessionError::Journal { path: folder.to_owned(), reason: reason.to_owned() };
    let done: Vec<_> = journal.ranges.iter().collect();
    match done.as_slice() {
        [] => Ok((job.totals(), range.start)),
        [done] if done.start == range.start && done.end <= range.end => {
            let totals = journal.restore(job).map_err(|reason| damaged(&reason))?;
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
struct Front<'a, T: Send> {
    study: &'a dyn StudyPlan<Totals = T>,
    job: &'a dyn Job<Totals = T>,
    writer: Writer,
    observer: &'a mut dyn SessionObserver,
    range: Range<u64>,
    clock: Clock,
}

impl<T: Send> Sink<T> for Front<'_, T> {
    fn text(&mut self, text: Text) -> io::Result<()> {
        if !text.print.is_empty() {
            self.observer.print(&text.print)?;
        }
        self.writer.text(&text)
    }

    fn progress(&mut self, totals: &T, next: u64) {
        let start = self.range.start;
        self.observer.progress(&Progress {
            noun: self.study.noun(),
            before: self.clock.first - start,
            done: next - start,
            all: self.range.end - start,
            estimate: &|| self.study.estimate(totals),
        });
    }

    fn keep(&mut self, totals: &T, next: u64) -> io::Result<()> {
        self.writer.keep(&(self.range.start..next).into(), self.job.record(totals), self.clock.timing(next))
    }
}
