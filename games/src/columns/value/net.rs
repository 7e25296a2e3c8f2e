//! The learned evaluator `net`, and the features of a position for training.

use super::crosses;
use super::features::{BinnedKnowledge, EACH, list, point};
use super::knowledge::fresh;
use crate::columns::{Board, Columns, Move, Phase, Rules, steps};
use crate::models::{self, Models};
use knave_agents::learn::{Afterstate, Features, LearnedValue, Model, ModelError};
use knave_agents::net::Groups;
use knave_agents::{Seat, StepList};

impl Features for Columns {
    const FEATURES_VERSION: u32 = 4;
    const INPUTS: usize = crosses::INPUTS as usize;
    const LEARNS_FROM_ALL_STEPS: bool = true;
    const SHARED: usize = crosses::SHARED as usize;
    /// A group for each pair and one for the hands; the rest has none.
    const GROUPS: Groups = Groups([EACH as u8, EACH as u8, EACH as u8, EACH as u8, 6, 0, 0, 0]);
    const HEADS: usize = crosses::POINTS as usize;

    /// A head for each viewpoint.
    fn head(features: &[u16]) -> usize {
        point(features)
    }

    /// After the last round cards may still be drawn.
    fn decided(&self, seat: Seat) -> Option<f64> {
        decided(&self.board, seat)
    }

    fn shared(feature: u16, out: &mut Vec<u16>) {
        crosses::shared(feature, out);
    }

    fn features(&self, seat: Seat, out: &mut Vec<u16>) {
        list(&self.board, self.hands[seat], &BinnedKnowledge::new(self, seat, fresh(&self.board, seat)), out);
    }

    fn afterstates(
        &self,
        seat: Seat,
        steps: &mut StepList<Move>,
        buffer: &mut Vec<u16>,
        each: &mut dyn FnMut(usize, Afterstate<'_>),
    ) {
        let (board, hand) = (&self.board, self.hands[seat]);
        let places = board.phase == Phase::Place;
        let bins = BinnedKnowledge::new(self, seat, !places && fresh(board, seat));
        steps.clear();
        if places {
            board.placements(|dice| {
                let mut after = *board;
                after.place(dice);
                list(&after, hand, &bins, buffer);
                steps.push(&[Move::Place(dice)]);
                each(steps.len() - 1, Afterstate::Open { features: buffer, settled: 0.0 });
            });
            return;
        }
        steps::outcomes(board, hand, self.revealed, self.stock.len(), |outcome| {
            if outcome.wins {
                steps.clear();
            }
            steps.push(outcome.moves);
            let after = outcome.board;
            if let Some(value) = decided(after, seat) {
                each(steps.len() - 1, Afterstate::Over(value));
            } else {
                list(after, outcome.hand, &bins, buffer);
                each(steps.len() - 1, Afterstate::Open { features: buffer, settled: 0.0 });
            }
        });
    }
}

/// After so many rounds in which nothing was played, waiting is a stand-off, unless the game is short anyway. All dice that could
/// have helped have come by then.
pub const STAND_OFF: u32 = 40;

/// What a stand-off is worth to either seat. That is less than the half which it scores (chess programs call this contempt): who
/// plays on instead gives hardly anything away, and the game comes to an end.
const CONTEMPT: f64 = 0.2;

/// What `seat` is to expect on a board where that is known.
fn decided(board: &Board, seat: Seat) -> Option<f64> {
    match board.phase {
        Phase::Over => Some(board.winner().map_or(0.5, |winner| f64::from(u8::from(winner == seat)))),
        Phase::Roll if board.waited >= STAND_OFF && board.rules.max_rounds >= LONG => Some(CONTEMPT),
        _ => None,
    }
}

const WHOLE_GAMES: &str = "columns.model";
const SHORT_GAMES: &str = "columns-short.model";

/// The trained models. Both were trained for the same rules; the limit of rounds says which serves.
pub static MODELS: Models = Models::new(&[
    (WHOLE_GAMES, include_bytes!("../models/columns.model")),
    (SHORT_GAMES, include_bytes!("../models/columns-short.model")),
]);

/// Up to this limit of rounds the model is better that was trained less: of what the other learnt later, hardly anything was about
/// games as short.
const SHORT: u32 = 8;

/// The limit of rounds in training.
const TRAINED: u32 = 40;

/// A limit of rounds that hardly matters any more: longer games hardly ever end otherwise. So the value holds for all limits
/// from here on.
const LONG: u32 = 50;

/// The rules that a model must have been trained for to serve these.
fn trained(rules: &Rules) -> Rules {
    let max_rounds = if rules.max_rounds >= LONG { TRAINED } else { rules.max_rounds };
    Rules { max_rounds, ..*rules }
}

/// The learned value; `None` where no model was trained for these rules.
pub fn value(rules: &Rules) -> Option<LearnedValue<Columns>> {
    let name = if rules.max_rounds <= SHORT { SHORT_GAMES } else { WHOLE_GAMES };
    models::value(MODELS.named(name)?, &trained(rules)).ok()
}

/// The learned value of a model; an error where that does not fit.
pub fn of_model(model: Model, rules: &Rules) -> Result<LearnedValue<Columns>, ModelError> {
    models::value_alike(model, rules, trained)
}
