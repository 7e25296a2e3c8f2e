//! Exact answers about many deals: the plan, checked before the first, and the job that workers share.

mod deals;
pub mod tables;

use crate::exec::{Job, Text, Work};
use crate::games::{Answer, CardGame, DealSolver, Line, Objective, Sense, Verdict, verdict};
use crate::play::{Heading, Transcriber};
use crate::stats::Histogram;
use crate::store::PlanRecord;
use crate::studies::run::{self as plan, PlanError};
use crate::studies::run::{fresh_rows, take_rows};
use deals::{DealError, Listed};
use knave_agents::options;
use knave_agents::rng::{Role, stream};
use knave_agents::{Event, Turn};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The player in the transcripts of lines: nobody who plays fair.
const PLAYER: &str = "clairvoyant";

/// What was asked for, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolveRequest {
    /// The objective; the game's default when there is none.
    pub objective: Option<String>,
    /// Options of the rules, each `name=value`; the rest keep their defaults.
    pub rules: Vec<String>,
    /// The deals.
    pub deals: DealsWanted,
    /// The nodes for each deal; the objective's default when there is none.
    pub budget: Option<u64>,
    /// Whether transcripts are wanted, which needs whole decks.
    pub transcripts: bool,
}

/// Which deals are to be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DealsWanted {
    /// The deals of a run with this seed, from index 0.
    Seeded {
        /// How many.
        games: u64,
        /// The seed.
        seed: u64,
    },
    /// Those of a file of JSON Lines.
    Listed {
        /// Its name.
        name: String,
        /// What stands in it.
        text: Vec<u8>,
    },
}

/// A request that has been found right.
pub struct SolvePlan<G: CardGame> {
    /// The question.
    pub objective: Objective<G>,
    /// The rules of all deals that have none of their own.
    pub rules: G::Rules,
    /// The nodes for each deal.
    pub budget: u64,
    /// The deals.
    pub deals: Deals<G>,
}

/// The deals of a [`SolvePlan`].
pub enum Deals<G: CardGame> {
    /// Those of a run.
    Seeded {
        /// How many.
        games: u64,
        /// The seed.
        seed: u64,
    },
    /// Those of a file.
    Listed {
        /// Its name.
        name: String,
        /// A hash of what stands in it (64-bit FNV-1a).
        hash: u64,
        /// The deals in order.
        deals: Vec<Listed<G>>,
    },
}

/// Why a request for exact answers was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The rules were refused.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The game has no solver.
    #[error("{game} has no solver of whole deals; games that have one: {others}")]
    NoSolver {
        /// The game.
        game: &'static str,
        /// The games that have one.
        others: String,
    },
    /// The game has no such objective.
    #[error("{game} has no objective '{name}'{hint}; its objectives: {objectives}")]
    Objective {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
        /// `, did you mean '…'?` or nothing.
        hint: String,
        /// Its objectives.
        objectives: String,
    },
    /// The option of the rules is what the objective is after.
    #[error("the objective {objective} finds the {option}: leave out --rule {option}")]
    Unknown {
        /// The objective.
        objective: &'static str,
        /// The option.
        option: &'static str,
    },
    /// A line of the file is wrong.
    #[error("{name}: {error}")]
    Deal {
        /// The file.
        name: String,
        /// The line and what is wrong with it.
        error: DealError,
    },
}

impl<G: CardGame> SolvePlan<G> {
    /// Checks a request.
    ///
    /// # Errors
    /// Says what is wrong with the request and what would be right.
    pub fn new(request: SolveRequest) -> Result<Self, SolveError> {
        let objective = find::<G>(request.objective.as_deref())?;
        let owner = plan::rules_owner::<G>();
        let texts = request.rules.iter().map(String::as_str);
        let pairs = options::fields(&owner, texts).map_err(PlanError::from)?;
        if let Some(option) = objective.unknown
            && pairs.contains_key(option)
        {
            return Err(SolveError::Unknown { objective: objective.name, option });
        }
        let rules = plan::rules::<G>(&pairs).map_err(PlanError::from)?;
        let deals = match request.deals {
            DealsWanted::Seeded { games: 0, .. } => return Err(PlanError::NoGames.into()),
            DealsWanted::Seeded { games, seed } => {
                (objective.check)(&rules).map_err(PlanError::from)?;
                Deals::Seeded { games, seed }
            }
            DealsWanted::Listed { name, text } => {
                let wrong = |error| SolveError::Deal { name: name.clone(), error };
                let deals = deals::read::<G>(&text, &pairs).map_err(wrong)?;
                for (index, listed) in deals.iter().enumerate() {
                    let reason = match (objective.check)(&listed.rules) {
                        Err(error) => error.to_string(),
                        Ok(()) if request.transcripts && !listed.whole => {
                            "deck: cards are missing, and a transcript needs them all".to_owned()
                        }
                        Ok(()) => continue,
                    };
                    return Err(wrong(DealError { line: index + 1, reason }));
                }
                let hash = text.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
                    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
                });
                Deals::Listed { name, hash, deals }
            }
        };
        let budget = request.budget.unwrap_or(objective.budget);
        Ok(Self { objective, rules, budget, deals })
    }

    /// The plan that is on record.
    ///
    /// # Errors
    /// When it is no record of seeded deals of this game, or what it names has changed since.
    pub fn again(record: &PlanRecord) -> Result<Self, String> {
        let solve = record.solve.as_ref().ok_or("it holds no exact answers")?;
        let plan = Self::new(SolveRequest {
            objective: Some(solve.objective.clone()),
            rules: plan::recorded_rules(&record.rules),
            deals: DealsWanted::Seeded { games: record.games, seed: record.seed },
            budget: Some(solve.budget),
            transcripts: false,
        });
        let plan = plan.map_err(|error| error.to_string())?;
        let again = PlanRecord { shard: record.shard, ..PlanRecord::of_solve(&plan) };
        if again == *record { Ok(plan) } else { Err("its deals or rules have changed since".to_owned()) }
    }

    /// The number of deals; they have the indices from 0.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.deals {
            Deals::Seeded { games, .. } => *games,
            Deals::Listed { deals, .. } => deals.len() as u64,
        }
    }

    /// Whether there are no deals; there always are.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The deal with this index, its rules, and the seed and index that a transcript of it names.
    fn deal(&self, index: u64) -> (Cow<'_, G>, &G::Rules, (u64, u64)) {
        match &self.deals {
            Deals::Seeded { seed, .. } => {
                let deal = G::deal(&self.rules, &mut stream(*seed, index, Role::Deal));
                (Cow::Owned(deal), &self.rules, (*seed, index))
            }
            Deals::Listed { deals, .. } => {
                let listed = &deals[index as usize];
                (Cow::Borrowed(&listed.deal), &listed.rules, (listed.seed, listed.index))
            }
        }
    }
}

/// The objective of this name, or the default.
fn find<G: CardGame>(name: Option<&str>) -> Result<Objective<G>, SolveError> {
    let mut objectives = G::kit(&G::Rules::default()).objectives;
    if objectives.is_empty() {
        return Err(SolveError::NoSolver { game: G::NAME, others: solvable().join(", ") });
    }
    let names: Vec<&str> = objectives.iter().map(|objective| objective.name).collect();
    let place = match name {
        None => Some(0),
        Some(name) => names.iter().position(|&other| other == name),
    };
    let Some(place) = place else {
        let name = name.unwrap_or_default();
        return Err(SolveError::Objective {
            game: G::NAME,
            name: name.to_owned(),
            hint: options::hint(name, names.iter().copied()),
            objectives: names.join(", "),
        });
    };
    Ok(objectives.swap_remove(place))
}

/// The games that have objectives.
fn solvable() -> Vec<&'static str> {
    struct Has;
    impl crate::games::Visitor for Has {
        type Output = bool;
        fn visit<G: CardGame>(self) -> bool {
            !G::kit(&G::Rules::default()).objectives.is_empty()
        }
    }
    let names = crate::games::NAMES.iter().copied();
    names.filter(|name| crate::games::visit(name, Has) == Ok(true)).collect()
}

/// The counts of solved deals. Parts add up to the whole, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolveTotals {
    /// The number of deals.
    pub deals: u64,
    /// How many deals there are of each answer: the value reached and the bound, see [`Answer`].
    pub answers: BTreeMap<(Option<i64>, Option<i64>), u64>,
    /// The nodes visited for each deal.
    pub nodes: Histogram,
}

impl SolveTotals {
    fn add<G: CardGame>(&mut self, answer: &Answer<G>) {
        self.deals += 1;
        *self.answers.entry((answer.reached, answer.bound)).or_default() += 1;
        self.nodes.add(i64::try_from(answer.nodes).unwrap_or(i64::MAX));
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.deals += other.deals;
        for (answer, count) in &other.answers {
            *self.answers.entry(*answer).or_default() += count;
        }
        self.nodes.merge(&other.nodes);
    }

    /// The verdicts and how many deals have each: values in rising order, then the unsolvable, then the
    /// undecided.
    pub fn verdicts(&self) -> impl Iterator<Item = (Verdict, u64)> {
        let mut verdicts = BTreeMap::new();
        for (&(reached, bound), count) in &self.answers {
            *verdicts.entry(verdict(reached, bound)).or_default() += count;
        }
        verdicts.into_iter()
    }

    /// The best values of the solved deals.
    #[must_use]
    pub fn values(&self) -> Histogram {
        let mut values = Histogram::default();
        for (verdict, count) in self.verdicts() {
            if let Verdict::Solved(value) = verdict {
                values.add_times(value, count);
            }
        }
        values
    }

    /// How many deals have this verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> u64 {
        self.verdicts().find(|(other, _)| *other == verdict).map_or(0, |(_, count)| count)
    }
}

/// The text wanted of each deal.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct SolveWanted {
    /// Rows of `solutions.csv`.
    pub solutions: bool,
    /// A transcript of the line found, if there is one.
    pub transcripts: bool,
    /// The line, to be read.
    pub lines: bool,
}

/// A row of `solutions.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolutionRow {
    /// The index of the deal.
    pub index: u64,
    /// `solved`, `unsolvable` or `undecided`.
    pub verdict: &'static str,
    /// The best value, if it is solved.
    pub value: Option<i64>,
    /// The nodes visited.
    pub nodes: u64,
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
    pub plan: &'p SolvePlan<G>,
    /// What is written down.
    pub wanted: SolveWanted,
}

impl<G: CardGame> Job for Solving<'_, G> {
    type Totals = SolveTotals;
    type Worker<'a>
        = SolveWorker<'a, G>
    where
        Self: 'a;

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
        serde_json::to_value((totals.deals, answers, &totals.nodes)).unwrap_or_default()
    }

    fn restore(&self, record: Value) -> Result<SolveTotals, String> {
        type Answers = Vec<((Option<i64>, Option<i64>), u64)>;
        let (deals, answers, nodes): (u64, Answers, Histogram) =
            serde_json::from_value(record).map_err(|error| error.to_string())?;
        let counted = answers.iter().try_fold(0_u64, |sum, &(_, count)| sum.checked_add(count));
        if counted != Some(deals) || nodes.total() != deals {
            return Err("answers are missing".to_owned());
        }
        Ok(SolveTotals { deals, answers: answers.into_iter().collect(), nodes })
    }

    fn worker(&self) -> SolveWorker<'_, G> {
        SolveWorker {
            plan: self.plan,
            wanted: self.wanted,
            solver: (self.plan.objective.solver)(),
            rows: fresh_rows(),
            text: Text::default(),
            transcriber: Transcriber::default(),
        }
    }

    fn has_text(&self) -> bool {
        self.wanted != SolveWanted::default()
    }

    fn name(&self, index: u64) -> String {
        name(self.plan, index)
    }
}

/// What an index of the plan stands for.
fn name<G: CardGame>(plan: &SolvePlan<G>, index: u64) -> String {
    match &plan.deals {
        Deals::Seeded { seed, .. } => format!("game {index} with seed {seed}"),
        Deals::Listed { name, .. } => format!("{name}, line {}", index + 1),
    }
}

/// A worker: a solver with its memory.
pub struct SolveWorker<'p, G: CardGame> {
    plan: &'p SolvePlan<G>,
    wanted: SolveWanted,
    solver: Box<dyn DealSolver<G>>,
    rows: csv::Writer<Vec<u8>>,
    text: Text,
    transcriber: Transcriber,
}

impl<G: CardGame> Work<SolveTotals> for SolveWorker<'_, G> {
    fn work(&mut self, index: u64, totals: &mut SolveTotals) {
        let (deal, rules, place) = self.plan.deal(index);
        let answer = self.solver.solve(rules, &deal, self.plan.budget);
        totals.add(&answer);
        let (verdict, value) = verdict_text(verdict(answer.reached, answer.bound));
        if self.wanted.solutions {
            let row = SolutionRow { index, verdict, value, nodes: answer.nodes };
            self.rows.serialize(row).expect("a row of plain fields can be written to memory");
        }
        if !self.wanted.transcripts && !self.wanted.lines {
            return;
        }
        let mut rooms = String::new();
        if let Some(line) = &answer.line {
            rooms = self.play(&deal, line, place);
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
            let text = format!("{name}: {verdict}{value} ({} nodes)\n{rooms}", answer.nodes);
            self.text.print.extend_from_slice(text.as_bytes());
        }
    }

    fn take(&mut self) -> Text {
        Text { rows: take_rows(&mut self.rows), ..std::mem::take(&mut self.text) }
    }
}

impl<G: CardGame> SolveWorker<'_, G> {
    /// Plays a line to its end, writes its transcript if that is wanted, and returns its moves, a text line for
    /// those between two random events.
    fn play(&mut self, deal: &G, line: &Line<G>, (seed, index): (u64, u64)) -> String {
        let mut position = G::from_deck(&line.rules, &deal.deck()).expect("the deck has been dealt before");
        self.transcriber.begin(&position);
        let mut moves = line.moves.iter();
        let mut text = String::new();
        let mut separator = "";
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Player(seat) => {
                    let &m = moves.next().expect("a line ends with the game");
                    debug_assert!(position.is_legal(m), "the line holds the illegal move {m}");
                    let _ = write!(text, "{separator}{m}");
                    separator = ", ";
                    self.transcriber.event::<G>(&Event::Move(seat, m), None);
                    position.play(m);
                }
                turn => {
                    let outcome = position.roll(&mut stream(0, 0, Role::Chance));
                    let event = if turn == Turn::Chance { Event::Chance(outcome) } else { Event::Shuffle };
                    self.transcriber.event::<G>(&event, Some(&outcome));
                    separator = if text.is_empty() { "  " } else { "\n  " };
                }
            }
        }
        debug_assert!(moves.next().is_none(), "a line ends with the game");
        if self.wanted.transcripts {
            let players = vec![PLAYER; position.seats()];
            let heading = Heading { rules: &line.rules, seed, index, players: &players };
            self.transcriber.finish(&heading, &position, &mut self.text.transcripts);
        }
        text.push('\n');
        text
    }
}
