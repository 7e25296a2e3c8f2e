//! Joined tables of studies: what is joined anew, what goes, and what stays.

use crate::common::{call, error, ok};
use crate::experiment::read;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

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
    let reason = "s holds placements.csv with rows of columns-random that are nowhere else";
    assert!(refused.status.code() == Some(2) && error(&refused).contains(reason), "{}", error(&refused));
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

/// A study in the folder of a committed one, whose cells have kept their manifests alone or are gone, would write over their rows.
/// It says so before it does anything. What has tables of its own may go from the joined ones.
#[test]
fn rows_that_are_nowhere_else_stay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let study = |first: &str, rules: &str| {
        let cells = "[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = ['random']\nn = 9\n";
        let text = format!("summary = 's'\nseed = 1\n{first}{cells}rules = [{rules}]\n");
        fs::write(folder.join("s.toml"), text).unwrap();
    };
    let done = |rest: &str| {
        let output = call(folder, &format!("experiment s.toml --out s {rest}"));
        (output.status.code(), error(&output))
    };
    let s = folder.join("s");
    let tables = || ["cells.csv", "summary.csv", "scores.csv", "tally.csv"].map(|name| read(&s, name));
    let commit = || {
        for cell in ["dungeon-random-health-5", "dungeon-random-health-6"] {
            for name in ["summary.csv", "scores.csv", "tally.csv", "journal.json"] {
                let _ = fs::remove_file(s.join(cell).join(name));
            }
        }
    };
    study("", "{ health = 5 }, { health = 6 }");
    assert_eq!(done("--quiet").0, Some(0));
    commit();
    let before = tables();
    let (code, said) = (Some(2), "with rows of dungeon-random-health-6 that are nowhere else");
    // Other rules, and fewer of them, where all that is left is finished.
    for rules in ["{ health = 5 }, { health = 7 }", "{ health = 5 }"] {
        study("", rules);
        for rest in ["--quiet", "--quiet --again"] {
            let refused = done(rest);
            assert!(refused.0 == code && refused.1.contains(said), "{rules} {rest}: {refused:?}");
        }
        let checked = done("--check");
        assert!(checked.0 == Some(3) && checked.1.contains(said), "{checked:?}");
        assert!(tables() == before && !s.join("dungeon-random-health-7").exists());
    }
    assert_eq!(done("--quiet --force"), (Some(0), String::new()));
    assert!(!s.join("dungeon-random-health-5/summary.csv").exists(), "it was done again");
    for (table, all) in tables().iter().zip(&before) {
        let rows = all.split_inclusive('\n').filter(|row| !row.starts_with("dungeon-random-health-6,"));
        assert_eq!(*table, rows.collect::<String>());
    }
    // A table less, of cells that are finished.
    let before = tables();
    study("tables = ['summary.csv', 'tally.csv']\n", "{ health = 5 }");
    let refused = done("--quiet");
    assert!(refused.0 == code && refused.1.contains("s holds scores.csv with rows of"), "{refused:?}");
    assert_eq!(tables(), before);
    assert_eq!(done("--quiet --force").0, Some(0));
    assert!(!s.join("scores.csv").exists() && read(&s, "summary.csv") == before[1]);
    assert_eq!(done("--quiet").0, Some(0));
    // A study that grows goes on, and so does one whose cells have their tables.
    study("", "{ health = 5 }, { health = 6 }");
    assert_eq!(done("--quiet").0, Some(0));
    study("", "{ health = 6 }");
    assert_eq!(done("--quiet").0, Some(0));
    assert_eq!(read(&s, "summary.csv").lines().count(), 2);
    // Also where another cell has kept its manifest alone, and nothing can be joined.
    study("", "{ health = 5 }, { health = 6 }");
    assert_eq!(done("--quiet").0, Some(0));
    fs::remove_file(s.join("dungeon-random-health-5/summary.csv")).unwrap();
    study("", "{ health = 5 }");
    assert_eq!(done("--quiet"), (Some(0), String::new()));
    assert!(!read(&s, "summary.csv").contains("health-6") && !read(&s, "cells.csv").contains("health-6"));
    // Of a table that cannot be read nobody knows what it holds.
    let whole = read(&s, "summary.csv");
    fs::write(s.join("summary.csv"), format!("{whole}<<<<<<< HEAD\n")).unwrap();
    study("", "{ health = 7 }");
    let refused = done("--quiet");
    assert!(refused.0 == code && refused.1.contains("summary.csv in s cannot be read"), "{refused:?}");
    fs::write(s.join("summary.csv"), whole).unwrap();
    // Their folders may be gone.
    study("", "{ health = 5 }, { health = 6 }");
    assert_eq!(done("--quiet").0, Some(0));
    fs::remove_dir_all(s.join("dungeon-random-health-6")).unwrap();
    study("", "{ health = 8 }");
    assert!(done("--quiet").1.contains(said));
}

/// An option of the rules that a committed study sets only now is at its default in the cells that are there: they are finished, and no
/// cell that sets it is.
#[test]
fn cells_before_a_new_option_are_finished() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("experiments")).unwrap();
    let study = |rules: &str| {
        let cells = "[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = ['random']\nn = 9\n";
        let text = format!("summary = 's'\nseed = 1\n{cells}rules = [{rules}]\n");
        fs::write(folder.join("experiments/s.toml"), text).unwrap();
    };
    let s = folder.join("results/s");
    let commit = |cell: &str| {
        for name in ["summary.csv", "scores.csv", "tally.csv", "journal.json"] {
            fs::remove_file(s.join(cell).join(name)).unwrap();
        }
    };
    study("{}");
    ok(folder, "experiment experiments/s.toml --quiet");
    commit("dungeon-random");
    study("{}, { health = 15 }");
    let check = ok(folder, "experiment experiments/s.toml --check");
    assert!(check.contains("  to do again dungeon-random:") && check.contains("  to do     dungeon-random-"));
    assert!(ok(folder, "experiment --list").contains("(1 of 2 cells finished)"));
    // What was played apart under the new option is not what the tables tell of.
    let cell = "dungeon-random-health-15";
    ok(
        folder,
        &format!("run --game dungeon --agent random --rule health=15 -n 9 --out results/s/{cell} --quiet"),
    );
    commit(cell);
    let list = read(&s, "cells.csv");
    let row = list.lines().nth(1).unwrap().to_owned();
    let manifest: Value = serde_json::from_str(&read(&s.join(cell), "manifest.json")).unwrap();
    let timing = &manifest["timing"];
    let [seconds, speed] = ["seconds", "games_per_second"].map(|name| timing[name].as_f64().unwrap());
    let row = row.split(",9,0,").next().unwrap().replace("dungeon-random,", &format!("{cell},"));
    let forged = format!("{list}{row},9,0,{seconds:.3},{speed:.3},{}\n", timing["threads"]);
    fs::write(s.join("cells.csv"), forged).unwrap();
    let check = ok(folder, "experiment experiments/s.toml --check");
    assert!(check.contains(&format!("  to do     {cell}:")), "{check}");
}

/// The refusal of a damaged table says where it is, and what helps.
#[test]
fn a_damaged_table_of_a_cell_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random -n 9 --rule health=10,11 --out x --quiet";
    ok(folder, line);
    let (x, cell) = (folder.join("x"), folder.join("x/health-11"));
    let summary = read(&x, "summary.csv");
    let is_refused = |why: &str| {
        let refused = call(folder, line);
        assert_eq!(refused.status.code(), Some(1));
        for part in [why, "; remove x/health-11, and the same command does"] {
            assert!(error(&refused).contains(part), "{}", error(&refused));
        }
    };
    let table = cell.join("summary.csv");
    fs::remove_file(&table).unwrap();
    fs::create_dir(&table).unwrap();
    is_refused("x/health-11/summary.csv: it is no plain file");
    fs::remove_dir(&table).unwrap();
    fs::write(&table, "a,b\n1\n").unwrap();
    // With its journal it would be made again.
    fs::remove_file(cell.join("journal.json")).unwrap();
    is_refused("x/health-11/summary.csv: CSV error");
    fs::remove_dir_all(cell).unwrap();
    ok(folder, line);
    assert_eq!(read(&x, "summary.csv"), summary);
}

/// Tables of finished runs that were changed are made again from the journal before they are joined, without playing. Intact runs
/// stay as they are.
#[test]
fn changed_tables_are_not_joined() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent rule -n 10 --games --rule health=10..12 --out x";
    ok(folder, line);
    let (x, cell) = (folder.join("x"), folder.join("x/health-11"));
    let tables =
        |of: &Path| ["summary.csv", "scores.csv", "tally.csv", "games.csv"].map(|name| of.join(name));
    let joined = || ["summary.csv", "scores.csv", "tally.csv"].map(|name| read(&x, name));
    let cells = || tables(&cell).map(|path| fs::read(path).unwrap());
    let (right, true_tables) = (joined(), cells());
    let intact = || read(&x, "health-10/manifest.json");
    let before = intact();
    type Change = fn(&str) -> String;
    let changes: [(&str, Change); 4] = [
        ("summary.csv", |text| text.replacen("0.1,", "0.7,", 1)),
        ("scores.csv", |text| text.lines().take(2).map(|line| format!("{line}\n")).collect()),
        ("tally.csv", |text| text.replacen(",1", ",inf", 1)),
        ("games.csv", |text| format!("{text}{}\n", text.lines().last().unwrap_or_default())),
    ];
    for (name, change) in changes {
        let text = read(&cell, name);
        assert_ne!(change(&text), text, "{name}");
        fs::write(cell.join(name), change(&text)).unwrap();
        let done = call(folder, &format!("{line} --resume"));
        let told = error(&done);
        assert_eq!(done.status.code(), Some(0), "{told}");
        assert!(told.contains("1 of 3: health-10, finished before\n2 of 3: health-11\n"), "{told}");
        assert!(joined() == right && cells() == true_tables, "{name}");
        // That of a run which was gone on with, not of one that was played again.
        let manifest: Value = serde_json::from_str(&read(&cell, "manifest.json")).unwrap();
        assert!(manifest["timing"]["worker_seconds"].is_number(), "{manifest}");
        assert_eq!(intact(), before);
    }
    // Rows of games are nowhere else.
    let games = read(&cell, "games.csv").replacen(",0,", ",1,", 1);
    fs::write(cell.join("games.csv"), games).unwrap();
    let refused = call(folder, &format!("{line} --resume"));
    assert_eq!(refused.status.code(), Some(2));
    assert!(error(&refused).contains("x/health-11/games.csv is not as sim wrote it"), "{}", error(&refused));
    ok(folder, &format!("{line} --force"));
    assert!(joined() == right && cells() == true_tables);
    // Tables of another version may be others.
    let manifest = read(&cell, "manifest.json");
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(manifest.contains(&version));
    fs::write(cell.join("manifest.json"), manifest.replace(&version, "\"version\": \"0.0.1\"")).unwrap();
    fs::write(cell.join("tally.csv"), read(&cell, "tally.csv").replace('1', "2")).unwrap();
    let told = error(&call(folder, line));
    assert!(told.contains("2 of 3: health-11, finished before"), "{told}");
}

/// Studies of all kinds join true tables alone, whichever table of a cell was changed.
#[test]
fn changed_tables_of_all_kinds_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let study = r#"summary = "S"
seed = 1
[[cells]]
command = "run"
game = "columns"
agents = ["random"]
n = 4
[[cells]]
command = "compare"
game = "dungeon"
agents = ["random", "rule"]
n = 4
[[cells]]
command = "solve"
game = "dungeon"
n = 2
options = { solutions = true }
[[cells]]
command = "bound"
game = "dungeon"
agents = ["random"]
n = 2
[[cells]]
command = "analyse"
game = "dungeon"
agents = ["random"]
n = 2
options = { worlds = 20 }
"#;
    fs::write(folder.join("s.toml"), study).unwrap();
    ok(folder, "experiment s.toml --out s --quiet");
    let tables = |folder: &Path| {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let is_table = |path: &PathBuf| path.extension().is_some_and(|end| end == "csv");
        // The list of cells says how long they took.
        let tables = paths.filter(|path| is_table(path) && !path.ends_with("cells.csv"));
        tables.map(|path| (fs::read_to_string(&path).unwrap(), path)).collect::<BTreeSet<_>>()
    };
    let joined = tables(&folder.join("s"));
    assert!(joined.len() > 10);
    let cells = fs::read_dir(folder.join("s")).unwrap().map(|entry| entry.unwrap().path());
    let cells: Vec<PathBuf> = cells.filter(|path| path.is_dir()).collect();
    assert_eq!(cells.len(), 5);
    let is_joined = |path: &Path| folder.join("s").join(path.file_name().unwrap()).exists();
    // Every table of every cell in its turn, one of each cell together.
    for turn in 0..6 {
        let mut changed = 0;
        for cell in &cells {
            let tables = tables(cell);
            let mut joined = tables.iter().filter(|(_, path)| is_joined(path));
            if let Some((text, path)) = joined.nth(turn) {
                fs::write(path, format!("{}9\n", text.trim_end())).unwrap();
                changed += 1;
            }
        }
        let check = ok(folder, "experiment s.toml --out s --check");
        assert_eq!(check.matches("\n  begun ").count(), changed, "{check}");
        ok(folder, "experiment s.toml --out s --quiet");
        assert!(tables(&folder.join("s")) == joined, "{turn}");
    }
    // Rows for each deal cannot be made again.
    for name in ["solve-dungeon/solutions.csv", "analyse-dungeon-random/luck.csv"] {
        let path = folder.join("s").join(name);
        let right = fs::read_to_string(&path).unwrap();
        fs::write(&path, right.replacen("\n1,", "\n3,", 1)).unwrap();
        let refused = call(folder, "experiment s.toml --out s --quiet");
        assert_eq!(refused.status.code(), Some(2), "{name}");
        assert!(error(&refused).contains("is not as sim wrote it"), "{}", error(&refused));
        fs::write(&path, right).unwrap();
    }
    ok(folder, "experiment s.toml --out s --quiet");
}
