//! `sim replay`: checks recorded games.

use super::exit::{Exit, bad_input, complain};
use super::json::{self, Json};
use crate::numbers::thousands;
use crate::registry::Registry;
use crate::studies::input;
use clap::Args as ClapArgs;
use serde::Serialize;
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};

#[derive(ClapArgs)]
pub struct Args {
    /// The transcripts, one JSON object a line; `-` reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// So many wrong lines are told on the screen: a file of something else has many.
const TOLD: usize = 20;

/// A line that does not agree.
#[derive(Serialize)]
struct WrongLine {
    file: String,
    /// Counted from 1.
    line: usize,
    reason: String,
}

/// What was checked.
#[derive(Default)]
struct Checked {
    transcripts: u64,
    wrong: Vec<WrongLine>,
    /// Whether a transcript tells of an impossible game, and not only a line that is none.
    disagree: bool,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let mut checked = Checked::default();
    for file in &args.files {
        check(registry, file, &mut checked)?;
    }
    let Checked { transcripts, wrong, disagree } = checked;
    if args.json.json {
        json::print(&json!({ "agree": wrong.is_empty(), "transcripts": transcripts, "wrong": wrong }))?;
    }
    if !wrong.is_empty() {
        if transcripts > 1 {
            let more = if wrong.len() > TOLD && !args.json.json { " (all of them with --json)" } else { "" };
            complain(format!(
                "{} of {} transcripts are wrong{more}",
                thousands(wrong.len() as u64),
                thousands(transcripts)
            ));
        }
        return Ok(if disagree { Exit::Disagreement } else { Exit::BadInput });
    }
    if !args.json.json {
        let noun = if transcripts == 1 { "transcript agrees" } else { "transcripts agree" };
        writeln!(io::stdout(), "{transcripts} {noun}")?;
    }
    Ok(Exit::Done)
}

/// Checks the lines of a file and complains of those that are wrong.
fn check(registry: &Registry, file: &Path, checked: &mut Checked) -> anyhow::Result<()> {
    let name = file.display();
    let reader: Box<dyn BufRead> = if file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let wrong = |error: io::Error| bad_input(format!("cannot read {name}: {error}"));
        if file.is_dir() {
            return Err(wrong(io::ErrorKind::IsADirectory.into()));
        }
        Box::new(BufReader::new(File::open(file).map_err(wrong)?))
    };
    let before = checked.transcripts;
    for (number, line) in input::lines(reader) {
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
        if checked.wrong.len() < TOLD {
            complain(format!("{name}: line {number}: {reason}"));
        }
        checked.disagree |= disagrees;
        checked.wrong.push(WrongLine { file: name.to_string(), line: number, reason });
    }
    if checked.transcripts == before {
        return Err(bad_input(format!("{name} holds no transcripts")));
    }
    Ok(())
}
