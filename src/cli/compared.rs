//! What people read about a comparison.

use crate::cli::table::{NONE, aligned, changed_rules, percent, speed, thousands, with_interval};
use crate::games::CardGame;
use crate::stats::sprt::Decision;
use crate::stats::{Estimate, Interval};
use crate::store::Manifest;
use crate::studies::compare::{ComparePlan, CompareTotals, Difference, Goal, Measure};
use std::fmt::Write as _;

/// The state so far, in short: what the goal is about.
pub fn estimate<G: CardGame>(plan: &ComparePlan<G>, totals: &CompareTotals) -> String {
    let measure = match plan.goal {
        Some(Goal::Width { measure, .. } | Goal::Sprt { measure, .. }) => measure,
        None => Measure::Wins,
    };
    if let Some(Goal::Sprt { test, .. }) = plan.goal {
        let (low, high) = test.limits();
        return format!(
            "log likelihood ratio {:.2} ({low:.2} to {high:.2})",
            totals.ratio(plan, measure, test)
        );
    }
    let shown = plan.pairs().take(3).map(|(a, b)| {
        let difference = totals.difference(plan, measure, a, b);
        let (mean, interval) = show(measure, difference.mean, difference.interval);
        format!("{} - {} {mean} ({interval})", plan.label(a), plan.label(b))
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// The tables that end a comparison.
pub fn summary<G: CardGame>(plan: &ComparePlan<G>, totals: &CompareTotals, manifest: &Manifest) -> String {
    let (deals, games) = (totals.deals(), plan.lineups().len());
    let noun = if deals == 1 { "deal" } else { "deals" };
    let mut text = format!("\n{} {noun} of {}{}", thousands(deals), G::NAME, changed_rules::<G>(manifest));
    let _ = write!(text, ", seed {}, {games} games on each", plan.base().seed);
    if manifest.partial {
        let _ = write!(text, " (partial: {} were asked for)", thousands(plan.deals));
    } else if deals < plan.deals {
        let _ = write!(text, " (enough: up to {} were asked for)", thousands(plan.deals));
    }
    text.push_str("\n\n");
    text.push_str(&if plan.seats() == 1 { alone(plan, totals) } else { rated(plan, totals) });
    text.push('\n');
    text.push_str(&differences(plan, totals));
    if let Some(Goal::Sprt { measure, test }) = plan.goal {
        let ratio = totals.ratio(plan, measure, test);
        let (low, high) = test.limits();
        let said = match test.decide(ratio) {
            Some(Decision::Higher) => format!("{} Elo are accepted", test.elo1),
            Some(Decision::Lower) => format!("{} Elo are accepted", test.elo0),
            None => "nothing decided".to_owned(),
        };
        let _ = writeln!(
            text,
            "\n{} better than {} by {} or {} Elo ({}): log likelihood ratio {ratio:.2} ({low:.2} to {high:.2}), {said}",
            plan.label(1),
            plan.label(0),
            test.elo0,
            test.elo1,
            measure.name(),
        );
    }
    text.push_str(&seats(plan, totals));
    let _ = writeln!(text, "\n{}", speed(manifest, "deals"));
    text
}

fn show(measure: Measure, mean: f64, interval: Option<Interval>) -> (String, String) {
    match (interval, measure) {
        _ if !mean.is_finite() => (NONE.to_owned(), NONE.to_owned()),
        (None, Measure::Wins) => (format!("{:.1} %", mean * 100.0), NONE.to_owned()),
        (None, Measure::Score) => (format!("{mean:.2}"), NONE.to_owned()),
        (Some(interval), Measure::Wins) => percent(mean, interval),
        (Some(interval), Measure::Score) => with_interval(mean, interval),
    }
}

fn estimated(measure: Measure, estimate: Estimate) -> [String; 2] {
    show(measure, estimate.mean, estimate.interval()).into()
}

fn header<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(ToOwned::to_owned).to_vec()
}

/// The agents of a game for one.
fn alone<G: CardGame>(plan: &ComparePlan<G>, totals: &CompareTotals) -> String {
    let mut lines = vec![header(["agent", "wins", "95 % interval", "score", "95 % interval"])];
    for slot in 0..plan.agents().len() {
        let mut line = vec![plan.label(slot).to_owned()];
        for measure in Measure::ALL {
            line.extend(estimated(measure, totals.slot(plan, measure, slot)));
        }
        lines.push(line);
    }
    aligned(&lines, 1)
}

/// The agents of a game for more.
fn rated<G: CardGame>(plan: &ComparePlan<G>, totals: &CompareTotals) -> String {
    let Some(ratings) = totals.ratings(plan) else {
        return String::new();
    };
    let mut lines = vec![header(["agent", "rating (Elo)", "95 % interval"])];
    for (agent, (rating, interval)) in ratings.ratings.iter().enumerate() {
        let (rating, interval) = show(Measure::Score, *rating, *interval);
        lines.push(vec![plan.label(agent).to_owned(), rating, interval]);
    }
    let mut text = aligned(&lines, 1);
    if let Some(misfit) = ratings.misfit.filter(|misfit| *misfit < 0.05) {
        let _ = writeln!(text, "The ratings do not tell how each pair does (p = {}).", p_value(Some(misfit)));
    }
    for cycle in &ratings.cycles {
        let [a, b, c] = cycle.map(|agent| plan.label(agent));
        let _ = writeln!(text, "The ratings hide a cycle: {a} beats {b}, {b} beats {c}, {c} beats {a}.");
    }
    text
}

fn differences<G: CardGame>(plan: &ComparePlan<G>, totals: &CompareTotals) -> String {
    let controlled = plan.luck().is_some();
    let mut titles = header(["a", "b", "", "a", "b", "a - b", "95 % interval", "p", "saved"]);
    if controlled {
        titles.push("by control".to_owned());
    }
    let mut lines = vec![titles];
    for (a, b) in plan.pairs() {
        for measure in Measure::ALL {
            let difference = totals.difference(plan, measure, a, b);
            let Difference { mean_a, mean_b, mean, interval, p_value: p, .. } = difference;
            let times = |factor: Option<f64>| factor.map_or_else(|| NONE.to_owned(), |f| format!("{f:.2}x"));
            let (mean, shown) = show(measure, mean, interval);
            let mut line =
                vec![plan.label(a).to_owned(), plan.label(b).to_owned(), measure.name().to_owned()];
            // The means with as many decimals as the difference is worth.
            let like = |value: f64| {
                let half = interval.map_or(0.0, |interval| (interval.high - interval.low) / 2.0);
                show(measure, value, interval.map(|_| Interval { low: value - half, high: value + half })).0
            };
            line.extend([
                like(mean_a),
                like(mean_b),
                mean,
                shown,
                p_value(p),
                times(difference.saved_by_pairs),
            ]);
            if controlled {
                line.push(times(difference.saved_by_control));
            }
            lines.push(line);
        }
    }
    aligned(&lines, 3)
}

/// What the seats are worth in wins, over all games.
fn seats<G: CardGame>(plan: &ComparePlan<G>, totals: &CompareTotals) -> String {
    let seat = |seat| {
        let (mean, _) = totals.seat(plan, Measure::Wins, None, seat)?;
        let [mean, interval] = estimated(Measure::Wins, mean);
        Some(format!("{seat}: {mean} ({interval})"))
    };
    let shown: Vec<String> = (0..plan.seats()).filter_map(seat).collect();
    if shown.is_empty() { String::new() } else { format!("\nWins by seat: {}\n", shown.join(", ")) }
}

fn p_value(p: Option<f64>) -> String {
    match p {
        None => NONE.to_owned(),
        Some(p) if p < 1e-300 => "<1e-300".to_owned(),
        Some(p) if p < 0.0001 => format!("{p:.0e}"),
        Some(p) => format!("{p:.4}"),
    }
}
