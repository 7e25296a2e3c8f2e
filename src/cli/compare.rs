//! `sim compare`: compares agents on the same deals.

use super::args::{Deck, GameAndSeed, MeasureName, Workspace, agents, count, whole};
use super::exit::Exit;
use super::session::carry_out;
use crate::registry::Registry;
use crate::studies::compare;
use crate::studies::{Outputs, Request};
use clap::Args as ClapArgs;

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    game: GameAndSeed,
    #[command(flatten)]
    deck: Deck,
    /// An agent (`sim list agents`), NAME or NAME:option=value,…; given two or more times
    #[arg(long, short, required = true, value_name = "AGENT")]
    agent: Vec<String>,
    /// The number of deals, or the most of them with --until and --sprt (1_000_000 and 1e6 are the same)
    #[arg(short, value_name = "N", value_parser = count)]
    n: u64,
    /// Stop when the interval of every difference is at most so wide, such as width=0.002. Intervals and p-values
    /// are then valid whenever one stops
    #[arg(long, value_name = "width=W", value_parser = width, conflicts_with = "sprt")]
    until: Option<f64>,
    /// Stop when a sequential test says whether the second agent is better than the first by ELO0 or by ELO1,
    /// such as 0,5
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// The result that --until and --sprt test; with score, --sprt tests who scores better on a deal
    #[arg(long, value_enum, default_value = "wins")]
    measure: MeasureName,
    /// Reduce variance by a control variate: K sampled outcomes for each random event
    #[arg(long, value_name = "K", value_parser = whole(1, 10_000))]
    control: Option<u64>,
    #[command(flatten)]
    workspace: Workspace,
}

/// Two differences in Elo.
type Sprt = [f64; 2];

/// Reads `width=0.002`.
fn width(text: &str) -> Result<f64, String> {
    let width = text.strip_prefix("width=").and_then(|width| width.parse().ok());
    width
        .filter(|width: &f64| width.is_finite() && *width > 0.0)
        .ok_or_else(|| "expected the width of the intervals, such as width=0.002, above 0".to_owned())
}

/// Reads `0,5`.
fn sprt(text: &str) -> Result<Sprt, String> {
    let wrong = "expected two differences in Elo, the smaller first, from -2000 to 2000, such as 0,5";
    let (low, high) = text.split_once(',').ok_or(wrong)?;
    let (elo0, elo1) = (low.parse().map_err(|_| wrong)?, high.parse().map_err(|_| wrong)?);
    let right = -2000.0 <= elo0 && elo0 < elo1 && elo1 <= 2000.0;
    if right { Ok([elo0, elo1]) } else { Err(wrong.to_owned()) }
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let request = Request::Compare(compare::Request {
        game: args.game.name.clone(),
        rules: args.game.rules()?,
        cards: args.deck.cards.clone(),
        agents: agents(&args.agent)?,
        n: args.n,
        seed: args.game.seed,
        until: args.until,
        sprt: args.sprt,
        measure: args.measure.into(),
        control: args.control.map(|samples| samples as u32),
    });
    carry_out(registry, &request, Outputs::default(), &args.workspace)
}
