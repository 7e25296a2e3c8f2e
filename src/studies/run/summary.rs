//! The summary of a run.

use super::tables::SummaryRow;
use super::{Plan, Totals, tables};
use crate::games::CardGame;
use crate::numbers::{INTERVAL, NONE, Unit};
use crate::screen::{strong, table};
use crate::stats::Interval;
use crate::studies::summary::{SummaryText, ends_text};
use crate::studies::{Head, faults};
use crate::text::visible;
use serde::Serialize;

/// The summary of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RunSummary {
    /// What is said first.
    pub head: Head,
    /// The results of each seat.
    pub seats: Vec<SummaryRow>,
    /// How many games ended for which reason.
    pub ends: Vec<(String, u64)>,
    /// What players in processes of their own did wrong, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

impl RunSummary {
    pub(super) fn new<G: CardGame>(plan: &Plan<G>, totals: &Totals<G>, head: Head) -> Self {
        let ends = totals.ends().into_iter().map(|(word, games)| (word.to_owned(), games));
        let faults = totals.faults.lines(|seat| plan.charged(seat)).collect();
        Self { head, seats: tables::summary(plan, totals).collect(), ends: ends.collect(), faults }
    }
}

impl SummaryText for RunSummary {
    fn text(&self, width: usize) -> String {
        let mut text =
            format!("{}, seed {}{}\n\n", self.head.title("games"), self.head.seed, self.head.missing());
        let mut lines = vec![HEADER.map(ToOwned::to_owned).to_vec()];
        lines.extend(self.seats.iter().map(cells));
        text += &table(&lines, 2, width);
        text += "\n";
        text += &ends_text(&self.ends);
        text += &faults::text(&self.faults);
        text + &self.head.speed("games") + "\n"
    }

    fn faults(&self) -> &[String] {
        &self.faults
    }
}

const HEADER: [&str; 11] =
    ["seat", "agent", "wins", INTERVAL, "score", INTERVAL, "moves", "q05", "median", "q95", "max"];

fn cells(row: &SummaryRow) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or_else(|| NONE.to_owned(), |value| value.to_string());
    let interval =
        |low: Option<f64>, high: Option<f64>| low.zip(high).map(|(low, high)| Interval { low, high });
    let [win, wins] = Unit::Share.show(row.win_rate, interval(row.win_low, row.win_high));
    let [mean, means] = Unit::Plain.show(row.score_mean, interval(row.score_low, row.score_high));
    vec![
        row.seat.to_string(),
        visible(&row.agent).into_owned(),
        strong(&win),
        wins,
        strong(&mean),
        means,
        row.moves_mean.map_or_else(|| NONE.to_owned(), |moves| format!("{moves:.2}")),
        number(row.score_q05),
        number(row.score_median),
        number(row.score_q95),
        number(row.score_max),
    ]
}
