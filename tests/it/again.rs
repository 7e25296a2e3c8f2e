//! Folders that are used again: after a kill, by another way, from another place, with something wrong in them.

use crate::bots::{KIT, call as call_with, done};
use crate::common::{call, error, ok, sim};
use crate::durable::{manifest, refused};
use knave::store::Sum;
use serde_json::json;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Files of deals and of games are known by what stands in them, whatever way leads there.
#[test]
fn paths_of_inputs_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("d"), "2C 3C\n").unwrap();
    ok(folder, "run --game verslun --agent random -n 2 --quiet --out r --transcripts g");
    for (line, file) in [
        ("solve --game dungeon --short-deck --deals", "d"),
        ("analyse --judge rule --worlds 20 --moves 2", "g"),
    ] {
        let asked = |file: &str| format!("{line} {file} --out {file}-o --quiet");
        ok(folder, &asked(file));
        for way in [format!("./{file}"), folder.join(file).display().to_string()] {
            let again = call(folder, &format!("{line} {way} --out {file}-o --resume --quiet"));
            assert_eq!(again.status.code(), Some(0), "{}", error(&again));
            assert!(error(&again).is_empty(), "{}", error(&again));
        }
        fs::write(folder.join(file), fs::read_to_string(folder.join(file)).unwrap() + "\n").unwrap();
        refused(folder, &format!("{} --resume", asked(file)), &["differ"]);
    }
}

/// Parts are joined wherever one of them found the file.
#[test]
fn parts_are_joined_by_any_path_of_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game verslun --agent random -n 4 --quiet --out r --transcripts games");
    let below = folder.join("below");
    fs::create_dir(&below).unwrap();
    let line = "analyse --judge rule --worlds 20 --moves 2 --quiet";
    ok(folder, &format!("{line} games --shard 1/2 --out p1"));
    ok(&below, &format!("{line} ../games --shard 2/2 --out ../p2"));
    for (at, name) in [(folder, "a"), (&*below, "b")] {
        for parts in ["p1 {}p2", "p2 {}p1"] {
            let up = if name == "b" { "../" } else { "" };
            let parts = format!("{up}{}", parts.replace("{}", up));
            ok(at, &format!("merge {parts} --out joined --force --quiet"));
        }
    }
}

/// A program that was changed is another player: no game of the one before counts as one of its own. Parts by one program are joined,
/// whatever became of it.
#[test]
fn a_changed_program_is_another_player() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::copy(KIT, folder.join("bot.py")).unwrap();
    let change =
        || fs::write(folder.join("bot.py"), fs::read_to_string(KIT).unwrap() + "# changed\n").unwrap();
    let agent = ["exec:command=python3 -u bot.py"];
    let line = "run --game dungeon -n 4 --threads 1";
    for whole_or_part in ["--out o", "--out p1 --shard 1/2", "--out p2 --shard 2/2"] {
        done(folder, &format!("{line} {whole_or_part} --quiet"), &agent);
    }
    let again = done(folder, &format!("{line} --out o"), &agent);
    assert!(error(&again).contains("o held all of this already"), "{}", error(&again));
    let program = &manifest(&folder.join("o"))["facts"]["players"][0][0];
    let sum = Sum::of(&fs::read(folder.join("bot.py")).unwrap());
    assert_eq!(*program, json!({ "kind": "program", "name": "bot.py", "fnv1a": sum }));
    change();
    for existing in ["--out o", "--out o --resume"] {
        let output = call_with(folder, &format!("{line} {existing}"), &agent).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", error(&output));
        assert!(error(&output).contains("(its program differs: bot.py)"), "{}", error(&output));
    }
    ok(folder, "merge p1 p2 --out joined --quiet");
    assert_eq!(manifest(&folder.join("joined"))["facts"], manifest(&folder.join("o"))["facts"]);
    done(folder, &format!("{line} --out p2 --shard 2/2 --force --quiet"), &agent);
    refused(folder, "merge p1 p2 --out mixed", &["its program differs: bot.py"]);
    done(folder, &format!("{line} --out o --force --quiet"), &agent);
}

/// Parts by one model are joined when the file has become another model, and the whole tells of the one that played. Parts by two models
/// are not.
#[test]
fn parts_by_a_model_that_has_changed_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let train = |seed: u64| {
        let sizes = "--first 16 --second 8 --batch 10 -n 20 --held-out 1 --quiet";
        ok(folder, &format!("train --game dungeon {sizes} --seed {seed} --out own.model --force"));
    };
    let run = "run --game dungeon --agent greedy:evaluator=own.model -n 4 --quiet";
    let judged =
        "analyse --game dungeon --agent random --judge greedy:evaluator=own.model -n 4 --worlds 20 --quiet";
    train(1);
    for (name, line) in [("r", run), ("a", judged)] {
        for part in ["1", "2"] {
            ok(folder, &format!("{line} --out {name}{part} --shard {part}/2"));
        }
        ok(folder, &format!("{line} --out {name}"));
    }
    train(3);
    for (name, file) in [("r", "summary.csv"), ("a", "decisions.csv")] {
        ok(folder, &format!("merge {name}1 {name}2 --out {name}-joined --quiet"));
        let (joined, whole) = (folder.join(format!("{name}-joined")), folder.join(name));
        assert_eq!(manifest(&joined)["facts"], manifest(&whole)["facts"]);
        assert_eq!(fs::read(joined.join(file)).unwrap(), fs::read(whole.join(file)).unwrap());
    }
    ok(folder, &format!("{run} --out r2 --shard 2/2 --force"));
    refused(folder, "merge r1 r2 --out mixed", &["its models differ"]);
    fs::remove_file(folder.join("own.model")).unwrap();
    refused(
        folder,
        "merge a1 a2 --out gone",
        &["these parts cannot be joined", "own.model", "cannot read it"],
    );
}

/// Which files of a command are the player's: of a program that is no script the first argument that is a file, whatever options
/// stand before it. What a script reads and writes changes nothing.
#[test]
fn files_of_a_command_are_found() {
    let files = |command: &str| -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::copy(KIT, folder.join("bot.py")).unwrap();
        fs::write(folder.join("start"), "#!/bin/sh\nexec python3 bot.py\n").unwrap();
        std::os::unix::fs::symlink("/usr/bin/env", folder.join("env")).unwrap();
        fs::set_permissions(folder.join("start"), PermissionsExt::from_mode(0o755)).unwrap();
        done(folder, "run --game dungeon -n 1 --quiet --out o", &[&format!("exec:command={command}")]);
        let facts = manifest(&folder.join("o"))["facts"].clone();
        let uses = facts["players"][0].as_array().cloned().unwrap_or_default();
        uses.iter().map(|used| used["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(files("python3 -X dev --check-hash-based-pycs default -- bot.py start"), ["bot.py"]);
    assert_eq!(files("./env python3 bot.py"), ["./env", "bot.py"]);
    assert_eq!(files("./start bot.py"), ["./start"]);
    assert_eq!(files("python3 -m bot"), [""; 0]);
}

/// What a kill leaves is not shown with tables of another run, nor with those of fewer games.
#[test]
fn a_kill_leaves_no_older_tables() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random --threads 1 --quiet --out o";
    let killed = |rest: &str| {
        let mut child = sim(folder, &format!("{line} -n 1e12 {rest}")).spawn().unwrap();
        let is_table = |name: &str| name.ends_with(".csv");
        let names = || fs::read_dir(folder.join("o")).unwrap().map(|entry| entry.unwrap().file_name());
        let tables = || names().filter(|name| is_table(&name.to_string_lossy())).count();
        let begun = || manifest(&folder.join("o"))["request"]["n"] == 1_000_000_000_000_u64;
        for waited in 0.. {
            if begun() && tables() == 0 {
                break;
            }
            assert!(waited < 6_000, "the run does not begin");
            std::thread::sleep(Duration::from_millis(5));
        }
        let shown = ["show o", "show o --json", "report o --out o.html"];
        // A run that is under way was not stopped.
        shown.iter().for_each(|line| refused(folder, line, &["the run is under way"]));
        child.kill().unwrap();
        child.wait().unwrap();
        shown.iter().for_each(|line| refused(folder, line, &["--resume"]));
    };
    ok(folder, &format!("{line} -n 50"));
    killed("--force");
    // An interrupt leaves tables of what is finished.
    fs::remove_dir_all(folder.join("o")).unwrap();
    let mut child = sim(folder, &format!("{line} -n 1e12")).stderr(Stdio::null()).spawn().unwrap();
    while !folder.join("o/manifest.json").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(ok(folder, "show o").contains("(partial)"));
    killed("--resume");
    // A finished run keeps its tables.
    ok(folder, &format!("{line} -n 50 --force"));
    ok(folder, &format!("{line} -n 50 --resume"));
    ok(folder, "show o");
}

/// Transcripts outside of the folder are found again from another working directory, if they are what was written.
#[test]
fn transcripts_are_known_from_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let below = folder.join("below");
    fs::create_dir(&below).unwrap();
    let line = "run --game dungeon --agent random -n 50 --quiet";
    ok(folder, &format!("{line} --out o --transcripts t"));
    let written = fs::read(folder.join("t")).unwrap();
    let again = format!("{line} --out ../o --resume");
    // Nothing is left to do, or tables.
    ok(&below, &format!("{again} --transcripts ../t"));
    fs::remove_file(folder.join("o/summary.csv")).unwrap();
    ok(&below, &format!("{again} --transcripts ../t"));
    assert!(folder.join("o/summary.csv").exists() && fs::read(folder.join("t")).unwrap() == written);
    assert_eq!(manifest(&folder.join("o"))["transcripts"], "t");
    fs::copy(folder.join("t"), folder.join("u")).unwrap();
    fs::write(below.join("t"), "mine").unwrap();
    for (transcripts, reason) in [
        (" --transcripts ../u", "its transcripts were written to t, not to ../u (a path"),
        (" --transcripts ./../below/t", "its transcripts were written to t, not to"),
        (" --transcripts t", "t has fewer bytes"),
        ("", "its transcripts were written to t: name it with --transcripts"),
    ] {
        refused(&below, &format!("{again}{transcripts}"), &["cannot be resumed", reason]);
    }
    assert_eq!(fs::read(below.join("t")).unwrap(), b"mine");
    // A longer run of the same games begins with the same lines.
    ok(&below, "run --game dungeon --agent random -n 90 --quiet --out longer --transcripts t --force");
    let longer = fs::read(below.join("t")).unwrap();
    for (file, reason) in
        [("t", "t holds more than its transcripts"), ("./../below/t", "its transcripts were written to t")]
    {
        refused(&below, &format!("{again} --transcripts {file}"), &["cannot be resumed", reason]);
        let without = again.replace(" --resume", "");
        assert_ne!(call(&below, &format!("{without} --transcripts {file}")).status.code(), Some(0));
        assert!(longer.starts_with(&written) && fs::read(below.join("t")).unwrap() == longer, "{file}");
    }
}

/// A manifest that is damaged is not said to be absent.
#[test]
fn a_damaged_manifest_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random -n 50 --quiet --out o";
    ok(folder, line);
    let path = folder.join("o/manifest.json");
    let right = fs::read_to_string(&path).unwrap();
    for (wrong, reason) in [
        (&right[..right.len() / 2], "EOF"),
        ("[]", "this is no manifest"),
        (&right.replacen("\"files\"", "\"piles\"", 1), "missing field `files`"),
    ] {
        fs::write(&path, wrong).unwrap();
        for rest in ["", " --resume"] {
            let damaged = "o holds a manifest.json that is damaged or not one of sim (";
            refused(folder, &format!("{line}{rest}"), &[damaged, reason]);
        }
    }
}

/// A kill in the first moment may leave no more than an empty file for the transcripts in the folder of the run. That is nothing that
/// stands in the way of the same command, nor in the way of a study.
#[test]
fn an_empty_file_of_transcripts_is_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random -n 30 --quiet --out k --transcripts k/t.jsonl";
    for part in ["", " --shard 1/2"] {
        fs::create_dir(folder.join("k")).unwrap();
        fs::write(folder.join("k/t.jsonl"), "").unwrap();
        ok(folder, &format!("{line}{part}"));
        assert!(fs::metadata(folder.join("k/t.jsonl")).unwrap().len() > 0);
        fs::remove_dir_all(folder.join("k")).unwrap();
    }
    fs::write(
        folder.join("s.toml"),
        "summary = 's'\nseed = 1\ntables = ['summary.csv']\n[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = ['random']\n\
         n = 20\noptions = { transcripts = 't.jsonl' }\n",
    )
    .unwrap();
    fs::create_dir_all(folder.join("s/dungeon-random")).unwrap();
    fs::write(folder.join("s/dungeon-random/t.jsonl"), "").unwrap();
    ok(folder, "experiment s.toml --quiet --out s");
    fs::create_dir(folder.join("k")).unwrap();
    for (name, text) in [("t.jsonl", "mine"), ("other.jsonl", "")] {
        fs::write(folder.join("k").join(name), text).unwrap();
        refused(folder, line, &["k is not empty and holds no manifest of a run"]);
        fs::remove_file(folder.join("k").join(name)).unwrap();
    }
}

/// A run that takes the place of another leaves nothing of it, the log of its programs neither.
#[test]
fn nothing_of_a_replaced_run_stays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random --quiet --out r -n";
    ok(folder, &format!("{line} 5"));
    let with_log = fs::read_to_string(folder.join("r/manifest.json"))
        .unwrap()
        .replace("\"tally.csv\"", "\"tally.csv\", \"bots.log\"");
    fs::write(folder.join("r/manifest.json"), with_log).unwrap();
    fs::write(folder.join("r/bots.log"), "said before").unwrap();
    ok(folder, &format!("{line} 6 --force"));
    assert!(!folder.join("r/bots.log").exists());
}

/// What an interrupted study says of going on holds: one that is done anew begins anew each time, and goes on without `--again`.
#[test]
fn an_interrupted_study_says_how_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("s.toml"),
        "summary = 's'\nseed = 1\n[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = ['random']\nn = 1000000000000\n",
    )
    .unwrap();
    let cell = folder.join("s/dungeon-random");
    let stopped = |rest: &str, signal: &str| {
        let line = format!("experiment s.toml --out s{rest}");
        let mut child = sim(folder, &line).stderr(Stdio::piped()).spawn().unwrap();
        let (mut said, mut lines) = (String::new(), BufReader::new(child.stderr.take().unwrap()));
        // The line of the cell: from then on it waits for signals.
        lines.read_line(&mut said).unwrap();
        std::thread::sleep(Duration::from_millis(600));
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        lines.read_to_string(&mut said).unwrap();
        let finished = manifest(&cell)["finished"].as_u64().unwrap();
        (child.wait().unwrap().code(), said, finished)
    };
    let anew = "s/dungeon-random holds what was finished, --again begins anew; without it the same command goes on, and later cells";
    let goes_on = "s/dungeon-random holds what was finished, the same command goes on\n";
    let mut before = 0;
    for (rest, signal, code, told) in [
        (" --again", "-TERM", 75, anew),
        ("", "-INT", 130, goes_on),
        ("", "-TERM", 75, goes_on),
        (" --again", "-INT", 130, anew),
    ] {
        let (ended, said, finished) = stopped(rest, signal);
        assert_eq!(ended, Some(code), "{said}");
        assert!(said.contains(told), "{said}");
        assert!(finished > 0 && (!rest.is_empty() || finished > before), "{before}, {finished}");
        before = finished;
    }
}
