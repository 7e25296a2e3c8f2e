//! Shares a range of indices out to workers and merges what they counted.
//!
//! The indices go out in chunks; how large they are depends on how fast games go, and nothing else
//! depends on them. What chunks leave behind, counts and text (rows, transcripts), is put back into the order
//! of the indices, so that at every moment the sink has all of the first k indices and nothing else: what a
//! journal keeps, an interrupt leaves and a rule for stopping sees is the same on any number of threads. A
//! worker that is too far ahead waits, so memory does not grow with the number of games.

use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a chunk should take: short enough for a smooth end, long enough to cost nothing.
const CHUNK: Duration = Duration::from_millis(20);

/// The same where many indices are done at once: the last of them are done with less at once.
const CHUNK_AT_ONCE: Duration = Duration::from_millis(250);

/// The most indices in a chunk whose text is wanted, and how many bytes of text it should have at most.
const CHUNK_WITH_TEXT: u64 = 1024;
const CHUNK_TEXT: u128 = 1 << 20;

/// How many chunks for each worker may be out or waiting for their turn. Many, for the time that indices take may differ
/// by far: nobody should have to wait for a slow one.
const WINDOW: u64 = 64;

/// How much text may wait for a slow reader before no more chunks are given out, in bytes.
const MOST_TEXT: usize = 64 << 20;

/// How often the sink is shown the counts.
const PROGRESS: Duration = Duration::from_millis(100);

/// How often the sink is asked to keep them.
const KEEP: Duration = Duration::from_secs(1);

/// Text about consecutive indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// Rows of the tables that have rows for each index, table by table.
    pub rows: Vec<Vec<u8>>,
    /// Transcripts, a line each.
    pub transcripts: Vec<u8>,
    /// What is to be read at once.
    pub print: Vec<u8>,
    /// What players say to their authors.
    pub log: Vec<u8>,
}

impl Text {
    /// The number of bytes.
    fn size(&self) -> usize {
        let rows: usize = self.rows.iter().map(Vec::len).sum();
        rows + self.transcripts.len() + self.print.len() + self.log.len()
    }

    /// Adds text about the indices that follow.
    pub fn append(&mut self, text: Self) {
        if self.rows.len() < text.rows.len() {
            self.rows.resize_with(text.rows.len(), Vec::new);
        }
        self.rows.iter_mut().zip(text.rows).for_each(|(rows, more)| rows.extend(more));
        self.transcripts.extend(text.transcripts);
        self.print.extend(text.print);
        self.log.extend(text.log);
    }
}

/// Who does a job: how many, and whether they go on. Neither changes the results.
#[derive(Copy, Clone)]
pub struct Workers<'a> {
    /// The number of workers, at least 1.
    pub threads: usize,
    /// Set it to end the run early: nothing else is begun, and of what is under way a job may finish what is quick.
    pub stop: &'a AtomicBool,
}

/// A job: the work for each index, and its counts.
pub trait Job: Sync {
    /// The counts. Those of parts add up to those of the whole.
    type Totals: Send;

    /// Nothing counted yet.
    fn totals(&self) -> Self::Totals;

    /// The number of indices that are counted.
    fn counted(&self, totals: &Self::Totals) -> u64;

    /// Adds the counts of `part`, whose indices follow those that `totals` has counted.
    fn merge(&self, totals: &mut Self::Totals, part: Self::Totals);

    /// The counts as a journal keeps them: equal counts give equal records.
    fn record(&self, totals: &Self::Totals) -> Value;

    /// The counts of such a record.
    ///
    /// # Errors
    /// When it is no record of this job.
    fn restore(&self, record: Value) -> Result<Self::Totals, String>;

    /// A worker, with memory of its own. It may give up what it is doing when `stop` is set ([`Halt::Stopped`]).
    fn worker<'a>(&'a self, stop: &'a AtomicBool) -> Box<dyn Work<Self::Totals> + 'a>;

    /// The preferred number of indices at once for a worker. It gets fewer near the end, unless [`Job::is_serial`].
    fn at_once(&self) -> u64 {
        1
    }

    /// Whether workers take turns most of the time. They gain nothing by an even end, and would lose by fewer indices at once.
    fn is_serial(&self) -> bool {
        false
    }

    /// Whether workers leave text behind.
    fn has_text(&self) -> bool;

    /// The name of this index in messages: `game 3 with seed 1`.
    fn name(&self, index: u64) -> String;

    /// Whether what has been counted is enough is asked whenever the indices below a multiple of this are done; at
    /// least 1.
    fn round(&self) -> u64 {
        u64::MAX
    }

    /// Whether what has been counted is enough, so that the job ends here.
    fn is_enough(&self, _totals: &Self::Totals) -> bool {
        false
    }
}

/// The reason why a worker stops.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// It was told to stop, and has finished the indices before.
    #[error("it was told to stop")]
    Stopped,
    /// It was told to stop in the middle of an index: what it counted of this chunk does not count.
    #[error("it was told to stop in the middle of a game or a deal")]
    Abandoned,
    /// Something outside of the program failed it, such as a player in a process of its own.
    #[error("game or deal {index}: {message}")]
    Failed {
        /// The index that it failed at.
        index: u64,
        /// What happened.
        message: String,
    },
}

/// A worker. What it does for one index must not depend on the others.
pub trait Work<T> {
    /// Does what there is to do for this index and counts it.
    ///
    /// # Errors
    /// When the job cannot go on, or was told to stop. `totals` must hold whole indices alone then: on [`Halt::Stopped`] and
    /// [`Halt::Failed`] what came before this index counts, on [`Halt::Abandoned`] nothing since the last [`Work::take`] does.
    fn work(&mut self, index: u64, totals: &mut T) -> Result<(), Halt>;

    /// Does what there is to do for the first of these indices, or for the first few if that is quicker, and says for
    /// how many.
    ///
    /// # Errors
    /// As [`Work::work`].
    fn work_some(&mut self, indices: Range<u64>, totals: &mut T) -> Result<u64, Halt> {
        self.work(indices.start, totals)?;
        Ok(1)
    }

    /// Hands over the text since the last time.
    fn take(&mut self) -> Text;
}

/// The sink of the running counts and the text of a run, on the thread that called [`run_job`].
pub trait Sink<T> {
    /// Takes text, in the order of the indices.
    ///
    /// # Errors
    /// When it cannot be written; the run then ends early.
    fn text(&mut self, text: Text) -> std::io::Result<()>;

    /// Looks at the counts of all indices before `next`, at most ten times a second.
    fn progress(&mut self, _totals: &T, _next: u64) {}

    /// Keeps the counts of all indices before `next`, whose text has been taken, against sudden death; at most
    /// once a second.
    ///
    /// # Errors
    /// When they cannot be written; the run then ends early.
    fn keep(&mut self, _totals: &T, _next: u64) -> std::io::Result<()> {
        Ok(())
    }
}

/// Keeps all text in memory.
impl<T> Sink<T> for Text {
    fn text(&mut self, text: Text) -> std::io::Result<()> {
        self.append(text);
        Ok(())
    }
}

/// The outcome of a run.
pub struct Outcome<T> {
    /// The counts of all finished indices.
    pub totals: T,
    /// The first index that was not finished.
    pub next: u64,
    /// Whether the run ended because what was counted is enough.
    pub enough: bool,
    /// The failure that ended the run early, unless it was told to stop.
    pub failure: Option<Failure>,
}

/// A failure that ended a run early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A game, an agent or a solver panicked.
    #[error(
        "{name} failed: {message} (a bug: please report it with this command to the authors of the game or agent)"
    )]
    Panic {
        /// What the index stands for.
        name: String,
        /// The index.
        index: u64,
        /// What the panic said.
        message: String,
    },
    /// Something outside of the program failed, or an agent broke its contract.
    #[error("{name}: {message}")]
    Outside {
        /// What the index stands for.
        name: String,
        /// The index.
        index: u64,
        /// What happened.
        message: String,
    },
    /// The sink could not take the text or keep the counts.
    #[error(transparent)]
    Sink(std::io::Error),
    /// The workers could not be started.
    #[error("cannot start the workers: {0}")]
    Threads(String),
}

/// Does the job for the indices of `range` on `workers.threads` workers. `totals` has the counts of what was done
/// before.
pub fn run_job<T: Send>(
    job: &dyn Job<Totals = T>,
    totals: T,
    range: Range<u64>,
    workers: Workers<'_>,
    sink: &mut dyn Sink<T>,
) -> Outcome<T> {
    let mut collector = Collector::new(job, totals, range.start, sink);
    if collector.outcome.enough {
        return collector.outcome;
    }
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(workers.threads).build() {
        Ok(pool) => pool,
        Err(error) => {
            collector.outcome.failure = Some(Failure::Threads(error.to_string()));
            return collector.outcome;
        }
    };
    let queue = Queue::new(job, range, workers);
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope(|scope| {
        // Workers wait for what has been taken care of: however this ends, they must not wait for ever.
        let _closing = Closing(&queue);
        for _ in 0..workers.threads {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move |_| work(job, queue, &sender));
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(PROGRESS) {
                Ok(message) => collector.take(message, &queue),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            collector.keep_if_due(&queue);
            collector.show();
        }
    });
    let mut outcome = collector.outcome;
    // After an interrupt, or with enough, nobody waits for what the workers still had to say.
    if !outcome.enough && !workers.stop.load(Ordering::Relaxed) {
        outcome.failure = outcome.failure.or_else(|| queue.lock().failure.take());
    }
    outcome
}

/// The indices that are still to be given out.
struct Queue<'a> {
    workers: Workers<'a>,
    /// The most indices in a chunk.
    most: u64,
    /// No chunk crosses a multiple of this.
    round: u64,
    /// How many indices a worker likes to have at once.
    at_once: u64,
    /// The fewest indices in a chunk, unless there are no more, or `most` or `round` allows no more.
    at_least: u64,
    state: Mutex<QueueState>,
    moved: Condvar,
}

struct QueueState {
    next: u64,
    end: u64,
    /// The number of chunks given out, and how many of them have been taken care of in order.
    given: u64,
    done: u64,
    /// The bytes of text that workers have handed over and the sink has not taken.
    text: usize,
    /// Set when no more chunks are wanted.
    closed: bool,
    /// What failed at the end of a worker, when all its chunks were handed over.
    failure: Option<Failure>,
}

impl<'a> Queue<'a> {
    fn new<T: Send>(job: &dyn Job<Totals = T>, range: Range<u64>, workers: Workers<'a>) -> Self {
        let most = if job.has_text() { CHUNK_WITH_TEXT } else { u64::MAX };
        let state = QueueState {
            next: range.start,
            end: range.end,
            given: 0,
            done: 0,
            text: 0,
            closed: false,
            failure: None,
        };
        let (round, at_once) = (job.round(), job.at_once());
        let at_least = if job.is_serial() { at_once } else { 1 };
        Self { workers, most, round, at_once, at_least, state: Mutex::new(state), moved: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        // No code that can panic runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next chunk and its number, at most `size` indices; `None` when there is nothing left to do.
    fn chunk(&self, size: u64) -> Option<(u64, Range<u64>)> {
        let workers = self.workers.threads as u64;
        let mut state = self.lock();
        loop {
            let out = state.given - state.done;
            // The first of the chunks that are out is never waited for here, so the sink goes on.
            let far_ahead = out >= WINDOW * workers || (out > 0 && state.text >= MOST_TEXT);
            if !far_ahead || state.closed {
                break;
            }
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let left = state.end - state.next;
        if left == 0 || state.closed || self.workers.stop.load(Ordering::Relaxed) {
            return None;
        }
        // Towards the end the chunks shrink, so that all workers end at about the same time.
        let most = left.min(self.round - state.next % self.round);
        let share = (left / (2 * workers)).max(self.at_least);
        let size = size.max(self.at_once).min(share).min(self.most).clamp(1, most);
        let start = state.next;
        state.next += size;
        state.given += 1;
        Some((state.given - 1, start..start + size))
    }

    /// A worker hands over text.
    fn add_text(&self, bytes: usize) {
        if bytes > 0 {
            self.lock().text += bytes;
        }
    }

    /// Chunks before `done` have been taken care of, and these bytes of text.
    fn set_done(&self, done: u64, text: usize) {
        let mut state = self.lock();
        state.done = done;
        state.text -= text;
        drop(state);
        self.moved.notify_all();
    }

    fn close(&self) {
        self.lock().closed = true;
        self.moved.notify_all();
    }
}

/// Closes the queue when it goes, above all when a panic takes it away.
struct Closing<'a>(&'a Queue<'a>);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Chunks that follow each other and have been done.
struct Chunks<T> {
    /// The number of the last of them.
    last: u64,
    /// The first index after them.
    end: u64,
    totals: T,
    text: Text,
}

/// What was done of a chunk, and why the rest was not. Without a reason the worker was told to stop.
type Part<T> = (Chunks<T>, Result<(), Option<Failure>>);

/// What a worker hands over, with the number of the chunk.
type Message<T> = (u64, Part<T>);

#[expect(
    clippy::disallowed_methods,
    reason = "the clock decides the size of chunks and when the sink is called, which changes no result"
)]
fn now() -> Instant {
    Instant::now()
}

/// A worker: does chunks until there are none left.
fn work<T: Send>(job: &dyn Job<Totals = T>, queue: &Queue<'_>, sender: &Sender<Message<T>>) {
    let mut worker = None;
    let (mut size, mut index) = (1, 0);
    while let Some((number, range)) = queue.chunk(size) {
        let start = now();
        index = range.start;
        let done = catch_unwind(AssertUnwindSafe(|| {
            let worker = worker.get_or_insert_with(|| job.worker(queue.workers.stop));
            let mut totals = job.totals();
            let mut result = Ok(());
            while index < range.end && result.is_ok() {
                match worker.work_some(index..range.end, &mut totals) {
                    Ok(some) => index += some,
                    Err(halt) => result = Err(halt),
                }
            }
            (Chunks { last: number, end: index, totals, text: worker.take() }, result)
        }));
        // For a chunk of which nothing is to be trusted.
        let nothing =
            || Chunks { last: number, end: range.start, totals: job.totals(), text: Text::default() };
        let (chunks, result) = match done {
            Ok((chunks, Ok(()))) => (chunks, Ok(())),
            Ok((chunks, Err(Halt::Stopped))) => (chunks, Err(None)),
            Ok((chunks, Err(Halt::Failed { index, message }))) => {
                (chunks, Err(Some(Failure::Outside { name: job.name(index), index, message })))
            }
            Ok((_, Err(Halt::Abandoned))) => (nothing(), Err(None)),
            Err(panic) => {
                let failure = Failure::Panic { name: job.name(index), index, message: panic_text(&*panic) };
                (nothing(), Err(Some(failure)))
            }
        };
        if result.is_err() {
            queue.close();
        }
        let nanos = start.elapsed().as_nanos().max(1);
        let text = chunks.text.size();
        let done = u128::from(range.end - range.start);
        let chunk = if queue.at_once > 1 { CHUNK_AT_ONCE } else { CHUNK };
        let fitting = (done * chunk.as_nanos() / nanos).min(done * CHUNK_TEXT / (text as u128).max(1));
        size = u64::try_from(fitting).unwrap_or(u64::MAX).clamp(1, size.saturating_mul(8));
        let failed = result.is_err();
        queue.add_text(text);
        if sender.send((number, (chunks, result))).is_err() || failed {
            break;
        }
    }
    // An agent may panic when it is dropped, too.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(worker))) {
        let name = "a worker".to_owned();
        let failure = Failure::Panic { name, index, message: format!("at its end: {}", panic_text(&*panic)) };
        queue.lock().failure.get_or_insert(failure);
    }
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown panic".to_owned())
}

/// Where the chunks come together.
struct Collector<'d, T: Send> {
    job: &'d dyn Job<Totals = T>,
    sink: &'d mut dyn Sink<T>,
    outcome: Outcome<T>,
    /// What is done before its turn has come, by the number of its first chunk. What follows each other is put
    /// together, so that there is no more of it than gaps.
    waiting: BTreeMap<u64, Part<T>>,
    /// The number of chunks whose turn has come.
    done: u64,
    /// Set when what follows does not count: for whatever reason there is an end.
    ended: bool,
    shown: Instant,
    kept: Instant,
    /// Whether something has come since.
    unkept: bool,
}

impl<'d, T: Send> Collector<'d, T> {
    fn new(job: &'d dyn Job<Totals = T>, totals: T, next: u64, sink: &'d mut dyn Sink<T>) -> Self {
        let enough = job.counted(&totals) > 0 && next.is_multiple_of(job.round()) && job.is_enough(&totals);
        let outcome = Outcome { totals, next, enough, failure: None };
        Self {
            job,
            sink,
            outcome,
            waiting: BTreeMap::new(),
            done: 0,
            ended: false,
            shown: now(),
            kept: now(),
            unkept: false,
        }
    }

    fn take(&mut self, (number, (chunk, result)): Message<T>, queue: &Queue<'_>) {
        let round = self.job.round();
        let before = self.waiting.range_mut(..number).next_back();
        match before {
            // No decision may be due in between.
            Some((_, (before, Ok(()))))
                if result.is_ok() && before.last + 1 == number && !before.end.is_multiple_of(round) =>
            {
                self.job.merge(&mut before.totals, chunk.totals);
                before.text.append(chunk.text);
                (before.last, before.end) = (chunk.last, chunk.end);
            }
            _ => {
                self.waiting.insert(number, (chunk, result));
            }
        }
        let mut text = 0;
        while let Some((chunk, result)) = self.waiting.remove(&self.done) {
            text += chunk.text.size();
            self.done = chunk.last + 1;
            if self.ended {
                continue;
            }
            // What was done of a chunk counts in any case.
            match self.add(chunk).map_err(Some).and(result) {
                Ok(()) => self.ended = self.outcome.enough,
                Err(failure) => (self.outcome.failure, self.ended) = (failure, true),
            }
            if self.ended {
                queue.close();
            }
        }
        queue.set_done(self.done, text);
    }

    fn add(&mut self, chunks: Chunks<T>) -> Result<(), Failure> {
        self.sink.text(chunks.text).map_err(Failure::Sink)?;
        if chunks.end == self.outcome.next {
            return Ok(());
        }
        self.job.merge(&mut self.outcome.totals, chunks.totals);
        self.outcome.next = chunks.end;
        let round = chunks.end.is_multiple_of(self.job.round());
        self.outcome.enough = round && self.job.is_enough(&self.outcome.totals);
        self.unkept = true;
        Ok(())
    }

    /// Keeps what has come since the last time, if that is long ago: also while nothing comes, for minutes perhaps.
    fn keep_if_due(&mut self, queue: &Queue<'_>) {
        if self.ended || !self.unkept || self.kept.elapsed() < KEEP {
            return;
        }
        (self.kept, self.unkept) = (now(), false);
        if let Err(error) = self.sink.keep(&self.outcome.totals, self.outcome.next) {
            (self.outcome.failure, self.ended) = (Some(Failure::Sink(error)), true);
            queue.close();
        }
    }

    fn show(&mut self) {
        if self.shown.elapsed() >= PROGRESS {
            self.sink.progress(&self.outcome.totals, self.outcome.next);
            self.shown = now();
        }
    }
}
