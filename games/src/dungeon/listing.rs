//! How small dungeons are written out and solved.

use super::board::Phase;
use super::deck::{CardKind, kind};
use super::position::Dungeon;
use super::rules::AvoidOrder;
use crate::cards::{Card, Suit};
use knave_agents::exact::{Listing, fingerprint};
use knave_agents::{EnumerableChance, Game, Turn};

/// The listing of the dungeon. Nothing is dealt before the first room, which is chance.
pub fn listing() -> Listing<Dungeon> {
    Listing {
        dealt: |_| 0,
        outcomes: EnumerableChance::outcomes,
        listed: |outcome| outcome,
        fingerprint: Some(of_position),
    }
}

/// The fingerprint of a position.
///
/// Two differences make none: the order of a room that cannot be avoided any more, or goes under the pile in random order;
/// and which of the two monsters of a rank is which.
fn of_position(position: &Dungeon) -> u128 {
    let mut view = position.view(0);
    let (board, pile) = (&mut view.board, &mut view.pile);
    if position.turn() != Turn::Over {
        board.last = 0;
    }
    let is_kept = board.rules.avoid_order == AvoidOrder::Kept;
    let avoidable = board.may_avoid && is_kept;
    // In an order that does not tell twins apart.
    let by_rank = |&id: &u8| (id & 15, if is_monster(id) { 0 } else { id });
    if board.phase == Phase::Play && !avoidable {
        board.room.sort_unstable_by_key(by_rank);
    }
    if !is_kept {
        pile.blocks().for_each(|block| block.sort_unstable_by_key(by_rank));
    }
    // The twin that comes first, in the room, among the avoided cards or among the unseen ones, is called clubs.
    let mut first = [false; 16];
    let seen = board.room.iter_mut().chain(&mut pile.avoided[..usize::from(pile.avoided_len)]);
    seen.for_each(|id| *id = renamed(*id, &mut first));
    pile.unseen = pile.unseen.into_iter().map(|card| Card::from_id(renamed(card.id(), &mut first))).collect();
    fingerprint(&view)
}

/// Whether a [`Card::id`] is that of a monster.
fn is_monster(id: u8) -> bool {
    id != 0 && kind(Card::from_id(id)) == CardKind::Monster
}

/// A card under its new name: the first monster of a rank is called clubs, the second spades.
fn renamed(id: u8, first: &mut [bool; 16]) -> u8 {
    if !is_monster(id) {
        return id;
    }
    let rank = id & 15;
    let second = std::mem::replace(&mut first[usize::from(rank)], true);
    Card::new(if second { Suit::Spades } else { Suit::Clubs }, rank).id()
}
