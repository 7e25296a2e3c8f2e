//! Knowledge of a seat beside the board and its hand, shared by `rule` and `net`.

use crate::cards::CardSet;
use crate::columns::board::{above, below};
use crate::columns::{Board, Column, Columns, Direction, HAND, Phase};
use knave_agents::Seat;

/// The knowledge of a seat: it stays the same while the seat plays.
#[derive(Clone, Debug)]
pub struct SeatKnowledge {
    pub(super) seat: Seat,
    /// The probability that the opponent holds a card of the rank in the next own phase, before and after hands are
    /// replenished.
    pub(super) odds: [[f32; 16]; 2],
    /// The share of each rank among the unseen cards.
    pub(super) share: [f32; 16],
    /// The expected number of cards of the rank in the opponent's hand then, before and after hands are replenished.
    pub(super) expected: [[f32; 16]; 2],
}

impl SeatKnowledge {
    /// The knowledge of this seat in a position.
    #[must_use]
    pub fn new(position: &Columns, seat: Seat) -> Self {
        let other = position.hands[1 - seat];
        let known = other & position.revealed;
        let unseen = (position.stock.left() | other) - known;
        let chance = |hidden: usize| {
            // That none of `count` unseen cards is among the hidden ones, taken as independent.
            let miss = 1.0 - (hidden as f32 / unseen.len().max(1) as f32).min(1.0);
            let none = [1.0, miss, miss * miss, miss * miss * miss, miss * miss * miss * miss];
            std::array::from_fn(|rank| {
                let of_rank = CardSet::of_rank(rank as u8);
                match (unseen & of_rank).len() {
                    _ if !(known & of_rank).is_empty() => 1.0,
                    count => 1.0 - none[count],
                }
            })
        };
        let count = |rank: usize| (unseen & CardSet::of_rank(rank as u8)).len() as f32;
        let share: [f32; 16] = std::array::from_fn(|rank| count(rank) / unseen.len().max(1) as f32);
        let expected = |hidden: usize| {
            let hidden = hidden.min(unseen.len()) as f32;
            std::array::from_fn(|rank| {
                (known & CardSet::of_rank(rank as u8)).len() as f32 + hidden * share[rank]
            })
        };
        let hidden = [other.len() - known.len(), HAND - known.len()];
        Self { seat, odds: hidden.map(chance), share, expected: hidden.map(expected) }
    }
}

/// The sum of `odds` over the ranks that fit on this column; 2 for an empty one.
pub(super) fn fits(column: &Column, odds: &[f32; 16]) -> f32 {
    if column.is_empty() {
        return 2.0;
    }
    let [same, up, down] =
        [column.top, above(column.top), below(column.top)].map(|rank| odds[usize::from(rank)]);
    match column.direction {
        Direction::Up => same + up,
        Direction::Down => same + down,
        Direction::None => same + up + down,
    }
}

/// The viewpoint of a seat on a board, 0 to 5: each has weights of its own.
///
/// Viewpoints 0 to 2 are those of the player who has just placed or played: before the dice, before the first player and
/// before the roller. Viewpoints 3 to 5 are the same for the other player.
#[must_use]
pub fn viewpoint(board: &Board, seat: Seat) -> usize {
    let rolls = seat == board.roller();
    match board.phase {
        Phase::Roll | Phase::Place | Phase::Over => 3 * usize::from(rolls),
        Phase::First => 1 + 3 * usize::from(!rolls),
        Phase::Second => 2 + 3 * usize::from(rolls),
    }
}

/// Whether hands are replenished before the opponent's next phase.
pub(super) fn fresh(board: &Board, seat: Seat) -> bool {
    match board.phase {
        Phase::First => false,
        Phase::Second => seat == board.roller(),
        _ => true,
    }
}
