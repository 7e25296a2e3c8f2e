//! The view: all that the player knows.

use super::board::Board;
use super::deck::CARDS;
use crate::cards::CardSet;

/// All that the player knows: everything face up, and the view of the pile.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Everything face up.
    pub board: Board,
    /// The view of the pile.
    pub pile: PileView,
}

/// The view of the pile: the cards that nobody has seen, and the avoided ones.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct PileView {
    /// The cards on top whose order nobody knows.
    pub unseen: CardSet,
    /// The avoided cards below, top first, as `Card::id`; 0 where there is none. Under
    /// `avoid_order = shuffled` each block of four that went under together is sorted, for its order
    /// is unknown.
    pub avoided: [u8; CARDS],
    /// How many avoided cards there are.
    pub avoided_len: u8,
    /// How many cards of the first avoided block have been drawn (0 to 3).
    pub drawn_of_block: u8,
}

impl PileView {
    /// The avoided cards in the blocks that went under together, top first, under `avoid_order = shuffled`.
    pub fn blocks(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let avoided = &mut self.avoided[..usize::from(self.avoided_len)];
        let first = usize::from(4 - self.drawn_of_block).min(avoided.len());
        let (first, others) = avoided.split_at_mut(first);
        std::iter::once(first).chain(others.chunks_mut(4))
    }
}
