//! Limits of time and memory: a target that hangs or grows has failed, too.

use std::collections::HashMap;
use std::fs;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// The longest that an input may take: targets take milliseconds, in a debug build on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);

/// The most memory that the process may ever have had, in KiB. Models and transcripts take a tenth of it.
const MOST: u64 = 2 << 20;

/// The input that each thread runs, and since when. Targets run side by side in tests.
type Running = HashMap<ThreadId, (Instant, Vec<u8>)>;

static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

/// Runs a target on an input and ends the process when it takes too long.
///
/// # Panics
/// When the target does, or when it took too much memory.
pub fn within_limits(bytes: &[u8], target: impl FnOnce()) {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| drop(thread::spawn(watch)));
    running().get_or_insert_default().insert(thread::current().id(), (now(), bytes.to_vec()));
    let ended = Ended;
    target();
    drop(ended);
    if let Some(peak) = peak() {
        assert!(peak < MOST, "{peak} KiB of memory");
    }
}

/// Nothing runs in this thread any more, also where the target has panicked.
struct Ended;

impl Drop for Ended {
    fn drop(&mut self) {
        running().get_or_insert_default().remove(&thread::current().id());
    }
}

#[expect(clippy::disallowed_methods, reason = "a hang is a matter of time")]
fn now() -> Instant {
    Instant::now()
}

fn running() -> MutexGuard<'static, Option<Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch() {
    loop {
        thread::sleep(Duration::from_secs(1));
        let running = running();
        let late = running.iter().flatten().find(|(_, (start, _))| start.elapsed() > LONGEST);
        if let Some((_, (_, bytes))) = late {
            eprintln!("an input takes more than {LONGEST:?}: {bytes:02x?}");
            std::process::abort();
        }
    }
}

/// The most memory that this process has had, in KiB, where the system says so.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
