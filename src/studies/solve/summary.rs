//! What is said at the end of exact answers.

use super::{Deals, Plan, SolveTotals, tables};
use crate::games::CardGame;
use crate::numbers::{NONE, percent, thousands};
use crate::stats::{Histogram, Interval};
use crate::studies::Head;
use knave_agents::{Sense, Verdict};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// What is said at the end of exact answers.
#[derive(Clone, Debug, Serialize)]
pub struct SolveSummary {
    /// What is said first.
    pub head: Head,
    /// The file of the deals, if they stood in one.
    pub file: Option<String>,
    /// The name of the question.
    pub objective: &'static str,
    /// The question.
    pub question: &'static str,
    /// Whether the answers are yes or no.
    pub whether: bool,
    /// The solved deals: the share of a yes, or how the values are spread, in words.
    pub answers: String,
    /// How many deals are solved, have no value, and are undecided.
    pub verdicts: [u64; 3],
    /// How the nodes visited for a deal are spread, in words.
    pub nodes: String,
}

impl SolveSummary {
    pub(super) fn new<G: CardGame>(plan: &Plan<G>, totals: &SolveTotals, head: Head) -> Self {
        let file = match &plan.deals {
            Deals::Seeded { .. } => None,
            Deals::Listed { file, .. } => Some(file.display().to_string()),
        };
        let [unsolvable, undecided] = [Verdict::Unsolvable, Verdict::Undecided].map(|v| totals.count(v));
        Self {
            head,
            file,
            objective: plan.objective.name,
            question: plan.objective.question,
            whether: plan.objective.sense == Sense::Whether,
            answers: Self::answers(plan, totals),
            verdicts: [totals.values().total(), unsolvable, undecided],
            nodes: spread(&totals.nodes),
        }
    }

    /// The answers in short.
    pub(super) fn answers<G: CardGame>(plan: &Plan<G>, totals: &SolveTotals) -> String {
        if plan.objective.sense != Sense::Whether {
            return spread(&totals.values());
        }
        let row = tables::solvability(plan, totals).next();
        let Some((rate, low, high)) = row.and_then(|row| Some((row.rate?, row.low?, row.high?))) else {
            return NONE.to_owned();
        };
        let (rate, interval) = percent(rate, Interval { low, high });
        format!("{rate} ({interval})")
    }
}

impl Display for SolveSummary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let head = &self.head;
        f.write_str(&head.title("deals"))?;
        match &self.file {
            None => write!(f, ", seed {}", head.seed)?,
            Some(file) => write!(f, " from {file}")?,
        }
        writeln!(f, "{}, for someone who knows every card (clairvoyant)", head.missing())?;
        writeln!(f, "\n{}: {}", self.objective, self.question)?;
        let words = if self.whether { ["yes", "no"] } else { ["solved", "unsolvable"] };
        let [solved, unsolvable, undecided] = self.verdicts.map(thousands);
        writeln!(f, "  {:<12}{solved:>12}  {}", words[0], self.answers)?;
        writeln!(f, "  {:<12}{unsolvable:>12}", words[1])?;
        writeln!(f, "  {:<12}{undecided:>12}", "undecided")?;
        writeln!(f, "\nnodes for a deal: {}\n{}", self.nodes, head.speed("deals"))
    }
}

/// Mean and quantiles.
fn spread(values: &Histogram) -> String {
    let Some(mean) = values.mean() else {
        return NONE.to_owned();
    };
    let quantile = |(name, numerator, denominator)| {
        let value = values.quantile(numerator, denominator)?;
        Some(format!("{name} {}{}", if value < 0 { "-" } else { "" }, thousands(value.unsigned_abs())))
    };
    let quantiles =
        [("min", 0, 1), ("q05", 1, 20), ("median", 1, 2), ("q95", 19, 20), ("q99", 99, 100), ("max", 1, 1)];
    let quantiles: Vec<String> = quantiles.into_iter().filter_map(quantile).collect();
    format!("mean {mean:.2}, {}", quantiles.join(", "))
}
