//! A search of Knave's by values of one's own: `careful` plays the dungeon by `mcts` with another evaluator.
//! `cargo run --release --example own_evaluator -- compare --game dungeon --agent careful --agent random -n 1000`.
use knave::agents::players::mcts::{self, Mcts};
use knave::agents::players::valuer::Rollout;
use knave::agents::{Agent, Configure, Decision, Evaluator, OptionError, Options, Rng, Seat, Setup, Tools};
use knave::cards::Suit;
use knave::games::dungeon::{Dungeon, Move};
use knave::registry::Registry;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Values a position by the health and what the monsters to come would take of it. It sees positions, for a search samples them, and
/// may use only what the seat knows: which cards are unseen, and not their order.
struct HealthLeft;

impl Evaluator<Dungeon> for HealthLeft {
    fn value(&self, position: &Dungeon, _: Seat) -> f64 {
        let board = position.board();
        let unseen = position.unseen();
        let monsters = unseen.into_iter().chain(board.room());
        let monsters = monsters.filter(|card| matches!(card.suit(), Suit::Clubs | Suit::Spades));
        let harm: f64 = monsters.map(|card| f64::from(card.rank())).sum();
        let health = f64::from(board.health);
        health / (health + 0.1 * harm + 1.0)
    }
}

/// The options of the player.
#[derive(Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CarefulOptions {
    /// Iterations a decision
    #[schemars(range(min = 1))]
    iterations: u32,
}

impl Default for CarefulOptions {
    fn default() -> Self {
        Self { iterations: 200 }
    }
}

impl Options for CarefulOptions {}

/// The player: the search, ready to play.
#[derive(Clone)]
pub struct Careful(Mcts<Dungeon>);

impl Configure<Dungeon> for Careful {
    const NAME: &'static str = "careful";
    const SUMMARY: &'static str = "a search by the health that is left";
    type Options = CarefulOptions;

    fn configure(options: &CarefulOptions, setup: &Setup<'_, Dungeon>) -> Result<Self, OptionError> {
        let kit = Dungeon::kit(setup.rules).evaluator("health_left", |_| Some(Arc::new(HealthLeft)));
        let inner = Setup::new(Self::NAME, &kit, setup.rules);
        let search = mcts::Options {
            iterations: options.iterations,
            leaf: "health_left".to_owned(),
            rollout: Rollout::None,
            ..mcts::Options::default()
        };
        let search = Mcts::configure(&search, &inner)?;
        setup.note_uses(inner.into_found());
        Ok(Self(search))
    }
}

impl Agent<Dungeon> for Careful {
    fn begin_game(&mut self) {
        self.0.begin_game();
    }

    fn uses_history(&self) -> bool {
        self.0.uses_history()
    }

    fn choose(&mut self, decision: Decision<'_, Dungeon>, rng: &mut Rng) -> Move {
        self.0.choose(decision, rng)
    }
}

fn main() -> std::process::ExitCode {
    knave::cli::main_with(Registry::builtin().agent_of::<Dungeon, Careful>())
}
