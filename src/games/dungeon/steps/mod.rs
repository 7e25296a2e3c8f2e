//! Whole turns: the outcomes of a room, each once, dominated ones left out.
//!
//! Of two ways to end a turn with the same card carried on, the one with health, weapon and limit all
//! at least as high is at least as good: whatever the other can do from there, it can do too, move for
//! move. A fight then costs at most as much (a better weapon takes off more, a higher limit allows
//! every fight with the weapon that a lower one allows, and leaves the same limit behind), and a potion
//! leaves at least as much health (the ceiling is the same). So only outcomes that no other dominates
//! are kept. The proof is for winning, and for the score of a win: who has more health to the end scores at
//! least as much, and is at the ceiling if the other is. The last room's ways are compared by their score.

mod whole_room;

use super::board::{Board, NO_LIMIT, Phase};
use super::deck::{DECK, Kind, kind};
use super::moves::{Move, Sort};
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
}

/// What changes while the cards of a room are faced.
#[derive(Copy, Clone)]
pub(super) struct State {
    pub health: u8,
    pub weapon: u8,
    pub limit: u8,
    pub drunk: bool,
    /// The slots not yet faced, a bit each.
    pub slots: u8,
    /// The sum of the monsters faced.
    pub slain: u8,
}

/// A way to play the turn whose end has not been written down as a board yet.
#[derive(Copy, Clone)]
pub(super) struct End {
    state: State,
    /// [`State::left`].
    left: u32,
    moves: [Move; 4],
    len: u8,
    /// The final score of a won game; 0 where the game goes on.
    score: i16,
}

impl State {
    /// What counts once a turn is over, side by side so that all of it is compared at once: the slots that
    /// stay, and health, weapon and limit, each below 128, so that no top bit is set.
    fn left(&self) -> u32 {
        u32::from_le_bytes([self.health, self.weapon, self.limit, self.slots])
    }
}

/// Whether `a` carries the same card as `b` and is at least as good; see [`State::left`].
fn at_least(a: u32, b: u32) -> bool {
    const TOPS: u32 = 0x0080_8080;
    // Equal slots cancel; what falls short borrows the top bit of its byte.
    ((a | TOPS).wrapping_sub(b)) & (TOPS | 0xff00_0000) == TOPS
}

impl End {
    /// Whether both carry the same card and this one is at least as good; in the last room the score
    /// decides.
    fn dominates(&self, other: &End, last_room: bool) -> bool {
        if last_room {
            return self.score >= other.score;
        }
        at_least(self.left, other.left)
    }
}

/// Whether playing `a` and then `b` leaves the same as `b` and then `a`, as far as the player survives
/// both, so that one order is enough: bare hands leave the weapon alone, and taking a weapon leaves the
/// health alone. The order that is kept is the ascending one, in which potions come after weapons: a
/// potion that is faced last may add to the score.
fn commute(a: Move, b: Move) -> bool {
    use Sort::{Bare, Drink, Take, Weapon};
    matches!(
        (a.sort(), b.sort()),
        (Bare, Bare | Weapon | Take) | (Weapon | Take, Bare) | (Drink, Take) | (Take, Drink)
    )
}

impl Slot {
    /// Monsters, then weapons, then potions, in each the highest first.
    pub fn order(self) -> u8 {
        self.kind as u8 * 16 + (15 - self.rank)
    }
}

/// A card of the room.
#[derive(Copy, Clone)]
pub(super) struct Slot {
    pub kind: Kind,
    pub rank: u8,
    /// The move that faces it, with bare hands if it is a monster.
    pub facing: Move,
}

pub(super) struct Search<'a> {
    pub board: &'a Board,
    /// What a limit is above the reach of its weapon.
    pub short: u8,
    pub room: [Slot; 4],
    /// The last card of the dungeon is among those to be faced.
    last_room: bool,
    moves: [Move; 4],
    pub ends: ArrayVec<End, 64>,
    /// Earlier ends leave another card and need not be compared.
    pub first: usize,
    /// The death with the fewest monsters left.
    death: Option<End>,
}

impl Search<'_> {
    fn go(&mut self, state: State, played: usize) {
        let reach = state.limit.saturating_sub(self.short);
        for slot in 0..4 {
            if state.slots >> slot & 1 == 0 {
                continue;
            }
            let Slot { kind, rank, facing } = self.room[slot];
            let mut next = state;
            next.slots &= !(1 << slot);
            match kind {
                Kind::Weapon => {
                    next.weapon = rank;
                    next.limit = NO_LIMIT;
                    self.follow(facing, next, played);
                }
                Kind::Potion => {
                    if !state.drunk {
                        next.health = (state.health + rank).min(self.board.rules.health);
                    }
                    next.drunk = true;
                    self.follow(facing, next, played);
                }
                Kind::Monster => {
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
        if played > 0 && m < self.moves[played - 1] && commute(self.moves[played - 1], m) {
            return;
        }
        self.moves[played] = m;
        let len = played as u8 + 1;
        let mut end = End { state, left: state.left(), moves: self.moves, len, score: 0 };
        if state.health == 0 {
            if self.death.is_none_or(|death| death.state.slain < state.slain) {
                self.death = Some(end);
            }
        } else if len < self.board.to_face {
            self.go(state, played + 1);
        } else {
            if self.last_room {
                end.score = self.board(&end, true).score() as i16;
            }
            self.add(end);
        }
    }

    fn add(&mut self, new: End) {
        let last_room = self.last_room;
        if !self.ends.iter().any(|old| old.dominates(&new, last_room)) {
            self.ends.retain(|old| !new.dominates(old, last_room));
            self.ends.push(new);
        }
    }

    /// Adds the end of a whole turn that is not the last, unless another one is at least as good.
    pub fn arrive(&mut self, state: State, moves: [Move; 4]) {
        let left = state.left();
        let mut at = self.first;
        while at < self.ends.len() {
            if at_least(self.ends[at].left, left) {
                return;
            }
            if at_least(left, self.ends[at].left) {
                self.ends.swap_remove(at);
            } else {
                at += 1;
            }
        }
        self.ends.push(End { state, left, moves, len: 3, score: 0 });
    }

    /// What an end leaves behind.
    fn board(&self, end: &End, pile_empty: bool) -> Board {
        let mut board = *self.board;
        let state = &end.state;
        board.health = state.health;
        board.weapon = state.weapon;
        board.limit = state.limit;
        board.drunk = state.drunk;
        board.unfaced -= u16::from(state.slain);
        for (slot, id) in board.room.iter_mut().enumerate() {
            if state.slots >> slot & 1 == 0 {
                *id = 0;
            }
        }
        board.after_facing(end.moves[usize::from(end.len) - 1], end.len, pile_empty);
        board
    }
}

/// Replaces the contents of `out` with the outcomes of the rest of this turn, avoiding left out. Where
/// the player must die there is one: of the deaths that were looked at, one with the fewest monsters
/// left.
pub fn outcomes(board: &Board, pile_empty: bool, out: &mut Outcomes) {
    out.clear();
    let slots = (0..4).filter(|&slot| board.room[slot] != 0).fold(0, |slots, slot| slots | 1 << slot);
    let start = State {
        health: board.health,
        weapon: board.weapon,
        limit: board.limit,
        drunk: board.drunk,
        slots,
        slain: 0,
    };
    let last_room = pile_empty && u32::from(board.to_face) == slots.count_ones();
    let room = board.room.map(|id| {
        // An empty slot is not in `slots`; any card will do for it.
        let card = Card::from_id(if id == 0 { DECK[0].id() } else { id });
        Slot { kind: kind(card), rank: card.rank(), facing: Move::facing(card) }
    });
    let short = NO_LIMIT - Board { limit: NO_LIMIT, ..*board }.reach();
    let moves = [Move::AVOID; 4];
    let mut search =
        Search { board, short, room, last_room, moves, ends: ArrayVec::new(), first: 0, death: None };
    if slots == 0b1111 && board.to_face == 3 && !board.drunk {
        search.whole(start);
    }
    if search.ends.is_empty() {
        search.go(start, 0);
    }
    let death = search.death.filter(|_| search.ends.is_empty());
    for end in search.ends.iter().chain(&death) {
        out.push(Outcome { moves: end.moves, len: end.len, board: search.board(end, pile_empty) });
    }
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
