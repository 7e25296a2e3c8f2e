//! The plan of a run: a validated request.

use super::{Games, Request, RunSummary, Totals, WRITES, Wanted, tables};
use crate::exec::Job;
use crate::games::promises::{BrokenPromise, check_rules};
use crate::games::{self, CardGame, ShortDeck, ShortDeckError};
use crate::learnt::note_models;
use crate::numbers::{NONE, percent};
use crate::play::{Bench, Deals, GameLoop};
use crate::store::{Files, Manifest, PlanRecord, Table, default_name};
use crate::studies::request::{record, specs, uses};
use crate::studies::{self, Head, Outputs, RequestError, StudyPlan, Summary, faults};
use knave_agents::exact::Starts;
use knave_agents::options::{self, Fields, OptionError};
use knave_agents::players::exact::Exact;
use knave_agents::presets::Preset;
use knave_agents::registry::{Prepared, prepare_for};
use knave_agents::{AgentSpec, Configure as _, Entry, Seat, SpecError};
use std::io;
use std::sync::atomic::AtomicBool;

/// A validated run request, with agents ready to play.
pub struct Plan<G: CardGame> {
    /// The rules.
    pub rules: G::Rules,
    /// The number of games.
    pub n: u64,
    /// The seed.
    pub seed: u64,
    /// The cards, where they are not all of the game's.
    pub cards: Option<ShortDeck>,
    seats: usize,
    agents: Vec<Prepared<G>>,
}

/// An error in a request for a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No game is to be played.
    #[error("0 games were asked for: at least 1 is needed")]
    NoGames,
    /// No game can be dealt from the cards.
    #[error("cards: {0}")]
    Cards(#[from] ShortDeckError),
    /// An option of the rules was refused.
    #[error(transparent)]
    Rules(#[from] OptionError),
    /// An agent was refused.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// The agents do not fit the seats.
    #[error("{given} agents were given for {seats} {}: give one a seat in order, or one alone for all seats",
        if *seats == 1 { "seat" } else { "seats" })]
    Agents {
        /// How many agents were given.
        given: usize,
        /// How many seats these rules have.
        seats: usize,
    },
    /// Tables could not tell two agents apart.
    #[error("label={0} is given to two different agents: each needs one of its own")]
    Label(String),
    /// A game of one's own breaks a promise under these rules.
    #[error(transparent)]
    Promise(#[from] BrokenPromise),
}

impl From<PlanError> for RequestError {
    fn from(error: PlanError) -> Self {
        let field = match error {
            PlanError::NoGames => "n",
            PlanError::Cards(_) => "cards",
            PlanError::Rules(_) | PlanError::Promise(_) => "rules",
            PlanError::Agent(_) | PlanError::Agents { .. } | PlanError::Label(_) => "agents",
        };
        Self::new(field, error)
    }
}

/// The positions after all deals of these cards, where an agent asks for them.
fn starts<G: CardGame>(
    rules: &G::Rules,
    cards: &ShortDeck,
    agents: &[AgentSpec],
) -> Result<Option<Starts<G>>, ShortDeckError> {
    cards.check::<G>(rules)?;
    let Some(listing) = G::kit(rules).exact else { return Ok(None) };
    agents
        .iter()
        .any(is_exact::<G>)
        .then(|| cards.starts(rules, (listing.dealt)(rules), usize::MAX))
        .transpose()
}

/// Whether it is the agent `exact`, or a preset that stands for it. What is wrong with a file is told when its agent is prepared.
pub(crate) fn is_exact<G: CardGame>(spec: &AgentSpec) -> bool {
    match Preset::find(&spec.name) {
        Ok(Some(preset)) => preset.for_game(G::NAME).0 == Exact::<G>::NAME,
        Ok(None) => spec.name == Exact::<G>::NAME,
        Err(_) => false,
    }
}

impl<G: CardGame> Plan<G> {
    /// Checks a request and prepares its agents, which are among `entries`.
    /// It is about `G`, whatever game the request names.
    ///
    /// # Errors
    /// Says what is wrong with the request and what would be right.
    pub fn new(request: &Request, entries: &[Entry<G>]) -> Result<Self, PlanError> {
        let Request { rules, cards, agents, n, seed, .. } = request;
        Self::of(rules, cards.as_ref(), agents, (*n, *seed), entries)
    }

    /// Checks what requests of several kinds consist of.
    pub(crate) fn of(
        rules: &Fields,
        cards: Option<&ShortDeck>,
        agents: &[AgentSpec],
        (n, seed): (u64, u64),
        entries: &[Entry<G>],
    ) -> Result<Self, PlanError> {
        if n == 0 {
            return Err(PlanError::NoGames);
        }
        let rules = games::read_rules::<G>(rules)?;
        let starts = cards.map(|cards| starts::<G>(&rules, cards, agents)).transpose()?.flatten();
        let seats = check_rules::<G>(&rules)?;
        let given = agents.len();
        if given != 1 && given != seats {
            return Err(PlanError::Agents { given, seats });
        }
        let agents = agents.iter().map(|spec| prepare_for(entries, G::NAME, spec, &rules, starts.as_ref()));
        let mut agents = agents.collect::<Result<Vec<_>, _>>()?;
        let of_another = |i: usize| {
            let own = &agents[i];
            let differs = |one: &Prepared<G>| (&one.agent, &one.parameters) != (&own.agent, &own.parameters);
            agents[..i].iter().any(|one| one.label == own.label && differs(one))
        };
        if let Some(place) = (0..agents.len()).find(|&place| of_another(place)) {
            return Err(PlanError::Label(agents.swap_remove(place).label));
        }
        let deck = cards.map_or_else(G::full_deck, |cards| cards.as_slice().to_vec());
        agents.iter_mut().for_each(|agent| note_models(agent, &deck));
        Ok(Self { rules, n, seed, cards: cards.cloned(), seats, agents })
    }

    /// The same with these agents, one for each seat in order.
    pub(crate) fn seated(&self, agents: Vec<Prepared<G>>) -> Self {
        debug_assert_eq!(agents.len(), self.seats);
        let (rules, cards) = (self.rules.clone(), self.cards.clone());
        Self { rules, n: self.n, seed: self.seed, cards, seats: self.seats, agents }
    }

    /// The loop that plays its games, for the worker with this bench.
    #[must_use]
    pub fn game_loop<'p>(&'p self, bench: &mut Bench<'p, G>) -> GameLoop<'p, G> {
        GameLoop::new(self.deals(), self.agents(), bench)
    }

    /// The deals of its games.
    #[must_use]
    pub fn deals(&self) -> Deals<'_, G> {
        Deals { rules: &self.rules, seed: self.seed, cards: self.cards.as_ref() }
    }

    /// How many games a worker has at once: the fewest that an agent likes; `None` where games are played one after the other.
    pub(crate) fn at_once(&self) -> Option<u64> {
        self.agents.iter().filter_map(|agent| agent.make().batch()).min().map(|games| games as u64)
    }

    /// Whether nobody plays but agents that all workers share.
    pub(crate) fn is_shared(&self) -> bool {
        self.agents.iter().all(|agent| agent.make().is_shared())
    }

    /// The number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The agent in this seat.
    ///
    /// # Panics
    /// If there is no such seat.
    #[must_use]
    pub fn agent(&self, seat: Seat) -> &Prepared<G> {
        assert!(seat < self.seats, "seat {seat} of {}", self.seats);
        if self.agents.len() == 1 { &self.agents[0] } else { &self.agents[seat] }
    }

    /// Whom faults of this seat are charged to: the agent, and the seat where several were named.
    pub(crate) fn charged(&self, seat: Seat) -> (&str, Option<Seat>) {
        (&self.agent(seat).label, (self.agents.len() > 1).then_some(seat))
    }

    /// The agents in the order of the seats.
    pub fn agents(&self) -> impl Iterator<Item = &Prepared<G>> + Clone {
        (0..self.seats).map(|seat| self.agent(seat))
    }

    /// The agents as they were named: one label when one fills all seats.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.agents.iter().map(|agent| agent.label.as_str())
    }

    /// The agents in the name of a folder: one where all seats have the same, however often it was named.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let first = self.labels().next();
        let alike = self.labels().all(|label| Some(label) == first);
        self.labels().take(if alike { 1 } else { usize::MAX })
    }

    /// The word for a short deck in the name of a folder.
    pub(crate) fn cards_label(&self) -> Option<String> {
        self.cards.as_ref().map(|cards| format!("cards{}", cards.cards()))
    }

    /// Notes about the agents for whoever named them.
    pub(crate) fn notes(&self) -> impl Iterator<Item = &String> {
        self.agents.iter().flat_map(|agent| &agent.notes)
    }
}

impl<G: CardGame> StudyPlan for Plan<G> {
    type Totals = Totals<G>;

    fn noun(&self) -> &'static str {
        super::NOUN
    }

    fn record(&self) -> PlanRecord {
        let request = Request {
            game: G::NAME.to_owned(),
            rules: options::recorded(&self.rules),
            cards: self.cards.clone(),
            agents: specs(self.agents()),
            n: self.n,
            seed: self.seed,
        };
        record::<G>(&studies::Request::Run(request), uses(self.agents()))
    }

    fn notes(&self) -> Vec<String> {
        Plan::notes(self).cloned().collect()
    }

    fn folder_name(&self) -> Option<String> {
        let cards = self.cards_label();
        Some(default_name(G::NAME, self.names().chain(cards.as_deref()), self.n, self.seed))
    }

    fn files(&self, outputs: &Outputs) -> Result<Files, RequestError> {
        outputs.only("run", WRITES)?;
        Ok(Files {
            tables: tables::forms(self),
            log: faults::are_possible(self.agents()),
            rows: outputs.rows.then_some(tables::GAMES).into_iter().collect(),
            parquet: outputs.parquet,
            transcripts: outputs.transcripts.clone(),
            transcript_limit: outputs.transcript_limit,
            ..Files::default()
        })
    }

    fn job<'a>(&'a self, outputs: &Outputs) -> Box<dyn Job<Totals = Totals<G>> + 'a> {
        let transcripts =
            outputs.transcripts.as_ref().map_or(0, |_| outputs.transcript_limit.unwrap_or(self.n));
        Box::new(Games { plan: self, wanted: Wanted { games: outputs.rows, transcripts } })
    }

    fn get_ready(&self, stop: &AtomicBool) -> Result<(), String> {
        self.agents.iter().try_for_each(|agent| agent.make().get_ready(stop))
    }

    /// The win rate of each seat with its interval.
    fn estimate(&self, totals: &Totals<G>) -> String {
        let seats = totals.seats.iter().map(|seat| match (seat.win_rate(), seat.win_interval()) {
            (Some(rate), Some(interval)) => {
                let (rate, interval) = percent(rate, interval);
                format!("{rate} ({interval})")
            }
            _ => NONE.to_owned(),
        });
        format!("wins {}", seats.collect::<Vec<_>>().join(", "))
    }

    fn tables(&self, totals: &Totals<G>) -> io::Result<Vec<Table>> {
        tables::all(self, totals)
    }

    fn summary(&self, totals: &Totals<G>, manifest: &Manifest) -> Box<dyn Summary> {
        Box::new(RunSummary::new(self, totals, Head::of::<G>(manifest)))
    }
}
