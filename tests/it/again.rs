//! Folders that are used again: after a kill, by another way, from another place, with something wrong in them.

use crate::common::{call, error, ok, sim};
use crate::durable::{manifest, refused};
use std::fs;
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

/// What a kill leaves is not shown with tables of another run, nor with those of fewer games.
#[cfg(unix)]
#[test]
fn a_kill_leaves_no_older_tables() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random --threads 1 --quiet --out o";
    let killed = |rest: &str| {
        let mut child = sim(folder, &format!("{line} -n 1e12 {rest}")).spawn().unwrap();
        let begun = || manifest(&folder.join("o"))["request"]["n"] == 1_000_000_000_000_u64;
        for _ in 0..1000 {
            if begun() && !folder.join("o/summary.csv").exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        for shown in ["show o", "show o --json", "report o --out o.html"] {
            refused(folder, shown, &["--resume"]);
        }
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
