//! A player as a program of its own: the other end of the [`protocol`](crate::protocol).
//!
//! ```no_run
//! use knave_agents::bot::{Bot, Question, serve};
//!
//! struct First;
//!
//! impl Bot for First {
//!     const NAME: &'static str = "first";
//!
//!     fn choose(&mut self, _: &Question<'_>) -> usize {
//!         0
//!     }
//! }
//!
//! fn main() -> std::io::Result<()> {
//!     serve(&mut First)
//! }
//! ```

use crate::protocol::{
    Choice, End, Happening, Head, Introduction, New, PARTS, PROTOCOL, Pong, RawChoose, Reply,
};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Write};

/// A player as a program of its own.
pub trait Bot {
    /// Its name.
    const NAME: &'static str;
    /// Its version.
    const VERSION: &'static str = "";
    /// The parts of a question that it reads beside the moves: of `view` and `events`. Fewer are quicker.
    const WANTS: &'static [&'static str] = &PARTS;

    /// The index of one of the moves.
    fn choose(&mut self, question: &Question<'_>) -> usize;

    /// A game begins.
    fn new_game(&mut self, _game: &New<'_>) {}

    /// A game is over.
    fn end_game(&mut self, _end: &End) {}
}

/// A question.
pub struct Question<'a> {
    /// The number of the game for this seat.
    pub game_id: u64,
    /// Where everything random in the answer should come from.
    pub seed: u64,
    /// The legal moves in their notation.
    pub moves: &'a [Cow<'a, str>],
    /// The public events since the last question of this game, the oldest first.
    pub events: &'a [Happening],
    view: Option<&'a str>,
}

impl Question<'_> {
    /// All that the seat may know, in a shape of the game's own (`docs/protocol.schema.json`).
    ///
    /// # Errors
    /// When it is no such shape, or the player does not want views.
    pub fn view<'de, T: Deserialize<'de>>(&'de self) -> serde_json::Result<T> {
        serde_json::from_str(self.view.unwrap_or("null"))
    }

    /// The view as data.
    #[must_use]
    pub fn view_data(&self) -> Value {
        self.view().unwrap_or_default()
    }
}

/// Answers on standard output what comes from standard input, until it ends.
///
/// # Errors
/// When a line is none of the protocol, or the answers cannot be written.
pub fn serve(bot: &mut impl Bot) -> io::Result<()> {
    serve_on(bot, io::stdin().lock(), io::stdout().lock())
}

/// The same between these two.
///
/// # Errors
/// As [`serve`].
pub fn serve_on<B: Bot>(bot: &mut B, input: impl Read, output: impl Write) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let mut line = Vec::new();
    loop {
        // Nobody may wait for an answer that waits for more questions.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 || !answer(bot, &line, &mut output)? {
            return output.flush();
        }
    }
}

/// Answers a line; whether there are more to come.
fn answer<B: Bot>(bot: &mut B, line: &[u8], output: &mut impl Write) -> io::Result<bool> {
    match serde_json::from_slice::<Head<'_>>(line)?.kind.as_ref() {
        "choose" => {
            let RawChoose { id, game_id, seed, moves, view, events } = serde_json::from_slice(line)?;
            let view = view.map(serde_json::value::RawValue::get);
            let question = Question { game_id, seed, moves: &moves, events: &events, view };
            let choice = Choice::Index(bot.choose(&question) as u64);
            write(output, &Reply { id, choice })?;
        }
        "new" => bot.new_game(&serde_json::from_slice(line)?),
        "end" => bot.end_game(&serde_json::from_slice(line)?),
        "hello" => {
            let wants = Some(B::WANTS.iter().map(|&part| part.to_owned()).collect());
            let version = Some(B::VERSION.to_owned()).filter(|version| !version.is_empty());
            let name = B::NAME.to_owned();
            write(output, &Introduction { protocol: PROTOCOL, name, version, wants })?;
        }
        "ping" => {
            let ping: Ping = serde_json::from_slice(line)?;
            write(output, &Pong { id: ping.id, kind: "pong".into() })?;
        }
        "quit" => return Ok(false),
        // Later versions may say more.
        _ => {}
    }
    Ok(true)
}

#[derive(Deserialize)]
struct Ping {
    id: u64,
}

fn write(output: &mut impl Write, message: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, message)?;
    output.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chooses the last move, and counts.
    #[derive(Default)]
    struct Last {
        begun: u64,
        ended: u64,
        rolls: usize,
    }

    impl Bot for Last {
        const NAME: &'static str = "last";

        fn choose(&mut self, question: &Question<'_>) -> usize {
            self.rolls += question.events.len();
            assert_eq!(question.view_data()["health"], 20);
            question.moves.len() - 1
        }

        fn new_game(&mut self, _: &New<'_>) {
            self.begun += 1;
        }

        fn end_game(&mut self, _: &End) {
            self.ended += 1;
        }
    }

    /// Every message is understood, and what is unknown is passed over. A line may come in pieces.
    #[test]
    fn a_bot_speaks_the_protocol() {
        let input = concat!(
            r#"{"type":"hello","protocol":1,"knave":"9.9","game":"whist","more":[1]}"#,
            "\n",
            r#"{"type":"new","game_id":3,"game":"whist","rules":{"ace":11},"seat":0,"seats":4}"#,
            "\n",
            r#"{"type":"weather","sun":true}"#,
            "\n",
            r#"{"type":"choose","id":7,"game_id":3,"seed":5,"moves":["a","b\u0041"],"view":{"health":20},"events":[{"storm":3},{"roll":[1,2]}]}"#,
            "\n",
            r#"{"type":"ping","id":8}"#,
            "\n",
            r#"{"type":"end","game_id":3,"won":true,"score":1.5}"#,
            "\n",
            r#"{"type":"quit"}"#,
            "\n{",
        );
        struct Pieces<'a>(&'a [u8]);
        impl Read for Pieces<'_> {
            fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
                let some = 7.min(self.0.len());
                to[..some].copy_from_slice(&self.0[..some]);
                self.0 = &self.0[some..];
                Ok(some)
            }
        }
        let (mut bot, mut output) = (Last::default(), Vec::new());
        serve_on(&mut bot, Pieces(input.as_bytes()), &mut output).unwrap();
        assert_eq!((bot.begun, bot.ended, bot.rolls), (1, 1, 1));
        let expected = concat!(
            r#"{"protocol":1,"name":"last","wants":["view","events"]}"#,
            "\n",
            r#"{"id":7,"move":1}"#,
            "\n",
            r#"{"id":8,"type":"pong"}"#,
            "\n"
        );
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }

    /// What is no message ends the bot with an error rather than with silence.
    #[test]
    fn nonsense_is_an_error() {
        for line in ["", "no json\n", "{\"type\":\"choose\"}\n", "[]\n"] {
            let mut output = Vec::new();
            let done = serve_on(&mut Last::default(), line.as_bytes(), &mut output);
            assert_eq!(done.is_err(), !line.is_empty(), "{line:?}");
        }
    }
}
