//! `greedy`: one move, or one whole turn, ahead by the game's evaluator.

use super::decide::{DecisionLoop, Search};
use super::end_game::{EndGame, Hidden};
use super::valuer::{Granularity, Valuer};
use crate::decision::Decision;
use crate::kit::{Setup, Tools};
use crate::options::{self, OptionError};
use crate::rng::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A greedy player: it takes the move or turn with the best afterstate, the first among equals.
pub type Greedy<G> = DecisionLoop<G, GreedySearch<G>>;

/// The search of [`Greedy`].
#[derive(Clone)]
pub struct GreedySearch<G: Tools> {
    valuer: Valuer<G>,
}

/// The options of `greedy`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The evaluator that values what a move leaves behind; empty for the game's default
    pub evaluator: String,
    /// Whether it looks one move ahead or one whole turn
    pub steps: Granularity,
    /// Nodes for the exact solver where nothing is hidden any more; 0 turns it off
    pub solver_nodes: u64,
    /// Use the exact solver, where it is on, with at most this many hidden cards, if the next draw shows them all
    #[serde(skip_serializing_if = "options::is_nothing")]
    #[schemars(!skip_serializing_if, range(min = 0, max = 3))]
    pub solver_hidden: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { evaluator: String::new(), steps: Granularity::Moves, solver_nodes: 0, solver_hidden: 0 }
    }
}

impl options::Options for Options {}

impl<G: Tools> Search<G> for GreedySearch<G> {
    const NAME: &'static str = "greedy";
    const SUMMARY: &'static str = "one move or one turn ahead by the game's evaluator";
    type Options = Options;

    fn configure(options: &Options, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let evaluator = setup.evaluator("evaluator", &options.evaluator)?;
        let hidden = Hidden { decision: options.solver_hidden, search: 0 };
        let end = EndGame::with_hidden(setup, options.solver_nodes, hidden)?;
        Ok(Self { valuer: Valuer::of(Some(evaluator), options.steps, end) })
    }

    fn end_game(&mut self) -> &mut EndGame<G> {
        &mut self.valuer.end
    }

    fn search(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, _: &mut Rng) {
        let best = self.valuer.best(world, decision.seat());
        line.extend_from_slice(self.valuer.steps.get(best));
    }

    fn break_tie(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, _: &mut Rng) {
        self.valuer.break_tie(world, decision.seat(), line);
    }
}
