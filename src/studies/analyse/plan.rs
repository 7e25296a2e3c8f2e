//! The plan of an analysis: a validated request.

use super::source::{self, Source, TranscriptError};
use super::{Analysing, AnalysisSummary, AnalysisTotals, Request, Transcripts, tables};
use crate::analysis::{JudgeError, JudgeSpec, Judging};
use crate::exec::Job;
use crate::games::CardGame;
use crate::learnt::note_models;
use crate::store::{Files, Manifest, PLAYERS, PlanRecord, Table, default_name};
use crate::studies::request::{record, specs, uses};
use crate::studies::run::{self, PlanError};
use crate::studies::{self, Head, Outputs, RequestError, StudyPlan, Summary, Writes, faults};
use knave_agents::options::{self, Fields};
use knave_agents::{Entry, Seat};
use std::io;
use std::iter::once;

/// A validated analysis request.
pub struct Plan<G: CardGame> {
    /// The games.
    pub source: Source<G>,
    /// The judge.
    pub judging: Judging<G>,
    /// The seed of the worlds.
    pub seed: u64,
    /// The players by seat; `various` where they differ from game to game.
    pub players: Vec<String>,
}

/// An error in a request for an analysis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalyseError {
    /// Rules, agents or number of games were refused.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The transcripts cannot be used.
    #[error(transparent)]
    Transcripts(#[from] TranscriptError),
    /// The judge was refused.
    #[error("{owner}{0}", owner = if matches!(.0, JudgeError::Agent(_)) { "judge: " } else { "" })]
    Judge(#[from] JudgeError),
    /// Transcripts and agents, or rules.
    #[error("the games stand in files: leave out {0}")]
    Both(&'static str),
    /// Transcripts, and a number that is another than theirs.
    #[error("n={n} is refused: the files hold {found} {games}, so leave their number out",
        games = if *found == 1 { "game" } else { "games" })]
    OtherNumber {
        /// The number.
        n: u64,
        /// The number of games in the files.
        found: usize,
    },
    /// An agent is a program of one's own.
    #[error(
        "{0} cannot be analysed while it plays: what a program of one's own does wrong is not counted here; \
             write transcripts of a run, and analyse them"
    )]
    Outside(String),
}

impl From<AnalyseError> for RequestError {
    fn from(error: AnalyseError) -> Self {
        let field = match &error {
            AnalyseError::Plan(error) => return error.clone().into(),
            AnalyseError::Transcripts(_) => "transcripts",
            AnalyseError::Judge(JudgeError::Worlds(_)) => "worlds",
            AnalyseError::Judge(JudgeError::Moves(_)) => "moves",
            AnalyseError::Judge(_) => "judge",
            AnalyseError::Both(field) => field,
            AnalyseError::OtherNumber { .. } => "n",
            AnalyseError::Outside(_) => "agents",
        };
        Self::new(field, error)
    }
}

impl<G: CardGame> Plan<G> {
    /// Checks a request, reads its transcripts, and prepares its agents, which are among `entries`.
    /// It is about `G`, whatever game the request names.
    ///
    /// # Errors
    /// Says what is wrong with the request and what would be right.
    pub fn new(request: &Request, entries: &[Entry<G>]) -> Result<Self, AnalyseError> {
        let source = match &request.transcripts {
            None => {
                let (n, seed) = (request.n, request.seed);
                let base = run::Plan::of(&request.rules, None, &request.agents, (n, seed), entries)?;
                if let Some(agent) = base.agents().find(|agent| faults::are_possible(once(*agent))) {
                    return Err(AnalyseError::Outside(agent.label.clone()));
                }
                Source::Played(base)
            }
            Some(_) if !request.agents.is_empty() => return Err(AnalyseError::Both("agents")),
            Some(files) => {
                let recorded = source::read::<G>(files)?;
                let known = options::recorded(&recorded.rules);
                if request.rules.iter().any(|(name, value)| known.get(name) != Some(value)) {
                    return Err(AnalyseError::Both("rules"));
                }
                let (n, found) = (request.n, recorded.games.len());
                if n > 0 && n != found as u64 {
                    return Err(AnalyseError::OtherNumber { n, found });
                }
                Source::Recorded(recorded)
            }
        };
        let rules = match &source {
            Source::Played(base) => &base.rules,
            Source::Recorded(recorded) => &recorded.rules,
        };
        let spec = JudgeSpec {
            agent: request.judge.clone(),
            worlds: request.worlds,
            moves: request.moves,
            measure: request.measure,
        };
        let mut judging = Judging::of(&spec, rules, entries)?;
        match &source {
            Source::Played(_) => note_models(&mut judging.agent, &G::full_deck()),
            Source::Recorded(recorded) => {
                recorded.decks.iter().for_each(|deck| note_models(&mut judging.agent, deck));
            }
        }
        let players = match &source {
            Source::Played(base) => base.agents().map(|agent| agent.label.clone()).collect(),
            Source::Recorded(recorded) => players(recorded.games.iter().map(|(_, players)| players)),
        };
        Ok(Self { source, judging, seed: request.seed, players })
    }

    /// The rules.
    pub(super) fn rules(&self) -> &G::Rules {
        match &self.source {
            Source::Played(base) => &base.rules,
            Source::Recorded(recorded) => &recorded.rules,
        }
    }

    /// The number of games.
    fn len(&self) -> u64 {
        match &self.source {
            Source::Played(base) => base.n,
            Source::Recorded(recorded) => recorded.games.len() as u64,
        }
    }
}

/// The players by seat, where they are the same in all games.
fn players<'a>(mut games: impl Iterator<Item = &'a Vec<String>>) -> Vec<String> {
    let mut players = games.next().cloned().unwrap_or_default();
    for others in games {
        let same = |seat: Seat| others.get(seat) == players.get(seat);
        for seat in (0..players.len()).filter(|&seat| !same(seat)).collect::<Vec<_>>() {
            "various".clone_into(&mut players[seat]);
        }
    }
    players
}

impl<G: CardGame> StudyPlan for Plan<G> {
    type Totals = AnalysisTotals;

    fn noun(&self) -> &'static str {
        super::NOUN
    }

    fn record(&self) -> PlanRecord {
        let judging = &self.judging;
        let judge = specs(once(&judging.agent)).pop();
        let (agents, transcripts, players) = match &self.source {
            Source::Played(base) => (specs(base.agents()), None, uses(base.agents())),
            Source::Recorded(recorded) => {
                let fnv1a = Some(recorded.hash.to_string());
                (Vec::new(), Some(Transcripts { files: recorded.files.clone(), fnv1a }), Fields::new())
            }
        };
        let request = Request {
            game: G::NAME.to_owned(),
            rules: options::recorded(self.rules()),
            agents,
            n: self.len(),
            seed: self.seed,
            transcripts,
            judge,
            worlds: Some(judging.worlds),
            moves: Some(judging.moves),
            measure: Some(judging.measure),
        };
        let mut facts = players;
        if let Some(used) = uses(once(&judging.agent)).remove(PLAYERS) {
            facts.insert("judge".to_owned(), used);
        }
        record::<G>(&studies::Request::Analyse(request), facts)
    }

    /// Parts are joined by what was asked, and what comes through a pipe is gone by then.
    fn check_shards(&self) -> Result<(), RequestError> {
        match &self.source {
            Source::Recorded(recorded) if recorded.files.iter().any(|file| file.as_os_str() == "-") => {
                Err(RequestError::new("shard", "--shard needs transcripts in files, not from standard input"))
            }
            _ => Ok(()),
        }
    }

    fn notes(&self) -> Vec<String> {
        let own = match &self.source {
            Source::Played(base) => base.notes().cloned().collect(),
            Source::Recorded(_) => Vec::new(),
        };
        own.into_iter().chain(self.judging.agent.notes.iter().cloned()).collect()
    }

    fn folder_name(&self) -> Option<String> {
        let stem = match &self.source {
            Source::Played(base) => base.names().collect::<Vec<_>>().join("-"),
            Source::Recorded(recorded) => {
                let stem = recorded.files.first().and_then(|file| file.file_stem());
                stem.map_or_else(|| "games".to_owned(), |stem| stem.to_string_lossy().into_owned())
            }
        };
        Some(default_name(G::NAME, ["analyse", &stem].into_iter(), self.len(), self.seed))
    }

    fn files(&self, outputs: &Outputs) -> Result<Files, RequestError> {
        outputs.only("analyse", Writes::default())?;
        Ok(Files { tables: tables::FORMS.to_vec(), rows: tables::ROWS.to_vec(), ..Files::default() })
    }

    fn job<'a>(&'a self, _: &Outputs) -> Box<dyn Job<Totals = AnalysisTotals> + 'a> {
        Box::new(Analysing { plan: self })
    }

    /// What a game loses by decisions, seat by seat.
    fn estimate(&self, totals: &AnalysisTotals) -> String {
        let lost = tables::seats(self, totals).map(|row| AnalysisSummary::lost(&row)[0].clone());
        format!("lost by decisions {}", lost.collect::<Vec<_>>().join(", "))
    }

    fn tables(&self, totals: &AnalysisTotals) -> io::Result<Vec<Table>> {
        tables::all(self, totals)
    }

    fn summary(&self, totals: &AnalysisTotals, manifest: &Manifest) -> Box<dyn Summary> {
        Box::new(AnalysisSummary::new(self, totals, Head::of::<G>(manifest)))
    }
}
