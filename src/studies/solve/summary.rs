//! The summary of exact answers.

use super::plan::named;
use super::totals::Single;
use super::{DealSource, Plan, SolveTotals, tables, verdict_text};
use crate::games::CardGame;
use crate::numbers::{NONE, percent, thousands};
use crate::screen::{strong, table};
use crate::stats::{Histogram, Interval};
use crate::studies::Head;
use crate::studies::summary::SummaryText;
use crate::text::visible;
use knave_agents::{Sense, Verdict, verdict};
use serde::Serialize;
use std::path::Path;

/// The summary of exact answers.
#[derive(Clone, Debug, Serialize)]
pub struct SolveSummary {
    /// What is said first.
    pub head: Head,
    /// The file of the deals, if they stood in one.
    pub file: Option<String>,
    /// How many of these deals have rules of their own.
    #[serde(skip_serializing_if = "is_zero")]
    pub own_rules: usize,
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
    /// The answer to each deal, where they are few and were typed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<DealLine>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What is said of a deal.
#[derive(Clone, Debug, Serialize)]
pub struct DealLine {
    /// The line of the file.
    pub line: usize,
    /// The name that it gives the deal.
    pub name: Option<String>,
    /// `solved`, `unsolvable` or `undecided`.
    pub verdict: &'static str,
    /// The best value, or the one reached where it is undecided.
    pub value: Option<i64>,
    /// The nodes visited.
    pub nodes: u64,
}

impl SolveSummary {
    pub(super) fn new<G: CardGame>(plan: &Plan<G>, totals: &SolveTotals, head: Head) -> Self {
        let (file, own_rules) = match &plan.deals {
            DealSource::Seeded { .. } => (None, 0),
            DealSource::Listed { file, deals, .. } => {
                let rules = |rules: &G::Rules| serde_json::to_value(rules).ok();
                let given = rules(&plan.rules);
                let own = deals.iter().filter(|deal| rules(&deal.rules) != given).count();
                (Some(file.display().to_string()), own)
            }
        };
        let [unsolvable, undecided] = [Verdict::Unsolvable, Verdict::Undecided].map(|v| totals.count(v));
        Self {
            head,
            file,
            own_rules,
            objective: plan.objective.name,
            question: plan.objective.question,
            whether: plan.objective.sense == Sense::Whether,
            answers: Self::answers(plan, totals),
            verdicts: [totals.values().total(), unsolvable, undecided],
            nodes: spread(&totals.nodes),
            deals: Self::deals(plan, totals),
        }
    }

    fn deals<G: CardGame>(plan: &Plan<G>, totals: &SolveTotals) -> Vec<DealLine> {
        let DealSource::Listed { deals, .. } = &plan.deals else { return Vec::new() };
        let told = totals.each.iter().filter_map(|(&index, &single)| {
            let deal = deals.get(usize::try_from(index).ok()?)?;
            let Single { reached, bound, nodes } = single;
            let verdict = verdict_text(verdict(reached, bound)).0;
            Some(DealLine { line: deal.line, name: deal.name.clone(), verdict, value: reached, nodes })
        });
        told.collect()
    }

    /// A table of the deals.
    fn verdicts(&self, width: usize) -> String {
        let named = self.deals.iter().any(|deal| deal.name.is_some());
        let mut head = vec!["line"];
        head.extend(named.then_some("deal"));
        head.push("answer");
        head.extend((!self.whether).then_some(self.objective));
        head.push("nodes");
        let mut lines = vec![head.into_iter().map(ToOwned::to_owned).collect::<Vec<_>>()];
        for deal in &self.deals {
            let answer = match deal.verdict {
                "solved" if self.whether => "yes",
                "unsolvable" if self.whether => "no",
                verdict => verdict,
            };
            let mut line = vec![deal.line.to_string()];
            line.extend(named.then(|| visible(deal.name.as_deref().unwrap_or_default()).into_owned()));
            line.push(strong(answer));
            if !self.whether {
                let least = if deal.verdict == "undecided" { " reached" } else { "" };
                line.push(deal.value.map_or_else(|| NONE.to_owned(), |value| format!("{value}{least}")));
            }
            line.push(thousands(deal.nodes));
            lines.push(line);
        }
        table(&lines, if named { 2 } else { 1 }, width)
    }

    /// The answers in short.
    pub(super) fn answers<G: CardGame>(plan: &Plan<G>, totals: &SolveTotals) -> String {
        if plan.objective.sense != Sense::Whether {
            return spread(&totals.values());
        }
        let row = tables::solvability(plan, totals).next();
        let Some((undecided, rate, low, high)) =
            row.and_then(|row| Some((row.undecided, row.rate?, row.low?, row.high?)))
        else {
            return NONE.to_owned();
        };
        let (rate, interval) = percent(rate, Interval { low, high });
        match undecided {
            0 => format!("{rate} ({interval})"),
            // The interval allows for either answer to those that are undecided.
            _ => format!("{rate} of the decided ({interval} of all)"),
        }
    }
}

impl SummaryText for SolveSummary {
    fn text(&self, width: usize) -> String {
        let head = &self.head;
        let from = match &self.file {
            None => format!(", seed {}", head.seed),
            Some(file) => format!(" from {}", visible(&named(Path::new(file)))),
        };
        let own = match self.own_rules {
            0 => String::new(),
            1 => ", 1 with rules of its own".to_owned(),
            n => format!(", {} with rules of their own", thousands(n as u64)),
        };
        let mut text = format!("{}{from}{own}{}", head.title("deals"), head.missing());
        text += ", for someone who knows every card (clairvoyant)\n";
        text += &format!("\n{}: {}\n", self.objective, self.question);
        if !self.deals.is_empty() {
            return text + &self.verdicts(width) + "\n" + &head.speed("deals") + "\n";
        }
        let words = if self.whether { ["yes", "no"] } else { ["solved", "unsolvable"] };
        let [solved, unsolvable, undecided] = self.verdicts.map(thousands);
        text += &format!("  {:<12}{solved:>12}  {}\n", words[0], strong(&self.answers));
        text += &format!("  {:<12}{unsolvable:>12}\n", words[1]);
        text += &format!("  {:<12}{undecided:>12}\n", "undecided");
        text + &format!("\nnodes for a deal: {}\n{}\n", self.nodes, head.speed("deals"))
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
    let quantiles = [("min", 0, 1), ("q05", 1, 20), ("median", 1, 2), ("q95", 19, 20), ("max", 1, 1)];
    let quantiles: Vec<String> = quantiles.into_iter().filter_map(quantile).collect();
    let hundredths = (mean.abs() * 100.0).round() as u64;
    // What rounds to zero has no sign.
    let sign = if mean < 0.0 && hundredths > 0 { "-" } else { "" };
    let mean = format!("{sign}{}.{:02}", thousands(hundredths / 100), hundredths % 100);
    format!("mean {mean}, {}", quantiles.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_that_round_to_zero_have_no_sign() {
        for (lowest, mean) in [(-1, "mean 0.00, "), (-5, "mean -0.01, "), (-500, "mean -1.25, ")] {
            let mut values = Histogram::default();
            values.add_times(0, 399);
            values.add(lowest);
            assert!(spread(&values).starts_with(mean), "{}", spread(&values));
        }
    }
}
