//! Joined tables of studies: what is joined anew, what goes, and what stays.

use crate::common::{call, error, ok};
use crate::experiment::read;
use std::fs;

/// What was joined before and is not joined now would pass for the results of the study; files of others stay.
#[test]
fn tables_of_earlier_joins_go() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |seed: u64, first: &str, games: &str| {
        let text = format!(
            "summary = \"joined\"\nseed = {seed}\n{first}[[cells]]\ncommand = \"run\"\ngame = {games}\nagents = [\"random\"]\nn = 9\n"
        );
        fs::write(folder.join("s.toml"), text).unwrap();
    };
    let study = |seed: u64, first: &str, games: &str| {
        write(seed, first, games);
        ok(folder, "experiment s.toml --out s --quiet --force");
        let all = fs::read_dir(folder.join("s")).unwrap().map(|entry| entry.unwrap().file_name());
        let mut tables: Vec<String> = all.map(|name| name.into_string().unwrap()).collect();
        tables.retain(|name| name.ends_with(".csv"));
        tables.sort();
        tables
    };
    let both = r#"["dungeon", "columns"]"#;
    let all = ["cells.csv", "placements.csv", "scores.csv", "summary.csv", "tally.csv"];
    assert_eq!(study(1, "", both), all);
    let mine = "cell,seed,n,mine\n";
    fs::write(folder.join("s/mine.csv"), mine).unwrap();
    fs::write(folder.join("s/seats.csv"), "a,b\n").unwrap();
    assert_eq!(
        study(2, "tables = [\"summary.csv\"]\n", r#""dungeon""#),
        ["cells.csv", "mine.csv", "seats.csv", "summary.csv"]
    );
    assert_eq!(read(&folder.join("s"), "mine.csv"), mine);
    assert_eq!(study(1, "", both).len(), all.len() + 2);
    // Where a cell has kept its manifest alone, as in a committed study, nothing else holds what was joined.
    for name in ["placements.csv", "scores.csv", "summary.csv", "tally.csv"] {
        fs::remove_file(folder.join("s/columns-random").join(name)).unwrap();
    }
    write(1, "", r#""dungeon""#);
    let refused = call(folder, "experiment s.toml --out s --quiet");
    assert!(
        refused.status.code() == Some(2) && error(&refused).contains("s holds placements.csv, joined from")
    );
    assert!(folder.join("s/placements.csv").exists());
    assert!(!study(1, "", r#""dungeon""#).contains(&"placements.csv".to_owned()));
    // A sweep in the place of another.
    let rules = "--rule health=10,11 -n 5 --out x --quiet --force";
    ok(folder, &format!("compare --game dungeon --agent random --agent greedy {rules}"));
    assert!(folder.join("x/comparison.csv").exists());
    ok(folder, &format!("run --game dungeon --agent random {rules}"));
    assert!(!folder.join("x/comparison.csv").exists() && folder.join("x/scores.csv").exists());
}

/// A sweep goes on after a kill among its joined tables, and writes none that is there already; what another one joined stays.
#[test]
fn joining_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sweep = |rules: &str| {
        let output = call(
            folder,
            &format!("run --game dungeon --agent random -n 9 --rule health={rules} --out x --quiet"),
        );
        (output.status.code(), error(&output))
    };
    assert_eq!(sweep("10,11").0, Some(0));
    let x = folder.join("x");
    let cells = read(&x, "cells.csv");
    let written = || x.join("summary.csv").metadata().unwrap().modified().unwrap();
    let before = written();
    fs::remove_file(x.join("cells.csv")).unwrap();
    fs::write(x.join(".cells.csv.a1B2c3.new"), "half").unwrap();
    assert_eq!(sweep("10,11"), (Some(0), String::new()));
    assert_eq!((read(&x, "cells.csv"), written()), (cells, before));
    fs::remove_file(x.join("cells.csv")).unwrap();
    for cell in ["health-10", "health-11"] {
        fs::remove_dir_all(x.join(cell)).unwrap();
    }
    let (code, said) = sweep("12,13");
    assert!(code == Some(2) && said.contains("which is not of these runs"), "{said}");
}
