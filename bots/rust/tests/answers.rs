//! The programs keep to the protocol's first words: they answer hello and ping, and end when their input does. The kit knows the rules of
//! the game that it is asked about.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

#[test]
fn programs_answer_and_end() {
    for program in [env!("CARGO_BIN_EXE_knave-bot"), env!("CARGO_BIN_EXE_null_bot")] {
        let mut bot = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut answers = BufReader::new(bot.stdout.take().unwrap()).lines();
        let mut input = bot.stdin.take().unwrap();
        let mut ask = |question: &str| -> Value {
            writeln!(input, "{question}").unwrap();
            serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap()
        };
        let hello = ask(r#"{"type":"hello","protocol":1,"knave":"0.2.0","game":"dungeon"}"#);
        assert_eq!(hello["protocol"], 1, "{program}: {hello}");
        assert_eq!(ask(r#"{"type":"ping","id":7}"#), json!({ "type": "pong", "id": 7 }), "{program}");
        drop(input);
        assert!(bot.wait().unwrap().success(), "{program}");
        assert!(answers.next().is_none(), "{program} says more than it was asked");
    }
}

/// With more health than by default a potion is worth more than a fight.
#[test]
fn the_rules_count() {
    let mut kit = Command::new(env!("CARGO_BIN_EXE_knave-bot"));
    let mut bot = kit.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = bot.stdin.take().unwrap();
    for (number, health) in [(1, 20), (2, 40)] {
        let rules = json!({ "health": health });
        let new = json!({ "type": "new", "game_id": number, "game": "dungeon", "rules": rules, "seat": 0, "seats": 1 });
        writeln!(input, "{new}").unwrap();
    }
    for number in [1, 2] {
        let (moves, view) = (["fight 2C bare", "drink 9H"], json!({ "health": 18 }));
        let question = json!({ "type": "choose", "id": number, "game_id": number, "seed": 3, "moves": moves, "view": view, "events": [] });
        writeln!(input, "{question}").unwrap();
    }
    drop(input);
    let output = bot.wait_with_output().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers, "{\"id\":1,\"move\":0}\n{\"id\":2,\"move\":1}\n");
}
