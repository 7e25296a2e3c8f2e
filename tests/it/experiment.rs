//! `sim experiment` and `sim show` from outside: cells are done once, joined tables agree with those of the cells, and
//! what is wrong is refused with its place.

use crate::common::{call, error, ok};
use knave::experiment::not_joined;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const STUDY: &str = r#"summary = "a test"
seed = 5

[[cells]]
command = "run"
game = "dungeon"
agents = ["random", "greedy"]
rules = [{}, { health = 15 }]
n = 50

[[cells]]
command = "compare"
game = ["columns", "doubles"]
agents = ["random", "greedy"]
n = 4

[[cells]]
command = "solve"
game = "dungeon"
n = 3
options = { objective = "win" }

[[cells]]
command = "bound"
game = "verslun"
n = 3
"#;

pub fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Every cell is done once, and the joined tables hold all rows of the cells behind the cells' settings, defaults of the rules among them.
#[test]
fn cells_are_done_once_and_joined() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("experiments")).unwrap();
    fs::write(folder.join("experiments/s.toml"), STUDY).unwrap();
    let check = ok(folder, "experiment experiments/s.toml --check");
    assert_eq!(check.matches("to do").count(), 8, "{check}");
    assert!(!folder.join("results").exists());
    ok(folder, "experiment experiments/s.toml --quiet");
    let results = folder.join("results/s");
    let summary = read(&results, "summary.csv");
    let lines: Vec<&str> = summary.lines().collect();
    assert!(lines[0].starts_with("cell,seed,n,rule_health,game,agent,seat,"), "{summary}");
    assert_eq!(lines.len(), 5);
    let cell = read(&results, "dungeon-greedy-health-15/summary.csv");
    let row = cell.lines().nth(1).unwrap();
    assert!(lines.contains(&format!("dungeon-greedy-health-15,5,50,15,{row}").as_str()), "{summary}");
    assert_eq!(read(&results, "comparison.csv").lines().count(), 5);
    let cells = read(&results, "cells.csv");
    assert!(cells.lines().count() == 9 && cells.contains(",bound,verslun,rule,3,0,"), "{cells}");
    let documentation = read(Path::new(env!("CARGO_MANIFEST_DIR")), "results/README.md");
    let section = documentation.split("\n## ").find(|section| section.starts_with("cells.csv")).unwrap();
    for column in cells.lines().next().unwrap().split(',').filter(|column| !column.starts_with("rule_")) {
        assert!(section.contains(&format!("`{column}`")), "{column} of cells.csv is not documented");
    }
    assert!(ok(folder, "experiment --list").contains("s.toml  a test (8 of 8 cells finished)"));

    // The study is shown like its cells, each row with the name of its cell.
    let shown = ok(folder, "show results/s");
    assert!(
        shown.starts_with("Study") && shown.contains("\ncells.csv\n") && shown.contains("\ncell  "),
        "{shown}"
    );
    let row = shown.split("\nsummary.csv\n").nth(1).unwrap().lines().nth(2).unwrap();
    assert!(row.starts_with("dungeon-"), "{shown}");
    assert_eq!(ok(folder, "show results/s --format csv"), cells);
    let json: Value = serde_json::from_str(&ok(folder, "show results/s --format json")).unwrap();
    assert_eq!((json["tables"]["cells"].as_array().unwrap().len(), &json["manifest"]), (8, &json!(null)));

    // A cell that is finished is left alone; one that is gone, or lost its tables, is done again, to the same bytes.
    let keep = results.join("dungeon-random/manifest.json");
    let before = fs::read_to_string(&keep).unwrap();
    fs::remove_dir_all(results.join("dungeon-greedy")).unwrap();
    fs::remove_file(results.join("dungeon-greedy-health-15/tally.csv")).unwrap();
    let output = call(folder, "experiment experiments/s.toml");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(error(&output).matches("finished before").count(), 6, "{}", error(&output));
    assert_eq!(before, fs::read_to_string(&keep).unwrap());
    assert_eq!(summary, read(&results, "summary.csv"));

    // So is one whose tables are of another run than its manifest, as version control may leave them.
    for other in ["-n 20 --seed 5", "-n 50 --seed 6"] {
        ok(folder, &format!("run --game dungeon --agent random {other} --quiet --force --out other"));
        for name in ["journal.json", "summary.csv", "scores.csv", "tally.csv"] {
            fs::copy(folder.join("other").join(name), results.join("dungeon-random").join(name)).unwrap();
        }
        fs::remove_dir_all(results.join("dungeon-greedy")).unwrap();
        let output = call(folder, "experiment experiments/s.toml");
        assert_eq!(error(&output).matches("finished before").count(), 6, "{}", error(&output));
        assert_eq!(summary, read(&results, "summary.csv"), "{other}");
    }
    let again = call(folder, "experiment experiments/s.toml --again");
    assert_eq!((again.status.code(), error(&again).contains("finished before")), (Some(0), false));
    assert_eq!(summary, read(&results, "summary.csv"));

    // A cell that has changed is not done over what its folder holds, unless that is asked for.
    fs::write(folder.join("experiments/s.toml"), STUDY.replace("n = 50", "n = 60")).unwrap();
    let refused = call(folder, "experiment experiments/s.toml --quiet");
    assert_eq!(refused.status.code(), Some(2));
    assert!(error(&refused).contains("does not hold this cell"), "{}", error(&refused));
    assert_eq!(summary, read(&results, "summary.csv"));
    ok(folder, "experiment experiments/s.toml --quiet --force");
    assert!(read(&results, "summary.csv").contains("dungeon-random,5,60,20,dungeon,random,0,60,"));
}

/// Of a committed study only manifests and joined tables are kept. A cell that was done apart gets into these tables, and no
/// other is lost from them.
#[test]
fn cells_that_were_done_apart_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let cell = |game: &str| {
        format!("[[cells]]\ncommand = \"run\"\ngame = \"{game}\"\nagents = [\"random\"]\nn = 50\n\n")
    };
    fs::write(folder.join("s.toml"), "summary = \"S\"\nseed = 1\n".to_owned() + &cell("dungeon")).unwrap();
    ok(folder, "experiment s.toml --quiet");
    let results = folder.join("results/s");
    let tables = |cell: &str| {
        let entries = fs::read_dir(results.join(cell)).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|end| end == "csv")).collect::<Vec<_>>()
    };
    tables("dungeon-random").iter().for_each(|path| fs::remove_file(path).unwrap());
    fs::remove_file(results.join("dungeon-random/journal.json")).unwrap();
    let finished = call(folder, "experiment s.toml");
    assert!(error(&finished).contains("1 of 1: dungeon-random, finished before"), "{}", error(&finished));
    assert!(tables("dungeon-random").is_empty(), "it was done again");

    fs::write(
        folder.join("s.toml"),
        "summary = \"S\"\nseed = 1\n".to_owned() + &cell("dungeon") + &cell("verslun"),
    )
    .unwrap();
    let check = ok(folder, "experiment s.toml --check");
    assert!(
        check.contains("  to do again dungeon-random:") && check.contains("  to do     verslun-random:"),
        "{check}"
    );
    ok(folder, "run --game verslun --agent random -n 50 --seed 1 --quiet --out results/s/verslun-random");
    for command in ["show results/s", "report results/s --out page.html"] {
        let told = error(&call(folder, command));
        for note in ["do not hold what lies in verslun-random: what is newer is joined", "can be removed"] {
            assert!(told.contains(note), "{command}: {told}");
        }
    }
    ok(folder, "experiment s.toml --quiet");
    assert!(error(&call(folder, "show results/s")).is_empty());
    let summary = read(&results, "summary.csv");
    assert_eq!(summary.lines().count(), 3, "{summary}");
    assert!(summary.contains("\nverslun-random,") && summary.contains("\ndungeon-random,"), "{summary}");
}

/// A cell that is asked for transcripts is not finished without them.
#[test]
fn transcripts_are_part_of_a_cell() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let transcripts = folder.join("results/s/dungeon-random/t.jsonl");
    let ask = |options: &str| {
        let cell = "command = \"run\"\ngame = \"dungeon\"\nagents = [\"random\"]\nn = 50\n";
        let text = format!("summary = \"S\"\nseed = 1\n[[cells]]\n{cell}options = {{ {options} }}\n");
        fs::write(folder.join("s.toml"), text).unwrap();
    };
    let lines = || fs::read_to_string(&transcripts).unwrap().lines().count();
    ask("");
    ok(folder, "experiment s.toml --quiet");
    let asked = [
        (5, "it was made without transcripts, which now go to ./t.jsonl"),
        (30, "it was to write 5 transcripts, not 30"),
    ];
    for (limit, reason) in asked {
        ask(&format!("transcripts = \"t.jsonl\", transcript_limit = {limit}"));
        let refused = call(folder, "experiment s.toml --quiet");
        assert_eq!(refused.status.code(), Some(2));
        assert!(error(&refused).contains(reason), "{}", error(&refused));
        ok(folder, "experiment s.toml --quiet --force");
        assert_eq!(lines(), limit);
    }
    // Gone or cut short, finished or begun: they are written again.
    let manifest = folder.join("results/s/dungeon-random/manifest.json");
    let begun = fs::read_to_string(&manifest).unwrap().replace("\"partial\": false", "\"partial\": true");
    fs::remove_file(&transcripts).unwrap();
    ok(folder, "experiment s.toml --quiet");
    assert_eq!(lines(), 30);
    fs::write(&transcripts, "").unwrap();
    ok(folder, "experiment s.toml --quiet");
    assert_eq!(lines(), 30);
    fs::remove_file(&transcripts).unwrap();
    fs::write(&manifest, begun).unwrap();
    ok(folder, "experiment s.toml --quiet");
    assert_eq!(lines(), 30);
    // Of solved deals, too, the first alone.
    let cell = "command = \"solve\"\ngame = \"dungeon\"\nn = 9\n";
    let text = format!(
        "summary = \"S\"\nseed = 1\n[[cells]]\n{cell}options = {{ transcripts = \"t.jsonl\", transcript_limit = 4 }}\n"
    );
    fs::write(folder.join("solved.toml"), text).unwrap();
    ok(folder, "experiment solved.toml --quiet");
    let written = fs::read_to_string(folder.join("results/solved/solve-dungeon/t.jsonl")).unwrap();
    assert_eq!(written.lines().count(), 4);
}

/// What a kill in the first moment of a cell leaves, an empty folder or a file half written, is nothing: the same command goes on.
#[test]
fn studies_go_on_from_a_cell_that_had_hardly_begun() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("s.toml"), STUDY).unwrap();
    ok(folder, "experiment s.toml --quiet --out whole");
    fs::create_dir_all(folder.join("cut/dungeon-random")).unwrap();
    let left_over = folder.join("cut/dungeon-greedy/.manifest.json.aB3dEf.new");
    fs::create_dir_all(left_over.parent().unwrap()).unwrap();
    fs::write(&left_over, "{").unwrap();
    ok(folder, "experiment s.toml --quiet --out cut");
    assert!(!left_over.exists());
    for table in ["summary.csv", "tally.csv", "comparison.csv"] {
        assert_eq!(read(&folder.join("whole"), table), read(&folder.join("cut"), table), "{table}");
    }
    // Somebody's file is no such thing.
    fs::remove_dir_all(folder.join("cut/dungeon-random")).unwrap();
    fs::create_dir(folder.join("cut/dungeon-random")).unwrap();
    fs::write(folder.join("cut/dungeon-random/diary.txt"), "dear").unwrap();
    let refused = call(folder, "experiment s.toml --quiet --out cut");
    assert!(error(&refused).contains("dungeon-random does not hold this cell"), "{}", error(&refused));
}

/// A manifest of others, without the rules that a cell names, is no reason to panic.
#[test]
fn a_manifest_without_rules_is_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run --game dungeon --agent random --rule health=5,6 -n 2 --quiet --out e";
    ok(folder, line);
    let path = folder.join("e/health-6/manifest.json");
    let mut manifest: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    manifest["request"].as_object_mut().unwrap().remove("rules");
    fs::write(&path, manifest.to_string()).unwrap();
    let refused = call(folder, line);
    assert!(error(&refused).contains("its rules differ"), "{}", error(&refused));
}

/// A study never mixes its tables with those of a run, nor overwrites somebody's table.
#[test]
fn studies_overwrite_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("s.toml"), STUDY).unwrap();
    ok(folder, "run --game whist --agent random -n 5 --quiet --out run");
    fs::create_dir(folder.join("own")).unwrap();
    fs::write(folder.join("own/summary.csv"), "mine\n").unwrap();
    let before = read(&folder.join("run"), "summary.csv");
    for (out, force, part) in [
        ("run", "", "run is the folder of a run (manifest.json): choose another place with --out"),
        ("run", " --force", "run is the folder of a run (manifest.json)"),
        ("own", "", "own holds summary.csv, which is not of this study"),
    ] {
        let refused = call(folder, &format!("experiment s.toml --quiet --out {out}{force}"));
        assert_eq!(refused.status.code(), Some(2));
        assert!(error(&refused).contains(part), "{}", error(&refused));
    }
    assert_eq!(before, read(&folder.join("run"), "summary.csv"));
    assert_eq!(fs::read_dir(folder.join("own")).unwrap().count(), 1);
    // Nor does a run with those of a study, which are not a run's to overwrite.
    ok(folder, "run --game dungeon --agent random -n 5 --rule health=10,20 --quiet --out swept");
    let before = read(&folder.join("swept"), "summary.csv");
    for force in ["", " --force", " --resume"] {
        let line = format!("run --game dungeon --agent random -n 5 --quiet --out swept{force}");
        let refused = call(folder, &line);
        assert_eq!(refused.status.code(), Some(2));
        let expected =
            "swept holds the joined tables of a study (cells.csv): choose another place with --out\n";
        assert!(error(&refused).ends_with(expected), "{}", error(&refused));
    }
    assert_eq!(before, read(&folder.join("swept"), "summary.csv"));
    assert!(!folder.join("swept/manifest.json").exists());
    // And a file is not taken for a folder with something else in it.
    for (command, out) in [
        ("experiment s.toml", "s.toml"),
        ("experiment s.toml --check", "s.toml/below"),
        ("run --game dungeon --agent random -n 5 --rule health=10,20", "s.toml"),
    ] {
        let refused = call(folder, &format!("{command} --out {out}"));
        assert_eq!(refused.status.code(), Some(2));
        assert!(error(&refused).contains("s.toml is no folder: choose another place"), "{}", error(&refused));
    }
    ok(folder, "experiment s.toml --quiet --out own --force");
    // Options that would do nothing are refused.
    for line in
        ["experiment --check --out own", "experiment s.toml --check --force", "experiment --list --quiet"]
    {
        assert_eq!(call(folder, line).status.code(), Some(2), "{line}");
    }
}

/// Tables tell agents apart by their labels: those of two different agents in a game would be added up.
#[test]
fn two_agents_of_a_game_need_two_labels() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let study = |agents: &str| {
        let text = format!(
            "summary = 's'\nseed = 1\ntables = ['summary.csv']\n[[cells]]\ncommand = 'run'\ngame = 'columns'\n\
             agents = [[{agents}]]\nn = 3\n"
        );
        fs::write(folder.join("s.toml"), text).unwrap();
        call(folder, "experiment s.toml --quiet")
    };
    let output = study("{ agent = 'rule', label = 'x' }, { agent = 'random', label = 'x' }");
    assert_eq!(output.status.code(), Some(2));
    let expected = "label=x is given to two different agents: each needs one of its own";
    assert!(error(&output).contains(expected), "{}", error(&output));
    for agents in ["{ agent = 'rule', label = 'x' }, { agent = 'rule', label = 'x' }", "'rule', 'random'"] {
        let output = study(agents);
        assert_eq!(output.status.code(), Some(0), "{}", error(&output));
    }
}

/// What is wrong anywhere in a study is refused before anything runs, with its line.
#[test]
fn wrong_studies_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let labelled = format!("n = 4\nlabel = '{}'", "x".repeat(300));
    for (from, to, part) in [
        (
            "n = 4",
            &*labelled,
            "line 11: the folder of a cell would be called compare-columns-random-greedy-xxx",
        ),
        (
            "\"greedy\"]\nrules",
            "\"gredy\"]\nrules",
            "line 7: agents: cell dungeon-gredy: unknown agent 'gredy'",
        ),
        ("health = 15", "helth = 15", "did you mean 'health'?"),
        (
            "health = 15",
            "health = 0",
            "line 8: rules: cell dungeon-random-health-0: rules of dungeon: health=0",
        ),
        (
            "\"columns\"",
            "\"colums\"",
            "line 13: game: cell compare-colums-random-greedy: unknown game 'colums'",
        ),
        ("\"win\"", "\"wim\"", "line 21: objective: cell solve-dungeon-wim: dungeon has no objective 'wim'"),
        (
            "objective =",
            "objectiv =",
            "line 21: options: solve has no 'objectiv', did you mean 'objective'?; options: ",
        ),
        ("objective = \"win\"", "solutions = 1", "line 21: options: solutions = 1: expected true or false"),
        (
            "objective = \"win\"",
            "deals = 'd.txt'",
            "line 21: options: 'deals' cannot be set here: a cell has a seed",
        ),
        ("objective = \"win\"", "transcript_limit = 2", "there are no transcripts to limit"),
        (
            "n = 4",
            "n = 4\noptions = { games = true }",
            "line 16: options: 'games': compare writes no such table",
        ),
        (
            "n = 4",
            "n = 4\noptions = { until = 'width=0.1' }",
            "line 16: until=width=0.1 is refused: expected the width of the intervals as a number above 0",
        ),
        ("n = 3", "n = -3", "line 20: n: expected a whole number from 1"),
        ("seed = 5", "sead = 5", "line 2"),
        ("command = \"solve\"", "command = \"dance\"", "line 18: command: 'dance' is none of"),
        ("n = 4", "m = 4", "line 15"),
    ] {
        let text = STUDY.replacen(from, to, 1);
        assert_ne!(text, STUDY, "{from}");
        fs::write(folder.join("s.toml"), text).unwrap();
        let output = call(folder, "experiment s.toml");
        assert_eq!(output.status.code(), Some(2), "{to}");
        assert!(
            error(&output).contains("s.toml") && error(&output).contains(part),
            "{to}: {}",
            error(&output)
        );
        assert!(!folder.join("results").exists(), "{to} left something behind");
    }
    assert!(error(&call(folder, "experiment none.toml")).contains("cannot read none.toml"));
    // What has no name for a folder would be done in the folder of all studies, or above.
    fs::write(folder.join("...toml"), STUDY).unwrap();
    assert!(error(&call(folder, "experiment ...toml")).contains("name one with --out"));
    assert!(error(&call(folder, "experiment --list")).contains("cannot read experiments"));
}

/// The studies that come with Knave are right, and so is what is kept of them.
#[test]
fn shipped_studies_can_be_done() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = ok(root, "experiment --list");
    assert!(list.lines().count() >= 6 && !list.contains("cannot be used"), "{list}");
    // A summary that is too long for a line goes on in the next.
    for line in list.lines().filter(|line| !line.starts_with(' ')) {
        let file = Path::new(line.split("  ").next().unwrap());
        let folder = root.join("results").join(file.file_stem().unwrap());
        assert!(folder.join("cells.csv").exists(), "{line} has no results");
        assert_eq!(not_joined(&folder), [""; 0], "{line} has other tables than its cells");
    }
}

/// Folders of every kind are shown in every form, and nothing else is.
#[test]
fn folders_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent greedy -n 40 --out run --quiet --games");
    ok(folder, "compare --game columns --agent greedy --agent random -n 4 --out compare --quiet");
    ok(folder, "solve --game dungeon -n 4 --objective score --out solve --quiet");
    for (name, head, table) in [
        ("run", "Run: dungeon, seed 1, 40 of 40 games", "summary"),
        ("compare", "Comparison: columns, seed 1, 4 of 4 deals", "comparison"),
        ("solve", "Exact answers (clairvoyant): dungeon, seed 1, 4 of 4 deals", "solvability"),
    ] {
        let text = ok(folder, &format!("show {name}"));
        assert!(text.starts_with(head) && text.contains("95 % interval"), "{text}");
        assert_eq!(text.contains('█'), name != "compare", "{text}");
        assert!(!text.contains("llr"), "a column in which nothing stands is shown: {text}");
        let source = read(folder, &format!("{name}/{table}.csv"));
        assert_eq!(ok(folder, &format!("show {name} --format csv")), source);
        let markdown = ok(folder, &format!("show {name} --format markdown --table {table}.csv"));
        assert_eq!(markdown.lines().filter(|line| line.starts_with('|')).count(), source.lines().count() + 1);
        let json: Value = serde_json::from_str(&ok(folder, &format!("show {name} --format json"))).unwrap();
        assert_eq!(json["manifest"]["request"]["n"].as_u64(), Some(if name == "run" { 40 } else { 4 }));
        let rows = json["tables"][table].as_array().unwrap();
        assert_eq!(rows.len() + 1, source.lines().count());
        assert!(rows[0]["game"].is_string() && json["tables"]["games"].is_null());
    }
    assert_eq!(ok(folder, "show run --format csv --table games.csv"), read(folder, "run/games.csv"));
    // A shared win is half a point, and no loss.
    ok(folder, "run --game columns --agent rule --rule max_rounds=10 -n 60 --seed 1 --out halves --quiet");
    let shown = ok(folder, "show halves");
    assert!(read(folder, "halves/scores.csv").contains(",0.5,"));
    let counts = |line: &str| line.split_whitespace().map(ToOwned::to_owned).collect::<Vec<_>>();
    let bars: Vec<_> = shown.lines().filter(|line| line.contains('█')).map(counts).collect();
    for row in read(folder, "halves/scores.csv").lines().skip(1) {
        let [score, games] = [3, 4].map(|place| row.split(',').nth(place).unwrap());
        let score = score.trim_end_matches(".0");
        assert!(bars.iter().any(|bar| bar[..2] == [score, games]), "{row}: {shown}");
    }
    fs::create_dir(folder.join("other")).unwrap();
    fs::write(folder.join("other/manifest.json"), "{}").unwrap();
    fs::write(folder.join("file"), "").unwrap();
    for (line, part) in [
        ("show none", "none is no folder"),
        ("show file", "file is no folder"),
        (
            "show .",
            ". holds no results: no manifest.json; there are results in ./compare, ./halves, ./other, ",
        ),
        ("show other", "other/manifest.json has schema null"),
        ("show run --table sumary.csv", "run has no table sumary.csv; its tables: summary.csv"),
    ] {
        let output = call(folder, line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", error(&output));
        assert!(error(&output).contains(part), "{line}: {}", error(&output));
    }
}

/// A study that cannot be used is told of, and the others are checked all the same.
#[test]
fn all_studies_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("experiments")).unwrap();
    for (name, text) in [("a", "summary"), ("b", STUDY), ("c", "seed = 1")] {
        fs::write(folder.join(format!("experiments/{name}.toml")), text).unwrap();
    }
    let output = call(folder, "experiment --check");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).contains("solve-dungeon-win: solve dungeon"));
    let told = error(&output);
    assert!(told.contains("experiments/a.toml: ") && told.contains("experiments/c.toml: "), "{told}");
}

/// Cells that differ in options or seed only are told apart by a label; what a study must not say is refused with its
/// line.
#[test]
fn labels_tell_cells_apart() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let block = |rest: &str| {
        format!(
            "[[cells]]\ncommand = \"compare\"\ngame = \"dungeon\"\nagents = [\"random\", \"greedy\"]\nn = 20\n{rest}\n"
        )
    };
    let study = |blocks: &[String]| {
        fs::write(folder.join("s.toml"), format!("summary = \"x\"\nseed = 1\n{}", blocks.concat())).unwrap();
        call(folder, "experiment s.toml --check")
    };
    let twice = study(&[block(""), block("options = { control = 2 }")]);
    assert!(error(&twice).contains("a label tells cells apart"), "{}", error(&twice));
    let told = study(&[block(""), block("label = \"control\"\noptions = { control = 2 }")]);
    assert!(told.status.success(), "{}", error(&told));
    assert!(
        String::from_utf8_lossy(&told.stdout)
            .contains("compare-dungeon-random-greedy-control: compare dungeon")
    );
    for name in ["shard", "agent", "force"] {
        let refused = study(&[block(&format!("options = {{ {name} = \"1/2\" }}"))]);
        assert_eq!(refused.status.code(), Some(2));
        let message = format!("line 8: options: compare has no '{name}'");
        assert!(error(&refused).contains(&message), "{}", error(&refused));
    }
}

/// Of a committed study manifests and joined tables are kept. It is done again where a table that it joins is gone, or is named only
/// now. Rules stand in the tables as they were played, however they were written.
#[test]
fn tables_that_are_not_there_are_joined_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let study = |tables: &str| {
        let cells = "[[cells]]\ncommand = \"run\"\ngame = \"dungeon\"\nagents = [\"random\"]\nn = 20\n";
        let rules = "rules = [{ health = 15 }, { health = \"1_6\" }]\n";
        let text = format!("summary = \"S\"\nseed = 1\ntables = [{tables}]\n{cells}{rules}");
        fs::write(folder.join("s.toml"), text).unwrap();
    };
    let results = folder.join("results/s");
    let commit = || {
        for cell in ["dungeon-random-health-15", "dungeon-random-health-1_6"] {
            for name in ["summary.csv", "scores.csv", "tally.csv", "journal.json"] {
                fs::remove_file(results.join(cell).join(name)).unwrap();
            }
        }
    };
    study("\"summary.csv\"");
    ok(folder, "experiment s.toml --quiet");
    let summary = read(&results, "summary.csv");
    assert!(summary.contains(",20,16,dungeon,"), "{summary}");
    commit();
    assert!(ok(folder, "experiment s.toml --check").contains("  finished"));
    study("\"summary.csv\", \"scores.csv\"");
    assert!(ok(folder, "experiment s.toml --check").contains("  to do"));
    ok(folder, "experiment s.toml --quiet");
    assert!(read(&results, "scores.csv").lines().count() > 2);
    commit();
    fs::remove_file(results.join("summary.csv")).unwrap();
    ok(folder, "experiment s.toml --quiet");
    assert_eq!(read(&results, "summary.csv"), summary);
}

/// A cell that was begun and cannot be gone on with is done anew where the user says so.
#[test]
fn what_cannot_go_on_begins_anew_by_force() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("s.toml"), STUDY).unwrap();
    ok(folder, "experiment s.toml --quiet");
    let cell = folder.join("results/s/dungeon-random");
    let (manifest, summary) = (read(&cell, "manifest.json"), read(&cell, "summary.csv"));
    let begun = manifest.replace("\"partial\": false", "\"partial\": true");
    assert_ne!(begun, manifest);
    fs::write(cell.join("manifest.json"), begun).unwrap();
    fs::write(cell.join("journal.json"), "{}").unwrap();
    let refused = call(folder, "experiment s.toml --quiet");
    assert!(error(&refused).contains("--force"), "{}", error(&refused));
    ok(folder, "experiment s.toml --quiet --force");
    assert_eq!(read(&cell, "summary.csv"), summary);
}

/// In its first moment a cell has no manifest: who asks for the study then is told to come back, not to remove the cell.
#[cfg(unix)]
#[test]
fn a_cell_that_has_just_begun_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.toml"), STUDY).unwrap();
    let cell = folder.path().join("results/s/dungeon-random");
    fs::create_dir_all(&cell).unwrap();
    fs::write(cell.join("journal.json"), "{}").unwrap();
    let lock = fs::File::open(&cell).unwrap();
    lock.lock().unwrap();
    let output = call(folder.path(), "experiment s.toml --quiet");
    assert_eq!(output.status.code(), Some(75), "{}", error(&output));
    drop(lock);
    let output = call(folder.path(), "experiment s.toml --quiet");
    assert_eq!(output.status.code(), Some(2), "{}", error(&output));
    assert!(error(&output).contains("something else"), "{}", error(&output));
}
