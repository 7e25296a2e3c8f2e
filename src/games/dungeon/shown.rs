//! The view as data, for players in other processes.

use super::board::NO_LIMIT;
use super::view::View;
use crate::cards::{Card, CardSet, cards_of};
use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::Serialize;

/// What the player of dungeon knows.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DungeonView")]
pub struct Shown {
    /// Health, 1 to the ceiling.
    health: u8,
    /// The value of the weapon, 2 to 10; 0 without one.
    weapon: u8,
    /// The rank of the monster that the weapon slew last, 2 to 14 (ace high); `null` if it has slain none.
    limit: Option<u8>,
    /// The cards in the room, by slot. Avoided ones go under the pile in this order, the first nearest the top.
    room: ArrayVec<Card, 4>,
    /// How many cards of this room the player has yet to face.
    to_face: u8,
    /// Whether the room may be avoided now.
    may_avoid: bool,
    /// Whether a potion was drunk in this turn, so that others do nothing.
    drunk: bool,
    /// The sum of the ranks of the monsters not yet faced, those in the pile included.
    unfaced: u16,
    /// The cards on top of the pile, which nobody has seen, by suit and rank: their order is unknown.
    unseen: CardSet,
    /// The avoided cards below, top first. If the rules shuffle them, the order of four that went together is unknown.
    avoided: ArrayVec<Card, 44>,
    /// How many of the first such four have been drawn, 0 to 3; 0 if the rules do not shuffle them.
    drawn_of_block: u8,
}

/// What the player is told of the view. There is one phase with decisions, and the card faced last counts in the end alone.
pub fn shown(view: &View) -> Shown {
    let (board, pile) = (&view.board, &view.pile);
    Shown {
        health: board.health,
        weapon: board.weapon,
        limit: (board.weapon > 0 && board.limit != NO_LIMIT).then_some(board.limit),
        room: board.room().collect(),
        to_face: board.to_face,
        may_avoid: board.may_avoid,
        drunk: board.drunk,
        unfaced: board.unfaced,
        unseen: pile.unseen,
        avoided: cards_of(&pile.avoided).collect(),
        drawn_of_block: pile.drawn_of_block,
    }
}
