//! `sim check-bot`, and what is written about the protocol.

use crate::bots::{KIT, ODD, done, now};
use crate::common::{at_once, error, sim};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The schema that people read is that of this version. `sim list protocol > docs/protocol.schema.json` writes it anew.
#[test]
fn the_schema_is_up_to_date() {
    let output = sim(Path::new("."), "list protocol").output().unwrap();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/protocol.schema.json");
    assert!(output.stdout == fs::read(path).unwrap());
}

/// The check tells what is wrong, and finds nothing wrong with the kit.
#[test]
fn programs_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let check = |program: &str, seconds: u32| {
        let mut command = sim(folder.path(), &format!("check-bot --timeout {seconds}"));
        // What is wrong in one game is wrong in all; scripts/check lets the kits play them all.
        command.args(["--game", "dungeon"]).arg(program).output().unwrap()
    };
    let output = check(&format!("python3 '{KIT}'"), 30);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.lines().all(|line| line.starts_with("ok ")) && text.lines().count() >= 11, "{text}");
    let ways = [
        ("mute", "no answer within 3 s"),
        ("bare-hello", "it ended (exit status: 0); sent"),
        ("bare-hello", r#"got {"protocol": 1, "name": "odd"}, without an end of line"#),
        ("future", r#"sent {"type":"hello","protocol":1,"knave":"#),
        ("future", "it speaks protocol 2: expected 1"),
        ("illegal 25", "illegal"),
        ("malformed 25", "good morning"),
        ("unknown 25", "unknown_id"),
        ("crash 25", "something broke"),
        ("late 25", "no answer within"),
        ("moody", "WRONG  plays the same games of"),
        ("parity", "WRONG  plays the same games of dungeon again"),
        ("stubborn", "it still runs 2 s after quit"),
        ("unhurried", "it still runs 2 s after quit; a run kills it after 0.5 s"),
        ("list-hello", "expected a JSON object"),
        ("list-pong", "expected a JSON object"),
        ("list 25", "expected a JSON object"),
        ("long-hello", "a line of more than a MiB"),
        ("long 25", "a line of more than a MiB"),
        ("sorry", "WRONG  ends when it is told to quit\n       it ended with a failure (exit status: 1)"),
        ("sorry", "something broke in the end"),
    ];
    at_once(ways, |(way, said)| {
        // Who is not to be late has time, though all of them are busy at once.
        let seconds = if said.starts_with("no answer") { 3 } else { 30 };
        let output = check(&format!("python3 '{ODD}' {way}"), seconds);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(3), "{way}: {text}");
        // A screen breaks lines anywhere.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("WRONG") && words(&text).contains(&words(said)), "{way}: {text}");
    });
}

/// What cannot be started is refused as a run refuses it, and nothing is said to be wrong with the program.
#[test]
fn what_cannot_be_started_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    // A script without a first line that names its interpreter.
    fs::copy(KIT, folder.path().join("headless")).unwrap();
    Command::new("chmod").arg("+x").arg(folder.path().join("headless")).status().unwrap();
    for program in ["no-such-program", "./headless"] {
        let refused = sim(folder.path(), &format!("check-bot {program}")).output().unwrap();
        let text = error(&refused);
        assert_eq!((refused.status.code(), &refused.stdout[..]), (Some(2), &b""[..]), "{program}: {text}");
        assert!(text.starts_with(&format!("error: check-bot: command={program} is refused: ")), "{text}");
    }
}

/// The lines of a short game in the documentation are those that are sent: a program that gives the answers there is told the rest.
#[test]
fn the_documented_game_is_played() {
    const ANSWERS: &str = "
import sys
sent, answers = open(sys.argv[1], 'w'), open(sys.argv[2])
for line in sys.stdin:
    print(line, end='', file=sent, flush=True)
    if '\"hello\"' in line or '\"choose\"' in line:
        print(next(answers), end='', flush=True)
";
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/protocol.md")).unwrap();
    let (_, rest) = page.split_once("The lines of a short game").unwrap();
    let (call, rest) = rest.split_once("```json\n").unwrap();
    let (lines, _) = rest.split_once("```").unwrap();
    let (answers, sent): (Vec<&str>, Vec<&str>) = lines.lines().partition(|line| line.starts_with(' '));
    let call = call.split('`').find_map(|code| code.strip_prefix("sim ")).unwrap();
    fs::write(folder.join("bot.py"), ANSWERS).unwrap();
    fs::write(folder.join("answers"), answers.join("\n") + "\n").unwrap();
    let agents = ["exec:command=python3 bot.py sent answers", "random", "random", "random"];
    done(folder, &format!("{call} --quiet --out o"), &agents);
    let told = fs::read_to_string(folder.join("sent")).unwrap();
    let told = told.replace(env!("CARGO_PKG_VERSION"), "0.2.0");
    assert_eq!(told.lines().collect::<Vec<_>>(), sent);
}

/// Who interrupts it while a program thinks is not kept waiting, and finds nothing left behind.
#[test]
fn a_check_can_be_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = sim(folder.path(), "check-bot --timeout 30 --game dungeon");
    command.arg(format!("python3 '{ODD}' late 25")).env("TMPDIR", folder.path()).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    while files() == 0 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!((child.wait().unwrap().code(), files()), (Some(130), 0));
}

/// Before the games, too, and what is broken off is not told as wrong.
#[test]
fn a_talk_can_be_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    at_once([("INT", 130), ("TERM", 143)], |(signal, code)| {
        let mut command = sim(folder.path(), "check-bot --timeout 60 --game dungeon");
        command.arg(format!("sh -c 'touch {signal}; exec sleep 60'"));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let start = now();
        while !folder.path().join(signal).exists() {
            assert!(start.elapsed() < Duration::from_secs(60), "it was not started");
            std::thread::sleep(Duration::from_millis(20));
        }
        let start = now();
        Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stdout), (Some(code), Vec::new()), "{signal}");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    });
}
