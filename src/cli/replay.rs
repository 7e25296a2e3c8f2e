//! `sim replay`: checks recorded games.

use super::exit::{Exit, bad_input, complain};
use super::json::{self, Json};
use crate::registry::Registry;
use crate::studies::input;
use clap::Args as ClapArgs;
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::PathBuf;

#[derive(ClapArgs)]
pub struct Args {
    /// The transcripts, one JSON object a line; `-` reads standard input
    file: PathBuf,
    #[command(flatten)]
    json: Json,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let reader: Box<dyn BufRead> = if args.file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let wrong = |error: io::Error| bad_input(format!("cannot read {name}: {error}"));
        if args.file.is_dir() {
            return Err(wrong(io::ErrorKind::IsADirectory.into()));
        }
        let file = File::open(&args.file).map_err(wrong)?;
        Box::new(BufReader::new(file))
    };
    let mut count = 0_u64;
    for (number, line) in input::lines(reader) {
        let line = line.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => bad_input(format!("{name}: line {number}: {error}")),
            _ => anyhow::Error::new(error).context(format!("cannot read line {number} of {name}")),
        })?;
        count += 1;
        if let Err(error) = registry.check(&line) {
            let message = format!("{name}: line {number}: {error}");
            if error.is_malformed() {
                return Err(bad_input(message));
            }
            if args.json.json {
                let reason = error.to_string();
                json::print(
                    &json!({ "file": name.to_string(), "agree": false, "line": number, "reason": reason }),
                )?;
            }
            complain(message);
            return Ok(Exit::Disagreement);
        }
    }
    if count == 0 {
        return Err(bad_input(format!("{name} holds no transcripts")));
    }
    if args.json.json {
        json::print(&json!({ "file": name.to_string(), "agree": true, "transcripts": count }))?;
        return Ok(Exit::Done);
    }
    let noun = if count == 1 { "transcript agrees" } else { "transcripts agree" };
    writeln!(io::stdout(), "{count} {noun}")?;
    Ok(Exit::Done)
}
