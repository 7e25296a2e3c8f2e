//! Questions that are asked twice, from outside.

use crate::bots::{call, done, faults, odd};
use crate::common::{at_once, error};
use std::collections::BTreeMap;
use std::fs;

/// A program may go by the text of a view: what is asked twice is the same to the letter, except the numbers of game and question.
#[test]
fn repeated_questions_have_the_same_text() {
    const TWIN: u64 = (1 << 52) + 1;
    let folder = tempfile::tempdir().unwrap();
    at_once(["columns", "doubles", "dungeon", "verslun", "whist"], |game| {
        let agent = odd(&format!("records {game}"), "");
        done(
            folder.path(),
            &format!("run --game {game} -n 5 --quiet --threads 1 --out out-{game}"),
            &[&agent],
        );
        let text = fs::read_to_string(folder.path().join(game)).unwrap();
        let (mut first, mut repeated) = (BTreeMap::new(), 0);
        for line in text.lines().filter(|line| line.starts_with(r#"{"type":"choose","id":"#)) {
            let message: serde_json::Value = serde_json::from_str(line).unwrap();
            let (number, rest) = (message["game_id"].as_u64().unwrap(), line.find(r#","seed""#).unwrap());
            match number.checked_sub(TWIN) {
                None => drop(first.entry(number).or_insert(&line[rest..])),
                Some(original) => {
                    assert_eq!(first[&original], &line[rest..], "{game}");
                    repeated += 1;
                }
            }
        }
        let asked = text.matches(r#""type":"choose""#).count();
        assert!(repeated >= 2 && text.matches(r#"{"type":"choose""#).count() == asked, "{game}: {repeated}");
    });
}

/// Each process is judged by what it says itself: one that sends a heap of answers to no question makes no flood of the few that come
/// from those after it.
#[test]
fn a_heap_of_answers_is_forgotten_with_its_process() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let agent = odd(&format!("heap 1 {}", mark.display()), "batch=4,on_fault=forfeit");
    done(folder.path(), "run --game dungeon -n 12 --threads 1 --quiet --out heap", &[&agent]);
    let found = faults(&folder.path().join("heap"));
    assert!(
        found.len() == 1 && found[0].0 == "unknown_id" && found[0].1 > 10_000 && found[0].2 == 0,
        "{found:?}"
    );
}

/// What is wrong with a line is told with the question whose number it has, not with the one that has waited longest: of an answer that
/// comes again, and of one that is not UTF-8.
#[test]
fn a_line_is_told_with_its_question() {
    let folder = tempfile::tempdir().unwrap();
    at_once(
        [("twice 5", "has its answer already", 4), ("latin-first 1", "not UTF-8", 2)],
        |(way, reason, batch)| {
            let line = format!("run --game dungeon -n 8 --threads 1 --quiet --out b{batch}");
            let output =
                call(folder.path(), &line, &[&odd(way, &format!("batch={batch}"))]).output().unwrap();
            let text = error(&output);
            let number = |from: &str| {
                let rest = text.split_once(from).unwrap_or_else(|| panic!("{text}")).1;
                rest.chars().take_while(char::is_ascii_digit).collect::<String>()
            };
            assert!(text.contains(reason), "{text}");
            assert_eq!(number(r#"sent {"type":"choose","id":"#), number(r#"got {"id": "#), "{text}");
        },
    );
}

/// A program whose answer to a repeated question is illegal is ended once, not after each batch.
#[test]
fn an_illegal_repetition_ends_one_process() {
    let folder = tempfile::tempdir().unwrap();
    done(
        folder.path(),
        "run --game dungeon -n 8 --threads 1 --quiet --out unlike",
        &[&odd("unlike 1", "batch=2")],
    );
    let found = faults(&folder.path().join("unlike"));
    assert!(found.len() == 1 && found[0].0 == "unrepeatable" && found[0].1 == 1, "{found:?}");
}
