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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Role, stream};
    use crate::toys::{ladder, ladder::Ladder, pig::Pig};

    /// Games of a toy, played by its policy or at random: (utility of seat 0, luck).
    fn play<G: Tools>(
        rules: &G::Rules,
        name: &str,
        alternatives: Alternatives,
        games: u64,
    ) -> Vec<(f64, f64)> {
        let luck = ChanceCorrection::<G>::new(G::kit(rules).find_evaluator(name, rules).unwrap(), 2);
        let policy = G::kit(rules).find_policy("", rules);
        let mut buffer = Vec::new();
        let mut game = |index| {
            let mut position = G::deal(rules, &mut stream(9003, index, Role::Deal));
            let mut chance = stream(9003, index, Role::Chance);
            let (mut mover, mut sampler) =
                (stream(9003, index, Role::Agent(0)), stream(9003, index, Role::ControlVariate));
            let mut sum = 0.0;
            loop {
                match position.turn() {
                    Turn::Over => return (position.utility(0), sum),
                    Turn::Player(_) => {
                        let m = match &policy {
                            Some(policy) => policy.choose(&position, &mut buffer, &mut mover),
                            None => position.random_move(&mut buffer, &mut mover),
                        };
                        position.play(m);
                    }
                    turn => {
                        let before = position.clone();
                        position.roll(&mut chance);
                        if turn == Turn::Chance {
                            sum += luck.of(&before, &position, alternatives, 0, &mut sampler);
                        }
                    }
                }
            }
        };
        (0..games).map(&mut game).collect()
    }

    /// The mean luck is 0 within four standard errors, whether the evaluator is good or not. Returns the
    /// factors by which the best multiple of it lowers the variance.
    fn factors<G: Tools>(rules: &G::Rules, names: &[&str], alternatives: Alternatives) -> Vec<f64> {
        let factor = |name: &&str| {
            let games = play::<G>(rules, name, alternatives, 4000);
            let n = games.len() as f64;
            let mean = |f: &dyn Fn(&(f64, f64)) -> f64| games.iter().map(f).sum::<f64>() / n;
            let (result, luck) = (mean(&|game| game.0), mean(&|game| game.1));
            let variance = mean(&|game| (game.1 - luck).powi(2));
            assert!(luck.abs() < 4.0 * (variance / n).sqrt(), "{name}: mean luck {luck} in {n} games");
            assert!(variance > 0.0, "{name} sees no luck");
            let covariance = mean(&|game| (game.1 - luck) * (game.0 - result));
            let raw = mean(&|game| (game.0 - result).powi(2));
            raw / (raw - covariance * covariance / variance)
        };
        names.iter().map(factor).collect()
    }

    #[test]
    fn luck_is_unbiased_with_dice() {
        let factors = factors::<Pig>(&20, &["exact", "lead"], Alternatives::Dice);
        assert!(factors.iter().all(|&factor| factor > 1.02), "{factors:?}");
    }

    #[test]
    fn luck_is_unbiased_with_hidden_cards() {
        let rules = ladder::Rules { cards: 6, shuffled: false };
        let factors = factors::<Ladder>(&rules, &["exact"], Alternatives::Worlds);
        assert!(factors[0] > 1.04, "{factors:?}");
    }
}
