//! The random streams of a game: deal and chance.

use crate::games::CardGame;
use knave_agents::Rng;
use knave_agents::rng::{Role, Streams};

/// The random streams of deal and chance in a game; agents have streams of their own.
#[derive(Clone)]
pub(crate) struct GameStreams {
    streams: Streams,
    deal: Rng,
    chance: Option<Rng>,
}

impl GameStreams {
    pub(crate) fn new(streams: Streams) -> Self {
        Self { streams, deal: streams.role(Role::Deal), chance: None }
    }

    /// The generator of the deal.
    pub(crate) fn deal(&mut self) -> &mut Rng {
        &mut self.deal
    }

    /// The generator for the random event that is due. What follows from the deck needs no numbers, so the stream of chance is
    /// made only for dice and the like.
    #[inline]
    pub(crate) fn next<G: CardGame>(&mut self, position: &G) -> &mut Rng {
        if position.chance_is_recorded() {
            self.chance.get_or_insert_with(|| self.streams.role(Role::Chance))
        } else {
            &mut self.deal
        }
    }
}
