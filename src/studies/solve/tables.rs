//! The rows of the tables of exact answers.

use super::{Plan, SolveTotals, verdict_text};
use crate::games::{CardGame, rounded};
use crate::stats::{Interval, wilson};
use crate::store::TableForm;
use knave_agents::{Sense, Verdict};
use serde::Serialize;
use std::collections::BTreeSet;

/// How many deals reach a value.
pub const SOLVABILITY: TableForm = TableForm {
    file: "solvability.csv",
    columns: &["game", "objective", "threshold", "deals", "yes", "no", "undecided", "rate", "low", "high"],
};

/// The distribution of the best values.
pub const VALUES: TableForm =
    TableForm { file: "values.csv", columns: &["game", "objective", "verdict", "value", "deals"] };

/// What the answers cost.
pub const NODES: TableForm = TableForm {
    file: "nodes.csv",
    columns: &[
        "game",
        "objective",
        "deals",
        "mean",
        "min",
        "q25",
        "median",
        "q75",
        "q90",
        "q99",
        "q999",
        "max",
    ],
};

/// A row a deal, on request.
pub const SOLUTIONS: TableForm =
    TableForm { file: "solutions.csv", columns: &["index", "verdict", "value", "nodes", "name"] };

/// A row of `solvability.csv`: how many deals reach a value. What is undefined is an empty cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct SolvabilityRow<'a> {
    pub game: &'a str,
    pub objective: &'a str,
    pub threshold: Option<i64>,
    pub deals: u64,
    pub yes: u64,
    pub no: u64,
    pub undecided: u64,
    pub rate: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// A row of `values.csv`: how many deals have a verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct ValueRow<'a> {
    pub game: &'a str,
    pub objective: &'a str,
    pub verdict: &'static str,
    pub value: Option<i64>,
    pub deals: u64,
}

/// The row of `nodes.csv`: what the answers cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns are documented in results/README.md")]
pub struct NodesRow<'a> {
    pub game: &'a str,
    pub objective: &'a str,
    pub deals: u64,
    pub mean: Option<f64>,
    pub min: Option<i64>,
    pub q25: Option<i64>,
    pub median: Option<i64>,
    pub q75: Option<i64>,
    pub q90: Option<i64>,
    pub q99: Option<i64>,
    pub q999: Option<i64>,
    pub max: Option<i64>,
}

/// The rows of `solvability.csv`, the strictest threshold last.
pub fn solvability<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a SolveTotals,
) -> impl Iterator<Item = SolvabilityRow<'a>> {
    let sense = plan.objective.sense;
    let known = totals.answers.keys().flat_map(|(reached, bound)| [*reached, *bound]);
    let mut thresholds: Vec<i64> = known.flatten().collect::<BTreeSet<_>>().into_iter().collect();
    if sense == Sense::Least {
        thresholds.reverse();
    }
    if sense == Sense::Whether {
        thresholds = vec![1];
    }
    thresholds.into_iter().map(move |threshold| {
        let count = |reaches: &dyn Fn(Option<i64>, Option<i64>) -> bool| -> u64 {
            let counts = totals.answers.iter().filter(|((reached, bound), _)| reaches(*reached, *bound));
            counts.map(|(_, count)| count).sum()
        };
        let yes = count(&|reached, _| reached.is_some_and(|value| sense.at_least(value, threshold)));
        let no = count(&|_, bound| !bound.is_some_and(|value| sense.at_least(value, threshold)));
        // Some that were typed are a sample of nothing.
        let interval = widened(yes, no, totals.deals).filter(|_| !plan.tells_each());
        SolvabilityRow {
            game: G::NAME,
            objective: plan.objective.name,
            threshold: (sense != Sense::Whether).then_some(threshold),
            deals: totals.deals,
            yes,
            no,
            undecided: totals.deals - yes - no,
            rate: (yes + no > 0).then(|| rounded(yes as f64 / (yes + no) as f64)),
            low: interval.map(|interval| rounded(interval.low)),
            high: interval.map(|interval| rounded(interval.high)),
        }
    })
}

/// Wilson's interval of a rate, its lower end with every undecided deal a no and its upper end with every one
/// a yes; `None` without deals.
fn widened(yes: u64, no: u64, deals: u64) -> Option<Interval> {
    let n = deals as f64;
    Some(Interval { low: wilson(yes as f64 / n, n)?.low, high: wilson((deals - no) as f64 / n, n)?.high })
}

/// The rows of `values.csv`: values in rising order, then the unsolvable and the undecided deals.
pub fn values<'a, G: CardGame>(
    plan: &'a Plan<G>,
    totals: &'a SolveTotals,
) -> impl Iterator<Item = ValueRow<'a>> {
    totals.verdicts().map(|(verdict, deals): (Verdict, u64)| {
        let (verdict, value) = verdict_text(verdict);
        ValueRow { game: G::NAME, objective: plan.objective.name, verdict, value, deals }
    })
}

/// The row of `nodes.csv`.
#[must_use]
pub fn nodes<'a, G: CardGame>(plan: &'a Plan<G>, totals: &SolveTotals) -> NodesRow<'a> {
    let quantile = |numerator, denominator| totals.nodes.quantile(numerator, denominator);
    NodesRow {
        game: G::NAME,
        objective: plan.objective.name,
        deals: totals.deals,
        mean: totals.nodes.mean().map(rounded),
        min: quantile(0, 1),
        q25: quantile(1, 4),
        median: quantile(1, 2),
        q75: quantile(3, 4),
        q90: quantile(9, 10),
        q99: quantile(99, 100),
        q999: quantile(999, 1000),
        max: quantile(1, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Undecided deals widen the interval both ways: 80 yes, 10 no and 10 undecided of 100 give the lower end
    /// of 80 and the upper end of 90 in 100.
    #[test]
    fn the_undecided_widen_both_ways() {
        let interval = widened(80, 10, 100).unwrap();
        assert_eq!(interval.low, wilson(0.8, 100.0).unwrap().low);
        assert_eq!(interval.high, wilson(0.9, 100.0).unwrap().high);
        assert_eq!(widened(0, 0, 0), None);
    }
}
