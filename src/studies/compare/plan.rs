//! The plan of a comparison: a validated request.

use super::summary::estimate;
use super::{CompareSummary, CompareTotals, Comparing, Goal, Measure, Request, tables};
use crate::exec::Job;
use crate::games::CardGame;
use crate::stats::{ratings, sprt};
use crate::store::{Files, Manifest, PlanRecord, Table, default_name};
use crate::studies::request::{record, specs, uses};
use crate::studies::run::{self, PlanError};
use crate::studies::{self, Head, Outputs, RequestError, StudyPlan, Summary, Writes, faults};
use knave_agents::chance_correction::ChanceCorrection;
use knave_agents::options;
use knave_agents::registry::Prepared;
use knave_agents::{AgentSpec, Entry, Seat};
use std::io;
use std::sync::atomic::AtomicBool;

/// The most agents that are compared at once.
pub const MOST_AGENTS: usize = 12;

/// A validated comparison request.
pub struct Plan<G: CardGame> {
    /// The number of deals, or the most of them.
    pub n: u64,
    /// When to stop, if not after all deals.
    pub goal: Option<Goal>,
    /// The sampled outcomes for each random event, where results are corrected for chance.
    pub control: Option<u32>,
    agents: Vec<Prepared<G>>,
    sides: Vec<Vec<Seat>>,
    lineups: Vec<Lineup<G>>,
    chance_correction: Option<ChanceCorrection<G>>,
}

/// Who sits where in one of the games that are played on each deal.
pub struct Lineup<G: CardGame> {
    /// The agents in their seats.
    pub plan: run::Plan<G>,
    /// The agents by side.
    pub agents: Vec<usize>,
    /// Who is alone among the others, or alone altogether: the slot, and the side of the agent whose slot it is.
    pub alone: Vec<(usize, usize)>,
}

/// An error in a request for a comparison.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// The rules or an agent were refused.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Too few or too many agents.
    #[error("{given} {} given: a comparison needs 2 to {MOST_AGENTS}", if *given == 1 { "agent was" } else { "agents were" })]
    Agents {
        /// How many agents were given.
        given: usize,
    },
    /// The same agent twice.
    #[error("the agent {label} is given twice")]
    Twice {
        /// Its label.
        label: String,
    },
    /// The sequential test was asked for more than two agents.
    #[error("--sprt tests whether the second agent is better than the first: give two, not {given}")]
    Sprt {
        /// How many agents were given.
        given: usize,
    },
    /// The goal is none that can be reached.
    #[error("{reason}")]
    Goal {
        /// The field of the request.
        field: &'static str,
        /// What is wrong with it, and what would be right.
        reason: String,
    },
    /// Results cannot be corrected where the end depends on them.
    #[error("--control cannot be used with --until or --sprt: their intervals are for the plain results")]
    Control,
    /// The game has no evaluator for these rules.
    #[error("--control needs an evaluator, and {game} has none for these rules")]
    NoEvaluator {
        /// The game.
        game: &'static str,
    },
}

impl From<CompareError> for RequestError {
    fn from(error: CompareError) -> Self {
        let field = match error {
            CompareError::Plan(error) => return error.into(),
            CompareError::Agents { .. } | CompareError::Twice { .. } => "agents",
            CompareError::Sprt { .. } => "sprt",
            CompareError::Goal { field, .. } => field,
            CompareError::Control | CompareError::NoEvaluator { .. } => "control",
        };
        Self::new(field, error)
    }
}

impl<G: CardGame> Plan<G> {
    /// Checks a request and prepares its agents, which are among `entries`.
    /// It is about `G`, whatever game the request names.
    ///
    /// # Errors
    /// Says what is wrong with the request and what would be right.
    pub fn new(request: &Request, entries: &[Entry<G>]) -> Result<Self, CompareError> {
        let Request { rules, cards, agents: named, n, seed, control, .. } = request;
        let (given, goal) = (named.len(), request.goal()?);
        let alone = |spec: &AgentSpec| {
            run::Plan::<G>::of(rules, cards.as_ref(), std::slice::from_ref(spec), (*n, *seed), entries)
        };
        let plans = named.iter().map(alone).collect::<Result<Vec<_>, _>>()?;
        if !(2..=MOST_AGENTS).contains(&given) {
            return Err(CompareError::Agents { given });
        }
        let agents: Vec<Prepared<G>> = plans.iter().map(|plan| plan.agent(0).clone()).collect();
        for (i, agent) in agents.iter().enumerate() {
            let same = |other: &Prepared<G>| other.label == agent.label;
            if agents[..i].iter().any(same) {
                return Err(CompareError::Twice { label: agent.label.clone() });
            }
        }
        if matches!(goal, Some(Goal::Sprt { .. })) && given != 2 {
            return Err(CompareError::Sprt { given });
        }
        let base = &plans[0];
        let chance_correction = match control {
            None => None,
            Some(_) if goal.is_some() => return Err(CompareError::Control),
            Some(samples) => {
                let evaluator = G::kit(&base.rules).find_evaluator("", &base.rules);
                let evaluator = evaluator.ok_or(CompareError::NoEvaluator { game: G::NAME })?;
                Some(ChanceCorrection::new(evaluator, *samples))
            }
        };
        let sides = sides(&G::teams(&base.rules, base.seats()));
        let seat = |Seating { agents: seated, alone }: Seating| {
            let side = |seat| sides.iter().position(|side| side.contains(&seat)).unwrap_or_default();
            let by_seat = (0..base.seats()).map(|seat| agents[seated[side(seat)]].clone());
            Lineup { plan: base.seated(by_seat.collect()), agents: seated, alone }
        };
        let lineups = seatings(given, sides.len()).into_iter().map(seat).collect();
        Ok(Self { n: *n, goal, control: *control, agents, sides, lineups, chance_correction })
    }

    /// The agents in the order in which they were given.
    #[must_use]
    pub fn agents(&self) -> &[Prepared<G>] {
        &self.agents
    }

    /// The label of an agent.
    #[must_use]
    pub fn label(&self, agent: usize) -> &str {
        &self.agents[agent].label
    }

    /// The games that are played on each deal.
    #[must_use]
    pub fn lineups(&self) -> &[Lineup<G>] {
        &self.lineups
    }

    /// A plan with these rules and this seed.
    #[must_use]
    pub fn base(&self) -> &run::Plan<G> {
        &self.lineups[0].plan
    }

    /// The sides at the table: the seats of each team, or every seat by itself where everybody plays alone. One agent plays all
    /// seats of a side.
    #[must_use]
    pub fn sides(&self) -> &[Vec<Seat>] {
        &self.sides
    }

    /// Whether some side has more than one seat.
    #[must_use]
    pub fn has_teams(&self) -> bool {
        self.sides.len() < self.base().seats()
    }

    /// The mean score of the second agent in the sequential test when it is better than the first by this many Elo.
    ///
    /// For wins with more than one side the Elo is that of the ratings: the mean of [`sprt::table_score`] over the line-ups.
    /// Else a deal is a game of the two, won by the better result.
    #[must_use]
    pub fn expected_score(&self, measure: Measure, elo: f64) -> f64 {
        let sides = self.sides.len();
        if measure == Measure::Score || sides <= 2 {
            return sprt::score(elo);
        }
        let own = |lineup: &Lineup<G>| lineup.agents.iter().filter(|&&agent| agent == 1).count();
        let scores = self.lineups.iter().map(|lineup| sprt::table_score(elo, own(lineup), sides));
        scores.sum::<f64>() / self.lineups.len() as f64
    }

    /// The number of slots: results that are kept of each deal. For one side an agent has one, for more every
    /// ordered pair of agents has one ([`ratings::slot`]): how the first does at a table that it shares with the second.
    #[must_use]
    pub fn slots(&self) -> usize {
        if self.sides.len() == 1 { self.agents.len() } else { ratings::slots(self.agents.len()) }
    }

    /// The slots of `a` against `b` and of `b` against `a`.
    #[must_use]
    pub fn slots_of(&self, a: usize, b: usize) -> (usize, usize) {
        let slot = |a, b| ratings::slot(self.agents.len(), a, b);
        if self.sides.len() == 1 { (a, b) } else { (slot(a, b), slot(b, a)) }
    }

    /// The unordered pairs of agents, each with its first agent first.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let agents = self.agents.len();
        (0..agents).flat_map(move |a| (a + 1..agents).map(move |b| (a, b)))
    }

    /// The number of games on each deal in which a slot gets its result: one for one side, else those that a pair of
    /// agents shares.
    #[must_use]
    pub fn games_of_slot(&self) -> usize {
        let pairs = self.agents.len() * (self.agents.len() - 1) / 2;
        if self.sides.len() == 1 { 1 } else { self.lineups.len() / pairs }
    }

    /// How results are corrected for chance, if they are.
    #[must_use]
    pub fn chance_correction(&self) -> Option<&ChanceCorrection<G>> {
        self.chance_correction.as_ref()
    }
}

impl<G: CardGame> StudyPlan for Plan<G> {
    type Totals = CompareTotals;

    fn noun(&self) -> &'static str {
        super::NOUN
    }

    fn record(&self) -> PlanRecord {
        let base = self.base();
        let request = Request {
            game: G::NAME.to_owned(),
            rules: options::recorded(&base.rules),
            cards: base.cards.clone(),
            agents: specs(self.agents.iter()),
            n: self.n,
            seed: base.seed,
            control: self.control,
            ..Request::of_goal(self.goal)
        };
        let mut facts = uses(self.agents.iter());
        facts.insert("seats".to_owned(), base.seats().into());
        if self.has_teams() {
            facts.insert("teams".to_owned(), self.sides.clone().into());
        }
        facts.insert("games_a_deal".to_owned(), self.lineups.len().into());
        record::<G>(&studies::Request::Compare(request), facts)
    }

    fn notes(&self) -> Vec<String> {
        self.agents.iter().flat_map(|agent| agent.notes.clone()).collect()
    }

    fn folder_name(&self) -> Option<String> {
        let (labels, cards) =
            (self.agents.iter().map(|agent| agent.label.as_str()), self.base().cards_label());
        let labels = ["compare"].into_iter().chain(labels).chain(cards.as_deref());
        Some(default_name(G::NAME, labels, self.n, self.base().seed))
    }

    fn files(&self, outputs: &Outputs) -> Result<Files, RequestError> {
        outputs.only("compare", Writes::default())?;
        let log = faults::are_possible(self.agents.iter());
        Ok(Files { tables: tables::forms(self), log, ..Files::default() })
    }

    fn job<'a>(&'a self, _: &Outputs) -> Box<dyn Job<Totals = CompareTotals> + 'a> {
        Box::new(Comparing { plan: self })
    }

    fn get_ready(&self, stop: &AtomicBool) -> Result<(), String> {
        self.agents.iter().try_for_each(|agent| agent.make().get_ready(stop))
    }

    fn check_shards(&self) -> Result<(), RequestError> {
        if self.goal.is_some() {
            let reason = "--shard cannot be used with --until or --sprt: no part knows when to stop";
            return Err(RequestError::new("shard", reason));
        }
        Ok(())
    }

    fn estimate(&self, totals: &CompareTotals) -> String {
        estimate(self, totals)
    }

    fn tables(&self, totals: &CompareTotals) -> io::Result<Vec<Table>> {
        tables::all(self, totals)
    }

    fn summary(&self, totals: &CompareTotals, manifest: &Manifest) -> Box<dyn Summary> {
        Box::new(CompareSummary::new(self, totals, Head::of::<G>(manifest)))
    }
}

/// The seats of each team, from the first seat of the team of every seat.
fn sides(teams: &[Seat]) -> Vec<Vec<Seat>> {
    let side = |first| (0..teams.len()).filter(|&seat| teams[seat] == first).collect::<Vec<_>>();
    (0..teams.len()).map(side).filter(|side| !side.is_empty()).collect()
}

/// The agents by side in one game; which are alone, as slots with the side of the agent.
struct Seating {
    agents: Vec<usize>,
    alone: Vec<(usize, usize)>,
}

/// Two agents play every mixed line-up at a table of so many sides; at a larger one there would be too many.
const ALL_MIXED: usize = 4;

/// The games on one deal, at a table of so many seats, or of sides of several seats each.
///
/// One seat: each agent once. More: for each pair of agents the line-ups in which one of them is alone among the other,
/// in every seat; for two agents at up to four seats every other mixture as well.
fn seatings(agents: usize, seats: usize) -> Vec<Seating> {
    if seats == 1 {
        return (0..agents).map(|agent| Seating { agents: vec![agent], alone: vec![(agent, 0)] }).collect();
    }
    let mut all = Vec::new();
    for (a, b) in (0..agents).flat_map(|a| (a + 1..agents).map(move |b| (a, b))) {
        // A set has the seats of b.
        for set in 1..(1_u32 << seats) - 1 {
            let of_b = set.count_ones() as usize;
            if of_b != 1 && of_b != seats - 1 && (agents > 2 || seats > ALL_MIXED) {
                continue;
            }
            let mut alone = Vec::new();
            if of_b == 1 {
                alone.push((ratings::slot(agents, b, a), set.trailing_zeros() as usize));
            }
            if of_b == seats - 1 {
                alone.push((ratings::slot(agents, a, b), set.trailing_ones() as usize));
            }
            let agents = (0..seats).map(|seat| if set >> seat & 1 == 1 { b } else { a }).collect();
            all.push(Seating { agents, alone });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every agent is alone among every other once in each seat, and every agent sits in every seat equally often.
    #[test]
    fn every_seat_is_taken_equally_often() {
        for (agents, seats, games) in
            [(2, 2, 2), (3, 2, 6), (2, 3, 6), (2, 4, 14), (3, 4, 24), (2, 7, 14), (3, 1, 3)]
        {
            let all = seatings(agents, seats);
            assert_eq!(all.len(), games);
            let slots = if seats == 1 { agents } else { ratings::slots(agents) };
            for slot in 0..slots {
                let mut taken: Vec<Seat> = all
                    .iter()
                    .flat_map(|seating| seating.alone.iter().filter(|alone| alone.0 == slot))
                    .map(|alone| alone.1)
                    .collect();
                taken.sort_unstable();
                assert_eq!(
                    taken,
                    (0..seats).collect::<Vec<_>>(),
                    "{agents} agents, {seats} seats, slot {slot}"
                );
            }
            for seat in 0..seats {
                for agent in 0..agents {
                    let there = all.iter().filter(|seating| seating.agents[seat] == agent).count();
                    assert_eq!(there * agents, games);
                }
            }
        }
    }
}
