//! The measures of `tally.csv`: every count is explained where it is listed, on pages and in the documentation.

use super::common::{call, documentation_is, ok};
use super::shown::rules;
use knave::agents::options::fields;
use knave::games::{BuiltIn, CardGame, GameList as _, Tally, TallyMeasure, Visitor, read_rules};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn measures<G: CardGame>() -> &'static [TallyMeasure] {
    <G::Tally as Tally<G>>::MEASURES
}

/// Every row is of a measure that is explained, which has a word for its keys if it has several rows; and none is explained that
/// never comes.
#[test]
fn every_count_is_explained() {
    #[derive(Clone)]
    struct Check;
    impl Visitor for Check {
        type Output = ();
        fn visit<G: CardGame>(self) {
            let mut met = BTreeSet::new();
            for text in rules(G::NAME) {
                let given = fields("rules", text.split(' ').filter(|text| !text.is_empty())).unwrap();
                let rows = G::Tally::new(&read_rules::<G>(&given).unwrap()).rows(0);
                for row in rows {
                    let measure = measures::<G>().iter().find(|measure| measure.name == row.measure);
                    let measure = measure.unwrap_or_else(|| panic!("{}: {row:?} is not explained", G::NAME));
                    assert_eq!(measure.key.is_empty(), row.key.is_empty(), "{}: {row:?}", G::NAME);
                    met.insert(row.measure);
                }
            }
            let explained: Vec<&str> = measures::<G>().iter().map(|measure| measure.name).collect();
            assert_eq!(explained.len(), met.len(), "{}: {explained:?} explains others than {met:?}", G::NAME);
            assert!(
                measures::<G>().iter().all(|measure| !measure.unit.is_empty() && !measure.meaning.is_empty())
            );
        }
    }
    BuiltIn::each(Check);
}

/// The documentation has the measures of all games as they are.
#[test]
fn the_documentation_lists_every_measure() {
    #[derive(Clone)]
    struct Document;
    impl Visitor for Document {
        type Output = String;
        fn visit<G: CardGame>(self) -> String {
            let lines = measures::<G>().iter().enumerate().map(|(i, measure)| {
                let game = if i == 0 { format!("`{}`", G::NAME) } else { String::new() };
                let TallyMeasure { name, unit, key, meaning } = measure;
                format!("| {game} | `{name}` | {unit} | {key} | {meaning} |\n").replace("|  |", "| |")
            });
            lines.collect()
        }
    }
    let head = "| game | measure | unit | `key` | what is counted |\n|---|---|---|---|---|\n";
    let table = format!("{head}{}", BuiltIn::each(Document).concat());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/README.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("| game | measure | unit |").expect("the table of measures");
    let (_, after) = rest.split_once("\n\n").expect("more after the table");
    documentation_is(&path, &format!("{before}{table}\n{after}"));
}

/// `sim list measures` tells them, and a page says beside a chart what it counts and by what.
#[test]
fn measures_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let listed = ok(folder, "list measures --game dungeon");
    assert!(
        listed.contains("damage_bare") && listed.contains("fights by the health really lost:"),
        "{listed}"
    );
    assert!(!listed.contains("tricks_won") && ok(folder, "list measures").contains("tricks_won"));
    assert_eq!(call(folder, "list measures --game chess").status.code(), Some(2));
    ok(folder, "run --game dungeon --agent random -n 20 --out o -q");
    let page = ok(folder, "report o --out -");
    for part in [
        "fights bare<span class=\"note\">: fights with bare hands</span>",
        "the worth of the monster, 2 to 14",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // In what was counted once a game: rooms avoided.
    assert!(page.contains(">rooms avoided</td></tr>"));
}
