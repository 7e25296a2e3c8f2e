//! Steps: the outcomes of a whole turn, dominated ones left out, and avoiding the room.
//!
//! - `ends`: what is kept of the ends of a turn, and why the rest may be left out;
//! - `whole_room`: all ends of a room of four, without trying every order;
//! - `orders`: all ends of any rest of a turn, by trying the orders.

mod ends;
mod orders;
mod whole_room;

pub use ends::{MOST, Outcome, Outcomes};

use super::board::{Board, Phase};
use super::moves::Move;
use ends::TurnSearch;
use knave_agents::StepList;

/// Replaces the contents of `out` with the outcomes of the rest of this turn, avoiding left out. Where
/// the player must die there is one, a death with few monsters left.
pub fn outcomes(board: &Board, pile_empty: bool, out: &mut Outcomes) {
    let (mut search, start) = TurnSearch::new(board, pile_empty);
    if start.slots == 0b1111 && board.to_face == 3 && !board.drunk {
        search.whole_room(start);
    }
    if search.is_empty() {
        orders::orders(&mut search, start);
    }
    search.outcomes(out);
}

/// The highest sum of monsters that can be faced in the rest of this turn, the killer included if the player
/// dies of it. Every order of every move is tried.
pub fn most_slain(board: &Board) -> u8 {
    let mut most = 0;
    board.for_each_facing(|m| {
        let mut next = *board;
        next.face(m, false);
        let slain = (board.unfaced - next.unfaced) as u8;
        let more = if next.phase == Phase::Play { most_slain(&next) } else { 0 };
        most = most.max(slain + more);
    });
    most
}

/// Replaces the contents of `out` with the steps: the outcomes of the turn, and avoiding.
pub fn steps(board: &Board, pile_empty: bool, out: &mut StepList<Move>) {
    out.clear();
    let mut found = Outcomes::new();
    outcomes(board, pile_empty, &mut found);
    if board.may_avoid {
        out.push(&[Move::AVOID]);
    }
    for outcome in &found {
        out.push(outcome.moves());
    }
}
