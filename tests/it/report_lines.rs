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
