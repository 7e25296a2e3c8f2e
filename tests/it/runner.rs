//! What the runner promises whatever the game: equal deals, and parts that add up to the whole.

use crate::common;
use knave::agents::{Tools as _, registry};
use knave::exec::{Halt, Job, Outcome, Sink, Text, Work, Workers, run_job};
use knave::games::CardGame as _;
use knave::games::dungeon::{Dungeon, Rules};
use knave::registry::Registry;
use knave::store::Shard;
use knave::studies::run::tables as export;
use knave::studies::run::{Games, Plan, Totals, Wanted};
use knave::studies::{Request, Session};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

fn plan(agent: &str, games: u64) -> Plan<Dungeon> {
    common::plan(&[], &[agent], games, 9).unwrap()
}

fn play(
    plan: &Plan<Dungeon>,
    range: std::ops::Range<u64>,
    threads: usize,
) -> (Outcome<Totals<Dungeon>>, Text) {
    let stop = AtomicBool::new(false);
    let wanted = Wanted { games: true, transcripts: 50 };
    let mut keep = Text::default();
    let job = Games { plan, wanted };
    let workers = Workers { threads, stop: &stop };
    let outcome = run_job(&job, job.totals(), range.clone(), workers, &mut keep);
    assert!(outcome.failure.is_none());
    assert_eq!(outcome.next, range.end);
    (outcome, keep)
}

fn tables(plan: &Plan<Dungeon>, totals: &Totals<Dungeon>) -> String {
    format!("{:?}", export::all(plan, totals).unwrap())
}

/// A session may be told in any order where its results go and which part it does: parts never share a folder.
#[test]
fn parts_have_folders_of_their_own() {
    let parent = tempfile::tempdir().unwrap();
    let registry = Registry::builtin().build();
    let request = r#"{ "study": "run", "game": "dungeon", "agents": ["random"], "n": 20 }"#;
    let request: Request = serde_json::from_str(request).unwrap();
    for part in [1, 2] {
        let session = Session::new(&registry, &request).unwrap().folder_in(parent.path());
        let done = session.shard(Some(Shard { part, of: 2 })).run(&mut ()).unwrap();
        assert!(done.folder.unwrap().ends_with(format!("{part}-of-2")));
        assert_eq!(done.manifest.finished, 10);
    }
}

/// Shards and resumed runs depend on it: the parts of a range add up to the whole, in any order.
#[test]
fn parts_add_up_to_the_whole() {
    let plan = plan("random", 3000);
    let (whole, text) = play(&plan, 0..3000, 1);
    for cut in [0, 1, 1234, 3000] {
        let (first, mut first_text) = play(&plan, 0..cut, 2);
        let (mut rest, rest_text) = play(&plan, cut..3000, 3);
        rest.totals.merge(first.totals);
        assert_eq!(tables(&plan, &rest.totals), tables(&plan, &whole.totals), "cut at {cut}");
        first_text.append(rest_text);
        assert!(first_text == text, "the text differs when cut at {cut}");
    }
}

/// Paired comparisons depend on it: an index is the same deal whoever plays.
#[test]
fn an_index_is_the_same_deal_for_every_agent() {
    let first = plan("random", 1);
    // The exact agent plays with few cards alone.
    let entries = registry::agents(&Dungeon::kit(&Rules::default()));
    for entry in entries.iter().filter(|entry| entry.name != "exact") {
        let other = plan(entry.name, 1_000_000);
        for index in 0..50 {
            let deck = |plan: &Plan<Dungeon>| plan.deals().of(index).deck();
            assert_eq!(deck(&first), deck(&other), "{}", entry.name);
        }
    }
}

#[test]
fn a_raised_flag_ends_the_run_at_once() {
    let plan = plan("random", 1_000_000_000_000);
    let stop = AtomicBool::new(true);
    let workers = Workers { threads: 2, stop: &stop };
    let job = Games { plan: &plan, wanted: Wanted::default() };
    let outcome = run_job(&job, job.totals(), 0..plan.n, workers, &mut Text::default());
    assert_eq!((outcome.next, outcome.totals.games), (0, 0));
}

/// A flood for a slow reader: a megabyte of text for each index.
#[derive(Default)]
struct Flood {
    /// Megabytes that were made and not taken, and the most there were of them.
    waiting: AtomicUsize,
    most: AtomicUsize,
    /// What every index but the first takes.
    pause: Duration,
    /// How many indices were done when they were first kept.
    first_kept: AtomicUsize,
    /// Whether a worker panics at its end.
    ends_badly: bool,
}

/// Text of one worker.
struct Tap<'a> {
    flood: &'a Flood,
    text: Vec<u8>,
}

impl Job for Flood {
    type Totals = u64;

    fn totals(&self) -> u64 {
        0
    }

    fn counted(&self, totals: &u64) -> u64 {
        *totals
    }

    fn merge(&self, totals: &mut u64, part: u64) {
        *totals += part;
    }

    fn record(&self, totals: &u64) -> serde_json::Value {
        (*totals).into()
    }

    fn restore(&self, record: serde_json::Value) -> Result<u64, String> {
        record.as_u64().ok_or_else(|| "no number".to_owned())
    }

    fn worker<'a>(&'a self, _: &'a AtomicBool) -> Box<dyn Work<u64> + 'a> {
        Box::new(Tap { flood: self, text: Vec::new() })
    }

    fn has_text(&self) -> bool {
        true
    }

    fn name(&self, index: u64) -> String {
        index.to_string()
    }
}

impl Work<u64> for Tap<'_> {
    fn work(&mut self, index: u64, totals: &mut u64) -> Result<(), Halt> {
        *totals += 1;
        if index > 0 {
            std::thread::sleep(self.flood.pause);
        }
        self.text.resize(self.text.len() + (1 << 20), b'x');
        let waiting = self.flood.waiting.fetch_add(1, Ordering::Relaxed) + 1;
        self.flood.most.fetch_max(waiting, Ordering::Relaxed);
        Ok(())
    }

    fn take(&mut self) -> Text {
        Text { transcripts: std::mem::take(&mut self.text), ..Text::default() }
    }
}

impl Drop for Tap<'_> {
    fn drop(&mut self) {
        assert!(!self.flood.ends_badly, "last words");
    }
}

impl Sink<u64> for &Flood {
    fn text(&mut self, text: Text) -> std::io::Result<()> {
        self.waiting.fetch_sub(text.transcripts.len() >> 20, Ordering::Relaxed);
        std::thread::sleep(Duration::from_micros(200));
        Ok(())
    }

    fn keep(&mut self, _: &u64, next: u64) -> std::io::Result<()> {
        let _ = self.first_kept.compare_exchange(0, next as usize, Ordering::Relaxed, Ordering::Relaxed);
        Ok(())
    }
}

/// Memory does not grow with the number of workers or games when nobody reads what they write.
#[test]
fn a_slow_reader_is_waited_for() {
    let flood = Flood::default();
    let (stop, threads) = (AtomicBool::new(false), 16);
    let outcome = run_job(&flood, 0, 0..600, Workers { threads, stop: &stop }, &mut &flood);
    assert_eq!((outcome.next, outcome.totals), (600, 600));
    let most = flood.most.load(Ordering::Relaxed);
    // 64 megabytes, and what each worker has under way.
    assert!(most <= 64 + 8 * threads, "{most} MB");
}

/// A worker that panics at its end takes nothing with it that was done.
#[test]
fn a_panic_at_the_end_is_a_failure() {
    let flood = Flood { ends_badly: true, ..Flood::default() };
    let stop = AtomicBool::new(false);
    let outcome = run_job(&flood, 0, 0..20, Workers { threads: 2, stop: &stop }, &mut &flood);
    assert_eq!((outcome.next, outcome.totals), (20, 20));
    let failure = outcome.failure.unwrap().to_string();
    assert!(failure.starts_with("a worker failed: at its end: last words"), "{failure}");
}

/// A finished game is kept a second later, though the next one takes for ever.
#[test]
fn what_is_finished_is_kept_while_others_take_long() {
    let flood = Flood { pause: Duration::from_millis(1600), ..Flood::default() };
    let stop = AtomicBool::new(false);
    let outcome = run_job(&flood, 0, 0..2, Workers { threads: 1, stop: &stop }, &mut &flood);
    assert_eq!((outcome.next, flood.first_kept.load(Ordering::Relaxed)), (2, 1));
}
