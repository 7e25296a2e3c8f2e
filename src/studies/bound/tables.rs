//! The rows of the table of bounds on fair play.

use super::{BoundTotals, Plan};
use crate::games::{CardGame, rounded};
use crate::store::TableForm;
use serde::Serialize;

/// How good fair play can be at most.
pub const BOUND: TableForm = TableForm {
    file: "bound.csv",
    columns: &["game", "quantity", "measure", "agent", "deals", "mean", "low", "high", "sd"],
};

/// A row of `bound.csv`. What is undefined is an empty cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct BoundRow<'a> {
    pub game: &'a str,
    pub quantity: &'static str,
    pub measure: &'static str,
    pub agent: Option<&'a str>,
    pub deals: u64,
    pub mean: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub sd: Option<f64>,
}

/// The rows of `bound.csv`.
pub fn bounds<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &BoundTotals,
) -> impl Iterator<Item = BoundRow<'a>> + use<'a, G> {
    let rows = [
        ("fair", Some(plan.player()), totals.fair()),
        ("bound", None, totals.bound()),
        ("clairvoyant", None, totals.clairvoyant()),
        ("gap", Some(plan.player()), totals.gap()),
    ];
    let quantity = plan.bounding.quantity;
    rows.into_iter().map(move |(measure, agent, estimate)| {
        let interval = estimate.interval();
        let defined = |value: f64| value.is_finite().then(|| rounded(value));
        BoundRow {
            game: G::NAME,
            quantity,
            measure,
            agent,
            deals: estimate.units,
            mean: defined(estimate.mean),
            low: interval.map(|interval| rounded(interval.low)),
            high: interval.map(|interval| rounded(interval.high)),
            sd: defined(estimate.sd),
        }
    })
}
