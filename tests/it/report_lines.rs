//! Pages about an option of the rules: what makes a line of a chart, and how it is called.

use crate::common::ok;
use crate::report::page;
use std::fs;
use std::path::Path;

/// Does a study and shows its page.
fn study(at: &Path, cells: &[&str]) -> String {
    let cells: String = cells.iter().map(|cell| format!("[[cells]]\n{cell}\n")).collect();
    fs::write(at.join("s.toml"), format!("summary = 's'\nseed = 5\n{cells}")).unwrap();
    ok(at, "experiment s.toml --out s --quiet");
    page(at, "s")
}

/// Whether a legend of the page has this name.
fn has_line(page: &str, name: &str) -> bool {
    page.split("<li><span class=\"swatch").any(|item| item.contains(&format!("></span>{name}</li>")))
}

/// A comparison is of two, also where its chart has one line: the difference stood there as what the first of them makes.
#[test]
fn lines_of_comparisons_name_both() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, "compare --game dungeon --agent rule --agent random --rule health=9..11 -n 20 --out s --quiet");
    let text = page(at, "s");
    assert!(text.contains("\"Differences: wins by health. rule \u{2212} random: "), "{text}");
    assert!(has_line(&text, "rule \u{2212} random"), "{text}");
}

/// A line has one point at each value: runs of other sizes and other folders have lines of their own, and what tells no lines apart is
/// not in their names.
#[test]
fn lines_have_one_point_at_a_value() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let rules = "rules = [{health=9},{health=10},{health=11}]";
    let text = study(at, &[&format!("command='run'\ngame='dungeon'\nagents=['rule']\nn=[10,20]\n{rules}")]);
    assert!(has_line(&text, "rule · n 10") && has_line(&text, "rule · n 20"), "{text}");
    for name in ["a", "b"] {
        let run = "run --game dungeon --agent rule --rule health=9..11 -n 10 --quiet";
        ok(at, &format!("{run} --out {name}"));
    }
    let text = page(at, "a b");
    assert!(has_line(&text, "rule · a") && has_line(&text, "rule · b"), "{text}");
    // Comparisons that differ in their cells alone are no lines.
    let cell = "command='compare'\ngame='dungeon'\nagents=['rule','random']\nn=20";
    let controlled = format!("{cell}\n{rules}\nlabel='ctl'\noptions={{control=2}}");
    fs::remove_dir_all(at.join("s")).unwrap();
    let text = study(at, &[&format!("{cell}\n{rules}"), &controlled]);
    assert!(text.contains("Differences: wins. rule \u{2212} random") && !text.contains("wins by health"));
    // Neither are rows that nothing tells apart.
    let file = at.join("a/summary.csv");
    let table = fs::read_to_string(&file).unwrap();
    let rows: String = table.lines().skip(1).map(|row| format!("{row}\n")).collect();
    assert!(page(at, "a").contains("Win rate by health"));
    fs::write(&file, table + &rows).unwrap();
    assert!(!page(at, "a").contains("Win rate by health"));
}

/// A line is of one player among the same opponents: games against a weak one and against an equal one made one line. More of the
/// same opponents are no others.
#[test]
fn lines_keep_to_their_opponents() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let cell = "command='run'\ngame='columns'\nn=10\nagents=";
    let text = study(
        at,
        &[
            &format!(
                "{cell}[['rule','random']]\nrules=[{{max_rounds=8}},{{max_rounds=9}},{{max_rounds=10}}]"
            ),
            &format!(
                "{cell}[['rule','rule']]\nrules=[{{max_rounds=11}},{{max_rounds=12}},{{max_rounds=13}}]"
            ),
        ],
    );
    for opponent in ["random", "rule"] {
        assert!(has_line(&text, &format!("rule · seat 0 · with {opponent}")), "{text}");
    }
    ok(at, "run --game doubles --agent random --rule players=2..7 -n 3 --out players --quiet");
    let text = page(at, "players");
    assert!(has_line(&text, "random · seat 0"), "{text}");
    // Lines that one chart cannot hold stand in several, on the same axes.
    let charts: Vec<&str> = text.split("<figcaption>Win rate by players, ").skip(1).collect();
    let axis = |chart: &str| -> Vec<String> {
        let svg = chart.split("</svg>").next().unwrap();
        svg.split("</text>").filter_map(|text| Some(text.rsplit_once('\n')?.1.to_owned())).collect()
    };
    assert!(
        charts.len() == 2 && charts[0].starts_with("1 of 2") && charts[1].starts_with("2 of 2"),
        "{text}"
    );
    assert!(axis(charts[0]).len() > 5 && axis(charts[0]) == axis(charts[1]), "{:?}", axis(charts[0]));
}

/// Of results that are all alike none is the highest.
#[test]
fn equals_have_no_best() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(
        at,
        "compare --game columns --agent greedy --agent random --rule max_rounds=1 -n 4 --out alike --quiet",
    );
    let text = page(at, "alike");
    assert!(
        text.contains("in a row against each in a column\"") && !text.contains("the highest is"),
        "{text}"
    );
}
