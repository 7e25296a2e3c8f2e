//! Players in processes of their own: what they are told, and what becomes of their faults.
//! They are written in Python, which `python3` has to run.

use crate::common::{at_once, error, ok, sim};
use knave::agents::batch::{Ending, Question};
use knave::agents::rng::{Role, stream};
use knave::agents::{Agent, Configure, Decision, Event, Setup, Turn};
use knave::bots::{Exec, ExecOptions};
use knave::games::{BuiltIn, CardGame, GameList as _, Visitor};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub(crate) const ODD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/odd_bot.py");
pub(crate) const KIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/python/bot.py");

/// The agent that runs the odd player.
pub(crate) fn odd(way: &str, options: &str) -> String {
    odd_at(Path::new(ODD), way, options)
}

/// The same for a copy of it.
fn odd_at(bot: &Path, way: &str, options: &str) -> String {
    let comma = if options.is_empty() { "" } else { "," };
    format!("exec:command=python3 '{}' {way}{comma}{options}", bot.display())
}

/// A copy of the odd player, whose processes are not mixed up with those of other tests.
pub(crate) fn copy_of_odd(folder: &Path) -> PathBuf {
    let copy = folder.join("own_odd_bot.py");
    fs::copy(ODD, &copy).unwrap();
    copy
}

/// A call of `sim` with agents, whose names may hold blanks.
pub(crate) fn call(folder: &Path, line: &str, agents: &[&str]) -> Command {
    let mut command = sim(folder, line);
    for agent in agents {
        command.args(["--agent", agent]);
    }
    command
}

pub(crate) fn done(folder: &Path, line: &str, agents: &[&str]) -> Output {
    let output = call(folder, line, agents).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{line} {agents:?}: {}", error(&output));
    output
}

/// The files of a folder but the manifest and the log.
fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let kept = files.filter(|path| !["manifest.json", "bots.log"].contains(&name(path).as_str()));
    kept.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

#[expect(clippy::disallowed_methods, reason = "how long processes live is what is tested")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// The processes whose command line holds this text.
pub(crate) fn processes(text: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap());
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let has = |number: &u32| {
        let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(text)
    };
    numbers.filter(has).collect()
}

/// Waits until no process has this text in its command line.
pub(crate) fn assert_gone(text: &str) {
    let start = now();
    while !processes(text).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(5), "{text}: {:?}", processes(text));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[derive(Clone)]
struct Told(PathBuf);

impl Visitor for Told {
    type Output = ();

    /// The same questions of positions that differ in what is hidden.
    fn visit<G: CardGame>(self) {
        let file = self.0.join(G::NAME);
        let command = format!("python3 '{ODD}' records '{}'", file.display());
        let rules = G::Rules::default();
        let kit = G::kit(&rules);
        let options = ExecOptions { command, ..ExecOptions::default() };
        let mut agent = Exec::<G>::configure(&options, &Setup::new("exec", &kit, &rules)).unwrap();
        let (mut asked, mut game) = (0, 0);
        for index in 0..100 {
            let most = 60.min(asked + 20);
            let mut rng = stream(77, index, Role::Deal);
            let (mut position, mut history) = (G::deal(&rules, &mut rng), Vec::new());
            while position.turn() != Turn::Over && asked < most {
                let Turn::Player(seat) = position.turn() else {
                    let turn = position.turn();
                    let outcome = position.roll(&mut rng);
                    let event = if turn == Turn::Shuffle { Event::Shuffle } else { Event::Chance(outcome) };
                    position.tell(event, &mut history);
                    continue;
                };
                let other = G::sample_world(&position.view(seat), &mut rng);
                for world in [&position, &other] {
                    game += 1;
                    let mut rng = stream(78, asked, Role::Agent(seat));
                    let decision = Decision::new(world, &history);
                    let mut questions = [Question { game, decision, rng: &mut rng }];
                    agent.choose_batch(&mut questions, &mut Vec::new(), &AtomicBool::new(false)).unwrap();
                    agent.end_game(&Ending { game, seat, won: false, score: 0.0 });
                }
                asked += 1;
                let m = position.random_move(&mut Vec::new(), &mut rng);
                position.play(m);
                position.tell(Event::Move(seat, m), &mut history);
            }
        }
        drop(agent);
        let text = fs::read_to_string(&file).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let mut told: BTreeMap<u64, Vec<serde_json::Value>> = BTreeMap::new();
        for mut line in lines {
            line["id"].take();
            // The first question is asked twice, of a game with a large number.
            if let Some(number) = line["game_id"].take().as_u64().filter(|number| *number <= game) {
                told.entry(number).or_default().push(line);
            }
        }
        assert_eq!(told.len() as u64, game, "{}", G::NAME);
        assert!(asked > 30, "{}: {asked}", G::NAME);
        for number in (1..game).step_by(2) {
            assert_eq!(told[&number], told[&(number + 1)], "{}", G::NAME);
            assert_eq!(told[&number].len(), 3, "{}", G::NAME);
        }
    }
}

/// Fairness over the bytes: whoever holds which hidden card, a player is told the same.
#[test]
fn no_hidden_card_leaves_the_process() {
    let folder = tempfile::tempdir().unwrap();
    BuiltIn::each(Told(folder.path().to_owned()));
}

/// The same tables and transcripts on any number of threads, with any batch, and in parts.
#[test]
fn results_do_not_depend_on_how_games_are_shared_out() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bot = |batch: u32| format!("exec:command=python3 '{KIT}',batch={batch}");
    for (game, n) in [("dungeon", 30), ("columns", 6)] {
        let run = |batch, more: &str, out: &str| {
            let line = format!(
                "run --game {game} -n {n} --seed 5 --quiet --games --out {game}-{out} --transcripts {game}-{out}.jsonl {more}"
            );
            let agent = bot(batch);
            let agents =
                if game == "columns" { vec![agent.as_str(), "greedy"] } else { vec![agent.as_str()] };
            done(folder, &line, &agents);
        };
        run(1, "--threads 1", "alone");
        run(64, "--threads 2", "many");
        run(7, "--threads 1 --shard 1/2", "part1");
        run(7, "--threads 1 --shard 2/2", "part2");
        let line = format!("merge {game}-part1 {game}-part2 --out {game}-merged --quiet");
        assert_eq!(sim(folder, &line).output().unwrap().status.code(), Some(0));
        let label = |text: &[u8]| {
            let text = String::from_utf8(text.to_vec()).unwrap();
            text.replace("batch=64", "batch=1").replace("batch=7", "batch=1")
        };
        let read = |out: &str| -> BTreeMap<String, String> {
            let tables = tables(&folder.join(format!("{game}-{out}"))).into_iter();
            tables
                .filter(|(name, _)| name != "journal.json")
                .map(|(name, text)| (name, label(&text)))
                .collect()
        };
        for other in ["many", "merged"] {
            assert_eq!(read("alone"), read(other), "{game} {other}");
        }
        let games = |out: &str| fs::read_to_string(folder.join(format!("{game}-{out}.jsonl"))).unwrap();
        assert_eq!(games("alone"), games("many"));
        let replay = sim(folder, &format!("replay {game}-many.jsonl")).output().unwrap();
        assert_eq!(replay.status.code(), Some(0), "{}", error(&replay));
    }
    // A comparison: every deal in every line-up.
    let compare = |batch, threads: u32, out: &str| {
        let line = format!("compare --game whist -n 4 --seed 5 --quiet --threads {threads} --out {out}");
        done(folder, &line, &[&bot(batch), "rule"]);
        let read = tables(&folder.join(out)).into_iter();
        read.map(|(name, text)| (name, String::from_utf8(text).unwrap().replace("batch=1", "batch=64")))
            .filter(|(name, _)| name != "journal.json")
            .collect::<BTreeMap<_, _>>()
    };
    assert_eq!(compare(1, 1, "one"), compare(64, 2, "all"));
}

/// The rows of `faults.csv` as (kind, faults, forfeits).
pub(crate) fn faults(folder: &Path) -> Vec<(String, u64, u64)> {
    let text = fs::read_to_string(folder.join("faults.csv")).unwrap();
    let mut lines = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(lines.headers().unwrap(), vec!["game", "agent", "seat", "kind", "faults", "forfeits"]);
    let row = |row: Result<csv::StringRecord, csv::Error>| {
        let row = row.unwrap();
        (row[3].to_owned(), row[4].parse().unwrap(), row[5].parse().unwrap())
    };
    lines.records().map(row).collect()
}

/// The ways to go wrong, and what they are called.
const WAYS: [(&str, &str); 13] = [
    ("late", "late"),
    ("deaf", "late"),
    ("illegal", "illegal"),
    ("unheard", "illegal"),
    ("malformed", "malformed"),
    ("list", "malformed"),
    ("latin", "malformed"),
    ("unknown", "unknown_id"),
    ("early", "unknown_id"),
    ("flood", "flood"),
    ("long", "flood"),
    ("closed", "closed"),
    ("crash", "crashed"),
];

/// A limit for those who are to be late; the others have time, though all of them are busy at once.
fn limit(kind: &str) -> &'static str {
    if kind == "late" { "timeout=1," } else { "" }
}

/// By default a fault ends the run, and the message tells everything; what was finished is kept.
#[test]
fn faults_stop_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let own = copy_of_odd(folder);
    at_once(WAYS, |(way, kind)| {
        let agent = odd_at(&own, &format!("{way} 30"), &format!("{}batch=2", limit(kind)));
        let line = format!("run --game dungeon -n 50 --seed 3 --threads 1 --quiet --out {way}");
        let output = call(folder, &line, &[&agent]).output().unwrap();
        let text = error(&output);
        assert_eq!(output.status.code(), Some(1), "{way}: {text}");
        for part in ["game ", " with seed 3", "seat 0", kind, r#""type":"choose""#] {
            assert!(text.contains(part), "{way}: {text}");
        }
        let manifest: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.join(way).join("manifest.json")).unwrap()).unwrap();
        assert_eq!(manifest["partial"], true, "{way}");
    });
    assert_gone(&own.to_string_lossy());
    let crash = call(folder, "run --game dungeon -n 2 --quiet --out again", &[&odd("crash", "batch=1")]);
    assert!(error(&{ crash }.output().unwrap()).contains("something broke"));
    done(
        folder,
        "run --game dungeon -n 4 --threads 1 --quiet --out on",
        &[&odd("crash 20", "batch=1,on_fault=random")],
    );
    let log = fs::read(folder.join("on/bots.log")).unwrap();
    assert!(String::from_utf8_lossy(&log).contains("something broke"));
}

/// What there is of a line is shown where its end is missing; a process that has ended is not said to be there.
#[test]
fn lines_without_an_end_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let ways = [
        ("bare", "late: no answer within 1 s; sent ", r#""move": 0}, without an end of line"#),
        ("half", "closed: it ended (exit status: 0); sent ", r#"; got {"id":, without an end of line"#),
    ];
    at_once(ways, |(way, before, after)| {
        let line = format!("run --game dungeon -n 1 --threads 1 --quiet --out {way}");
        let agent = odd(way, &format!("{}batch=1", limit(&before[..4])));
        let text = error(&call(folder.path(), &line, &[&agent]).output().unwrap());
        assert!(text.contains(before) && text.contains(after), "{way}: {text}");
    });
    // Of a run that goes on whatever its program does wrong, it is said why it ends.
    let line = "run --game dungeon -n 1 --threads 1 --quiet --out silent";
    let text = error(&call(folder.path(), line, &[&odd("crash", "on_fault=random")]).output().unwrap());
    assert!(text.contains("; 8 processes in a row gave no answer"), "{text}");
    let merged = sim(folder.path(), "merge silent --out merged").output().unwrap();
    assert!(error(&merged).contains("missing: all games"), "{}", error(&merged));
}

/// A program that cannot begin is refused before anything is written: what lies in the folder stays, and no new one is made.
#[test]
fn who_cannot_begin_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    done(folder, "run --game dungeon -n 10 --quiet --out o", &["rule"]);
    let table = || fs::read(folder.join("o/summary.csv")).unwrap();
    let before = table();
    for line in
        ["run --game dungeon -n 10 --out o --force", "compare --game dungeon --agent rule -n 10 --out new"]
    {
        let output = call(folder, line, &["exec:command=false"]).output().unwrap();
        let text = error(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {text}");
        assert_eq!(text, "error: 'false' did not answer hello: it ended (exit status: 1)\n", "{line}");
    }
    assert_eq!(table(), before);
    assert!(!folder.join("new").exists());
    // Nobody is needed where all games are played and a table alone is missing. The command names no file that would be looked at.
    let own = copy_of_odd(folder);
    let agent = "exec:command=python3 -m own_odd_bot late 1000000";
    done(folder, "run --game dungeon -n 2 --quiet --out played", &[agent]);
    let played = tables(&folder.join("played"));
    fs::remove_file(folder.join("played/summary.csv")).unwrap();
    fs::remove_file(own).unwrap();
    done(folder, "run --game dungeon -n 2 --quiet --out played --resume", &[agent]);
    assert_eq!(tables(&folder.join("played")), played);
}

/// Where the run goes on, faults are counted by kind, and what they cost is what was asked for.
#[test]
fn faults_are_data() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let own = copy_of_odd(folder);
    let both = |(way, kind)| ["random", "forfeit"].map(|policy| (way, kind, policy));
    at_once(WAYS.into_iter().flat_map(both), |(way, kind, policy)| {
        let options = format!("{}batch=2,on_fault={policy}", limit(kind));
        let agent = odd_at(&own, &format!("{way} 10"), &options);
        let out = format!("{way}-{policy}");
        // Each process goes wrong once: a few games take few processes.
        let n = if ["illegal", "unheard", "malformed", "list", "unknown", "early"].contains(&way) {
            20
        } else {
            3
        };
        let line = format!(
            "run --game dungeon -n {n} --seed 3 --threads 1 --quiet --games --out {out} --transcripts {out}.jsonl"
        );
        done(folder, &line, &[&agent]);
        let found = faults(&folder.join(&out));
        assert_eq!(found.len(), 1, "{out}: {found:?}");
        let (name, count, forfeits) = &found[0];
        assert!(name == kind && *count > 0, "{out}: {found:?}");
        let lost = if policy == "forfeit" && *kind != *"unknown_id" { *count } else { 0 };
        assert_eq!(*forfeits, lost, "{out}: {found:?}");
        let replay = sim(folder, &format!("replay {out}.jsonl")).output().unwrap();
        assert_eq!(replay.status.code(), Some(0), "{}", error(&replay));
    });
    assert_gone(&own.to_string_lossy());
}

/// A process that dies costs the one question that killed it: tables do not depend on how many were asked with it.
#[test]
fn a_death_costs_one_question() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |batch: u32| {
        let agent = odd("seldom", &format!("batch={batch},on_fault=forfeit"));
        let line = format!("run --game dungeon -n 60 --seed 3 --threads 1 --quiet --games --out {batch}");
        done(folder, &line, &[&agent]);
        let rows = fs::read_to_string(folder.join(batch.to_string()).join("games.csv")).unwrap();
        (faults(&folder.join(batch.to_string())), rows.replace(&format!("batch={batch}"), "batch"))
    };
    let alone = run(1);
    assert!(alone.0[0].1 > 1, "{:?}", alone.0);
    assert_eq!(alone, run(64));
}

/// After a process that died another one is told everything anew, and nothing of games that it does not know.
#[test]
fn a_new_process_knows_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let line = "run --game dungeon -n 30 --seed 3 --threads 1 --quiet --out forgetful";
    done(folder.path(), line, &[&odd("forgetful", "batch=4,on_fault=random")]);
    // One that dies once hurts nobody.
    let mark = folder.path().join("mark");
    let agent = odd(&format!("once 5 {}", mark.display()), "batch=4,on_fault=forfeit");
    done(folder.path(), "run --game dungeon -n 5 --threads 1 --quiet --out once", &[&agent]);
    assert!(mark.exists() && faults(&folder.path().join("once")).is_empty());
}

/// A wrong answer is charged to the question that it names, and slow answers are not late as long as some come.
#[test]
fn faults_are_charged_to_their_questions() {
    let folder = tempfile::tempdir().unwrap();
    let line = "run --game dungeon -n 20 --seed 3 --threads 1 --quiet --out x";
    let output = call(folder.path(), line, &[&odd("numbered 4", "batch=8")]).output().unwrap();
    let text = error(&output);
    let (sent, got) = text.split_once(", got ").unwrap();
    let id = |text: &str| {
        text.split("\"id\":")
            .nth(1)
            .map(|rest| rest.trim_start().chars().take_while(char::is_ascii_digit).collect::<String>())
    };
    assert_eq!(id(sent), id(got), "{text}");
    let line = "run --game dungeon -n 8 --seed 3 --threads 1 --quiet --out slow";
    done(folder.path(), line, &[&odd("slow", "timeout=1,batch=8")]);
    // Wrong ones are answers, too.
    let line = "run --game dungeon -n 8 --seed 3 --threads 1 --quiet --out wrong";
    done(folder.path(), line, &[&odd("slow-illegal", "timeout=1,batch=8,on_fault=forfeit")]);
    assert_eq!(faults(&folder.path().join("wrong")), [("illegal".to_owned(), 8, 8)]);
}

/// What comes before its question answers nothing, not even when the question is on its way: it is counted, or ends the run.
#[test]
fn answers_come_after_their_questions() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon -n 8 --threads 1 --quiet --games --out";
    let games = |way: &str| {
        done(folder, &format!("{line} {way}"), &[&odd(way, "on_fault=random")]);
        fs::read_to_string(folder.join(way).join("games.csv")).unwrap().replace("early", "right")
    };
    assert_eq!(games("early"), games("right"));
    assert_eq!(faults(&folder.join("early")), [("unknown_id".to_owned(), 1000, 0)]);
    let output = call(folder, &format!("{line} ended"), &[&odd("early", "")]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", error(&output));
    assert!(
        error(&output).contains("unknown_id: no answer to a question 1 is awaited"),
        "{}",
        error(&output)
    );
}

/// What was finished is kept, even of games that went on side by side with the one that failed; the run goes on from there.
#[test]
fn a_run_goes_on_after_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mark = folder.join("mark");
    let agent = odd(&format!("once 700 {}", mark.display()), "batch=8");
    let line = "run --game dungeon -n 200 --seed 3 --threads 1 --quiet --games --out stopped --resume";
    let output = call(folder, line, &[&agent]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", error(&output));
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("stopped/manifest.json")).unwrap()).unwrap();
    assert!(manifest["finished"].as_u64().unwrap() > 0, "{manifest}");
    let log = fs::read_to_string(folder.join("stopped/bots.log")).unwrap();
    assert!(log.contains("odd 1"), "{log}");
    // From now on the program does as it should.
    done(folder, line, &[&agent]);
    done(folder, &line.replace("stopped --resume", "whole"), &[&agent]);
    let read = |name: &str| fs::read(folder.join(name).join("games.csv")).unwrap();
    assert!(read("stopped") == read("whole"), "the games differ");
}

/// Bounds have no place for what a program does wrong.
#[test]
fn a_program_is_no_fair_player_of_a_bound() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        call(folder.path(), "bound --game dungeon -n 2 --out x", &[&odd("right", "")]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", error(&output));
    assert!(error(&output).contains("cannot be the fair player"), "{}", error(&output));
}

/// Further arguments stand in a preset as a list, even where one of them is the name of a policy; a list in the place of one value is
/// refused with its line.
#[test]
fn presets_list_further_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let preset = |agent: &str, options: &str| {
        let text = format!("agent = '{agent}'\nsummary = 's'\n[options]\n{options}\n");
        fs::write(folder.path().join("p.toml"), text).unwrap();
    };
    let line = "run --game dungeon -n 2 --quiet --force --out o";
    for first in ["right", "rule"] {
        preset("exec", &format!("command = \"python3 '{ODD}'\"\nargs = ['{first}', '1000000']"));
        done(folder.path(), line, &["p.toml"]);
    }
    for (agent, options, part) in [
        ("mcts", "iterations = [1, 2]", "line 4: agent mcts: iterations=[1,2] is refused"),
        (
            "exec",
            "command = ['python3', 'bot.py']",
            "line 4: agent exec: command=[\"python3\",\"bot.py\"] is refused",
        ),
        ("rule", "policy = ['none', 'such']", "line 4: agent rule: policy=[\"none\",\"such\"] is refused"),
    ] {
        preset(agent, options);
        let output = call(folder.path(), line, &["p.toml"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{options}: {}", error(&output));
        assert!(error(&output).contains(part), "{options}: {}", error(&output));
    }
}

/// Interchangeable parts of a move may stand in any order.
#[test]
fn moves_are_read_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let games = |way: &str| {
        done(
            folder.path(),
            &format!("run --game columns -n 4 --quiet --out {way}"),
            &[&odd(way, ""), "random"],
        );
        let named = fs::read_to_string(folder.path().join(way).join("summary.csv")).unwrap();
        named.replace(way, "odd")
    };
    assert_eq!(games("ordered"), games("backwards"));
}

/// Where two programs play each other, each answers for its own faults.
#[test]
fn faults_are_charged_to_who_made_them() {
    let folder = tempfile::tempdir().unwrap();
    let (right, wrong) = (odd("right", ""), odd("illegal", "on_fault=forfeit"));
    for (seat, (out, agents)) in
        [("first", [&wrong, &right]), ("second", [&right, &wrong])].into_iter().enumerate()
    {
        let line = format!("run --game columns -n 4 --quiet --out {out}");
        done(folder.path(), &line, &agents.map(String::as_str));
        let text = fs::read_to_string(folder.path().join(out).join("faults.csv")).unwrap();
        assert!(text.lines().count() == 2 && text.contains("illegal,"), "{text}");
        let row = text.lines().nth(1).unwrap();
        assert!(row.contains("odd_bot.py' illegal"), "{row}");
        assert!(
            row.contains(&format!(",{seat},illegal,")),
            "the seat tells two of the same label apart: {row}"
        );
    }
}

/// A player that does not repeat itself is found out in any run.
#[test]
fn what_cannot_be_repeated_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let output = done(
        folder.path(),
        "run --game whist -n 6 --out moody",
        &[&odd("moody", ""), "rule", "rule", "rule"],
    );
    let told = String::from_utf8_lossy(&output.stdout);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("does not give the same answers again"), "{told}");
    assert_eq!(faults(&folder.path().join("moody"))[0].0, "unrepeatable");
    let output = done(folder.path(), "run --game whist -n 6 --out right", &[&odd("right", "")]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("Faults"));
    assert!(faults(&folder.path().join("right")).is_empty());
    // A heading with nothing under it would leave open whether there were any.
    let shown =
        ["right", "moody"].map(|out| ok(folder.path(), &format!("show {out}")).contains("faults.csv"));
    assert_eq!(shown, [false, true]);
    // Who goes by the moves of its game, and errs before there are two, says the same again, and is asked from the deal on.
    let agents = ["random", &odd("counting", "on_fault=random"), "random", "random"];
    done(folder.path(), "run --game whist -n 100 --seed 3 --quiet --out counting", &agents);
    let found = faults(&folder.path().join("counting"));
    assert!(found.len() == 1 && found[0].0 == "illegal", "{found:?}");
}

/// A program that dies of some questions plays the same games, however many it gets at once: others it answers.
#[test]
fn deaths_do_not_end_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let play = |batch: u32| {
        let agent = odd("fragile", &format!("on_fault=random,batch={batch}"));
        let line = format!("run --game dungeon -n 20 --seed 3 --threads 1 --quiet --out b{batch}");
        done(folder, &line, &[&agent]);
        let mut played = tables(&folder.join(format!("b{batch}")));
        played.retain(|name, _| name != "manifest.json" && name != "journal.json");
        played
    };
    let alone = play(1);
    assert!(faults(&folder.join("b1"))[0].1 > 5);
    for batch in [4, 64] {
        let together = play(batch);
        assert!(alone.len() > 3 && alone.keys().eq(together.keys()), "{:?}", alone.keys());
        for (name, text) in &alone {
            let own =
                |text: &[u8]| String::from_utf8_lossy(text).replace(&format!("batch={batch}"), "batch=1");
            assert_eq!(own(text), own(&together[name]), "batch={batch}: {name}");
        }
    }
}

/// What goes wrong while the first questions are asked again has its own name, and is no other answer.
#[test]
fn a_fault_is_no_other_answer() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon -n 1 --seed 3 --threads 1 --quiet --out";
    for (way, kind) in [("crash 2", "crashed"), ("twice", "unknown_id"), ("chatty", "malformed")] {
        let output = call(folder, &format!("{line} {kind}-ends"), &[&odd(way, "batch=1")]).output().unwrap();
        let text = error(&output);
        assert_eq!(output.status.code(), Some(1), "{way}: {text}");
        assert!(text.contains(kind) && text.contains(r#""type":"choose""#), "{way}: {text}");
    }
    // The questions themselves were answered: nothing is lost.
    done(folder, &format!("{line} counted"), &[&odd("crash 2", "batch=1,on_fault=forfeit")]);
    let found = faults(&folder.join("counted"));
    assert!(found.len() == 1 && found[0].0 == "crashed" && found[0].2 == 0, "{found:?}");
}
