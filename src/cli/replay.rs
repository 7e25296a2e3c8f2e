//! `sim replay`: checks recorded games.

use super::exit::{Exit, bad_input, complain, print};
use super::json::{self, Json};
use super::transcripts::{OpenTranscripts, open};
use crate::numbers::thousands;
use crate::registry::Registry;
use crate::studies::input;
use clap::Args as ClapArgs;
use serde::Serialize;
use serde_json::json;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

#[derive(ClapArgs)]
pub struct Args {
    /// The transcripts, one JSON object a line; `-` reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// So many wrong lines of a file are told on the screen: a file of something else has many.
const TOLD: u64 = 20;

/// A line that does not agree.
#[derive(Serialize)]
struct WrongLine {
    file: String,
    /// Counted from 1.
    line: usize,
    reason: String,
}

/// What was checked.
struct Checked {
    transcripts: u64,
    wrong: u64,
    /// All that are wrong, where they are asked for.
    lines: Option<Vec<WrongLine>>,
    /// Whether a transcript tells of an impossible game, and not only a line that is none.
    disagree: bool,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let mut checked =
        Checked { transcripts: 0, wrong: 0, lines: args.json.json.then(Vec::new), disagree: false };
    if let Some(file) = input::named_twice(&args.files) {
        return Err(bad_input(format_args!("{} was named twice", file.display())));
    }
    // All files are opened before the first is read.
    let files: Vec<_> =
        args.files.iter().map(|file| Ok((file, open(file)?))).collect::<anyhow::Result<_>>()?;
    let mut empty = Vec::new();
    for (file, OpenTranscripts { name, text }) in files {
        let before = checked.transcripts;
        check(registry, (file, &name), text, &mut checked)?;
        if checked.transcripts == before {
            empty.push(name);
        }
    }
    let Checked { transcripts, wrong, lines, disagree } = checked;
    if let Some(lines) = lines {
        json::print(
            &json!({ "agree": lines.is_empty() && empty.is_empty(), "transcripts": transcripts, "wrong": lines }),
        )?;
    }
    if wrong > 0 && transcripts > 1 {
        complain(format!("{} of {} transcripts are wrong", thousands(wrong), thousands(transcripts)));
    }
    empty.iter().for_each(|name| complain(format!("{name} holds no transcripts")));
    if disagree {
        return Ok(Exit::Disagreement);
    }
    if wrong > 0 || !empty.is_empty() {
        return Ok(Exit::BadInput);
    }
    if !args.json.json {
        let noun = if transcripts == 1 { "transcript agrees" } else { "transcripts agree" };
        print(&format!("{transcripts} {noun}\n"))?;
    }
    Ok(Exit::Done)
}

/// Checks the lines of a file and complains of those that are wrong.
fn check(
    registry: &Registry,
    (file, name): (&Path, &str),
    text: Box<dyn BufRead>,
    checked: &mut Checked,
) -> anyhow::Result<()> {
    let before = checked.wrong;
    for (number, line) in input::lines(text) {
        checked.transcripts += 1;
        let (reason, disagrees) = match line {
            Ok(line) => match registry.check(&line) {
                Ok(()) => continue,
                Err(error) => (error.to_string(), !error.is_malformed()),
            },
            Err(error) if error.kind() == io::ErrorKind::InvalidData => (error.to_string(), false),
            Err(error) => {
                return Err(anyhow::Error::new(error).context(format!("cannot read line {number} of {name}")));
            }
        };
        checked.wrong += 1;
        checked.disagree |= disagrees;
        match checked.wrong - before {
            0..=TOLD => complain(format!("{name}: line {number}: {reason}")),
            next if next == TOLD + 1 => complain(format!("{name}: more wrong lines, which --json tells")),
            _ => {}
        }
        if let Some(lines) = &mut checked.lines {
            lines.push(WrongLine { file: file.display().to_string(), line: number, reason });
        }
    }
    Ok(())
}
