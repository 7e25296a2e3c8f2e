//! A player for every game: `cargo run --release --example own_agent -- run --game doubles --agent playouts -n 100`.
use knave::agents::{
    Agent, Configure, Decision, Game, OptionError, Options, Rng, Setup, Tools, Turn, played,
};
use knave::registry::Registry;
use serde::{Deserialize, Serialize};

/// Plays each move out at random in the same sampled worlds, and takes the one with the best mean.
#[derive(Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Playouts {
    /// The number of sampled worlds
    #[schemars(range(min = 1))]
    worlds: u32,
}

impl Default for Playouts {
    fn default() -> Self {
        Self { worlds: 20 }
    }
}

impl Options for Playouts {}

impl<G: Tools> Configure<G> for Playouts {
    const NAME: &'static str = "playouts";
    const SUMMARY: &'static str = "every move played out at random";
    type Options = Self;

    fn configure(options: &Self, _: &Setup<'_, G>) -> Result<Self, OptionError> {
        Ok(options.clone())
    }
}

impl<G: Game> Agent<G> for Playouts {
    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
        let (mut moves, mut buffer) = (Vec::new(), Vec::new());
        decision.moves(&mut moves);
        let mut totals = vec![0.0; moves.len()];
        for _ in 0..self.worlds {
            let world = G::sample_world(&decision.view(), rng);
            for (&m, total) in moves.iter().zip(&mut totals) {
                let mut playout = played(&world, &[m]);
                while playout.turn() != Turn::Over {
                    playout.play_at_random(&mut buffer, rng);
                    if playout.turn() != Turn::Over {
                        playout.roll(rng);
                    }
                }
                *total += playout.utility(decision.seat());
            }
        }
        moves[(0..moves.len()).fold(0, |best, i| if totals[i] > totals[best] { i } else { best })]
    }
}

fn main() -> std::process::ExitCode {
    knave::cli::main_with(Registry::builtin().agent::<Playouts>())
}
