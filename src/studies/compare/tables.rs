//! The rows of the tables of a comparison.

use super::{CompareTotals, Goal, Measure, Plan};
use crate::games::{CardGame, rounded};
use crate::stats::sprt::Accepted;
use crate::stats::{Estimate, Interval};
use crate::store::{Table, TableForm};
use crate::studies::faults::{self, FAULTS};
use knave_agents::Seat;
use serde::Serialize;
use std::io;

/// How agents differ: a row a pair and measure.
pub const COMPARISON: TableForm = TableForm {
    file: "comparison.csv",
    columns: &[
        "game",
        "agent_a",
        "agent_b",
        "measure",
        "unit",
        "units",
        "mean_a",
        "mean_b",
        "mean_difference",
        "low",
        "high",
        "p_value",
        "interval",
        "saved_by_pairs",
        "saved_by_control",
        "llr",
        "decision",
    ],
};

/// How each agent does against each other.
pub const MATRIX: TableForm = TableForm {
    file: "matrix.csv",
    columns: &["game", "agent", "opponent", "measure", "units", "mean", "low", "high", "fair"],
};

/// The strength of agents, for more than one side.
pub const RATINGS: TableForm = TableForm {
    file: "ratings.csv",
    columns: &["game", "agent", "units", "rating", "low", "high", "misfit_p", "in_cycle"],
};

/// What each agent makes in each seat, and what seats are worth where there are more than one side.
pub const SEATS: TableForm = TableForm {
    file: "seats.csv",
    columns: &[
        "game",
        "agent",
        "seat",
        "measure",
        "units",
        "mean",
        "low",
        "high",
        "effect",
        "effect_low",
        "effect_high",
    ],
};

/// The tables of a comparison.
pub(super) fn forms<G: CardGame>(plan: &Plan<G>) -> Vec<TableForm> {
    let ratings = (plan.sides().len() > 1).then_some(RATINGS);
    let faults = faults::are_possible(plan.agents().iter()).then_some(FAULTS);
    [COMPARISON, MATRIX].into_iter().chain(ratings).chain([SEATS]).chain(faults).collect()
}

/// Those tables.
pub(super) fn all<G: CardGame>(plan: &Plan<G>, totals: &CompareTotals) -> io::Result<Vec<Table>> {
    let mut tables =
        vec![Table::of(&COMPARISON, comparison(plan, totals))?, Table::of(&MATRIX, matrix(plan, totals))?];
    if plan.sides().len() > 1 {
        tables.push(Table::of(&RATINGS, ratings(plan, totals))?);
    }
    tables.push(Table::of(&SEATS, seats(plan, totals))?);
    if faults::are_possible(plan.agents().iter()) {
        tables.push(totals.faults().table(G::NAME, |agent| (plan.label(agent), None))?);
    }
    Ok(tables)
}

/// A row of `comparison.csv`: how two agents differ. What is undefined is an empty cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct ComparisonRow<'a> {
    pub game: &'a str,
    pub agent_a: &'a str,
    pub agent_b: &'a str,
    pub measure: &'static str,
    pub unit: &'static str,
    pub units: u64,
    pub mean_a: Option<f64>,
    pub mean_b: Option<f64>,
    pub mean_difference: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub p_value: Option<f64>,
    pub interval: &'static str,
    pub saved_by_pairs: Option<f64>,
    pub saved_by_control: Option<f64>,
    pub llr: Option<f64>,
    pub decision: Option<&'static str>,
}

/// A row of `matrix.csv`: how an agent does against another.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct MatrixRow<'a> {
    pub game: &'a str,
    pub agent: &'a str,
    pub opponent: &'a str,
    pub measure: &'static str,
    pub units: u64,
    pub mean: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub fair: Option<f64>,
}

/// A row of `ratings.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct RatingRow<'a> {
    pub game: &'a str,
    pub agent: &'a str,
    pub units: u64,
    pub rating: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub misfit_p: Option<f64>,
    pub in_cycle: u8,
}

/// A row of `seats.csv`: what an agent makes in a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct SeatRow<'a> {
    pub game: &'a str,
    pub agent: Option<&'a str>,
    pub seat: Seat,
    pub measure: &'static str,
    pub units: u64,
    pub mean: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub effect: Option<f64>,
    pub effect_low: Option<f64>,
    pub effect_high: Option<f64>,
}

/// What stands for every p-value below it: none is 0.
const LEAST_P: f64 = 1e-300;

fn defined(value: f64) -> Option<f64> {
    value.is_finite().then(|| rounded(value))
}

fn ends(interval: Option<Interval>) -> (Option<f64>, Option<f64>) {
    interval.map(|Interval { low, high }| (rounded(low), rounded(high))).unzip()
}

/// What is independent: a deal that everybody plays alone, or all games that a deal was used for.
fn unit<G: CardGame>(plan: &Plan<G>) -> &'static str {
    if plan.sides().len() == 1 { "deal" } else { "cycle" }
}

/// The rows of `comparison.csv`.
pub fn comparison<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a CompareTotals,
) -> impl Iterator<Item = ComparisonRow<'a>> {
    plan.pairs().flat_map(move |(a, b)| {
        Measure::ALL.into_iter().map(move |measure| {
            let difference = totals.difference(plan, measure, a, b);
            let (low, high) = ends(difference.interval);
            let llr = match plan.goal {
                Some(Goal::Sprt { measure: tested, test }) if tested == measure && totals.deals() > 0 => {
                    Some(totals.ratio(plan, measure, test))
                }
                _ => None,
            };
            let decision = plan.goal.filter(|_| llr.is_some()).and_then(|goal| goal.decision(plan, totals));
            ComparisonRow {
                game: G::NAME,
                agent_a: plan.label(a),
                agent_b: plan.label(b),
                measure: measure.name(),
                unit: unit(plan),
                units: totals.deals(),
                mean_a: defined(difference.mean_a),
                mean_b: defined(difference.mean_b),
                mean_difference: defined(difference.mean),
                low,
                high,
                p_value: difference.p_value.map(|p| p.max(LEAST_P)),
                interval: difference.method.name(),
                saved_by_pairs: difference.saved_by_pairs.map(rounded),
                saved_by_control: difference.saved_by_control.map(rounded),
                llr: llr.map(rounded),
                decision: decision.map(|decision| match decision {
                    Accepted::Lower => "elo0",
                    Accepted::Higher => "elo1",
                }),
            }
        })
    })
}

/// The rows of `matrix.csv`.
pub fn matrix<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a CompareTotals,
) -> impl Iterator<Item = MatrixRow<'a>> {
    let agents = plan.agents().len();
    let pairs = (0..agents).flat_map(move |a| (0..agents).filter(move |&b| b != a).map(move |b| (a, b)));
    let row = move |(a, b): (usize, usize), measure, estimate: Estimate, fair| {
        let (low, high) = ends(estimate.interval());
        MatrixRow {
            game: G::NAME,
            agent: plan.label(a),
            opponent: plan.label(b),
            measure,
            units: estimate.units,
            mean: defined(estimate.mean),
            low,
            high,
            fair,
        }
    };
    pairs.flat_map(move |(a, b)| {
        let better = row((a, b), "better", totals.better(plan, a, b), Some(0.5));
        let (own, other) = plan.slots_of(a, b);
        let slot = |measure: Measure| totals.slot(plan, measure, own);
        let sides = plan.sides().len();
        let alone = sides > 1;
        let fair = match sides {
            // Of two, both together win what is won: games without a winner are nobody's.
            2 => {
                defined(f64::midpoint(slot(Measure::Wins).mean, totals.slot(plan, Measure::Wins, other).mean))
            }
            _ => Some(rounded(1.0 / sides as f64)),
        };
        let wins = alone.then(|| row((a, b), "wins", slot(Measure::Wins), fair));
        let score = alone.then(|| row((a, b), "score", slot(Measure::Score), None));
        [wins, score, Some(better)].into_iter().flatten()
    })
}

/// The rows of `ratings.csv`.
pub fn ratings<'a, G: CardGame>(plan: &'a Plan<G>, totals: &CompareTotals) -> Vec<RatingRow<'a>> {
    let Some(found) = totals.ratings(plan) else {
        return Vec::new();
    };
    let row = |(agent, &(rating, interval)): (usize, &(f64, Option<Interval>))| {
        let (low, high) = ends(interval);
        let [low, high] = [low, high].map(|end| end.filter(|end| end.is_finite()));
        RatingRow {
            game: G::NAME,
            agent: plan.label(agent),
            units: totals.deals(),
            rating: rounded(rating),
            low,
            high,
            misfit_p: found.misfit.map(|p| p.max(LEAST_P)),
            in_cycle: u8::from(found.cycles.iter().flatten().any(|&member| member == agent)),
        }
    };
    found.ratings.iter().enumerate().map(row).collect()
}

/// The rows of `seats.csv`. Where there is one side, nobody shares it and it has no effect.
pub fn seats<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a CompareTotals,
) -> impl Iterator<Item = SeatRow<'a>> {
    let sides = plan.sides().len();
    let together = (sides > 1).then_some(None);
    let agents = (0..plan.agents().len()).map(Some).chain(together);
    agents.flat_map(move |agent| {
        let cells = Measure::ALL.into_iter().flat_map(move |m| (0..sides).map(move |side| (m, side)));
        cells.filter_map(move |(measure, side)| {
            let (mean, effect) = match agent {
                Some(agent) if sides == 1 => (totals.slot(plan, measure, agent), None),
                _ => {
                    let (mean, effect) = totals.side(plan, measure, agent, side)?;
                    (mean, Some(effect))
                }
            };
            let (low, high) = ends(mean.interval());
            let (effect_low, effect_high) = ends(effect.and_then(Estimate::interval));
            Some(SeatRow {
                game: G::NAME,
                agent: agent.map(|agent| plan.label(agent)),
                seat: plan.sides()[side][0],
                measure: measure.name(),
                units: mean.units,
                mean: defined(mean.mean),
                low,
                high,
                effect: effect.and_then(|effect| defined(effect.mean)),
                effect_low,
                effect_high,
            })
        })
    })
}
