//! The command line of `sim`: a file a subcommand.

pub(crate) mod bound;
pub(crate) mod compare;
mod compared;
pub(crate) mod exit;
mod list;
mod merge;
mod options;
mod progress;
mod replay;
mod report;
pub(crate) mod run;
mod show;
pub(crate) mod solve;
pub(crate) mod subject;
mod table;
mod task;
mod train;
pub(crate) mod work;

use crate::experiment;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// How good is this strategy, really?
#[derive(Parser)]
#[command(name = "sim", version, about, after_help = exit::HELP, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Play games and write what they tell
    Run(run::Args),
    /// Compare agents on the same deals, every seat in turn
    Compare(compare::Args),
    /// Find exact answers about deals, for someone who knows every card
    Solve(solve::Args),
    /// Bound fair play from above, beside a fair player on the same deals
    Bound(bound::Args),
    /// Join the parts of a run that was shared out with --shard
    Merge(merge::Args),
    /// Show the games, the agents or the presets with all their options
    List(list::Args),
    /// Do a study: runs, comparisons and exact answers as data
    Experiment(experiment::Args),
    /// Show what a folder of results holds
    Show(show::Args),
    /// Check recorded games, move by move
    Replay(replay::Args),
    /// Make a page with charts about the folders of runs
    Report(report::Args),
    /// Learn the value of positions by self-play and write a model
    Train(train::Args),
}

/// Reads the command line and does what it says.
pub fn main() -> ExitCode {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        // A panic in a game becomes an error that names the game; its trace is for developers.
        std::panic::set_hook(Box::new(|_| {}));
    }
    let cli = Cli::parse();
    let done = std::panic::catch_unwind(|| match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Bound(args) => bound::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::List(args) => list::run(&args),
        Command::Experiment(args) => experiment::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Train(args) => train::run(&args),
    });
    let done = done.unwrap_or_else(|_| {
        Err(anyhow::anyhow!("a bug in sim (RUST_BACKTRACE=1 shows where): please report it"))
    });
    match done {
        Ok(exit) => exit.into(),
        Err(error) => exit::report(&error).into(),
    }
}
