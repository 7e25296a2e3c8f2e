//! What the runner promises whatever the game: equal deals, and parts that add up to the whole.

use crate::common;
use knave::agents::{Tools as _, registry};
use knave::exec::{Control, Job as _, Outcome, Text, run_job};
use knave::games::CardGame as _;
use knave::games::dungeon::{Dungeon, Rules};
use knave::play::deal;
use knave::studies::run::tables as export;
use knave::studies::run::{Games, Plan, Totals, Wanted};
use std::sync::atomic::AtomicBool;

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
    let control = Control { threads, stop: &stop };
    let outcome = run_job(&job, job.totals(), range.clone(), control, &mut keep);
    assert!(outcome.failure.is_none());
    assert_eq!(outcome.next, range.end);
    (outcome, keep)
}

fn tables(plan: &Plan<Dungeon>, totals: &Totals<Dungeon>) -> String {
    format!("{:?}", export::all(plan, totals).unwrap())
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
        first_text.rows.extend(rest_text.rows);
        first_text.transcripts.extend(rest_text.transcripts);
        assert!(first_text == text, "the text differs when cut at {cut}");
    }
}

/// Paired comparisons depend on it: an index is the same deal whoever plays.
#[test]
fn an_index_is_the_same_deal_for_every_agent() {
    let first = plan("random", 1);
    for entry in registry::agents(&Dungeon::kit(&Rules::default())) {
        let other = plan(entry.name, 1_000_000);
        for index in 0..50 {
            let deck = |plan: &Plan<Dungeon>| deal::<Dungeon>(&plan.rules, plan.seed, index).deck();
            assert_eq!(deck(&first), deck(&other), "{}", entry.name);
        }
    }
}

#[test]
fn a_raised_flag_ends_the_run_at_once() {
    let plan = plan("random", 1_000_000_000_000);
    let stop = AtomicBool::new(true);
    let control = Control { threads: 2, stop: &stop };
    let job = Games { plan: &plan, wanted: Wanted::default() };
    let outcome = run_job(&job, job.totals(), 0..plan.n, control, &mut Text::default());
    assert_eq!((outcome.next, outcome.totals.games), (0, 0));
}
