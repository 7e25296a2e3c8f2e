//! What is said at the end of a bound.

use crate::numbers::{NONE, percent, with_interval};
use crate::stats::Estimate;
use crate::studies::Head;
use crate::text::aligned;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// What is said at the end of a bound.
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
        let shown = estimate.interval().map(|interval| match quantity {
            "wins" => percent(estimate.mean, interval),
            _ => with_interval(estimate.mean, interval),
        });
        shown.map_or_else(|| [NONE, NONE].map(ToOwned::to_owned), Into::into)
    }
}

impl Display for BoundSummary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { head, quantity, agent, .. } = self;
        writeln!(f, "{}, seed {}{}", head.title("deals"), head.seed, head.missing())?;
        writeln!(f, "\n{quantity}: no fair player reaches more than the bound on average")?;
        let row = |name: String, estimate: &Estimate| {
            let [mean, interval] = Self::show(quantity, estimate);
            vec![name, mean, interval]
        };
        let lines = [
            vec![String::new(), "mean".to_owned(), "95 % interval".to_owned()],
            row(format!("{agent} (fair)"), &self.fair),
            row("bound".to_owned(), &self.bound),
            row("clairvoyant".to_owned(), &self.clairvoyant),
            row(format!("bound - {agent}"), &self.gap),
        ];
        write!(f, "{}", aligned(&lines, 1))?;
        writeln!(f, "\nThe bound: {}\n{}", self.method, head.speed("deals"))
    }
}
