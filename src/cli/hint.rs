//! `sim hint`: what the moves of a position are worth.

use super::args::{JudgeArgs, whole};
use super::exit::{Exit, bad_input, print, say};
use super::json::{self, Json};
use super::transcripts::{OpenTranscripts, open, unreadable};
use crate::board::{Suits, draw};
use crate::json::of_line;
use crate::live::{Appraised, Position};
use crate::numbers::{NONE, fixed};
use crate::play::{Measure, referee};
use crate::registry::Registry;
use crate::screen::{self, Screen};
use crate::studies::input;
use clap::Args as ClapArgs;
use knave_agents::options::{self, Fields};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

#[derive(ClapArgs)]
pub struct Args {
    /// Transcripts, one JSON object a line; `-` reads standard input. A line without `scores`, `winners` and `end` is the
    /// beginning of a game, which stops where a player is to move. An object with `game`, `rules` and `view` is what a player
    /// knows, as `--json` and the protocol of bots tell it
    file: PathBuf,
    /// The line, counted from 1
    #[arg(long, default_value_t = 1, value_parser = whole(1, u64::MAX))]
    line: u64,
    /// The decision, counted from 1 as in decisions.csv: without those that have one legal move; by default the one after all that
    /// is recorded
    #[arg(long, value_name = "D", value_parser = whole(1, u64::MAX))]
    decision: Option<u64>,
    /// The seed of the worlds
    #[arg(long, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    seed: u64,
    #[command(flatten)]
    judging: JudgeArgs,
    #[command(flatten)]
    json: Json,
}

/// What a player knows, as data.
#[derive(Deserialize)]
struct Told {
    game: String,
    #[serde(default)]
    rules: Fields,
    view: Value,
    /// The move that was played, where that is known.
    played: Option<String>,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let judge = args.judging.spec()?;
    let mut file = open(&args.file)?;
    let record = record(&mut file, args.line)?;
    let wrong = |reason: &dyn std::fmt::Display| {
        bad_input(format_args!("{}: line {}: {reason}", file.name, args.line))
    };
    let record: Value = serde_json::from_str(&record)
        .map_err(|error| wrong(&format_args!("not a transcript: {}", of_line(&error.to_string()))))?;
    let (game, rules, position, played);
    if record.get("view").is_some() {
        if args.decision.is_some() {
            return Err(bad_input("--decision: a view is one decision; expected a transcript"));
        }
        let told: Told = options::read_data(record).map_err(|error| wrong(&error))?;
        let ruleset = registry.game(&told.game).map_err(bad_input)?.ruleset(&told.rules);
        let ruleset = ruleset.map_err(|error| wrong(&error))?;
        position = ruleset.of_view(&told.view, args.seed).map_err(|error| wrong(&error))?;
        played = told.played;
        (game, rules) = (told.game, ruleset.rules());
    } else {
        // Its text is not the one of the file: the column would be wrong.
        let failed = |error: String| wrong(&error.rsplit_once(" at column ").map_or(&*error, |(why, _)| why));
        let transcript =
            referee::read(&finished(record).to_string()).map_err(|error| failed(error.to_string()))?;
        let ruleset = registry.game(&transcript.game).map_err(bad_input)?.ruleset(&transcript.rules);
        let ruleset = ruleset.map_err(|error| wrong(&error))?;
        position = ruleset.reach(&transcript, args.decision).map_err(|error| wrong(&error))?;
        // What was played there is valued, too, as in an analysis.
        let mut moves = transcript.events.iter().filter_map(|event| event.get("move")?.as_str());
        played = moves.nth(position.played().len()).map(ToOwned::to_owned);
        (game, rules) = (transcript.game, ruleset.rules());
    }
    // As its own text has it, which a record need not. From here on the record may be wrong.
    let played = played.and_then(|text| {
        let mut after = position.copy();
        after.play(&text).ok()?;
        after.played().get(position.played().len()).map(|(_, text)| text.clone())
    });
    for note in position.check_judge(&judge).map_err(bad_input)? {
        say(format_args!("note: {note}"));
    }
    let never = AtomicBool::new(false);
    let appraised = position.appraise(&judge, played.as_deref(), args.seed, &never).map_err(bad_input)?;
    if args.json.json {
        let view = position.view(appraised.seat).unwrap_or_default();
        let fields =
            [("game", json!(game)), ("rules", json!(rules)), ("view", view), ("played", json!(played))];
        let mut fields: Map<_, _> =
            fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        if let Value::Object(values) = json!(appraised) {
            fields.extend(values);
        }
        json::print(&Value::Object(fields))?;
    } else {
        let head = played.map_or_else(String::new, |played| format!("The move that was played: {played}\n"));
        let text = format!("{}\n{head}{}", board(&*position), table(&appraised));
        print(&text)?;
    }
    Ok(Exit::Done)
}

/// What the player whose turn it is sees.
pub fn board(position: &dyn Position) -> String {
    let Some(seat) = position.turn() else { return String::new() };
    match position.board(seat) {
        Ok(board) => draw(&board, Suits::of_locale(), Screen::stdout().width),
        Err(error) => position.debug_view(seat).map_or_else(
            |_| String::new(),
            |view| format!("{error} (its kit has no `shown`); the view as the program has it:\n  {view}\n"),
        ),
    }
}

/// The values of moves, the best first.
pub fn table(appraised: &Appraised) -> String {
    let number = |value: Option<f64>| match (value, appraised.measure) {
        (None, _) => NONE.to_owned(),
        (Some(value), Measure::Wins) => fixed(value * 100.0, 1) + " %",
        (Some(value), Measure::Score) => fixed(value, 1),
    };
    let heads = ["move", appraised.measure.name(), "se", "loss", "se", "worlds"];
    let mut lines = vec![heads.map(ToOwned::to_owned).to_vec()];
    for value in &appraised.moves {
        lines.push(vec![
            format!("{}{}", value.r#move, if value.r#move == appraised.judge { " *" } else { "" }),
            number(Some(value.mean)),
            number(Some(value.se)),
            number(value.regret),
            number(value.regret_se),
            value.worlds.to_string(),
        ]);
    }
    let mut text = screen::table(&lines, 1, Screen::stdout().width) + "* the judge's own move\n";
    let others = appraised.legal - appraised.moves.len();
    if others > 0 {
        let moves = if others == 1 { "move that was" } else { "moves that were" };
        text += &format!("and {others} more legal {moves} not valued\n");
    }
    text
}

/// A line of a file; the first is the whole file where that is one document on several lines.
fn record(OpenTranscripts { name, text }: &mut OpenTranscripts, number: u64) -> anyhow::Result<String> {
    let (number, mut last) = (number as usize, 0);
    let found = input::lines(&mut *text)
        .inspect(|(at, _)| last = *at)
        .find(|(at, line)| *at >= number || line.is_err());
    let mut line = match found {
        Some((at, Err(error))) if error.kind() == io::ErrorKind::InvalidData => {
            return Err(bad_input(format_args!("{name}: line {at}: {error}")));
        }
        Some((_, Err(error))) => return Err(unreadable(name, &error)),
        Some((at, Ok(line))) if at == number => line,
        Some(_) => return Err(bad_input(format_args!("{name}: line {number} is empty"))),
        None => return Err(bad_input(format_args!("{name} has no line {number}: it has {last}"))),
    };
    if number == 1 && line == "{" {
        // Errors tell of its lines.
        line.push('\n');
        text.read_to_string(&mut line).map_err(|error| unreadable(name, &error))?;
    }
    Ok(line)
}

/// The beginning of a game as a transcript without a result.
fn finished(mut record: Value) -> Value {
    if let Some(fields) = record.as_object_mut().filter(|fields| !fields.contains_key("end")) {
        for (name, value) in [("scores", json!([])), ("winners", json!([])), ("end", json!(""))] {
            fields.entry(name).or_insert(value);
        }
    }
    record
}
