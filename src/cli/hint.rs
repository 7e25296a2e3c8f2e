//! `sim hint`: what the moves of a position are worth.

use super::analyse::Judging;
use super::args::whole;
use super::exit::{Exit, bad_input};
use crate::analysis::JudgeSpec;
use crate::board::{Suits, draw};
use crate::live::{Appraised, Position};
use crate::numbers::NONE;
use crate::play::{Measure, referee};
use crate::registry::Registry;
use crate::text::aligned;
use clap::Args as ClapArgs;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

#[derive(ClapArgs)]
pub struct Args {
    /// Transcripts, one JSON object a line; `-` reads standard input. A line without `scores`, `winners` and `end` is the
    /// beginning of a game, which stops where a player is to move
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
    judging: Judging,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let judge = args.judging.spec()?;
    let name = args.file.display();
    let wrong =
        |reason: &dyn std::fmt::Display| bad_input(format_args!("{name}, line {}: {reason}", args.line));
    let text = line(&args.file, args.line)?;
    let transcript = referee::read(&whole_line(&text)).map_err(|error| wrong(&error))?;
    let game = registry.game(&transcript.game).map_err(bad_input)?;
    let ruleset = game.ruleset(&transcript.rules).map_err(|error| wrong(&error))?;
    let position = ruleset.reach(&transcript, args.decision).map_err(|error| wrong(&error))?;
    let appraised = position.appraise(&judge, None, args.seed).map_err(bad_input)?;
    let mut out = io::stdout().lock();
    if args.json {
        let view = position.view(appraised.seat).unwrap_or_default();
        let mut fields = Map::from_iter([("view".to_owned(), view)]);
        if let Value::Object(values) = json!(appraised) {
            fields.extend(values);
        }
        writeln!(out, "{}", Value::Object(fields))?;
    } else {
        write!(out, "{}\n{}", board(&*position), table(&appraised))?;
    }
    Ok(Exit::Done)
}

/// What the player whose turn it is sees.
pub fn board(position: &dyn Position) -> String {
    let Some(seat) = position.turn() else { return String::new() };
    position.board(seat).map_or_else(|_| String::new(), |board| draw(&board, Suits::of_locale()))
}

/// The values of moves, the best first.
pub fn table(appraised: &Appraised) -> String {
    let number = |value: Option<f64>| match (value, appraised.measure) {
        (None, _) => NONE.to_owned(),
        (Some(value), Measure::Wins) => format!("{:.1} %", value * 100.0),
        (Some(value), Measure::Score) => format!("{value:.1}"),
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
    let mut text = aligned(&lines, 1) + "* the judge's own move\n";
    let others = appraised.legal - appraised.moves.len();
    if others > 0 {
        text += &format!("and {others} more legal moves that were not valued\n");
    }
    text
}

/// A line of a file.
fn line(file: &Path, number: u64) -> anyhow::Result<String> {
    let name = file.display();
    let failed = |error: io::Error| bad_input(format_args!("cannot read {name}: {error}"));
    let read = |lines: &mut dyn Iterator<Item = io::Result<String>>| lines.nth(number as usize - 1);
    let found = if file.as_os_str() == "-" {
        read(&mut io::stdin().lock().lines())
    } else {
        read(&mut BufReader::new(File::open(file).map_err(failed)?).lines())
    };
    found.ok_or_else(|| bad_input(format_args!("{name} has no line {number}")))?.map_err(failed)
}

/// The beginning of a game as a transcript without a result.
fn whole_line(text: &str) -> String {
    match serde_json::from_str(text) {
        Ok(Value::Object(mut fields)) if !fields.contains_key("end") => {
            for (name, value) in [("scores", json!([])), ("winners", json!([])), ("end", json!(""))] {
                fields.entry(name).or_insert(value);
            }
            Value::Object(fields).to_string()
        }
        _ => text.to_owned(),
    }
}

impl Judging {
    /// The judge as data.
    ///
    /// # Errors
    /// When its name is none.
    pub fn spec(&self) -> anyhow::Result<JudgeSpec> {
        Ok(JudgeSpec {
            agent: self.judge.as_ref().map(|text| text.parse().map_err(bad_input)).transpose()?,
            worlds: self.worlds.map(|worlds| worlds as u32),
            moves: self.moves.map(|moves| moves as u32),
            measure: self.measure.map(Into::into),
        })
    }
}
