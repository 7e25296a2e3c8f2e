//! `sim run`: plays games and writes what they tell.

use super::args::{Deck, GameAndSeed, Workspace, agents, check_name, count};
use super::exit::Exit;
use super::session::carry_out;
use crate::registry::Registry;
use crate::store::{HAS_PARQUET, NO_PARQUET};
use crate::studies::{Outputs, Request, run};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    game: GameAndSeed,
    #[command(flatten)]
    deck: Deck,
    /// An agent (`sim list agents`), NAME or NAME:option=value,…; repeated for the seats in order, one
    /// alone fills all seats
    #[arg(long, short, required = true, value_name = "AGENT")]
    agent: Vec<String>,
    /// The number of games (1_000_000 and 1e6 are the same)
    #[arg(short, value_name = "N", value_parser = count)]
    n: u64,
    /// Also write games.csv, a row for each game and seat
    #[arg(long)]
    games: bool,
    /// `parquet` also writes games.parquet, the same rows for quick loading
    #[arg(long, value_name = "csv|parquet", requires = "games", value_parser = parquet)]
    format: Option<bool>,
    /// Write transcripts to this file, a JSON object a line; `-` is standard output. --force overwrites the file
    #[arg(long, value_name = "FILE")]
    transcripts: Option<PathBuf>,
    /// Write transcripts of the first K games only
    #[arg(long, value_name = "K", requires = "transcripts", value_parser = count)]
    transcript_limit: Option<u64>,
    #[command(flatten)]
    workspace: Workspace,
}

/// Whether a format is Parquet, if this `sim` can write it.
fn parquet(format: &str) -> Result<bool, String> {
    match format {
        "csv" => Ok(false),
        "parquet" if HAS_PARQUET => Ok(true),
        "parquet" => Err(NO_PARQUET.to_owned()),
        _ => Err("expected csv or parquet".to_owned()),
    }
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let request = Request::Run(run::Request {
        game: args.game.name.clone(),
        rules: args.game.rules()?,
        cards: args.deck.cards.clone(),
        agents: agents(&args.agent)?,
        n: args.n,
        seed: args.game.seed,
    });
    let outputs = Outputs {
        rows: args.games,
        parquet: args.format == Some(true),
        transcripts: args.transcripts.clone(),
        transcript_limit: args.transcript_limit,
        lines: false,
    };
    args.transcripts.iter().try_for_each(|file| check_name("--transcripts", file))?;
    carry_out(registry, &request, outputs, &args.workspace)
}
