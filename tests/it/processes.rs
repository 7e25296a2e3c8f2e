//! The processes of players: what they get and may take, and that none of them outlives `sim`.

use crate::bots::{assert_gone, call, copy_of_odd, done, now, odd, processes};
use crate::common::error;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The end of a log that is full.
const MORE_SAID: &str = "\n… (more was said and is not kept)\n";

/// What a program says on standard error is kept up to a limit, and the log says so. A run that goes on adds nothing to it.
#[test]
fn the_log_is_capped() {
    let folder = tempfile::tempdir().unwrap();
    done(
        folder.path(),
        "run --game dungeon -n 40 --quiet --threads 1 --out loud",
        &[&odd("loud", "batch=1")],
    );
    let log = fs::read_to_string(folder.path().join("loud/bots.log")).unwrap();
    assert!(log.len() == 1 << 20 && log.ends_with(MORE_SAID), "{}", log.len());
    let agent = odd(&format!("once 700 {}", folder.path().join("mark").display()), "batch=8");
    let line = "run --game dungeon -n 200 --quiet --threads 1 --out stopped --resume";
    assert_eq!(call(folder.path(), line, &[&agent]).output().unwrap().status.code(), Some(1));
    fs::copy(folder.path().join("loud/bots.log"), folder.path().join("stopped/bots.log")).unwrap();
    done(folder.path(), line, &[&agent]);
    assert!(fs::read_to_string(folder.path().join("stopped/bots.log")).unwrap() == log);
}

/// Of several programs it is said whose words are whose, from whatever thread they come.
#[test]
fn the_log_names_the_speaker() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["One", "Two"].map(|name| odd("environment", &format!("env=PATH {name}=1,batch=4")));
    for (study, threads) in [("run", 1), ("compare", 2)] {
        let line = format!("{study} --game doubles -n 10 --quiet --threads {threads} --out {study}");
        done(folder.path(), &line, &[&one, &two]);
        let log = fs::read_to_string(folder.path().join(study).join("bots.log")).unwrap();
        let (mut speaker, mut heard) = ("", [0; 2]);
        for line in log.lines() {
            if line.starts_with("==> ") {
                speaker = line;
            } else if line.starts_with("['") {
                let is_two = line.contains("'Two'");
                assert!(speaker.contains(if is_two { "Two=1" } else { "One=1" }), "{speaker} {line}");
                heard[usize::from(is_two)] += 1;
            }
        }
        assert!(heard.iter().all(|&lines| lines > 100), "{heard:?} lines test little");
    }
    // One alone needs no name.
    done(folder.path(), "run --game doubles -n 2 --quiet --out alone", &[&one, "random"]);
    let log = fs::read_to_string(folder.path().join("alone/bots.log")).unwrap();
    assert!(log.starts_with("python3 ") && !log.contains("==>"), "{log}");
}

/// Where a run cannot go on, nobody is told that it could; of several runs it is said which one failed.
#[test]
fn what_failed_is_told_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let agent = odd("crash 30", "batch=1");
    let told = |line: &str| error(&call(folder, line, &[&agent]).output().unwrap());
    let whole = told("run --game dungeon -n 50 --threads 1 --quiet --out whole --transcripts t.jsonl");
    assert!(whole.contains("whole holds what was finished, --resume goes on"), "{whole}");
    let piped = told("run --game dungeon -n 50 --threads 1 --quiet --out piped --transcripts /dev/stdout");
    assert!(piped.contains("piped holds what was finished") && !piped.contains("--resume"), "{piped}");
    let swept = told("run --game dungeon --rule health=15..16 -n 50 --threads 1 --quiet --out swept");
    assert!(swept.contains("error: swept/health-15: game "), "{swept}");
}

/// A name in the log is one line that no terminal obeys, and without a version nothing follows it.
#[test]
fn names_are_logged_in_plain_text() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), "run --game dungeon -n 1 --quiet --threads 1 --out o", &[&odd("escaping", "")]);
    let log = fs::read_to_string(folder.path().join("o/bots.log")).unwrap();
    assert!(log.ends_with(": o\\n\\u{1b}[2Jdd\n") && log.lines().count() == 1, "{log:?}");
}

/// Parts that are joined keep what programs said in each, in their order and up to the same limit.
#[test]
fn logs_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let said = |part: &str| fs::read_to_string(folder.join(part).join("bots.log")).unwrap();
    for part in ["1", "2"] {
        let line = format!("run --game dungeon -n 4 --quiet --threads 1 --shard {part}/2 --out {part}");
        done(folder, &line, &[&odd("right", "")]);
        fs::write(folder.join(part).join("bots.log"), format!("part {part}\n")).unwrap();
    }
    done(folder, "merge 2 1 --quiet --out joined", &[]);
    assert_eq!(said("joined"), "part 1\npart 2\n");
    // Joining once more does not double it, and too much is cut off.
    fs::write(folder.join("2/bots.log"), "x".repeat(3 << 20)).unwrap();
    done(folder, "merge 1 2 --quiet --out joined --force", &[]);
    let joined = said("joined");
    assert!(joined.starts_with("part 1\nx") && joined.ends_with(MORE_SAID) && joined.len() == 1 << 20);
    fs::remove_file(folder.join("1/bots.log")).unwrap();
    done(folder, "merge 1 2 --quiet --out joined --force", &[]);
    assert!(said("joined").starts_with('x'));
}

/// A program gets the environment and the folder that were named, and nothing else.
#[test]
fn a_program_gets_what_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("home")).unwrap();
    let agent = odd("environment", "env=PATH LEVEL=3 NONE,dir=home,batch=1");
    // Many games, for what it says last may come too late for the log.
    let mut command = call(folder, "run --game dungeon -n 30 --quiet --out named", &[&agent]);
    command.env("SECRET", "42").output().unwrap();
    let log = fs::read_to_string(folder.join("named/bots.log")).unwrap();
    assert!(log.contains("'LEVEL'") && log.contains("'PATH'") && log.contains("/home"), "{log}");
    assert!(!log.contains("SECRET") && !log.contains("NONE"), "{log}");
}

/// A process that takes more memory than it may ends, which is a fault like others.
#[test]
fn memory_is_limited() {
    let folder = tempfile::tempdir().unwrap();
    let agent = odd("hungry", "memory_mb=500");
    let output =
        call(folder.path(), "run --game dungeon -n 1 --quiet --out hungry", &[&agent]).output().unwrap();
    assert!(error(&output).contains("MemoryError"), "{}", error(&output));
}

/// One that has used up its processor time ends by the signal that says so.
#[test]
fn processor_time_is_limited() {
    let folder = tempfile::tempdir().unwrap();
    let agent = odd("deaf", "cpu_seconds=1");
    let output =
        call(folder.path(), "run --game dungeon -n 1 --quiet --out deaf", &[&agent]).output().unwrap();
    assert!(error(&output).contains("SIGXCPU"), "{}", error(&output));
}

/// Bad input is refused before anything starts, and says what would be right.
#[test]
fn bad_programs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plain.py"), "").unwrap();
    for (name, text) in [("lost.py", "#!/no/such/python\n"), ("headless.py", "print()\n")] {
        fs::write(folder.path().join(name), text).unwrap();
        Command::new("chmod").arg("+x").arg(folder.path().join(name)).status().unwrap();
    }
    for (agent, reason) in [
        ("exec", "expected a program, such as: python3 bot.py"),
        ("exec:command=no-such-program-anywhere", "no such program"),
        ("exec:command=./none.py", "no such program"),
        ("exec:command=./plain.py", "this file cannot be executed: allow it with chmod +x"),
        ("exec:command=./lost.py", "cannot start './lost.py': its interpreter is missing"),
        ("exec:command=./headless.py", "a script needs a first line such as #!/usr/bin/env python3"),
        ("exec:command=python3 'x", "a quotation mark is missing"),
        ("exec:command=python3,dir=nowhere", "there is no such folder"),
        ("exec:command=python3,batch=0", "from 1 to 65536"),
        ("exec:command=python3,on_fault=weep", "expected one of stop, forfeit, random"),
        ("exec:command=python3,env==x", "expected names, or NAME=value"),
    ] {
        let output = call(folder.path(), "run --game dungeon -n 1 --out x", &[agent]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{agent}: {}", error(&output));
        assert!(error(&output).contains(reason), "{agent}: {}", error(&output));
    }
    for (way, time, reason) in [
        ("mute", "0.3", "no answer within 0.3 s"),
        ("future", "10", "speaks protocol 2: expected 1"),
        ("list-hello", "10", "expected a JSON object"),
        ("misspelt", "10", "it wants 'View': expected one of view, events"),
        ("nameless", "10", "expected a name"),
        ("long-hello", "10", "a line of more than a MiB"),
    ] {
        let agent = odd(way, &format!("start_timeout={time}"));
        let output =
            call(folder.path(), "run --game dungeon -n 1 --force --out y", &[&agent]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{way}: {}", error(&output));
        assert!(error(&output).contains(reason), "{way}: {}", error(&output));
    }
    for folder in ["x", "y"].map(|name| folder.path().join(name)) {
        assert!(!folder.exists());
    }
}

/// Waits until a program makes this file.
fn await_mark(mark: &Path) {
    let start = now();
    while !mark.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "{} was not made", mark.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn signal(name: &str, child: &Child) {
    Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
}

/// Ctrl-C ends a run at once though the program never answers, or answers to no question, and what is finished is kept.
#[test]
fn an_interrupt_does_not_wait_for_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (way, options) in [("late", "batch=1"), ("drip", "batch=1,on_fault=random")] {
        let mark = folder.join(format!("{way}-mark"));
        let agent = odd(&format!("{way} 2000 '{}'", mark.display()), options);
        let line = format!("run --game dungeon -n 1000 --threads 1 --quiet --out {way}");
        let mut child = call(folder, &line, &[&agent]).stderr(Stdio::null()).spawn().unwrap();
        await_mark(&mark);
        let start = now();
        signal("-INT", &child);
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(130), "{way}");
        assert!(start.elapsed() < Duration::from_secs(3), "{way}: {:?}", start.elapsed());
        let manifest = fs::read(folder.join(way).join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
        let finished = manifest["finished"].as_u64().unwrap();
        assert!(finished > 0 && manifest["partial"] == true, "{manifest}");
        let table = fs::read_to_string(folder.join(way).join("summary.csv")).unwrap();
        assert!(table.lines().nth(1).unwrap().contains(&format!(",0,{finished},")), "{table}");
    }
}

/// A slow program with a small batch loses little, though another one sits at the table or plays the same deals.
#[test]
fn the_smallest_batch_counts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for line in ["run --game doubles", "compare --game dungeon"] {
        let out = &line[..3];
        let mark = folder.join(format!("{out}-mark"));
        let agent = odd(&format!("late 100 '{}'", mark.display()), "batch=1");
        let line = format!("{line} -n 1000 --threads 1 --quiet --out {out}");
        let mut child =
            call(folder, &line, &[&agent, &odd("right", "")]).stderr(Stdio::null()).spawn().unwrap();
        await_mark(&mark);
        signal("-INT", &child);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{line}");
        let manifest = fs::read(folder.join(out).join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
        assert!(manifest["finished"].as_u64().unwrap() > 0, "{manifest}");
    }
}

/// Who suspends `sim` does not make an answer late that came meanwhile.
#[test]
fn nothing_is_late_while_sim_stands_still() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let agent = odd(&format!("thinks 30 '{}'", mark.display()), "batch=1,timeout=2");
    let line = "run --game dungeon -n 10 --threads 1 --quiet --out suspended";
    let child = call(folder.path(), line, &[&agent]).stderr(Stdio::piped()).spawn().unwrap();
    await_mark(&mark);
    signal("-STOP", &child);
    std::thread::sleep(Duration::from_millis(2500));
    signal("-CONT", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", error(&output));
}

/// Ctrl-C while a program begins takes nothing away, and leaves no empty tables.
#[test]
fn an_interrupt_before_the_first_game_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    done(folder, "run --game dungeon -n 10 --quiet --out o", &["rule"]);
    let table = || fs::read(folder.join("o/summary.csv")).unwrap();
    let before = table();
    fs::write(folder.join("begins.sh"), "touch begun\nexec sleep 60\n").unwrap();
    for out in ["o --force", "new", "new --estimate"] {
        let line = format!("run --game dungeon -n 10 --out {out}");
        let mut command = call(folder, &line, &["exec:command=sh begins.sh"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        await_mark(&folder.join("begun"));
        signal("-INT", &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{out}: {}", error(&output));
        assert!(!error(&output).contains("holds what was finished"), "{out}: {}", error(&output));
        fs::remove_file(folder.join("begun")).unwrap();
    }
    assert_eq!(table(), before);
    assert!(!folder.join("new").exists());
}

/// Whatever ends `sim`, no program and nothing that a program has started goes on.
#[test]
fn nothing_outlives_sim() {
    let folder = tempfile::tempdir().unwrap();
    let own = copy_of_odd(folder.path());
    let own = own.display();
    for (i, way) in
        ["right", "late 5", "deaf 5", "children 3", "stubborn"].iter().cycle().take(15).enumerate()
    {
        let agent = format!("exec:command=python3 '{own}' {way},batch=4");
        let line = format!("run --game dungeon -n 100000 --threads 2 --quiet --out killed{i}");
        let mut child = call(folder.path(), &line, &[&agent]).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60 * i as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_gone(&own.to_string());
    }
    // In an orderly end, too.
    for way in ["right", "stubborn", "children 2", "apart"] {
        let agent = format!("exec:command=python3 '{own}' {way}");
        done(folder.path(), "run --game dungeon -n 3 --quiet --force --out ended", &[&agent]);
        assert!(processes(&own.to_string()).is_empty(), "{way}");
    }
    assert!(processes("sleep 600424242").is_empty());
}
