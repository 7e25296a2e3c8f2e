//! A game with its rules and agents: what positions, episodes and lanes of it share.

use crate::games::promises::check_rules;
use crate::games::{CardGame, read_rules};
use knave_agents::options::{Fields, OptionError};
use knave_agents::{Encoding, Entry, Evaluator, SpecError};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// An error of setting up a game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RulesetError {
    /// The rules were refused.
    #[error(transparent)]
    Rules(#[from] OptionError),
    /// An opponent was refused.
    #[error(transparent)]
    Opponent(#[from] SpecError),
    /// The game has no array encoding.
    #[error("{0} has no array encoding")]
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

/// A game under certain rules, with its types: what positions, episodes and lanes of it share. For those who know the game by its
/// name alone it is a [`Ruleset`](super::Ruleset).
pub(crate) struct Ruled<G: CardGame> {
    pub(super) rules: Arc<G::Rules>,
    pub(super) agents: Arc<[Entry<G>]>,
    pub(super) seats: usize,
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
    /// The game under these rules, with these agents. Rules are refused for which it breaks a promise, such as one of too many seats.
    pub(crate) fn new(rules: &Fields, agents: &[Entry<G>]) -> Result<Self, OptionError> {
        let rules = Arc::new(read_rules::<G>(rules)?);
        let seats = check_rules::<G>(&rules).map_err(|promise| OptionError::Unfit {
            owner: format!("rules of {}", G::NAME),
            reason: promise.to_string(),
        })?;
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
