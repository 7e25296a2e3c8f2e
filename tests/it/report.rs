//! Pages from outside: what they show, that they need nothing else, and what is refused.

use crate::common::{call, error, ok};
use serde_json::Value;
use std::fs;
use std::path::Path;

const RUN: &str = "run --game dungeon --quiet --agent";

pub fn page(folder: &Path, folders: &str) -> String {
    ok(folder, &format!("report {folders} --out -"))
}

/// One file that asks for nothing and runs nothing, every chart said in words, every tag closed.
pub fn sound(page: &str) {
    for bad in ["http:", "https:", "<script", "src=", "url(", "@import", "NaN", "inf,"] {
        assert!(!page.contains(bad), "the page holds {bad}");
    }
    let count = |part: &str| page.matches(part).count();
    // Every chart is there for narrow places and for wide ones, but for the courses of games.
    let courses = count("role=\"group\"");
    assert_eq!(count("<svg class=\"narrow\" role=\"img\" aria-label=\"") + courses, count("<figure>"));
    assert_eq!(count("<svg class=\"wide\" role=\"img\" aria-label=\"") + courses, count("<figure>"));
    assert_eq!(count("<svg ") + courses, 2 * count("<figure>"));
    for tag in ["section", "figure", "svg", "table", "details", "tr", "td", "th"] {
        let open = count(&format!("<{tag}>")) + count(&format!("<{tag} "));
        assert_eq!(open, count(&format!("</{tag}>")), "{tag}");
    }
}

/// What a page says first.
pub fn findings(page: &str) -> &str {
    let (_, rest) = page.split_once("<h2>Findings</h2>").unwrap();
    rest.split_once("</section>").unwrap().0
}

/// Runs of a game stand side by side, with intervals, distributions, what they cost and the command for each; the same
/// folders give the same page.
#[test]
fn runs_are_shown_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), &format!("{RUN} random -n 300 --seed 5 --out a --games"));
    ok(folder.path(), &format!("{RUN} rule -n 200 --seed 5 --rule health=15 --out b"));
    let text = page(folder.path(), "a b");
    sound(&text);
    for part in [
        "sim run --game dungeon --agent random -n 300 --seed 5 --games\n",
        "sim run --game dungeon --agent rule -n 200 --seed 5 --rule health=15\n",
        "<h2>Results</h2>",
        "<h2>What strength costs</h2>",
        "<h2>Scores</h2>",
        "<figcaption>cause of death<span",
        "aria-label=\"Win rate. random · health=20: 0.0",
        "games.csv of a (300 rows, 10 shown)",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert_eq!(text, page(folder.path(), "a b"));
    // The numbers are those of the table.
    let summary = fs::read_to_string(folder.path().join("b/summary.csv")).unwrap();
    let rate: f64 = summary.lines().nth(1).unwrap().split(',').nth(5).unwrap().parse().unwrap();
    assert!(text.contains(&format!("rule · health=15: {} % (", (rate * 1000.0).round() / 10.0)), "{rate}");
}

/// What is said first is no more than the tables show: agents at different tables are not compared, and a share of deals has its
/// interval, which is wide where most were left undecided.
#[test]
fn findings_say_no_more_than_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let others = " --agent random".repeat(3);
    ok(at, &format!("run --game whist --agent greedy{others} -n 200 --seed 5 --out among --quiet"));
    ok(at, "run --game whist --agent rule -n 200 --seed 5 --out alike --quiet");
    let text = page(at, "among alike");
    assert!(!text.contains("more than") && !text.contains("overlaps"), "{text}");

    ok(at, "solve --game dungeon -n 12 --seed 5 --objective health --budget 20000 --out solved --quiet");
    let text = page(at, "solved");
    let told = text.split("By the objective <code>health</code>, ").nth(1).unwrap();
    assert!(
        told.contains(" to ") && told.contains(" % of the decided deals come to at most "),
        "{}",
        &told[..200]
    );
}

/// Players are compared by the same rules and the same cards, also where the tables of single runs do not name them.
#[test]
fn rules_and_cards_tell_runs_apart() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, &format!("{RUN} rule --rule health=10 -n 50 --seed 3 --out hard"));
    ok(at, &format!("{RUN} random --cards 2-4CD -n 50 --seed 3 --out cards"));
    let text = page(at, "hard cards");
    sound(&text);
    let told = findings(&text);
    assert!(!told.contains("more than") && !told.contains("overlaps"), "{told}");
    for part in ["<code>rule</code> (all cards, health=10) wins", "random · cards=2-4CD, health=20: "] {
        assert!(text.contains(part), "{part}");
    }
    for health in [10, 30] {
        let rules = format!("--rule health={health} -n 12 --quiet --out");
        ok(at, &format!("compare --game dungeon --agent rule --agent random {rules} c{health}"));
        ok(at, &format!("solve --game dungeon {rules} s{health}"));
    }
    let text = page(at, "c10 c30 s10 s30");
    for part in [
        "<li>health=10: ",
        "<li>health=30: ",
        "rule \u{2212} random · health=30: ",
        "Row against column: better · health=10, %",
        "of the deals can be won with every card known (health=10).",
        "of the deals can be won with every card known (health=30).",
    ] {
        assert!(text.contains(part), "{part}");
    }
}

/// What is told from the lowest to the highest is of the same rules.
#[test]
fn ranges_keep_to_their_rules() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, "run --game doubles --agent random --rule players=2,3 -n 2000 --out d --quiet");
    let text = page(at, "d");
    for players in [2, 3] {
        assert!(text.contains(&format!("<li><code>random</code> (players={players}) wins from ")), "{text}");
    }
    let told = findings(&text);
    assert!(told.contains(" at seat 0") && !told.contains(" · "), "{told}");
}

/// A bound belongs to its rules and cards.
#[test]
fn bounds_are_told_with_their_rules() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for health in [8, 9] {
        let rules = format!("--cards 5-7C,6S,4D --rule health={health}");
        ok(at, &format!("bound --game dungeon --agent random {rules} -n 4 --out b{health} --quiet"));
    }
    ok(at, "bound --game dungeon --agent random --cards 5-7C,6S -n 4 --out few --quiet");
    let text = page(at, "b8 b9 few");
    for rules in ["cards=5-7C 6S 4D, health=8", "cards=5-7C 6S 4D, health=9", "cards=5-7C 6S, health=20"] {
        assert!(text.contains(&format!(" ({rules}): the bound is ")), "{rules}: {text}");
    }
}

/// What a game is about does not hang on how a few games of it ended.
#[test]
fn findings_are_in_the_measure_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, &format!("{RUN} random --cards 2-4CD -n 10 --out won"));
    ok(at, &format!("{RUN} random -n 10 --out lost"));
    ok(at, "run --game verslun --agent random -n 20 --out points --quiet");
    ok(at, "compare --game verslun --agent random --agent rule -n 20 --out more --quiet");
    for (folder, told) in [
        ("won", "<code>random</code> wins 100 % ("),
        ("lost", "<code>random</code> wins 0 % ("),
        ("points", "<code>random</code> scores "),
        ("more", "<code>rule</code> scores "),
    ] {
        let text = page(at, folder);
        assert!(text.contains(&format!("<li>{told}")), "{folder}: {text}");
    }
}

/// A page says first what it lacks.
#[test]
fn runs_that_are_not_whole_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, &format!("{RUN} random -n 20 --shard 2/3 --out part"));
    ok(at, &format!("{RUN} random -n 20 --out stopped"));
    let file = at.join("stopped/manifest.json");
    let manifest = fs::read_to_string(&file).unwrap();
    let manifest = manifest.replace("\"partial\": false", "\"partial\": true");
    fs::write(&file, manifest.replace("\"finished\": 20", "\"finished\": 12")).unwrap();
    let text = page(at, "part stopped");
    let (head, _) = text.split_once("<h2>Findings</h2>").unwrap();
    for told in [
        "<p><code>part</code> is part 2 of 3: 7 of 20 games.</p>",
        "<p><code>stopped</code> is not finished: it has 12 of 20 games.</p>",
    ] {
        assert!(head.contains(told), "{head}");
    }
}

/// The axis of a few scores has a place for each between the lowest and the highest, or is cut into steps.
#[test]
fn scores_keep_their_distances() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), &format!("{RUN} random -n 20 --out a"));
    for (scores, has, lacks) in [
        (&["-10", "-7", "-4"][..], "\n\u{2212}9\n", "steps of width"),
        (&["0", "0.5", "2"], "\n1.5\n", "steps of width"),
        (&["-180", "3", "20"], "steps of width 5", "with each score</figcaption>"),
    ] {
        let rows: Vec<String> = scores.iter().map(|score| format!("dungeon,random,0,{score},1\n")).collect();
        let table = format!("game,agent,seat,score,games\n{}", rows.concat());
        fs::write(folder.path().join("a/scores.csv"), table).unwrap();
        let text = page(folder.path(), "a");
        let scores = text.split("<h2>Scores</h2>").nth(1).unwrap().split("</section>").next().unwrap();
        assert!(scores.contains(has) && !scores.contains(lacks), "{scores}");
    }
}

/// What stood out in one half of the worlds and not in the other is told so.
#[test]
fn no_loss_is_told_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, "analyse --game dungeon --agent rule -n 1 --worlds 20 --seed 5 --out a --quiet");
    let file = at.join("a/decisions.csv");
    let table = fs::read_to_string(&file).unwrap();
    let column = |name| table.lines().next().unwrap().split(',').position(|title| title == name).unwrap();
    let mut rows: Vec<Vec<&str>> = table.lines().map(|line| line.splitn(17, ',').collect()).collect();
    rows[1][column("best")] = "something";
    rows[1][column("regret")] = "-0.25";
    rows[1][column("regret_se")] = "0.5";
    let changed: Vec<String> = rows.iter().map(|row| row.join(",") + "\n").collect();
    fs::write(&file, changed.concat()).unwrap();
    let text = page(at, "a");
    let told = "something stood out in the first half of the worlds, and in the second half it is worth 25 % less (± 50 %).";
    assert!(text.contains(told), "{text}");
}

/// Numbers that no run writes do not keep a page from being made.
#[test]
fn numbers_without_sense_are_no_numbers() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), &format!("{RUN} random -n 20 --out a"));
    for value in ["1e308", "-1e308", "9e14"] {
        let row = format!(
            "game,agent,seat,score_mean,score_low,score_high\ndungeon,random,0,{value},{value},1e308\n"
        );
        fs::write(folder.path().join("a/summary.csv"), row).unwrap();
        sound(&page(folder.path(), "a"));
    }
}

/// Commands on a page name what differs from the defaults and are quoted for a shell; of a game that nobody knows, they name
/// all rules.
#[test]
fn commands_are_what_one_types() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for name in ["it's", "-d"] {
        fs::write(folder.join(name), "{\"deck\":[\"2C\",\"3C\",\"4C\",\"5C\"]}\n").unwrap();
    }
    let rules = "--rule players=3 --rule cards=7 --rule teams=[0,1,0]";
    for (place, (asked, shown)) in [
        (
            format!("run --game doubles --agent random --agent random --agent random -n 5 --seed 2 {rules} --games"),
            "sim run --game doubles --agent random -n 5 --seed 2 --rule players=3 --rule 'teams=[0,1,0]' --games",
        ),
        (
            "run --game doubles --agent random --agent rule -n 5".to_owned(),
            "sim run --game doubles --agent random --agent rule -n 5 --seed 1",
        ),
        (
            "compare --game doubles --agent rule --agent random -n 5 --seed 2 --sprt -2,5.5 --measure score"
                .to_owned(),
            "sim compare --game doubles --agent rule --agent random -n 5 --seed 2 --sprt -2,5.5 --measure score",
        ),
        (
            "solve --game dungeon --objective score --deals it's --short-deck --budget 9 --solutions".to_owned(),
            r"sim solve --game dungeon --objective score --deals 'it'\''s' --short-deck --budget 9 --solutions",
        ),
        (
            "solve --game dungeon --objective score --deals=-d --short-deck --budget 9".to_owned(),
            "sim solve --game dungeon --objective score --deals ./-d --short-deck --budget 9",
        ),
    ]
    .iter()
    .enumerate()
    {
        ok(folder, &format!("{asked} --out {place} --quiet"));
        let page = page(folder, &place.to_string()).replace("&#39;", "'");
        assert!(page.contains(&format!("{shown}\n")), "{shown}: {page}");
    }
    ok(folder, "run --game dungeon --agent random -n 1 --transcripts=-g --out played --quiet");
    ok(folder, "analyse --worlds 20 --out judged --quiet -- -g");
    assert!(page(folder, "judged").contains("sim analyse --game dungeon ./-g --seed 1 "));
    let manifest = folder.join("0/manifest.json");
    let foreign = fs::read_to_string(&manifest).unwrap().replace("\"doubles\"", "\"chess\"");
    fs::write(&manifest, foreign).unwrap();
    assert!(page(folder, "0").contains("--rule cards=7 --rule max_rolls="));
}

/// A label that a command line would not understand, or take for other options, gives way to the agent and its options.
#[test]
fn commands_name_agents_as_anybody_can() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let named = |agent: &str| {
        let page = page(folder, "v");
        assert!(page.contains(&format!(" --agent {agent} -n 2 ")), "{agent} is missing in {page}");
    };
    for agent in ["mcts", "mcts:iterations=50", "strong", "strong:iterations=50"] {
        ok(folder, &format!("run --game verslun --agent {agent} -n 2 --out v --force --quiet"));
        named(agent);
    }
    // It cannot be read without its cards.
    ok(folder, "run --game dungeon --cards 2C,3C,4H --agent exact -n 2 --out v --force --quiet");
    named("exact");
    ok(folder, "run --game verslun --agent mcts:iterations=50 -n 2 --out v --force --quiet");
    let manifest = fs::read_to_string(folder.join("v/manifest.json")).unwrap();
    for label in ["slow", "mcts", "strong", "my/own.toml"] {
        let labelled =
            manifest.replace("\"label\": \"mcts:iterations=50\"", &format!("\"label\": \"{label}\""));
        assert_ne!(labelled, manifest);
        fs::write(folder.join("v/manifest.json"), labelled).unwrap();
        let text = page(folder, "v");
        let (_, rest) = text.split_once(" --agent ").unwrap();
        let agent = rest.split(' ').next().unwrap();
        ok(folder, &format!("run --game verslun --agent {agent} -n 2 --out again --force --quiet"));
        let options = |run: &str| {
            let text = fs::read_to_string(folder.join(run).join("manifest.json")).unwrap();
            let manifest: Value = serde_json::from_str(&text).unwrap();
            manifest["request"]["agents"][0]["options"].clone()
        };
        assert_eq!(options("again"), options("v"), "{label} became {agent}");
        assert!(agent.contains("iterations=50"), "{agent}");
    }
}

/// The same agent in two folders is told apart by seeds, or by the folders where all else is the same, and seats by their numbers.
#[test]
fn equal_names_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), &format!("{RUN} random -n 50 --seed 1 --out a"));
    ok(folder.path(), &format!("{RUN} random -n 50 --seed 2 --out b"));
    ok(folder.path(), "run --game whist --quiet --agent random -n 20 --out w");
    let text = page(folder.path(), "a b w");
    sound(&text);
    for part in ["random · seed 1: ", "random · seed 2: ", "random · seat 3: ", "<h2>dungeon: Results</h2>"]
    {
        assert!(text.contains(part), "{part}");
    }
    // Folders may have the same name, too.
    ok(folder.path(), &format!("{RUN} random -n 50 --seed 1 --out c/a"));
    let text = page(folder.path(), "a c/a");
    assert!(text.contains("random · a: ") && text.contains("random · c/a: "), "{text}");
    for part in ["<code>a</code>, <code>c/a</code>", ">c/a</td>"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// What chance would do is told by the player who scatters the dice by the same rules, and by no other, whatever its label holds.
#[test]
fn chance_plays_by_the_same_rules() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (out, agent, rules) in
        [("few", "random", " --rule max_rounds=50"), ("own", "greedy", ""), ("other", "random", "")]
    {
        ok(folder, &format!("run --game columns --quiet --agent {agent} -n 40 --out {out}{rules}"));
    }
    let multiples = |folders: &str| page(folder, folders).matches(": as a multiple of chance").count() > 0;
    assert!(multiples("own other") && multiples("few own other"));
    assert!(!multiples("few own"));
    // An option of another player and the name of a folder are none.
    let mcts = "mcts:rollout=random,leaf=none,iterations=4,width=0 --rule max_rounds=30";
    for (out, agents) in
        [("plain", "rule"), ("random-deals", "rule"), ("rollouts", &format!("rule --agent {mcts}"))]
    {
        ok(folder, &format!("run --game columns --quiet --agent {agents} -n 40 --out {out}"));
    }
    assert!(!multiples("plain random-deals") && !multiples("rollouts"));
}

/// Counts belong to the runs that they were counted in, also beside a run that counts nothing: they came to 0 a game.
#[test]
fn counts_keep_to_their_runs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (name, seed, tables) in [("a", 1, ""), ("b", 2, "tables = ['summary.csv']")] {
        let study = format!(
            "summary = 'a run'\nseed = {seed}\n{tables}\n[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = ['rule']\nn = 40\n"
        );
        fs::write(folder.join(format!("{name}.toml")), study).unwrap();
        ok(folder, &format!("experiment {name}.toml --out {name} --quiet"));
    }
    for folders in ["a", "a b"] {
        let page = page(folder, folders);
        assert!(page.contains(" a game"), "{folders}");
        assert!(!page.contains(", 0 a game"), "{folders}");
    }
}

/// Placements, exact answers, comparisons and tables that nobody knows are shown.
#[test]
fn every_table_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), "run --game columns --quiet --agent random -n 60 --out c");
    ok(folder.path(), "solve --game dungeon --quiet --objective health -n 6 --budget 3000 --out h");
    ok(folder.path(), "solve --game dungeon --quiet -n 30 --out w --solutions");
    let write = |name: &str, text: &str| fs::write(folder.path().join("c").join(name), text).unwrap();
    write("surprise.csv", "omens,meaning\nravens,<b>bad</b>\n");
    write("empty.csv", "omens,meaning\n");
    write("nameless.csv", "game,omens\n,owls\n");
    write("faults.csv", "game,agent,seat,kind,faults,forfeits\n");
    write(
        "comparison.csv",
        "game,agent_a,agent_b,measure,unit,units,mean_difference,low,high\ncolumns,x,y,wins,cycle,9,0.25,0.125,\n",
    );
    write(
        "matrix.csv",
        "game,agent,opponent,measure,mean,fair\ncolumns,x,y,wins,0.75,0.5\ncolumns,y,x,wins,0.25,0.5\n",
    );
    write("ratings.csv", "game,agent,units,rating,low,high\ncolumns,x,9,12,-3,27\n");
    write(
        "seats.csv",
        "game,agent,seat,measure,mean,low,high\ncolumns,,0,wins,0.5,0.4,0.6\ncolumns,,1,wins,0.5,0.4,0.6\n",
    );
    ok(folder.path(), "bound --game verslun --quiet -n 4 --out b");
    let text = page(folder.path(), "c h w b");
    sound(&text);
    // A row without a game makes none, and no faults are no table.
    assert!(!text.contains("faults.csv"));
    for part in [
        "<h1>columns, dungeon, verslun</h1>",
        "nameless.csv of c (1 row)",
        "columns: Where the dice go",
        "dungeon: Solvability",
        "Deals that reach a value",
        "Nodes visited for a deal",
        "x \u{2212} y: 25 %",
        "Row against column: wins, %",
        "x: 12 (\u{2212}3 to 27)",
        "seat 1: 50 % (40 to 60)",
        "verslun: Bounds on fair play",
        "sim bound --game verslun --agent rule -n 4 --seed 1\n",
        "surprise.csv of c (1 row)",
        "empty.csv of c (0 rows)",
        "&lt;b&gt;bad",
        "sim solve --game dungeon --objective health -n 6 --seed 1 --budget 3000\n",
    ] {
        assert!(text.contains(part), "{part}");
    }
}

/// A study is a folder of runs: its joined tables are shown where it has them, else those of its runs; rows of equal
/// agents are told apart by what differs between the runs, and the commands of all runs are told.
#[test]
fn a_folder_of_runs_is_a_study() {
    let folder = tempfile::tempdir().unwrap();
    let study = "summary = \"s\"\nseed = 5\n[[cells]]\ncommand = \"run\"\ngame = \"dungeon\"\n\
                 agents = [\"random\", \"greedy\"]\nn = 40\nrules = [{}, { health = 15 }]\n\
                 [[cells]]\ncommand = \"compare\"\ngame = \"whist\"\nagents = [\"random\", \"greedy\", \"rule\"]\nn = 20\n";
    fs::write(folder.path().join("s.toml"), study).unwrap();
    ok(folder.path(), "experiment s.toml --out s --quiet");
    let text = page(folder.path(), "s");
    sound(&text);
    for part in [
        "random · health=15: 0.0 % (0.0 to ",
        "<h2>dungeon: What strength costs</h2>",
        "<h2>whist: Ratings</h2>",
        "Row against column: better, %",
        "cells.csv of s (5 rows)",
        "sim run --game dungeon --agent greedy -n 40 --seed 5 --rule health=15\n",
        "sim compare --game whist --agent random --agent greedy --agent rule -n 20 --seed 5\n",
    ] {
        assert!(text.contains(part), "{part}");
    }
    // Without the joined tables those of the runs are shown.
    for entry in fs::read_dir(folder.path().join("s")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::remove_file(path).unwrap();
        }
    }
    let text = page(folder.path(), "s");
    sound(&text);
    assert!(text.contains("<h2>whist: Ratings</h2>") && text.contains("dungeon: What strength costs"));
}

/// Of a cell that was done again since its tables were joined, the page has the numbers of the run before, and none of the new run.
#[test]
fn numbers_stand_beside_their_own_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent rule --rule health=12,13 -n 20 --seed 5 --quiet --out s");
    let before = page(folder, "s");
    ok(
        folder,
        "run --game dungeon --agent rule --rule health=12 -n 30 --seed 6 --quiet --out s/health-12 --force",
    );
    let text = page(folder, "s");
    sound(&text);
    assert!(text.contains("do not hold what lies in <code>health-12</code>"), "{text}");
    assert!(before.contains("--seed 5 --rule health=12") && !text.contains("--seed 6"), "{text}");
}

/// A backtick in the name of a folder is no code in a sentence.
#[test]
fn names_begin_no_code() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for name in ["a`b", "c`d"] {
        ok(
            folder,
            &format!(
                "compare --game dungeon --agent rule --agent greedy -n 50 --seed 5 --quiet --out {name}"
            ),
        );
    }
    let text = page(folder, "a`b c`d");
    assert!(text.contains("a'b: <code>rule</code> wins "), "{text}");
}

/// What is no result, of another form, damaged or in the way is refused, and nothing is written.
#[test]
fn bad_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    ok(folder.path(), &format!("{RUN} random -n 20 --out good"));
    for (name, manifest) in [("old", "{\"schema\":0}"), ("torn", "{\"sche")] {
        fs::create_dir(path(name)).unwrap();
        fs::write(path(name).join("manifest.json"), manifest).unwrap();
    }
    ok(folder.path(), &format!("{RUN} random -n 20 --out ragged"));
    fs::write(path("ragged/scores.csv"), "game,agent\ndungeon\n").unwrap();
    fs::create_dir(path("empty")).unwrap();
    // What a run leaves that is killed before it writes its tables.
    ok(folder.path(), &format!("{RUN} random -n 20 --out killed"));
    for table in ["summary.csv", "scores.csv", "tally.csv"] {
        fs::remove_file(path("killed").join(table)).unwrap();
    }
    let manifest = fs::read_to_string(path("killed/manifest.json")).unwrap();
    fs::write(path("killed/manifest.json"), manifest.replace("\"partial\": false", "\"partial\": true"))
        .unwrap();
    fs::write(path("there.html"), "mine").unwrap();
    ok(folder.path(), &format!("{RUN} random -n 20 --rule health=10,11 --out swept"));
    for (line, part) in [
        ("report nowhere --out p.html", "cannot read nowhere"),
        ("report empty --out p.html", "empty holds no results"),
        ("report old --out p.html", "has schema 0, and this version reads 2"),
        ("report torn --out p.html", "cannot read torn/manifest.json"),
        ("report ragged --out p.html", "cannot read ragged/scores.csv"),
        (
            "report killed --out p.html",
            "killed has no tables: the run was stopped before it wrote its tables",
        ),
        ("report good good --out p.html", "good was named twice"),
        ("report swept swept/health-10 --out p.html", "swept/health-10 lies in swept, which was named, too"),
        ("report swept/health-10 swept --out p.html", "swept/health-10 lies in swept, which was named, too"),
        ("report good --out there.html", "there.html exists already"),
        ("report good --out good/summary.csv --force", "good/summary.csv lies in good"),
        ("report good --out good/cells.csv", "good/cells.csv lies in good"),
        ("report --out p.html", "<DIR>..."),
    ] {
        let output = call(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", error(&output));
        assert!(error(&output).contains(part), "{line}: {}", error(&output));
        assert!(!path("p.html").exists());
    }
    ok(folder.path(), "report good --out there.html --force");
    assert!(fs::read_to_string(path("there.html")).unwrap().starts_with("<!DOCTYPE html>"));
    let output = call(folder.path(), "report good --out no/such/p.html");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(error(&output), "error: cannot write no/such/p.html: its folder is not there\n");
    // `-` is no place, in a folder of results neither and whatever has this name.
    fs::create_dir(path("good/-")).unwrap();
    assert!(ok(&path("good"), "report . --out -").starts_with("<!DOCTYPE html>"));
}

/// Where no model serves the rules another evaluator plays, and the page says that it does.
#[test]
fn players_that_change_with_the_rules_are_named() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), &format!("{RUN} fast -n 4 --rule health=39..41 --out a"));
    let text = page(folder.path(), "a");
    sound(&text);
    let said = "<p><code>fast</code> is not the same player in all runs: <code>evaluator=net</code> in ";
    let (_, rest) = text.split_once(said).expect("the page says it");
    let (runs, _) = rest.split_once("</p>").unwrap();
    assert!(runs.contains("39") && runs.contains("<code>evaluator=rule</code> in <code>"), "{runs}");
    ok(folder.path(), &format!("{RUN} fast -n 4 --rule health=39..40 --out b"));
    assert!(!page(folder.path(), "b").contains("not the same player"));
}
