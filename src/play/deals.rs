//! The deals of a run, which are the same whoever plays.

use crate::games::{CardGame, ShortDeck};
use knave_agents::Rng;
use knave_agents::rng::{Role, Streams, stream};

/// The deals of a run.
pub struct Deals<'p, G: CardGame> {
    /// The rules.
    pub rules: &'p G::Rules,
    /// The seed.
    pub seed: u64,
    /// The cards, where they are not all of the game's. They are validated for these rules.
    pub cards: Option<&'p ShortDeck>,
}

impl<G: CardGame> Clone for Deals<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: CardGame> Copy for Deals<'_, G> {}

impl<G: CardGame> Deals<'_, G> {
    /// The deal of game `index`.
    #[must_use]
    pub fn of(&self, index: u64) -> G {
        self.by(&mut stream(self.seed, index, Role::Deal))
    }

    /// A deal by this generator.
    #[inline]
    pub(super) fn by(&self, rng: &mut Rng) -> G {
        match self.cards {
            None => G::deal(self.rules, rng),
            Some(cards) => {
                cards.deal(self.rules, rng).unwrap_or_else(|error| unreachable!("checked: {error}"))
            }
        }
    }

    /// Replaces these games by a deal for each of the streams.
    #[inline]
    pub(super) fn deal_all(&self, streams: &[Streams], games: &mut Vec<G>) {
        games.clear();
        let rngs = streams.iter().map(|streams| streams.role(Role::Deal));
        // Short random games would spend some time on copies if the deck were asked for with every deal.
        if self.cards.is_none() {
            games.extend(rngs.map(|mut rng| G::deal(self.rules, &mut rng)));
        } else {
            games.extend(rngs.map(|mut rng| self.by(&mut rng)));
        }
    }
}
