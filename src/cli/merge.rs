//! `sim merge`: joins the parts of a run that was shared out with `--shard`.

use super::args::RESULTS;
use super::exit::{Exit, bad_input, failed, say};
use super::json::{self, Json};
use super::session::print;
use crate::registry::Registry;
use crate::store::Existing;
use crate::studies::Merge;
use clap::{Args as ClapArgs, ValueHint};
use std::path::{Path, PathBuf};

#[derive(ClapArgs)]
pub struct Args {
    /// The folders of the parts, or one with all of them in it
    #[arg(required = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    parts: Vec<PathBuf>,
    /// The folder for the whole, by default one in `results` that is named after the plan
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
    /// Write nothing unless all parts are there and finished; ends with code 75 otherwise
    #[arg(long)]
    whole: bool,
    /// Overwrite what another run has left in the folder
    #[arg(long)]
    force: bool,
    /// Print no summary
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    json: Json,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let parts = Merge::new(registry, &args.parts, args.out.as_deref()).map_err(failed)?;
    parts.check(args.whole).map_err(failed)?;
    let named = || parts.folder_name().map(|name| Path::new(RESULTS).join(name));
    let no_name = || bad_input("--out is missing: expected the folder for the whole");
    let out = args.out.clone().or_else(named).ok_or_else(no_name)?;
    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let done = parts.write(&out, existing).map_err(failed)?;
    if let Some(note) = done.note() {
        say(format_args!("note: {note}"));
    }
    if let Some(partial) = parts.partial(&done) {
        say(partial);
    }
    if args.json.json {
        json::print(&json::results(Some(&done.manifest), &done.tables))?;
    } else if !args.quiet {
        print(&*done.summary, Some(&out), false)?;
    }
    Ok(Exit::Done)
}
