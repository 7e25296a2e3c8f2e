//! `sim solve` from outside: answers, typed deals, exit codes, messages.

use crate::common::{call, documented, error, interrupted, ok, sim};
use knave::cards::Card;
use knave::registry::Registry;
use knave::studies::{Request, Session};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::Stdio;

const RUN: &str = "run --game dungeon --agent random --quiet";
const SOLVE: &str = "solve --game dungeon --quiet";

/// Exact answers: the number of threads changes no byte, every column is documented, and what the solver knows is
/// marked.
#[test]
fn exact_answers_are_the_same_on_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    for objective in ["win", "score", "health"] {
        for threads in [1, 3] {
            let out = format!("--objective {objective} --threads {threads} --out {objective}{threads}");
            let n = if objective == "win" { 400 } else { 6 };
            ok(folder.path(), &format!("{SOLVE} -n {n} --seed 7 --budget 20000 {out} --solutions"));
        }
        for name in ["solvability.csv", "values.csv", "nodes.csv", "solutions.csv"] {
            let read =
                |threads| fs::read(folder.path().join(format!("{objective}{threads}/{name}"))).unwrap();
            assert!(!read(1).is_empty() && read(1) == read(3), "{objective}: {name} depends on the threads");
        }
    }
    let documentation =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("results/README.md")).unwrap();
    let expected = [
        ("solvability.csv", "game,objective,threshold,deals,yes,no,undecided,rate,low,high"),
        ("values.csv", "game,objective,verdict,value,deals"),
        ("nodes.csv", "game,objective,deals,mean,min,q25,median,q75,q90,q99,q999,max"),
        ("solutions.csv", "index,verdict,value,nodes,name"),
    ];
    for (name, columns) in expected {
        documented(&folder.path().join("score1"), name, columns, &documentation);
    }
    let manifest = fs::read_to_string(folder.path().join("health1/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    for field in manifest["request"].as_object().unwrap().keys() {
        assert!(documentation.contains(&format!("`{field}`")), "{field} of the manifest is not documented");
    }
    assert_eq!(manifest["facts"]["clairvoyant"], true);
    assert_eq!(manifest["request"]["rules"]["health"], serde_json::Value::Null);
    let run = ok(folder.path(), "solve --game dungeon -n 10 --seed 7");
    assert!(run.contains("(clairvoyant)") && run.contains("results/dungeon-solve-win-n10-seed7"), "{run}");
    assert!(ok(folder.path(), "list games").contains("(clairvoyant; sim solve --objective)"));
}

/// Deals without a value are shown below the bars of the others, and where no deal has one there is a table: they were left out.
#[test]
fn deals_without_a_value_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    for (name, rules, values) in [
        ("some", "--budget 100", "\nwin, undecided: 9 deals\n\n"),
        (
            "none",
            "--budget 2000 --rule health=4",
            "\nwin        unsolvable     39\nwin        undecided       1\n",
        ),
    ] {
        ok(folder.path(), &format!("{SOLVE} -n 40 {rules} --out {name}"));
        let shown = ok(folder.path(), &format!("show {name}"));
        assert!(shown.contains(values), "{shown}");
    }
}

/// The counts of a table fit each other and the rows of single deals; more deals reach less.
#[test]
fn exact_answers_add_up() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), &format!("{SOLVE} --objective health -n 8 --budget 3000 --out o --solutions"));
    let table = |name: &str| -> Vec<Vec<String>> {
        let text = fs::read_to_string(folder.path().join("o").join(name)).unwrap();
        text.lines().skip(1).map(|line| line.split(',').map(ToOwned::to_owned).collect()).collect()
    };
    let solutions = table("solutions.csv");
    assert_eq!(solutions.len(), 8);
    let count = |verdict: &str| solutions.iter().filter(|row| row[1] == verdict).count();
    assert!(count("solved") > 0 && count("undecided") > 0, "the budget must cut some deals: {solutions:?}");
    let number = |text: &str| text.parse::<f64>().unwrap();
    let mut before = (f64::INFINITY, f64::INFINITY);
    for row in table("solvability.csv") {
        let cells: Vec<f64> = row[2..].iter().map(|cell| number(cell)).collect();
        let [threshold, deals, yes, no, undecided, rate, low, high] = cells[..] else { panic!("{row:?}") };
        assert_eq!(yes + no + undecided, deals);
        assert!(low <= rate && rate <= high);
        let reached = |row: &&Vec<String>| row[1] == "solved" && number(&row[2]) <= threshold;
        assert!(yes >= solutions.iter().filter(reached).count() as f64);
        assert!(threshold < before.0 && yes <= before.1, "a stricter threshold is reached by more deals");
        before = (threshold, yes);
    }
    let values: u64 = table("values.csv").iter().map(|row| row[4].parse::<u64>().unwrap()).sum();
    assert_eq!(values, 8);
}

/// A deal that somebody typed is solved, its line can be read, and the transcript of it agrees with the referee;
/// deals of a run and their transcripts give the same answers.
#[test]
fn typed_deals_are_solved() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "typed.jsonl",
        "{\"deck\":[\"2H\",\"9C\",\"5D\"],\"name\":\"three cards\",\"rules\":{\"health\":13}}\n{\"deck\":[\"AC\",\"AS\"]}",
    );
    let text =
        ok(folder.path(), &format!("{SOLVE} --deals typed.jsonl --short-deck --line --objective score"));
    let expected = "typed.jsonl, line 1 (three cards): solved, score 11 (";
    assert!(text.starts_with(expected), "{text}");
    // What a person needs to check the line by hand: 13 health, a weapon of 5, a monster of 9, a potion of 2.
    let table = [
        "  room      move             damage  health  weapon  limit",
        "  2H 9C 5D  take 5D                      13       5",
        "  2H 9C     fight 9C weapon       4       9       5      9",
        "  2H        drink 2H                     11       5      9",
    ];
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1..5], table, "{text}");
    assert!(lines[5].starts_with("typed.jsonl, line 2: solved, score 0 ("), "{text}");
    // The same as people type it.
    write("typed.txt", "# two decks\n\n2♥, 9c 5D\r\nac as\n");
    let typed = format!("{SOLVE} --deals typed.txt --short-deck --rule health=13 --objective score");
    let again = ok(folder.path(), &format!("{typed} --line"));
    let lines: Vec<&str> = again.lines().collect();
    assert!(lines[0].starts_with("typed.txt, line 3: solved, score 11 ("), "{again}");
    assert_eq!(lines[1..5], table, "{again}");
    assert!(lines[5].starts_with("typed.txt, line 4: solved, score -14 ("), "{again}");
    // A few typed deals are no sample: each has its answer, and there is no rate with an interval.
    let told = ok(folder.path(), &typed.replace(" --quiet", ""));
    assert!(!told.contains(" to ") && told.contains("   3  solved     11"), "{told}");
    assert!(told.contains("   4  solved    -14"), "{told}");
    let score = "solve --game dungeon --deals typed.txt --short-deck --objective score";
    ok(folder.path(), &format!("{score} --rule health=12,13 --out few --quiet"));
    let read = |name: &str| fs::read_to_string(folder.path().join("few").join(name)).unwrap();
    for name in ["cells.csv", "solvability.csv"] {
        assert!(read(name).contains("\nhealth-13,0,2,13,"), "{name} has another seed or number of deals");
    }
    assert!(read("solvability.csv").ends_with(",11,2,1,1,0,0.5,,\n"), "{}", read("solvability.csv"));
    let page = ok(folder.path(), "report few --out -");
    assert!(page.contains("50 % of the deals come to"), "a rate of typed deals has an interval");
    // Their number may stand in a request, but no other.
    let registry = Registry::builtin().build();
    let file = folder.path().join("typed.txt");
    for (n, is_right) in [(0, true), (2, true), (3, false)] {
        let deals = serde_json::json!({ "file": file });
        let request = serde_json::json!({ "study": "solve", "game": "dungeon", "n": n, "deals": deals, "short_deck": true });
        let request: Request = serde_json::from_value(request).unwrap();
        let refused = Session::new(&registry, &request).err().map(|error| error.to_string());
        assert_eq!(refused.is_none(), is_right, "{refused:?}");
        assert!(is_right || refused.unwrap().contains("n=3 is refused"));
    }
    // A deck that lacks cards is meant, or a mistake.
    let output = call(folder.path(), &typed.replace(" --short-deck", ""));
    assert_eq!(output.status.code(), Some(2));
    let refused = error(&output);
    for part in ["typed.txt: line 3: deck: 2C 3C ", "more are missing", "--short-deck"] {
        assert!(refused.contains(part), "{refused}");
    }
    assert_eq!(Card::typed("10s"), "TS".parse());
    assert!(!folder.path().join("results").exists(), "a typed deal needs no folder");

    // Whole deals: the answers for a run are those for its transcripts.
    for objective in ["win", "score", "health"] {
        let n = if objective == "win" { 60 } else { 4 };
        ok(folder.path(), &format!("{RUN} -n {n} --out r --transcripts r.jsonl --force"));
        let ask = format!("{SOLVE} --objective {objective} --budget 30000 --force --solutions");
        ok(folder.path(), &format!("{ask} -n {n} --out a --transcripts a.jsonl"));
        ok(folder.path(), &format!("{ask} --deals r.jsonl --out b --transcripts b.jsonl"));
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("a/solutions.csv"), read("b/solutions.csv"));
        assert_eq!(read("a.jsonl"), read("b.jsonl"));
        let solutions = read("a/solutions.csv");
        let rows: Vec<Vec<&str>> = solutions.lines().skip(1).map(|line| line.split(',').collect()).collect();
        assert!(ok(folder.path(), "replay a.jsonl").ends_with("agree\n"));
        for line in read("a.jsonl").lines() {
            let game: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(game["players"], serde_json::json!(["clairvoyant"]));
            let row = &rows[game["index"].as_u64().unwrap() as usize];
            match objective {
                _ if row[1] == "undecided" => {}
                "win" => assert_eq!(game["winners"], serde_json::json!([0])),
                "score" => assert_eq!(game["scores"][0].as_f64().unwrap(), row[2].parse::<f64>().unwrap()),
                _ => {
                    assert_eq!(game["winners"], serde_json::json!([0]));
                    assert_eq!(game["rules"]["health"].to_string(), row[2]);
                }
            }
        }
    }
}

/// The summary says that deals of a file have rules of their own, which win over those of the command.
#[test]
fn rules_of_a_deal_are_told() {
    let work = tempfile::tempdir().unwrap();
    let deals = "{\"deck\":[\"AS\",\"2H\"],\"rules\":{\"health\":5}}\nAS 2H\n";
    fs::write(work.path().join("d.txt"), deals).unwrap();
    let told = ok(work.path(), "solve --game dungeon --deals d.txt --short-deck --rule health=30");
    assert!(told.contains("from d.txt, 1 with rules of its own"), "{told}");
    let told = ok(work.path(), "solve --game dungeon --deals d.txt --short-deck --rule health=5");
    assert!(!told.contains("of its own"), "{told}");
}

/// A deal keeps its name, whatever stands in it.
#[test]
fn deals_keep_their_names() {
    let work = tempfile::tempdir().unwrap();
    fs::write(work.path().join("d.txt"), "{\"deck\":[\"AS\",\"2H\"],\"name\":\"a, b\"}\nAS 2H\n").unwrap();
    ok(work.path(), "solve --game dungeon --deals d.txt --short-deck --solutions --out o");
    let table = fs::read_to_string(work.path().join("o/solutions.csv")).unwrap();
    let ends: Vec<bool> =
        [",\"a, b\"", ","].iter().zip(table.lines().skip(1)).map(|(end, row)| row.ends_with(end)).collect();
    assert_eq!(ends, [true, true], "{table}");
    // A name stays a text, whatever it looks like.
    fs::write(work.path().join("n.txt"), "{\"deck\":[\"AS\",\"2H\"],\"name\":\"7\"}\n").unwrap();
    ok(work.path(), "solve --game dungeon --deals n.txt --short-deck --solutions --out n");
    let shown = ok(work.path(), "show n --table solutions.csv --json");
    assert!(shown.contains("\"name\": \"7\"") || shown.contains("\"name\":\"7\""), "{shown}");
}

/// Everything wrong with a question is refused before any work, with one clear message and nothing left behind.
#[test]
fn bad_questions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let deals = [
        ("json", "{\"deck\":[\"2C\"]}\n{nonsense", "line 2: not a JSON object"),
        ("words", "2C\n\nnonsense", "line 3: 'nonsense' is no card"),
        ("field", "{\"deck\":[\"2C\"],\"luck\":1}", "line 1: 'luck' is no field of a deal"),
        ("none", "{\"rules\":{}}", "line 1: deck is missing"),
        ("card", "{\"deck\":[\"2C\"]}\n{\"deck\":[\"XX\"]}", "line 2: deck: 'XX' is no card"),
        ("twice", "{\"deck\":[\"2C\",\"2C\"]}", "line 1: deck: 2C comes twice"),
        ("foreign", "{\"deck\":[\"AH\"]}", "line 1: deck: AH is not a card of this game"),
        ("few", "{\"deck\":[]}", "line 1: deck: 0 cards are too few"),
        (
            "rule",
            "{\"deck\":[\"2C\"],\"rules\":{\"helth\":1}}",
            "line 1: rules of dungeon has no option 'helth'",
        ),
        ("value", "{\"deck\":[\"2C\"],\"rules\":{\"health\":0}}", "health=0 is refused"),
        ("list", "{\"deck\":[\"2C\"],\"rules\":[]}", "line 1: rules: invalid type"),
        (
            "shuffled",
            "{\"deck\":[\"2C\"],\"rules\":{\"avoid_order\":\"shuffled\"}}",
            "line 1: exact answers of dungeon",
        ),
        ("game", "{\"schema\":1,\"game\":\"chess\"}", "line 1: not a transcript"),
        ("nothing", "", "holds no deals"),
        ("remarks", "# none\n\n", "holds no deals"),
    ];
    for (name, text, _) in deals {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut table: Vec<(String, &str)> = deals
        .iter()
        .map(|(name, _, part)| (format!("solve --game dungeon --short-deck --deals {name}"), *part))
        .collect();
    table.extend(
        [
            // In tests nothing stands there.
            ("solve --game dungeon --deals -", "error: standard input holds no deals"),
            ("solve --game dungeom -n 1", "did you mean 'dungeon'?"),
            ("solve --game whist -n 1", "whist has no solver of whole deals; games that have one: dungeon"),
            ("solve --game dungeon -n 1 --short-deck", "name the file of the deals"),
            ("solve --game dungeon -n 1 --objective scroe", "did you mean 'score'?"),
            ("solve --game dungeon -n 1 --objective luck", "its objectives: win, score, health"),
            ("solve --game dungeon", "-n"),
            ("solve --game dungeon -n 0", "expected a whole number from 1"),
            ("solve --game dungeon -n 1 --budget 0", "expected a whole number from 1"),
            ("solve --game dungeon -n 1 --threads 0", "--threads"),
            ("solve --game dungeon -n 1 --rule helth=3", "did you mean 'health'?"),
            ("solve --game dungeon -n 1 --rule health=0", "health=0 is refused"),
            ("solve --game dungeon -n 1 --rule avoid_order=shuffled", "avoid_order=shuffled is refused"),
            ("solve --game dungeon -n 1 --objective health --rule health=9", "leave out --rule health"),
            ("solve --game dungeon -n 1 --deals json", "cannot be used with"),
            ("solve --game dungeon --seed 3 --deals json", "cannot be used with"),
            ("solve --game dungeon --deals none.jsonl", "cannot read none.jsonl"),
            ("solve --game dungeon --deals json --solutions", "name one with --out"),
            ("solve --game dungeon -n 1 --line --transcripts -", "standard output"),
            ("solve --game dungeon -n 1 --transcripts json", "exists already"),
            ("solve --game dungeon -n 1 --out /dev/null/x", "/dev/null"),
        ]
        .map(|(line, part)| (line.to_owned(), part)),
    );
    let names = |folder: &Path| -> Vec<_> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names(folder.path());
    for (line, part) in table {
        let output = call(folder.path(), &line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", error(&output));
        assert!(error(&output).contains(part), "{line}: {}", error(&output));
        assert!(!error(&output).contains("panicked"), "{line}");
        assert_eq!(names(folder.path()), before, "{line} left something behind");
    }
}

/// The folders of questions are as safe as those of runs, and a run does not replace a question.
#[test]
fn other_answers_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), &format!("{SOLVE} -n 10 --out o --solutions"));
    ok(folder.path(), &format!("{SOLVE} -n 10 --out o --force"));
    assert!(!folder.path().join("o/solutions.csv").exists(), "a table of the replaced answers stayed");
    let others = ["-n 11", "-n 10 --objective score", "-n 10 --budget 7", "-n 10 --rule weapon_limit=below"];
    for other in others {
        let refused = call(folder.path(), &format!("{SOLVE} {other} --out o"));
        assert_eq!(refused.status.code(), Some(2), "{other}");
        assert!(error(&refused).contains("holds another run"), "{}", error(&refused));
    }
    assert_eq!(call(folder.path(), &format!("{RUN} -n 10 --out o")).status.code(), Some(2));
    ok(folder.path(), &format!("{RUN} -n 10 --out o --force"));
    assert!(!folder.path().join("o/solvability.csv").exists(), "a table of the replaced answers stayed");
}

/// Ctrl-C leaves the deals that are solved, marked as partial.
#[cfg(unix)]
#[test]
fn an_interrupt_writes_what_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    let line = "solve --game dungeon -n 1e15 --out o --quiet --solutions";
    let manifest = interrupted(folder.path(), line);
    let finished = manifest["finished"].as_u64().unwrap();
    let solutions = fs::read_to_string(folder.path().join("o/solutions.csv")).unwrap();
    assert!(finished > 0 && solutions.lines().count() as u64 == finished + 1);
    let table = fs::read_to_string(folder.path().join("o/solvability.csv")).unwrap();
    assert!(table.contains(&format!("dungeon,win,,{finished},")), "{table}");
}

/// A reader of lines who has seen enough is no error.
#[test]
fn a_closed_pipe_of_lines_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let line = "solve --game dungeon -n 20000 --quiet --line";
    let mut child = sim(folder.path(), line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("game 0 with seed 1: solved ("), "{line}");
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!((child.wait().unwrap().code(), message.as_str()), (Some(0), ""));
}
