//! The view: everything that one seat knows.

use super::board::Board;
use crate::cards::CardSet;

/// The view of a seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The board.
    pub board: Board,
    /// The seat.
    pub seat: u8,
    /// Its hand.
    pub hand: CardSet,
    /// The cards in either hand that the other player knows of.
    pub revealed: CardSet,
    /// The cards in unknown places: the stock and the unknown part of the opponent's hand.
    pub unseen: CardSet,
    /// The number of cards in the stock.
    pub stock: u8,
}

impl View {
    /// The cards that the opponent is known to hold.
    #[must_use]
    pub fn known(&self) -> CardSet {
        self.revealed - self.hand
    }

    /// The number of cards in the opponent's hand.
    #[must_use]
    pub fn other_count(&self) -> usize {
        self.known().len() + self.unseen.len() - usize::from(self.stock)
    }
}
