//! The summary of a run for people.

use knave::export::{Manifest, SummaryRow, summary as rows};
use knave::games::CardGame;
use knave::runner::{Plan, Totals};
use knave::stats::Interval;
use std::fmt::Write as _;

/// The table that ends a run.
pub fn summary<G: CardGame>(plan: &Plan<G>, totals: &Totals<G>, manifest: &Manifest) -> String {
    let header = ["seat", "agent", "win rate", "mean score", "5 %", "median", "95 %", "best", "moves"];
    let mut lines = vec![header.map(ToOwned::to_owned).to_vec()];
    lines.extend(rows(plan, totals).map(|row| cells(&row)));
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.len()).map(width).collect();

    let mut text = format!("\n{} games of {}, seed {}", thousands(totals.games), G::NAME, plan.seed);
    if manifest.partial {
        let _ = write!(text, " (partial: {} were asked for)", thousands(plan.games));
    }
    text.push_str("\n\n");
    for line in &lines {
        for (column, cell) in line.iter().enumerate() {
            // The names are aligned to the left, the numbers to the right.
            let _ = if column == 1 {
                write!(text, "{cell:<width$}", width = widths[column])
            } else {
                write!(text, "{cell:>width$}", width = widths[column])
            };
            text.push_str(if column + 1 < header.len() { "   " } else { "\n" });
        }
    }
    let timing = &manifest.timing;
    let rate = timing.games_per_second.map_or_else(|| "-".to_owned(), |rate| thousands(rate.round() as u64));
    let noun = if timing.threads == 1 { "thread" } else { "threads" };
    let _ = writeln!(text, "\n{:.2} s, {rate} games/s on {} {noun}", timing.seconds, timing.threads);
    text
}

fn cells(row: &SummaryRow<'_>) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    let fixed = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
    let win = match (row.win_rate, row.win_low, row.win_high) {
        (Some(rate), Some(low), Some(high)) => percent(rate, Interval { low, high }),
        _ => "-".to_owned(),
    };
    let score = match (row.score_low, row.score_high) {
        (Some(low), Some(high)) => format!("{} [{low:.2}, {high:.2}]", fixed(row.score_mean)),
        _ => fixed(row.score_mean),
    };
    vec![
        row.seat.to_string(),
        row.agent.to_owned(),
        win,
        score,
        number(row.score_q05),
        number(row.score_median),
        number(row.score_q95),
        number(row.score_max),
        fixed(row.moves_mean),
    ]
}

/// A rate with its interval, with as many decimals as the interval is worth.
pub fn percent(rate: f64, interval: Interval) -> String {
    let width = (interval.high - interval.low) * 100.0;
    let decimals = if width > 0.0 { (1.0 - width.log10().floor()).clamp(0.0, 8.0) as usize } else { 2 };
    let show = |value: f64| format!("{:.decimals$}", value * 100.0);
    format!("{} % [{}, {}]", show(rate), show(interval.low), show(interval.high))
}

/// A count with a comma for every thousand.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
