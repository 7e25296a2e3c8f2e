//! What is said at the end of a run.

use super::tables::SummaryRow;
use super::{Plan, Totals, tables};
use crate::games::CardGame;
use crate::numbers::{NONE, percent, thousands, with_interval};
use crate::stats::Interval;
use crate::studies::{Head, faults};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// What is said at the end of a run.
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
        let faults = totals.faults.lines(|seat| &plan.agent(seat).label).collect();
        Self { head, seats: tables::summary(plan, totals).collect(), ends: ends.collect(), faults }
    }
}

impl Display for RunSummary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Head { seed, .. } = self.head;
        writeln!(f, "{}, seed {seed}{}\n", self.head.title("games"), self.head.missing())?;
        let mut lines = vec![HEADER.map(ToOwned::to_owned)];
        lines.extend(self.seats.iter().map(cells));
        let widths: [usize; HEADER.len()] =
            std::array::from_fn(|i| lines.iter().map(|line| line[i].chars().count()).max().unwrap_or(0));
        f.write_str(&group_titles(&widths))?;
        for line in &lines {
            let aligned = line.iter().enumerate().map(|(i, cell)| match i {
                // The names are aligned to the left, the numbers to the right.
                1 => format!("{cell:<width$}", width = widths[i]),
                _ => format!("{cell:>width$}", width = widths[i]),
            });
            writeln!(f, "{}", aligned.collect::<Vec<_>>().join(GAP))?;
        }
        let ends = self.ends.iter().map(|(word, games)| format!("{word} {}", thousands(*games)));
        writeln!(f, "\nEnds: {}", ends.collect::<Vec<_>>().join(", "))?;
        faults::write(f, &self.faults)?;
        writeln!(f, "{}", self.head.speed("games"))
    }
}

const GAP: &str = "  ";

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

/// The line over the header: a title over each group of columns, and a rule over the rest of the group.
fn group_titles(widths: &[usize]) -> String {
    let mut text = String::new();
    for (title, first, count) in GROUPS {
        let start = widths[..first].iter().map(|width| width + GAP.len()).sum::<usize>();
        let width =
            widths[first..first + count].iter().map(|width| width + GAP.len()).sum::<usize>() - GAP.len();
        let pad = start - text.chars().count();
        text += &format!("{:pad$}── {title} ", "");
        let rest = (start + width).saturating_sub(text.chars().count());
        text += &"─".repeat(rest);
    }
    text + "\n"
}

fn cells(row: &SummaryRow) -> [String; HEADER.len()] {
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
        row.agent.clone(),
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
