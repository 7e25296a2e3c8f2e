//! The view: everything that one seat knows.

use super::board::Board;
use crate::cards::CardSet;
use knave_agents::game::MAX_SEATS;

/// The view of a seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The board.
    pub board: Board,
    /// The number of cards in each hand.
    pub counts: [u8; MAX_SEATS],
    /// The seat.
    pub seat: u8,
    /// Its hand.
    pub hand: CardSet,
}

impl View {
    /// The unseen cards: those in other hands and those out of play.
    #[must_use]
    pub fn unseen(&self) -> CardSet {
        self.board.deck - self.board.played - self.hand
    }
}
