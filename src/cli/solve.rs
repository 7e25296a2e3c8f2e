//! `sim solve`: exact answers about deals, for someone who knows every card.

use super::args::{GameAndSeed, Workspace, check_name, count};
use super::exit::{Exit, bad_input};
use super::session::carry_out;
use crate::registry::Registry;
use crate::studies::solve::{self, DealsFile};
use crate::studies::{Outputs, Request};
use clap::{ArgGroup, Args as ClapArgs};
use std::path::PathBuf;

#[derive(ClapArgs)]
#[command(group(ArgGroup::new("which").args(["n", "deals"]).required(true)))]
pub struct Args {
    #[command(flatten)]
    game: GameAndSeed,
    /// What is asked, by default the first objective of the game (`sim list games`)
    #[arg(long, value_name = "OBJECTIVE")]
    objective: Option<String>,
    /// The number of deals: those of `sim run` with the same seed (1_000_000 and 1e6 are the same)
    #[arg(short, value_name = "N", value_parser = count)]
    n: Option<u64>,
    /// Solve the deals of this file instead of -n: on each line the cards of a deck such as TD 2C 10S, top first, a
    /// transcript, or an object such as {"deck":["TD","2C"],"name":"mine","rules":{"health":12}}; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    deals: Option<PathBuf>,
    /// Accept decks of --deals that lack cards of the game
    #[arg(long, requires = "deals")]
    short_deck: bool,
    /// The nodes that may be visited for each deal before it is left undecided
    #[arg(long, value_name = "NODES", value_parser = count)]
    budget: Option<u64>,
    /// Also write solutions.csv, a row for each deal
    #[arg(long)]
    solutions: bool,
    /// Print a best line of each deal, move by move, with the details that the game shows
    #[arg(long)]
    line: bool,
    /// Write the best lines to this file, as transcripts; `-` is standard output. --force overwrites the file
    #[arg(long, value_name = "FILE")]
    transcripts: Option<PathBuf>,
    #[command(flatten)]
    workspace: Workspace,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    if args.solutions && args.deals.is_some() && args.workspace.out.is_none() {
        return Err(bad_input("--solutions needs a folder: name one with --out"));
    }
    let request = Request::Solve(solve::Request {
        game: args.game.name.clone(),
        rules: args.game.rules()?,
        objective: args.objective.clone(),
        budget: args.budget,
        n: args.n.unwrap_or(0),
        seed: args.game.seed,
        deals: args.deals.clone().map(|file| DealsFile { file, fnv1a: None }),
        short_deck: args.short_deck,
    });
    let outputs = Outputs {
        rows: args.solutions,
        transcripts: args.transcripts.clone(),
        lines: args.line,
        ..Outputs::default()
    };
    args.transcripts.iter().try_for_each(|file| check_name("--transcripts", file))?;
    carry_out(registry, &request, outputs, &args.workspace)
}
