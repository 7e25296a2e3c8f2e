//! What long runs rely on: a run that was killed goes on where it was, and parts join to the whole, to the byte.

use crate::common::{begun, call, error, ok, sim};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(crate) fn refused(folder: &Path, line: &str, reasons: &[&str]) {
    ended(folder, line, 2, reasons);
}

/// It ends with this code, and complains of these things.
fn ended(folder: &Path, line: &str, code: i32, reasons: &[&str]) {
    let output = call(folder, line);
    assert_eq!(output.status.code(), Some(code), "{line}: {}", error(&output));
    for reason in reasons {
        assert!(error(&output).contains(reason), "{line}: {}", error(&output));
    }
}

pub(crate) fn manifest(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap()
}

/// Asserts that two folders hold the same files, to the byte, and the same manifest but for times and transcripts.
fn assert_same(one: &Path, other: &Path) {
    let names = |folder: &Path| {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(one), names(other));
    for name in names(one).iter().filter(|name| *name != "manifest.json") {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert!(read(one) == read(other), "{} of {} and {}", name.display(), one.display(), other.display());
    }
    let [mut one, mut other] = [manifest(one), manifest(other)];
    for manifest in [&mut one, &mut other] {
        manifest["timing"].take();
        manifest["transcripts"].take();
    }
    assert_eq!(one, other);
}

const RUN: &str = "run --game columns --agent greedy --agent random --seed 11 --quiet --games -n";

/// A run that is killed at any moment goes on from its journal, and ends with the files of one that was left alone.
/// What it did before is not done again.
#[test]
fn a_killed_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = 6_000;
    ok(folder, &format!("{RUN} {games} --threads 2 --out whole --transcripts whole.jsonl"));
    let line = format!("{RUN} {games} --threads 2 --out killed --transcripts killed.jsonl --resume");
    let finished = || {
        let text = fs::read(folder.join("killed/manifest.json")).ok()?;
        serde_json::from_slice::<serde_json::Value>(&text).unwrap()["finished"].as_u64()
    };
    let begin = |threads: u32| {
        let line = line.replace("--threads 2", &format!("--threads {threads}"));
        sim(folder, &line).stderr(Stdio::null()).spawn().unwrap()
    };
    let end = |mut child: Child| {
        child.kill().unwrap();
        child.wait().unwrap();
        finished().unwrap_or_default()
    };
    // Before anything is kept, and as soon as something more is.
    let child = begin(2);
    std::thread::sleep(Duration::from_millis(30));
    let (mut before, mut between) = (end(child), 0);
    for threads in [1, 3] {
        let mut child = begin(threads);
        while finished().unwrap_or_default() <= before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(10));
        }
        let now = end(child);
        assert!(now >= before, "{now} after {before}");
        between += u32::from(before < now && now < games);
        before = now;
    }
    assert!(between > 0, "it was done before it could be killed");
    ok(folder, &line);
    assert_same(&folder.join("whole"), &folder.join("killed"));
    let read = |name| fs::read(folder.join(name)).unwrap();
    assert!(read("whole.jsonl") == read("killed.jsonl"), "the transcripts differ");
    // A finished run is resumed by doing nothing.
    ok(folder, &line);
    assert_same(&folder.join("whole"), &folder.join("killed"));
}

/// Solving goes on as playing does, from an interrupt as well as from a kill.
#[cfg(unix)]
#[test]
fn interrupted_solving_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "solve --game dungeon -n 3000 --seed 11 --quiet --solutions --resume --out";
    ok(folder, &format!("{line} whole --threads 2"));
    let mut interrupted = 0;
    for _ in 0..2 {
        let child =
            sim(folder, &format!("{line} stopped --threads 1")).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        assert!([0, 130].contains(&output.status.code().unwrap()), "{}", error(&output));
        interrupted += u32::from(output.status.code() == Some(130));
    }
    assert!(interrupted > 0, "it was done before it could be interrupted");
    ok(folder, &format!("{line} stopped --threads 2"));
    assert_same(&folder.join("whole"), &folder.join("stopped"));
}

/// Shards, made in any order and joined in any order, are the whole, to the byte.
#[test]
fn shards_join_to_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (name, line) in [
        ("run", "run --game columns --agent greedy --agent random --seed 11 --quiet --games -n 30"),
        ("compare", "compare --game columns --agent greedy --agent random --seed 11 --quiet -n 30"),
        // Options that are off where the game has them on.
        (
            "off",
            "run --game dungeon --agent mcts:iterations=50,late_iterations=0,solver_hidden=0 --seed 11 --quiet -n 30",
        ),
        ("solve", "solve --game dungeon --objective health --solutions --quiet -n 30"),
    ] {
        ok(folder, &format!("{line} --out {name}"));
        for part in [2, 3, 1] {
            ok(folder, &format!("{line} --shard {part}/3 --out {name}{part}"));
        }
        ok(folder, &format!("merge {name}3 {name}1 {name}2 --out {name}-joined --quiet"));
        assert_same(&folder.join(name), &folder.join(format!("{name}-joined")));
        // Without a part in the middle the rest is partial, and can be joined with it later only as it was.
        ok(folder, &format!("merge {name}3 {name}1 --out {name}-gap --quiet"));
        let gap = manifest(&folder.join(format!("{name}-gap")));
        assert_eq!(gap["partial"], true);
        assert_eq!(gap["ranges"], serde_json::json!([[0, 10], [20, 30]]));
        refused(folder, &format!("merge {name}-gap {name}2 --out x"), &["between", "all parts at once"]);
        refused(folder, &format!("{line} --out {name}-gap --resume"), &["all parts at once"]);
        // With all parts at once it gives way to the whole.
        ok(folder, &format!("merge {name}1 {name}2 {name}3 --out {name}-gap --quiet"));
        assert_same(&folder.join(name), &folder.join(format!("{name}-gap")));
    }
}

/// Unless another is named the whole gets the folder of the run that was not shared out, with one agent in several seats, too.
#[test]
fn the_whole_is_named_like_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game whist --agent random -n 4 --quiet";
    for part in [1, 2] {
        ok(folder, &format!("{line} --shard {part}/2 --out parts/{part}"));
    }
    ok(folder, "merge parts --quiet");
    let names = || fs::read_dir(folder.join("results")).unwrap().map(|entry| entry.unwrap().file_name());
    let merged: Vec<_> = names().collect();
    ok(folder, &format!("{line} --force"));
    assert_eq!(merged, names().collect::<Vec<_>>());
}

/// The contract of a shard: its folder is named after the plan, it goes on by itself from what was left, one that is finished is
/// left alone, and the folder of all parts is all that joining needs.
#[cfg(unix)]
#[test]
fn shards_keep_their_contract() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent mcts:iterations=50 -n 240 --seed 11 --games --threads 1";
    ok(folder, &format!("{line} --out whole"));
    let parts_in = |plans: usize| {
        let all = fs::read_dir(folder.join("results")).unwrap().map(|entry| entry.unwrap().path());
        let mut all: Vec<_> = all.collect();
        all.sort();
        assert_eq!(all.len(), plans);
        all
    };
    // SIGTERM asks to keep what there is and to leave, and the same command goes on.
    let stopped = |line: &str| {
        let child = sim(folder, line).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        begun(&folder.join("results"), 300);
        // Twice, as `timeout` sends it to the process and to its group.
        for _ in 0..2 {
            Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(75), "{}", error(&output));
        assert!(error(&output).contains("goes on"), "{}", error(&output));
    };
    stopped(&format!("{line} --shard 1/2"));
    let parts = parts_in(1).remove(0);
    assert!(
        parts.file_name().unwrap().to_str().unwrap().starts_with("dungeon-mcts-iterations-50-n240-seed11-")
    );
    let left = manifest(&parts.join("1-of-2"));
    assert_eq!(left["partial"], true);
    let named = parts.display();
    assert!(ok(folder, &format!("show {named}/1-of-2")).contains(" of 240 games (part 1 of 2, partial)\n"));
    ended(folder, &format!("merge {named} --out x --whole"), 75, &["part 2 of 2", "1-of-2 (", "of 120)"]);
    assert!(!folder.join("x").exists());
    ok(folder, &format!("{line} --shard 1/2"));
    ok(folder, &format!("{line} --shard 2/2"));
    assert!(ok(folder, &format!("show {named}/1-of-2")).contains(" 120 of 240 games (part 1 of 2)\n"));
    // What is finished is not done again.
    let before = fs::metadata(parts.join("1-of-2/manifest.json")).unwrap().modified().unwrap();
    let again = call(folder, &format!("{line} --shard 1/2"));
    assert!(error(&again).contains("held all of this already"), "{}", error(&again));
    assert_eq!(fs::metadata(parts.join("1-of-2/manifest.json")).unwrap().modified().unwrap(), before);
    ok(folder, &format!("merge {named} --out joined --whole"));
    assert_same(&folder.join("whole"), &folder.join("joined"));
    // To join once more changes nothing, makes a lost table again, and takes nothing away.
    for whole in ["joined", "whole"] {
        let again = call(folder, &format!("merge {named} --out {whole}"));
        assert!(error(&again).contains("held all of this already"), "{}", error(&again));
        assert_same(&folder.join("whole"), &folder.join("joined"));
    }
    // The whole may lie among its parts, and is none of them.
    for code in ["", "held all of this already"] {
        let among = call(folder, &format!("merge {named} --out {named}/whole"));
        assert!(among.status.success() && error(&among).contains(code), "{}", error(&among));
    }
    fs::remove_dir_all(parts.join("whole")).unwrap();
    refused(folder, &format!("merge {named} --out {named}/1-of-2"), &["is one of the parts"]);
    fs::remove_file(folder.join("joined/summary.csv")).unwrap();
    ok(folder, &format!("merge {named} --out joined"));
    assert_same(&folder.join("whole"), &folder.join("joined"));
    refused(folder, &format!("merge {named}/1-of-2 --out joined"), &["holds more of this plan", "--force"]);
    assert_same(&folder.join("whole"), &folder.join("joined"));
    // The whole has the name that it has without parts, and other plans have other folders.
    ok(folder, &format!("merge {named}"));
    assert_same(&folder.join("whole"), &folder.join("results/dungeon-mcts-iterations-50-n240-seed11"));
    ok(folder, &format!("{line} --shard 1/2 --rule health=2"));
    parts_in(3);
}

/// Parts that begin in the same moment all find the folder of the plan, whoever makes it.
#[test]
fn parts_begin_together() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let line = "run --game dungeon --agent random -n 80 --threads 1 --shard";
        let begin = |part: u32| {
            sim(folder.path(), &format!("{line} {part}/8"))
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
        };
        let parts: Vec<_> = (1..=8).map(|part| begin(part).unwrap()).collect();
        for part in parts {
            let output = part.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", error(&output));
        }
    }
}

/// Joining tells all that is missing and all that is foreign, and whom it is foreign to: not one thing at a time.
#[test]
fn joining_names_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random --quiet --out";
    for part in [1, 2, 4, 5, 6, 9] {
        ok(folder, &format!("{line} all/{part} -n 90 --shard {part}/9"));
    }
    let merged = call(folder, "merge all --out x --quiet");
    assert_eq!(merged.status.code(), Some(0));
    assert!(error(&merged).contains("hold 60 of 90; missing: parts 3, 7 to 8 of 9"), "{}", error(&merged));
    ok(folder, &format!("{line} all/other -n 90 --shard 3/9 --seed 2"));
    ok(folder, &format!("{line} all/another -n 91 --shard 3/9"));
    let both =
        ["all/other does not belong to all/1", "seed", "all/another does not belong", "number of games"];
    refused(folder, "merge all --out y", &both);
    fs::remove_dir_all(folder.join("all/other")).unwrap();
    fs::remove_dir_all(folder.join("all/another")).unwrap();
    ok(folder, &format!("{line} all/9b -n 90 --shard 9/9"));
    ok(folder, &format!("{line} all/1b -n 90 --shard 1/9"));
    refused(folder, "merge all --out y", &["all/1 and all/1b overlap", "all/9 and all/9b overlap"]);
}

/// A command says how long it would take without doing it.
#[test]
fn estimates_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let said = ok(folder, "run --game dungeon --agent random -n 1e12 --estimate=1h");
    for part in ["1,000,000,000,000 games take about", "--shard 1/", "then sim merge"] {
        assert!(said.contains(part), "{said}");
    }
    let part = ok(folder, "run --game dungeon --agent random -n 1e12 --shard 2/5 --estimate");
    assert!(
        part.contains("Part 2 of 5: 200,000,000,000 games take about") && !part.contains("merge"),
        "{part}"
    );
    let small = "run --game dungeon --agent random -n 9 --shard 1/10 --estimate";
    refused(folder, small, &["9 games"]);
    let few = ok(folder, "solve --game dungeon -n 20 --out x --force --estimate");
    assert!(few.contains("20 deals take about") && few.contains("no parts are needed"), "{few}");
    // Transcripts neither.
    for file in ["t.jsonl --transcript-limit 2", "-"] {
        let run = format!("run --game dungeon --agent random -n 3 --transcripts {file} --estimate");
        let said = ok(folder, &run);
        assert!(said.starts_with("Here, on ") && said.lines().count() == 3, "{said}");
    }
    assert!(fs::read_dir(folder).unwrap().next().is_none());
    // What cannot be shared out is not advised to be, and what has a goal takes no longer than that.
    let two = "compare --game dungeon --agent random --agent greedy -n 1e9 --estimate=1ms";
    let said = ok(folder, &format!("{two} --until width=0.0001"));
    assert!(said.contains("1,000,000,000 deals take at most about ") && !said.contains("--shard"), "{said}");
    let said = ok(folder, &format!("{two} --sprt 0,2000"));
    let last = said.lines().last().unwrap();
    assert!(last.starts_with("Enough: ") && !last.contains("most") && !last.contains("1,000,000"), "{said}");
    let part = format!("{two} --sprt 0,2000 --shard 1/2");
    refused(folder, &part, &["--shard cannot be used with --until or --sprt"]);
    fs::write(folder.join("deals"), "2C 3C\n").unwrap();
    let deals = ok(folder, "solve --game dungeon --deals deals --short-deck --estimate=1ms --json");
    let deals: serde_json::Value = serde_json::from_str(&deals).unwrap();
    assert!(deals["parts"].is_null() && deals["seconds_a_part"].is_null(), "{deals}");
    assert_eq!(deals["at_most"], false);
    refused(folder, "run --game dungeon --agent random -n 9 --estimate=soon", &["such as 90s, 30m or 2h"]);
}

/// Wherever a kill falls, in a new folder, in a finished one or in one that is overwritten, the command can be
/// repeated and ends with the files of an undisturbed run.
#[test]
#[expect(clippy::disallowed_methods, reason = "the kills spread over the time that a run takes")]
fn a_kill_at_the_start_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = |out: &str| {
        format!(
            "run --game dungeon --agent random -n 300 --quiet --games --transcripts {out}.jsonl --out {out}"
        )
    };
    ok(folder, &line("whole"));
    let clock = std::time::Instant::now();
    ok(folder, &line("timed"));
    let steps = 24;
    let step = clock.elapsed() * 2 / steps;
    let kill = |line: &str, after: Duration| {
        let mut child = sim(folder, line).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(after);
        child.kill().unwrap();
        child.wait().unwrap();
    };
    let finished = manifest(&folder.join("timed"));
    for i in 0..steps {
        let name = format!("fresh{i}");
        kill(&format!("{} --resume", line(&name)), step * i);
        ok(folder, &format!("{} --resume", line(&name)));
        assert_same(&folder.join("whole"), &folder.join(&name));
        assert!(
            fs::read(folder.join("whole.jsonl")).unwrap()
                == fs::read(folder.join(format!("{name}.jsonl"))).unwrap()
        );

        // A finished run is no worse for being repeated.
        kill(&line("timed"), step * i);
        ok(folder, &format!("{} --resume", line("timed")));
        assert_same(&folder.join("whole"), &folder.join("timed"));

        // Another plan takes the place of what a kill has left of the first, or does not.
        let other = format!("{} --seed 5 --force", line("other"));
        kill(&other, step * i);
        ok(folder, &format!("{} --force", line("other")));
        assert_same(&folder.join("whole"), &folder.join("other"));
    }
    let started = |manifest: &serde_json::Value| manifest["timing"]["started"].as_str().unwrap().to_owned();
    assert!(started(&finished).ends_with('Z'), "{finished}");
    assert_eq!(started(&manifest(&folder.join("timed"))), started(&finished));
}

/// Parts that have finished nothing join to nothing: the command says so, can be repeated later, and writes no empty whole.
#[test]
fn nothing_is_joined_of_parts_that_have_done_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game whist --agent best:iterations=100000 -n 100 --quiet --out p/1 --shard 1/2";
    let mut child = sim(folder, line).stderr(Stdio::null()).spawn().unwrap();
    while !folder.join("p/1/manifest.json").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it has ended before it wrote a manifest");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    ended(folder, "merge p --out whole", 75, &["nothing can be joined yet: ", "unfinished: p/1 (0 of 50)"]);
    assert!(!folder.join("whole").exists());
}

/// A finished run stays as it is when it is asked for again in another way, and when going on is refused.
#[test]
fn finished_results_are_safe() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random -n 200 --quiet";
    let run = |rest: &str| format!("{line} --games --out a --transcripts a.jsonl{rest}");
    ok(folder, &run(""));
    ok(folder, &format!("{line} --games --out copy --transcripts copy.jsonl"));
    let same = |change: &dyn Fn(), rest: &str, reasons: &[&str]| {
        change();
        refused(folder, &run(rest), reasons);
        fs::copy(folder.join("copy/games.csv"), folder.join("a/games.csv")).unwrap();
        fs::copy(folder.join("copy.jsonl"), folder.join("a.jsonl")).unwrap();
        assert_same(&folder.join("copy"), &folder.join("a"));
    };
    let nothing = || ();
    refused(folder, &format!("{line} --out a"), &["holds this run already", "games.csv", "--force"]);
    same(&nothing, " --transcript-limit 5", &["all transcripts, not the first 5"]);
    same(
        &|| fs::write(folder.join("a/games.csv"), "index\n").unwrap(),
        " --resume",
        &["games.csv", "fewer bytes"],
    );
    same(
        &|| fs::write(folder.join("a.jsonl"), "x".repeat(1 << 20)).unwrap(),
        " --resume",
        &["a.jsonl is not"],
    );
    same(&|| fs::remove_file(folder.join("a.jsonl")).unwrap(), " --resume", &["a.jsonl cannot be read"]);
    // The run's own files cannot take the transcripts, whatever way leads there.
    for own in ["b/journal.json", "./b/games.csv", "b/../b/.journal.json.new"] {
        fs::create_dir_all(folder.join("b")).unwrap();
        refused(
            folder,
            &format!("{line} --games --out b --transcripts {own}"),
            &["cannot take the transcripts"],
        );
    }
    // Nor in a folder that is not there yet.
    let early = format!("{line} --out n --transcripts n/../n/manifest.json");
    refused(folder, &early, &["cannot take the transcripts"]);
    // What goes to standard output is told again.
    let told = format!("{line} --out c --transcripts -");
    assert_eq!(ok(folder, &told), ok(folder, &told));
    refused(folder, "solve --game dungeon --deals a.jsonl --resume", &["--resume needs a folder"]);
}

/// Two processes never write to one folder, or to one file of transcripts.
#[cfg(target_os = "linux")]
#[test]
fn one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random -n 1e15 --quiet";
    let mut child =
        sim(folder, &format!("{line} --out a --transcripts t --transcript-limit 9")).spawn().unwrap();
    while !folder.join("t").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    for rest in ["", " --resume", " --force"] {
        ended(folder, &format!("{line} --out a{rest}"), 75, &["a is being written to by another sim"]);
    }
    ended(folder, &format!("{line} --out b --transcripts t --force"), 75, &["t is being written to"]);
    assert!(!folder.join("b").exists());
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A journal that does not add up is refused, not believed, even if its checksum is right.
#[test]
fn a_wrong_journal_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random -n 100 --quiet --out a";
    ok(folder, line);
    let path = folder.join("a/journal.json");
    let right = fs::read_to_string(&path).unwrap();
    for (from, to) in [
        ("[[0,100]]", "[[0,50]]"),
        ("\"games\":100", "\"games\":99"),
        ("\"totals\":{", "\"totals\":{\"x\":{"),
        ("[[0,100]]", "[[10,100]]"),
        ("\"tally\":[", "\"tally\":[1,"),
    ] {
        let wrong = right.replace(from, to);
        assert_ne!(wrong, right, "{from}");
        for wrong in [wrong.clone(), summed(&wrong)] {
            fs::write(&path, wrong).unwrap();
            let before = fs::read(folder.join("a/summary.csv")).unwrap();
            assert_eq!(call(folder, &format!("{line} --resume")).status.code(), Some(2), "{to}");
            assert!(before == fs::read(folder.join("a/summary.csv")).unwrap());
        }
    }
}

/// A journal with another checksum, that of its text.
pub(crate) fn summed(journal: &str) -> String {
    use std::hash::Hasher as _;
    let end = journal.rfind(",\"sum\":\"").unwrap();
    let mut sum = fnv::FnvHasher::default();
    sum.write(&journal.as_bytes()[..end]);
    format!("{},\"sum\":\"{:016x}\"}}\n", &journal[..end], sum.finish())
}

/// Every list in this value, by the way that leads there.
fn lists(value: &serde_json::Value, way: &str, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Array(items) => {
            found.push(way.to_owned());
            items.iter().enumerate().for_each(|(i, item)| lists(item, &format!("{way}/{i}"), found));
        }
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(name, item)| lists(item, &format!("{way}/{name}"), found));
        }
        _ => {}
    }
}

/// Counts of another shape than those of the study are refused, wherever something is missing; nothing panics.
#[test]
fn counts_of_another_shape_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for line in [
        "run --game columns --agent random -n 3 --out run",
        "compare --game whist --agent random --agent greedy -n 3 --out compare",
        "compare --game dungeon --agent random --agent greedy -n 20 --control 1 --out control",
        "solve --game dungeon -n 3 --out solve",
        "bound --game verslun -n 3 --out bound",
    ] {
        ok(folder, &format!("{line} --quiet"));
        let path = folder.join(line.split(' ').next_back().unwrap()).join("journal.json");
        let right: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let mut ways = Vec::new();
        lists(&right["totals"], "", &mut ways);
        for way in ways.iter().step_by(1 + ways.len() / 30) {
            let mut wrong = right.clone();
            let list = wrong["totals"].pointer_mut(way).unwrap().as_array_mut().unwrap();
            if list.pop().is_none() {
                continue;
            }
            // The checksum stands last.
            let sum = wrong.as_object_mut().unwrap().remove("sum").unwrap();
            let text = serde_json::to_string(&wrong).unwrap();
            let text = format!("{},\"sum\":{sum}}}", &text[..text.len() - 1]);
            fs::write(&path, summed(&text)).unwrap();
            let output = call(folder, &format!("{line} --resume --quiet"));
            assert_eq!(output.status.code(), Some(2), "{line}, {way}: {}", error(&output));
        }
    }
}

/// What does not belong together is refused before anything is written, and what is unfinished is not lost.
#[test]
fn what_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random --quiet --out";
    ok(folder, &format!("{line} a -n 90 --shard 1/3"));
    ok(folder, &format!("{line} b -n 90 --shard 2/3 --seed 2"));
    ok(folder, &format!("{line} c -n 90 --shard 1/2"));
    ok(folder, &format!("{line} d -n 90 --shard 3/3 --games"));
    refused(folder, "merge a b --out x", &["b does not belong to a", "seed"]);
    refused(folder, "merge a c --out x", &["a and c overlap"]);
    // Parts inside of another do not overlap each other, nor does what was joined with a gap overlap what lies in it.
    for part in ["1/10", "2/10", "1/9", "9/9", "3/9", "5/18"] {
        ok(folder, &format!("{line} {} -n 90 --shard {part}", part.replace('/', "of")));
    }
    ok(folder, "merge 1of9 9of9 --out ends --quiet");
    let overlap = |parts: &str| error(&call(folder, &format!("merge {parts} --out x")));
    let said = overlap("c 1of10 2of10");
    assert!(said.contains("c and 1of10 overlap") && said.contains("c and 2of10 overlap"), "{said}");
    assert!(!said.contains("1of10 and 2of10"), "{said}");
    let said = overlap("ends 3of9 5of18");
    assert!(said.contains("3of9 and 5of18 overlap") && !said.contains("ends and"), "{said}");
    refused(folder, "merge a a --out x", &["a is named twice"]);
    refused(folder, "merge a ./a --out x", &["./a is named twice"]);
    refused(folder, "merge a --out ./a --force", &["./a is one of the parts"]);
    refused(folder, "merge a d --out x", &["d does not belong to a", "games.csv"]);
    refused(folder, "merge a nowhere --out x", &["nowhere holds no manifest"]);
    refused(folder, "merge a --out a", &["a is one of the parts"]);
    assert!(!folder.join("x").exists());
    refused(folder, &format!("{line} e -n 90 --shard 4/3"), &["no part 4 of 3"]);
    refused(folder, &format!("{line} e -n 2 --shard 1/3"), &["--shard"]);
    refused(folder, &format!("{line} e -n 2 --resume --force"), &["--force"]);
    refused(folder, &format!("{line} a -n 90 --shard 2/3"), &["its shard differs"]);
    assert!(!folder.join("e").exists());

    // A run that was ended early is neither overwritten nor gone on with under other conditions.
    let mut child = sim(folder, &format!("{line} f -n 1e15 --games")).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1300));
    child.kill().unwrap();
    child.wait().unwrap();
    let before = manifest(&folder.join("f"));
    refused(folder, &format!("{line} f -n 1e15 --games"), &["unfinished", "--resume", "--force"]);
    refused(folder, &format!("{line} f -n 1e15 --resume"), &["games.csv"]);
    refused(folder, &format!("{line} f -n 1e15 --games --resume --transcripts t"), &["transcripts"]);
    refused(folder, &format!("{line} f -n 1e14 --games --resume"), &["number of games differs"]);
    assert_eq!(manifest(&folder.join("f")), before);
    fs::write(folder.join("f/games.csv"), "index\n").unwrap();
    refused(folder, &format!("{line} f -n 1e15 --games --resume"), &["games.csv", "fewer bytes"]);
}
