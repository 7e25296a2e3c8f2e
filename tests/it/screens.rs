//! What is shown, on whatever screen: how wide it is, in which characters and colours, and as JSON.

use crate::common::{call, error, ok, sim};
use crate::report::page;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Commands that print results, one of each kind, after those that write the folders which others read.
const SCREENS: [&str; 16] = [
    "run --game whist --agent greedy --agent rule --agent random --agent random -n 20 --out whist",
    "run --game dungeon --agent mcts:iterations=2,rollout=none,leaf=rule,prior_visits=8,steps=moves -n 20 --out run",
    "compare --game dungeon --agent mcts:iterations=2,rollout=none,leaf=rule --agent flat:worlds=2,rollout=rule -n 4 --out pair",
    "solve --game dungeon -n 4 --objective health --budget 2000 --rule weapon_limit=below --out solve",
    "solve --game dungeon -n 1 --line --out line",
    "bound --game verslun -n 3 --out bound",
    "analyse --game dungeon --agent rule -n 2 --worlds 20 --out analysis",
    "run --game dungeon --agent rule --rule health=10..12 -n 10 --out swept",
    "show whist",
    "show pair",
    "show solve",
    "show analysis",
    "show swept",
    "show run --measure cause_of_death",
    "list agents --game whist",
    "exploit --game doubles --cards 2-4C --rule cards=1 --rule max_rolls=2 --agent mcts:iterations=2,rollout=random --samples 2",
];

fn shown(folder: &Path, line: &str, locale: &str) -> String {
    let output = sim(folder, line).env("LC_ALL", locale).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{line}: {}", error(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Helps and refusals of command lines are shown as everything else is.
#[test]
fn helps_are_ascii_without_a_locale() {
    let folder = tempfile::tempdir().unwrap();
    let commands = shown(folder.path(), "--help", "C");
    let commands =
        commands.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let lines: Vec<String> = commands
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()))
        .map(|name| format!("help {name}"))
        .collect();
    assert!(lines.len() > 15, "{lines:?}");
    for line in &lines {
        let text = shown(folder.path(), line, "C");
        assert!(text.is_ascii(), "{line}: {text}");
    }
    let [ascii, whole] = ["C", "C.UTF-8"].map(|locale| shown(folder.path(), "run --help", locale));
    assert!(
        ascii.contains("NAME:option=value,...") && whole.contains("NAME:option=value,…"),
        "{ascii}{whole}"
    );
    assert!(shown(folder.path(), "train --help", "C").contains("TD(lambda)"));
}

/// In a pipe no line is wider than 80 characters, where it consists of more than one word; without a locale there is nothing
/// but ASCII; and nowhere are there colours.
#[test]
fn screens_are_80_characters_wide() {
    for locale in ["C", "C.UTF-8"] {
        let folder = tempfile::tempdir().unwrap();
        for line in SCREENS {
            let text = shown(folder.path(), line, locale);
            assert!(!text.is_empty(), "{line}");
            for row in text.lines() {
                let is_path = !row.trim().contains(' ');
                assert!(row.chars().count() <= 80 || is_path, "{line}:\n{row}\n{text}");
            }
            assert!(!text.contains('\u{1b}'), "{line}: {text}");
            // The marks of words that would be coloured.
            assert!(!text.contains(['\u{2062}', '\u{2063}', '\u{2064}']), "{line}: {text}");
            if locale == "C" {
                assert!(text.is_ascii(), "{line}: {text}");
            }
        }
        let bars = shown(folder.path(), "show run", locale);
        assert_eq!(bars.contains('█'), locale != "C", "{bars}");
        // Nothing of a long name is lost, wherever it is broken.
        let shown: String = bars.split_whitespace().collect();
        assert!(shown.contains("rollout=none,leaf=rule"), "{bars}");
    }
}

/// In a locale without Unicode the name of a folder is told as it is, in results and in messages: nobody would find another.
#[test]
fn names_stay_as_they_are_without_a_locale() {
    let folder = tempfile::tempdir().unwrap();
    let run = "run --game dungeon --agent random -n 9 --out a–b×";
    assert!(shown(folder.path(), run, "C").ends_with("Written to a–b×\n"));
    let missing = sim(folder.path(), "show c–d×").env("LC_ALL", "C").output().unwrap();
    assert_eq!(error(&missing), "error: c–d× is no folder\n");
    // Knave's own words are in ASCII there.
    let refused = sim(folder.path(), &format!("{run} --agent :")).env("LC_ALL", "C").output().unwrap();
    assert!(error(&refused).contains("NAME:option=value,...") && error(&refused).is_ascii());
}

/// The same rate is rounded in the same way by the command and by `sim show`, also where it lies in the middle.
#[test]
fn rates_are_rounded_in_one_way() {
    let folder = tempfile::tempdir().unwrap();
    let line = "compare --game dungeon --agent rule --agent greedy -n 40 --rule health=10 --out c";
    let told = ok(folder.path(), line);
    let csv = fs::read_to_string(folder.path().join("c/seats.csv")).unwrap();
    let means = csv.lines().filter(|row| row.contains(",wins,"));
    let means: Vec<&str> = means.map(|row| row.split(',').nth(5).unwrap()).collect();
    assert!(means.contains(&"0.225"), "the case is gone: {csv}");
    assert!(told.contains("22 %"), "{told}");
    let shown = ok(folder.path(), "show c --table seats");
    assert!(shown.contains("0.22 ") && !shown.contains("0.23 "), "{shown}");
}

/// An interval of a difference tells on which side of 0 it lies in every place: in `sim show` and on pages its end was rounded to 0.
#[test]
fn differences_tell_their_side() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let told = ok(at, "compare --game whist --agent rule --agent greedy -n 60 --seed 52 --out compared");
    assert!(told.contains("0.4 to 10.5"), "the case is gone: {told}");
    let shown = ok(at, "show compared");
    assert!(shown.contains("0.057  0.004 to 0.105"), "{shown}");
    let text = page(at, "compared");
    assert!(text.contains("Differences: wins. rule \u{2212} greedy: 5.7 % (0.4 to 10.5)"), "{text}");
    // What is no difference has as many decimals as its interval is worth.
    ok(at, "bound --game verslun -n 2 --out bound --quiet");
    let rows = ["fair", "gap"].map(|measure| format!("verslun,score,{measure},rule,50,20.3,0.31,36.2,56\n"));
    let table = format!("game,quantity,measure,agent,deals,mean,low,high,sd\n{}", rows.concat());
    fs::write(at.join("bound/bound.csv"), table).unwrap();
    let shown = ok(at, "show bound");
    for [measure, mean, low, high] in [["fair", "20", "0", "36"], ["gap", "20.3", "0.3", "36.2"]] {
        let row = shown.lines().find(|line| line.contains(measure)).unwrap();
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert!(cells.windows(4).any(|cells| cells == [mean, low, "to", high]), "{shown}");
    }
    ok(
        at,
        "analyse --game dungeon --agent rule -n 1 --worlds 20 --moves 2 --judge rule --out analysis --quiet",
    );
    let analysis = "game,agent,seat,judge,measure,games,result,luck,luck_low,luck_high,regret,regret_low,regret_high\n\
                    dungeon,rule,0,rule,wins,50,0.5,-0.2031,-0.3621,-0.0031,0.2031,0.0031,0.3621\n";
    fs::write(at.join("analysis/analysis.csv"), analysis).unwrap();
    let shown = ok(at, "show analysis");
    assert!(shown.contains("-0.362 to -0.003") && shown.contains("0.003 to 0.362"), "{shown}");
    let text = page(at, "analysis");
    assert!(text.contains("rule: 20.3 % (0.3 to 36.2)"), "{text}");
}

/// Where a joined table is cut into several, the rows of each tell which cell and seat they are of, and what all share stands above.
#[test]
fn rows_of_joined_tables_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(
        folder,
        "run --game doubles --agent rule -n 3 --rule players=2..3 --rule cards=1..2 --out swept --quiet",
    );
    let text = ok(folder, "show swept --table summary");
    let (_, tables) = text.split_once("\nAll rows: ").unwrap();
    let (same, tables) = tables.split_once('\n').unwrap();
    for (name, value) in [("seed", "1"), ("n", "3"), ("game", "doubles"), ("agent", "rule")] {
        assert!(same.split(", ").any(|told| told == format!("{name} {value}")), "{same}");
    }
    let tables: Vec<&str> = tables.split("\n\n").collect();
    assert!(tables.len() > 1, "{text}");
    for table in tables {
        let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(rows[0][..2], ["cell", "seat"], "{table}");
        let keys: std::collections::BTreeSet<&[&str]> = rows[1..].iter().map(|row| &row[..2]).collect();
        assert_eq!((keys.len(), rows.len()), (10, 11), "{table}");
    }
}

/// What all rows share stands above them. Where a table is cut short the rows that are not shown count as well.
#[test]
fn what_all_rows_share_is_said_of_all() {
    let folder = tempfile::tempdir().unwrap();
    let said = |players: &str| {
        let line = format!("run --game columns {players} -n 2 --out {} --quiet", players.len());
        ok(folder.path(), &line);
        let text = ok(folder.path(), &format!("show {}", players.len()));
        let (_, table) = text.split_once("\nplacements.csv\n").unwrap();
        assert!(table.contains(" more rows"), "the case is gone: {text}");
        table.split_once('\n').unwrap().0.to_owned()
    };
    // The rows of greedy come first, and no other is shown.
    assert!(!said("--agent greedy --agent random").starts_with("All rows: agent"));
    assert_eq!(said("--agent greedy"), "All rows: agent greedy");
}

/// Colours are for terminals, or where they are asked for, and `NO_COLOR` is none of both.
#[test]
fn colours_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let line = "run --game dungeon --agent random -n 20 --out run --force";
    let with = |name: &str| {
        let output = sim(folder.path(), line).env(name, "1").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(with("CLICOLOR_FORCE").contains("\u{1b}[1m"));
    assert!(!with("NO_COLOR").contains('\u{1b}'));
}

fn document(folder: &Path, line: &str) -> Value {
    let text = ok(folder, line);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{line}: {error}\n{text}"))
}

/// Every command that prints a result prints one document with `--json`, and nothing else on standard output.
#[test]
fn results_are_documents() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (line, table) in [
        ("run --game dungeon --agent rule -n 20 --transcripts t.jsonl", "summary"),
        ("compare --game dungeon --agent rule --agent random -n 4", "comparison"),
        ("solve --game dungeon -n 2", "solvability"),
        ("bound --game verslun -n 2", "bound"),
        ("analyse --game dungeon --agent rule -n 1 --worlds 20", "analysis"),
        ("run --game dungeon --agent rule -n 5 --rule health=10..11", "summary"),
    ] {
        let out = format!("out-{table}-{}", line.len());
        let told = document(folder, &format!("{line} --json --out {out}"));
        // The same again, of the folder and of what is already there.
        assert_eq!(document(folder, &format!("show {out} --json")), told, "{line}");
        let csv = fs::read_to_string(folder.join(&out).join(format!("{table}.csv"))).unwrap();
        let mut columns: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        let rows = told["tables"][table].as_array().unwrap();
        assert_eq!(rows.len(), csv.lines().count() - 1, "{line}");
        let mut fields: Vec<&str> = rows[0].as_object().unwrap().keys().map(String::as_str).collect();
        columns.sort_unstable();
        fields.sort_unstable();
        assert_eq!(fields, columns, "{line}");
        assert!(rows[0]["game"].is_string() || rows[0]["cell"].is_string(), "{line}");
    }
    let shares = document(folder, "show out-summary-59 --measure cause_of_death --json");
    assert!(shares["tables"]["tally"][0]["per_game"].is_number(), "{shares}");
    let estimate = document(folder, "run --game dungeon --agent random -n 1000 --estimate --json");
    assert!(estimate["games_per_second"].as_f64().unwrap() > 0.0);
    assert_eq!(document(folder, "replay t.jsonl --json")["transcripts"], 20);
    assert!(document(folder, "hint t.jsonl --decision 1 --worlds 20 --json")["moves"].is_array());
    assert_eq!(document(folder, "list games --json").as_array().unwrap().len(), 5);
    assert!(document(folder, "list agents --game whist --json")[0]["policies"].is_array());
    assert!(document(folder, "list presets --json")[0]["agents"]["whist"].is_string());
    assert!(document(folder, "list models --game dungeon --json")[0]["models"][0]["fnv1a"].is_string());
    assert!(document(folder, "rules dungeon --json")["text"].as_str().unwrap().contains("weapon"));
    // A trial of one deal prints no line.
    let estimate = "solve --game dungeon -n 1 --line --estimate";
    assert_eq!(document(folder, &format!("{estimate} --json"))["n"], 1);
    let told = ok(folder, estimate);
    assert!(told.contains("(from 1 deal in") && told.contains("\n1 deal takes about"), "{told}");
    let both = call(folder, "solve --game dungeon -n 1 --line --json");
    assert_eq!(both.status.code(), Some(2), "{}", error(&both));
    for part in ["1/2", "2/2"] {
        ok(
            folder,
            &format!("run --game dungeon --agent random -n 10 -q --shard {part} --out parts/{}", &part[..1]),
        );
    }
    assert_eq!(document(folder, "merge parts --out whole --json")["manifest"]["finished"], 10);
}

/// Counts of a measure stand beside the share of the games, and together they are all games that were lost.
#[test]
fn measures_have_shares() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent random -n 40 --out run --quiet");
    let rows = |name: &str| {
        document(folder, &format!("show run --measure {name} --json"))["tables"]["tally"].clone()
    };
    let deaths = rows("cause_of_death");
    let sum: f64 = deaths.as_array().unwrap().iter().map(|row| row["per_game"].as_f64().unwrap()).sum();
    let count: u64 = deaths.as_array().unwrap().iter().map(|row| row["count"].as_u64().unwrap()).sum();
    assert!((sum - count as f64 / 40.0).abs() < 1e-6 && count > 30, "{deaths}");
    let avoided = rows("rooms_avoided");
    assert_eq!(avoided[0]["per_game"].as_f64().unwrap(), avoided[0]["count"].as_f64().unwrap() / 40.0);
    let unknown = call(folder, "show run --measure cause_of_deth");
    assert!(error(&unknown).contains("did you mean 'cause_of_death'?"), "{}", error(&unknown));
    let summary = fs::read_to_string(folder.join("run/summary.csv")).unwrap();
    fs::write(folder.join("run/summary.csv"), summary.replacen(",games,", ",played,", 1)).unwrap();
    let lacking = call(folder, "show run --measure cause_of_death");
    assert!(error(&lacking).contains("summary.csv has no column games"), "{}", error(&lacking));
}

/// The old name of a number of games still works for a version.
#[test]
fn trainings_count_games_as_other_commands_do() {
    let folder = tempfile::tempdir().unwrap();
    let train = "train --game dungeon --held-out 1 --first 16 --second 8 -q";
    let new = call(folder.path(), &format!("{train} -n 4 --out new.model"));
    let old = call(folder.path(), &format!("{train} --games 4 --out old.model"));
    assert_eq!((new.status.code(), old.status.code()), (Some(0), Some(0)), "{}{}", error(&new), error(&old));
    assert!(error(&old).contains("--games is called -n now") && error(&new).is_empty());
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("new.model") == read("old.model"));
}
