//! Summaries of studies: data that prints as text.

use super::request::resolved;
use crate::games::CardGame;
use crate::numbers::{NONE, duration, rate, thousands};
use crate::screen::{strong, warning};
use crate::store::{Manifest, Timing};
use knave_agents::Options as _;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Display;

/// The summary of a study.
pub trait Summary: Display {
    /// As data.
    fn data(&self) -> Value;

    /// As text for a screen of this width, with marks that become colours.
    #[doc(hidden)]
    fn on_screen(&self, width: usize) -> String;
}

/// The text of a summary.
pub trait SummaryText {
    /// The text for a screen of this width, with marks.
    fn text(&self, width: usize) -> String;
}

impl<T: Serialize + Display + SummaryText> Summary for T {
    fn data(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn on_screen(&self, width: usize) -> String {
        self.text(width)
    }
}

/// Has summaries print as they do on a screen of the usual width, without marks.
macro_rules! prints_as_text {
    ($($summary:ty)*) => {
        $(
            impl std::fmt::Display for $summary {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    use $crate::screen::{WIDTH, unmarked};
                    f.write_str(&unmarked(&$crate::studies::summary::SummaryText::text(self, WIDTH)))
                }
            }
        )*
    };
}

prints_as_text! {
    super::run::RunSummary
    super::compare::CompareSummary
    super::solve::SolveSummary
    super::bound::BoundSummary
    super::analyse::AnalysisSummary
}

/// The head of every summary.
#[derive(Clone, Debug, Serialize)]
pub struct Head {
    /// The game.
    pub game: String,
    /// The options of the rules that differ from the game's own, in the order in which the game lists them.
    pub rules: Vec<(String, Value)>,
    /// The seed; 0 where the deals stood in a file.
    pub seed: u64,
    /// The games or deals that are finished.
    pub finished: u64,
    /// Those that were asked for.
    pub size: u64,
    /// Whether some are missing.
    pub partial: bool,
    /// How long it took.
    pub timing: Timing,
}

impl Head {
    /// The head for what a manifest of this game tells.
    pub(super) fn of<G: CardGame>(manifest: &Manifest) -> Self {
        let (plan, defaults) = (&manifest.plan, resolved(&G::Rules::default()));
        let value = |name: &str| plan.rules().find(|(other, _)| *other == name).map(|(_, value)| value);
        let changed = |name: &str| {
            let value = value(name).filter(|value| !value.is_null() && defaults.get(name) != Some(*value))?;
            Some((name.to_owned(), value.clone()))
        };
        Self {
            game: plan.game().to_owned(),
            rules: G::Rules::names().into_iter().filter_map(changed).collect(),
            seed: plan.seed(),
            finished: manifest.finished,
            size: plan.size(),
            partial: manifest.partial,
            timing: manifest.timing.clone(),
        }
    }

    /// The first words: how many there are of what.
    pub(super) fn title(&self, noun: &str) -> String {
        let noun = if self.finished == 1 { noun.trim_end_matches('s') } else { noun };
        let rules: Vec<String> =
            self.rules.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect();
        let rules = if rules.is_empty() { String::new() } else { format!(" with {}", rules.join(", ")) };
        let title = format!("{} {noun} of {}", thousands(self.finished), self.game);
        format!("\n{}{rules}", strong(&title))
    }

    /// What is said of results of which some are missing.
    pub(super) fn missing(&self) -> String {
        if self.partial {
            format!(" {}", warning(&format!("(partial: {} were asked for)", thousands(self.size))))
        } else {
            String::new()
        }
    }

    /// How long it took, and how fast that was.
    pub(super) fn speed(&self, noun: &str) -> String {
        let Timing { games_per_second, seconds, threads, .. } = &self.timing;
        let speed = games_per_second.map_or_else(|| NONE.to_owned(), |speed| rate(speed, noun));
        let word = if *threads == 1 { "thread" } else { "threads" };
        format!("{}, {speed} on {threads} {word}", duration(*seconds))
    }
}

/// A value without the quotes of a text.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}
