//! What people read: the summary that ends a run, and numbers as text.

use crate::agents::options::describe;
use crate::games::{CardGame, Sense, Verdict};
use crate::stats::{Histogram, Interval};
use crate::store::Manifest;
use crate::studies::run::tables::{SummaryRow, summary as rows};
use crate::studies::run::{Plan, Totals};
use crate::studies::solve::tables::solvability;
use crate::studies::solve::{Deals, SolvePlan, SolveTotals};
use std::fmt::Write as _;

/// What stands for a value that is not defined.
pub const NONE: &str = "-";

/// The columns that a group title stands over: (title, the first of its columns, how many).
const GROUPS: [(&str, usize, usize); 2] = [("wins", 2, 2), ("score", 4, 6)];

const HEADER: [&str; 11] = [
    "seat",
    "agent",
    "rate",
    "95 % interval",
    "mean",
    "95 % interval",
    "q05",
    "median",
    "q95",
    "max",
    "moves",
];

/// The table that ends a run.
pub fn summary<G: CardGame>(plan: &Plan<G>, totals: &Totals<G>, manifest: &Manifest) -> String {
    let mut lines = vec![HEADER.map(ToOwned::to_owned)];
    lines.extend(rows(plan, totals).map(|row| cells(&row)));
    let widths: [usize; HEADER.len()] =
        std::array::from_fn(|i| lines.iter().map(|line| line[i].chars().count()).max().unwrap_or(0));

    let noun = if totals.games == 1 { "game" } else { "games" };
    let mut text =
        format!("\n{} {noun} of {}{}", thousands(totals.games), G::NAME, changed_rules::<G>(manifest));
    let _ = write!(text, ", seed {}", plan.seed);
    if manifest.partial {
        let _ = write!(text, " (partial: {} were asked for)", thousands(plan.games));
    }
    text.push_str("\n\n");
    text.push_str(&group_titles(&widths));
    for line in &lines {
        let aligned = line.iter().enumerate().map(|(i, cell)| match i {
            // The names are aligned to the left, the numbers to the right.
            1 => format!("{cell:<width$}", width = widths[i]),
            _ => format!("{cell:>width$}", width = widths[i]),
        });
        let _ = writeln!(text, "{}", aligned.collect::<Vec<_>>().join(GAP));
    }
    let ends = totals.ends().into_iter().map(|(word, games)| format!("{word} {}", thousands(games)));
    let _ = writeln!(text, "\nEnds: {}", ends.collect::<Vec<_>>().join(", "));
    let _ = writeln!(text, "{}", speed(manifest, "games"));
    text
}

/// How long it took, and how fast that was.
pub fn speed(manifest: &Manifest, noun: &str) -> String {
    let timing = &manifest.timing;
    let speed = timing.games_per_second.map_or_else(|| NONE.to_owned(), |speed| rate(speed, noun));
    let threads = if timing.threads == 1 { "thread" } else { "threads" };
    format!("{}, {speed} on {} {threads}", duration(timing.seconds), timing.threads)
}

/// The win rate of each seat so far, with its interval.
pub fn wins<G: CardGame>(totals: &Totals<G>) -> String {
    let seats = totals.seats.iter().map(|seat| match (seat.win_rate(), seat.win_interval()) {
        (Some(rate), Some(interval)) => {
            let (rate, interval) = percent(rate, interval);
            format!("{rate} ({interval})")
        }
        _ => NONE.to_owned(),
    });
    format!("wins {}", seats.collect::<Vec<_>>().join(", "))
}

/// What ends a search for exact answers.
pub fn solved<G: CardGame>(plan: &SolvePlan<G>, totals: &SolveTotals, manifest: &Manifest) -> String {
    let noun = if totals.deals == 1 { "deal" } else { "deals" };
    let mut text =
        format!("\n{} {noun} of {}{}", thousands(totals.deals), G::NAME, changed_rules::<G>(manifest));
    let _ = match &plan.deals {
        Deals::Seeded { seed, .. } => write!(text, ", seed {seed}"),
        Deals::Listed { name, .. } => write!(text, " from {name}"),
    };
    if manifest.partial {
        let _ = write!(text, " (partial: {} were asked for)", thousands(plan.len()));
    }
    let _ = writeln!(text, ", for someone who knows every card (clairvoyant)");
    let objective = &plan.objective;
    let _ = writeln!(text, "\n{}: {}", objective.name, objective.question);
    let values = totals.values();
    match objective.sense {
        Sense::Whether => {
            let _ = writeln!(text, "  {:<12}{:>12}  {}", "yes", thousands(values.total()), yes(plan, totals));
        }
        _ => {
            let _ =
                writeln!(text, "  {:<12}{:>12}  {}", "solved", thousands(values.total()), spread(&values));
        }
    }
    let no = if objective.sense == Sense::Whether { "no" } else { "unsolvable" };
    for (name, verdict) in [(no, Verdict::Unsolvable), ("undecided", Verdict::Undecided)] {
        let _ = writeln!(text, "  {name:<12}{:>12}", thousands(totals.count(verdict)));
    }
    let _ = writeln!(text, "\nnodes for a deal: {}", spread(&totals.nodes));
    let _ = writeln!(text, "{}", speed(manifest, "deals"));
    text
}

/// The answers so far, in short.
pub fn answers<G: CardGame>(plan: &SolvePlan<G>, totals: &SolveTotals) -> String {
    match plan.objective.sense {
        Sense::Whether => format!("yes {}", yes(plan, totals)),
        _ => format!("{}: {}", plan.objective.name, spread(&totals.values())),
    }
}

/// How many deals have the answer yes, with the interval.
fn yes<G: CardGame>(plan: &SolvePlan<G>, totals: &SolveTotals) -> String {
    let row = solvability(plan, totals).next();
    let Some((rate, low, high)) = row.and_then(|row| Some((row.rate?, row.low?, row.high?))) else {
        return NONE.to_owned();
    };
    let (rate, interval) = percent(rate, Interval { low, high });
    format!("{rate} ({interval})")
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

pub const GAP: &str = "  ";

/// Lines of cells as text, a column under a column: the first `left` to the left, the rest to the right.
pub fn aligned(lines: &[Vec<String>], left: usize) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| lines.iter().filter_map(|line| line.get(i)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|i| width(i).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in lines {
        let cell = |(i, cell): (usize, &String)| match i < left {
            true => format!("{cell:<width$}", width = widths[i]),
            false => format!("{cell:>width$}", width = widths[i]),
        };
        let cells: Vec<String> = line.iter().enumerate().map(cell).collect();
        text.push_str(cells.join(GAP).trim_end());
        text.push('\n');
    }
    text
}

/// The line over the header: a title over each group of columns, and a rule over the rest of the group.
fn group_titles(widths: &[usize]) -> String {
    let mut text = String::new();
    for (title, first, count) in GROUPS {
        let start = widths[..first].iter().map(|width| width + GAP.len()).sum::<usize>();
        let width =
            widths[first..first + count].iter().map(|width| width + GAP.len()).sum::<usize>() - GAP.len();
        let pad = start - text.chars().count();
        let _ = write!(text, "{:pad$}── {title} ", "");
        let rest = (start + width).saturating_sub(text.chars().count());
        text.push_str(&"─".repeat(rest));
    }
    text.push('\n');
    text
}

/// The options of the rules that have another value than their default.
pub fn changed_rules<G: CardGame>(manifest: &Manifest) -> String {
    let changed: Vec<String> = describe::<G::Rules>()
        .iter()
        .filter_map(|option| {
            let value = manifest.plan.rules.get(&option.name).filter(|value| !value.is_null())?;
            let value = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
            (value != option.default).then(|| format!("{}={value}", option.name))
        })
        .collect();
    if changed.is_empty() { String::new() } else { format!(" with {}", changed.join(", ")) }
}

fn cells(row: &SummaryRow<'_>) -> [String; HEADER.len()] {
    let number = |value: Option<f64>| value.map_or_else(|| NONE.to_owned(), |value| value.to_string());
    let (win, wins) = match (row.win_rate, row.win_low, row.win_high) {
        (Some(rate), Some(low), Some(high)) => percent(rate, Interval { low, high }),
        _ => (NONE.to_owned(), NONE.to_owned()),
    };
    let (mean, means) = match (row.score_mean, row.score_low, row.score_high) {
        (Some(mean), Some(low), Some(high)) => with_interval(mean, Interval { low, high }),
        (mean, ..) => (number(mean), NONE.to_owned()),
    };
    [
        row.seat.to_string(),
        row.agent.to_owned(),
        win,
        wins,
        mean,
        means,
        number(row.score_q05),
        number(row.score_median),
        number(row.score_q95),
        number(row.score_max),
        row.moves_mean.map_or_else(|| NONE.to_owned(), |moves| format!("{moves:.2}")),
    ]
}

/// A value and its interval, with as many decimals as the interval is worth.
pub fn with_interval(value: f64, interval: Interval) -> (String, String) {
    let width = interval.high - interval.low;
    let decimals = if width > 0.0 { (1.0 - width.log10().floor()).clamp(0.0, 8.0) as usize } else { 2 };
    let show = |value: f64| {
        let text = format!("{value:.decimals$}");
        // What rounds to zero has no sign.
        let zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
        if zero { text.trim_start_matches('-').to_owned() } else { text }
    };
    (show(value), format!("{} to {}", show(interval.low), show(interval.high)))
}

/// A rate with its interval, in percent.
pub fn percent(rate: f64, interval: Interval) -> (String, String) {
    let hundredfold = Interval { low: interval.low * 100.0, high: interval.high * 100.0 };
    let (rate, interval) = with_interval(rate * 100.0, hundredfold);
    (format!("{rate} %"), interval)
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

/// How many of something are done in a second, to three digits.
pub fn rate(per_second: f64, noun: &str) -> String {
    let size = if per_second > 0.0 { per_second.log10().floor() as i32 } else { 0 };
    let text = if size >= 2 {
        let unit = 10_u64.saturating_pow((size - 2).unsigned_abs());
        thousands((per_second / unit as f64).round() as u64 * unit)
    } else {
        format!("{per_second:.decimals$}", decimals = (2 - size).clamp(0, 4) as usize)
    };
    format!("{text} {noun}/s")
}

/// A time in words.
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "an unknown time".to_owned();
    }
    if seconds < 59.95 {
        return if seconds < 10.0 { format!("{seconds:.2} s") } else { format!("{seconds:.1} s") };
    }
    let seconds = seconds.round() as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours == 0 { format!("{minutes} min {} s", seconds % 60) } else { format!("{hours} h {minutes} min") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_follow_the_interval() {
        let show = |value, low, high| with_interval(value, Interval { low, high });
        assert_eq!(show(-175.8812, -175.95, -175.81), ("-175.88".into(), "-175.95 to -175.81".into()));
        assert_eq!(show(50.0, 20.1, 79.9), ("50".into(), "20 to 80".into()));
        assert_eq!(show(-0.001, -0.3, 0.3), ("0.00".into(), "-0.30 to 0.30".into()));
        assert_eq!(show(3.0, 3.0, 3.0), ("3.00".into(), "3.00 to 3.00".into()));
        let (rate, interval) = percent(0.25, Interval { low: 0.2231, high: 0.2789 });
        assert_eq!((rate.as_str(), interval.as_str()), ("25.0 %", "22.3 to 27.9"));
    }

    #[test]
    fn rates_and_times_are_readable() {
        for (value, text) in [
            (0.0, "0.00"),
            (0.0123, "0.0123"),
            (0.5, "0.500"),
            (7.0, "7.00"),
            (42.25, "42.2"),
            (999.7, "1,000"),
            (1_776_360.0, "1,780,000"),
        ] {
            assert_eq!(rate(value, "games"), format!("{text} games/s"));
        }
        for (value, text) in [
            (0.061, "0.06 s"),
            (12.34, "12.3 s"),
            (59.96, "1 min 0 s"),
            (3599.9, "1 h 0 min"),
            (4000.0, "1 h 6 min"),
            (f64::NAN, "an unknown time"),
        ] {
            assert_eq!(duration(value), text);
        }
    }
}
