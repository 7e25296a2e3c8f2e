//! Questions that are asked twice, from outside.

use crate::bots::{done, odd};
use crate::common::at_once;
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
