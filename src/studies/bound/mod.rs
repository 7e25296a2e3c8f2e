//! Upper bounds on fair play, beside a fair player on the same deals.

pub mod tables;

use crate::exec::{Job, Text, Work};
use crate::games::{Bounding, CardGame, DealBounder};
use crate::play::{GameLoop, Observer};
use crate::stats::{Estimate, Moments};
use crate::store::PlanRecord;
use crate::studies::run::{Plan, PlanError, Request};
use knave_agents::rng::{Role, stream};
use serde_json::Value;

/// Values are counted in millionths; a bound is rounded up.
const UNIT: f64 = 1e6;

/// What is measured on each deal, in the order of the slots.
const FAIR: usize = 0;
const BOUND: usize = 1;
const CLAIRVOYANT: usize = 2;

/// A request that has been found right.
pub struct BoundPlan<G: CardGame> {
    /// The game, the fair player, the deals.
    pub base: Plan<G>,
    /// What is bounded.
    pub bounding: Bounding<G>,
}

/// Why a request for bounds was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoundError {
    /// Rules, agent or number of deals were refused.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The game has no bounds.
    #[error("{game} has no bounds on fair play; games that have: {others}")]
    NoBounds {
        /// The game.
        game: &'static str,
        /// The games that have them.
        others: String,
    },
}

impl<G: CardGame> BoundPlan<G> {
    /// Checks a request.
    ///
    /// # Errors
    /// Says what is wrong with the request and what would be right.
    pub fn new(request: &Request) -> Result<Self, BoundError> {
        let Some(bounding) = G::kit(&G::Rules::default()).bounding else {
            return Err(BoundError::NoBounds { game: G::NAME, others: bounded().join(", ") });
        };
        let base = Plan::new(request)?;
        (bounding.check)(&base.rules).map_err(PlanError::from)?;
        Ok(Self { base, bounding })
    }

    /// The plan that is on record.
    ///
    /// # Errors
    /// When it is no record of bounds of this game, or what it names has changed since.
    pub fn again(record: &PlanRecord) -> Result<Self, String> {
        let Some(bounding) = G::kit(&G::Rules::default()).bounding.filter(|_| record.bound.is_some()) else {
            return Err("it holds no bounds".to_owned());
        };
        let base = Plan::again(&PlanRecord { bound: None, ..record.clone() })?;
        let plan = Self { base, bounding };
        let again = PlanRecord { shard: record.shard, ..PlanRecord::of_bound(&plan) };
        if again == *record { Ok(plan) } else { Err("its way of bounding has changed since".to_owned()) }
    }

    /// The fair player as it was named.
    #[must_use]
    pub fn player(&self) -> &str {
        &self.base.agent(0).label
    }
}

/// The games that have bounds.
fn bounded() -> Vec<&'static str> {
    struct Has;
    impl crate::games::Visitor for Has {
        type Output = bool;
        fn visit<G: CardGame>(self) -> bool {
            G::kit(&G::Rules::default()).bounding.is_some()
        }
    }
    let names = crate::games::NAMES.iter().copied();
    names.filter(|name| crate::games::visit(name, Has) == Ok(true)).collect()
}

/// Sums over deals of what a fair player reached, the bound, and what can be reached with every card known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundTotals(Moments);

impl BoundTotals {
    /// The number of deals.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.0.units()
    }

    /// The mean of a sum of slots.
    fn of(&self, terms: &[(usize, i64)]) -> Estimate {
        let Estimate { units, mean, sd } = self.0.of(terms);
        Estimate { units, mean: mean / UNIT, sd: sd / UNIT }
    }

    /// What the fair player reached.
    #[must_use]
    pub fn fair(&self) -> Estimate {
        self.of(&[(FAIR, 1)])
    }

    /// The bound.
    #[must_use]
    pub fn bound(&self) -> Estimate {
        self.of(&[(BOUND, 1)])
    }

    /// What can be reached with every card known.
    #[must_use]
    pub fn clairvoyant(&self) -> Estimate {
        self.of(&[(CLAIRVOYANT, 1)])
    }

    /// How far the fair player is from the bound, on the same deals.
    #[must_use]
    pub fn gap(&self) -> Estimate {
        self.of(&[(BOUND, 1), (FAIR, -1)])
    }
}

/// The deals of a plan, to be bounded.
pub struct BoundingDeals<'p, G: CardGame> {
    /// The plan.
    pub plan: &'p BoundPlan<G>,
}

impl<G: CardGame> Job for BoundingDeals<'_, G> {
    type Totals = BoundTotals;
    type Worker<'a>
        = BoundWorker<'a, G>
    where
        Self: 'a;

    fn totals(&self) -> BoundTotals {
        BoundTotals(Moments::new(3))
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
        serde_json::from_value(record).map(BoundTotals).map_err(|error| error.to_string())
    }

    fn worker(&self) -> BoundWorker<'_, G> {
        let plan = self.plan;
        BoundWorker { plan, table: GameLoop::new(&plan.base), bounder: (plan.bounding.bounder)() }
    }

    fn has_text(&self) -> bool {
        false
    }

    fn name(&self, index: u64) -> String {
        format!("game {index} with seed {}", self.plan.base.seed)
    }
}

/// A worker: a table for the fair player, and one who bounds.
pub struct BoundWorker<'p, G: CardGame> {
    plan: &'p BoundPlan<G>,
    table: GameLoop<'p, G>,
    bounder: Box<dyn DealBounder<G>>,
}

/// Takes down what a game came to.
struct Reached<G: CardGame>(fn(&G) -> f64, f64);

impl<G: CardGame> Observer<G> for Reached<G> {
    fn finish(&mut self, end: &G, _: &[u64]) {
        self.1 = (self.0)(end);
    }
}

impl<G: CardGame> Work<BoundTotals> for BoundWorker<'_, G> {
    fn work(&mut self, index: u64, totals: &mut BoundTotals) {
        let base = &self.plan.base;
        let mut fair = Reached(self.plan.bounding.value, 0.0);
        self.table.play(index, &mut fair);
        let deal = GameLoop::deal(base, index);
        let found = self.bounder.bound(&base.rules, &deal, &mut stream(base.seed, index, Role::Luck));
        let mut slots = [0; 3];
        slots[FAIR] = (fair.1 * UNIT).round() as i64;
        slots[BOUND] = (found.bound * UNIT).ceil() as i64;
        slots[CLAIRVOYANT] = (found.clairvoyant * UNIT).round() as i64;
        totals.0.add(&slots);
    }

    fn take(&mut self) -> Text {
        Text::default()
    }
}
