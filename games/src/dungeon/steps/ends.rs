//! Ends of a turn, dominated ones left out.
//!
//! Of two ends with the same carried card, the one with health, weapon and limit all at least as high is at least as good.
//! Whatever the other can do from there, it can do too, move for move:
//!
//! - A fight costs at most as much. A better weapon takes off more. A higher limit allows every fight with the weapon that a
//!   lower one allows, and leaves the same limit behind.
//! - A potion leaves at least as much health, for the ceiling is the same.
//!
//! This holds for winning, and for the score of a win: who has more health to the end scores at least as much, and is at the
//! ceiling if the other is. Where the other dies see "More is better" in [`search`](crate::dungeon::clairvoyant::search).
//! In the last room ends are compared by their score.

use crate::cards::Card;
use crate::dungeon::board::{Board, NO_LIMIT};
use crate::dungeon::deck::{CardKind, DECK, kind};
use crate::dungeon::moves::Move;
use arrayvec::ArrayVec;

/// The outcomes of a turn, at most 4 × 4 × 4. Each is alone with its carried card (of at most 4), weapon (the old one or
/// one of at most 3 new ones) and limit (none, or one of at most 3 monsters): of two such, one has less health.
pub type Outcomes = ArrayVec<Outcome, MOST>;

/// The most outcomes of a turn.
pub const MOST: usize = 64;

/// One way to play a turn to its end.
#[derive(Copy, Clone, Debug)]
pub struct Outcome {
    moves: [Move; 4],
    len: u8,
    /// The board afterwards.
    pub board: Board,
}

impl Outcome {
    /// The moves, in order.
    pub fn moves(&self) -> &[Move] {
        &self.moves[..usize::from(self.len)]
    }
}

/// The variables of a turn while the cards of a room are faced.
#[derive(Copy, Clone)]
pub struct State {
    pub health: u8,
    pub weapon: u8,
    pub limit: u8,
    pub drunk: bool,
    /// The slots not yet faced, a bit each.
    pub slots: u8,
    /// The sum of the monsters faced.
    pub slain: u8,
}

impl State {
    /// What counts once a turn is over, in one number so that all of it is compared at once: health, weapon, limit and the
    /// slots that stay. The first three are below 128, so no top bit is set.
    fn packed(&self) -> u32 {
        u32::from_le_bytes([self.health, self.weapon, self.limit, self.slots])
    }
}

/// Whether `a` carries the same card as `b` and is at least as good; see [`State::packed`].
fn at_least(a: u32, b: u32) -> bool {
    const TOPS: u32 = 0x0080_8080;
    // Equal slots cancel; what falls short borrows the top bit of its byte.
    ((a | TOPS).wrapping_sub(b)) & (TOPS | 0xff00_0000) == TOPS
}

/// The end of a turn that has not been written down as a board yet.
#[derive(Copy, Clone)]
pub struct End {
    pub state: State,
    /// [`State::packed`].
    packed: u32,
    moves: [Move; 4],
    len: u8,
    /// The final score of a won game; 0 where the game goes on.
    score: i16,
}

impl End {
    /// Whether both carry the same card and this one is at least as good; in the last room the score decides.
    fn dominates(&self, other: &End, last_room: bool) -> bool {
        if last_room {
            return self.score >= other.score;
        }
        at_least(self.packed, other.packed)
    }
}

/// A card of the room.
#[derive(Copy, Clone)]
pub struct Slot {
    pub kind: CardKind,
    pub rank: u8,
    /// The move that faces it, with bare hands if it is a monster.
    pub facing: Move,
}

impl Slot {
    /// Monsters, then weapons, then potions, in each the highest first.
    pub fn order(self) -> u8 {
        self.kind as u8 * 16 + (15 - self.rank)
    }
}

/// The ends of a turn that have been found.
pub struct TurnSearch<'a> {
    pub board: &'a Board,
    pile_empty: bool,
    /// By how much the reach of a weapon falls short of its limit.
    short: u8,
    pub room: [Slot; 4],
    /// Whether the last card of the dungeon is among those to be faced.
    last_room: bool,
    ends: ArrayVec<End, MOST>,
    /// The first end to compare with: earlier ones carry another card.
    first: usize,
    /// The death with the fewest monsters left.
    death: Option<End>,
}

impl<'a> TurnSearch<'a> {
    /// A search in which nothing has been found, and the state that it begins with.
    pub fn new(board: &'a Board, pile_empty: bool) -> (Self, State) {
        let slots = (0..4).filter(|&slot| board.room[slot] != 0).fold(0, |slots, slot| slots | 1 << slot);
        let start = State {
            health: board.health,
            weapon: board.weapon,
            limit: board.limit,
            drunk: board.drunk,
            slots,
            slain: 0,
        };
        let room = board.room.map(|id| {
            // An empty slot is not in `slots`; any card will do for it.
            let card = Card::from_id(if id == 0 { DECK[0].id() } else { id });
            Slot { kind: kind(card), rank: card.rank(), facing: Move::facing(card) }
        });
        let search = Self {
            board,
            pile_empty,
            short: NO_LIMIT - Board { limit: NO_LIMIT, ..*board }.reach(),
            room,
            last_room: pile_empty && u32::from(board.to_face) == slots.count_ones(),
            ends: ArrayVec::new(),
            first: 0,
            death: None,
        };
        (search, start)
    }

    /// The highest monster that a weapon with this limit may be used on.
    #[inline(always)]
    pub fn reach(&self, limit: u8) -> u8 {
        limit.saturating_sub(self.short)
    }

    /// Whether no end has been found that the player lives to see.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Begins with another card to carry: the ends so far need not be compared any more.
    pub fn next_carried_card(&mut self) {
        self.first = self.ends.len();
    }

    /// Notes a death by the last of these moves.
    pub fn die(&mut self, state: State, moves: [Move; 4], len: u8) {
        if self.death.is_none_or(|death| death.state.slain < state.slain) {
            self.death = Some(End { state, packed: state.packed(), moves, len, score: 0 });
        }
    }

    /// Adds the end after these moves, unless another one is at least as good.
    pub fn add(&mut self, state: State, moves: [Move; 4], len: u8) {
        let mut new = End { state, packed: state.packed(), moves, len, score: 0 };
        let last_room = self.last_room;
        if last_room {
            let mut board = *self.board;
            self.turn_into(&mut board, &new);
            new.score = board.score() as i16;
        }
        if !self.ends.iter().any(|old| old.dominates(&new, last_room)) {
            self.ends.retain(|old| !new.dominates(old, last_room));
            self.ends.push(new);
        }
    }

    /// The same for the end of a whole turn that is not the last.
    pub fn arrive(&mut self, state: State, moves: [Move; 4]) {
        let packed = state.packed();
        let mut at = self.first;
        while at < self.ends.len() {
            if at_least(self.ends[at].packed, packed) {
                return;
            }
            if at_least(packed, self.ends[at].packed) {
                self.ends.swap_remove(at);
            } else {
                at += 1;
            }
        }
        self.ends.push(End { state, packed, moves, len: 3, score: 0 });
    }

    /// Replaces the contents of `out` with the outcomes. Where the player must die there is one: of the deaths that were
    /// looked at, one with the fewest monsters left.
    pub fn outcomes(&self, out: &mut Outcomes) {
        out.clear();
        let death = self.death.filter(|_| self.is_empty());
        for end in self.ends.iter().chain(&death) {
            // Boards are changed where they stay: the processor would wait for bytes that were just written before it copied them.
            out.push(Outcome { moves: end.moves, len: end.len, board: *self.board });
            if let Some(Outcome { board, .. }) = out.last_mut() {
                self.turn_into(board, end);
            }
        }
    }

    /// Turns the board of this turn into the one after an end.
    fn turn_into(&self, board: &mut Board, end: &End) {
        let state = &end.state;
        board.health = state.health;
        board.weapon = state.weapon;
        board.limit = state.limit;
        board.drunk = state.drunk;
        board.unfaced -= u16::from(state.slain);
        board.keep(state.slots);
        board.after_facing(end.moves[usize::from(end.len) - 1], end.len, self.pile_empty);
    }
}
