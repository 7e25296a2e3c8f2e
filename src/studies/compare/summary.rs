//! The summary of a comparison.

use super::{CompareTotals, Difference, Goal, Measure, Plan};
use crate::games::CardGame;
use crate::numbers::{self, INTERVAL, NONE, Unit, fixed, thousands};
use crate::screen::{strong, table, warning};
use crate::stats::sprt::{Accepted, Sprt};
use crate::stats::{Estimate, Interval};
use crate::studies::summary::{SummaryText, ends_text};
use crate::studies::{Head, faults};
use crate::text::visible;
use knave_agents::Seat;
use serde::Serialize;
use std::borrow::Cow;

/// The summary of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct CompareSummary {
    /// What is said first.
    pub head: Head,
    /// The games on each deal.
    pub games_a_deal: usize,
    /// Each agent.
    pub agents: Vec<AgentLine>,
    /// The p-value of the hypothesis that ratings tell how each pair does, where there are some.
    pub misfit: Option<f64>,
    /// Agents that beat each other in a circle, as places in `agents`.
    pub cycles: Vec<Vec<usize>>,
    /// Each pair of agents, for each measure.
    pub differences: Vec<DifferenceLine>,
    /// What a sequential test says.
    pub test: Option<TestLine>,
    /// The intervals that were to become narrower than they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub too_wide: Option<TooWide>,
    /// Wins by seat over all games, for more than one; those of a team stand at its first seat.
    pub seats: Vec<(Seat, Estimate)>,
    /// Whether these are teams.
    pub teams: bool,
    /// How many games ended for which reason, in the game's words.
    pub ends: Vec<(String, u64)>,
    /// What players in processes of their own did wrong, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

/// What is said of an agent.
#[derive(Clone, Debug, Serialize)]
pub struct AgentLine {
    /// As it was named.
    pub label: String,
    /// Wins and score a game, for one seat.
    pub alone: Option<[Estimate; 2]>,
    /// The rating in Elo and its interval, for more seats.
    pub rating: Option<(f64, Option<Interval>)>,
}

/// What is said of a pair of agents.
#[derive(Clone, Debug, Serialize)]
pub struct DifferenceLine {
    /// The place of the first agent.
    pub a: usize,
    /// The place of the second.
    pub b: usize,
    /// Of what.
    pub measure: Measure,
    /// The first less the second.
    pub difference: Difference,
}

/// The intervals of a comparison that has not reached its goal.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct TooWide {
    /// Of what.
    pub measure: Measure,
    /// The width of the widest, in wins a game or points; `None` where one of them needs more deals.
    pub widest: Option<f64>,
    /// The width that was asked for.
    pub asked: f64,
}

impl TooWide {
    fn new<G: CardGame>(plan: &Plan<G>, totals: &CompareTotals) -> Option<Self> {
        let Some(Goal::Width { measure, width: asked }) = plan.goal else { return None };
        let interval = |(a, b)| totals.difference(plan, measure, a, b).interval;
        let widths: Option<Vec<f64>> =
            plan.pairs().map(|pair| interval(pair).map(|interval| interval.high - interval.low)).collect();
        let widest = widths.map(|widths| widths.into_iter().fold(0.0, f64::max));
        widest.is_none_or(|widest| widest > asked).then_some(Self { measure, widest, asked })
    }
}

/// What a sequential test says.
#[derive(Clone, Debug, Serialize)]
pub struct TestLine {
    /// Of what.
    pub measure: Measure,
    /// The hypotheses.
    pub elo: [f64; 2],
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Where the test decides.
    pub limits: (f64, f64),
    /// The difference that is accepted, if one is.
    pub accepted: Option<f64>,
}

impl TestLine {
    fn new<G: CardGame>(plan: &Plan<G>, totals: &CompareTotals, measure: Measure, test: Sprt) -> Self {
        let llr = totals.ratio(plan, measure, test);
        let accepted = test.decide(llr).map(|decision| match decision {
            Accepted::Lower => test.elo0,
            Accepted::Higher => test.elo1,
        });
        Self { measure, elo: [test.elo0, test.elo1], llr, limits: test.limits(), accepted }
    }
}

/// The state so far in a few words: the differences that the goal is about, or the test.
pub(super) fn estimate<G: CardGame>(plan: &Plan<G>, totals: &CompareTotals) -> String {
    let measure = match plan.goal {
        Some(Goal::Sprt { measure, test }) => {
            let TestLine { llr, limits: (low, high), .. } = TestLine::new(plan, totals, measure, test);
            return format!("log likelihood ratio {} ({low:.2} to {high:.2})", fixed(llr, 2));
        }
        Some(Goal::Width { measure, .. }) => measure,
        None => Measure::Wins,
    };
    let shown = plan.pairs().take(3).map(|(a, b)| {
        let difference = totals.difference(plan, measure, a, b);
        let [mean, interval] = Unit::from(measure).difference(difference.mean, difference.interval);
        format!("{} - {} {mean} ({interval})", plan.label(a), plan.label(b))
    });
    shown.collect::<Vec<_>>().join(", ")
}

impl CompareSummary {
    pub(super) fn new<G: CardGame>(plan: &Plan<G>, totals: &CompareTotals, head: Head) -> Self {
        let ratings = totals.ratings(plan);
        let alone = |slot| Measure::ALL.map(|measure| totals.slot(plan, measure, slot));
        let agents = (0..plan.agents().len()).map(|agent| AgentLine {
            label: plan.label(agent).to_owned(),
            alone: (plan.sides().len() == 1).then(|| alone(agent)),
            rating: ratings.as_ref().map(|ratings| ratings.ratings[agent]),
        });
        let differences = plan.pairs().flat_map(|(a, b)| {
            Measure::ALL.map(|measure| {
                let difference = totals.difference(plan, measure, a, b);
                DifferenceLine { a, b, measure, difference }
            })
        });
        let seat =
            |side: usize| Some((plan.sides()[side][0], totals.side(plan, Measure::Wins, None, side)?.0));
        let test = match plan.goal {
            Some(Goal::Sprt { measure, test }) => Some(TestLine::new(plan, totals, measure, test)),
            _ => None,
        };
        Self {
            head,
            games_a_deal: plan.lineups().len(),
            agents: agents.collect(),
            misfit: ratings.as_ref().and_then(|ratings| ratings.misfit),
            cycles: ratings.map(|ratings| ratings.cycles).unwrap_or_default(),
            differences: differences.collect(),
            test,
            too_wide: TooWide::new(plan, totals),
            seats: (0..plan.sides().len()).filter_map(seat).collect(),
            teams: plan.has_teams(),
            ends: totals.ends().map(|(word, games)| (word.to_owned(), games)).collect(),
            faults: totals.faults().lines(|agent| (plan.label(agent), None)).collect(),
        }
    }

    fn label(&self, agent: usize) -> Cow<'_, str> {
        visible(&self.agents[agent].label)
    }

    /// The agents of a game for one, or their ratings.
    fn agents(&self, width: usize) -> String {
        let mut lines = Vec::new();
        for AgentLine { label, alone, rating } in &self.agents {
            let mut line = vec![visible(label).into_owned()];
            if let Some(estimates) = alone {
                for (measure, estimate) in Measure::ALL.into_iter().zip(estimates) {
                    line.extend(Unit::from(measure).show(estimate.mean, estimate.interval()));
                }
            } else if let Some((rating, interval)) = *rating {
                line.extend(Unit::Plain.show(rating, interval));
            } else {
                return String::new();
            }
            lines.push(line);
        }
        let alone = self.agents.iter().any(|agent| agent.alone.is_some());
        lines.insert(
            0,
            match alone {
                true => header(&["agent", "wins", INTERVAL, "score", INTERVAL]),
                false => header(&["agent", "rating (Elo)", INTERVAL]),
            },
        );
        let mut text = table(&lines, 1, width);
        if let Some(misfit) = self.misfit.filter(|misfit| *misfit < 0.05) {
            let p = p_value(Some(misfit));
            text += &(warning(&format!("The ratings do not tell how each pair does (p = {p}).")) + "\n");
        }
        for cycle in &self.cycles {
            let next = cycle.iter().cycle().skip(1);
            let steps = cycle.iter().zip(next);
            let steps: Vec<String> =
                steps.map(|(&a, &b)| format!("{} beats {}", self.label(a), self.label(b))).collect();
            text += &(warning(&format!("The ratings hide a cycle: {}.", steps.join(", "))) + "\n");
        }
        text
    }

    fn differences(&self, width: usize) -> String {
        let controlled =
            self.differences.iter().any(|line| line.difference.method == super::IntervalMethod::Control);
        // The difference is corrected for chance, the means are not.
        let difference = if controlled { "less luck" } else { "a - b" };
        let mut titles = header(&["a", "b", "", "a", "b", difference, INTERVAL, "p", "saved"]);
        if controlled {
            titles.push("by control".to_owned());
        }
        let mut lines = vec![titles];
        for DifferenceLine { a, b, measure, difference } in &self.differences {
            let Difference { mean_a, mean_b, mean, interval, p_value: p, .. } = *difference;
            let times = |factor: Option<f64>| factor.map_or_else(|| NONE.to_owned(), |f| format!("{f:.2}x"));
            let unit = Unit::from(*measure);
            let [mean, shown] = unit.difference(mean, interval);
            let mut line =
                vec![self.label(*a).into_owned(), self.label(*b).into_owned(), measure.name().to_owned()];
            // The means with as many decimals as the difference is worth.
            let like = |value: f64| {
                let half = interval.map_or(0.0, |interval| (interval.high - interval.low) / 2.0);
                let [value, _] =
                    unit.show(value, interval.map(|_| Interval { low: value - half, high: value + half }));
                value
            };
            let is_clear = interval.is_some_and(|interval| interval.low > 0.0 || interval.high < 0.0);
            line.extend([
                like(mean_a),
                like(mean_b),
                if is_clear { strong(&mean) } else { mean },
                shown,
                p_value(p),
                times(difference.saved_by_pairs),
            ]);
            if controlled {
                line.push(times(difference.saved_by_control));
            }
            lines.push(line);
        }
        table(&lines, 3, width) + &self.equals()
    }

    /// Pairs of agents that did the same on every deal.
    fn equals(&self) -> String {
        let equal = |pair: &&[DifferenceLine]| pair.iter().all(|line| line.difference.equal);
        let pairs = self.differences.chunks(Measure::ALL.len()).filter(equal);
        let line = |pair: &[DifferenceLine]| {
            let [a, b] = [pair[0].a, pair[0].b].map(|agent| self.label(agent));
            format!("{a} and {b}: equal wins and scores on every deal\n")
        };
        pairs.map(line).collect()
    }
}

impl SummaryText for CompareSummary {
    fn text(&self, width: usize) -> String {
        let Head { seed, finished, size, partial, .. } = self.head;
        let mut text =
            format!("{}, seed {seed}, {} games on each", self.head.title("deals"), self.games_a_deal);
        if !partial && finished < size {
            text += &format!(" (enough: up to {} were asked for)", thousands(size));
        }
        let mut agents = self.agents(width);
        // Of few deals there are no ratings.
        if !agents.is_empty() {
            agents.push('\n');
        }
        text += &format!("{}\n\n{}{}", self.head.missing(), agents, self.differences(width));
        if let Some(TestLine { measure, elo: [low, high], llr, limits, accepted }) = &self.test {
            let said = accepted.map_or("nothing decided".to_owned(), |elo| format!("{elo} Elo are accepted"));
            text += &format!(
                "\n{} better than {} by {low} or {high} Elo ({}): log likelihood ratio {} ({:.2} to {:.2}), {}\n",
                self.label(1),
                self.label(0),
                measure.name(),
                fixed(*llr, 2),
                limits.0,
                limits.1,
                strong(&said),
            );
        }
        if let Some(TooWide { measure, widest, asked }) = self.too_wide {
            let unit = match measure {
                Measure::Wins => "wins a game",
                Measure::Score => "points",
            };
            let is = match widest {
                None => "there are too few deals for an interval".to_owned(),
                // As many decimals as tell it from what was asked for.
                Some(widest) => format!("the widest interval is {}", numbers::beside(widest, asked)),
            };
            text += &format!("\n{}\n", warning(&format!("A width of {asked} {unit} is not reached: {is}.")));
        }
        if !self.seats.is_empty() {
            let seat = |(seat, estimate): &(Seat, Estimate)| {
                let [mean, interval] = Unit::Share.show(estimate.mean, estimate.interval());
                format!("{seat}: {mean} ({interval})")
            };
            let shown: Vec<String> = self.seats.iter().map(seat).collect();
            let of = if self.teams { "team, named by its first seat" } else { "seat" };
            text += &format!("\nWins by {of}: {}\n", shown.join(", "));
            // Alone at the table, agents end their games each in its own way, as their wins tell.
            text += &ends_text(&self.ends);
        }
        text += &faults::text(&self.faults);
        text + &format!("\n{}\n", self.head.speed("deals"))
    }

    fn faults(&self) -> &[String] {
        &self.faults
    }
}

fn header(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn p_value(p: Option<f64>) -> String {
    match p {
        None => NONE.to_owned(),
        Some(p) if p < 1e-300 => "<1e-300".to_owned(),
        Some(p) if p < 0.0001 => format!("{p:.0e}"),
        Some(p) => format!("{p:.4}"),
    }
}
