//! The deals of a plan as the job that workers share.

use super::deals::ListedDeal;
use super::plan::named;
use super::totals::Single;
use super::{DealSource, Plan, SolveTotals, tables};
use crate::exec::{Halt, Job, Text, Work};
use crate::games::CardGame;
use crate::numbers::counted;
use crate::play::{Finished, Heading, Seats, Transcriber};
use crate::screen::{WIDTH, table};
use crate::stats::Histogram;
use crate::studies::rows::Rows;
use knave_agents::rng::{Role, stream};
use knave_agents::{DealSolver, Event, Line, Sense, Turn, Verdict, verdict};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

/// The player in the transcripts of lines: nobody who plays fair.
const PLAYER: &str = "clairvoyant";

/// The text wanted of each deal.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct SolveWanted {
    /// Rows of `solutions.csv`.
    pub solutions: bool,
    /// A transcript of the line found, if there is one, of so many first deals.
    pub transcripts: u64,
    /// The line, to be read.
    pub lines: bool,
}

/// A row of `solutions.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolutionRow<'a> {
    /// The index of the deal.
    pub index: u64,
    /// `solved`, `unsolvable` or `undecided`.
    pub verdict: &'static str,
    /// The best value, if it is solved.
    pub value: Option<i64>,
    /// The nodes visited.
    pub nodes: u64,
    /// The name of the deal, if its line has one.
    pub name: Option<&'a str>,
}

/// A verdict as a word, and its value.
#[must_use]
pub fn verdict_text(verdict: Verdict) -> (&'static str, Option<i64>) {
    match verdict {
        Verdict::Solved(value) => ("solved", Some(value)),
        Verdict::Unsolvable => ("unsolvable", None),
        Verdict::Undecided => ("undecided", None),
    }
}

/// The deals of a plan, to be solved.
pub struct Solving<'p, G: CardGame> {
    /// What is asked.
    pub plan: &'p Plan<G>,
    /// What is written down.
    pub wanted: SolveWanted,
}

impl<G: CardGame> Job for Solving<'_, G> {
    type Totals = SolveTotals;

    fn totals(&self) -> SolveTotals {
        SolveTotals::default()
    }

    fn counted(&self, totals: &SolveTotals) -> u64 {
        totals.deals
    }

    fn merge(&self, totals: &mut SolveTotals, part: SolveTotals) {
        totals.merge(&part);
    }

    fn record(&self, totals: &SolveTotals) -> Value {
        let answers: Vec<_> = totals.answers.iter().collect();
        let counts = (totals.deals, answers, &totals.nodes);
        if !self.plan.tells_each() {
            return serde_json::to_value(counts).unwrap_or_default();
        }
        let each: Vec<_> = totals.each.iter().collect();
        serde_json::to_value((counts.0, counts.1, counts.2, each)).unwrap_or_default()
    }

    fn restore(&self, record: Value) -> Result<SolveTotals, String> {
        type Answers = Vec<((Option<i64>, Option<i64>), u64)>;
        type Counts = (u64, Answers, Histogram);
        type Told = (u64, Answers, Histogram, Vec<(u64, Single)>);
        let wrong = |error: serde_json::Error| error.to_string();
        let (deals, answers, nodes, each) = if self.plan.tells_each() {
            serde_json::from_value::<Told>(record).map_err(wrong)?
        } else {
            let (deals, answers, nodes) = serde_json::from_value::<Counts>(record).map_err(wrong)?;
            (deals, answers, nodes, Vec::new())
        };
        let counted = answers.iter().try_fold(0_u64, |sum, &(_, count)| sum.checked_add(count));
        if counted != Some(deals) || nodes.total() != deals {
            return Err("answers are missing".to_owned());
        }
        let sense = self.plan.objective.sense;
        let possible = |&((reached, bound), _): &((Option<i64>, Option<i64>), u64)| match (reached, bound) {
            (Some(reached), Some(bound)) => sense.at_least(bound, reached),
            (reached, _) => reached.is_none(),
        };
        if !answers.iter().all(possible) {
            return Err("more is reached than can be".to_owned());
        }
        let (listed, answers) = (answers.len(), answers.into_iter().collect::<BTreeMap<_, _>>());
        if answers.len() != listed {
            return Err("an answer stands twice".to_owned());
        }
        let each = each.into_iter().collect();
        let totals = SolveTotals { deals, answers, nodes, each };
        if self.plan.tells_each() && !totals.are_of(self.plan.size()) {
            return Err("the answers are others than those that are counted".to_owned());
        }
        Ok(totals)
    }

    fn worker<'a>(&'a self, _: &'a AtomicBool) -> Box<dyn Work<SolveTotals> + 'a> {
        Box::new(SolveWorker {
            plan: self.plan,
            wanted: self.wanted,
            solver: (self.plan.objective.solver)(),
            rows: Rows::new(tables::SOLUTIONS),
            text: Text::default(),
            transcriber: Transcriber::default(),
        })
    }

    fn has_text(&self) -> bool {
        self.wanted != SolveWanted::default()
    }

    fn name(&self, index: u64) -> String {
        name(self.plan, index)
    }
}

/// The deal of a file that has this index.
fn listed<G: CardGame>(plan: &Plan<G>, index: u64) -> Option<&ListedDeal<G>> {
    let DealSource::Listed { deals, .. } = &plan.deals else { return None };
    deals.get(index as usize)
}

/// What an index of the plan stands for.
fn name<G: CardGame>(plan: &Plan<G>, index: u64) -> String {
    match &plan.deals {
        DealSource::Seeded { seed, .. } => format!("game {index} with seed {seed}"),
        DealSource::Listed { file, .. } => {
            let deal = listed(plan, index);
            let line = deal.map_or(index as usize + 1, |deal| deal.line);
            let name = deal.and_then(|deal| deal.name.as_ref());
            let name = name.map_or_else(String::new, |name| format!(" ({name})"));
            format!("{}, line {line}{name}", named(file))
        }
    }
}

/// A worker: a solver with its memory.
pub struct SolveWorker<'p, G: CardGame> {
    plan: &'p Plan<G>,
    wanted: SolveWanted,
    solver: Box<dyn DealSolver<G>>,
    rows: Rows,
    text: Text,
    transcriber: Transcriber,
}

impl<G: CardGame> Work<SolveTotals> for SolveWorker<'_, G> {
    fn work(&mut self, index: u64, totals: &mut SolveTotals) -> Result<(), Halt> {
        let (deal, rules, place) = self.plan.deal(index);
        let answer = self.solver.solve(rules, &deal, self.plan.budget);
        totals.add(&answer);
        if self.plan.tells_each() {
            totals.keep(index, &answer);
        }
        let (verdict, value) = verdict_text(verdict(answer.reached, answer.bound));
        if self.wanted.solutions {
            let name = listed(self.plan, index).and_then(|deal| deal.name.as_deref());
            let row = SolutionRow { index, verdict, value, nodes: answer.nodes, name };
            self.rows.write(&row);
        }
        let is_recorded = index < self.wanted.transcripts;
        if !is_recorded && !self.wanted.lines {
            return Ok(());
        }
        let mut rooms = String::new();
        if let Some(line) = &answer.line {
            rooms = self.play(&deal, line, is_recorded.then_some(place));
        }
        if self.wanted.lines {
            let objective = &self.plan.objective;
            let value = match answer.reached {
                Some(value) if objective.sense != Sense::Whether => {
                    let reached = if verdict == "undecided" { " reached" } else { "" };
                    format!(", {} {value}{reached}", objective.name)
                }
                _ => String::new(),
            };
            let name = name(self.plan, index);
            let nodes = counted(answer.nodes as usize, "nodes");
            let text = format!("{name}: {verdict}{value} ({nodes})\n{rooms}");
            self.text.print.extend_from_slice(text.as_bytes());
        }
        Ok(())
    }

    fn take(&mut self) -> Text {
        Text { rows: vec![self.rows.take()], ..std::mem::take(&mut self.text) }
    }
}

impl<G: CardGame> SolveWorker<'_, G> {
    /// Plays a line to its end, writes its transcript where a seed and an index for that are given, and returns its moves: with what
    /// a person needs to check them in a table, or else a text line for those between two random events.
    fn play(&mut self, deal: &G, line: &Line<G>, place: Option<(u64, u64)>) -> String {
        let mut position = G::from_deck(&line.rules, &deal.deck()).expect("the deck has been dealt before");
        self.transcriber.begin(&position);
        let mut moves = line.moves.iter();
        let mut text = String::new();
        let mut separator = "";
        let mut traced: Vec<Vec<String>> = Vec::new();
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Player(seat) => {
                    let &m = moves.next().expect("a line ends with the game");
                    debug_assert!(position.is_legal(m), "the line holds the illegal move {m}");
                    let _ = write!(text, "{separator}{m}");
                    separator = ", ";
                    self.transcriber.event::<G>(&Event::Move(seat, m), None);
                    let before = self.wanted.lines.then(|| position.clone());
                    position.play(m);
                    if let Some(cells) = before.and_then(|before| G::trace(&before, m, &position)) {
                        if traced.is_empty() {
                            traced.push(cells.iter().map(|(title, _)| (*title).to_owned()).collect());
                        }
                        traced.push(cells.into_iter().map(|(_, cell)| cell).collect());
                    }
                }
                turn => {
                    let outcome = position.roll(&mut stream(0, 0, Role::Chance));
                    let event = Event::of_chance(turn, outcome);
                    self.transcriber.event::<G>(&event, Some(&outcome));
                    separator = if text.is_empty() { "  " } else { "\n  " };
                }
            }
        }
        debug_assert!(moves.next().is_none(), "a line ends with the game");
        if let Some((seed, index)) = place {
            let players = vec![PLAYER; position.seats()];
            let heading = Heading { rules: &line.rules, seed, index, players: &players };
            self.transcriber.finish(
                &heading,
                &Finished::new(&position, &[], Seats::default()),
                &mut self.text.transcripts,
            );
        }
        if !traced.is_empty() {
            let rows = table(&traced, 0, WIDTH - 2);
            return rows.lines().map(|row| format!("  {row}\n")).collect();
        }
        text.push('\n');
        text
    }
}
