//! The plan of a bound: a validated request.

use super::{BoundSummary, BoundTotals, BoundingDeals, Request, tables};
use crate::exec::Job;
use crate::games::{self, CardGame};
use crate::store::{Files, Manifest, PlanRecord, Table, default_name};
use crate::studies::request::{record, specs, uses};
use crate::studies::run::{self, PlanError};
use crate::studies::{self, Head, Outputs, RequestError, StudyPlan, Summary, Writes, faults};
use knave_agents::{Bounding, Entry, options};
use std::io;

/// A validated bound request.
pub struct Plan<G: CardGame> {
    /// The game, the fair player, the deals.
    pub base: run::Plan<G>,
    /// What is bounded.
    pub bounding: Bounding<G>,
}

/// An error in a request for a bound.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoundError {
    /// Rules, agent or number of deals were refused.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The game has no bounds.
    #[error("{0} has no bounds on fair play")]
    NoBounds(&'static str),
    /// The game has no policy for the default player.
    #[error(
        "{0} has no policy for the agent rule, which is the fair player unless another is named, such as mcts"
    )]
    NoPlayer(&'static str),
    /// The agent is a program of one's own.
    #[error(
        "{0} cannot be the fair player of a bound: what a program of one's own does wrong is not counted there"
    )]
    Outside(String),
}

impl From<BoundError> for RequestError {
    fn from(error: BoundError) -> Self {
        match error {
            BoundError::Plan(error) => error.into(),
            BoundError::NoBounds(_) => Self::new("game", error),
            BoundError::NoPlayer(_) | BoundError::Outside(_) => Self::new("agents", error),
        }
    }
}

impl<G: CardGame> Plan<G> {
    /// Checks a request and prepares its agent, which is among `entries`.
    /// It is about `G`, whatever game the request names.
    ///
    /// # Errors
    /// Says what is wrong with the request and what would be right.
    pub fn new(request: &Request, entries: &[Entry<G>]) -> Result<Self, BoundError> {
        let Request { rules, cards, agents, n, seed, .. } = request;
        if G::kit(&G::Rules::default()).bounding.is_none() {
            return Err(BoundError::NoBounds(G::NAME));
        }
        if *agents == super::request::rule() && G::kit(&G::Rules::default()).policies().is_empty() {
            return Err(BoundError::NoPlayer(G::NAME));
        }
        let base = run::Plan::of(rules, cards.as_ref(), agents, (*n, *seed), entries)?;
        if faults::are_possible(base.agents()) {
            return Err(BoundError::Outside(base.agent(0).label.clone()));
        }
        let bounding = G::kit(&base.rules).bounding.ok_or(BoundError::NoBounds(G::NAME))?;
        (bounding.check)(&base.rules)
            .map_err(|error| PlanError::from(error.of(&games::rules_owner::<G>())))?;
        Ok(Self { base, bounding })
    }

    /// The fair player as it was named.
    #[must_use]
    pub fn player(&self) -> &str {
        &self.base.agent(0).label
    }
}

impl<G: CardGame> StudyPlan for Plan<G> {
    type Totals = BoundTotals;

    fn noun(&self) -> &'static str {
        super::NOUN
    }

    fn record(&self) -> PlanRecord {
        let request = Request {
            game: G::NAME.to_owned(),
            rules: options::recorded(&self.base.rules),
            cards: self.base.cards.clone(),
            agents: specs(self.base.agents()),
            n: self.base.n,
            seed: self.base.seed,
        };
        let mut facts = uses(self.base.agents());
        facts.insert("quantity".to_owned(), self.bounding.quantity.into());
        facts.insert("method".to_owned(), self.bounding.method.into());
        record::<G>(&studies::Request::Bound(request), facts)
    }

    fn notes(&self) -> Vec<String> {
        self.base.notes().cloned().collect()
    }

    fn folder_name(&self) -> Option<String> {
        let cards = self.base.cards_label();
        let labels = ["bound", self.player()].into_iter().chain(cards.as_deref());
        Some(default_name(G::NAME, labels, self.base.n, self.base.seed))
    }

    fn files(&self, outputs: &Outputs) -> Result<Files, RequestError> {
        outputs.only("bound", Writes::default())?;
        Ok(Files { tables: vec![tables::BOUND], ..Files::default() })
    }

    fn job<'a>(&'a self, _: &Outputs) -> Box<dyn Job<Totals = BoundTotals> + 'a> {
        Box::new(BoundingDeals { plan: self })
    }

    fn estimate(&self, totals: &BoundTotals) -> String {
        let [bound, interval] = BoundSummary::show(self.bounding.quantity, &totals.bound());
        format!("bound {bound} ({interval})")
    }

    fn tables(&self, totals: &BoundTotals) -> io::Result<Vec<Table>> {
        Ok(vec![Table::of(&tables::BOUND, tables::bounds(self, totals))?])
    }

    fn summary(&self, totals: &BoundTotals, manifest: &Manifest) -> Box<dyn Summary> {
        Box::new(BoundSummary {
            head: Head::of::<G>(manifest),
            quantity: self.bounding.quantity,
            method: self.bounding.method,
            agent: self.player().to_owned(),
            fair: totals.fair(),
            bound: totals.bound(),
            clairvoyant: totals.clairvoyant(),
            gap: totals.gap(),
        })
    }
}
