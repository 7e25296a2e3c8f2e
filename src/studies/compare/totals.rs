//! The counts of a comparison, and the differences that follow from them.

use super::goal::Goal;
use super::{Lineup, Plan};
use crate::games::{CardGame, WIN_UNIT};
use crate::play::{Charge, Measure};
use crate::stats::control::corrected;
use crate::stats::ratings::{Ratings, ratings};
use crate::stats::sequence::{Betting, asymptotic};
use crate::stats::sprt::Sprt;
use crate::stats::{Estimate, Interval, LEAST_UNBOUNDED, Moments, Range};
use crate::studies::faults::Faults;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Corrections for chance are counted in this part of a won game.
pub(super) const CORRECTION_UNIT: f64 = 1e6;

/// The numbers of deals at which intervals that may be looked at any time are narrowest, unless their width is the goal: those of
/// scores, and of wins, which are often decided sooner. Fixed ones: how many deals are allowed must not matter.
const TYPICAL: u64 = 10_000;
const TYPICAL_WINS: u64 = 1_000;

/// The mean of a seat is counted in this part of a win or of a unit of score, so that it is whole for 1 to 6 seats.
pub(super) const SEAT_UNIT: i64 = 60;

/// The counts of a comparison or of a part of it. Parts add up to the whole, exactly and in any order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompareTotals {
    /// Deals with even indices, and with odd ones. The slots of wins (in [`WIN_UNIT`]s; the mean of a seat in
    /// [`SEAT_UNIT`]s, summed over the games of a deal), then those of scores, then those of the correction for chance, if there is one.
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
    /// How many games ended for which reason, in the game's words.
    ends: BTreeMap<Cow<'static, str>, u64>,
    /// What the agents did wrong.
    #[serde(default, skip_serializing_if = "Faults::is_empty")]
    faults: Faults,
}

/// A difference between two agents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The mean of the first agent, in wins a game or in points.
    pub mean_a: f64,
    /// The mean of the second.
    pub mean_b: f64,
    /// The first less the second, corrected for chance where that is asked for.
    pub mean: f64,
    /// The 95 % interval of the difference.
    pub interval: Option<Interval>,
    /// The p-value of no difference.
    pub p_value: Option<f64>,
    /// Where the interval and the p-value come from.
    pub method: IntervalMethod,
    /// How many times as many games would be needed if each had a deal of its own; nothing when there is no spread.
    pub saved_by_pairs: Option<f64>,
    /// Whether both had the same result on every deal.
    pub equal: bool,
    /// How many times as many deals would be needed without the correction for chance; nothing where there is none.
    pub saved_by_control: Option<f64>,
}

/// Where an interval comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalMethod {
    /// Student's t on the deals, see [`Estimate`].
    Student,
    /// The same with results corrected for chance.
    Control,
    /// [`Betting`], valid whenever one stops.
    Betting,
    /// [`asymptotic`], valid whenever one stops after many deals.
    Asymptotic,
}

impl IntervalMethod {
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
    /// By slot: wins, then scores, then corrections for chance.
    pub values: Vec<i64>,
    /// By slot: wins of who was alone.
    pub alone: Vec<i64>,
    /// By agent and side: wins, then scores.
    pub seats: Vec<[Vec<i64>; 2]>,
    /// By side: wins, then scores.
    pub table: [Vec<i64>; 2],
    /// By game: wins and scores of a seat of the first agent, less those of the second, if there is one.
    pub games: Vec<[i64; 2]>,
}

impl Deal {
    pub fn new<G: CardGame>(plan: &Plan<G>) -> Self {
        let parts = if plan.chance_correction().is_some() { 3 } else { 2 };
        let row = || [vec![0; plan.sides().len()], vec![0; plan.sides().len()]];
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
        let (pairs, sides) = (plan.pairs().count(), plan.sides().len());
        // What all sides of a game together can come to, times this.
        let wins = |times: i64| Some((0, WIN_UNIT as i64 * times));
        let range = G::score_range(&plan.base().rules);
        let scores = |times: i64| range.map(|(low, high)| (low * times, high * times));
        // The mean of k sides of an agent is at most the k-th part of that. The line-ups of all pairs are those of the first.
        let own = |lineup: &Lineup<G>| match lineup.agents.iter().all(|&agent| agent < 2) {
            true => lineup.agents.iter().filter(|&&agent| agent == 0).count() as i64,
            false => 0,
        };
        let parts = plan.lineups().iter().map(own).filter(|&own| own > 0).map(|own| SEAT_UNIT / own).sum();
        let mut bounds = vec![wins(parts); plan.slots()];
        bounds.resize(2 * plan.slots(), scores(parts));
        if plan.chance_correction().is_some() {
            bounds.resize(3 * plan.slots(), None);
        }
        let row = |games: &dyn Fn(usize) -> i64| {
            let each = |bounds: &dyn Fn(i64) -> Option<(i64, i64)>| {
                Moments::within((0..sides).map(|side| bounds(games(side))).collect())
            };
            [each(&wins), each(&scores)]
        };
        let seats = (0..plan.agents().len()).map(|agent| row(&|side| games_in(plan, Some(agent), side)));
        let halves = Moments::within(bounds);
        Self {
            halves: [halves.clone(), halves],
            alone: Moments::within(vec![wins(sides as i64); if sides == 1 { 0 } else { plan.slots() }]),
            margins: vec![BTreeMap::new(); pairs],
            better: vec![[0; 3]; pairs],
            seats: if sides == 1 { Vec::new() } else { seats.collect() },
            table: if sides == 1 { Vec::new() } else { vec![row(&|side| games_in(plan, None, side))] },
            games: vec![[Moments::new(1), Moments::new(1)]; plan.lineups().len()],
            ends: BTreeMap::new(),
            faults: Faults::default(),
        }
    }

    /// The counts of seats; at a table for one there are none.
    fn by_seat(&self) -> impl Iterator<Item = &Moments> {
        [&self.seats, &self.table, &self.games].into_iter().flatten().flatten()
    }

    fn moments(&self) -> impl Iterator<Item = &Moments> {
        self.halves.iter().chain([&self.alone]).chain(self.by_seat())
    }

    fn sizes(&self) -> [usize; 5] {
        let Self { margins, better, seats, table, games, .. } = self;
        [margins.len(), better.len(), seats.len(), table.len(), games.len()]
    }

    /// Whether these are counts of the same comparison as others, so that both can be added up, and agree with each other on the
    /// number of deals.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let deals = self.halves.iter().try_fold(0_u64, |sum, half| sum.checked_add(half.units()));
        let of_all = |moments: &Moments| Some(moments.units()) == deals;
        let sums = |counts: &mut dyn Iterator<Item = &u64>| {
            Some(counts.map(|&count| u128::from(count)).sum()) == deals.map(u128::from)
        };
        self.sizes() == other.sizes()
            && self.by_seat().all(of_all)
            && (self.table.is_empty() || of_all(&self.alone))
            && self.moments().zip(other.moments()).all(|(own, other)| own.is_like(other))
            && self.margins.iter().all(|margins| sums(&mut margins.values()))
            && self.better.iter().all(|better| sums(&mut better.iter()))
            && self.ends.values().map(|&games| u128::from(games)).sum::<u128>()
                == u128::from(self.deals()) * self.games.len() as u128
    }

    /// How many games ended for which reason, in the game's words and alphabetical order.
    pub fn ends(&self) -> impl Iterator<Item = (&str, u64)> {
        self.ends.iter().map(|(word, &games)| (&**word, games))
    }

    /// Counts the end of a game.
    pub(super) fn add_end(&mut self, word: &'static str) {
        *self.ends.entry(Cow::Borrowed(word)).or_default() += 1;
    }

    /// What the agents did wrong.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Adds what agents did wrong in a game: who, what, and whether a seat lost the game by it.
    pub(super) fn add_faults(&mut self, game: impl IntoIterator<Item = Charge>) {
        self.faults.add_game(game);
    }

    /// Counts a deal.
    pub(super) fn add<G: CardGame>(&mut self, plan: &Plan<G>, index: u64, deal: &Deal) {
        self.halves[(index % 2) as usize].add(&deal.values);
        if plan.sides().len() > 1 {
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
        self.faults.merge(&other.faults);
        for (word, games) in &other.ends {
            *self.ends.entry(word.clone()).or_default() += games;
        }
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
            method: IntervalMethod::Student,
            saved_by_pairs: (plain.sd > 0.0 && plain.units >= LEAST_UNBOUNDED)
                .then(|| apart / plain.sd.powi(2)),
            equal: plain.mean == 0.0 && plain.sd == 0.0,
            saved_by_control: None,
        };
        match (plan.goal, measure) {
            (None, _) if plan.chance_correction().is_some() => {
                let correction = [(2 * plan.slots() + slot_a, 1), (2 * plan.slots() + slot_b, -1)];
                let Some(estimate) = corrected(&self.halves, &terms, &correction) else {
                    return difference;
                };
                let estimate = estimate.times(1.0 / unit);
                let variance = estimate.sd.powi(2);
                Difference {
                    mean: estimate.mean,
                    interval: estimate.interval(),
                    p_value: estimate.p_value(),
                    method: IntervalMethod::Control,
                    saved_by_control: (variance > 0.0).then(|| plain.sd.powi(2) / variance),
                    ..difference
                }
            }
            (None, _) => difference,
            (goal, Measure::Wins) => {
                let (interval, p_value) = self.betting(plan, (a, b), unit, goal);
                Difference { interval, p_value, method: IntervalMethod::Betting, ..difference }
            }
            (_, Measure::Score) => {
                let (interval, p_value) = asymptotic(plain, TYPICAL).unzip();
                Difference { interval, p_value, method: IntervalMethod::Asymptotic, ..difference }
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
            _ => 4.0 * unit / (TYPICAL_WINS as f64).sqrt(),
        };
        let betting = Betting::new(counts, -most, most, width);
        let Interval { low, high } = betting.interval();
        (Some(Interval { low: low / unit, high: high / unit }), Some(betting.p_value(0.0)))
    }

    /// The logarithm of the likelihood ratio that the second agent is better than the first: of two agents.
    #[must_use]
    pub fn ratio<G: CardGame>(&self, plan: &Plan<G>, measure: Measure, test: Sprt) -> f64 {
        let expected = |elo| plan.expected_score(measure, elo);
        match measure {
            Measure::Wins => {
                let most = unit(plan, measure);
                let scores = self.margins[0]
                    .iter()
                    .map(|(&margin, &deals)| ((1.0 - margin as f64 / most) / 2.0, deals));
                test.ratio(scores, expected)
            }
            Measure::Score => test.ratio([0.0, 0.5, 1.0].into_iter().zip(self.better[0]), expected),
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
        let sd = ((squares - n * mean * mean).max(0.0) / (n - 1.0)).sqrt();
        Estimate { units, mean, sd, range: Range::SHARE }
    }

    /// The ratings, for more than one seat.
    #[must_use]
    pub fn ratings<G: CardGame>(&self, plan: &Plan<G>) -> Option<Ratings> {
        let (agents, sides) = (plan.agents().len(), plan.sides().len());
        if sides == 1 {
            return None;
        }
        ratings(&self.alone, sides as i64 * WIN_UNIT as i64, agents, sides)
    }

    /// The mean of an agent on a side (of all agents, for no agent), and by how much it is above the mean of all
    /// sides. Nothing for one side.
    #[must_use]
    pub fn side<G: CardGame>(
        &self,
        plan: &Plan<G>,
        measure: Measure,
        agent: Option<usize>,
        side: usize,
    ) -> Option<(Estimate, Estimate)> {
        let rows = match agent {
            Some(agent) => self.seats.get(agent)?,
            None => self.table.first()?,
        };
        let games = games_in(plan, agent, side);
        let moments = &rows[measure as usize];
        let one = measure.unit::<G>() * games as f64;
        let sides = plan.sides().len();
        let own = |other| if other == side { sides as i64 - 1 } else { -1 };
        let effect: Vec<(usize, i64)> = (0..sides).map(|other| (other, own(other))).collect();
        Some((moments.of(&[(side, 1)]).times(1.0 / one), moments.of(&effect).times(1.0 / one / sides as f64)))
    }
}

/// The games of a deal that an agent plays on a side; all of them for no agent.
fn games_in<G: CardGame>(plan: &Plan<G>, agent: Option<usize>, side: usize) -> i64 {
    let here = |agent: usize| plan.lineups().iter().filter(|lineup| lineup.agents[side] == agent).count();
    agent.map_or(plan.lineups().len(), here) as i64
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
    measure.unit::<G>() * (SEAT_UNIT * plan.games_of_slot() as i64) as f64
}
