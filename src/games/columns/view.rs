//! The view: all that one seat knows.

use super::board::Board;
use crate::cards::CardSet;

/// All that one seat knows.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Everything face up.
    pub board: Board,
    /// The seat.
    pub seat: u8,
    /// Its hand.
    pub hand: CardSet,
    /// The cards in both hands of which the other player knows.
    pub open: CardSet,
    /// The cards that the seat has not seen, or not since they were shuffled: the stock, and the opponent's
    /// hand but for what is known of it.
    pub unseen: CardSet,
    /// The number of cards in the stock.
    pub stock: u8,
}

impl View {
    /// The cards that the opponent is known to hold.
    #[must_use]
    pub fn known(&self) -> CardSet {
        self.open - self.hand
    }

    /// The number of cards in the opponent's hand.
    #[must_use]
    pub fn others(&self) -> usize {
        self.known().len() + self.unseen.len() - usize::from(self.stock)
    }
}
