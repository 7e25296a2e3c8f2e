//! Whole turns: the outcomes of a room, each once, dominated ones left out.
//!
//! Of two ways to end a turn with the same card carried on, the one with health, weapon and limit all
//! at least as high is at least as good: whatever the other can do from there, it can do too, move for
//! move. A fight then costs at most as much (a better weapon takes off more, a higher limit allows
//! every fight with the weapon that a lower one allows, and leaves the same limit behind), and a potion
//! leaves at least as much health (the ceiling is the same). So only outcomes that no other dominates
//! are kept. The proof is for winning; the score of a won game is settled in the last room, whose ways
//! are compared by their score.

use super::board::{Board, Move, Phase};
use crate::cards::Card;
use arrayvec::ArrayVec;
use knave_agents::StepList;

/// The outcomes of a turn. Each is alone with its carried card (of at most 4), weapon (the old one or
/// one of at most 3 new ones) and limit (none, or one of at most 3 monsters), for of two such the one
/// with less health is dominated: at most 4 × 4 × 4 of them.
pub type Outcomes = ArrayVec<Outcome, 64>;

/// One way to play a turn to its end.
#[derive(Copy, Clone, Debug)]
pub struct Outcome {
    moves: [Move; 4],
    len: u8,
    /// What it leaves behind.
    pub board: Board,
}

impl Outcome {
    /// The moves, in order.
    pub fn moves(&self) -> &[Move] {
        &self.moves[..usize::from(self.len)]
    }

    fn dominates(&self, other: &Outcome) -> bool {
        let (a, b) = (&self.board, &other.board);
        match (a.phase, b.phase) {
            (Phase::Died, Phase::Died) => a.unfaced <= b.unfaced,
            (_, Phase::Died) => true,
            (Phase::Cleared, Phase::Cleared) => a.score() >= b.score(),
            (Phase::Died, _) => false,
            _ => a.room[0] == b.room[0] && a.health >= b.health && a.weapon >= b.weapon && a.limit >= b.limit,
        }
    }
}

/// Whether playing `a` and then `b` leaves the same as `b` and then `a`, as far as the player survives
/// both, so that one order is enough: bare hands leave the weapon alone, and taking a weapon leaves the
/// health alone.
fn commute(a: Move, b: Move) -> bool {
    use Move::{Bare, Drink, Take, Weapon};
    matches!(
        (a, b),
        (Bare(_), Bare(_) | Weapon(_) | Take(_))
            | (Weapon(_) | Take(_), Bare(_))
            | (Drink(_), Take(_))
            | (Take(_), Drink(_))
    )
}

struct Search<'a> {
    pile_empty: bool,
    moves: [Move; 4],
    outcomes: &'a mut Outcomes,
}

impl Search<'_> {
    fn go(&mut self, board: &Board, played: usize) {
        for id in board.room {
            if id == 0 {
                continue;
            }
            let (one, other) = board.facing(Card::from_id(id));
            self.try_move(board, one, played);
            if let Some(other) = other {
                self.try_move(board, other, played);
            }
        }
    }

    fn try_move(&mut self, board: &Board, m: Move, played: usize) {
        if played > 0 && m < self.moves[played - 1] && commute(self.moves[played - 1], m) {
            return;
        }
        let mut after = *board;
        after.face(m, self.pile_empty);
        self.moves[played] = m;
        if after.phase == Phase::Play && after.to_face < board.to_face {
            self.go(&after, played + 1);
        } else {
            self.add(Outcome { moves: self.moves, len: played as u8 + 1, board: after });
        }
    }

    fn add(&mut self, new: Outcome) {
        if self.outcomes.iter().any(|old| old.dominates(&new)) {
            return;
        }
        self.outcomes.retain(|old| !new.dominates(old));
        self.outcomes.push(new);
    }
}

/// Replaces the contents of `out` with the outcomes of the rest of this turn, avoiding left out. Where
/// the player must die there is one: of the deaths that were looked at, one with the fewest monsters left.
pub fn outcomes(board: &Board, pile_empty: bool, out: &mut Outcomes) {
    out.clear();
    Search { pile_empty, moves: [Move::Avoid; 4], outcomes: out }.go(board, 0);
}

/// Replaces the contents of `out` with the steps: the outcomes of the turn, and avoiding.
pub fn steps(board: &Board, pile_empty: bool, out: &mut StepList<Move>) {
    out.clear();
    let mut found = Outcomes::new();
    outcomes(board, pile_empty, &mut found);
    if board.may_avoid {
        out.push(&[Move::Avoid]);
    }
    for outcome in &found {
        out.push(outcome.moves());
    }
}
