//! The view as data, for players in other processes.

use super::board::{Board, NO_LIMIT, Phase};
use super::deck::{CARDS, CardKind, DECK, kind};
use super::rules::{AvoidOrder, Rules};
use super::view::{PileView, View};
use crate::cards::{Card, CardSet, Suit, cards_of, ids};
use crate::told::{apart, ok};
use arrayvec::ArrayVec;
use knave_agents::ViewError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the player of dungeon knows.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DungeonView")]
pub struct Shown {
    /// Health, 1 to the ceiling.
    health: u8,
    /// The value of the weapon, 2 to 10; 0 without one.
    weapon: u8,
    /// The rank of the monster that the weapon slew last, 2 to 14 (ace high); `null` if it has slain none.
    limit: Option<u8>,
    /// The cards in the room, in the order of their slots, without the empty slots; one that stayed comes first in the next room.
    /// Avoided ones go under the pile in this order, the first nearest the top.
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
    avoided: ArrayVec<Card, CARDS>,
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

/// The view of the player who is told this and is to move.
///
/// # Errors
/// Names a field that no player is told so.
pub fn read(rules: &Rules, told: &Shown) -> Result<View, ViewError> {
    let unseen = told.unseen;
    let [room, avoided] = [&told.room[..], &told.avoided[..]].map(|cards| cards.iter().copied());
    let singles = room.clone().map(|card| ("room", CardSet::from_iter([card])));
    let below = avoided.clone().map(|card| ("avoided", CardSet::from_iter([card])));
    let all = apart(singles.chain(below).chain([("unseen", unseen)]))?;
    if let Some(card) = all.into_iter().find(|card| !DECK.contains(card)) {
        return Err(ViewError::new("cards", card, "a card of the dungeon: no red ace, jack, queen or king"));
    }
    let of_room = told.room.len();
    ok(
        (1..=rules.health).contains(&told.health),
        "health",
        told.health,
        format_args!("1 to {}", rules.health),
    )?;
    ok(matches!(told.weapon, 0 | 2..=10), "weapon", told.weapon, "0, or 2 to 10")?;
    let left = |suit: Suit, rank: u8| all.contains(Card::new(suit, rank));
    let taken = told.weapon == 0 || !left(Suit::Diamonds, told.weapon);
    ok(taken, "weapon", told.weapon, "a weapon that lies nowhere else")?;
    let limit = told.limit.unwrap_or(NO_LIMIT);
    let fits = told.limit.is_none() || told.weapon > 0 && (2..=14).contains(&limit);
    ok(fits, "limit", limit, "null, or with a weapon 2 to 14")?;
    let slain =
        told.limit.is_none() || ![Suit::Clubs, Suit::Spades].into_iter().all(|suit| left(suit, limit));
    ok(slain, "limit", limit, "the rank of a monster that was slain")?;
    ok(of_room > 0, "room", "[]", "1 to 4 cards")?;
    // One card of a room of four stays; a smaller room is the last one and faced to the end.
    let is_last = unseen.is_empty() && told.avoided.is_empty() && of_room < 4;
    let staying = of_room.checked_sub(told.to_face.into());
    let to_face = told.to_face > 0 && (staying == Some(1) || staying == Some(0) && is_last);
    let expected = match (of_room, is_last) {
        (1, _) => "1, in the last room".to_owned(),
        (_, true) => format!("{} or {of_room}", of_room - 1),
        (_, false) => (of_room - 1).to_string(),
    };
    ok(to_face, "to_face", told.to_face, expected)?;
    let may_avoid = !told.may_avoid || (of_room, told.to_face) == (4, 3);
    ok(
        may_avoid,
        "may_avoid",
        told.may_avoid,
        "false unless four cards lie in the room and three are to be faced",
    )?;
    let shuffled = rules.avoid_order == AvoidOrder::Shuffled;
    let drawn = usize::from(told.drawn_of_block);
    let drawn_of_block = if shuffled { drawn < 4 } else { drawn == 0 };
    ok(drawn_of_block, "drawn_of_block", drawn, if shuffled { "0 to 3" } else { "0" })?;
    let blocks = (told.avoided.len() + drawn).is_multiple_of(4) && (drawn == 0 || unseen.is_empty());
    ok(
        !shuffled || blocks,
        "avoided",
        told.avoided.len(),
        "a multiple of four, less what drawn_of_block counts",
    )?;
    let unfaced = all.into_iter().map(monster).sum();
    ok(told.unfaced == unfaced, "unfaced", told.unfaced, unfaced)?;
    let board = Board {
        phase: Phase::Play,
        health: told.health,
        weapon: told.weapon,
        limit: if told.weapon == 0 { 0 } else { limit },
        room: ids(room),
        to_face: told.to_face,
        may_avoid: told.may_avoid,
        drunk: told.drunk,
        ..Board::new(rules, unfaced)
    };
    let pile = PileView {
        unseen,
        avoided: ids(avoided),
        avoided_len: told.avoided.len() as u8,
        drawn_of_block: told.drawn_of_block,
    };
    Ok(View { board, pile })
}

/// The rank of a monster, 0 for other cards.
fn monster(card: Card) -> u16 {
    if let CardKind::Monster = kind(card) { card.rank().into() } else { 0 }
}
