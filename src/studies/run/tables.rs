//! The tables of a run.

use super::{Plan, Totals};
use crate::games::{CardGame, Cell, Tally, rounded};
use crate::play::points;
use crate::stats::{Estimate, Interval};
use crate::store::{Table, TableForm};
use crate::studies::faults::{self, FAULTS};
use knave_agents::Seat;
use serde::Serialize;
use std::io;

/// A row a seat.
pub const SUMMARY: TableForm = TableForm {
    file: "summary.csv",
    columns: &[
        "game",
        "agent",
        "seat",
        "games",
        "wins",
        "win_rate",
        "win_low",
        "win_high",
        "score_mean",
        "score_low",
        "score_high",
        "score_sd",
        "score_min",
        "score_q05",
        "score_q25",
        "score_median",
        "score_q75",
        "score_q95",
        "score_max",
        "moves_mean",
        "score_se",
    ],
};

/// The histogram of the scores.
pub const SCORES: TableForm =
    TableForm { file: "scores.csv", columns: &["game", "agent", "seat", "score", "games"] };

/// The game's own counts.
pub const TALLY: TableForm =
    TableForm { file: "tally.csv", columns: &["game", "agent", "seat", "measure", "key", "count"] };

/// A row a game and seat, on request.
pub const GAMES: TableForm =
    TableForm { file: "games.csv", columns: &["index", "seat", "agent", "score", "won", "end", "moves"] };

/// The tables of a run, the game's own included.
pub(super) fn forms<G: CardGame>(plan: &Plan<G>) -> Vec<TableForm> {
    let own = <G::Tally as Tally<G>>::TABLES.iter().copied();
    let faults = faults::are_possible(plan.agents()).then_some(FAULTS);
    [SUMMARY, SCORES, TALLY].into_iter().chain(own).chain(faults).collect()
}

/// Those tables.
///
/// # Errors
/// If a row cannot be serialised.
pub fn all<G: CardGame>(plan: &Plan<G>, totals: &Totals<G>) -> io::Result<Vec<Table>> {
    let mut tables = vec![
        Table::of(&SUMMARY, summary(plan, totals))?,
        Table::of(&SCORES, scores(plan, totals))?,
        Table::of(&TALLY, tally(plan, totals))?,
    ];
    for form in <G::Tally as Tally<G>>::TABLES {
        let rows: Vec<Vec<Cell>> = rows_of(plan, totals, form).collect();
        if let Some(row) = rows.iter().find(|row| row.len() != form.columns.len()) {
            let (cells, columns) = (row.len(), form.columns.join(", "));
            return Err(io::Error::other(format!(
                "{}: a row has {cells} cells for the columns {columns}",
                form.file
            )));
        }
        tables.push(Table::of(form, rows)?);
    }
    if faults::are_possible(plan.agents()) {
        tables.push(totals.faults.table(G::NAME, |seat| plan.charged(seat))?);
    }
    Ok(tables)
}

/// A row of `summary.csv`: the results of one seat. What is undefined is an empty cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct SummaryRow {
    pub game: &'static str,
    pub agent: String,
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
pub fn summary<G: CardGame>(plan: &Plan<G>, totals: &Totals<G>) -> impl Iterator<Item = SummaryRow> {
    let unit = G::SCORE_UNITS as f64;
    plan.agents().zip(&totals.seats).enumerate().map(move |(seat, (agent, stats))| {
        let scaled = |value: f64| rounded(value / unit);
        let quantile =
            |numerator, denominator| stats.scores.quantile(numerator, denominator).map(points::<G>);
        let win = stats.win_interval();
        let score = stats.score(G::score_range(&plan.rules)).and_then(Estimate::interval);
        let low = |interval: Interval| interval.low;
        let high = |interval: Interval| interval.high;
        SummaryRow {
            game: G::NAME,
            agent: agent.label.clone(),
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

/// The rows of one of the game's own tables: for every agent, whose seats are counted together, in the order of
/// their first seats.
fn rows_of<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a Totals<G>,
    table: &'a TableForm,
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
