//! What another run has written in the meantime, or a kill has left, is neither overwritten nor lost.

use crate::common::{at_once, call, error, ok, sim};
use crate::durable::{manifest, refused, summed};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const KIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/python/bot.py");

/// A player that says that it was started, and becomes the kit once it may, or after a while.
const SLOW: &str = "
import os, sys, time
open('begun', 'w').close()
until = time.time() + 100
while not os.path.exists('go') and time.time() < until:
    time.sleep(0.02)
os.execv(sys.executable, [sys.executable, sys.argv[1]])
";

/// Waits for a file that this process makes.
fn wait_for(path: &Path, child: &mut Child) {
    for _ in 0..10_000 {
        if path.exists() {
            return;
        }
        assert_eq!(child.try_wait().unwrap(), None, "it has ended without {}", path.display());
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    panic!("{} was not made", path.display());
}

/// What a folder holds.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// A run whose players take long to get ready finds that another was quicker, and leaves what that one wrote as it is: whether its
/// folder was not there, or was empty, or was to be gone on with before it was removed.
#[test]
fn who_comes_late_overwrites_nothing() {
    at_once(["absent", "empty", "begun"], |was| {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let out = folder.join("out");
        let agent = format!("exec:command=python3 slow.py '{KIT}',start_timeout=100");
        let late = |more: &str| {
            let mut late = sim(folder, &format!("run --game dungeon -n 20 --quiet --games --out {more}"));
            late.args(["--agent", &agent]).stderr(Stdio::piped());
            late
        };
        fs::write(folder.join("slow.py"), SLOW).unwrap();
        if was == "empty" {
            fs::create_dir(&out).unwrap();
        } else if was == "begun" {
            // Its first half, as if it had been joined from parts.
            fs::write(folder.join("go"), "").unwrap();
            assert!(late("part --shard 1/2").output().unwrap().status.success());
            ok(folder, "merge part --out out --quiet");
            fs::remove_file(folder.join("go")).unwrap();
            fs::remove_file(folder.join("begun")).unwrap();
        }
        let resume = if was == "begun" { " --resume" } else { "" };
        let mut late = late(&format!("out{resume}")).spawn().unwrap();
        wait_for(&folder.join("begun"), &mut late);
        if was != "absent" {
            fs::remove_dir_all(&out).unwrap();
        }
        ok(folder, "run --game verslun --agent random -n 100 --games --quiet --out out");
        let before = contents(&out);
        fs::write(folder.join("go"), "").unwrap();
        let output = late.wait_with_output().unwrap();
        let told = error(&output);
        assert_eq!(output.status.code(), Some(75), "{was}: {told}");
        assert!(told.contains("out has changed in the meantime"), "{was}: {told}");
        assert!(contents(&out) == before, "{was}: what the other wrote has changed");
    });
}

/// A cell of a study that another process has done since is not done again.
#[test]
fn a_cell_that_another_has_done_stays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("slow.py"), SLOW).unwrap();
    let slow = format!("python3 slow.py '{KIT}'");
    let slow = format!(
        "{{ agent = \"exec\", label = \"slow\", options = {{ command = \"{slow}\", start_timeout = 100 }} }}"
    );
    let cell = |agent: &str| {
        format!("[[cells]]\ncommand = \"run\"\ngame = \"dungeon\"\nn = 20\nagents = [{agent}]\n")
    };
    let study = format!("summary = \"\"\nseed = 1\n{}{}", cell(&slow), cell("\"random\""));
    fs::write(folder.join("s.toml"), study).unwrap();
    let mut study = sim(folder, "experiment s.toml --out o --quiet").stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&folder.join("begun"), &mut study);
    ok(folder, "run --game dungeon --agent random -n 20 --seed 1 --out o/dungeon-random --quiet");
    let before = contents(&folder.join("o/dungeon-random"));
    fs::write(folder.join("go"), "").unwrap();
    let output = study.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", error(&output));
    assert!(contents(&folder.join("o/dungeon-random")) == before, "it was done again");
    assert!(fs::read_to_string(folder.join("o/cells.csv")).unwrap().contains("dungeon-random"));
}

/// A run whose folder was removed does not write into one that took its place.
#[test]
fn a_folder_in_the_place_of_another_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent mcts:iterations=500 -n 3000 --quiet --out out";
    let mut first = sim(folder, line).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&folder.join("out/manifest.json"), &mut first);
    fs::remove_dir_all(folder.join("out")).unwrap();
    ok(folder, "run --game verslun --agent random -n 100 --quiet --out out");
    let output = first.wait_with_output().unwrap();
    let told = error(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("out: it was removed or replaced in the meantime"), "{told}");
    assert!(!told.contains("--resume"), "nothing was kept: {told}");
    assert_eq!(manifest(&folder.join("out"))["request"]["game"], "verslun");
    assert!(fs::read_to_string(folder.join("out/summary.csv")).unwrap().contains("verslun"));
}

/// A file of rows that is removed while a run goes on is missed at once, not when the results are read.
#[test]
fn a_file_that_is_removed_is_missed() {
    at_once(["out/games.csv", "t.jsonl"], |name| {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let line = "run --game dungeon --agent mcts:iterations=500 -n 3000 --games --quiet --out out --transcripts t.jsonl";
        let mut run = sim(folder, line).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(&folder.join("out/manifest.json"), &mut run);
        // Files of rows are made after it.
        wait_for(&folder.join(name), &mut run);
        fs::remove_file(folder.join(name)).unwrap();
        let output = run.wait_with_output().unwrap();
        let told = error(&output);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains(&format!("{name}: it was removed or replaced in the meantime")), "{told}");
        assert!(!told.contains("--resume"), "it cannot be gone on with: {told}");
        assert_eq!(manifest(&folder.join("out"))["partial"], true);
    });
}

/// Only transcripts of its own games are cut off where a run goes on that has written none yet.
#[test]
fn transcripts_of_another_run_stay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The first five games are those of the other part.
    let part = "run --game dungeon --agent random -n 30 --seed 4 --shard 2/2 --transcript-limit 5 --transcripts t.jsonl --quiet --out part";
    ok(folder, part);
    assert_eq!(fs::read(folder.join("t.jsonl")).unwrap(), b"");
    ok(folder, "run --game dungeon --agent greedy -n 30 --seed 4 --transcripts g.jsonl --quiet --out g");
    let others = [b"precious\n".to_vec(), fs::read(folder.join("g.jsonl")).unwrap()];
    for other in &others {
        fs::write(folder.join("t.jsonl"), other).unwrap();
        // Whether all is done or not.
        for is_done in [true, false] {
            let mut told = manifest(&folder.join("part"));
            told["partial"] = (!is_done).into();
            fs::write(folder.join("part/manifest.json"), told.to_string()).unwrap();
            refused(folder, part, &["t.jsonl holds more than its transcripts"]);
            assert!(fs::read(folder.join("t.jsonl")).unwrap() == *other);
        }
    }
}

/// Transcripts may have the name of a table of the run that they replace: they are not taken for it.
#[test]
fn transcripts_in_the_place_of_a_table_stay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent random -n 20 --games --quiet --out o");
    ok(
        folder,
        "run --game dungeon --agent random -n 3 --seed 2 --quiet --out o --force --transcripts o/games.csv",
    );
    assert_eq!(fs::read_to_string(folder.join("o/games.csv")).unwrap().lines().count(), 3);
}

/// A part that was killed in its first moment has no files of rows and no start. It is told as unfinished, and its whole has a start.
#[test]
fn a_part_without_files_joins_as_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let part = |number: u32| {
        let line = "run --game dungeon --agent random -n 30 --games --quiet --out";
        ok(folder, &format!("{line} p/{number} --shard {number}/3"));
    };
    (1..=3).for_each(part);
    let path = folder.join("p/3");
    let mut told = manifest(&path);
    (told["finished"], told["partial"], told["ranges"]) = (0.into(), true.into(), json!([]));
    told["timing"]["started"] = "".into();
    fs::write(path.join("manifest.json"), told.to_string()).unwrap();
    let journal: Value = serde_json::from_slice(&fs::read(path.join("journal.json")).unwrap()).unwrap();
    let none = json!({ "bytes": 0, "sum": "cbf29ce484222325" });
    let begun =
        json!({ "plan": journal["plan"], "ranges": [], "rows": none, "totals": null, "transcripts": none });
    let text = begun.to_string();
    fs::write(path.join("journal.json"), summed(&format!("{},\"sum\":\"\"}}", &text[..text.len() - 1])))
        .unwrap();
    fs::remove_file(path.join("games.csv")).unwrap();
    let joined = call(folder, "merge p --out whole --quiet");
    assert_eq!(joined.status.code(), Some(0), "{}", error(&joined));
    assert!(error(&joined).contains("unfinished: p/3 (0 of 10)"), "{}", error(&joined));
    let is_time = |folder: &Path| manifest(folder)["timing"]["started"].as_str().unwrap().ends_with('Z');
    assert!(is_time(&folder.join("whole")));
    part(3);
    assert!(is_time(&path));
    ok(folder, "merge p --out all --whole --quiet");
}

/// A file that a manifest could not name is refused before anything is solved.
#[test]
#[cfg(target_os = "linux")]
fn deals_have_a_name_that_can_be_written_down() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"d\xff.txt");
    fs::write(folder.path().join(name), "2C 3C\n").unwrap();
    let mut solve = sim(folder.path(), "solve --game dungeon --short-deck --out o");
    let output = solve.arg("--deals").arg(name).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", error(&output));
    assert!(error(&output).contains("deals: d\u{fffd}.txt is not UTF-8"), "{}", error(&output));
    assert!(!folder.path().join("o").exists());
}

/// Games of two builds are never mixed: neither goes on with what another has begun, nor joins its parts.
#[test]
fn what_another_build_made_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for part in 1..=2 {
        ok(
            folder,
            &format!("run --game dungeon --agent random -n 20 --shard {part}/2 --quiet --out p/{part}"),
        );
    }
    let own = manifest(&folder.join("p/2"));
    for (field, other) in [("version", "0.1.9"), ("commit", "0123456789ab")] {
        let mut told = own.clone();
        told[field] = other.into();
        told["partial"] = true.into();
        fs::write(folder.join("p/2/manifest.json"), told.to_string()).unwrap();
        let resumed = "run --game dungeon --agent random -n 20 --shard 2/2 --quiet --out p/2 --resume";
        for line in [resumed, "merge p --out whole"] {
            refused(folder, line, &["was made by knave", other]);
        }
        assert!(!folder.join("whole").exists());
    }
}

/// Rows are joined whole, however many there are.
#[test]
fn many_rows_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random -n 80000 --games --quiet --out";
    ok(folder, &format!("{line} whole"));
    for part in 1..=2 {
        ok(folder, &format!("{line} p/{part} --shard {part}/2"));
    }
    ok(folder, "merge p --whole --out joined --quiet");
    let rows = |out: &str| fs::read(folder.join(out).join("games.csv")).unwrap();
    assert!(rows("p/1").len() > 1 << 20, "the case is gone: {}", rows("p/1").len());
    assert!(rows("joined") == rows("whole"));
}

/// Results have the modes that the user's mask lets files have.
#[cfg(unix)]
#[test]
fn results_are_for_those_whom_the_mask_lets_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent random -n 2 --games --quiet --out o --transcripts o/t.jsonl");
    fs::write(folder.join("own"), "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    for entry in fs::read_dir(folder.join("o")).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), mode(&folder.join("own")), "{}", path.display());
    }
}

/// A second Ctrl-C ends a command at once that the first one has asked to finish what is under way.
#[cfg(unix)]
#[test]
fn a_second_interrupt_stops_at_once() {
    let folder = tempfile::tempdir().unwrap();
    // A deal takes seconds.
    let line =
        "solve --game verslun --rule columns=8 --rule match=suit_or_rank -n 9 --threads 1 --quiet --out o";
    let mut solving = sim(folder.path(), line).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&folder.path().join("o/manifest.json"), &mut solving);
    for _ in 0..2 {
        // Two within half a second count as one, which `timeout` sends twice.
        std::thread::sleep(Duration::from_millis(800));
        assert_eq!(solving.try_wait().unwrap(), None, "it has ended before the second");
        Command::new("kill").args(["-INT", &solving.id().to_string()]).status().unwrap();
    }
    let ended = (0..100).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        solving.try_wait().unwrap()
    });
    let _ = solving.kill();
    assert_eq!(ended.expect("it goes on").code(), Some(130));
}
