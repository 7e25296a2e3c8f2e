//! The deals of a plan as the job that workers share.

use super::totals::{BOUND, CLAIRVOYANT, FAIR, UNIT};
use super::{BoundTotals, Plan};
use crate::exec::{Halt, Job, Text, Work};
use crate::games::CardGame;
use crate::play::{Bench, Finished, GameLoop, Observer};
use crate::stats::Moments;
use knave_agents::DealBounder;
use knave_agents::rng::{Role, stream};
use serde_json::Value;
use std::sync::atomic::AtomicBool;

/// The deals of a plan, to be bounded.
pub struct BoundingDeals<'p, G: CardGame> {
    /// The plan.
    pub plan: &'p Plan<G>,
}

impl<G: CardGame> Job for BoundingDeals<'_, G> {
    type Totals = BoundTotals;

    fn totals(&self) -> BoundTotals {
        let bounding = &self.plan.bounding;
        let (most, whole) = (UNIT as i64, G::SCORE_UNITS as f64);
        let known = match bounding.quantity {
            "wins" => Some((0, most)),
            _ => G::score_range(&self.plan.base.rules)
                .map(|(low, high)| [low, high].map(|end| (end as f64 / whole * UNIT) as i64).into()),
        };
        // The bound of a deal may lie outside, which widens the range for all intervals of bounds.
        BoundTotals(Moments::within(vec![known; 3]))
    }

    fn counted(&self, totals: &BoundTotals) -> u64 {
        totals.deals()
    }

    fn merge(&self, totals: &mut BoundTotals, part: BoundTotals) {
        totals.0.merge(&part.0);
    }

    fn record(&self, totals: &BoundTotals) -> Value {
        serde_json::to_value(&totals.0).unwrap_or_default()
    }

    fn restore(&self, record: Value) -> Result<BoundTotals, String> {
        let moments: Moments = serde_json::from_value(record).map_err(|error| error.to_string())?;
        if moments.is_like(&self.totals().0) {
            Ok(BoundTotals(moments))
        } else {
            Err("counts are missing".to_owned())
        }
    }

    fn worker<'a>(&'a self, stop: &'a AtomicBool) -> Box<dyn Work<BoundTotals> + 'a> {
        let plan = self.plan;
        Box::new(BoundWorker {
            plan,
            game_loop: plan.base.game_loop(&mut Bench::new(stop)),
            bounder: (plan.bounding.bounder)(),
        })
    }

    fn has_text(&self) -> bool {
        false
    }

    fn name(&self, index: u64) -> String {
        format!("game {index} with seed {}", self.plan.base.seed)
    }
}

/// A worker: a game loop of the fair player, and one who bounds.
pub struct BoundWorker<'p, G: CardGame> {
    plan: &'p Plan<G>,
    game_loop: GameLoop<'p, G>,
    bounder: Box<dyn DealBounder<G>>,
}

/// Takes down what a game came to.
struct Reached<G: CardGame>(fn(&G) -> f64, f64);

impl<G: CardGame> Observer<G> for Reached<G> {
    fn finish(&mut self, end: &Finished<'_, G>) {
        self.1 = (self.0)(end.position);
    }
}

impl<G: CardGame> Work<BoundTotals> for BoundWorker<'_, G> {
    fn work(&mut self, index: u64, totals: &mut BoundTotals) -> Result<(), Halt> {
        let base = &self.plan.base;
        let mut fair = Reached(self.plan.bounding.value, 0.0);
        self.game_loop.play(index, &mut fair)?;
        let deal = base.deals().of(index);
        let found =
            self.bounder.bound(&base.rules, &deal, &mut stream(base.seed, index, Role::ControlVariate));
        let mut slots = [0; 3];
        slots[FAIR] = (fair.1 * UNIT).round() as i64;
        slots[BOUND] = (found.bound * UNIT).ceil() as i64;
        slots[CLAIRVOYANT] = (found.clairvoyant * UNIT).round() as i64;
        totals.0.add(&slots);
        Ok(())
    }

    fn take(&mut self) -> Text {
        Text::default()
    }
}
