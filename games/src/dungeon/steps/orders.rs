//! The ends of the rest of a turn, by every order of facing that can make a difference.

use super::ends::{Slot, State, TurnSearch};
use crate::dungeon::board::NO_LIMIT;
use crate::dungeon::deck::CardKind;
use crate::dungeon::moves::{Action, Move};
use crate::dungeon::rules::Aim;

/// Whether playing `a` and then `b` leaves the same as `b` and then `a`, as far as the player survives both. One order is
/// enough then: bare hands leave the weapon alone, and taking a weapon leaves the health alone. The ascending order is kept,
/// in which potions come after weapons: a potion that is faced last may add to the score.
fn commute(a: Move, b: Move) -> bool {
    use Action::{Bare, Drink, Take, Weapon};
    matches!(
        (a.action(), b.action()),
        (Bare, Bare | Weapon | Take) | (Weapon | Take, Bare) | (Drink, Take) | (Take, Drink)
    )
}

/// A way that is being tried.
struct Orders<'s, 'b> {
    search: &'s mut TurnSearch<'b>,
    moves: [Move; 4],
}

/// Adds the ends of the rest of the turn.
pub fn orders(search: &mut TurnSearch<'_>, start: State) {
    Orders { search, moves: [Move::AVOID; 4] }.go(start, 0);
}

impl Orders<'_, '_> {
    fn go(&mut self, state: State, played: usize) {
        let reach = self.search.reach(state.limit);
        for slot in 0..4 {
            if state.slots >> slot & 1 == 0 {
                continue;
            }
            let Slot { kind, rank, facing } = self.search.room[slot];
            let mut next = state;
            next.slots &= !(1 << slot);
            match kind {
                CardKind::Weapon => {
                    next.weapon = rank;
                    next.limit = NO_LIMIT;
                    self.follow(facing, next, played);
                }
                CardKind::Potion => {
                    if !state.drunk {
                        next.health = (state.health + rank).min(self.search.board.rules.health);
                    }
                    next.drunk = true;
                    self.follow(facing, next, played);
                }
                CardKind::Monster => {
                    next.slain += rank;
                    // Bare hands are worth a thought only if the weapon would lose some of its reach.
                    if rank > reach || rank != state.limit {
                        next.health = state.health.saturating_sub(rank);
                        self.follow(facing, next, played);
                    }
                    if rank <= reach {
                        next.health = state.health.saturating_sub(rank.saturating_sub(state.weapon));
                        next.limit = rank;
                        self.follow(facing.with_weapon(), next, played);
                    }
                }
            }
        }
    }

    fn follow(&mut self, m: Move, state: State, played: usize) {
        let len = played as u8 + 1;
        // A death is where the order counts, but only for the score.
        let dies = state.health == 0 && self.search.board.rules.objective == Aim::Score;
        if !dies && played > 0 && m < self.moves[played - 1] && commute(self.moves[played - 1], m) {
            return;
        }
        self.moves[played] = m;
        if state.health == 0 {
            self.search.die(state, self.moves, len);
        } else if len < self.search.board.to_face {
            self.go(state, played + 1);
        } else {
            self.search.add(state, self.moves, len);
        }
    }
}
