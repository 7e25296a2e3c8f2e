//! What is to be played, checked before the first game.

use crate::games::CardGame;
use crate::store::PlanRecord;
use knave_agents::options::{self, Fields, OptionError};
use knave_agents::registry::{self, Prepared};
use knave_agents::rng::{Role, stream};
use knave_agents::{AgentSpec, Seat, SpecError};
use serde_json::Value;

/// What was asked for, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Options of the rules, each `name=value`; the rest keep their defaults.
    pub rules: Vec<String>,
    /// Agents by seat, each `NAME` or `NAME:option=value,…`; one alone fills all seats.
    pub agents: Vec<String>,
    /// The number of games; they have the indices from 0.
    pub games: u64,
    /// The seed of everything random.
    pub seed: u64,
}

/// A request that has been found right, with agents ready to play.
pub struct Plan<G: CardGame> {
    /// The rules.
    pub rules: G::Rules,
    /// The number of games.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    seats: usize,
    agents: Vec<Prepared<G>>,
}

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No game is to be played.
    #[error("0 games were asked for: at least 1 is needed")]
    NoGames,
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
}

/// Reads the rules of a game.
///
/// # Errors
/// When an option is unknown, given twice, of the wrong type or out of range, or contradicts another.
pub fn rules<G: CardGame>(given: &Fields) -> Result<G::Rules, OptionError> {
    options::read(&rules_owner::<G>(), given)
}

/// Whose options messages about the rules speak of.
pub(crate) fn rules_owner<G: CardGame>() -> String {
    format!("rules of {}", G::NAME)
}

/// Recorded rules as `name=value`; what was unknown is left out.
pub(crate) fn recorded_rules(rules: &Value) -> Vec<String> {
    let known = rules.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    known.map(|(name, value)| format!("{name}={}", options::shown(value))).collect()
}

impl<G: CardGame> Plan<G> {
    /// Checks a request and prepares its agents.
    ///
    /// # Errors
    /// Says what is wrong with the request and what would be right.
    pub fn new(request: &Request) -> Result<Self, PlanError> {
        if request.games == 0 {
            return Err(PlanError::NoGames);
        }
        let texts = request.rules.iter().map(String::as_str);
        let rules = rules::<G>(&options::fields(&rules_owner::<G>(), texts)?)?;
        let seats = G::deal(&rules, &mut stream(request.seed, 0, Role::Deal)).seats();
        let given = request.agents.len();
        if given != 1 && given != seats {
            return Err(PlanError::Agents { given, seats });
        }
        let entries = registry::agents(&G::kit(&rules));
        let agents = request.agents.iter().map(|text| {
            let spec: AgentSpec = text.parse().map_err(SpecError::from)?;
            Ok(registry::prepare(&entries, G::NAME, &spec, &rules)?)
        });
        let agents = agents.collect::<Result<Vec<_>, PlanError>>()?;
        Ok(Self { rules, games: request.games, seed: request.seed, seats, agents })
    }

    /// The plan that is on record.
    ///
    /// # Errors
    /// When it is no record of a run of this game, or what it names has changed since.
    pub fn again(record: &PlanRecord) -> Result<Self, String> {
        let request = Request {
            rules: recorded_rules(&record.rules),
            agents: record.agents.iter().map(|agent| agent.label.clone()).collect(),
            games: record.games,
            seed: record.seed,
        };
        let plan = Self::new(&request).map_err(|error| error.to_string())?;
        let again = PlanRecord { shard: record.shard, ..PlanRecord::of(&plan) };
        if again == *record { Ok(plan) } else { Err("its rules or agents have changed since".to_owned()) }
    }

    /// The same with these agents, one for each seat in order.
    pub(crate) fn seated(&self, agents: Vec<Prepared<G>>) -> Self {
        debug_assert_eq!(agents.len(), self.seats);
        Self { rules: self.rules.clone(), games: self.games, seed: self.seed, seats: self.seats, agents }
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

    /// The agents in the order of the seats.
    pub fn agents(&self) -> impl Iterator<Item = &Prepared<G>> {
        (0..self.seats).map(|seat| self.agent(seat))
    }

    /// The agents as they were named: one label when one fills all seats.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.agents.iter().map(|agent| agent.label.as_str())
    }
}
