//! A game under certain rules, whatever its types.

use super::episode::{self, Episode, Rewards};
use super::lanes::{self, LaneSettings, Lanes};
use super::position::{self, Position, PositionError};
use super::ruled::{Ruled, RulesetError};
use crate::cards::Card;
use crate::games::{self, CardGame, DeckError};
use crate::play::Transcript;
use crate::play::referee::{self, ReplayError};
use knave_agents::encoding::Part;
use knave_agents::options::{self, Fields};
use serde_json::Value;

/// A game under certain rules, without its types: what notebooks, terminals and learners call.
pub trait Ruleset: Send + Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// The options of the rules; some that are switched off by default only where they are set.
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

    /// The position before a decision of a recorded game of these rules. Decisions are counted from 1, without those that have one
    /// legal move; none stands for the end of what is recorded, which may be the beginning of a game.
    ///
    /// # Errors
    /// Says what is wrong with the record, also when the game is over there, or has other rules.
    fn reach(&self, transcript: &Transcript, decision: Option<u64>)
    -> Result<Box<dyn Position>, ReplayError>;

    /// A position that looks like this to the player whose turn it is, by the [view](Position::view) that they were told. What is hidden
    /// was drawn with the seed, as in a [sampled world](Position::sample_world).
    ///
    /// # Errors
    /// Names the field that cannot be so, or says that the game does not read views.
    fn of_view(&self, view: &Value, seed: u64) -> Result<Box<dyn Position>, PositionError>;

    /// The parts of an observation and those of the actions, in order; `None` for a game without an array encoding.
    fn arrays(&self) -> Option<(&'static [Part], &'static [Part])>;

    /// A game whose seats are all played by actions.
    ///
    /// # Errors
    /// When the game has no array encoding.
    fn episode(&self, rewards: Rewards) -> Result<Box<dyn Episode>, RulesetError>;

    /// Many games in each of which one seat is played by actions.
    ///
    /// # Errors
    /// When the game has no array encoding, or a setting is refused.
    fn lanes(&self, settings: &LaneSettings) -> Result<Box<dyn Lanes>, RulesetError>;
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

    fn reach(
        &self,
        transcript: &Transcript,
        decision: Option<u64>,
    ) -> Result<Box<dyn Position>, ReplayError> {
        let rules = games::read_rules::<G>(&transcript.rules);
        let is_other = rules.is_ok_and(|rules| options::recorded(&rules) != options::recorded(&*self.rules));
        if transcript.game != G::NAME || is_other {
            return Err(ReplayError::Malformed("it is of another game, or of other rules".to_owned()));
        }
        let reached = referee::reach::<G>(transcript, decision)?;
        Ok(Box::new(position::Live::reached(self.clone(), reached, transcript)))
    }

    fn of_view(&self, view: &Value, seed: u64) -> Result<Box<dyn Position>, PositionError> {
        Ok(Box::new(position::Live::of_view(self.clone(), view, seed)?))
    }

    fn arrays(&self) -> Option<(&'static [Part], &'static [Part])> {
        G::kit(&self.rules).encoding.map(|encoding| (encoding.observation, encoding.actions))
    }

    fn episode(&self, rewards: Rewards) -> Result<Box<dyn Episode>, RulesetError> {
        Ok(Box::new(episode::Arrays::new(self, rewards)?))
    }

    fn lanes(&self, settings: &LaneSettings) -> Result<Box<dyn Lanes>, RulesetError> {
        Ok(Box::new(lanes::GameLanes::new(self, settings)?))
    }
}
