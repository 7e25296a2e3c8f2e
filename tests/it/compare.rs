//! `sim compare` from outside: its figures agree with the games that `sim run` plays, its stops with its promises.

use crate::common::{call, documented, error, ok, sim};
use crate::durable::manifest;
use knave::agents::Tools as _;
use knave::agents::registry::agents;
use knave::games::whist::{self, Whist};
use knave::studies::compare::{Measure, Plan, Request};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

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

/// Mean, and the ends of the 95 % interval of values between `-most` and `most`: by a quantile of Student's t, and with
/// values of probability 3/n at either end allowed for.
fn interval(values: &[f64], quantile: f64, most: f64) -> [f64; 3] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = |end: f64| {
        (quantile.powi(2) * variance / n + 3.0 * (1.959_963_985 * (end - mean) / n).powi(2)).sqrt()
    };
    [mean, mean - half(-most), mean + half(most)]
}

/// A game for one: differences and their intervals are those that one gets from the games of each agent by hand.
#[test]
fn paired_differences_are_those_of_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "--game dungeon --seed 3 -n 300";
    ok(folder, &format!("compare {line} --agent greedy --agent rule --out c --quiet"));
    let [greedy, rule] = ["greedy", "rule"].map(|agent| games(folder, &format!("{line} --agent {agent}")));
    // Scores lie between -208 and 30.
    for ((row, measure), most) in
        table(&folder.join("c"), "comparison.csv").iter().zip([0, 1]).zip([1.0, 238.0])
    {
        let difference: Vec<f64> = greedy.iter().zip(&rule).map(|(a, b)| a[measure] - b[measure]).collect();
        // Student's t with 299 degrees of freedom.
        let [mean, low, high] = interval(&difference, 1.967_929_669, most);
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
    near(number(&table(&folder.join("c"), "matrix.csv")[0], "mean"), interval(&better, 0.0, 1.0)[0]);
    assert!(!folder.join("c/ratings.csv").exists(), "a game for one has no ratings");
    // Each agent by itself: two measures of the first, then of the second.
    let seats = table(&folder.join("c"), "seats.csv");
    assert_eq!(seats.len(), 4);
    for (place, row) in seats.iter().enumerate() {
        let games = [&greedy, &rule][place / 2];
        let mean = games.iter().map(|game| game[place % 2]).sum::<f64>() / 300.0;
        near(number(row, "mean"), mean);
        assert!(number(row, "low") < mean && mean < number(row, "high"));
        assert_eq!(row["agent"], ["greedy", "rule"][place / 2]);
        assert_eq!((row["seat"].as_str(), row["effect"].as_str()), ("0", ""), "one seat has no effect");
    }
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
    // Scores lie between -18 and 24, those of several seats together, too. So the mean of k seats is at most the k-th part;
    // this is the mean of these parts over the line-ups.
    let part = (4.0 + 6.0 / 2.0 + 4.0 / 3.0) / 14.0;
    let most = [part, 42.0 * part];
    for ((row, measure), most) in table(&folder.join("c"), "comparison.csv").iter().zip([0, 1]).zip(most) {
        let difference: Vec<f64> = differences.iter().map(|deal| deal[measure]).collect();
        let [mean, low, high] = interval(&difference, 2.022_690_920, most);
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

/// A comparison says how many games a limit of the rules has ended: those of all line-ups, as the games of `sim run` tell, and in
/// parts, too.
#[test]
fn ends_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let game = "--game doubles --rule max_rolls=8 --rule cards=2 --seed 3 -n 40";
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for agents in ["--agent rule --agent random", "--agent random --agent rule"] {
        ok(folder, &format!("run {game} {agents} --games --out games --force --quiet"));
        for row in table(&folder.join("games"), "games.csv").iter().filter(|row| row["seat"] == "0") {
            *ends.entry(row["end"].clone()).or_default() += 1;
        }
    }
    assert_eq!(ends.len(), 2, "{ends:?} tests little");
    let words: Vec<String> = ends.iter().map(|(word, games)| format!("{word} {games}")).collect();
    let line = format!("\nEnds: {}\n", words.join(", "));
    let compare = format!("compare {game} --agent rule --agent random");
    let told = ok(folder, &format!("{compare} --out whole"));
    assert!(told.contains(&line), "{told}");
    for part in [1, 2] {
        ok(folder, &format!("{compare} --out part{part} --shard {part}/2 --quiet"));
    }
    let told = ok(folder, "merge part1 part2 --out merged");
    assert!(told.contains(&line), "{told}");
    // Also where all ended alike.
    let told = ok(
        folder,
        "compare --game columns --rule max_rounds=1 --agent rule --agent random -n 10 --out columns",
    );
    assert!(told.contains("\nEnds: round_limit 20\n"), "{told}");
}

/// Teams: one agent plays all seats of a team, in either team. A team wins when a seat of it does, and its score is the sum
/// of its seats', as the games of `sim run` tell.
#[test]
fn teams_are_compared_as_teams() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "--game doubles --rule players=5 --rule cards=3 --rule teams=[7,1,7,1,1] --seed 6 -n 30";
    ok(folder, &format!("compare {line} --agent rule --agent random --out c --quiet"));
    let first = [0, 2];
    let mut results = vec![[[0.0; 2]; 2]; 30];
    for rule_is_first in [true, false] {
        let of_rule = |seat: usize| first.contains(&seat) == rule_is_first;
        let agents: String =
            (0..5).map(|seat| if of_rule(seat) { " --agent rule" } else { " --agent random" }).collect();
        for (sums, game) in results.iter_mut().zip(games(folder, &format!("{line}{agents}")).chunks(5)) {
            let won = |team: bool| (0..5).any(|seat| of_rule(seat) == team && game[seat][0] > 0.0);
            let teams = f64::from(u8::from(won(true))) + f64::from(u8::from(won(false)));
            for (sum, team) in sums.iter_mut().zip([true, false]) {
                sum[0] += f64::from(u8::from(won(team))) / teams / 2.0;
                let scores = (0..5).filter(|&seat| of_rule(seat) == team).map(|seat| game[seat][1]);
                sum[1] += scores.sum::<f64>() / 2.0;
            }
        }
    }
    for (row, measure) in table(&folder.join("c"), "comparison.csv").iter().zip([0, 1]) {
        let mean = |agent: usize| results.iter().map(|deal| deal[agent][measure]).sum::<f64>() / 30.0;
        near(number(row, "mean_a"), mean(0));
        near(number(row, "mean_b"), mean(1));
    }
    let seats = table(&folder.join("c"), "seats.csv");
    let named: Vec<&str> = seats.iter().take(2).map(|row| row["seat"].as_str()).collect();
    assert_eq!(named, ["0", "1"], "a team has the name of its first seat");
    let manifest = fs::read_to_string(folder.join("c/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["facts"]["teams"], serde_json::json!([[0, 2], [1, 3, 4]]));
    assert_eq!(manifest["facts"]["games_a_deal"], 2);

    // All in one team: nobody to play against, so each agent plays the deal once.
    let line = "compare --game doubles --rule players=2 --rule teams=[1,1] --agent rule --agent random -n 30 --quiet";
    ok(folder, &format!("{line} --out together"));
    assert_eq!(table(&folder.join("together"), "comparison.csv")[0]["unit"], "deal");
    assert!(!folder.join("together/ratings.csv").exists());
}

/// Agents that play alike differ nowhere: a width is reached all the same, and it is said. The interval is as wide as the
/// rule of three tells, and the sequential test stops, too.
#[test]
fn identical_agents_reach_a_width() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (game, width) in [("verslun", 10.0), ("doubles", 5.0)] {
        let line = format!("compare --game {game} --agent rule --agent rule:policy=rule -n 1e5");
        let said = ok(folder, &format!("{line} --until width={width} --measure score --out {game}"));
        assert!(said.contains("rule and rule:policy=rule: equal wins and scores on every deal"), "{said}");
        let row = &table(&folder.join(game), "comparison.csv")[1];
        let (low, high) = (number(row, "low"), number(row, "high"));
        assert!(low == -high && high - low <= width && high - low > 0.8 * width, "{row:?}");
        assert_eq!((row["p_value"].as_str(), row["mean_difference"].as_str()), ("1.0", "0.0"));
        ok(folder, &format!("{line} --sprt 0,20 --out {game} --force --quiet"));
        assert_eq!(table(&folder.join(game), "comparison.csv")[0]["decision"], "elo0");
    }
}

/// At four seats the hypotheses of the sequential test are differences in the Elo of the ratings: a seat of ten times the
/// strength wins ten parts where others win one. By hand, over the line-ups with one, two and three such seats.
#[test]
fn tested_elo_is_that_of_the_ratings() {
    let request = Request {
        game: "whist".to_owned(),
        agents: ["random", "greedy"].map(|agent| agent.parse().unwrap()).to_vec(),
        n: 1,
        ..Request::default()
    };
    let plan = Plan::<Whist>::new(&request, &agents(&Whist::kit(&whist::Rules::default()))).unwrap();
    let margin = (4.0 * 9.0 / 13.0 + 6.0 * 9.0 / 22.0 + 4.0 * 9.0 / 31.0) / 14.0;
    near(plan.expected_score(Measure::Wins, 400.0), (1.0 + margin) / 2.0);
    near(plan.expected_score(Measure::Wins, 0.0), 0.5);
    // The better score of a deal is one result of two.
    near(plan.expected_score(Measure::Score, 400.0), 10.0 / 11.0);
}

/// A comparison that ends before its goal says by how much, and under several sets of rules each decision is shown.
#[test]
fn goals_that_are_missed_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let line = "compare --game dungeon --agent rule --agent random -n 100 --force --out c";
    let said = ok(folder.path(), &format!("{line} --until width=0.01"));
    assert!(said.contains("A width of 0.01 wins a game is not reached: the widest interval is 0."), "{said}");
    let said = ok(folder.path(), &format!("{line} --until width=1.9"));
    assert!(!said.contains("not reached"), "{said}");
    let said = ok(
        folder.path(),
        "compare --game dungeon --agent rule --agent random --rule health=20,21 -n 200 --sprt 0,50 --out d",
    );
    assert!(said.contains("decision") && said.matches("elo0").count() == 2, "{said}");
}

/// A goal is reached at the same deal on any number of threads, and it is reached.
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
        for name in ["comparison.csv", "matrix.csv", "seats.csv", "journal.json"] {
            let read = |threads| fs::read(folder.join(format!("t{threads}/{name}"))).unwrap();
            assert!(read(1) == read(3), "{goal}: {name} depends on the number of threads");
        }
        // Nothing is missing of it, though it is less than was asked for at most.
        ok(folder, "merge t1 --whole --out whole --force --quiet");
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

/// After an interrupt, at whatever deal, a goal is reached where it would have been without.
#[cfg(unix)]
#[test]
fn an_interrupted_comparison_has_the_same_goal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "compare --game dungeon --agent rule --agent random -n 1e6 --until width=0.02 --quiet --out";
    ok(folder, &format!("{line} whole --threads 2"));
    let mut stopped =
        sim(folder, &format!("{line} stopped --threads 1")).stderr(Stdio::piped()).spawn().unwrap();
    let finished = || manifest(&folder.join("stopped"))["finished"].as_u64().unwrap();
    while !folder.join("stopped/manifest.json").exists() || finished() == 0 {
        assert_eq!(stopped.try_wait().unwrap(), None, "it has ended before it could be interrupted");
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &stopped.id().to_string()]).status().unwrap();
    let output = stopped.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", error(&output));
    ok(folder, &format!("{line} stopped --threads 3 --resume"));
    for name in ["comparison.csv", "matrix.csv", "seats.csv", "journal.json"] {
        let read = |out: &str| fs::read(folder.join(out).join(name)).unwrap();
        assert!(read("whole") == read("stopped"), "{name}");
    }
}

/// A few deals on which the one always wins do not make it certain, with luck taken off or not.
#[test]
fn few_deals_are_not_certain() {
    let folder = tempfile::tempdir().unwrap();
    for (control, sizes) in [("", [2, 5, 20]), (" --control 2", [20, 21, 40])] {
        for n in sizes {
            let line = format!("compare --game dungeon --agent random --agent fast -n {n}{control}");
            ok(folder.path(), &format!("{line} --out c --quiet --force"));
            let row = &table(&folder.path().join("c"), "comparison.csv")[0];
            let (low, high) = (number(row, "low"), number(row, "high"));
            assert!(low >= -1.0 && high <= 1.0 && high - low > 3.0 / f64::from(n), "{line}: {row:?}");
        }
    }
}

/// One deal tells no ratings, and in the place of their table stands nothing.
#[test]
fn without_ratings_there_is_no_table_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let text = ok(folder.path(), "compare --game doubles --agent random --agent greedy -n 1 --out c");
    assert!(text.contains("1 deal of doubles") && !text.contains("rating"), "{text}");
    assert!(!text.contains("\n\n\n"), "{text}");
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
    // Both allow for values that were not seen, which what is saved does not count.
    let squared = (width(&plain) / width(&less)).powi(2);
    assert!(squared > 1.5 && squared < number(&less, "saved_by_control"), "{squared}");
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
        (
            "compare --game dungeon --agent random --agent rule -n 19 --control 2",
            "n=19 is refused: control corrects from 20 deals on",
        ),
        (
            &format!("{two} --measure score"),
            "measure=score is refused: it says what until or sprt tests; set one of them",
        ),
        (&format!("{two} --until width=9 --measure score"), "scores have an interval from 100 deals on"),
    ] {
        let output = call(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", error(&output));
        assert!(error(&output).contains(part), "{line}: {}", error(&output));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{line} left something behind");
    }
}

/// Zero has no sign, in tables and on the screen.
#[test]
fn zero_has_no_sign() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let agents = "--agent rule --agent greedy --agent random";
    ok(at, &format!("compare --game doubles {agents} -n 4 --rule target=100000 --out ratings --quiet"));
    let same = "--agent rule --agent rule:solver_nodes=9999";
    let shown = ok(at, &format!("compare --game columns {same} -n 64 --sprt=-10,10 --out test"));
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("log likelihood ratio 0.00 ("), "{shown}");
    for table in ["ratings/ratings.csv", "ratings/comparison.csv", "test/comparison.csv"] {
        let table = fs::read_to_string(at.join(table)).unwrap();
        assert!(table.split([',', '\n']).all(|cell| cell != "-0.0"), "{table}");
    }
}
