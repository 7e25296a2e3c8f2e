//! Summaries of studies: data that prints as text.

use crate::games::CardGame;
use crate::json::plain;
use crate::numbers::{NONE, counted, duration, noun, rate, thousands};
use crate::screen::{strong, warning};
use crate::store::{Manifest, Shard, Timing};
use knave_agents::{Options as _, options};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;

/// The summary of a study.
pub trait Summary: Display {
    /// As data.
    fn data(&self) -> Value;

    /// As text for a screen of this width, with marks that become colours.
    #[doc(hidden)]
    fn on_screen(&self, width: usize) -> String;

    /// What players in processes of their own did wrong, a line each.
    fn faults(&self) -> &[String];
}

/// The text of a summary.
pub trait SummaryText {
    /// The text for a screen of this width, with marks.
    fn text(&self, width: usize) -> String;

    /// What players in processes of their own did wrong, a line each, if that is part of the text.
    fn faults(&self) -> &[String] {
        &[]
    }
}

impl<T: Serialize + Display + SummaryText> Summary for T {
    fn data(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn on_screen(&self, width: usize) -> String {
        self.text(width)
    }

    fn faults(&self) -> &[String] {
        SummaryText::faults(self)
    }
}

/// A line that says how many games ended for which reason, if any has.
pub(super) fn ends_text(ends: &[(String, u64)]) -> String {
    if ends.is_empty() {
        return String::new();
    }
    let ends: Vec<_> = ends.iter().map(|(word, games)| format!("{word} {}", thousands(*games))).collect();
    format!("Ends: {}\n", ends.join(", "))
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
    /// The number of cards, where they are not all of the game's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<usize>,
    /// The seed; 0 where the deals stood in a file.
    pub seed: u64,
    /// The games or deals that are finished.
    pub finished: u64,
    /// Those that were asked for.
    pub size: u64,
    /// Whether some are missing.
    pub partial: bool,
    /// Which part of them this folder has to do, and how many those are, where it is not the whole.
    #[serde(skip)]
    pub part: Option<(Shard, u64)>,
    /// How long it took.
    pub timing: Timing,
}

impl Head {
    /// The head for what a manifest of this game tells.
    pub(super) fn of<G: CardGame>(manifest: &Manifest) -> Self {
        let plan = &manifest.plan;
        let rules: BTreeMap<&str, &Value> = plan.rules().collect();
        Self {
            game: plan.game().to_owned(),
            rules: changed_rules::<G>(|name| rules.get(name).copied()),
            cards: plan.cards().map(|cards| cards.cards()),
            seed: plan.seed(),
            finished: manifest.finished,
            size: plan.size(),
            partial: manifest.partial,
            part: plan.shard.map(|shard| (shard, plan.range().end - plan.range().start)),
            timing: manifest.timing.clone(),
        }
    }

    /// The first words: how many there are of what.
    pub(super) fn title(&self, nouns: &str) -> String {
        let cards = self.cards.map(|cards| counted(cards, "cards"));
        let rules = self.rules.iter().map(|(name, value)| format!("{name}={}", plain(value)));
        let with: Vec<String> = cards.into_iter().chain(rules).collect();
        let with = if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) };
        let title = format!("{} {} of {}", thousands(self.finished), noun(self.finished, nouns), self.game);
        format!("\n{}{with}", strong(&title))
    }

    /// What is said of results of which some are missing.
    pub(super) fn missing(&self) -> String {
        if !self.partial {
            return String::new();
        }
        let asked = match self.part {
            None => format!("{} were asked for", thousands(self.size)),
            Some((Shard { part, of }, size)) => format!("part {part} of {of} has {}", thousands(size)),
        };
        format!(" {}", warning(&format!("(partial: {asked})")))
    }

    /// How long it took, and how fast that was.
    pub(super) fn speed(&self, noun: &str) -> String {
        let Timing { games_per_second, seconds, threads, .. } = &self.timing;
        let speed = games_per_second.map_or_else(|| NONE.to_owned(), |speed| rate(speed, noun));
        let mean = self.timing.mean_threads();
        let on = if (mean - *threads as f64).abs() < 0.05 {
            counted(*threads, "threads")
        } else {
            format!("{mean:.1} threads on average")
        };
        format!("{}, {speed} on {on}", duration(*seconds))
    }
}

/// The options of these rules that differ from the game's own, in the order in which the game lists them.
pub(crate) fn changed_rules<'a, G: CardGame>(
    rule: impl Fn(&str) -> Option<&'a Value>,
) -> Vec<(String, Value)> {
    let defaults = options::recorded(&G::Rules::default());
    let changed = |name: &str| {
        let value = rule(name).filter(|value| !value.is_null() && defaults.get(name) != Some(*value))?;
        Some((name.to_owned(), value.clone()))
    };
    G::Rules::names().into_iter().filter_map(changed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who reads the log of a part that was interrupted learns how much of the part is done, not of the whole.
    #[test]
    fn an_interrupted_part_tells_its_own_size() {
        let mut head = Head {
            game: "dungeon".to_owned(),
            rules: Vec::new(),
            cards: None,
            seed: 1,
            finished: 11_274,
            size: 1_000_000,
            partial: true,
            part: Some((Shard { part: 1, of: 50 }, 20_000)),
            timing: Timing::default(),
        };
        assert!(head.missing().contains("(partial: part 1 of 50 has 20,000)"), "{}", head.missing());
        head.part = None;
        assert!(head.missing().contains("(partial: 1,000,000 were asked for)"), "{}", head.missing());
        head.partial = false;
        assert_eq!(head.missing(), "");
    }
}
