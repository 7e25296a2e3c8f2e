//! Steps: one move of those that come to the same.

use super::board::Phase;
use super::moves::Move;
use super::position::Doubles;

/// Calls `each` with the mover's legal moves in order, one for each rank.
///
/// Only ranks are compared, and the cards seen of a rank tell the same whatever their suits.
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
