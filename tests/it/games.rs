//! What every registered game must pass; a game cannot be registered without it.
//!
//! - `tests/golden/<game>.jsonl`: playthroughs by the agents `random` and `rule` under several rules. They protect the
//!   rules, the policy and the streams of random numbers: the same seed must play the same game to the byte, in this version
//!   and in the next. When a change is meant, record them anew with `KNAVE_RECORD=1 cargo test --test it golden`, read the
//!   difference, and raise the game's `RULES_VERSION`.
//! - `tests/accepted/<game>.jsonl`: transcripts that an independent referee has accepted. They protect the reading of the
//!   rules and are never recorded anew.

use crate::common;
use knave::agents::learn::Features;
use knave::agents::options::describe;
use knave::agents::presets::Preset;
use knave::agents::registry;
use knave::agents::testkit;
use knave::exec::{Job as _, Text, Workers, run_job};
use knave::games::columns::Columns;
use knave::games::doubles::Doubles;
use knave::games::dungeon::Dungeon;
use knave::games::testkit::card_game;
use knave::games::verslun::Verslun;
use knave::games::whist::Whist;
use knave::games::{BuiltIn, CardGame, GameList as _, Tally as _, Visitor};
use knave::play::{Bench, Finished, Observer};
use knave::registry::Registry;
use knave::studies::run::tables as export;
use knave::studies::run::{Games, Plan, Totals, Wanted};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// How each agent is called where many games are to be played quickly. Every agent of a registered game must be named.
const BUDGETS: &[&str] =
    &["random", "greedy", "rule", "flat:worlds=2", "mcts:iterations=8", "expectimax:nodes=50,samples=2"];

/// Further ways to call an agent that see more of a game than its defaults do, as (game, agent).
const FURTHER: &[(&str, &str)] = &[
    ("dungeon", "mcts:iterations=4,late_iterations=8,late_hidden=9,solver_hidden=3,leaf_hidden=3"),
    ("whist", "mcts:iterations=6,rollout=none,leaf=rule,others=evaluator,policy_share=0.5,inference=6"),
];

/// The agents whose playthroughs are kept.
const GOLDEN_AGENTS: &[&str] = &["random", "rule"];

/// Numbers to try for an option whose values cannot be listed; those that it refuses are left out.
const NUMBERS: &[&str] = &["0", "1", "2", "3", "7", "40"];

/// Further samples of the rules, as (game, options): lists, and options that only make sense together.
const TOGETHER: &[(&str, &[&str])] = &[
    ("doubles", &["players=4", "teams=[0,1,0,1]"]),
    ("doubles", &["players=3", "cards=2", "max_rolls=4", "target=40", "teams=[5,-5,5]"]),
    ("verslun", &["columns=11", "hand=8"]),
    ("verslun", &["columns=2", "hand=20"]),
    ("verslun", &["match=suit_or_rank", "aces_wild=true", "columns=2", "hand=10"]),
];

fn plan<G: CardGame>(rules: &[String], agent: &str, games: u64, seed: u64) -> Option<Plan<G>> {
    let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
    common::plan(&rules, &[agent], games, seed).ok()
}

/// The default rules, every other value of every option alone, the last values of all options together, and
/// what [`TOGETHER`] adds.
fn rule_samples<G: CardGame>() -> Vec<Vec<String>> {
    let mut samples = vec![Vec::new()];
    let mut last = Vec::new();
    for option in describe::<G::Rules>() {
        let numbers = || NUMBERS.iter().map(ToString::to_string).collect();
        let values: Vec<String> = if option.values.is_empty() { numbers() } else { option.values.clone() };
        let others = values.into_iter().filter(|value| *value != option.default);
        let pairs: Vec<Vec<String>> = others.map(|value| vec![format!("{}={value}", option.name)]).collect();
        last.extend(pairs.last().cloned().unwrap_or_default());
        samples.extend(pairs);
    }
    samples.push(last);
    let further = TOGETHER.iter().filter(|(game, _)| *game == G::NAME);
    samples.extend(further.map(|(_, pairs)| pairs.iter().map(ToString::to_string).collect()));
    let all = samples.len();
    samples.retain(|rules| plan::<G>(rules, "random", 1, 0).is_some());
    assert!(samples[0].is_empty(), "{}: the default rules are refused", G::NAME);
    assert!(samples.len() * 2 > all, "{}: most samples of the rules are refused: {samples:?}", G::NAME);
    samples
}

fn sampled_rules<G: CardGame>() -> Vec<G::Rules> {
    rule_samples::<G>().iter().map(|pairs| plan::<G>(pairs, "random", 1, 0).unwrap().rules).collect()
}

#[derive(Copy, Clone)]
struct Conformance;

impl Visitor for Conformance {
    type Output = ();

    fn visit<G: CardGame>(self) {
        let rules = sampled_rules::<G>();
        testkit::conformance::<G>(&rules, 8, 100_000, |_| ());
        // Under some rules a game is over before anything hidden comes to light.
        testkit::hidden_information::<G>(&rules[..1], 20);
        testkit::sampled_worlds::<G>(&rules[..1], 1_000);
        testkit::public_history::<G>(&rules[..1], 5);
    }
}

#[derive(Copy, Clone)]
struct Cards;

impl Visitor for Cards {
    type Output = ();

    fn visit<G: CardGame>(self) {
        card_game::<G>(&sampled_rules::<G>(), 15);
    }
}

/// Decks, cards and scores, for every option of every game: a transcript holds the deck that is asked for here.
#[test]
fn every_game_keeps_its_cards() {
    BuiltIn::each(Cards);
}

#[derive(Copy, Clone)]
struct ScoreRange;

impl Visitor for ScoreRange {
    type Output = ();

    fn visit<G: CardGame>(self) {
        for (pairs, agent) in
            rule_samples::<G>().iter().flat_map(|pairs| [(pairs, "random"), (pairs, "rule")])
        {
            let plan = plan::<G>(pairs, agent, 1, 5).unwrap();
            let Some((low, high)) = G::score_range(&plan.rules) else {
                continue;
            };
            let (mut sums, mut games) = (Sums::default(), plan.game_loop(&mut Bench::default()));
            (0..200).for_each(|index| games.play(index, &mut sums).unwrap());
            let Sums { lowest, highest } = sums;
            assert!(low <= lowest && highest <= high, "{} {pairs:?}: {lowest} to {highest}", G::NAME);
        }
    }
}

/// The lowest and the highest sum of the scores of some seats in a game.
#[derive(Default)]
struct Sums {
    lowest: i64,
    highest: i64,
}

impl<G: CardGame> Observer<G> for Sums {
    fn finish(&mut self, end: &Finished<'_, G>) {
        let scores = || (0..end.moves.len()).map(|seat| end.position.score(seat));
        self.lowest = self.lowest.min(scores().map(|score| score.min(0)).sum());
        self.highest = self.highest.max(scores().map(|score| score.max(0)).sum());
    }
}

/// Intervals depend on it: no scores of some seats add up to more or less than a game tells, under any rules.
#[test]
fn scores_lie_within_their_range() {
    BuiltIn::each(ScoreRange);
}

/// The laws of a game, for every option of every game.
#[test]
fn every_game_conforms() {
    BuiltIn::each(Conformance);
}

/// Nets see no more than their seat does, under any rules.
#[test]
fn features_are_fair() {
    fn check<G: CardGame + Features>() -> &'static str {
        testkit::features::<G>(&sampled_rules::<G>(), 1);
        G::NAME
    }
    let checked =
        [check::<Dungeon>(), check::<Verslun>(), check::<Columns>(), check::<Doubles>(), check::<Whist>()];
    let trained: Vec<_> = BuiltIn::each(Trained).into_iter().flatten().collect();
    assert_eq!(trained, checked, "games whose nets are not checked here");
}

#[derive(Copy, Clone)]
struct Trained;

impl Visitor for Trained {
    /// The name of a game that can be trained.
    type Output = Option<&'static str>;

    fn visit<G: CardGame>(self) -> Self::Output {
        G::kit(&G::Rules::default()).training.is_some().then_some(G::NAME)
    }
}

#[derive(Copy, Clone)]
struct Fairness;

impl Visitor for Fairness {
    /// The budgets that were used.
    type Output = Vec<&'static str>;

    fn visit<G: CardGame>(self) -> Self::Output {
        let mut entries = registry::agents(&G::kit(&G::Rules::default()));
        // It plays with few cards alone, and keeps no more of a game than its own views.
        entries.retain(|entry| entry.name != "exact");
        let agent = |budget: &'static str| budget.split(':').next().unwrap();
        for entry in &entries {
            let is_named = BUDGETS.iter().any(|budget| agent(budget) == entry.name);
            assert!(is_named, "{}: no budget for the agent {}", G::NAME, entry.name);
        }
        let further = FURTHER.iter().filter(|(game, _)| *game == G::NAME).map(|&(_, budget)| budget);
        let mut budgets: Vec<&str> = BUDGETS.iter().copied().chain(further).collect();
        budgets.retain(|budget| entries.iter().any(|entry| entry.name == agent(budget)));
        // The longest of all tests: of an option alone its last value is enough, for the first ones may end games early.
        let mut alone = HashSet::new();
        let mut samples = rule_samples::<G>();
        samples.reverse();
        samples.retain(|pairs| {
            let [pair] = &pairs[..] else { return true };
            alone.insert(pair.split('=').next().unwrap_or_default().to_owned())
        });
        std::thread::scope(|scope| {
            for pairs in samples {
                let (entries, budgets) = (&entries, &budgets);
                scope.spawn(move || {
                    let rules = plan::<G>(&pairs, "random", 1, 0).unwrap().rules;
                    let games = if pairs.is_empty() { 2 } else { 1 };
                    testkit::all_agents_are_fair(entries, G::NAME, &rules, games, budgets);
                });
            }
        });
        budgets
    }
}

/// No agent's move may depend on what its view hides.
#[test]
fn every_agent_is_fair_in_every_game() {
    let used = BuiltIn::each(Fairness).concat();
    for budget in BUDGETS.iter().chain(FURTHER.iter().map(|(_, budget)| budget)) {
        assert!(used.contains(budget), "{budget} names no agent");
    }
}

#[derive(Copy, Clone)]
struct RandomRollouts;

impl Visitor for RandomRollouts {
    type Output = ();

    fn visit<G: CardGame>(self) {
        for agent in ["mcts:rollout=random,iterations=5", "flat:rollout=random,worlds=1"] {
            let plan = common::plan::<G>(&[], &[agent], 1, 0);
            let plan = plan.unwrap_or_else(|error| panic!("{}, {agent}: {error}", G::NAME));
            play(&plan, 0);
        }
    }
}

/// The plainest baselines need no knowledge of a game: whatever its own defaults are, they give way.
#[test]
fn every_game_can_be_searched_by_random_rollouts() {
    BuiltIn::each(RandomRollouts);
}

#[derive(Copy, Clone)]
struct Presets;

impl Visitor for Presets {
    type Output = ();

    fn visit<G: CardGame>(self) {
        for preset in Preset::names() {
            for rules in rule_samples::<G>() {
                let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
                let plan = common::plan::<G>(&rules, &[preset], 1, 0);
                plan.unwrap_or_else(|error| panic!("{}, {rules:?}, preset {preset}: {error}", G::NAME));
            }
        }
    }
}

/// A preset that names an option or value which a game refuses, if only under some rules, would fail only when it is used.
#[test]
fn every_preset_works_in_every_game() {
    BuiltIn::each(Presets);
}

/// Plays games of a plan: the counts and the text.
fn totals<G: CardGame>(
    plan: &Plan<G>,
    range: std::ops::Range<u64>,
    wanted: Wanted,
    threads: usize,
) -> (Totals<G>, Text) {
    let stop = AtomicBool::new(false);
    let job = Games { plan, wanted };
    let mut text = Text::default();
    let outcome = run_job(&job, job.totals(), range, Workers { threads, stop: &stop }, &mut text);
    assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
    (outcome.totals, text)
}

/// The transcript of one game of a plan.
fn play<G: CardGame>(plan: &Plan<G>, index: u64) -> String {
    let wanted = Wanted { games: false, transcripts: u64::MAX };
    let (_, text) = totals(plan, index..index + 1, wanted, 1);
    String::from_utf8(text.transcripts).unwrap()
}

#[derive(Copy, Clone)]
struct Parts;

impl Visitor for Parts {
    type Output = ();

    fn visit<G: CardGame>(self) {
        for rules in rule_samples::<G>() {
            let plan = plan::<G>(&rules, "random", 40, 77).unwrap();
            let tables = |totals: &Totals<G>| {
                let tables = export::all(&plan, totals).unwrap().into_iter();
                let lines: Vec<_> = tables.map(|table| (table.file, table.rows)).collect();
                (lines, totals.ends().len())
            };
            let play = |range| totals(&plan, range, Wanted::default(), 1).0;
            let whole = tables(&play(0..40));
            let recorded = |totals: Totals<G>| {
                let record = totals.record();
                let text = record.to_string();
                let again = Totals::restore(&plan, serde_json::from_str(&text).unwrap()).unwrap();
                assert_eq!(again.record().to_string(), text, "{}", G::NAME);
                again
            };
            let mut parts = recorded(play(0..13));
            parts.merge(recorded(play(13..40)));
            assert!(tables(&parts) == whole, "{} under {rules:?}", G::NAME);
        }
    }
}

/// Resumed runs and shards depend on it: in every game and under many rules the counts of parts, written down and
/// read again, add up to those of the whole. A count that a tally forgets to list is missing from the sum.
#[test]
fn parts_add_up_in_every_game() {
    BuiltIn::each(Parts);
}

#[derive(Copy, Clone)]
struct Unwatched;

impl Visitor for Unwatched {
    type Output = ();

    fn visit<G: CardGame>(self) {
        for rules in rule_samples::<G>() {
            let plan = plan::<G>(&rules, "random", 300, 61).unwrap();
            let record = |games| totals(&plan, 0..300, Wanted { games, transcripts: 0 }, 1).0.record();
            assert_eq!(record(false), record(true), "{} under {rules:?}", G::NAME);
        }
    }
}

/// Random play has quick ways where no rows are written. They must play the games that the rows of the same seed show: under
/// many rules of every game all counts are the same.
#[test]
fn games_that_nobody_watches_are_the_same() {
    BuiltIn::each(Unwatched);
}

#[derive(Copy, Clone)]
struct Golden;

impl Visitor for Golden {
    type Output = ();

    fn visit<G: CardGame>(self) {
        let mut text = String::new();
        for agent in GOLDEN_AGENTS {
            for (sample, rules) in rule_samples::<G>().iter().enumerate() {
                let plan = plan::<G>(rules, agent, 3, 1000 + sample as u64).unwrap();
                // More of the game as it is mostly played.
                let games = if sample == 0 { 3 } else { 1 };
                for index in 0..games {
                    let _ = write!(text, "{}", play(&plan, index));
                }
            }
        }
        let path = file::<G>("golden");
        if std::env::var_os("KNAVE_RECORD").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let recorded = read(&path);
        for (number, (now, then)) in text.lines().zip(recorded.lines()).enumerate() {
            assert!(now == then, "{}, line {}:\n{then}\nis now\n{now}", path.display(), number + 1);
        }
        assert_eq!(text.lines().count(), recorded.lines().count(), "{}", path.display());
        referee(&path, &recorded);
    }
}

fn file<G: CardGame>(folder: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", folder, &format!("{}.jsonl", G::NAME)].iter().collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn referee(path: &Path, text: &str) {
    assert!(!text.is_empty(), "{} is empty", path.display());
    for (number, line) in text.lines().enumerate() {
        Registry::builtin()
            .build()
            .check(line)
            .unwrap_or_else(|error| panic!("{}, line {}: {error}", path.display(), number + 1));
    }
}

/// The same seed plays the same game as ever, and the referee agrees with it.
#[test]
fn every_game_has_golden_playthroughs() {
    BuiltIn::each(Golden);
}

#[derive(Copy, Clone)]
struct Accepted;

impl Visitor for Accepted {
    type Output = ();

    fn visit<G: CardGame>(self) {
        let path = file::<G>("accepted");
        let text = read(&path);
        let game = format!("\"game\":\"{}\"", G::NAME);
        assert!(text.lines().all(|line| line.contains(&game)), "{}: another game", path.display());
        referee(&path, &text);
    }
}

/// What an independent referee has accepted is accepted here.
#[test]
fn every_game_replays_accepted_transcripts() {
    BuiltIn::each(Accepted);
}

/// Games with a short deck are refereed, and only where the transcript says that the deck is short.
#[test]
fn short_decks_are_refereed() {
    let path = PathBuf::from("tests/golden/short-decks.jsonl");
    let text = read(&path);
    referee(&path, &text);
    for line in text.lines() {
        let whole = line.replace(r#","short_deck":true"#, "");
        let error = Registry::builtin().build().check(&whole).unwrap_err();
        assert!(error.to_string().contains("is missing"), "{error}");
    }
}

/// A player of columns who plays the last card draws seven at once: here the stock has too few, so the stolen pile is shuffled
/// in the midst of play and the player goes on with a card of it. The referee must ask for that reshuffle there.
#[test]
fn a_reshuffle_in_mid_play_is_refereed() {
    let path = PathBuf::from("tests/golden/columns-reshuffle.jsonl");
    let text = read(&path);
    referee(&path, &text);
    let mut transcript: serde_json::Value = serde_json::from_str(&text).unwrap();
    let events = transcript["events"].as_array_mut().unwrap();
    let amid = events.windows(3).position(|events| {
        let played =
            |event: &serde_json::Value| event["move"].as_str().is_some_and(|m| m.starts_with("play"));
        played(&events[0]) && events[1].get("reshuffle").is_some() && played(&events[2])
    });
    events.remove(amid.unwrap() + 1);
    let error = Registry::builtin().build().check(&transcript.to_string()).unwrap_err().to_string();
    assert!(error.contains("a reshuffle is due"), "{error}");
    // A record of a whole deck does not call it a short one.
    let mut transcript: serde_json::Value = serde_json::from_str(&text).unwrap();
    transcript["short_deck"] = true.into();
    let error = Registry::builtin().build().check(&transcript.to_string()).unwrap_err().to_string();
    assert!(error.contains("short_deck is true, but the deck lacks no card"), "{error}");
}

/// A figure lies within four standard errors of the reference; `half_width` is that of the 95 % interval of their difference.
fn close(what: &str, value: f64, reference: f64, half_width: f64) {
    let margin = 4.0 * half_width / 1.96;
    assert!((value - reference).abs() < margin, "{what} {value}, not {reference} ± {margin}");
}

/// What so many random games under the default rules come to.
fn random_games<G: CardGame>(games: u64) -> (Plan<G>, Totals<G>) {
    let plan = plan::<G>(&[], "random", games, 1).unwrap();
    let totals = totals(&plan, 0..games, Wanted::default(), 2).0;
    (plan, totals)
}

/// Random play under the default rules agrees with an independent engine: its 95 % intervals are the mean
/// score −175.88 ± 0.15 and 6.85 ± 0.06 moves. The margins are four of its standard errors; the error of
/// this test's own 100,000 games is less than half of one.
#[test]
fn random_dungeon_agrees_with_another_engine() {
    let (plan, totals) = random_games::<Dungeon>(100_000);
    let row = export::summary(&plan, &totals).next().unwrap();
    close("mean score", row.score_mean.unwrap(), -175.88, 0.15);
    close("moves", row.moves_mean.unwrap(), 6.85, 0.06);
}

/// As for the dungeon; the intervals of the other engine are the mean scores 34.97 and 36.64 ± 0.16,
/// 20.97 ± 0.05 moves of both and 10.23 ± 0.03 rolls.
#[test]
fn random_doubles_agrees_with_another_engine() {
    let (plan, totals) = random_games::<Doubles>(100_000);
    let rows: Vec<_> = export::summary(&plan, &totals).collect();
    close("mean score of seat 0", rows[0].score_mean.unwrap(), 34.97, 0.16);
    close("mean score of seat 1", rows[1].score_mean.unwrap(), 36.64, 0.16);
    close("moves", rows.iter().map(|row| row.moves_mean.unwrap()).sum(), 20.97, 0.05);
    let counts = (0..2).flat_map(|seat| totals.tally.rows(seat));
    let rolls: u64 = counts.filter(|row| row.measure == "rolls").map(|row| row.count).sum();
    close("rolls", rolls as f64 / 100_000.0, 10.23, 0.03);
}

/// As for the dungeon; the intervals of the other engine are the mean points by seat 1.448, 1.438, 1.457
/// and 1.657, each ± 0.038. Every game has 52 moves.
#[test]
fn random_whist_agrees_with_another_engine() {
    let (plan, totals) = random_games::<Whist>(100_000);
    for (row, reference) in export::summary(&plan, &totals).zip([1.448, 1.438, 1.457, 1.657]) {
        close(&format!("points of seat {}", row.seat), row.score_mean.unwrap(), reference, 0.038);
        assert_eq!(row.moves_mean, Some(13.0));
    }
}

/// As for the dungeon; the intervals of the other engine are the mean score 12.05 ± 0.25 and 3.27 ± 0.05
/// moves.
#[test]
fn random_verslun_agrees_with_another_engine() {
    let (plan, totals) = random_games::<Verslun>(100_000);
    let row = export::summary(&plan, &totals).next().unwrap();
    close("mean score", row.score_mean.unwrap(), 12.05, 0.25);
    close("moves", row.moves_mean.unwrap(), 3.27, 0.05);
}

/// Random play of columns agrees with an independent engine (20,000 games): seat 0 wins 0.503 ± 0.007, and a game has
/// 164.5 ± 0.9 moves, 32.98 ± 0.24 rounds and 3.05 ± 0.03 reshuffles. The margins are four standard errors of the difference
/// from this test's own 20,000 games.
#[test]
fn random_columns_agrees_with_another_engine() {
    let (plan, totals) = random_games::<Columns>(20_000);
    let rows: Vec<_> = export::summary(&plan, &totals).collect();
    let count = |measure| {
        let row = export::tally(&plan, &totals).find(|row| row.measure == measure).unwrap();
        row.count as f64 / plan.n as f64
    };
    let both = 2_f64.sqrt();
    close("share of seat 0", rows[0].win_rate.unwrap(), 0.503, both * 0.007);
    close("moves", rows.iter().map(|row| row.moves_mean.unwrap()).sum(), 164.5, both * 0.9);
    close("rounds", count("rounds"), 32.98, both * 0.24);
    close("reshuffles", count("reshuffles"), 3.05, both * 0.03);
}
