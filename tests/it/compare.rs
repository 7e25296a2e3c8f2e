//! `sim compare` from outside: its figures agree with the games that `sim run` plays, its stops with its promises.

use crate::common::{call, documented, error, ok};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The rows of a table, each a map from column to cell.
fn table(folder: &Path, name: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(folder.join(name)).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} is '{}'", row[column]))
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-8, "{a} against {b}");
}

/// Scores and wins by game and seat, as `sim run` writes them.
fn games(folder: &Path, line: &str) -> Vec<[f64; 2]> {
    ok(folder, &format!("run {line} --games --quiet --force --out r"));
    let row = |row: &BTreeMap<String, String>| [number(row, "won"), number(row, "score")];
    table(&folder.join("r"), "games.csv").iter().map(row).collect()
}

/// Mean, and the ends of the 95 % interval of many values (normal quantile).
fn interval(values: &[f64], quantile: f64) -> [f64; 3] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = quantile * (variance / n).sqrt();
    [mean, mean - half, mean + half]
}

/// A game for one: differences and their intervals are those that one gets from the games of each agent by hand.
#[test]
fn paired_differences_are_those_of_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "--game dungeon --seed 3 -n 300";
    ok(folder, &format!("compare {line} --agent greedy --agent rule --out c --quiet"));
    let [greedy, rule] = ["greedy", "rule"].map(|agent| games(folder, &format!("{line} --agent {agent}")));
    for (row, measure) in table(&folder.join("c"), "comparison.csv").iter().zip([0, 1]) {
        let difference: Vec<f64> = greedy.iter().zip(&rule).map(|(a, b)| a[measure] - b[measure]).collect();
        // Student's t with 299 degrees of freedom.
        let [mean, low, high] = interval(&difference, 1.967_929_669);
        near(number(row, "mean_difference"), mean);
        near(number(row, "mean_a") - number(row, "mean_b"), mean);
        near(number(row, "low"), low);
        near(number(row, "high"), high);
        assert!(number(row, "saved_by_pairs") > 0.9 && number(row, "p_value") < 1e-6);
        assert_eq!((row["unit"].as_str(), row["interval"].as_str()), ("deal", "student"));
    }
    let better = greedy
        .iter()
        .zip(&rule)
        .map(|(a, b)| if a[1] == b[1] { 0.5 } else { f64::from(u8::from(a[1] > b[1])) });
    let better: Vec<f64> = better.collect();
    near(number(&table(&folder.join("c"), "matrix.csv")[0], "mean"), interval(&better, 0.0)[0]);
    assert!(!folder.join("c/ratings.csv").exists(), "a game for one has no ratings");
}

/// A game for four: every mixed line-up, as `sim run` plays it; a seat of the one against a seat of the other at the same
/// table, with all games of a deal as the unit.
#[test]
fn cycles_are_the_games_of_all_line_ups() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "--game whist --seed 5 -n 40";
    ok(folder, &format!("compare {line} --agent greedy --agent random --out c --quiet"));
    // The difference in wins (shared) and scores, by deal.
    let mut differences = vec![[0.0; 2]; 40];
    for set in 1..15_u32 {
        let is_greedy = |seat: usize| set >> seat & 1 == 1;
        let agents: String =
            (0..4).map(|seat| if is_greedy(seat) { " --agent greedy" } else { " --agent random" }).collect();
        let greedy = f64::from(set.count_ones());
        for (sum, game) in differences.iter_mut().zip(games(folder, &format!("{line}{agents}")).chunks(4)) {
            let winners: f64 = game.iter().map(|seat| seat[0]).sum();
            for (seat, results) in game.iter().enumerate() {
                let part = if is_greedy(seat) { 1.0 / greedy } else { -1.0 / (4.0 - greedy) };
                sum[0] += part * results[0] / winners / 14.0;
                sum[1] += part * results[1] / 14.0;
            }
        }
    }
    for (row, measure) in table(&folder.join("c"), "comparison.csv").iter().zip([0, 1]) {
        let difference: Vec<f64> = differences.iter().map(|deal| deal[measure]).collect();
        let [mean, low, high] = interval(&difference, 2.022_690_920);
        near(number(row, "mean_difference"), mean);
        near(number(row, "low"), low);
        near(number(row, "high"), high);
        assert_eq!((row["unit"].as_str(), row["units"].as_str()), ("cycle", "40"));
    }
    let ratings = table(&folder.join("c"), "ratings.csv");
    assert!(number(&ratings[0], "low") > 0.0 && number(&ratings[1], "high") < 0.0);
    let seats = table(&folder.join("c"), "seats.csv");
    let wins: f64 = seats
        .iter()
        .filter(|row| row["agent"].is_empty() && row["measure"] == "wins")
        .map(|row| number(row, "mean"))
        .sum();
    near(wins, 1.0);
}

/// A goal is reached at the same deal on any number of threads and after an interrupt, and it is reached.
#[test]
fn goals_stop_at_the_same_deal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let agents = "--agent rule --agent random --quiet -n 1e6";
    for goal in [
        "--until width=0.2",
        "--sprt 0,50",
        "--until width=25 --measure score",
        "--sprt -20,20 --measure score",
    ] {
        for threads in [1, 3] {
            ok(
                folder,
                &format!(
                    "compare --game dungeon {agents} {goal} --threads {threads} --out t{threads} --force"
                ),
            );
        }
        for name in ["comparison.csv", "matrix.csv", "journal.json"] {
            let read = |threads| fs::read(folder.join(format!("t{threads}/{name}"))).unwrap();
            assert!(read(1) == read(3), "{goal}: {name} depends on the number of threads");
        }
        let rows = table(&folder.join("t1"), "comparison.csv");
        let row = &rows[usize::from(goal.ends_with("score"))];
        let (units, width) = (number(row, "units"), || number(row, "high") - number(row, "low"));
        assert!(units < 1e6 && units % 64.0 == 0.0, "{goal}: {units} units");
        match goal {
            "--until width=0.2" => assert!(width() <= 0.2 && row["interval"] == "betting"),
            "--until width=25 --measure score" => assert!(width() <= 25.0 && row["interval"] == "asymptotic"),
            _ => assert!(
                number(row, "llr") < -2.94 && row["decision"] == "elo0",
                "random is not better: {row:?}"
            ),
        }
    }
}

/// Taking off luck changes no plain mean, keeps the difference within its interval, and narrows it.
#[test]
fn control_saves_games() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "compare --game verslun --agent rule --agent greedy --quiet --seed 4 -n 400";
    ok(folder, &format!("{line} --out plain"));
    ok(folder, &format!("{line} --out less --control 4"));
    let [plain, less] = ["plain", "less"].map(|name| table(&folder.join(name), "comparison.csv").remove(1));
    assert_eq!((&plain["mean_a"], &plain["mean_b"]), (&less["mean_a"], &less["mean_b"]));
    assert!(number(&less, "saved_by_control") > 1.5, "{less:?}");
    let width = |row| number(row, "high") - number(row, "low");
    near((width(&plain) / width(&less)).powi(2), number(&less, "saved_by_control"));
    let mean = number(&less, "mean_difference");
    assert!(number(&plain, "low") < mean && mean < number(&plain, "high"));
}

/// The columns that readers rely on, and that each of them is documented.
#[test]
fn columns_are_exact_and_documented() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "compare --game columns --agent random --agent greedy -n 5 --out c --quiet");
    let documentation =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("results/README.md")).unwrap();
    for (name, columns) in [
        (
            "comparison.csv",
            "game,agent_a,agent_b,measure,unit,units,mean_a,mean_b,mean_difference,low,high,p_value,interval,\
             saved_by_pairs,saved_by_control,llr,decision",
        ),
        ("matrix.csv", "game,agent,opponent,measure,units,mean,low,high,fair"),
        ("ratings.csv", "game,agent,units,rating,low,high,misfit_p,in_cycle"),
        ("seats.csv", "game,agent,seat,measure,units,mean,low,high,effect,effect_low,effect_high"),
    ] {
        documented(&folder.join("c"), name, columns, &documentation);
    }
    let manifest = fs::read_to_string(folder.join("c/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    for field in
        manifest["request"].as_object().unwrap().keys().chain(manifest["facts"].as_object().unwrap().keys())
    {
        assert!(documentation.contains(&format!("`{field}`")), "{field} of the manifest is not documented");
    }
    assert_eq!(manifest["facts"]["games_a_deal"], 2);
}

/// Everything wrong is refused before any game, with one clear message and nothing left behind.
#[test]
fn bad_comparisons_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let two = "compare --game dungeon --agent random --agent greedy -n 5";
    for (line, part) in [
        ("compare --game dungeon --agent random -n 5", "1 agent was given: a comparison needs 2 to 12"),
        ("compare --game dungeon --agent random --agent random -n 5", "the agent random is given twice"),
        ("compare --game dungeon --agent random --agent gredy -n 5", "did you mean 'greedy'?"),
        (
            "compare --game dungeon --agent random --agent rule --agent greedy -n 5 --sprt 0,5",
            "give two, not 3",
        ),
        (&format!("{two} --rule helth=3"), "did you mean 'health'?"),
        (&format!("{two} --until 0.01"), "such as width=0.002"),
        (&format!("{two} --until width=-1"), "above 0"),
        (&format!("{two} --sprt 5,0"), "the smaller first"),
        (&format!("{two} --sprt 5"), "such as 0,5"),
        (&format!("{two} --sprt 0,5 --until width=0.1"), "cannot be used with"),
        (&format!("{two} --sprt 0,5 --control 4"), "--control cannot be used with"),
        (&format!("{two} --sprt 0,5 --shard 1/2"), "--shard cannot be used with"),
        (&format!("{two} --control 0"), "from 1 to 10000"),
    ] {
        let output = call(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", error(&output));
        assert!(error(&output).contains(part), "{line}: {}", error(&output));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{line} left something behind");
    }
}
