//! The command from outside: outputs, exit codes, messages.

use crate::common::{at_once, call, documented, error, interrupted, ok, sim};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const BASE: &str = "run --game dungeon --agent random --quiet";

/// Reproducibility: the number of threads changes no byte of any table.
#[test]
fn threads_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    for threads in [1, 2, 3] {
        let out = format!("-n 20000 --seed 5 --threads {threads} --out t{threads} --games");
        ok(folder.path(), &format!("{BASE} {out} --transcripts t{threads}.jsonl --transcript-limit 3000"));
    }
    for name in ["/summary.csv", "/scores.csv", "/tally.csv", "/games.csv", ".jsonl"] {
        let read = |threads| fs::read(folder.path().join(format!("t{threads}{name}"))).unwrap();
        assert!(!read(1).is_empty());
        assert!(read(1) == read(2) && read(1) == read(3), "{name} depends on the number of threads");
    }
}

/// The columns that readers rely on, and that each of them is documented.
#[test]
fn columns_are_exact_and_documented() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), &format!("{BASE} -n 50 --out o --games"));
    let documentation =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("results/README.md")).unwrap();
    let expected = [
        (
            "summary.csv",
            "game,agent,seat,games,wins,win_rate,win_low,win_high,score_mean,score_low,score_high,score_sd,\
             score_min,score_q05,score_q25,score_median,score_q75,score_q95,score_max,moves_mean,score_se",
        ),
        ("scores.csv", "game,agent,seat,score,games"),
        ("tally.csv", "game,agent,seat,measure,key,count"),
        ("games.csv", "index,seat,agent,score,won,end,moves"),
    ];
    for (name, columns) in expected {
        documented(&folder.path().join("o"), name, columns, &documentation);
    }
    let manifest = fs::read_to_string(folder.path().join("o/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    for field in manifest.as_object().unwrap().keys() {
        assert!(documentation.contains(&format!("`{field}`")), "{field} of the manifest is not documented");
    }
    assert_eq!(manifest["partial"], false);
    assert_eq!(manifest["ranges"], serde_json::json!([[0, 50]]));
}

/// A game's own tables: exact and documented columns, a row an agent whatever its seats, listed in the manifest, the same on any
/// number of threads, and removed by a run that does not write them.
#[test]
fn a_game_writes_its_own_tables() {
    let folder = tempfile::tempdir().unwrap();
    let run = "run --game columns --quiet --force --agent random";
    for (threads, agents) in [(1, ""), (3, ""), (2, " --agent greedy")] {
        let out = format!("t{threads}");
        ok(folder.path(), &format!("{run}{agents} -n {} --threads {threads} --out {out}", 200));
    }
    let read = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap();
    let table = read("t1/placements.csv");
    assert_eq!(table, read("t3/placements.csv"));
    let columns = "game,agent,rounds_bucket,die,own_length,opp_length,own_state,opp_state,offered,placed,share,win_rate";
    assert_eq!(table.lines().next(), Some(columns));
    assert!(table.lines().skip(1).all(|line| line.starts_with("columns,random,")));
    let documentation =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("results/README.md")).unwrap();
    let section = documentation.split("\n## ").find(|section| section.starts_with("placements.csv")).unwrap();
    assert!(columns.split(',').all(|column| section.contains(&format!("`{column}`"))));
    // No row of one agent comes twice, and each agent has its own.
    let two = read("t2/placements.csv");
    let keys = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split(',').take(8).collect::<Vec<_>>().join(",")).collect()
    };
    let mut sorted = keys(&two);
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), keys(&two).len());
    assert!(["random", "greedy"].iter().all(|agent| two.contains(&format!("columns,{agent},"))));
    let files = |folder: &str| -> serde_json::Value {
        serde_json::from_str::<serde_json::Value>(&read(&format!("{folder}/manifest.json"))).unwrap()["files"]
            .clone()
    };
    assert!(files("t1").as_array().unwrap().contains(&"placements.csv".into()));
    let clash = format!("{run} -n 1 --out t1 --transcripts t1/placements.csv");
    assert!(error(&call(folder.path(), &clash)).contains("cannot take the transcripts"));
    ok(folder.path(), &format!("{BASE} -n 10 --out t1 --force"));
    assert!(!folder.path().join("t1/placements.csv").exists(), "a table of another game stayed");
    assert!(!files("t1").as_array().unwrap().contains(&"placements.csv".into()));
}

/// Everything wrong is refused before any game, with one clear message and nothing left behind.
#[test]
fn bad_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.toml"), "agent = 3").unwrap();
    let table = [
        ("run --game dungeom --agent random -n 1", "did you mean 'dungeon'?"),
        ("run --game dungeon --agent randon -n 1", "did you mean 'random'?"),
        ("run --game dungeon --agent random:depth=3 -n 1", "has no option 'depth'"),
        ("run --game dungeon --agent random: -n 1 --agent random", "2 agents were given for 1 seat"),
        ("run --game dungeon --agent bad.toml -n 1", "preset bad.toml"),
        ("run --game dungeon --agent none.toml -n 1", "preset none.toml"),
        ("run --game dungeon --agent random -n 1 --rule helth=3", "did you mean 'health'?"),
        ("run --game dungeon --agent random -n 1 --rule health=0", "health=0 is refused"),
        ("run --game doubles --agent random -n 1 --rule players=8", "expected a whole number from 2 to 7"),
        ("run --game doubles --agent random -n 1 --rule teams=[0,1,0]", "list 2, one for each, or []"),
        ("run --game dungeon --agent random -n 1 --rule health", "is not of the form name=value"),
        ("run --game dungeon --agent random -n 1 --rule health=3 --rule health=4", "given twice"),
        ("run --game dungeon --agent random -n 1 --rule weapon_limit=blow", "did you mean 'below'?"),
        ("run --game columns --agent random -n 1 --rule max_rounds=0", "max_rounds=0 is refused"),
        ("run --game columns --agent random -n 1 --rule finish=exactly", "did you mean 'exact'?"),
        (
            "run --game columns --agent random --agent rule --agent rule -n 1",
            "3 agents were given for 2 seats",
        ),
        ("run --game whist --agent mcts:solver_hidden=1 -n 1", "solver_hidden=1 is refused"),
        ("run --game dungeon --agent mcts:solver_hidden=4 -n 1", "expected a whole number from 0 to 3"),
        ("run --game whist --agent mcts:leaf_hidden=1 -n 1", "leaf_hidden=1 is refused"),
        ("run --game whist --agent mcts:late_hidden=9 -n 1", "this game does not count its hidden cards"),
        ("run --game whist --agent mcts:late_iterations=9 -n 1", "this game does not count its hidden cards"),
        ("run --game dungeon --agent random -n 0", "expected a whole number from 1"),
        ("run --game dungeon --agent random -n ten", "expected a whole number"),
        ("run --game dungeon --agent random -n 1 --threads 0", "--threads"),
        ("run --game dungeon --agent random -n 1 --transcript-limit 3", "--transcripts"),
        ("run --game dungeon --agent random -n 1 --out /dev/null/x", "/dev/null"),
        ("run --game dungeon --agent random -n 1 --out bad.toml", "bad.toml"),
        ("run --game dungeon --agent random -n 1 --transcripts bad.toml", "exists already"),
        ("run --game dungeon --agent random -n 1 --transcripts no/such/file", "cannot write no/such/file"),
        ("run --game dungeon -n 1", "--agent"),
        ("list agents --game chess", "unknown game 'chess'"),
        ("replay nothing.jsonl", "cannot read nothing.jsonl"),
        ("replay bad.toml", "line 1: not a transcript"),
    ];
    for (line, part) in table {
        let output = call(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", error(&output));
        assert!(error(&output).contains(part), "{line}: {}", error(&output));
        assert!(!error(&output).contains("panicked"), "{line}");
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["bad.toml"], "{line} left something behind");
    }
}

/// A folder is replaced by the same plan only, unless that is asked for.
#[test]
fn other_results_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), &format!("{BASE} -n 10 --out o --games --transcripts t.jsonl"));
    ok(folder.path(), &format!("{BASE} -n 10 --out o --transcripts t.jsonl --force"));
    assert!(!folder.path().join("o/games.csv").exists(), "a table of the replaced run stayed");
    let refused = call(folder.path(), &format!("{BASE} -n 11 --out o"));
    assert_eq!(refused.status.code(), Some(2));
    assert!(error(&refused).contains("number of games"), "{}", error(&refused));
    fs::write(folder.path().join("o/note.txt"), "mine").unwrap();
    ok(folder.path(), &format!("{BASE} -n 11 --out o --force"));
    assert_eq!(fs::read_to_string(folder.path().join("o/note.txt")).unwrap(), "mine");
    fs::create_dir(folder.path().join("p")).unwrap();
    fs::write(folder.path().join("p/note.txt"), "mine").unwrap();
    assert_eq!(call(folder.path(), &format!("{BASE} -n 11 --out p")).status.code(), Some(2));
    let table = ok(folder.path(), "run --game dungeon --agent random -n 10 --seed 4");
    assert!(table.contains("results/dungeon-random-n10-seed4"), "{table}");
}

/// The games that the manifest, the summary and the rows of a run of one agent tell of.
fn finished(folder: &Path) -> [u64; 3] {
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let summary = fs::read_to_string(folder.join("summary.csv")).unwrap();
    let place = summary.lines().next().unwrap().split(',').position(|name| name == "games").unwrap();
    let played = summary.lines().nth(1).map_or(0, |row| row.split(',').nth(place).unwrap().parse().unwrap());
    let rows = fs::read_to_string(folder.join("games.csv")).unwrap().lines().count() as u64 - 1;
    [manifest["finished"].as_u64().unwrap(), played, rows]
}

/// A reader who has seen enough is no error. What is kept is all of the same games, and does not stand in the way of another run.
#[test]
fn a_closed_pipe_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let again = "run --game dungeon --agent random -n 120000 --quiet --games --out o";
    let line = format!("{again} --transcripts -");
    let mut child = sim(folder.path(), &line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // So many that something is kept before the end.
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().take(40_000);
    assert!(lines.next().unwrap().unwrap().starts_with("{\"schema\":1,\"game\":\"dungeon\""));
    lines.for_each(drop);
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{message}");
    assert_eq!(message, "");
    let [kept, played, rows] = finished(&folder.path().join("o"));
    assert!(kept < 120_000 && [played, rows] == [kept; 2], "{kept}, {played}, {rows}");
    ok(folder.path(), again);
    assert_eq!(finished(&folder.path().join("o")), [120_000; 3]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = sim(folder.path(), "--help").stdout(writer).output().unwrap();
    assert_eq!((output.status.code(), error(&output)), (Some(0), String::new()));
}

/// A full disk names the file, and says what was written and what was not.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let output = call(folder.path(), &format!("{BASE} -n 5000 --games --out o --transcripts /dev/full"));
    let message = error(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("cannot write /dev/full: No space left"), "{message}");
    let (_, written) = message.split_once("incomplete: /dev/full; written: ").expect(&message);
    assert!(!written.contains("/dev/full"), "{message}");
    let output = call(folder.path(), "exact --game dungeon --cards 2C --export /dev/full");
    assert_eq!(output.status.code(), Some(1), "{}", error(&output));
    assert!(error(&output).contains("cannot write /dev/full: No space left"), "{}", error(&output));
    let manifest = fs::read_to_string(folder.path().join("o/manifest.json")).unwrap();
    assert!(manifest.contains("\"partial\": true"), "{manifest}");
    assert_eq!(finished(&folder.path().join("o")), [0; 3]);
    for (line, locale) in [("--help", "C"), ("run --help", "C.UTF-8"), ("--version", "C.UTF-8")] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = sim(folder.path(), line).env("LC_ALL", locale).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{line}");
        let message = error(&output);
        assert!(message.starts_with("error: cannot write standard output: No space left"), "{message}");
    }
}

/// Ctrl-C leaves the finished games, marked as partial.
#[cfg(unix)]
#[test]
fn an_interrupt_writes_what_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = interrupted(folder.path(), "run --game dungeon --agent random -n 1e15 --out o --quiet");
    let finished = manifest["finished"].as_u64().unwrap();
    let counted: u64 = manifest["ranges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r[1].as_u64().unwrap() - r[0].as_u64().unwrap())
        .sum();
    assert!(finished > 0 && finished == counted);
    let summary = fs::read_to_string(folder.path().join("o/summary.csv")).unwrap();
    assert!(summary.contains(&format!("dungeon,random,0,{finished},")), "{summary}");
}

/// Random play ends when it is asked to, too, where a game has a billion moves.
#[cfg(unix)]
#[test]
fn long_games_of_random_play_are_stopped() {
    const DOUBLES: &str = "--game doubles --agent random -n 2 --rule target=1000000000";
    let folder = tempfile::tempdir().unwrap();
    let columns =
        "run --game columns --agent random -n 1e6 --rule finish=exact --rule max_rounds=4000000000 --quiet";
    let lines = [
        (format!("run {DOUBLES} --quiet"), 75),
        (format!("run {DOUBLES} --estimate"), 143),
        (format!("analyse {DOUBLES} --quiet"), 75),
        (format!("analyse {DOUBLES} --judge random --worlds 20 --out judged --quiet"), 75),
        (columns.to_owned(), 75),
    ];
    at_once(lines, |(line, code)| {
        let mut child = sim(folder.path(), &line).stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(700));
        Command::new("kill").arg(child.id().to_string()).status().unwrap();
        let ended = (0..100).find_map(|_| {
            sleep(Duration::from_millis(100));
            child.try_wait().unwrap()
        });
        // One that goes on would do so for hours.
        let _ = child.kill();
        // On a slow machine the signal may come before it is waited for, and ends the process then.
        assert!(ended.is_some_and(|status| status.code().is_none_or(|got| got == code)), "{line}: {ended:?}");
    });
}

/// Own transcripts agree; a tampered one is refused with its line and event.
#[test]
fn replay_agrees_with_runs_and_finds_tampering() {
    let folder = tempfile::tempdir().unwrap();
    for (file, rule) in [("a", "avoid_order=kept"), ("b", "avoid_order=shuffled")] {
        ok(folder.path(), &format!("{BASE} -n 200 --rule {rule} --out {file} --transcripts {file}.jsonl"));
        assert_eq!(ok(folder.path(), &format!("replay {file}.jsonl")), "200 transcripts agree\n");
    }
    let text = fs::read_to_string(folder.path().join("a.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let tamper = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value: serde_json::Value = serde_json::from_str(lines[2]).unwrap();
        change(&mut value);
        let text = format!("{}\n{}\n{value}\n", lines[0], lines[1]);
        fs::write(folder.path().join("c.jsonl"), text).unwrap();
        let output = call(folder.path(), "replay c.jsonl");
        (output.status.code().unwrap(), error(&output))
    };
    let check = |change: &dyn Fn(&mut serde_json::Value), code: i32, part: &str| {
        let (found, message) = tamper(change);
        assert_eq!(found, code, "{message}");
        assert!(message.contains("line 3: ") && message.contains(part), "{message}");
    };
    check(&|v| v["events"][1]["move"] = "take AS".into(), 3, "event 2: ");
    check(&|v| v["events"][0]["move"] = "dance".into(), 3, "event 1: 'dance' is not a move");
    check(&|v| v["events"][3]["player"] = 1.into(), 3, "event 4: player 1 moves, but player 0 is to move");
    check(&|v| v["events"][0] = serde_json::json!({"roll": [3]}), 3, "event 1: a roll, but player 0");
    check(&|v| drop(v["events"].as_array_mut().unwrap().pop()), 3, "the events end here");
    check(&|v| v["scores"][0] = 7.5.into(), 3, "scores is [7.5] in the transcript");
    check(&|v| v["winners"] = serde_json::json!([0]), 3, "winners is [0]");
    check(&|v| v["end"] = "tired".into(), 3, "end is 'tired'");
    check(&|v| drop(v["deck"].as_array_mut().unwrap().pop()), 2, "is missing");
    check(&|v| v["deck"][0] = v["deck"][1].clone(), 2, "comes twice");
    check(&|v| v["rules"]["health"] = 0.into(), 2, "health=0 is refused");
    check(&|v| v["rules"]["luck"] = 1.into(), 2, "no option 'luck'");
    check(&|v| drop(v["rules"].as_object_mut().unwrap().remove("health")), 2, "option 'health' is missing");
    check(&|v| v["schema"] = 2.into(), 2, "schema 2");
    // Every wrong line of every file is told, whatever stands before it.
    let wrong =
        format!("{}\nbroken\n{}\n{}\n", lines[0], lines[1].replace("\"end\":\"", "\"end\":\"x"), lines[2]);
    fs::write(folder.path().join("d.jsonl"), wrong).unwrap();
    // What breaks off is told by the field around it, and a file with nothing agrees with nothing.
    fs::write(folder.path().join("cut.jsonl"), &lines[0][..40]).unwrap();
    let said = error(&call(folder.path(), "replay cut.jsonl"));
    assert!(said.contains("line 1: not a transcript: rules: EOF while"), "{said}");
    fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    let output = call(folder.path(), "replay empty.jsonl --json");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"agree\": false"));
    let output = call(folder.path(), "replay d.jsonl ./d.jsonl");
    assert!(error(&output).contains("./d.jsonl was named twice"), "{}", error(&output));
    let output = call(folder.path(), "replay d.jsonl a.jsonl --json");
    assert_eq!(output.status.code(), Some(3));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&told["agree"], &told["transcripts"]), (&false.into(), &204.into()));
    let places: Vec<_> = told["wrong"].as_array().unwrap().iter().map(|wrong| &wrong["line"]).collect();
    assert_eq!(places, [2, 3]);
    let said = error(&output);
    for part in
        ["d.jsonl: line 2: not a transcript", "d.jsonl: line 3: end is 'x", "2 of 204 transcripts are wrong"]
    {
        assert!(said.contains(part), "{said}");
    }
}

/// Interchangeable parts of a recorded move may stand in any order; the same words twice, or others, are no such order.
#[test]
fn replay_reads_moves_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), "run --game columns --agent random -n 20 --seed 3 --out o --transcripts a.jsonl");
    let text = fs::read_to_string(folder.path().join("a.jsonl")).unwrap();
    let mut changed = 0;
    let mut backwards = String::new();
    for line in text.lines() {
        let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
        for event in game["events"].as_array_mut().unwrap() {
            let Some(dice) = event["move"].as_str().and_then(|text| text.strip_prefix("place ")) else {
                continue;
            };
            let turned: Vec<&str> = dice.split(' ').rev().collect();
            changed += usize::from(turned.len() > 1);
            event["move"] = format!("place {}", turned.join(" ")).into();
        }
        backwards.push_str(&format!("{game}\n"));
    }
    assert!(changed > 100, "{changed} placements of several dice");
    fs::write(folder.path().join("b.jsonl"), &backwards).unwrap();
    assert_eq!(ok(folder.path(), "replay b.jsonl"), "20 transcripts agree\n");
    fs::write(folder.path().join("c.jsonl"), backwards.replacen("place ", "place  ", 1)).unwrap();
    let output = call(folder.path(), "replay c.jsonl");
    assert_eq!(output.status.code(), Some(3), "{}", error(&output));
}

/// Lines are read in one way by all who read them: with empty ones between, and as editors of other systems leave them.
#[test]
fn lines_are_read_as_they_come() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent random -n 2 --quiet --out r --transcripts t");
    let text = fs::read_to_string(folder.join("t")).unwrap();
    let (first, second) = text.trim_end().split_once('\n').unwrap();
    fs::write(folder.join("odd"), format!("\u{feff}{first}\r\n\r\n {second}\r\n\n \n")).unwrap();
    assert_eq!(ok(folder, "replay odd"), "2 transcripts agree\n");
    let judged = "--judge greedy --worlds 20 --moves 2";
    for name in ["t", "odd"] {
        ok(folder, &format!("analyse {name} {judged} --quiet --out {name}-analysed"));
        ok(folder, &format!("solve --game dungeon --budget 1 --deals {name} --quiet --out {name}-solved"));
    }
    for table in ["analysed/decisions.csv", "solved/values.csv"] {
        let read = |name: &str| fs::read_to_string(folder.join(format!("{name}-{table}"))).unwrap();
        assert_eq!(read("t"), read("odd"), "{table}");
    }
    let hint = |file: &str, line: u32| format!("hint {file} --line {line} --decision 1 {judged}");
    assert_eq!(ok(folder, &hint("t", 2)), ok(folder, &hint("odd", 3)));
    // The line is that of the file, and the place in it is no other line.
    let cut = &second[..second.len() / 2];
    fs::write(folder.join("cut"), format!("{first}\n\n{cut}\n")).unwrap();
    fs::write(folder.join("blob"), [first.as_bytes(), b"\n\xff\n"].concat()).unwrap();
    fs::write(folder.join("blank"), "\n \r\n").unwrap();
    fs::write(folder.join("deck"), "# mine\n{\"deck\":\"2C\"}\n").unwrap();
    fs::write(folder.join("open"), "{\"deck\":\n").unwrap();
    for (line, reason) in [
        ("replay cut", "cut: line 3: not a transcript: "),
        ("analyse cut", "cut: line 3: not a transcript: "),
        ("hint cut --line 3", "cut: line 3: not a transcript: EOF while parsing"),
        ("hint cut --line 2", "cut: line 2 is empty"),
        ("hint cut --line 4", "cut has no line 4: it has 3"),
        ("hint - --line 4", "standard input has no line 4: it has 3"),
        ("hint - --line 3", "standard input: line 3: not a transcript: EOF while parsing"),
        ("replay -", "standard input: line 3: not a transcript: "),
        ("replay blob", "blob: line 2: not UTF-8 text"),
        ("analyse blob", "blob: line 2: not UTF-8 text"),
        ("hint blob --line 2", "blob: line 2: not UTF-8 text"),
        ("solve --game dungeon --deals blob", "line 2: not UTF-8 text"),
        ("replay blank", "blank holds no transcripts"),
        ("analyse blank", "there are no games in blank"),
        (
            "solve --game dungeon --deals deck",
            "deck: line 2: deck: invalid type: string \"2C\", expected a list",
        ),
        ("solve --game dungeon --deals open", "open: line 1: not a JSON object (EOF while parsing a value"),
    ] {
        let input = fs::File::open(folder.join("cut")).unwrap();
        let output = sim(folder, line).stdin(input).output().unwrap();
        let said = error(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(reason) && !said.contains("line 1 column"), "{line}: {said}");
    }
}

#[test]
fn lists_show_every_option() {
    let folder = tempfile::tempdir().unwrap();
    let games = ok(folder.path(), "list games");
    assert!(games.contains("health=20") && games.contains("weapon_limit=at_most"), "{games}");
    assert!(ok(folder.path(), "list agents --game dungeon").contains("random"));
    for lines in
        [&games, &ok(folder.path(), "list agents --game columns"), &ok(folder.path(), "list presets")]
    {
        assert!(lines.lines().all(|line| line.chars().count() <= 80), "{lines}");
    }
    let presets = ok(folder.path(), "list presets --game dungeon");
    assert!(presets.contains("dungeon  greedy:") && !presets.contains("whist"), "{presets}");
}

/// The rules of every game can be learnt from the command, with the options that there are.
#[test]
fn rules_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for game in knave::games::names() {
        let text = ok(folder.path(), &format!("rules {game}"));
        for part in ["\n## Set-up\n", "\n## End\n", "\n## Scoring\n", "\n## Notation\n", "\n## Options\n"] {
            assert!(text.contains(part), "{game}: {part:?} is missing");
        }
        assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 80), "{game}: {text}");
    }
    assert!(error(&call(folder.path(), "rules dungen")).contains("did you mean 'dungeon'?"));
}

/// Several values of rules make a folder for each, joined tables and a chart. The same command finds them finished; a list of teams is
/// one value.
#[test]
fn rules_can_be_swept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent rule -n 60 --seed 6 --rule health=19..21 --rule weapon_limit=at_most,below";
    let shown = ok(folder, line);
    assert!(shown.contains("rule_health") && shown.contains("6 cells"), "{shown}");
    let out = "results/dungeon-rule-n60-seed6-health-19..21-weapon_limit-at_most-below";
    let table = fs::read_to_string(folder.join(out).join("summary.csv")).unwrap();
    assert_eq!(table.lines().count(), 7, "{table}");
    // A cell is the run of its own.
    ok(
        folder,
        "run --game dungeon --agent rule -n 60 --seed 6 --rule health=19 --rule weapon_limit=below --out one --quiet",
    );
    let cell = folder.join(out).join("health-19-weapon_limit-below");
    assert_eq!(
        fs::read(cell.join("summary.csv")).unwrap(),
        fs::read(folder.join("one/summary.csv")).unwrap()
    );
    assert!(error(&call(folder, line)).contains("6 of 6: health-21-weapon_limit-below, finished before"));
    ok(folder, "solve --game dungeon -n 20 --rule health=8,12,16 --out solved --quiet");
    assert!(ok(folder, "report solved --out -").contains("Deals that can be won by health"));
    ok(
        folder,
        "run --game doubles --agent random -n 2 --rule players=4 --rule teams=0,1,0,1 --out teams --quiet",
    );
    assert!(!folder.join("teams/cells.csv").exists());
    // Every table names every option that some cell has, and a score is summed up by its mean.
    let table = fs::read_to_string(folder.join("solved/solvability.csv")).unwrap();
    assert!(table.starts_with("cell,seed,n,rule_health,game"), "{table}");
    let shown = ok(folder, "solve --game verslun -n 3 --rule aces_wild=true,false --out best");
    assert!(shown.contains("mean") && shown.contains("lowest") && !shown.contains("threshold"), "{shown}");
    // What lies in a folder already stays as it is, and values that differ in their sign alone have folders of their own.
    ok(folder, "run --game whist --agent random -n 4 --rule ace=-1,1 --out aces --quiet");
    assert!(folder.join("aces/ace-minus1").is_dir() && folder.join("aces/ace-1").is_dir());
    fs::write(folder.join("one/games.csv"), "mine").unwrap();
    for out in ["one", "solved"] {
        let output =
            call(folder, &format!("run --game dungeon --agent rule -n 5 --rule health=8,16 --out {out}"));
        assert_eq!(output.status.code(), Some(2), "{out}: {}", error(&output));
        assert!(error(&output).contains("which is not of these runs"), "{out}: {}", error(&output));
    }
    assert_eq!(fs::read_to_string(folder.join("one/games.csv")).unwrap(), "mine");
    let more = "run --game whist --agent random -n 4 --rule ace=-1,1 --out aces --quiet --games";
    assert!(error(&call(folder, more)).contains("made without games.csv"));
    ok(folder, &format!("{more} --force"));
    assert!(folder.join("aces/ace-1/games.csv").is_file());
    for (rest, part) in [
        ("--rule health=21..19", "health=21..19 is refused"),
        ("--rule helth=19..21", "did you mean 'health'?"),
        ("--rule health=0..2", "expected a whole number from 1 to 99"),
        ("--rule health=1..2000", "more than 1000 values"),
        ("--rule health=19,20 --transcripts t.jsonl", "--transcripts cannot be used"),
        ("--rule health=19,20 --shard 1/2", "--shard cannot be used"),
    ] {
        let output = call(folder, &format!("run --game dungeon --agent rule -n 5 {rest}"));
        assert!(
            output.status.code() == Some(2) && error(&output).contains(part),
            "{rest}: {}",
            error(&output)
        );
    }
}
