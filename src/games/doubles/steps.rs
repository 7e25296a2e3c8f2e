//! Steps: the moves that differ, one of those that come to the same.

use super::board::Phase;
use super::moves::Move;
use super::position::Doubles;

/// Calls `each` with the moves of the player whose turn it is, in order, but of the cards of one rank with
/// one: only ranks are compared, and what has been seen of a rank tells the same whatever the suits.
pub fn distinct_moves(position: &Doubles, mut each: impl FnMut(Move)) {
    let board = &position.board;
    match board.phase {
        Phase::Choose => {
            each(Move::POCKET);
            each(Move::ROLL);
            return;
        }
        Phase::Challenge => each(Move::PASS),
        Phase::Forced => {}
        Phase::Roll | Phase::Shuffle | Phase::Over => return,
    }
    let mut ranks = 0_u16;
    for card in board.playable(position.mover_hand()) {
        if ranks >> card.rank() & 1 == 0 {
            ranks |= 1 << card.rank();
            each(Move::challenge(card));
        }
    }
}
