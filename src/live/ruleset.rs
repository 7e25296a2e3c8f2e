//! A game under certain rules, whatever its types.

use super::episode::{self, Episode, Rewards};
use super::lanes::{self, LaneSettings, Lanes};
use super::position::{self, Position};
use crate::cards::Card;
use crate::games::{CardGame, DeckError, read_rules};
use knave_agents::encoding::Part;
use knave_agents::options::{self, Fields, OptionError};
use knave_agents::rng::{Role, stream};
use knave_agents::{Encoding, Entry, Evaluator, SpecError};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A game under certain rules.
pub trait Ruleset: Send + Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// Every option of the rules.
    fn rules(&self) -> Fields;

    /// The number of seats.
    fn seats(&self) -> usize;

    /// Deals game `index` of the run with this seed, played on to the first decision.
    fn deal(&self, seed: u64, index: u64) -> Box<dyn Position>;

    /// Deals from this deck, top first. What is random after the deal follows from seed and index.
    ///
    /// # Errors
    /// When a card is not of this game or comes twice, or when there are too few.
    fn deal_deck(&self, deck: &[Card], origin: (u64, u64)) -> Result<Box<dyn Position>, DeckError>;

    /// The parts of an observation and those of the actions, in order; `None` for a game that does not become arrays.
    fn arrays(&self) -> Option<(&'static [Part], &'static [Part])>;

    /// A game whose seats are all played by actions.
    ///
    /// # Errors
    /// When the game does not become arrays.
    fn episode(&self, rewards: Rewards) -> Result<Box<dyn Episode>, RulesetError>;

    /// Many games in each of which one seat is played by actions.
    ///
    /// # Errors
    /// When the game does not become arrays, or a setting is refused.
    fn lanes(&self, settings: &LaneSettings) -> Result<Box<dyn Lanes>, RulesetError>;
}

/// Why a game cannot be played in this way.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RulesetError {
    /// The rules were refused.
    #[error(transparent)]
    Rules(#[from] OptionError),
    /// An opponent was refused.
    #[error(transparent)]
    Opponent(#[from] SpecError),
    /// The game does not become arrays.
    #[error("{0} has no encoding: it does not become arrays")]
    NoArrays(&'static str),
    /// A setting was refused.
    #[error("{field}={value} is refused: {reason}")]
    Setting {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: String,
        /// What would be right.
        reason: String,
    },
}

type Evaluators<G> = BTreeMap<String, Arc<dyn Evaluator<G>>>;

/// A game under certain rules.
pub(crate) struct Ruled<G: CardGame> {
    pub(super) rules: Arc<G::Rules>,
    pub(super) agents: Arc<[Entry<G>]>,
    seats: usize,
    /// The evaluators that were asked for, by name: reading a model takes longer than to use it.
    evaluators: Arc<Mutex<Evaluators<G>>>,
}

impl<G: CardGame> Clone for Ruled<G> {
    fn clone(&self) -> Self {
        Self {
            rules: Arc::clone(&self.rules),
            agents: Arc::clone(&self.agents),
            seats: self.seats,
            evaluators: Arc::clone(&self.evaluators),
        }
    }
}

impl<G: CardGame> Ruled<G> {
    /// The game under these rules, with these agents.
    pub(crate) fn new(rules: &Fields, agents: &[Entry<G>]) -> Result<Self, OptionError> {
        let rules = Arc::new(read_rules::<G>(rules)?);
        let seats = G::deal(&rules, &mut stream(0, 0, Role::Deal)).seats();
        Ok(Self { rules, agents: agents.into(), seats, evaluators: Arc::default() })
    }

    /// The evaluator of this name, or the game's default for an empty one.
    pub(super) fn evaluator(&self, name: &str) -> Option<Arc<dyn Evaluator<G>>> {
        let mut known = self.evaluators.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains_key(name) {
            let found = G::kit(&self.rules).find_evaluator(name, &self.rules)?;
            known.insert(name.to_owned(), found);
        }
        known.get(name).cloned()
    }

    pub(super) fn encoding(&self) -> Result<Encoding<G>, RulesetError> {
        G::kit(&self.rules).encoding.ok_or(RulesetError::NoArrays(G::NAME))
    }
}

impl<G: CardGame> Ruleset for Ruled<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn rules(&self) -> Fields {
        options::recorded(&*self.rules)
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn deal(&self, seed: u64, index: u64) -> Box<dyn Position> {
        Box::new(position::Live::deal(self.clone(), seed, index))
    }

    fn deal_deck(&self, deck: &[Card], origin: (u64, u64)) -> Result<Box<dyn Position>, DeckError> {
        let start = G::from_deck(&self.rules, deck)?;
        Ok(Box::new(position::Live::start(self.clone(), start, origin)))
    }

    fn arrays(&self) -> Option<(&'static [Part], &'static [Part])> {
        G::kit(&self.rules).encoding.map(|encoding| (encoding.observation, encoding.actions))
    }

    fn episode(&self, rewards: Rewards) -> Result<Box<dyn Episode>, RulesetError> {
        Ok(Box::new(episode::Arrays::new(self, rewards)?))
    }

    fn lanes(&self, settings: &LaneSettings) -> Result<Box<dyn Lanes>, RulesetError> {
        Ok(Box::new(lanes::SideBySide::new(self, settings)?))
    }
}
