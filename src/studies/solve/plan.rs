//! The plan of exact answers: a validated request.

use super::deals::{self, DealError, ListedDeal};
use super::{Request, SolveSummary, SolveTotals, SolveWanted, Solving, WRITES, tables};
use crate::exec::Job;
use crate::games::{self, CardGame};
use crate::store::{Files, Manifest, PlanRecord, Sum, Table, default_name};
use crate::studies::request::record;
use crate::studies::run::PlanError;
use crate::studies::solve::request::DealsFile;
use crate::studies::{self, Head, Outputs, RequestError, StudyPlan, Summary, input};
use knave_agents::options::{self, Fields, OptionError};
use knave_agents::rng::{Role, stream};
use knave_agents::{Objective, Sense};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// A validated request for exact answers.
pub struct Plan<G: CardGame> {
    /// The question.
    pub objective: Objective<G>,
    /// The rules of all deals that have none of their own.
    pub rules: G::Rules,
    /// The nodes for each deal.
    pub budget: u64,
    /// The deals.
    pub deals: DealSource<G>,
    /// Whether decks may lack cards.
    pub short: bool,
}

/// So many typed deals are answered one by one, rather than counted.
const FEW: usize = 20;

/// The deals of a [`Plan`], and where they come from.
pub enum DealSource<G: CardGame> {
    /// Those of a run.
    Seeded {
        /// How many.
        games: u64,
        /// The seed.
        seed: u64,
    },
    /// Those of a file.
    Listed {
        /// The file.
        file: PathBuf,
        /// A hash of what stands in it (64-bit FNV-1a).
        hash: Sum,
        /// The deals in order.
        deals: Vec<ListedDeal<G>>,
    },
}

/// An error in a request for exact answers.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The rules or the number of deals were refused.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The game has no solver.
    #[error("{0} has no solver of whole deals")]
    NoSolver(&'static str),
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
    /// A file of deals, and a number that is another than theirs.
    #[error("n={n} is refused: {file} holds {found} deals, so leave their number out", file = named(file))]
    OtherNumber {
        /// The file.
        file: PathBuf,
        /// The number.
        n: u64,
        /// The number of deals in the file.
        found: usize,
    },
    /// No node may be visited.
    #[error("budget=0 is refused: expected a whole number of nodes from 1")]
    NoBudget,
    /// Short decks where none is typed.
    #[error("short decks are those of a file: leave it out, or name the file of the deals")]
    ShortDeck,
    /// The file cannot be read.
    #[error("cannot read {file}: {reason}", file = named(file))]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// The file holds nothing.
    #[error("{file} holds no deals", file = named(file))]
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// The file is not the one that was asked about.
    #[error("{file} has changed: its hash is {found}, not {expected}", file = named(file))]
    Changed {
        /// The file.
        file: PathBuf,
        /// Its hash.
        found: String,
        /// The one in the request.
        expected: String,
    },
    /// A line of the file is wrong.
    #[error("{file}: {error}", file = named(file))]
    Deal {
        /// The file.
        file: PathBuf,
        /// The line and what is wrong with it.
        error: DealError,
    },
}

/// A file of deals as messages name it.
pub(super) fn named(file: &Path) -> Cow<'_, str> {
    if file.as_os_str() == "-" { "standard input".into() } else { file.to_string_lossy() }
}

impl From<SolveError> for RequestError {
    fn from(error: SolveError) -> Self {
        let field = match error {
            SolveError::Plan(error) => return error.into(),
            SolveError::NoSolver(_) => "game",
            SolveError::Objective { .. } => "objective",
            SolveError::Unknown { .. } => "rules",
            SolveError::OtherNumber { .. } => "n",
            SolveError::ShortDeck => "short_deck",
            SolveError::NoBudget => "budget",
            _ => "deals",
        };
        Self::new(field, error)
    }
}

impl<G: CardGame> Plan<G> {
    /// Checks a request, and reads its deals.
    /// It is about `G`, whatever game the request names.
    ///
    /// # Errors
    /// Says what is wrong with the request and what would be right.
    pub fn new(request: &Request) -> Result<Self, SolveError> {
        if request.budget == Some(0) {
            return Err(SolveError::NoBudget);
        }
        let objective = find::<G>(request.objective.as_deref())?;
        let mut given = request.rules.clone();
        if let Some(option) = objective.unknown
            && given.remove(option).is_some_and(|value| !value.is_null())
        {
            return Err(SolveError::Unknown { objective: objective.name, option });
        }
        let rules = games::read_rules::<G>(&given).map_err(PlanError::from)?;
        let deals = match &request.deals {
            Some(file) => read_deals(file, request.n, &given, request.short_deck, &objective)?,
            None if request.short_deck => return Err(SolveError::ShortDeck),
            None if request.n == 0 => return Err(PlanError::NoGames.into()),
            None => {
                check(&objective, &rules).map_err(PlanError::from)?;
                DealSource::Seeded { games: request.n, seed: request.seed }
            }
        };
        let budget = request.budget.unwrap_or(objective.budget);
        Ok(Self { objective, rules, budget, deals, short: request.short_deck })
    }

    /// The number of deals; they have the indices from 0.
    #[must_use]
    pub fn size(&self) -> u64 {
        match &self.deals {
            DealSource::Seeded { games, .. } => *games,
            DealSource::Listed { deals, .. } => deals.len() as u64,
        }
    }

    /// Whether every deal is answered by itself: a few that were typed are no sample of anything.
    #[must_use]
    pub fn tells_each(&self) -> bool {
        matches!(&self.deals, DealSource::Listed { deals, .. } if deals.len() <= FEW)
    }

    /// The deal with this index, its rules, and the seed and index that a transcript of it names.
    pub(super) fn deal(&self, index: u64) -> (Cow<'_, G>, &G::Rules, (u64, u64)) {
        match &self.deals {
            DealSource::Seeded { seed, .. } => {
                let deal = G::deal(&self.rules, &mut stream(*seed, index, Role::Deal));
                (Cow::Owned(deal), &self.rules, (*seed, index))
            }
            DealSource::Listed { deals, .. } => {
                let listed = &deals[index as usize];
                (Cow::Borrowed(&listed.deal), &listed.rules, (listed.seed, listed.index))
            }
        }
    }
}

/// Reads and checks a file of deals.
fn read_deals<G: CardGame>(
    DealsFile { file, fnv1a }: &DealsFile,
    n: u64,
    given: &Fields,
    short: bool,
    objective: &Objective<G>,
) -> Result<DealSource<G>, SolveError> {
    let text = input::read(file)
        .map_err(|error| SolveError::Unreadable { file: file.clone(), reason: error.to_string() })?;
    let hash = Sum::of(&text);
    if let Some(expected) = fnv1a.as_ref().filter(|expected| **expected != hash.to_string()) {
        let (file, expected) = (file.clone(), expected.clone());
        return Err(SolveError::Changed { file, found: hash.to_string(), expected });
    }
    let wrong = |error| SolveError::Deal { file: file.clone(), error };
    let deals = deals::read::<G>(&text, given, short).map_err(wrong)?;
    if deals.is_empty() {
        return Err(SolveError::Empty { file: file.clone() });
    }
    if n > 0 && n != deals.len() as u64 {
        return Err(SolveError::OtherNumber { file: file.clone(), n, found: deals.len() });
    }
    for listed in &deals {
        if let Err(error) = check(objective, &listed.rules) {
            return Err(wrong(DealError { line: listed.line, reason: error.to_string() }));
        }
    }
    Ok(DealSource::Listed { file: file.clone(), hash, deals })
}

/// Checks that the question makes sense under these rules.
fn check<G: CardGame>(objective: &Objective<G>, rules: &G::Rules) -> Result<(), OptionError> {
    (objective.check)(rules).map_err(|error| error.of(&games::rules_owner::<G>()))
}

/// The objective of this name, or the default.
fn find<G: CardGame>(name: Option<&str>) -> Result<Objective<G>, SolveError> {
    let mut objectives = G::kit(&G::Rules::default()).objectives;
    if objectives.is_empty() {
        return Err(SolveError::NoSolver(G::NAME));
    }
    let names: Vec<&str> = objectives.iter().map(|objective| objective.name).collect();
    let Some(name) = name else {
        return Ok(objectives.swap_remove(0));
    };
    if let Some(place) = names.iter().position(|&other| other == name) {
        return Ok(objectives.swap_remove(place));
    }
    Err(SolveError::Objective {
        game: G::NAME,
        name: name.to_owned(),
        hint: options::hint(name, names.iter().copied()),
        objectives: names.join(", "),
    })
}

impl<G: CardGame> StudyPlan for Plan<G> {
    type Totals = SolveTotals;

    fn noun(&self) -> &'static str {
        super::NOUN
    }

    fn record(&self) -> PlanRecord {
        let mut rules = options::recorded(&self.rules);
        if let Some(unknown) = self.objective.unknown {
            rules.insert(unknown.to_owned(), Value::Null);
        }
        let (seed, deals) = match &self.deals {
            DealSource::Seeded { seed, .. } => (*seed, None),
            DealSource::Listed { file, hash, .. } => {
                (0, Some(DealsFile { file: file.clone(), fnv1a: Some(hash.to_string()) }))
            }
        };
        let request = Request {
            game: G::NAME.to_owned(),
            rules,
            objective: Some(self.objective.name.to_owned()),
            budget: Some(self.budget),
            n: self.size(),
            seed,
            deals,
            short_deck: self.short,
        };
        // The solver knows every card, so its answers are no player's results.
        let facts = Map::from_iter([("clairvoyant".to_owned(), true.into())]);
        record::<G>(&studies::Request::Solve(request), facts)
    }

    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    fn folder_name(&self) -> Option<String> {
        let label = format!("solve-{}", self.objective.name);
        match self.deals {
            DealSource::Seeded { games, seed } => {
                Some(default_name(G::NAME, [label.as_str()].into_iter(), games, seed))
            }
            DealSource::Listed { .. } => None,
        }
    }

    fn files(&self, outputs: &Outputs) -> Result<Files, RequestError> {
        outputs.only("solve", WRITES)?;
        if outputs.lines && outputs.transcripts.as_ref().is_some_and(|path| path.as_os_str() == "-") {
            let reason = "--line and --transcripts - would both write to standard output";
            return Err(RequestError::new("lines", reason));
        }
        Ok(Files {
            tables: vec![tables::SOLVABILITY, tables::VALUES, tables::NODES],
            rows: outputs.rows.then_some(tables::SOLUTIONS).into_iter().collect(),
            transcripts: outputs.transcripts.clone(),
            transcript_limit: outputs.transcript_limit,
            prints: outputs.lines,
            ..Files::default()
        })
    }

    fn job<'a>(&'a self, outputs: &Outputs) -> Box<dyn Job<Totals = SolveTotals> + 'a> {
        let wanted = SolveWanted {
            solutions: outputs.rows,
            transcripts: outputs
                .transcripts
                .as_ref()
                .map_or(0, |_| outputs.transcript_limit.unwrap_or(u64::MAX)),
            lines: outputs.lines,
        };
        Box::new(Solving { plan: self, wanted })
    }

    fn check_shards(&self) -> Result<(), RequestError> {
        if let DealSource::Listed { .. } = self.deals {
            let reason = "--shard shares out seeded deals: leave out --deals, or split its file";
            return Err(RequestError::new("shard", reason));
        }
        Ok(())
    }

    fn estimate(&self, totals: &SolveTotals) -> String {
        if self.tells_each() {
            return format!("{} of {} deals", totals.deals, self.size());
        }
        let summary = SolveSummary::answers(self, totals);
        match self.objective.sense {
            Sense::Whether => format!("yes {summary}"),
            _ => format!("{}: {summary}", self.objective.name),
        }
    }

    fn tables(&self, totals: &SolveTotals) -> io::Result<Vec<Table>> {
        Ok(vec![
            Table::of(&tables::SOLVABILITY, tables::solvability(self, totals))?,
            Table::of(&tables::VALUES, tables::values(self, totals))?,
            Table::of(&tables::NODES, std::iter::once(tables::nodes(self, totals)))?,
        ])
    }

    fn summary(&self, totals: &SolveTotals, manifest: &Manifest) -> Box<dyn Summary> {
        Box::new(SolveSummary::new(self, totals, Head::of::<G>(manifest)))
    }
}
