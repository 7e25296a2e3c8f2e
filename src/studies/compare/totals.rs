//! What a comparison counts, and what it says about the differences.

use super::Plan;
use super::goal::{Goal, Measure};
use crate::games::{CardGame, WIN_UNIT};
use crate::stats::ratings::{Ratings, ratings};
use crate::stats::sequence::{Betting, asymptotic};
use crate::stats::sprt::Sprt;
use crate::stats::{Estimate, Interval, Moments, mean_interval, student_tail};
use knave_agents::Seat;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Luck is counted in this part of a won game.
pub(super) const LUCK_UNIT: f64 = 1e6;

/// The number of deals at which the intervals of scores that may be looked at any time are narrowest. A fixed one: how
/// many deals are allowed must not matter.
const TYPICAL: u64 = 10_000;

/// The mean of a seat is counted in this part of a win or of a unit of score, so that it is whole for 1 to 6 seats.
pub(super) const SEAT_UNIT: i64 = 60;

/// The counts of a comparison or of a part of it. Parts add up to the whole, exactly and in any order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompareTotals {
    /// Deals with even indices, and with odd ones. The slots of wins (in [`WIN_UNIT`]s; the mean of a seat in
    /// [`SEAT_UNIT`]s, summed over the games of a deal), then those of scores, then those of luck if it is taken off.
    halves: [Moments; 2],
    /// By slot, for more than one seat: wins of the one agent that was alone among the other, summed over the seats.
    alone: Moments,
    /// For each pair of agents: how much more wins the first had on a deal, and on how many deals.
    margins: Vec<BTreeMap<i64, u64>>,
    /// For each pair of agents: on how many deals the first had the better score, the same, a worse one.
    better: Vec<[u64; 3]>,
    /// For each agent, wins and scores of the agent by seat. Empty for one seat.
    seats: Vec<[Moments; 2]>,
    /// Wins and scores by seat in all games. Empty for one seat.
    table: Vec<[Moments; 2]>,
    /// For each game of a deal: wins and scores of a seat of the first agent, less those of the second if there is one.
    games: Vec<[Moments; 2]>,
}

/// A difference between two agents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The mean of the first agent, in wins a game or in points.
    pub mean_a: f64,
    /// The mean of the second.
    pub mean_b: f64,
    /// The first less the second; with luck taken off.
    pub mean: f64,
    /// The 95 % interval of the difference.
    pub interval: Option<Interval>,
    /// The p-value of no difference.
    pub p_value: Option<f64>,
    /// Where the interval and the p-value come from.
    pub method: Method,
    /// How many times as many games would be needed if each had a deal of its own; nothing when there is no spread.
    pub saved_by_pairs: Option<f64>,
    /// How many times as many deals would be needed if luck were not taken off; nothing where it is not.
    pub saved_by_control: Option<f64>,
}

/// Where an interval comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Student's t on the deals.
    Student,
    /// The same with luck taken off.
    Control,
    /// [`Betting`], valid whenever one stops.
    Betting,
    /// [`asymptotic`], valid whenever one stops after many deals.
    Asymptotic,
}

impl Method {
    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Control => "control",
            Self::Betting => "betting",
            Self::Asymptotic => "asymptotic",
        }
    }
}

/// What the games of one deal came to.
#[derive(Clone, Debug)]
pub(super) struct Deal {
    /// By slot: wins, then scores, then luck.
    pub values: Vec<i64>,
    /// By slot: wins of who was alone.
    pub alone: Vec<i64>,
    /// By agent and seat: wins, then scores.
    pub seats: Vec<[Vec<i64>; 2]>,
    /// By seat: wins, then scores.
    pub table: [Vec<i64>; 2],
    /// By game: wins and scores of a seat of the first agent, less those of the second, if there is one.
    pub games: Vec<[i64; 2]>,
}

impl Deal {
    pub fn new<G: CardGame>(plan: &Plan<G>) -> Self {
        let parts = if plan.chance_correction().is_some() { 3 } else { 2 };
        let row = || [vec![0; plan.seats()], vec![0; plan.seats()]];
        Self {
            values: vec![0; parts * plan.slots()],
            alone: vec![0; plan.slots()],
            seats: plan.agents().iter().map(|_| row()).collect(),
            table: row(),
            games: vec![[0; 2]; plan.lineups().len()],
        }
    }

    pub fn clear(&mut self) {
        self.values.fill(0);
        self.alone.fill(0);
        self.games.fill([0; 2]);
        for row in self.seats.iter_mut().chain([&mut self.table]) {
            row.iter_mut().for_each(|cells| cells.fill(0));
        }
    }
}

impl CompareTotals {
    /// Nothing counted yet.
    #[must_use]
    pub fn new<G: CardGame>(plan: &Plan<G>) -> Self {
        let parts = if plan.chance_correction().is_some() { 3 } else { 2 };
        let (slots, pairs, seats) = (parts * plan.slots(), plan.pairs().count(), plan.seats());
        let rows = |count| match seats {
            1 => Vec::new(),
            _ => vec![[Moments::new(seats), Moments::new(seats)]; count],
        };
        Self {
            halves: [Moments::new(slots), Moments::new(slots)],
            alone: Moments::new(if seats == 1 { 0 } else { plan.slots() }),
            margins: vec![BTreeMap::new(); pairs],
            better: vec![[0; 3]; pairs],
            seats: rows(plan.agents().len()),
            table: rows(1),
            games: vec![[Moments::new(1), Moments::new(1)]; plan.lineups().len()],
        }
    }

    /// Counts a deal.
    pub(super) fn add<G: CardGame>(&mut self, plan: &Plan<G>, index: u64, deal: &Deal) {
        self.halves[(index % 2) as usize].add(&deal.values);
        if plan.seats() > 1 {
            self.alone.add(&deal.alone);
        }
        let slots = plan.slots();
        for (pair, (a, b)) in plan.pairs().enumerate() {
            let (a, b) = plan.slots_of(a, b);
            *self.margins[pair].entry(deal.values[a] - deal.values[b]).or_default() += 1;
            let place = match deal.values[slots + a].cmp(&deal.values[slots + b]) {
                std::cmp::Ordering::Greater => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => 2,
            };
            self.better[pair][place] += 1;
        }
        let rows = self.seats.iter_mut().zip(&deal.seats).chain(self.table.iter_mut().zip([&deal.table]));
        for (moments, values) in rows {
            moments.iter_mut().zip(values).for_each(|(moments, values)| moments.add(values));
        }
        for (moments, values) in self.games.iter_mut().zip(&deal.games) {
            moments.iter_mut().zip(values).for_each(|(moments, &value)| moments.add(&[value]));
        }
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.halves.iter_mut().zip(&other.halves).for_each(|(half, more)| half.merge(more));
        self.alone.merge(&other.alone);
        for (counts, more) in self.margins.iter_mut().zip(&other.margins) {
            for (&margin, deals) in more {
                *counts.entry(margin).or_default() += deals;
            }
        }
        for (counts, more) in self.better.iter_mut().zip(&other.better) {
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        let rows = self.seats.iter_mut().zip(&other.seats).chain(self.table.iter_mut().zip(&other.table));
        for (moments, more) in rows.chain(self.games.iter_mut().zip(&other.games)) {
            moments.iter_mut().zip(more).for_each(|(moments, more)| moments.merge(more));
        }
    }

    /// The number of deals.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.halves[0].units() + self.halves[1].units()
    }

    fn all(&self) -> Moments {
        let mut all = self.halves[0].clone();
        all.merge(&self.halves[1]);
        all
    }

    /// The mean of a slot, in wins a game or in points.
    #[must_use]
    pub fn slot<G: CardGame>(&self, plan: &Plan<G>, measure: Measure, slot: usize) -> Estimate {
        self.all().of(&[(first(plan, measure) + slot, 1)]).times(1.0 / unit(plan, measure))
    }

    /// The difference of two agents.
    #[must_use]
    pub fn difference<G: CardGame>(
        &self,
        plan: &Plan<G>,
        measure: Measure,
        a: usize,
        b: usize,
    ) -> Difference {
        let (all, first, unit) = (self.all(), first(plan, measure), unit(plan, measure));
        let (slot_a, slot_b) = plan.slots_of(a, b);
        let terms = [(first + slot_a, 1), (first + slot_b, -1)];
        let plain = all.of(&terms).times(1.0 / unit);
        let alone = |slot| all.of(&[(first + slot, 1)]).times(1.0 / unit);
        let (of_a, of_b) = (alone(slot_a), alone(slot_b));
        // The variance if the games of a deal did not depend on each other.
        let games = plan.lineups().iter().zip(&self.games);
        let apart: f64 = games
            .filter(|(lineup, _)| lineup.agents.iter().all(|&agent| agent == a || agent == b))
            .map(|(_, moments)| moments[measure as usize].of(&[(0, 1)]).times(1.0 / unit).sd.powi(2))
            .sum();
        let difference = Difference {
            mean_a: of_a.mean,
            mean_b: of_b.mean,
            mean: plain.mean,
            interval: plain.interval(),
            p_value: plain.p_value(),
            method: Method::Student,
            saved_by_pairs: (plain.sd > 0.0).then(|| apart / plain.sd.powi(2)),
            saved_by_control: None,
        };
        match (plan.goal, measure) {
            (None, _) if plan.chance_correction().is_some() => {
                let luck = [(2 * plan.slots() + slot_a, 1), (2 * plan.slots() + slot_b, -1)];
                self.without_luck(&terms, &luck, unit, plain, difference)
            }
            (None, _) if plain.sd != 0.0 || measure == Measure::Score => difference,
            (goal, Measure::Wins) => {
                let (interval, p_value) = self.betting(plan, (a, b), unit, goal);
                Difference { interval, p_value, method: Method::Betting, ..difference }
            }
            (_, Measure::Score) => {
                let (interval, p_value) = asymptotic(plain, TYPICAL).unzip();
                Difference { interval, p_value, method: Method::Asymptotic, ..difference }
            }
        }
    }

    /// The interval and the p-value of a difference of wins by betting, which are valid whenever one stops and need no spread.
    fn betting<G: CardGame>(
        &self,
        plan: &Plan<G>,
        pair: (usize, usize),
        unit: f64,
        goal: Option<Goal>,
    ) -> (Option<Interval>, Option<f64>) {
        let most = unit as i64;
        let pair = plan.pairs().position(|other| other == pair).unwrap_or_default();
        let counts = self.margins[pair].iter().map(|(&margin, &deals)| (margin, deals));
        let width = match goal {
            Some(Goal::Width { measure: Measure::Wins, width }) => width * unit,
            _ => 4.0 * unit / (plan.n as f64).sqrt(),
        };
        let betting = Betting::new(counts, -most, most, width);
        let Interval { low, high } = betting.interval();
        (Some(Interval { low: low / unit, high: high / unit }), Some(betting.p_value(0.0)))
    }

    /// A difference with luck taken off. How much of it is taken off is fitted on the deals with even indices for
    /// those with odd ones, and the other way round: nothing is fitted to the results that it is applied to, so the
    /// mean stays unbiased.
    fn without_luck(
        &self,
        terms: &[(usize, i64)],
        luck: &[(usize, i64)],
        unit: f64,
        plain: Estimate,
        difference: Difference,
    ) -> Difference {
        let [even, odd] = &self.halves;
        let part = |own: &Moments, other: &Moments| {
            let spread = other.covariance_of(luck, luck)?;
            let share = if spread > 0.0 { other.covariance_of(terms, luck)? / spread } else { 0.0 };
            let mean = own.of(terms).mean - share * own.of(luck).mean;
            let variance = own.covariance_of(terms, terms)? - 2.0 * share * own.covariance_of(terms, luck)?
                + share * share * own.covariance_of(luck, luck)?;
            Some((own.units() as f64, mean / unit, variance.max(0.0) / unit.powi(2)))
        };
        let (Some((n, mean, variance)), Some((m, mean_odd, variance_odd))) =
            (part(even, odd), part(odd, even))
        else {
            return difference;
        };
        let all = n + m;
        let mean = (n * mean + m * mean_odd) / all;
        let variance = (n * variance + m * variance_odd) / all;
        let units = plain.units;
        let sd = variance.sqrt();
        let t = mean / sd * (units as f64).sqrt();
        Difference {
            mean,
            interval: mean_interval(mean, sd, units),
            p_value: (sd > 0.0).then(|| (2.0 * student_tail(t.abs(), (units - 1) as f64)).min(1.0)),
            method: Method::Control,
            saved_by_control: (variance > 0.0).then(|| plain.sd.powi(2) / variance),
            ..difference
        }
    }

    /// The logarithm of the likelihood ratio that the second agent is better than the first: of two agents.
    #[must_use]
    pub fn ratio<G: CardGame>(&self, plan: &Plan<G>, measure: Measure, test: Sprt) -> f64 {
        match measure {
            Measure::Wins => {
                let most = unit(plan, measure);
                test.ratio(
                    self.margins[0]
                        .iter()
                        .map(|(&margin, &deals)| ((1.0 - margin as f64 / most) / 2.0, deals)),
                )
            }
            Measure::Score => test.ratio([0.0, 0.5, 1.0].into_iter().zip(self.better[0])),
        }
    }

    /// On which share of the deals `a` has a better score than `b`, half where they are equal.
    #[must_use]
    pub fn better<G: CardGame>(&self, plan: &Plan<G>, a: usize, b: usize) -> Estimate {
        let (low, high) = (a.min(b), a.max(b));
        let pair = plan.pairs().position(|pair| pair == (low, high)).unwrap_or_default();
        let [mut more, equal, mut less] = self.better[pair];
        if a > b {
            std::mem::swap(&mut more, &mut less);
        }
        let n = (more + equal + less) as f64;
        let mean = (more as f64 + equal as f64 / 2.0) / n;
        let squares = more as f64 + equal as f64 / 4.0;
        let units = more + equal + less;
        Estimate { units, mean, sd: ((squares - n * mean * mean).max(0.0) / (n - 1.0)).sqrt() }
    }

    /// The ratings, for more than one seat.
    #[must_use]
    pub fn ratings<G: CardGame>(&self, plan: &Plan<G>) -> Option<Ratings> {
        let (agents, seats) = (plan.agents().len(), plan.seats());
        if seats == 1 {
            return None;
        }
        ratings(&self.alone, seats as i64 * WIN_UNIT as i64, agents, seats)
    }

    /// The mean of an agent in a seat (of all agents, for no agent), and by how much it is above the mean of all
    /// seats. Nothing for one seat.
    #[must_use]
    pub fn seat<G: CardGame>(
        &self,
        plan: &Plan<G>,
        measure: Measure,
        agent: Option<usize>,
        seat: Seat,
    ) -> Option<(Estimate, Estimate)> {
        let here = |agent: usize| plan.lineups().iter().filter(|lineup| lineup.agents[seat] == agent).count();
        let (rows, games) = match agent {
            Some(agent) => (self.seats.get(agent)?, here(agent)),
            None => (self.table.first()?, plan.lineups().len()),
        };
        let moments = &rows[measure as usize];
        let one = match measure {
            Measure::Wins => WIN_UNIT as f64,
            Measure::Score => G::SCORE_UNITS as f64,
        };
        let one = one * games as f64;
        let seats = plan.seats();
        let own = |other| if other == seat { seats as i64 - 1 } else { -1 };
        let effect: Vec<(usize, i64)> = (0..seats).map(|other| (other, own(other))).collect();
        Some((moments.of(&[(seat, 1)]).times(1.0 / one), moments.of(&effect).times(1.0 / one / seats as f64)))
    }
}

/// The first slot of a measure.
fn first<G: CardGame>(plan: &Plan<G>, measure: Measure) -> usize {
    match measure {
        Measure::Wins => 0,
        Measure::Score => plan.slots(),
    }
}

/// What a slot counts for one win a seat and game, or for one point.
fn unit<G: CardGame>(plan: &Plan<G>, measure: Measure) -> f64 {
    let one = match measure {
        Measure::Wins => WIN_UNIT as f64,
        Measure::Score => G::SCORE_UNITS as f64,
    };
    one * (SEAT_UNIT * plan.games_of_slot() as i64) as f64
}
