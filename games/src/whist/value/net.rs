//! The learned evaluator `net`.

use super::features::OWN;
use crate::cards::Suit;
use crate::models::{self, Models};
use crate::whist::{Move, Rules, Whist};
use arrayvec::ArrayVec;
use knave_agents::learn::{LearnedValue, Model, ModelError, probability};
use knave_agents::{Evaluator, Game as _, ModelId, Seat, StepList, Turn};

/// The trained models.
pub static MODELS: Models = Models::new(&[("whist.model", include_bytes!("../models/whist.model"))]);

/// The learned value. Rollouts go on to the end of the trick for it, where little is left to guess.
pub struct AfterTrick(LearnedValue<Whist>);

/// The learned value; `None` where no model was trained for these rules.
pub fn value(rules: &Rules) -> Option<AfterTrick> {
    MODELS.value(rules).map(AfterTrick)
}

/// The learned value of a model; an error where that does not fit.
pub fn of_model(model: Model, rules: &Rules) -> Result<AfterTrick, ModelError> {
    models::value(model, rules).map(AfterTrick)
}

impl Evaluator<Whist> for AfterTrick {
    fn model(&self) -> Option<&ModelId> {
        Some(self.0.model_id())
    }

    fn value(&self, position: &Whist, seat: Seat) -> f64 {
        self.0.value(position, seat)
    }

    /// A card changes few features of its player. The others are added up once for all cards.
    fn steps(&self, position: &Whist, seat: Seat, steps: &mut StepList<Move>, values: &mut Vec<f64>) -> bool {
        steps.clear();
        values.clear();
        let common = |out: &mut Vec<u16>| {
            position.card_features(seat, out);
            position.out_of(seat, out);
            position.standings(seat, out);
        };
        let others = position.others(seat);
        self.0.batch((seat, 0), common, |batch| {
            for card in position.legal() {
                let mut after = *position;
                after.play(Move(card));
                steps.push(&[Move(card)]);
                if after.turn() == Turn::Over {
                    values.push(after.utility(seat));
                    continue;
                }
                let (trick, beaten_by) = after.trick(seat);
                let mut more: ArrayVec<u16, 12> = after.shown(seat).into_iter().chain(beaten_by).collect();
                more.extend(after.leads(seat));
                more.push(trick);
                more.extend(Suit::ALL.map(|suit| after.length(seat, suit)));
                let mut less: ArrayVec<u16, 2> = std::iter::once(OWN + position.place(card)).collect();
                less.extend(position.standing_of(card, others));
                values.push(probability(batch.logit(&less, &more)));
            }
        });
        true
    }

    fn quiescent(&self, position: &Whist) -> Option<bool> {
        Some(position.board.count == 0)
    }
}
