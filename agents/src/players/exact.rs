//! `exact`: the best play of a game that is small enough to be solved to its end.

use crate::agent::Agent;
use crate::configure::Configure;
use crate::decision::Decision;
use crate::exact::cfr::{self, Equilibrium};
use crate::exact::optimum::Optimum;
use crate::exact::profile::Profile;
use crate::exact::tree::{Recall, Tree};
use crate::exact::{ExactError, Payoff};
use crate::kit::{Setup, Tools};
use crate::options::{self, OptionError};
use crate::rng::{Rng, Role, stream};
use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An optimal player of small games: the best fair play of a solo game, an equilibrium of two seats.
#[derive(Clone)]
pub struct Exact<G: Tools> {
    solved: Solved<G>,
    recall: Recall,
    buffer: Vec<G::Move>,
}

/// A solved game.
enum Solved<G: Tools> {
    Solo(Arc<Optimum<G>>),
    Two(Arc<(Tree<G>, Profile)>),
}

impl<G: Tools> Clone for Solved<G> {
    fn clone(&self) -> Self {
        match self {
            Self::Solo(optimum) => Self::Solo(Arc::clone(optimum)),
            Self::Two(solved) => Self::Two(Arc::clone(solved)),
        }
    }
}

/// The options of `exact`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The most positions that it works out
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub positions: u64,
    /// Two seats: the most iterations of CFR+
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub iterations: u64,
    /// Two seats: stop when the value is known to within this gap
    #[schemars(range(min = 1e-12, max = 1.0))]
    pub gap: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { positions: 20_000_000, iterations: 10_000, gap: 1e-4 }
    }
}

impl options::Options for Options {}

impl<G: Tools> Configure<G> for Exact<G> {
    const NAME: &'static str = "exact";
    const SUMMARY: &'static str = "best play of a game with few cards, solved to its end";
    type Options = Options;

    fn configure(options: &Options, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        // Before anything that would not help: short decks, limits.
        let seats = setup.starts.and_then(|starts| starts.first()).map(|(start, _)| start.seats());
        let seats = seats.unwrap_or_else(|| G::deal(setup.rules, &mut stream(0, 0, Role::Deal)).seats());
        if seats > 2 {
            return Err(setup.unfit(ExactError::Seats(seats).to_string()));
        }
        let Some(starts) = setup.starts else {
            return Err(setup.unfit(
                "it plays with a short deck alone, such as 2-6CD: in runs, comparisons and bounds (`cards`)",
            ));
        };
        let Some(listing) = &setup.kit.exact else {
            return Err(setup.unfit("this game has no exact solver for small decks"));
        };
        let (payoff, limit): (Payoff<G>, _) = (G::utility, options.positions as usize);
        let solve = || -> Result<Solved<G>, ExactError> {
            if starts.first().is_some_and(|(start, _)| start.seats() == 1) {
                return Ok(Solved::Solo(Arc::new(Optimum::new(starts, listing, payoff, limit)?.0)));
            }
            let tree = Tree::new(starts, listing, payoff, limit)?;
            let Equilibrium { profile, low, high, iterations } =
                cfr::solve(&tree, options.gap, options.iterations)?;
            if high - low > options.gap {
                setup.note(format!(
                    "exact: after iterations={iterations} the value of the game is known to {:.2e}, not to gap={:e}",
                    high - low,
                    options.gap
                ));
            }
            Ok(Solved::Two(Arc::new((tree, profile))))
        };
        let solved = solve().map_err(|error| match error {
            ExactError::TooLarge { .. } => setup.refuse("positions", &options.positions, error.to_string()),
            other => setup.unfit(other.to_string()),
        })?;
        Ok(Self { solved, recall: Recall::default(), buffer: Vec::new() })
    }
}

impl<G: Tools> Agent<G> for Exact<G> {
    fn begin_game(&mut self) {
        self.recall = Recall::default();
    }

    fn uses_history(&self) -> bool {
        matches!(self.solved, Solved::Two(_))
    }

    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
        let chosen = match &self.solved {
            Solved::Solo(optimum) => {
                // Any world with this view: the player knows no more.
                let best = optimum.best(&G::sample_world(&decision.view(), rng));
                debug_assert!(best.is_some(), "every position of a solved game has a value");
                best.map(|(m, _)| m)
            }
            Solved::Two(solved) => {
                let (tree, profile) = &**solved;
                let set = tree.see(&mut self.recall, &decision.view(), decision.history());
                set.map(|set| {
                    let set = &tree.sets()[set as usize];
                    let mut left: f64 = rng.random();
                    let drawn = profile.at(set).iter().position(|probability| {
                        left -= probability;
                        left < 0.0
                    });
                    let number = drawn.unwrap_or(set.moves.len() - 1);
                    self.recall.played(number);
                    set.moves[number]
                })
            }
        };
        // A forced move, or a game of other cards.
        chosen
            .filter(|&m| decision.is_legal(m))
            .unwrap_or_else(|| decision.random_move(&mut self.buffer, rng))
    }
}
