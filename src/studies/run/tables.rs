//! The rows of the CSV files.

use super::{Plan, Totals};
use crate::games::{CardGame, Cell, TableOf, Tally, rounded};
use crate::play::points;
use crate::stats::Interval;
use knave_agents::Seat;
use serde::Serialize;

/// A row of `summary.csv`: the results of one seat. What is undefined is an empty cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct SummaryRow<'a> {
    pub game: &'a str,
    pub agent: &'a str,
    pub seat: Seat,
    pub games: u64,
    pub wins: f64,
    pub win_rate: Option<f64>,
    pub win_low: Option<f64>,
    pub win_high: Option<f64>,
    pub score_mean: Option<f64>,
    pub score_low: Option<f64>,
    pub score_high: Option<f64>,
    pub score_sd: Option<f64>,
    pub score_min: Option<f64>,
    pub score_q05: Option<f64>,
    pub score_q25: Option<f64>,
    pub score_median: Option<f64>,
    pub score_q75: Option<f64>,
    pub score_q95: Option<f64>,
    pub score_max: Option<f64>,
    pub moves_mean: Option<f64>,
    pub score_se: Option<f64>,
}

/// A row of `scores.csv`: how often a seat had a score.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct ScoreRow<'a> {
    pub game: &'a str,
    pub agent: &'a str,
    pub seat: Seat,
    pub score: f64,
    pub games: u64,
}

/// A row of `tally.csv`: one of the game's own counts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct TallyLine<'a> {
    pub game: &'a str,
    pub agent: &'a str,
    pub seat: Seat,
    pub measure: &'static str,
    pub key: String,
    pub count: u64,
}

/// The rows of `summary.csv`.
pub fn summary<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a Totals<G>,
) -> impl Iterator<Item = SummaryRow<'a>> {
    let unit = G::SCORE_UNITS as f64;
    plan.agents().zip(&totals.seats).enumerate().map(move |(seat, (agent, stats))| {
        let scaled = |value: f64| rounded(value / unit);
        let quantile =
            |numerator, denominator| stats.scores.quantile(numerator, denominator).map(points::<G>);
        let (win, score) = (stats.win_interval(), stats.score_interval());
        let low = |interval: Interval| interval.low;
        let high = |interval: Interval| interval.high;
        SummaryRow {
            game: G::NAME,
            agent: &agent.label,
            seat,
            games: stats.games(),
            wins: rounded(stats.wins()),
            win_rate: stats.win_rate().map(rounded),
            win_low: win.map(low).map(rounded),
            win_high: win.map(high).map(rounded),
            score_mean: stats.scores.mean().map(scaled),
            score_low: score.map(low).map(scaled),
            score_high: score.map(high).map(scaled),
            score_sd: stats.scores.sd().map(scaled),
            score_min: quantile(0, 1),
            score_q05: quantile(1, 20),
            score_q25: quantile(1, 4),
            score_median: quantile(1, 2),
            score_q75: quantile(3, 4),
            score_q95: quantile(19, 20),
            score_max: quantile(1, 1),
            moves_mean: stats.moves_mean().map(rounded),
            score_se: stats.score_se().map(scaled),
        }
    })
}

/// The rows of `scores.csv`.
pub fn scores<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a Totals<G>,
) -> impl Iterator<Item = ScoreRow<'a>> {
    plan.agents().zip(&totals.seats).enumerate().flat_map(|(seat, (agent, stats))| {
        let row = move |(score, games)| ScoreRow {
            game: G::NAME,
            agent: &agent.label,
            seat,
            score: points::<G>(score),
            games,
        };
        stats.scores.counts().map(row)
    })
}

/// The rows of `tally.csv`.
pub fn tally<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a Totals<G>,
) -> impl Iterator<Item = TallyLine<'a>> {
    plan.agents().enumerate().flat_map(|(seat, agent)| {
        let line = move |row: crate::games::TallyRow| TallyLine {
            game: G::NAME,
            agent: &agent.label,
            seat,
            measure: row.measure,
            key: row.key,
            count: row.count,
        };
        totals.tally.rows(seat).into_iter().map(line)
    })
}

/// The tables that the game writes of its own.
#[must_use]
pub fn further<G: CardGame>() -> &'static [TableOf] {
    <G::Tally as Tally<G>>::TABLES
}

/// The rows of one of the game's own tables: for every agent, whose seats are counted together, in the order of
/// their first seats.
pub fn rows_of<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a Totals<G>,
    table: &'a TableOf,
) -> impl Iterator<Item = Vec<Cell>> + 'a {
    let label = |seat: Seat| plan.agent(seat).label.as_str();
    let first = move |seat: &Seat| (0..*seat).all(|before| label(before) != label(*seat));
    (0..plan.seats()).filter(first).flat_map(move |seat| {
        let seats: Vec<Seat> = (seat..plan.seats()).filter(|&other| label(other) == label(seat)).collect();
        let names = [G::NAME, label(seat)].map(|name| Cell::Text(name.to_owned()));
        totals
            .tally
            .table(table.file, &seats)
            .into_iter()
            .map(move |row| names.iter().cloned().chain(row).collect())
    })
}
