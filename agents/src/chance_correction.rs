//! Chance correction: a control variate for luck, as an evaluator sees it.
//!
//! The luck of a random event is the value of its outcome less the expected value over alternative outcomes.
//! Summed over a game, it has expectation 0 for every player and every evaluator. It can therefore be
//! subtracted from a result without bias. The better the evaluator, the more variance goes with it. This is the
//! chance part of AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling 2018). A mean over a few sampled outcomes
//! stands for the expectation, which keeps it unbiased and works for every game.

use crate::evaluator::Evaluator;
use crate::game::{Seat, Turn};
use crate::kit::Tools;
use crate::rng::Rng;
use crate::steps::StepList;
use std::sync::Arc;

/// The alternatives to the outcome of a random event.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Alternatives {
    /// Dice: they are thrown again in the same position.
    Dice,
    /// Hidden cards: other worlds are sampled from the player's view. Only for one player, as the moves of
    /// others may tell more of the hidden cards than a sampled world.
    Worlds,
}

/// A measure of luck.
pub struct ChanceCorrection<G: Tools> {
    evaluator: Arc<dyn Evaluator<G>>,
    samples: u32,
}

impl<G: Tools> Clone for ChanceCorrection<G> {
    fn clone(&self) -> Self {
        Self { evaluator: Arc::clone(&self.evaluator), samples: self.samples }
    }
}

impl<G: Tools> ChanceCorrection<G> {
    /// A measure by this evaluator, with at least one sampled outcome for each random event.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator<G>>, samples: u32) -> Self {
        Self { evaluator, samples: samples.max(1) }
    }

    /// The luck of `seat` in the event between `before` and `after`, about -1 to 1. The samples come from
    /// `rng`, which must be independent of the outcome.
    #[must_use]
    pub fn of(&self, before: &G, after: &G, alternatives: Alternatives, seat: Seat, rng: &mut Rng) -> f64 {
        let mut expected = 0.0;
        for _ in 0..self.samples {
            let mut world = match alternatives {
                Alternatives::Dice => before.clone(),
                Alternatives::Worlds => G::sample_world(&before.view(seat), rng),
            };
            world.roll(rng);
            expected += self.value(&world, seat);
        }
        self.value(after, seat) - expected / f64::from(self.samples)
    }

    /// The value of a position. Evaluators value afterstates, so a decision is worth the afterstate of its
    /// player's best step.
    fn value(&self, position: &G, seat: Seat) -> f64 {
        let leaf = |position: &G, seat| match position.turn() {
            Turn::Over => position.utility(seat),
            _ => self.evaluator.value(position, seat),
        };
        let Turn::Player(mover) = position.turn() else {
            return leaf(position, seat);
        };
        if mover == seat
            && let Some(value) = self.evaluator.decision(position, seat)
        {
            return value;
        }
        let mut steps = StepList::default();
        position.steps(&mut steps);
        let mut best = (f64::NEG_INFINITY, 0.0);
        for step in steps.iter() {
            let mut after = position.clone();
            step.iter().for_each(|&m| after.play(m));
            let liked = leaf(&after, mover);
            if liked > best.0 {
                best = (liked, if mover == seat { liked } else { leaf(&after, seat) });
            }
        }
        best.1
    }
}
