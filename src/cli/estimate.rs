//! `--estimate`: how long a request would take here, from a moment of it.

use super::args::Workspace;
use super::exit::{Exit, failed, print};
use super::json;
use super::signals::{also_stop_on_signals, stop_on_signals, stopped_for_good};
use crate::numbers::{counted, duration, noun, rate, thousands};
use crate::store::Shard;
use crate::studies::{Done, End, Progress, Session, SessionObserver};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the moment is.
const MOMENT: Duration = Duration::from_secs(2);

/// It lasts longer until so many games or deals for each worker are done: they do not all take the same time.
const EACH: u64 = 8;

/// Does a moment of the request, writes nothing, and says how long all of it takes and how it could be cut into parts of
/// `wanted`, if it can. Of a part it says how long this takes.
pub fn run(session: Session, workspace: &Workspace, wanted: Duration) -> anyhow::Result<Exit> {
    let record = session.record();
    let has_parts = record.shard.is_none() && session.check_shards().is_ok();
    let request = &record.request;
    let has_goal =
        ["until", "sprt"].iter().any(|goal| request.get(*goal).is_some_and(|goal| !goal.is_null()));
    let signals = stop_on_signals()?;
    let (threads, range, nouns) = (workspace.threads(), record.range(), session.noun());
    let size = range.end - range.start;
    let stop = also_stop_on_signals()?;
    let mut pilot = Pilot::new(&stop, EACH * threads as u64);
    let done = session.threads(threads).stop(Arc::clone(&stop)).run(&mut pilot);
    let Done { manifest, end, .. } = done.map_err(failed)?;
    if let End::Failed(failure) = end {
        anyhow::bail!("{failure}");
    }
    if signals.load(Ordering::Relaxed) {
        return Ok(stopped_for_good());
    }
    let seconds = manifest.timing.seconds.max(1e-3);
    let speed = manifest.finished as f64 / seconds;
    // With a goal it may be done before the last deal, and even within the moment.
    let is_enough = matches!(end, End::Complete) && manifest.finished < size;
    let at_most = has_goal && !is_enough;
    let whole = if is_enough { seconds } else { size as f64 / speed };
    let parts = has_parts.then(|| ((whole / wanted.as_secs_f64()).ceil() as u64).clamp(1, size));
    if workspace.json.json {
        json::print(&json!({
            "threads": threads,
            "n": size,
            "unit": nouns,
            "finished": manifest.finished,
            "seconds": seconds,
            "games_per_second": speed,
            "seconds_in_all": whole,
            "at_most": at_most,
            "parts": parts,
            "seconds_a_part": parts.map(|parts| whole / parts as f64),
        }))?;
        return Ok(Exit::Done);
    }
    let mut text = format!(
        "Here, on {}: {} (from {} {} in {})\n",
        counted(threads, "threads"),
        rate(speed, nouns),
        thousands(manifest.finished),
        noun(manifest.finished, nouns),
        duration(seconds),
    );
    let about = if at_most { "at most about" } else { "about" };
    if let Some(Shard { part, of }) = record.shard {
        text += &format!("Part {part} of {of}: ");
    }
    let (enough, done) = if is_enough { ("Enough: ", manifest.finished) } else { ("", size) };
    let take = if done == 1 { "takes" } else { "take" };
    text +=
        &format!("{enough}{} {} {take} {about} {}\n", thousands(done), noun(done, nouns), duration(whole));
    text += &match parts {
        None => String::new(),
        Some(1) => format!("That is no more than {}: no parts are needed\n", duration(wanted.as_secs_f64())),
        Some(parts) => format!(
            "In parts of about {}, on machines like this one: --shard 1/{parts} to --shard {parts}/{parts}, then sim merge\n",
            duration(whole / parts as f64)
        ),
    };
    print(&text)?;
    Ok(Exit::Done)
}

/// Ends a session when enough was done.
struct Pilot<'a> {
    stop: &'a AtomicBool,
    enough: u64,
    began: Instant,
}

impl<'a> Pilot<'a> {
    #[expect(clippy::disallowed_methods, reason = "the clock decides when enough was done")]
    fn new(stop: &'a AtomicBool, enough: u64) -> Self {
        Self { stop, enough, began: Instant::now() }
    }
}

impl SessionObserver for Pilot<'_> {
    fn progress(&mut self, progress: &Progress<'_>) {
        if progress.done >= self.enough && self.began.elapsed() >= MOMENT {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
