//! Analyses from outside: what they write adds up, tells no lies about luck, and is reproducible; positions are valued rightly.

use crate::common::{call, documented, error, ok};
use knave::analysis::JudgeSpec;
use knave::cards::Card;
use knave::live::Position;
use knave::registry::Registry;
use knave::studies::Session;
use knave_agents::AgentSpec;
use knave_agents::options::Fields;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The rows of a table, by column.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

/// In every game, and for every seat, a result is the value at the deal, luck, and what decisions were worth: game by game, and in the
/// mean. What stands in the tables fits together.
#[test]
fn results_add_up() {
    for game in knave::games::names() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let agents = match game {
            "dungeon" | "verslun" => "--agent greedy",
            "whist" => "--agent greedy --agent rule --agent random --agent rule",
            _ => "--agent random --agent rule",
        };
        let budget = "--judge rule --worlds 20 --moves 3";
        ok(folder, &format!("analyse --game {game} {agents} -n 2 --seed 6001 {budget} --out a --quiet"));
        let folder = folder.join("a");
        let balance = rows(&folder.join("balance.csv"));
        let mut luck: BTreeMap<(String, String), f64> = BTreeMap::new();
        for row in rows(&folder.join("luck.csv")) {
            *luck.entry((row["index"].clone(), row["seat"].clone())).or_default() += number(&row, "luck");
        }
        for row in &balance {
            let parts: f64 = ["start", "luck", "own", "others"].map(|part| number(row, part)).iter().sum();
            assert!((parts - number(row, "result")).abs() < 1e-8, "{game}: {row:?}");
            let events = luck.get(&(row["index"].clone(), row["seat"].clone())).copied().unwrap_or_default();
            assert!((events - number(row, "luck")).abs() < 1e-7, "{game}: {row:?}");
        }
        for row in rows(&folder.join("analysis.csv")) {
            let mean = |column: &str| {
                let seats = balance.iter().filter(|game| game["seat"] == row["seat"]);
                seats.clone().map(|game| number(game, column)).sum::<f64>() / seats.count() as f64
            };
            for column in ["result", "start", "luck", "own", "others", "regret"] {
                assert!((mean(column) - number(&row, column)).abs() < 1e-8, "{game}: {column}");
            }
        }
        let decisions = rows(&folder.join("decisions.csv"));
        if game != "dungeon" {
            let empty = |row: &BTreeMap<String, String>| {
                ["clairvoyant_before", "clairvoyant_after"].iter().all(|column| row[*column].is_empty())
            };
            assert!(decisions.iter().all(empty), "{game}");
        } else {
            // What is lost for somebody who knows every card stays lost, and the last word is the result.
            for row in &decisions {
                assert!(number(row, "clairvoyant_after") <= number(row, "clairvoyant_before"), "{row:?}");
                let last = decisions.iter().rev().find(|other| other["index"] == row["index"]).unwrap();
                let game = balance.iter().find(|game| game["index"] == row["index"]).unwrap();
                assert!(number(game, "result") <= number(last, "clairvoyant_after"), "{row:?}");
            }
            assert!(decisions.iter().any(|row| row["clairvoyant_before"] == "1.0"));
        }
        let all: u64 =
            rows(&folder.join("errors.csv")).iter().map(|row| number(row, "decisions") as u64).sum();
        assert_eq!(all as usize, decisions.len(), "{game}");
        let moves = rows(&folder.join("moves.csv"));
        for row in &decisions {
            let valued = |column: &str| {
                let same = |other: &&BTreeMap<String, String>| {
                    ["index", "number"].iter().all(|key| other[*key] == row[*key])
                        && other["move"] == row[column]
                };
                moves.iter().find(same).unwrap_or_else(|| panic!("{game}: no value of {row:?}"))
            };
            let [played, judge, best] = ["played", "judge", "best"].map(valued);
            assert!([played, judge, best].iter().all(|row| row["worlds"] == "20"), "{game}");
            assert!((number(judge, "mean") - number(row, "before")).abs() < 1e-8, "{game}: {row:?}");
            let gain = number(played, "mean") - number(judge, "mean");
            assert!((gain - number(row, "gain")).abs() < 1e-8, "{game}: {row:?}");
        }
    }
}

/// Luck has expectation 0 in a game for one player, however weak the judge is; a result without it is the same in the mean, and known
/// better.
#[test]
fn luck_is_nothing_on_average() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let analysis = |agent: &str, n: u32| {
        let line = format!(
            "analyse --game dungeon --agent {agent} -n {n} --seed 6002 --rule health=14 --judge rule --worlds 20 --moves 2"
        );
        ok(folder, &format!("{line} --out {agent} --quiet"));
        let row = rows(&folder.join(agent).join("analysis.csv")).remove(0);
        let inside = |value: f64, name: &str| {
            number(&row, &format!("{name}_low")) <= value && value <= number(&row, &format!("{name}_high"))
        };
        assert!(inside(0.0, "luck"), "{row:?}");
        // What decisions are worth is the difference between the player and the judge.
        let decisions = number(&row, "adjusted") - number(&row, "start");
        assert!((decisions - number(&row, "own")).abs() < 1e-8, "{row:?}");
        row
    };
    let weak = analysis("greedy", 20);
    assert!(number(&weak, "own") < -0.2 && number(&weak, "regret") > 0.2, "{weak:?}");
    // The judge's own agent does as well as it does.
    let own = analysis("rule", 30);
    assert!(
        number(&own, "own") == 0.0 && number(&own, "factor") > 3.0 && number(&own, "regret").abs() < 0.05,
        "{own:?}"
    );
}

/// Four cards of the pile are unseen, so there are 24 worlds: the values of moves are those of all, played out by hand.
#[test]
fn values_are_those_of_all_worlds() {
    let registry = Registry::builtin().build();
    let rule: AgentSpec = "rule".parse().unwrap();
    let judge = JudgeSpec { agent: Some(rule.clone()), worlds: Some(400), ..JudgeSpec::default() };
    let won = |world: &dyn Position, m: &str| {
        let mut world = world.copy();
        world.play(m).unwrap();
        while world.turn().is_some() {
            let m = world.hint(&rule, 0).unwrap();
            world.play(&m).unwrap();
        }
        f64::from(u8::from(world.results().unwrap()[0].1))
    };
    let mut between = 0;
    for health in (8..24).step_by(3) {
        let rules = Fields::from_iter([("health".to_owned(), health.into())]);
        let ruleset = registry.game("dungeon").unwrap().ruleset(&rules).unwrap();
        let unseen = ["JS", "8S", "5H", "7D"];
        let mut worlds = Vec::new();
        for place in 0..4_usize.pow(4) {
            let order: Vec<&str> = (0..4).map(|digit| unseen[place / 4_usize.pow(digit) % 4]).collect();
            if unseen.iter().all(|card| order.contains(card)) {
                let deck = ["4D", "6S", "3H", "9C"].into_iter().chain(order);
                let deck: Vec<Card> = deck.map(|card| card.parse().unwrap()).collect();
                worlds.push(ruleset.deal_deck(&deck, (0, 0)).unwrap());
            }
        }
        let appraised = worlds[0].appraise(&judge, None, 1, &AtomicBool::new(false)).unwrap();
        assert_eq!(appraised.legal, appraised.moves.len());
        for value in &appraised.moves {
            let exact = worlds.iter().map(|world| won(&**world, &value.r#move)).sum::<f64>() / 24.0;
            between += u32::from(exact > 0.0 && exact < 1.0);
            assert!((value.mean - exact).abs() <= 4.0 * value.se, "health {health}: {value:?}, but {exact}");
        }
    }
    assert!(between > 0, "no move depends on what is unseen");
}

/// The same games from a run and from its transcripts, in parts or whole, are analysed alike.
#[test]
fn analyses_do_not_depend_on_how_they_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let budget = "--judge rule --worlds 20 --seed 3 --quiet";
    let game = "--game verslun --agent greedy -n 6";
    ok(folder, &format!("analyse {game} {budget} --out whole --threads 2"));
    for part in 1..=2 {
        ok(folder, &format!("analyse {game} {budget} --shard {part}/2 --out parts/{part}"));
    }
    ok(folder, "merge parts --out joined");
    ok(folder, &format!("run {game} --seed 3 --transcripts games.jsonl --out run --quiet"));
    ok(folder, &format!("analyse games.jsonl {budget} --out listed"));
    // The first half goes on to the whole.
    ok(folder, "merge parts/1 --out begun");
    ok(folder, &format!("analyse {game} {budget} --out begun --resume"));
    for other in ["joined", "listed", "begun"] {
        for table in ["analysis", "errors", "decisions", "moves", "luck", "balance"] {
            let read = |folder_name: &str| {
                fs::read_to_string(folder.join(folder_name).join(format!("{table}.csv"))).unwrap()
            };
            assert!(read("whole") == read(other), "{table} of {other}");
        }
    }
}

/// Every column is documented, and `sim show` and a page show the folder.
#[test]
fn analyses_are_documented() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let budget = "--judge rule --worlds 20";
    ok(folder, &format!("analyse --game dungeon --agent greedy -n 2 --seed 6001 {budget} --out a --quiet"));
    let documentation = include_str!("../../results/README.md");
    for table in ["analysis", "errors", "decisions", "moves", "luck", "balance"] {
        let table = format!("{table}.csv");
        let text = fs::read_to_string(folder.join("a").join(&table)).unwrap();
        let columns = text.lines().next().unwrap();
        if table != "decisions.csv" && table != "luck.csv" {
            documented(&folder.join("a"), &table, columns, documentation);
            continue;
        }
        // Views and random events hold commas.
        let section = documentation.split("\n## ").find(|section| section.starts_with(&table)).unwrap();
        columns
            .split(',')
            .for_each(|column| assert!(section.contains(&format!("`{column}`")), "{table}: {column}"));
    }
    let shown = ok(folder, "show a");
    for part in ["Analysis: dungeon", "instead of", "room", "health"] {
        assert!(shown.contains(part), "{part} is missing in {shown}");
    }
    let page = ok(folder, "report a --out -");
    for part in [
        "Decisions and luck",
        "Lost by decisions, % of a win a game",
        "sim analyse --game dungeon --agent greedy -n 2",
        "Game 0, decision by decision",
        "Game 0: the value of the position, and the result",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // A game is stepped through by links: every decision has its place, and nothing leads nowhere.
    let decisions = rows(&folder.join("a/decisions.csv")).len();
    assert_eq!(page.matches("<article class=\"step\"").count(), decisions);
    let places: BTreeSet<&str> =
        page.split(" id=\"").skip(1).filter_map(|part| part.split('"').next()).collect();
    let links: BTreeSet<&str> =
        page.split(" href=\"#").skip(1).filter_map(|part| part.split('"').next()).collect();
    assert_eq!(links.difference(&places).collect::<Vec<_>>(), Vec::<&&str>::new());
    assert!(links.len() > decisions, "{links:?}");
}

/// The score of columns is 0 or 1: one decimal told little of it.
#[test]
fn scores_have_two_decimals() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--agent rule --measure score --judge random --worlds 20 --moves 2 -n 1 --out a";
    let told = ok(folder.path(), &format!("analyse --game columns {line}"));
    let row = told.lines().find(|line| line.trim_start().starts_with("0  rule")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[2..4], ["1.00", "0.50"], "{told}");
}

/// A game that was given up is lost by that, and not by luck.
#[test]
fn giving_up_is_no_luck() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent fast -n 20 --seed 6001 --transcripts all.jsonl --out r --quiet");
    let all = fs::read_to_string(folder.join("all.jsonl")).unwrap();
    let won = all.lines().find(|line| line.contains("\"winners\":[0]")).unwrap();
    let given_up = won
        .replace("\"winners\":[0]", "\"winners\":[]")
        .replace("\"end\":\"cleared\"", "\"end\":\"cleared\",\"forfeited\":[0]");
    fs::write(folder.join("g.jsonl"), given_up).unwrap();
    fs::write(folder.join("w.jsonl"), won).unwrap();
    for name in ["g", "w"] {
        ok(folder, &format!("analyse {name}.jsonl --judge rule --worlds 20 --out {name} --quiet"));
    }
    let [given_up, won] = ["g", "w"].map(|name| rows(&folder.join(name).join("balance.csv")).remove(0));
    assert_eq!(given_up["luck"], won["luck"]);
    assert!((number(&won, "own") - number(&given_up, "own") - 1.0).abs() < 1e-8, "{given_up:?}");
    assert_eq!(number(&given_up, "result"), 0.0);
    // The rest of such a game is played at random for the seat, which is no decision of its own.
    ok(folder, "run --game dungeon --agent random -n 1 --seed 6001 --transcripts p.jsonl --out p --quiet");
    let played = fs::read_to_string(folder.join("p.jsonl")).unwrap();
    fs::write(
        folder.join("q.jsonl"),
        played.replace("\"end\":\"died\"", "\"end\":\"died\",\"forfeited\":[0]"),
    )
    .unwrap();
    for (name, is_graded) in [("p", true), ("q", false)] {
        ok(folder, &format!("analyse {name}.jsonl --judge rule --worlds 20 --out {name}a --quiet"));
        let row = rows(&folder.join(format!("{name}a/balance.csv"))).remove(0);
        assert_eq!(number(&row, "regret") > 0.0, is_graded, "{row:?}");
        assert!(number(&row, "own") < 0.0, "{row:?}");
        let decisions = rows(&folder.join(format!("{name}a/decisions.csv")));
        assert_eq!(decisions.iter().any(|row| !row["grade"].is_empty()), is_graded, "{decisions:?}");
        assert_eq!(rows(&folder.join(format!("{name}a/errors.csv"))).is_empty(), !is_graded);
    }
}

/// Points that one takes from a partner are no gain: the score of a seat is that of its team.
#[test]
fn partners_have_one_score() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rules = "--rule players=4 --rule teams=[0,1,0,1] --rule cards=2";
    ok(
        folder,
        &format!(
            "analyse --game doubles {rules} --agent rule --judge rule --measure score -n 2 --worlds 20 --out a --quiet"
        ),
    );
    let balance = rows(&folder.join("a/balance.csv"));
    for game in balance.chunks(4) {
        for (one, other) in [(0, 2), (1, 3)] {
            assert_eq!(game[one]["result"], game[other]["result"], "{game:?}");
        }
    }
}

/// The beginning of a game is a position.
#[test]
fn beginnings_are_positions() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game doubles --agent rule -n 1 --seed 6001 --transcripts g.jsonl --out r --quiet");
    let text = fs::read_to_string(folder.join("g.jsonl")).unwrap();
    let mut game: serde_json::Value = serde_json::from_str(&text).unwrap();
    let budget = "--judge rule --worlds 20";
    let whole = ok(folder, &format!("hint g.jsonl --decision 2 {budget}"));
    // Its beginning does not tell what was played then: here the judge's own move, by which the others are measured in either case.
    let whole: String =
        whole.split_inclusive('\n').filter(|line| !line.starts_with("The move that was played: ")).collect();
    let events = game["events"].as_array().unwrap().clone();
    let shown = (1..events.len()).find(|&end| {
        game["events"] = events[..end].to_vec().into();
        for field in ["scores", "winners", "end"] {
            game.as_object_mut().unwrap().remove(field);
        }
        fs::write(folder.join("b.jsonl"), game.to_string()).unwrap();
        let output = call(folder, &format!("hint b.jsonl {budget}"));
        let text = String::from_utf8(output.stdout).unwrap();
        text == whole
    });
    assert!(shown.is_some(), "{whole}");
}

/// What a player knows is a position, too: from its view alone a decision is judged as from the record of the game.
#[test]
fn views_are_positions() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let budget = "--judge rule --worlds 20 --moves 3";
    for game in ["dungeon", "verslun", "columns", "doubles", "whist"] {
        ok(
            folder,
            &format!(
                "run --game {game} --agent rule -n 1 --seed 6001 --transcripts {game}.jsonl --out {game} --quiet"
            ),
        );
        let told = ok(folder, &format!("hint {game}.jsonl --decision 3 {budget} --json"));
        fs::write(folder.join("view.json"), &told).unwrap();
        assert_eq!(ok(folder, &format!("hint view.json {budget} --json")), told);
        let mut told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let impossible: &[(&str, serde_json::Value, &str)] = match game {
            "dungeon" => &[("weapon", 1.into(), "weapon=1: expected 0, or 2 to 10")],
            "doubles" => &[
                ("stakes", 300.into(), "view: stakes=300: expected 2 to 24"),
                ("game", 3.into(), "view: game=3: expected 0"),
            ],
            "whist" => &[
                ("points", vec![100, 0, 0, 0].into(), "view: points=[100, 0, 0, 0]: expected ["),
                ("led", serde_json::Value::Null, "view: led=null: expected the suit of a card in the trick"),
            ],
            "columns" => {
                &[("dice", vec![1, 2, 3, 4].into(), "view: dice=[1, 2, 3, 4]: expected at most three dice")]
            }
            _ => &[],
        };
        for (field, value, part) in impossible {
            let mut wrong = told.clone();
            wrong["view"][*field] = value.clone();
            fs::write(folder.join("wrong.json"), wrong.to_string()).unwrap();
            let text = error(&call(folder, "hint wrong.json"));
            assert!(text.contains(part), "{text}");
        }
        // What is no value of the field at all is refused by the field's name, too.
        let fields = told["view"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        for field in fields {
            let mut wrong = told.clone();
            wrong["view"][&field] = serde_json::json!([{ "a": 1 }]);
            fs::write(folder.join("wrong.json"), wrong.to_string()).unwrap();
            let text = error(&call(folder, "hint wrong.json"));
            assert!(text.contains(&format!("view: {field}")), "{text}");
        }
        told["view"]["hand"] = serde_json::json!(["2C", "2C"]);
        told["view"]["health"] = 0.into();
        fs::write(folder.join("wrong.json"), told.to_string()).unwrap();
        let output = call(folder, "hint wrong.json");
        assert_eq!(output.status.code(), Some(2));
        let text = error(&output);
        let part =
            if game == "dungeon" { "view: health=0: expected 1 to 20" } else { "view: hand: 2C comes twice" };
        assert!(text.contains(part), "{text}");
    }
    let text = error(&call(folder, "hint view.json --decision 2"));
    assert!(text.contains("--decision: a view is one decision"), "{text}");
}

/// A view may be wrong in several places that fit each other: a game of doubles that would go on without cards, and hands of
/// whist that no trick leaves.
#[test]
fn views_that_nobody_has_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let deck = |suits: &[char]| -> Vec<String> {
        let ranks = |suit: &char| {
            "23456789TJQKA".chars().map(move |rank| format!("{rank}{suit}")).collect::<Vec<_>>()
        };
        suits.iter().flat_map(ranks).collect()
    };
    let mut played = deck(&['C']);
    played.push("2D".to_owned());
    let mut unseen = deck(&['D', 'H', 'S']);
    unseen.retain(|card| card != "2D");
    let without_cards = serde_json::json!({ "game": "doubles", "view": {
        "phase": "choose", "mover": 0, "roller": 0, "stakes": 7, "challenger": null, "high": null, "scores": [0, 0],
        "rolls": 1, "game": 0, "hand": [], "counts": [0, 0], "played": played, "unseen": unseen,
    }});
    let uneven = serde_json::json!({ "game": "whist", "view": {
        "mover": 0, "trump": "H", "shown": "3H", "hand": ["2C", "2D"], "others": ["4C", "3H"], "counts": [2, 1, 0, 1],
        "leader": 0, "trick": [], "led": null, "ahead": null, "voids": [[], [], [], []], "taken": [[], [], [], []],
        "points": [0, 0, 0, 0],
    }});
    let mut misspelt = without_cards.clone();
    misspelt["view"]["rolls"] = 8.into();
    misspelt["view"]["scores"] = serde_json::json!([20, 20]);
    misspelt["view"]["hand"] = serde_json::json!(["2D"]);
    misspelt["view"]["counts"] = serde_json::json!([1, 0]);
    misspelt["view"]["played"].as_array_mut().unwrap().pop();
    misspelt["view"]["chalenger"] = 1.into();
    for (view, part) in [
        (misspelt, "view: chalenger=1: expected the fields challenger, counts, "),
        (without_cards, "view: counts=0: expected a card in some hand"),
        (uneven, "view: counts=[2, 1, 0, 1]: expected hands of the same size before the trick"),
    ] {
        fs::write(folder.join("wrong.json"), view.to_string()).unwrap();
        let output = call(folder, "hint wrong.json");
        assert_eq!(output.status.code(), Some(2));
        assert!(error(&output).contains(part), "{}", error(&output));
    }
}

/// The command that is printed below one of the worst decisions leads to that position, wherever the games stand in the file.
#[test]
fn the_worst_decisions_can_be_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent random -n 6 --transcripts games.jsonl --out o --quiet");
    let games = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    fs::write(folder.join("gaps.jsonl"), "\n".to_owned() + &games.replacen('\n', "\n\n", 2)).unwrap();
    ok(folder, "analyse gaps.jsonl --judge rule --worlds 20 --out a --quiet");
    let shown = ok(folder, "show a");
    let (_, worst) = shown.split_once("  sim hint ").unwrap();
    let (command, position) = worst.split_once('\n').unwrap();
    assert!(command.ends_with(" --judge rule --worlds 20 --moves 12 --measure wins"), "{command}");
    let hint = ok(folder, &format!("hint {command}"));
    // Whatever the judge thinks of it, the move that was played is valued in all worlds.
    let (_, played) = hint.split_once("The move that was played: ").unwrap();
    let (played, values) = played.split_once('\n').unwrap();
    let valued = values.lines().find(|line| line.starts_with(&format!("{played}  "))).unwrap();
    assert!(valued.ends_with(" 20") && !valued.contains(" - "), "{hint}");
    let board: Vec<&str> = position.lines().take_while(|line| !line.is_empty()).collect();
    assert!(board.len() > 3 && board.iter().all(|line| hint.contains(line)), "{command}\n{hint}\n{shown}");
    // A name that begins with a dash is no option.
    fs::copy(folder.join("gaps.jsonl"), folder.join("-gaps.jsonl")).unwrap();
    ok(folder, "analyse --judge rule --worlds 20 --out dash --quiet -- -gaps.jsonl");
    let dash = ok(folder, "show dash");
    assert!(dash.contains("  sim hint ./-gaps.jsonl --line "), "{dash}");
    // Another game may stand in that line now.
    fs::write(folder.join("gaps.jsonl"), &games).unwrap();
    let shown = ok(folder, "show a");
    assert!(shown.contains("The worst of") && !shown.contains("sim hint"), "{shown}");
    let table = fs::read_to_string(folder.join("a/decisions.csv")).unwrap();
    let (head, rows) = table.split_once('\n').unwrap();
    let row = rows.lines().find(|row| row.contains(",very_bad,")).unwrap().to_owned() + "\n";
    for (count, told) in
        [(1, "The only decision with a grade:"), (1200, "The worst of 1,200 decisions with a grade:")]
    {
        fs::write(folder.join("a/decisions.csv"), format!("{head}\n{}", row.repeat(count))).unwrap();
        let shown = ok(folder, "show a");
        assert!(shown.contains(&format!("\n{told}\n")), "{shown}");
    }
    // The other tables are shown without that of the decisions.
    fs::remove_file(folder.join("a/decisions.csv")).unwrap();
    assert!(!ok(folder, "show a").contains("The worst of"));
    let gone = error(&call(folder, "show a --table decisions"));
    assert!(gone.contains("decisions.csv is missing: it was removed") && gone.contains("--force"), "{gone}");
}

/// A request about files tells their number of games or none, as manifests do: another one would be asked for in vain.
#[test]
fn files_hold_as_many_games_as_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), "run --game dungeon --agent greedy -n 2 --transcripts d.jsonl --out d --quiet");
    let registry = Registry::builtin().build();
    let asked = |n: u64| {
        let transcripts = serde_json::json!({ "files": [folder.path().join("d.jsonl")] });
        let request =
            serde_json::json!({ "study": "analyse", "game": "dungeon", "transcripts": transcripts, "n": n });
        Session::new(&registry, &serde_json::from_value(request).unwrap()).map(|_| ())
    };
    for n in [0, 2] {
        assert!(asked(n).is_ok(), "n={n}");
    }
    for n in [1, 3] {
        let refused = asked(n).unwrap_err();
        let told = format!("n={n} is refused: the files hold 2 games, so leave their number out");
        assert_eq!(refused.to_string(), told);
    }
}

/// Bad input is refused before any work, with what would be right.
#[test]
fn bad_analyses_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent greedy -n 2 --transcripts d.jsonl --out d --quiet");
    ok(
        folder,
        "run --game dungeon --agent greedy -n 1 --rule health=9 --transcripts h.jsonl --out h --quiet",
    );
    let both = fs::read_to_string(folder.join("d.jsonl")).unwrap()
        + &fs::read_to_string(folder.join("h.jsonl")).unwrap();
    fs::write(folder.join("both.jsonl"), &both).unwrap();
    fs::write(folder.join("empty"), "").unwrap();
    let mut wrong: serde_json::Value = serde_json::from_str(both.lines().next().unwrap()).unwrap();
    let mut begun = wrong.clone();
    ["scores", "winners", "end"].iter().for_each(|field| drop(begun.as_object_mut().unwrap().remove(*field)));
    begun["events"].as_array_mut().unwrap().truncate(1);
    fs::write(folder.join("begun.jsonl"), begun.to_string()).unwrap();
    // The first room is filled by no event: the first decision is there before any.
    begun["events"] = serde_json::json!([]);
    fs::write(folder.join("dealt.jsonl"), begun.to_string()).unwrap();
    ok(folder, "hint dealt.jsonl --decision 1 --judge rule --worlds 20");
    wrong["deck"][3] = 7.into();
    fs::write(folder.join("wrong.jsonl"), wrong.to_string()).unwrap();
    let dungeon = "analyse --game dungeon --agent greedy -n 1";
    for (line, part) in [
        (
            format!("{dungeon} --worlds 23"),
            "invalid value '23' for '--worlds <K>': expected an even number from 20",
        ),
        (format!("{dungeon} --judge nobody"), "unknown agent 'nobody'"),
        (format!("{dungeon} --judge exec:command=true"), "judge"),
        ("analyse".to_owned(), "FILE"),
        ("analyse d.jsonl --agent greedy -n 3".to_owned(), "cannot be used with"),
        ("analyse none.jsonl".to_owned(), "cannot read none.jsonl"),
        ("analyse empty".to_owned(), "there are no games in empty"),
        ("analyse empty --game dungeon".to_owned(), "no games in the files"),
        ("analyse both.jsonl".to_owned(), "both.jsonl: line 3: rules: other ones"),
        ("analyse d.jsonl ./d.jsonl".to_owned(), "transcripts: ./d.jsonl was named twice"),
        ("analyse d".to_owned(), "cannot read d: is a directory"),
        ("analyse d.jsonl --game whist".to_owned(), "a transcript of dungeon, not of whist"),
        ("hint d.jsonl".to_owned(), "the game is over: name a decision, 1 to"),
        ("hint d.jsonl --decision 999".to_owned(), "there is no decision 999: the game has"),
        ("hint begun.jsonl --decision 999".to_owned(), "there is no decision 999: the game has 2"),
        ("hint dealt.jsonl --decision 2".to_owned(), "there is no decision 2: the game has 1"),
        (
            "hint wrong.jsonl".to_owned(),
            "wrong.jsonl: line 1: not a transcript: deck[3]: invalid type: integer `7`",
        ),
        ("hint d.jsonl --line 9".to_owned(), "d.jsonl has no line 9"),
        (
            "play --game dungeon --seat 1".to_owned(),
            "--seat 1 is refused: expected 0, for dungeon is for one",
        ),
        (
            "play --game dungeon --opponent rule".to_owned(),
            "--opponent rule is refused: dungeon is for one, leave it out",
        ),
        ("play --game whist --opponent nobody".to_owned(), "--opponent: unknown agent 'nobody'"),
        ("play --game whist --judge nobody".to_owned(), "--judge: unknown agent 'nobody'"),
        (
            "play --game whist --opponent expectimax".to_owned(),
            "--opponent: unknown agent 'expectimax' in whist (other games have it); agents: ",
        ),
        ("play --game whist --worlds 21".to_owned(), "expected an even number from 20"),
    ] {
        let output = call(folder, &line);
        let text = error(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {text}");
        assert!(text.contains(part), "{line}: {text}");
    }
}
