//! `sim bound` from outside.

use crate::common::{call, documented, error, ok};
use std::fs;
use std::path::Path;

/// The table is documented, the same to the byte on any number of threads and in parts that are joined, and says what it
/// should: a fair player below the bound, the bound not above what is possible.
#[test]
fn bounds_are_documented_and_reproducible() {
    let folder = tempfile::tempdir().unwrap();
    let documentation =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("results/README.md")).unwrap();
    // A short deck: nobody wins some of its orders, and others only who knows them.
    let dungeon = "-n 4 --rule health=6 --cards 4-JC,5-9S,2-7D,2-7H";
    for (game, plan) in [("verslun", "-n 2"), ("dungeon", dungeon)] {
        let bound = format!("bound --game {game} {plan} --seed 7 --quiet");
        for threads in [1, 3] {
            ok(folder.path(), &format!("{bound} --threads {threads} --out {game}{threads}"));
        }
        for part in ["1/2", "2/2"] {
            ok(folder.path(), &format!("{bound} --shard {part} --out {game}{}", &part[..1].repeat(2)));
        }
        ok(folder.path(), &format!("merge {game}11 {game}22 --quiet --out {game}0"));
        let read = |threads: u8| fs::read_to_string(folder.path().join(format!("{game}{threads}/bound.csv")));
        let table = read(1).unwrap();
        assert_eq!(table, read(3).unwrap());
        assert_eq!(table, read(0).unwrap(), "joined parts differ from the whole");
        let columns = "game,quantity,measure,agent,deals,mean,low,high,sd";
        documented(&folder.path().join(format!("{game}1")), "bound.csv", columns, &documentation);
        let mean = |measure: &str| -> f64 {
            let row = table.lines().find(|line| line.split(',').nth(2) == Some(measure)).unwrap();
            row.split(',').nth(5).unwrap().parse().unwrap()
        };
        assert!(mean("fair") < mean("bound"), "{table}");
        assert!((mean("gap") - (mean("bound") - mean("fair"))).abs() < 1e-6, "{table}");
        assert!(mean("bound") <= mean("clairvoyant") + 1e-9 || game == "dungeon", "{table}");
    }
}

/// What people read names the bound and whose knowledge it uses; the folder has the usual name.
#[test]
fn the_summary_names_the_bound() {
    let folder = tempfile::tempdir().unwrap();
    let text = ok(folder.path(), "bound --game verslun -n 3 --seed 7 --agent greedy");
    for part in ["greedy (fair)", "bound - greedy", "clairvoyant", "results/verslun-bound-greedy-n3-seed7"] {
        assert!(text.contains(part), "{text}");
    }
    let shown = ok(folder.path(), "show results/verslun-bound-greedy-n3-seed7");
    assert!(shown.starts_with("Upper bound: verslun, seed 7, 3 of 3 deals"), "{shown}");
}

/// What cannot be bounded is refused before any work, with what would be right.
#[test]
fn bad_bounds_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (line, part) in [
        ("bound --game whist -n 1", "whist has no bounds on fair play; games that have: dungeon, verslun"),
        ("bound --game verslum -n 1", "did you mean 'verslun'?"),
        ("bound --game verslun -n 1 --agent greedi", "did you mean 'greedy'?"),
        ("bound --game dungeon -n 1 --rule avoid_order=shuffled", "avoid_order=shuffled is refused"),
        ("bound --game dungeon", "-n"),
    ] {
        let output = call(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", error(&output));
        assert!(error(&output).contains(part), "{line}: {}", error(&output));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{line} left something behind");
    }
}
