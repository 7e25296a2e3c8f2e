//! The view: all that the player knows.

use super::board::Board;
use crate::cards::CardSet;

/// All that the player knows: everything face up, and which cards the pile holds in some order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Everything face up.
    pub board: Board,
    /// The cards in the pile.
    pub unseen: CardSet,
}
