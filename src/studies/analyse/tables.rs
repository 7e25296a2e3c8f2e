//! The tables of an analysis.

use super::totals::{LUCK, OTHERS, OWN, REGRET, RESULT, START};
use super::{AnalysisTotals, Grade, Plan};
use crate::games::{CardGame, rounded};
use crate::play::Measure;
use crate::stats::{Estimate, LEAST_UNBOUNDED, Range};
use crate::store::{Table, TableForm};
use crate::studies::rows::Rows;
use knave_agents::Seat;
use serde::Serialize;
use std::io;

/// A row a seat: value at the deal, luck, decisions, result.
pub const ANALYSIS: TableForm = TableForm {
    file: "analysis.csv",
    columns: &[
        "game",
        "agent",
        "seat",
        "judge",
        "measure",
        "games",
        "result",
        "result_low",
        "result_high",
        "start",
        "luck",
        "luck_low",
        "luck_high",
        "own",
        "others",
        "regret",
        "regret_low",
        "regret_high",
        "adjusted",
        "adjusted_low",
        "adjusted_high",
        "factor",
    ],
};

/// What decisions cost, by agent, phase and kind of move.
pub const ERRORS: TableForm = TableForm {
    file: "errors.csv",
    columns: &[
        "game",
        "agent",
        "judge",
        "measure",
        "phase",
        "kind",
        "decisions",
        "doubtful",
        "bad",
        "very_bad",
        "regret",
        "regret_low",
        "regret_high",
    ],
};

/// A row a decision.
pub const DECISIONS: TableForm = TableForm {
    file: "decisions.csv",
    columns: &[
        "index",
        "number",
        "seat",
        "agent",
        "phase",
        "kind",
        "legal",
        "played",
        "judge",
        "best",
        "before",
        "gain",
        "gain_se",
        "regret",
        "regret_se",
        "grade",
        "clairvoyant_before",
        "clairvoyant_after",
        "view",
    ],
};

/// A row a move that was valued.
pub const MOVES: TableForm =
    TableForm { file: "moves.csv", columns: &["index", "number", "move", "mean", "se", "worlds"] };

/// A row a seat and decision: the luck that followed.
pub const LUCKS: TableForm =
    TableForm { file: "luck.csv", columns: &["index", "number", "seat", "chance", "luck"] };

/// A row a game and seat: what its result consists of.
pub const BALANCE: TableForm = TableForm {
    file: "balance.csv",
    columns: &["index", "seat", "agent", "result", "start", "luck", "own", "others", "regret"],
};

/// The tables that are written at the end.
pub(super) const FORMS: [TableForm; 2] = [ANALYSIS, ERRORS];

/// The tables that get rows as the games go.
pub const ROWS: [TableForm; 4] = [DECISIONS, MOVES, LUCKS, BALANCE];

/// Their rows.
pub(super) struct AnalysisRows {
    pub decisions: Rows,
    pub moves: Rows,
    pub luck: Rows,
    pub balance: Rows,
}

impl AnalysisRows {
    /// No rows.
    pub fn new() -> Self {
        let [decisions, moves, luck, balance] = ROWS.map(Rows::new);
        Self { decisions, moves, luck, balance }
    }

    /// The rows since the last time, in the order of [`ROWS`].
    pub fn take(&mut self) -> Vec<Vec<u8>> {
        let Self { decisions, moves, luck, balance } = self;
        [decisions, moves, luck, balance].map(Rows::take).into()
    }
}

/// The names of the phases: thirds of the decisions of a seat in a game.
pub const PHASES: [&str; 3] = ["early", "middle", "late"];

/// A row of `analysis.csv`. What is undefined is an empty cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct AnalysisRow {
    pub game: &'static str,
    pub agent: String,
    pub seat: Seat,
    pub judge: String,
    pub measure: &'static str,
    pub games: u64,
    pub result: Option<f64>,
    pub result_low: Option<f64>,
    pub result_high: Option<f64>,
    pub start: Option<f64>,
    pub luck: Option<f64>,
    pub luck_low: Option<f64>,
    pub luck_high: Option<f64>,
    pub own: Option<f64>,
    pub others: Option<f64>,
    pub regret: Option<f64>,
    pub regret_low: Option<f64>,
    pub regret_high: Option<f64>,
    pub adjusted: Option<f64>,
    pub adjusted_low: Option<f64>,
    pub adjusted_high: Option<f64>,
    pub factor: Option<f64>,
}

/// A row of `errors.csv`. What is undefined is an empty cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct ErrorRow<'a> {
    pub game: &'static str,
    pub agent: &'a str,
    pub judge: &'a str,
    pub measure: &'static str,
    pub phase: &'static str,
    pub kind: &'a str,
    pub decisions: u64,
    pub doubtful: u64,
    pub bad: u64,
    pub very_bad: u64,
    pub regret: Option<f64>,
    pub regret_low: Option<f64>,
    pub regret_high: Option<f64>,
}

/// A row of `decisions.csv`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct DecisionRow<'a> {
    pub index: u64,
    pub number: u64,
    pub seat: Seat,
    pub agent: &'a str,
    pub phase: &'static str,
    pub kind: &'a str,
    pub legal: u64,
    pub played: String,
    pub judge: String,
    pub best: String,
    pub before: f64,
    pub gain: f64,
    pub gain_se: f64,
    pub regret: f64,
    pub regret_se: f64,
    pub grade: Option<&'static str>,
    pub clairvoyant_before: Option<f64>,
    pub clairvoyant_after: Option<f64>,
    pub view: &'a str,
}

/// A row of `moves.csv`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MoveRow {
    pub index: u64,
    pub number: u64,
    pub r#move: String,
    pub mean: f64,
    pub se: f64,
    pub worlds: u64,
}

/// A row of `luck.csv`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LuckRow<'a> {
    pub index: u64,
    pub number: u64,
    pub seat: Seat,
    pub chance: &'a str,
    pub luck: f64,
}

/// A row of `balance.csv`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BalanceRow<'a> {
    pub index: u64,
    pub seat: Seat,
    pub agent: &'a str,
    pub result: f64,
    pub start: f64,
    pub luck: f64,
    pub own: f64,
    pub others: f64,
    pub regret: f64,
}

/// The tables that are written at the end.
///
/// # Errors
/// If a row cannot be serialised.
pub(super) fn all<G: CardGame>(plan: &Plan<G>, totals: &AnalysisTotals) -> io::Result<Vec<Table>> {
    Ok(vec![Table::of(&ANALYSIS, seats(plan, totals))?, Table::of(&ERRORS, errors(plan, totals))?])
}

/// A mean with the ends of its interval, as cells.
fn cells(estimate: Estimate) -> [Option<f64>; 3] {
    let interval = estimate.interval();
    let ends = [interval.map(|interval| interval.low), interval.map(|interval| interval.high)];
    let mean = (estimate.units > 0).then_some(estimate.mean);
    [mean, ends[0], ends[1]].map(|cell| cell.map(rounded))
}

/// The rows of `analysis.csv`.
pub(super) fn seats<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a AnalysisTotals,
) -> impl Iterator<Item = AnalysisRow> + 'a {
    let factor = 1.0 / plan.judging.units().0;
    totals.seats.iter().zip(&plan.players).enumerate().map(move |(seat, (moments, player))| {
        let of = |terms: &[(usize, i64)]| moments.of(terms).times(factor);
        let result = of(&[(RESULT, 1)]);
        let [result, result_low, result_high] = cells(match plan.judging.measure {
            Measure::Wins => Estimate { range: Range::SHARE, ..result },
            Measure::Score => result,
        });
        let [luck, luck_low, luck_high] = cells(of(&[(LUCK, 1)]));
        let [regret, regret_low, regret_high] = cells(of(&[(REGRET, 1)]));
        let [adjusted, adjusted_low, adjusted_high] = cells(of(&[(RESULT, 1), (LUCK, -1)]));
        let sd = |terms: &[(usize, i64)]| Some(of(terms).sd).filter(|sd| *sd > 0.0);
        let saved = sd(&[(RESULT, 1)]).zip(sd(&[(RESULT, 1), (LUCK, -1)]));
        AnalysisRow {
            game: G::NAME,
            agent: player.clone(),
            seat,
            judge: plan.judging.agent.label.clone(),
            measure: plan.judging.measure.name(),
            games: totals.games,
            result,
            result_low,
            result_high,
            start: cells(of(&[(START, 1)]))[0],
            luck,
            luck_low,
            luck_high,
            own: cells(of(&[(OWN, 1)]))[0],
            others: cells(of(&[(OTHERS, 1)]))[0],
            regret,
            regret_low,
            regret_high,
            adjusted,
            adjusted_low,
            adjusted_high,
            // Of few games it is no more certain than the intervals that are left out.
            factor: saved
                .filter(|_| totals.games >= LEAST_UNBOUNDED)
                .map(|(plain, adjusted)| rounded((plain / adjusted).powi(2))),
        }
    })
}

/// The rows of `errors.csv`.
fn errors<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a AnalysisTotals,
) -> impl Iterator<Item = ErrorRow<'a>> + 'a {
    let factor = 1.0 / plan.judging.units().0;
    totals.errors.iter().map(move |(key, count)| {
        let mut regret = count.regret.clone();
        let seats = totals.played.get(&key.agent).copied().unwrap_or_default();
        regret.add_zeros(seats.saturating_sub(regret.units()));
        let [mean, low, high] = cells(regret.of(&[(0, 1)]).times(factor));
        let of = |grade: Grade| count.grades[grade as usize];
        ErrorRow {
            game: G::NAME,
            agent: &key.agent,
            judge: &plan.judging.agent.label,
            measure: plan.judging.measure.name(),
            phase: PHASES[usize::from(key.phase.min(2))],
            kind: &key.kind,
            decisions: count.decisions,
            doubtful: of(Grade::Doubtful),
            bad: of(Grade::Bad),
            very_bad: of(Grade::VeryBad),
            regret: mean,
            regret_low: low,
            regret_high: high,
        }
    })
}
