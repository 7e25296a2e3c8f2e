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
        let unit = if quantity == "wins" { Unit::Share } else { Unit::Plain };
        // A single deal has a value and no interval.
        unit.show(Some(estimate.mean).filter(|_| estimate.units > 0), estimate.interval())
    }
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
        let lines = [
            vec![String::new(), "mean".to_owned(), INTERVAL.to_owned()],
            row(format!("{agent} (fair)"), &self.fair),
            bound,
            row("clairvoyant".to_owned(), &self.clairvoyant),
            row(format!("bound - {agent}"), &self.gap),
        ];
        text += &table(&lines, 1, width);
        text + &format!("\nThe bound: {}\n{}\n", self.method, head.speed("deals"))
    }
}
