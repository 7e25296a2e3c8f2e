//! Shares a range of indices out to workers and merges what they counted.
//!
//! The indices go out in chunks; how large they are depends on how fast games go, and nothing else
//! depends on them: counts are integers and add up in any order, and text (rows, transcripts) is put
//! back into the order of the indices. A worker that is too far ahead of the text written so far
//! waits, so memory does not grow with the number of games.

use super::record::Recorder;
use super::{Plan, Table, Totals};
use crate::games::CardGame;
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

/// The text wanted of each game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Rows of `games.csv`.
    pub games: bool,
    /// Transcripts of the games with an index below this.
    pub transcripts: u64,
}

/// Text of consecutive games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// Rows of `games.csv`.
    pub games: Vec<u8>,
    /// Transcripts, a line each.
    pub transcripts: Vec<u8>,
}

/// How a run is to be carried out; none of it changes the results.
#[derive(Copy, Clone)]
pub struct Control<'a> {
    /// The number of workers, at least 1.
    pub threads: usize,
    /// Set it to end the run early: games under way are finished, no others are begun.
    pub stop: &'a AtomicBool,
    /// The text wanted.
    pub wanted: Wanted,
}

/// Where the running counts and the text of a run go, on the thread that called [`run`].
pub trait Desk<G: CardGame> {
    /// Takes text, in the order of the indices.
    ///
    /// # Errors
    /// When it cannot be written; the run then ends early.
    fn text(&mut self, text: Text) -> std::io::Result<()>;

    /// Looks at the counts so far, at most ten times a second.
    fn progress(&mut self, totals: &Totals<G>);
}

/// What a run came to.
pub struct Outcome<G: CardGame> {
    /// The counts of all finished games.
    pub totals: Totals<G>,
    /// Which games were finished.
    pub finished: Ranges,
    /// Why the run ended early, unless it was told to.
    pub failure: Option<Failure>,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A game or an agent panicked.
    #[error("game {index} with seed {seed} failed: {message} (a bug: please report it with this command)")]
    Panic {
        /// The seed of the run.
        seed: u64,
        /// The index of the game.
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

/// Plays the games of `range` on `control.threads` workers.
pub fn run<G: CardGame>(
    plan: &Plan<G>,
    range: Range<u64>,
    control: Control<'_>,
    desk: &mut impl Desk<G>,
) -> Outcome<G> {
    let mut hall = Hall::new(plan, desk);
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(control.threads).build() {
        Ok(pool) => pool,
        Err(error) => {
            hall.outcome.failure = Some(Failure::Threads(error.to_string()));
            return hall.outcome;
        }
    };
    let queue = Queue::new(range, control);
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope(|scope| {
        for _ in 0..control.threads {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move |_| work(plan, queue, &sender));
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
    fn new(range: Range<u64>, control: Control<'a>) -> Self {
        let state = QueueState { next: range.start, end: range.end, given: 0, done: 0, failed: false };
        Self { control, state: Mutex::new(state), written: Condvar::new() }
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
        let most = if self.control.wanted == Wanted::default() { u64::MAX } else { CHUNK_WITH_TEXT };
        let size = size.min(left / (2 * workers)).min(most).clamp(1, left);
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

/// A chunk that has been played, to its end unless the run was stopped.
struct Chunk<G: CardGame> {
    number: u64,
    range: Range<u64>,
    totals: Totals<G>,
    text: Text,
}

/// A chunk, or the number of the one that failed and why.
type Message<G> = Result<Chunk<G>, (u64, Failure)>;

#[expect(
    clippy::disallowed_methods,
    reason = "the clock decides the size of chunks, which changes no result"
)]
fn now() -> Instant {
    Instant::now()
}

/// A worker: plays chunks until there are none left.
fn work<G: CardGame>(plan: &Plan<G>, queue: &Queue<'_>, sender: &Sender<Message<G>>) {
    let wanted = queue.control.wanted;
    let mut table = Table::new(plan);
    let mut recorder = Recorder::new(plan, wanted);
    let mut size = 1;
    while let Some((number, range)) = queue.chunk(size) {
        let start = now();
        let mut totals = Totals::new(plan);
        let played = catch_unwind(AssertUnwindSafe(|| {
            for index in range.clone() {
                if queue.stopped() {
                    break;
                }
                if wanted.games || index < wanted.transcripts {
                    table.play(index, &mut (&mut totals, &mut recorder));
                } else {
                    table.play(index, &mut totals);
                }
            }
        }));
        let message = match played {
            Ok(()) => {
                let nanos = start.elapsed().as_nanos().max(1);
                let fitting = u128::from(totals.games) * CHUNK.as_nanos() / nanos;
                size = u64::try_from(fitting).unwrap_or(u64::MAX).clamp(1, size.saturating_mul(8));
                let range = range.start..range.start + totals.games;
                Ok(Chunk { number, range, totals, text: recorder.take() })
            }
            Err(panic) => {
                queue.fail();
                let message = panic_text(&*panic);
                Err((number, Failure::Panic { seed: plan.seed, index: table.index(), message }))
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
struct Hall<'d, G: CardGame, D> {
    desk: &'d mut D,
    outcome: Outcome<G>,
    /// Text whose turn has not come.
    waiting: BTreeMap<u64, Text>,
    done: u64,
    shown: Instant,
}

impl<'d, G: CardGame, D: Desk<G>> Hall<'d, G, D> {
    fn new(plan: &Plan<G>, desk: &'d mut D) -> Self {
        let outcome = Outcome { totals: Totals::new(plan), finished: Ranges::default(), failure: None };
        Self { desk, outcome, waiting: BTreeMap::new(), done: 0, shown: now() }
    }

    fn take(&mut self, message: Message<G>, queue: &Queue<'_>) {
        match message {
            Ok(chunk) => {
                self.outcome.totals.merge(&chunk.totals);
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
