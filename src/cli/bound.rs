//! `sim bound`: how good fair play can be at most.

use super::args::{Deck, GameAndSeed, Workspace, agents, count};
use super::exit::Exit;
use super::session::carry_out;
use crate::registry::Registry;
use crate::studies::{Outputs, Request, bound};
use clap::Args as ClapArgs;

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    game: GameAndSeed,
    #[command(flatten)]
    deck: Deck,
    /// The fair player beside the bound, on the same deals (`sim list agents`)
    #[arg(long, short, value_name = "AGENT", default_value = "rule")]
    agent: String,
    /// The number of deals: those of `sim run` with the same seed (1_000_000 and 1e6 are the same)
    #[arg(short, value_name = "N", value_parser = count)]
    n: u64,
    #[command(flatten)]
    workspace: Workspace,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let request = Request::Bound(bound::Request {
        game: args.game.name.clone(),
        rules: args.game.rules()?,
        cards: args.deck.cards.clone(),
        agents: agents(std::slice::from_ref(&args.agent))?,
        n: args.n,
        seed: args.game.seed,
    });
    carry_out(registry, &request, Outputs::default(), &args.workspace)
}
