//! The summary of a bound.

use crate::numbers::{INTERVAL, Unit};
use crate::screen::{strong, table};
use crate::stats::Estimate;
use crate::studies::Head;
use crate::studies::summary::SummaryText;
use crate::text::visible;
use serde::Serialize;

/// The summary of a bound.
#[derive(Clone, Debug, Serialize)]
pub struct BoundSummary {
    /// What is said first.
    pub head: Head,
    /// What is bounded: `score` or `wins`.
    pub quantity: &'static str,
    /// How, in one line.
    pub method: &'static str,
    /// The fair player.
    pub agent: String,
    /// What it reached.
    pub fair: Estimate,
    /// The bound.
    pub bound: Estimate,
    /// What can be reached with every card known.
    pub clairvoyant: Estimate,
    /// The bound less what the fair player reached, on the same deals.
    pub gap: Estimate,
}

impl BoundSummary {
    /// A mean and its interval.
    pub(super) fn show(quantity: &str, estimate: &Estimate) -> [String; 2] {
        unit(quantity).show(mean(estimate), estimate.interval())
    }
}

fn unit(quantity: &str) -> Unit {
    if quantity == "wins" { Unit::Share } else { Unit::Plain }
}

/// A single deal has a mean and no interval.
fn mean(estimate: &Estimate) -> Option<f64> {
    Some(estimate.mean).filter(|_| estimate.units > 0)
}

impl SummaryText for BoundSummary {
    fn text(&self, width: usize) -> String {
        let Self { head, quantity, agent, .. } = self;
        let agent = visible(agent);
        let mut text = format!("{}, seed {}{}\n", head.title("deals"), head.seed, head.missing());
        text += &format!("\n{quantity}: in expectation, no fair player reaches more than the bound\n");
        let row = |name: String, estimate: &Estimate| {
            let [mean, interval] = Self::show(quantity, estimate);
            vec![name, mean, interval]
        };
        let mut bound = row("bound".to_owned(), &self.bound);
        bound[1] = strong(&bound[1]);
        let [gap, gap_interval] = unit(quantity).difference(mean(&self.gap), self.gap.interval());
        let lines = [
            vec![String::new(), "mean".to_owned(), INTERVAL.to_owned()],
            row(format!("{agent} (fair)"), &self.fair),
            bound,
            row("clairvoyant".to_owned(), &self.clairvoyant),
            vec![format!("bound - {agent}"), gap, gap_interval],
        ];
        text += &table(&lines, 1, width);
        text + &format!("\nThe bound: {}\n{}\n", self.method, head.speed("deals"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Range;
    use crate::store::Timing;

    /// The gap is a difference: its interval does not end at 0 where it excludes 0.
    #[test]
    fn gaps_tell_their_side() {
        let estimate = |mean| Estimate {
            units: 100,
            mean,
            sd: 99.0,
            range: Range { low: mean, high: mean, is_known: false },
        };
        let head = Head {
            game: "verslun".to_owned(),
            rules: Vec::new(),
            cards: None,
            seed: 1,
            finished: 100,
            size: 100,
            partial: false,
            part: None,
            timing: Timing::default(),
        };
        let [fair, bound, clairvoyant, gap] = [19.9, 39.8, 39.8, 19.9].map(estimate);
        let agent = "rule".to_owned();
        let text = BoundSummary { head, quantity: "score", method: "", agent, fair, bound, clairvoyant, gap }
            .text(80);
        let [fair, gap] = ["rule (fair)", "bound - rule"].map(|name| {
            text.lines()
                .find_map(|line| line.strip_prefix(name))
                .unwrap()
                .split_whitespace()
                .collect::<Vec<_>>()
        });
        assert_eq!(fair, ["20", "0", "to", "40"], "{text}");
        assert_eq!(gap, ["19.9", "0.3", "to", "39.5"], "{text}");
    }
}
