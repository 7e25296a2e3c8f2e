//! Shares a range of indices out to workers and merges what they counted.
//!
//! The indices go out in chunks; how large they are depends on how fast games go, and nothing else
//! depends on them: counts are integers and add up in any order, and text (rows, transcripts) is put
//! back into the order of the indices. A worker that is too far ahead of the text written so far
//! waits, so memory does not grow with the number of games.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a chunk should take: short enough for a smooth end, long enough to cost nothing.
const CHUNK: Duration = Duration::from_millis(20);

/// The most games in a chunk whose text is wanted.
const CHUNK_WITH_TEXT: u64 = 1024;

/// How many chunks for each worker may be out or waiting for their turn to be written.
const WINDOW: u64 = 8;

/// How often the desk is shown the counts.
const PROGRESS: Duration = Duration::from_millis(100);

/// Text about consecutive indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// Rows of the table that has rows for each index.
    pub rows: Vec<u8>,
    /// Transcripts, a line each.
    pub transcripts: Vec<u8>,
    /// What is to be read at once.
    pub print: Vec<u8>,
}

/// How a run is to be carried out; none of it changes the results.
#[derive(Copy, Clone)]
pub struct Control<'a> {
    /// The number of workers, at least 1.
    pub threads: usize,
    /// Set it to end the run early: what is under way is finished, nothing else is begun.
    pub stop: &'a AtomicBool,
}

/// What there is to do for each index.
pub trait Job: Sync {
    /// What is counted. The counts of parts add up to those of the whole, in any order.
    type Totals: Send;

    /// One who does it, with memory of its own.
    type Worker<'a>: Work<Self::Totals>
    where
        Self: 'a;

    /// Nothing counted yet.
    fn totals(&self) -> Self::Totals;

    /// Adds the counts of `part`.
    fn merge(&self, totals: &mut Self::Totals, part: &Self::Totals);

    /// A worker.
    fn worker(&self) -> Self::Worker<'_>;

    /// Whether workers leave text behind.
    fn has_text(&self) -> bool;

    /// What this index stands for, for messages: `game 3 with seed 1`.
    fn name(&self, index: u64) -> String;
}

/// What a worker does. What it does for one index must not depend on the others.
pub trait Work<T> {
    /// Does what there is to do for this index and counts it.
    fn work(&mut self, index: u64, totals: &mut T);

    /// Hands over the text since the last time.
    fn take(&mut self) -> Text;
}

/// Where the running counts and the text of a run go, on the thread that called [`share_out`].
pub trait Desk<T> {
    /// Takes text, in the order of the indices.
    ///
    /// # Errors
    /// When it cannot be written; the run then ends early.
    fn text(&mut self, text: Text) -> std::io::Result<()>;

    /// Looks at the counts so far, at most ten times a second.
    fn progress(&mut self, totals: &T);
}

/// What a run came to.
pub struct Outcome<T> {
    /// The counts of all finished indices.
    pub totals: T,
    /// Which indices were finished.
    pub finished: Ranges,
    /// Why the run ended early, unless it was told to.
    pub failure: Option<Failure>,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A game, an agent or a solver panicked.
    #[error("{name} failed: {message} (a bug: please report it with this command)")]
    Panic {
        /// What the index stands for.
        name: String,
        /// The index.
        index: u64,
        /// What the panic said.
        message: String,
    },
    /// The desk could not take the text.
    #[error(transparent)]
    Text(std::io::Error),
    /// The workers could not be started.
    #[error("cannot start the workers: {0}")]
    Threads(String),
}

/// Sets of indices as ranges that neither touch nor overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    /// Adds a range that overlaps none of those that are there.
    pub fn insert(&mut self, range: Range<u64>) {
        let Range { mut start, mut end } = range;
        if start >= end {
            return;
        }
        if let Some((&before, &touching)) = self.0.range(..start).next_back()
            && touching == start
        {
            start = before;
        }
        if let Some(after) = self.0.remove(&end) {
            end = after;
        }
        self.0.insert(start, end);
    }

    /// The ranges in order.
    pub fn iter(&self) -> impl Iterator<Item = Range<u64>> {
        self.0.iter().map(|(&start, &end)| start..end)
    }

    /// The number of indices.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.iter().map(|range| range.end - range.start).sum()
    }

    /// Whether there is no index.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Does the job for the indices of `range` on `control.threads` workers.
pub fn share_out<J: Job>(
    job: &J,
    range: Range<u64>,
    control: Control<'_>,
    desk: &mut impl Desk<J::Totals>,
) -> Outcome<J::Totals> {
    let mut hall = Hall::new(job, desk);
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(control.threads).build() {
        Ok(pool) => pool,
        Err(error) => {
            hall.outcome.failure = Some(Failure::Threads(error.to_string()));
            return hall.outcome;
        }
    };
    let queue = Queue::new(range, control, job.has_text());
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope(|scope| {
        for _ in 0..control.threads {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move |_| work(job, queue, &sender));
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(PROGRESS) {
                Ok(message) => hall.take(message, &queue),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            hall.show();
        }
    });
    hall.outcome
}

/// The indices that are still to be given out.
struct Queue<'a> {
    control: Control<'a>,
    /// The most indices in a chunk.
    most: u64,
    state: Mutex<QueueState>,
    written: Condvar,
}

struct QueueState {
    next: u64,
    end: u64,
    /// The number of chunks given out, and how many of them have been taken care of in order.
    given: u64,
    done: u64,
    /// Set when the run has failed.
    failed: bool,
}

impl<'a> Queue<'a> {
    fn new(range: Range<u64>, control: Control<'a>, text: bool) -> Self {
        let most = if text { CHUNK_WITH_TEXT } else { u64::MAX };
        let state = QueueState { next: range.start, end: range.end, given: 0, done: 0, failed: false };
        Self { control, most, state: Mutex::new(state), written: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        // No code that can panic runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next chunk and its number, at most `size` games; `None` when there is nothing left to do.
    fn chunk(&self, size: u64) -> Option<(u64, Range<u64>)> {
        let workers = self.control.threads as u64;
        let mut state = self.lock();
        while state.given - state.done >= WINDOW * workers && !state.failed {
            state = self.written.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let left = state.end - state.next;
        if left == 0 || state.failed || self.control.stop.load(Ordering::Relaxed) {
            return None;
        }
        // Towards the end the chunks shrink, so that all workers end at about the same time.
        let size = size.min(left / (2 * workers)).min(self.most).clamp(1, left);
        let start = state.next;
        state.next += size;
        state.given += 1;
        Some((state.given - 1, start..start + size))
    }

    fn set_done(&self, done: u64) {
        self.lock().done = done;
        self.written.notify_all();
    }

    fn fail(&self) {
        self.lock().failed = true;
        self.written.notify_all();
    }

    fn stopped(&self) -> bool {
        self.control.stop.load(Ordering::Relaxed)
    }
}

/// A chunk that has been done, to its end unless the run was stopped.
struct Chunk<T> {
    number: u64,
    range: Range<u64>,
    totals: T,
    text: Text,
}

/// A chunk, or the number of the one that failed and why.
type Message<T> = Result<Chunk<T>, (u64, Failure)>;

#[expect(
    clippy::disallowed_methods,
    reason = "the clock decides the size of chunks, which changes no result"
)]
fn now() -> Instant {
    Instant::now()
}

/// A worker: does chunks until there are none left.
fn work<J: Job>(job: &J, queue: &Queue<'_>, sender: &Sender<Message<J::Totals>>) {
    let mut worker = job.worker();
    let mut size = 1;
    while let Some((number, range)) = queue.chunk(size) {
        let start = now();
        let mut totals = job.totals();
        let mut index = range.start;
        let done = catch_unwind(AssertUnwindSafe(|| {
            while index < range.end && !queue.stopped() {
                worker.work(index, &mut totals);
                index += 1;
            }
        }));
        let message = match done {
            Ok(()) => {
                let nanos = start.elapsed().as_nanos().max(1);
                let fitting = u128::from(index - range.start) * CHUNK.as_nanos() / nanos;
                size = u64::try_from(fitting).unwrap_or(u64::MAX).clamp(1, size.saturating_mul(8));
                Ok(Chunk { number, range: range.start..index, totals, text: worker.take() })
            }
            Err(panic) => {
                queue.fail();
                let message = panic_text(&*panic);
                Err((number, Failure::Panic { name: job.name(index), index, message }))
            }
        };
        let failed = message.is_err();
        if sender.send(message).is_err() || failed {
            return;
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown panic".to_owned())
}

/// Where the chunks come together.
struct Hall<'d, J: Job, D> {
    job: &'d J,
    desk: &'d mut D,
    outcome: Outcome<J::Totals>,
    /// Text whose turn has not come.
    waiting: BTreeMap<u64, Text>,
    done: u64,
    shown: Instant,
}

impl<'d, J: Job, D: Desk<J::Totals>> Hall<'d, J, D> {
    fn new(job: &'d J, desk: &'d mut D) -> Self {
        let outcome = Outcome { totals: job.totals(), finished: Ranges::default(), failure: None };
        Self { job, desk, outcome, waiting: BTreeMap::new(), done: 0, shown: now() }
    }

    fn take(&mut self, message: Message<J::Totals>, queue: &Queue<'_>) {
        match message {
            Ok(chunk) => {
                self.job.merge(&mut self.outcome.totals, &chunk.totals);
                self.outcome.finished.insert(chunk.range);
                self.waiting.insert(chunk.number, chunk.text);
            }
            Err((number, failure)) => {
                self.fail(failure, queue);
                self.waiting.insert(number, Text::default());
            }
        }
        self.write(queue);
    }

    fn write(&mut self, queue: &Queue<'_>) {
        while let Some(text) = self.waiting.remove(&self.done) {
            self.done += 1;
            if !matches!(self.outcome.failure, Some(Failure::Text(_)))
                && let Err(error) = self.desk.text(text)
            {
                self.fail(Failure::Text(error), queue);
            }
        }
        queue.set_done(self.done);
    }

    fn fail(&mut self, failure: Failure, queue: &Queue<'_>) {
        self.outcome.failure.get_or_insert(failure);
        queue.fail();
    }

    fn show(&mut self) {
        if self.shown.elapsed() >= PROGRESS {
            self.desk.progress(&self.outcome.totals);
            self.shown = now();
        }
    }
}
