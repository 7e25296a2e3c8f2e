//! The summary of an analysis.

use super::tables::AnalysisRow;
use super::{AnalysisTotals, Grade, Lapse, Plan, Source, tables};
use crate::analysis::Units;
use crate::games::CardGame;
use crate::numbers::{INTERVAL, NONE, Unit, fixed};
use crate::play::Measure;
use crate::screen::{strong, table};
use crate::stats::Interval;
use crate::studies::Head;
use crate::studies::summary::SummaryText;
use crate::text::visible;
use serde::Serialize;

/// The summary of an analysis.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisSummary {
    /// What is said first.
    pub head: Head,
    /// The judge, and the worlds that it samples for each decision.
    pub judge: (String, u32),
    /// The results of each seat.
    pub seats: Vec<AnalysisRow>,
    /// The worst decisions.
    pub worst: Vec<Lapse>,
    #[serde(skip)]
    is_recorded: bool,
    #[serde(skip)]
    units: Units,
    #[serde(skip)]
    measure: Measure,
}

impl AnalysisSummary {
    pub(super) fn new<G: CardGame>(plan: &Plan<G>, totals: &AnalysisTotals, head: Head) -> Self {
        Self {
            head,
            judge: (plan.judging.agent.label.clone(), plan.judging.worlds),
            seats: tables::seats(plan, totals).collect(),
            worst: totals.worst.clone(),
            is_recorded: matches!(plan.source, Source::Recorded(_)),
            units: plan.judging.units(),
            measure: plan.judging.measure,
        }
    }

    /// What a game loses by decisions, and its interval, which tells whether anything is lost.
    pub(super) fn lost(row: &AnalysisRow) -> [String; 2] {
        let unit = if row.measure == Measure::Wins.name() { Unit::Share } else { Unit::Plain };
        unit.difference(row.regret, interval(row.regret_low, row.regret_high))
    }
}

fn interval(low: Option<f64>, high: Option<f64>) -> Option<Interval> {
    low.zip(high).map(|(low, high)| Interval { low, high })
}

impl SummaryText for AnalysisSummary {
    fn text(&self, width: usize) -> String {
        let (head, (judge, worlds)) = (&self.head, &self.judge);
        // Recorded games tell their seeds; the seed is that of the judge's worlds.
        let (of_games, of_worlds) = match self.is_recorded {
            true => (String::new(), format!(" of seed {}", head.seed)),
            false => (format!(", seed {}", head.seed), String::new()),
        };
        let mut text = format!("{}{of_games}{}", head.title("games"), head.missing());
        text += &format!(", judged by {} in {worlds} worlds{of_worlds} a decision\n\n", visible(judge));
        let unit = Unit::from(self.measure);
        let heads = [
            "seat", "agent", "result", "start", "luck", "own", "others", "regret", INTERVAL, "adjusted",
            INTERVAL, "factor",
        ];
        let mut lines = vec![heads.map(ToOwned::to_owned).to_vec()];
        for row in &self.seats {
            let mean = |cell: Option<f64>| {
                let [mean, _] = unit.show(cell, None);
                mean
            };
            let [lost, lost_ends] = Self::lost(row);
            let [adjusted, ends] = unit.show(row.adjusted, interval(row.adjusted_low, row.adjusted_high));
            lines.push(vec![
                row.seat.to_string(),
                visible(&row.agent).into_owned(),
                mean(row.result),
                mean(row.start),
                mean(row.luck),
                mean(row.own),
                mean(row.others),
                strong(&lost),
                lost_ends,
                adjusted,
                ends,
                row.factor.map_or_else(|| NONE.to_owned(), |factor| format!("{factor:.1}x")),
            ]);
        }
        text += &table(&lines, 2, width);
        if !self.worst.is_empty() {
            text += "\nThe worst decisions:\n";
        }
        // Recorded games are counted as they come, whatever index each had in its run: one alone needs no number.
        let is_alone = self.is_recorded && head.size == 1;
        for lapse in &self.worst {
            let game = if is_alone { String::new() } else { format!("game {}, ", lapse.index) };
            let (loss, error) = (self.units.value(lapse.regret), lapse.error / self.units.0);
            let grade = Grade::of(self.measure, loss, error).map_or("", Grade::name).replace('_', " ");
            let (factor, decimals, counted) = match unit {
                Unit::Share => (100.0, 1, "% of a win"),
                Unit::Plain => (1.0, 2, "points"),
            };
            let [loss, error] = [loss, error].map(|value| fixed(value * factor, decimals));
            text += &format!(
                "  {game}decision {}, {} (seat {}): {} loses {loss} {counted} (se {error}) to {}: {grade}\n",
                lapse.number,
                visible(&lapse.agent),
                lapse.seat,
                lapse.played,
                lapse.best
            );
        }
        text + &format!("\n{}\n", head.speed("games"))
    }
}
