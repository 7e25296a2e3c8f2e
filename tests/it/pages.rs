//! Pages about folders that are not as a run left them.

use crate::common::ok;
use crate::report::{findings, page};
use std::fs;

/// A section of a page, from its head on.
fn section<'a>(page: &'a str, title: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("<h2>{title}</h2>")).unwrap();
    rest.split_once("</section>").unwrap().0
}

/// The rows of cells that are gone are those of different runs, and these were played by the same rules as the others: no page was
/// made of two such cells, and after one a player was no longer compared with the others.
#[test]
fn cells_that_are_gone_keep_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, "run --game dungeon --agent random --rule health=10..14 -n 60 --out swept --quiet");
    let study = "summary = 's'\nseed = 5\n[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = ['random', 'greedy', 'rule']\nn = 40\n";
    fs::write(at.join("s.toml"), study).unwrap();
    ok(at, "experiment s.toml --out agents --quiet");
    for (name, cells) in
        [("swept", ["health-11", "health-12"]), ("agents", ["dungeon-greedy", "dungeon-rule"])]
    {
        let whole = page(at, name);
        cells.iter().for_each(|cell| fs::remove_dir_all(at.join(name).join(cell)).unwrap());
        let text = page(at, name);
        assert_eq!(findings(&text), findings(&whole));
        for title in ["Results", "Scores", "What players did"] {
            assert_eq!(section(&text, title), section(&whole, title), "{name}: {title}");
        }
    }
}

/// A game that is shown has its moves and its luck however far down in their files they stand: what other decisions had before them,
/// as of long games at tables of seven, used up the rows that were read.
#[test]
fn shown_games_are_read_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, "analyse --game dungeon --agent random -n 2 --worlds 20 --seed 5 --out a --quiet");
    let whole = page(at, "a");
    for file in ["moves.csv", "luck.csv"] {
        let path = at.join("a").join(file);
        let table = fs::read_to_string(&path).unwrap();
        let (columns, rows) = table.split_once('\n').unwrap();
        let rest = ",0".repeat(columns.split(',').count() - 2);
        let others: String = (0..20_000).map(|number| format!("0,9{number:05}{rest}\n")).collect();
        fs::write(&path, format!("{columns}\n{others}{rows}")).unwrap();
    }
    let title = "Games of a";
    let games = section(&whole, title);
    assert!(games.contains("luck") && games.contains("Values of "), "{games}");
    // Between two decisions of a seat others decide, too.
    assert!(games.contains("what luck brought, and where others play, their decisions, too."), "{games}");
    assert_eq!(section(&page(at, "a"), title), games);
}

/// A cell under another name is not shown beside its row in the joined tables, as if there had been two runs; the page says so.
#[test]
fn cells_under_other_names_do_not_count_twice() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, "run --game dungeon --agent random --rule health=10..12 -n 60 --out s --quiet");
    let whole = page(at, "s");
    fs::rename(at.join("s/health-11"), at.join("s/old")).unwrap();
    let text = page(at, "s");
    assert_eq!(section(&text, "Results"), section(&whole, "Results"));
    let told = "<p>The joined tables of <code>s</code> do not hold what lies in <code>old</code>: it is not shown.</p>";
    assert!(text.contains(told) && !whole.contains("joined"), "{text}");
    // Neither is what lies in a cell; and what is not shown need not be sound.
    ok(at, "run --game dungeon --agent random -n 20 --out s/health-10/inner --quiet");
    fs::write(at.join("s/old/manifest.json"), "{}").unwrap();
    let text = page(at, "s");
    assert_eq!(section(&text, "Results"), section(&whole, "Results"));
    assert!(
        text.contains("lies in <code>health-10/inner</code>, <code>old</code>: it is not shown"),
        "{text}"
    );
    assert!(!text.contains("-n 20"), "{text}");
}

/// Everything in a folder is shown: studies beside runs, and a run that lies in the folder of another.
#[test]
fn folders_in_folders_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = "run --quiet --agent random -n 20 --game";
    ok(at, &format!("{run} dungeon --rule health=10..14 --out mix/swept"));
    let text = page(at, "mix");
    assert!(section(&text, "Results").contains("Win rate by health"), "{text}");
    ok(at, &format!("{run} columns --out mix/one"));
    ok(at, &format!("{run} whist --out mix/one/inner"));
    let text = page(at, "mix");
    for title in ["columns: Results", "dungeon: Results", "whist: Results"] {
        assert!(section(&text, title).contains("random"), "{title}");
    }
    // The tables of the sweep hold those of its cells.
    assert_eq!(section(&text, "dungeon: Results").matches(">health-12<").count(), 1);
}

/// Each part of a run is named before all else, however many there are: only the first ones were.
#[test]
fn all_parts_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let parts = (1..=8).map(|part| format!("p{part}")).collect::<Vec<_>>();
    for (part, name) in parts.iter().enumerate() {
        let run = "run --quiet --game dungeon --agent random -n 16 --shard";
        ok(at, &format!("{run} {}/8 --out {name}", part + 1));
    }
    let text = page(at, &parts.join(" "));
    let (head, _) = text.split_once("<h2>Findings</h2>").unwrap();
    for name in parts {
        assert!(head.contains(&format!("<p><code>{name}</code> is part ")), "{head}");
    }
    assert!(head.contains("<summary>2 more of these notes</summary>"), "{head}");
}

/// The rules and the cards that all runs share stand under the title, except the defaults: they stood in a folded table alone.
#[test]
fn shared_rules_are_told_first() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = "run --quiet --agent random -n 5 --game dungeon --cards 2-9CDHS --rule avoid_order=shuffled";
    ok(at, &format!("{run} --rule health=15 --out a"));
    ok(at, &format!("{run} --rule health=16 --out b"));
    ok(at, "run --quiet --agent random -n 5 --game whist --out c");
    let shared = "<code>cards=2-9CDHS</code>, <code>avoid_order=shuffled</code>";
    let own = "<code>cards=2-9CDHS</code>, <code>avoid_order=shuffled</code>, <code>health=15</code>";
    for (folders, told) in [
        ("a", format!("<p>Rules of dungeon: {own}.</p>")),
        ("a b c", format!("<p>Rules of dungeon in all runs: {shared}.</p>")),
    ] {
        let text = page(at, folders);
        let (head, _) = text.split_once("</header>").unwrap();
        assert!(head.contains(&told) && !head.contains("Rules of whist"), "{head}");
    }
    assert!(!page(at, "c").contains("<p>Rules of "));
}

/// A printed page has the commands and the runs, which are folded on the screen.
#[test]
fn printed_pages_say_what_was_run() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), "run --quiet --game dungeon --agent random -n 5 --out a");
    let text = page(folder.path(), "a");
    let (_, runs) = text.split_once("<section id=\"runs\">").unwrap();
    assert!(
        runs.contains("<details><summary>Commands (1)") && runs.contains("<details><summary>Runs (1 row)"),
        "{runs}"
    );
    let style =
        "#runs details::details-content { display: block; height: auto; content-visibility: visible; } }\n";
    assert!(text.contains(style), "{text}");
}

/// What has no value has no chart and no range: heat maps were drawn of empty cells alone, and a run of no games had scores " to ".
#[test]
fn nothing_is_drawn_of_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, "run --quiet --game columns --agent random -n 1 --rule max_rounds=1 --out c");
    let dice = page(at, "c");
    let dice = section(&dice, "Where the dice go");
    assert!(dice.contains("<summary>placements.csv (") && !dice.contains("<figure>"), "{dice}");
    ok(at, "run --quiet --game dungeon --agent random -n 1 --out none");
    let table = "game,agent,seat,games,score_q05,score_q95\ndungeon,random,0,0,,\n";
    fs::write(at.join("none/summary.csv"), table).unwrap();
    let text = page(at, "none");
    assert!(text.contains("<summary>Summary (") && !text.contains("> to <"), "{text}");
}

/// A table behind charts has rows of each agent: a first one with many used up those that are shown.
#[test]
fn tables_have_rows_of_each_agent() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, "run --quiet --game columns --agent random --agent rule -n 2 --out c");
    let many: String = (0..450).map(|key| format!("columns,random,m,{key},1\n")).collect();
    let table = format!("game,agent,measure,key,count\n{many}columns,rule,m,7,977\n");
    fs::write(at.join("c/tally.csv"), table).unwrap();
    let text = page(at, "c");
    let (_, raw) = text.split_once("<summary>tally.csv (451 rows, 401 shown)").unwrap();
    assert!(raw.split_once("</details>").unwrap().0.contains(">977<"), "{raw}");
}

/// A table behind charts has the columns of all folders, whichever comes first: behind a run, the rows of a sweep lost what tells
/// them apart.
#[test]
fn tables_keep_the_columns_of_all_folders() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = "run --quiet --game dungeon --agent random -n 20";
    ok(at, &format!("{run} --out one"));
    ok(at, &format!("{run} --rule health=10,11 --out swept"));
    for folders in ["one swept", "swept one"] {
        let text = page(at, folders);
        let columns = ["cell", "seed", "n", "rule_health", "game", "agent", "seat", "games"];
        let head: String = columns.iter().map(|column| format!("<th scope=\"col\">{column}</th>")).collect();
        assert!(text.contains(&format!("<tr>{head}")), "{folders}");
    }
}

/// Counts of more cases than a chart has bars stand in a table: they were left out.
#[test]
fn counts_of_many_cases_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (health, shown) in [(60, "<figcaption>health at end<"), (61, "<summary>health at end, a game: ")] {
        ok(
            at,
            &format!("run --game dungeon --agent rule -n 5 --rule health={health} --out {health} --quiet"),
        );
        let text = page(at, &health.to_string());
        assert!(section(&text, "What players did").contains(shown), "{text}");
    }
}

/// Values that no solved deal has keep their places on the axis: a line went over them as if some had.
#[test]
fn values_of_deals_keep_their_distances() {
    let folder = tempfile::tempdir().unwrap();
    ok(folder.path(), "solve --game dungeon --quiet --objective health -n 6 --budget 3000 --out h");
    for (values, has, lacks) in [
        (["10", "15", "17"], "<rect ", "in steps"),
        (["-180", "3", "20"], "Values of the solved deals: health, in steps of width 5<", "deals: health<"),
    ] {
        let rows: String = values.iter().map(|value| format!("dungeon,health,solved,{value},1\n")).collect();
        let table = format!("game,objective,verdict,value,deals\n{rows}");
        fs::write(folder.path().join("h/values.csv"), table).unwrap();
        let text = page(folder.path(), "h");
        let (_, values) = text.split_once("<figcaption>Values of the solved deals").unwrap();
        let values = format!("Values of the solved deals{}", values.split_once("</figure>").unwrap().0);
        assert!(values.contains(has) && !values.contains(lacks), "{values}");
    }
}
