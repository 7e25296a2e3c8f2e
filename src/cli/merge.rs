//! `sim merge`: joins the parts of a run that was shared out with `--shard`.

use super::exit::{Exit, say};
use super::session::{failed, print};
use crate::registry::Registry;
use crate::store::Existing;
use crate::studies::Merge;
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub struct Args {
    /// The folders of the parts
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// The folder for the whole
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Overwrite what another run has left in the folder
    #[arg(long)]
    force: bool,
    /// Print no summary
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let parts = Merge::new(registry, &args.parts).map_err(failed)?;
    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let done = parts.write(&args.out, existing).map_err(failed)?;
    if done.manifest.partial {
        let (held, all) = parts.held();
        say(format_args!("Partial: these parts hold {held} of {all}"));
    }
    if !args.quiet {
        print(done.summary.to_string(), Some(&args.out), false)?;
    }
    Ok(Exit::Done)
}
