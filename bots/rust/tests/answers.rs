//! The programs keep to the protocol's first words: they answer hello and ping, and end when their input does.

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
