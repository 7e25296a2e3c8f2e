//! The view: all that one seat knows.

use super::board::Board;
use crate::cards::CardSet;
use knave_agents::game::MAX_SEATS;

/// All that one seat knows.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// What everybody sees.
    pub board: Board,
    /// How many cards the seats hold.
    pub counts: [u8; MAX_SEATS],
    /// The seat.
    pub seat: u8,
    /// Its hand.
    pub hand: CardSet,
}

impl View {
    /// The cards that the seat has not seen: those in other hands and those out of play.
    #[must_use]
    pub fn unseen(&self) -> CardSet {
        self.board.deck - self.board.played - self.hand
    }
}
