//! `sim exact`, `sim exploit` and games with few cards, from outside.

use crate::bots::now;
use crate::common::{call, error, ok, sim};
use knave::agents::{Agent, Configure, Decision, OptionError, Options, Rng, Setup};
use knave::games::doubles::{Doubles, Move};
use knave::registry::Registry;
use knave::small::SmallGameRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::time::Duration;

fn json(folder: &std::path::Path, line: &str) -> Value {
    serde_json::from_str(&ok(folder, line)).unwrap()
}

fn near(value: &Value, expected: f64, error: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() <= error, "{value} is not {expected}");
}

/// The gains of best responses to random play, and the best fair play of one seat, are those that OpenSpiel finds in the exported trees (`scripts/openspiel`).
#[test]
fn best_responses_are_those_of_another_implementation() {
    let folder = tempfile::tempdir().unwrap();
    let doubles = "--game doubles --cards 2-4C --rule cards=1 --rule max_rolls=2";
    let whist = "--game whist --cards 2-3CDHS";
    let found = json(folder.path(), &format!("exploit {doubles} --agent random --json"));
    for (seat, [value, best]) in
        [[0.50249566, 0.7316743827160493], [0.49750434, 0.6907953960905349]].iter().enumerate()
    {
        near(&found["seats"][seat]["value"], *value, 1e-8);
        near(&found["seats"][seat]["best_response"][0], *best, 1e-12);
        near(&found["seats"][seat]["best_response"][1], *best, 1e-12);
    }
    near(&found["exploitability"][1], (0.7316743827160493 + 0.6907953960905349 - 1.0) / 2.0, 1e-12);
    let found = json(folder.path(), &format!("exploit {whist} --agent random --json"));
    let best = [0.25238095238095415, 0.16607142857142934, 0.16726190476190536, 0.5880952380952562];
    for (seat, best) in best.into_iter().enumerate() {
        near(&found["seats"][seat]["best_response"][0], best, 1e-12);
    }
    assert!(found.get("exploitability").is_none(), "four seats have none: {found}");
    // One seat has nobody to respond to: its best response is the best fair play.
    for (game, best) in [
        ("--game dungeon --cards 5CS,8C,JC,6D --rule health=9", 0.7),
        ("--game verslun --cards 2-4CD,5C --rule hand=4 --rule columns=1", 11.807142857142857),
    ] {
        near(&json(folder.path(), &format!("exact {game} --json"))["low"], best, 1e-12);
    }
}

/// An exported tree takes the place of no file unasked, and `-` is standard output, whatever files there are.
#[test]
fn exports_overwrite_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "exact --game dungeon --cards 2C --export";
    for name in ["tree.efg", "-"] {
        fs::write(folder.join(name), "mine").unwrap();
    }
    let output = call(folder, &format!("{line} tree.efg"));
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("tree.efg exists already"), "{}", error(&output));
    let tree = ok(folder, &format!("{line} -"));
    assert!(tree.starts_with("EFG 2 R"), "{tree}");
    assert!(ok(folder, "run --game dungeon --agent random -n 1 --quiet --transcripts -").starts_with('{'));
    // What cannot be written out takes nothing away.
    let endless = "exact --game doubles --cards 2-4C --rule cards=1 --force --export tree.efg";
    assert_eq!(call(folder, endless).status.code(), Some(2));
    assert!(["tree.efg", "-"].iter().all(|name| fs::read(folder.join(name)).unwrap() == b"mine"));
    ok(folder, &format!("{line} tree.efg --force"));
    assert_eq!(fs::read_to_string(folder.join("tree.efg")).unwrap(), tree);
}

/// The title of a tree says which game it is.
#[test]
fn exports_name_their_rules() {
    let folder = tempfile::tempdir().unwrap();
    let game = "exact --game doubles --cards 2-4C --rule cards=1 --export -";
    for (options, told) in [
        ("--rule max_rolls=1", "max_rolls=1: wins"),
        ("--rule max_rolls=2", "max_rolls=2: wins"),
        ("--rule max_rolls=1 --measure score", "max_rolls=1: score"),
    ] {
        let tree = ok(folder.path(), &format!("{game} {options}"));
        let title = format!("doubles with 2C 3C 4C, cards=1, {told}");
        assert!(tree.starts_with(&format!("EFG 2 R \"{title}\" {{")), "{:?}", tree.lines().next());
    }
}

/// A seat of doubles remembers all that it has seen: every roll, doubles or not, and who passed and challenged. An independent program
/// that tells the histories of an exported tree apart by all public events finds so many information sets.
#[test]
fn nobody_forgets() {
    let folder = tempfile::tempdir().unwrap();
    let solved = json(
        folder.path(),
        "exact --game doubles --cards 2-7C --rule cards=1 --rule max_rolls=2 --gap 1e-3 --json",
    );
    assert_eq!(solved["information_sets"], 20_934);
}

/// A game that is always won is won with certainty, though thirds and sixths do not add up to 1.
#[test]
fn a_certain_win_is_certain() {
    let folder = tempfile::tempdir().unwrap();
    let solved = json(folder.path(), "exact --game dungeon --cards 2-3C,2-4D --json");
    assert_eq!((&solved["low"], &solved["high"]), (&1.0.into(), &1.0.into()));
}

/// Results of a short deck say so, and under which rules: a screen, a document, and what is read back from a folder.
#[test]
fn short_decks_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let game = "--game dungeon --cards 5C,6H --rule health=12";
    let request = json(folder, &format!("exact {game} --gap 0.01 --json"))["request"].clone();
    assert_eq!((&request["game"], &request["rules"]["health"]), (&"dungeon".into(), &12.into()));
    assert_eq!(request["cards"], serde_json::json!(["5C", "6H"]));
    assert_eq!((&request["gap"], &request["iterations"]), (&0.01.into(), &20_000.into()));
    let exploited = json(folder, &format!("exploit {game} --agent greedy --seed 4 --json"));
    assert_eq!(
        (&exploited["request"]["seed"], &exploited["request"]["cards"], &exploited["request"]["positions"]),
        (&4.into(), &request["cards"], &20_000_000.into())
    );
    assert!(ok(folder, &format!("exact {game}")).starts_with("dungeon with 2 cards, health=12: 5C 6H\n"));
    let told = ok(folder, &format!("run {game} --agent exact -n 5 --out o"));
    assert!(told.contains("5 games of dungeon with 2 cards, health=12, seed 1"), "{told}");
    assert!(ok(folder, "show o").contains("\nCards: 5C 6H\n"));
    let one = ok(folder, "exact --game dungeon --cards 5C");
    assert!(one.starts_with("dungeon with 1 card: 5C\n"), "{one}");
}

/// A tree that finds no room says where.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let line = "exact --game doubles --cards 2-4C --rule cards=1 --rule max_rolls=2 --export -";
    let output = sim(folder.path(), line).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(error(&output).contains("cannot write standard output: No space left"), "{}", error(&output));
}

/// The agent `exact` reaches in play what `sim exact` says: in the dungeon, and against itself in both seats of doubles. Nobody
/// reaches more against it than the value of the game.
#[test]
fn exact_play_reaches_the_value() {
    let folder = tempfile::tempdir().unwrap();
    let doubles = "--game doubles --cards 2-4C --rule cards=1 --rule max_rolls=2";
    for (game, agents, sign) in [
        ("--game dungeon --cards 5CS,8CS,JCS,6D,5H --rule health=12", "--agent exact", 0.0),
        // Avoided twins lie in no order there.
        (
            "--game dungeon --cards 5CS,8CS,JCS,6D,5H --rule health=12 --rule avoid_order=shuffled",
            "--agent exact",
            0.0,
        ),
        (doubles, "--agent exact --agent exact", 0.0),
        (doubles, "--agent random --agent exact", 1.0),
    ] {
        let solved = json(folder.path(), &format!("exact {game} --json"));
        let value = solved["low"].as_f64().unwrap();
        assert!(solved["high"].as_f64().unwrap() - value <= 1e-5);
        ok(folder.path(), &format!("run {game} {agents} -n 1000 --out run --force --quiet"));
        let summary = fs::read_to_string(folder.path().join("run/summary.csv")).unwrap();
        let mut rows = summary.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let column = rows.next().unwrap().iter().position(|name| *name == "win_rate").unwrap();
        let share: f64 = rows.next().unwrap()[column].parse().unwrap();
        // Three standard errors of 1,000 results that are won or lost.
        let error = 3.0 * (value * (1.0 - value) / 1000.0).sqrt();
        assert!(
            share <= value + error && (sign > 0.0 || share >= value - error),
            "{share}, not {value}: {game}"
        );
    }
}

/// Players that draw lots have a lower and an upper bound, in this order, and the same on any number of threads. Nobody gives
/// away less than nothing.
#[test]
fn sampled_strategies_have_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let game = "--game doubles --cards 2-4C --rule cards=1 --rule max_rolls=2 --agent flat:worlds=1 --samples 4 --json";
    let found = json(folder.path(), &format!("exploit {game} --threads 1"));
    assert_eq!(found, json(folder.path(), &format!("exploit {game} --threads 3")));
    let bounds = &found["seats"][1]["best_response"];
    assert!(bounds[0].as_f64() < bounds[1].as_f64(), "{found}");
    for seat in found["seats"].as_array().unwrap() {
        assert!(seat["gain"][0].as_f64().unwrap() >= 0.0, "{found}");
    }
}

/// A short deck goes wherever games are played: its manifest names the cards, its transcripts replay, parts join.
#[test]
fn games_with_few_cards_are_runs_like_others() {
    let folder = tempfile::tempdir().unwrap();
    let run = "run --game dungeon --cards 2-9CS,4-6D,4-5H --agent greedy -n 60 --quiet";
    ok(folder.path(), &format!("{run} --out whole --transcripts games.jsonl"));
    ok(folder.path(), "replay games.jsonl");
    let manifest = fs::read_to_string(folder.path().join("whole/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["request"]["cards"].as_array().unwrap().len(), 21);
    for part in ["1/2", "2/2"] {
        ok(folder.path(), &format!("{run} --shard {part} --out part{}", &part[..1]));
    }
    ok(folder.path(), "merge part1 part2 --out joined --quiet");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("whole/summary.csv"), read("joined/summary.csv"));
    ok(
        folder.path(),
        "compare --game doubles --cards 2-9C --rule cards=2 --agent rule --agent random -n 20 --quiet",
    );
    ok(folder.path(), "bound --game dungeon --cards 5CS,8CS,6D,5H --rule health=9 -n 5 --quiet");
}

/// A preset may stand for `exact` in every game or in one, and plays the same games as the agent itself.
#[test]
fn presets_play_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let run = "run --game dungeon --cards 5CS,8CS,JCS,6D,5H --rule health=12 -n 30 --games --quiet --out";
    let games = |name: &str| fs::read_to_string(folder.path().join(name).join("games.csv")).unwrap();
    ok(folder.path(), &format!("{run} agent --agent exact"));
    for (name, agent) in
        [("every", "agent = 'exact'"), ("one", "agent = 'random'\n[games.dungeon]\nagent = 'exact'")]
    {
        fs::write(folder.path().join("my.toml"), format!("summary = 's'\n{agent}\n")).unwrap();
        ok(folder.path(), &format!("{run} {name} --agent my.toml"));
        assert_eq!(games(name).replace("my.toml", "exact"), games("agent"), "{agent}");
    }
}

/// An equilibrium that was not found to the gap asked for is told, before anything is played by it.
#[test]
fn players_say_how_far_they_are_from_an_equilibrium() {
    let folder = tempfile::tempdir().unwrap();
    let game =
        "run --game doubles --cards 2-4C --rule cards=1 --rule max_rolls=2 --agent rule -n 4 --force --out r";
    let said = |options: &str| error(&call(folder.path(), &format!("{game} --agent exact:{options}")));
    let note = said("iterations=2");
    assert!(note.contains("exact: after iterations=2 the value of the game is known to"), "{note}");
    assert!(!said("iterations=2000,gap=0.01").contains("iterations"));
}

/// Bad input is refused before any work, with what would be right.
#[test]
fn bad_small_games_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (line, part) in [
        ("exact --game dungeon --cards 2-", "'2-' names no cards: expected cards such as 9H"),
        ("exact --game dungeon --cards 2C,2C", "2C comes twice"),
        ("exact --game dungeon --cards 2H-AH", "names no cards"),
        ("exact --game dungeon --cards AH", "AH is not a card of this game"),
        ("exact --game columns --cards 2-8CDHS", "columns has no exact solver for small decks"),
        ("exact --game whist --cards 2CDHS", "supports one or two seats; this game has 4"),
        ("exact --game doubles --cards 2C --rule cards=1", "1 card is too few: these rules deal 2"),
        (
            "exact --game dungeon --cards 2-9CS --positions 10",
            "more than 10 positions, the limit `positions`: take fewer cards, or raise it",
        ),
        ("exact --game doubles --cards 2-4C --rule cards=1", "a limit in its rules makes it finite"),
        (
            "exact --game doubles --cards 2-4C --rule cards=1 --export x.efg",
            "error: a game can have more than 400 moves",
        ),
        (
            "exact --game doubles --cards 2-4C --rule cards=1 --export -",
            "a limit in its rules makes it finite",
        ),
        (
            "exact --game doubles --cards 2-4C --rule cards=1 --rule max_rolls=1 --measure score",
            "do not have the same sum",
        ),
        ("exact --game dungeon --cards 2C --gap 0", "--gap 0: expected a number above 0"),
        ("exact --game dungeon --cards 2C --export - --gap 0.1", "cannot be used with '--gap <GAP>'"),
        (
            "exact --game dungeon --cards 2C --export - --iterations 9",
            "cannot be used with '--iterations <N>'",
        ),
        ("exploit --game dungeon --cards 2C --agent exact", "cannot be asked out of order"),
        (
            "exploit --game dungeon --cards 2C --agent exec:command=cat",
            "exec:command=cat plays in runs and comparisons alone",
        ),
        (
            "exploit --game dungeon --cards 2-9CS --agent random --positions 10",
            "error: there are more than 10 nodes, the limit `positions`: take fewer cards, or raise it; every order",
        ),
        (
            "exploit --game doubles --cards 2-4C --rule cards=1 --agent random",
            "error: a game can have more than 400 moves",
        ),
        (
            "exploit --game whist --cards 2CDHS --agent random --agent random",
            "2 agents were given for 4 seats",
        ),
        (
            "exploit --game dungeon --cards 2C --agent random --samples 3",
            "invalid value '3' for '--samples <N>': expected an even number from 2",
        ),
        ("run --game dungeon --agent exact -n 1", "agent exact: it plays with a short deck alone"),
        (
            "run --game dungeon --cards 2C --agent exact:iterations=0 -n 1",
            "iterations=0 is refused: expected a whole number from 1 to 1000000000",
        ),
        (
            "run --game dungeon --cards 2C --agent exact:gap=-1 -n 1",
            "gap=-1 is refused: expected a number from",
        ),
        ("run --game dungeon --cards 2C,2C --agent random -n 1", "2C comes twice"),
    ] {
        let output = call(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", error(&output));
        assert!(error(&output).contains(part), "{line}: {}", error(&output));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "something was written");
}

/// What can be refused without listing the deals is refused at once: here a list takes a minute and more. In a tree every start is a
/// node, so more starts than nodes are allowed are not listed to the end.
#[test]
fn cheap_refusals_come_before_the_deals() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("taken.efg"), "mine").unwrap();
    let start = now();
    for (line, part) in [
        ("exploit --agent typo", "unknown agent 'typo'"),
        ("exploit --agent rule --agent rule", "2 agents were given for 1 seat"),
        ("exploit --agent exact:positions=1", "cannot be asked out of order"),
        ("exploit --agent random --positions 1000", "more than 1000 nodes, the limit `positions`"),
        ("exact --export taken.efg", "taken.efg exists already"),
        ("exact --export - --positions 1000", "more than 1000 nodes, the limit `positions`"),
    ] {
        let game = "--game verslun --cards 2-5CD,6CD,7C --rule hand=4 --rule columns=2";
        let output = call(folder.path(), &format!("{line} {game}"));
        assert_eq!(output.status.code(), Some(2), "{line}: {}", error(&output));
        assert!(error(&output).contains(part), "{line}: {}", error(&output));
    }
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

/// Rolls again, whether it may or not.
#[derive(Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Roller {}

impl Options for Roller {}

impl Configure<Doubles> for Roller {
    const NAME: &'static str = "roller";
    const SUMMARY: &'static str = "one that rolls";
    type Options = Self;

    fn configure(options: &Self, _: &Setup<'_, Doubles>) -> Result<Self, OptionError> {
        Ok(options.clone())
    }
}

impl Agent<Doubles> for Roller {
    fn choose(&mut self, _: Decision<'_, Doubles>, _: &mut Rng) -> Move {
        Move::ROLL
    }
}

/// What an agent gives away is not told of one that plays what it must not: it was measured as if it played at random there.
#[test]
fn illegal_moves_are_not_measured() {
    let registry = Registry::builtin().agent_of::<Doubles, Roller>().build();
    let request = SmallGameRequest {
        rules: knave::agents::options::fields("rules", ["cards=1", "max_rolls=2"]).unwrap(),
        cards: "2-4C".parse().unwrap(),
        measure: None,
        limit: 1_000_000,
    };
    let game = registry.game("doubles").unwrap().small(&request).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let agents = ["rule", "roller"].map(|agent| agent.parse().unwrap());
    let refused = game.exploit(&agents, 2, 1, &pool).unwrap_err();
    let told = format!("agents: roller: the agent in seat 1 chose the illegal move {}", Move::ROLL);
    assert_eq!((refused.field(), refused.to_string()), ("agents", told));
}

/// What is not solved names the option that is to be changed.
#[test]
fn refusals_name_their_options() {
    let folder = tempfile::tempdir().unwrap();
    let doubles = "exact --game doubles --cards 2-7C --rule cards=1 --rule max_rolls=2";
    for (line, told) in [
        (
            format!("{doubles} --measure score"),
            "--measure score: the results of the two seats do not have the same sum",
        ),
        (format!("{doubles} --measure score"), "so there is no one value: expected wins"),
        (
            "exact --game doubles --cards 2-4C --rule cards=1 --rule players=3".to_owned(),
            "--rule players=3: the exact solver supports",
        ),
        ("exact --game whist --cards 2-3CDHS".to_owned(), "this game has 4; `sim exploit` takes more"),
    ] {
        let output = call(folder.path(), &line);
        assert_eq!(output.status.code(), Some(2));
        assert!(error(&output).contains(told), "{}", error(&output));
    }
}
