//! Fast path for all-random play to the end, a room at a time.
//!
//! The moves and random numbers are the same as one move after another. A random player never asks what is in the pile, so
//! the sets of its cards are not kept, and what every card changes stays out of memory.

use super::board::{NO_LIMIT, Phase, nth_way, reach, ways};
use super::deck::{CardKind, DECK, kind};
use super::position::Dungeon;
use super::rules::{AvoidOrder, Rules, WeaponLimit};
use super::tally::DungeonTally;
use knave_agents::Rng;
use knave_agents::rng::{Role, Streams, below};
use std::hint::select_unpredictable;

/// The number of games that are dealt at once.
pub const TOGETHER: usize = 32;

/// Whether the fast path knows these rules: avoided cards must keep their order.
pub fn applies(rules: &Rules) -> bool {
    rules.avoid_order == AvoidOrder::Kept
}

/// Plays fresh games of the same rules to their ends and counts them.
pub fn play_at_random(
    games: &mut [Dungeon],
    streams: &[Streams],
    tally: &mut DungeonTally,
    moves: &mut [u64],
) {
    for ((game, streams), moves) in games.iter_mut().zip(streams).zip(moves) {
        *moves += play(game, &mut streams.role(Role::Agent(0)), tally);
    }
}

/// What a move does that faces a card.
#[derive(Copy, Clone)]
struct Effect {
    /// The rank of a monster, a potion or a weapon, and 0 for the other two.
    monster: u8,
    potion: u8,
    weapon: u8,
    /// All bits where the weapon takes its value off the harm.
    shield: u8,
    /// The weapon's [`reach`] afterwards, 0 where it stays.
    reach: u32,
}

/// By [`Move::number`](super::moves::Move::number).
static EFFECTS: [Effect; 128] = {
    let mut effects = [Effect { monster: 0, potion: 0, weapon: 0, shield: 0, reach: 0 }; 128];
    let mut i = 0;
    while i < DECK.len() {
        let (id, rank) = (DECK[i].id() as usize, DECK[i].rank());
        let effect = &mut effects[id];
        match kind(DECK[i]) {
            CardKind::Monster => {
                effect.monster = rank;
                effects[id + 64] = Effect { shield: u8::MAX, reach: reach(rank), ..*effect };
            }
            CardKind::Potion => effect.potion = rank,
            CardKind::Weapon => (effect.weapon, effect.reach) = (rank, reach(NO_LIMIT)),
        }
        i += 1;
    }
    effects
};

/// Plays a game to its end, and returns the number of moves.
fn play(game: &mut Dungeon, rng: &mut Rng, tally: &mut DungeonTally) -> u64 {
    let Dungeon { board, pile } = game;
    debug_assert!(board.phase == Phase::Fill && board.weapon == 0 && applies(&board.rules));
    let strict = if board.rules.weapon_limit == WeaponLimit::Below { reach(1) - reach(0) } else { 0 };
    let (ceiling, mut unfaced) = (board.rules.health, board.unfaced);
    let (mut health, mut weapon, mut within) = (board.health, 0, reach(0));
    let (mut room, mut last, mut may_avoid, mut moves) = (0_u32, 0, true, 0);
    let phase = 'rooms: loop {
        let stayed = usize::from(room != 0);
        let drawn = (4 - stayed).min(pile.len());
        room |= u32::from_le_bytes(pile.draw_blind(drawn)) << (8 * stayed);
        let cards = stayed + drawn;
        if cards == 0 {
            break Phase::Cleared;
        }
        let to_face = if cards == 4 { 3 } else { cards };
        let mut avoiding = u32::from(may_avoid && cards == 4);
        let mut drunk = false;
        for _ in 0..to_face {
            let ways = ways(room.to_le_bytes(), within);
            let facing = ways.count_ones();
            let pick = below(rng, facing + avoiding);
            moves += 1;
            if pick == facing {
                tally.avoid();
                pile.put_under_blind(room.to_le_bytes());
                (room, may_avoid) = (0, false);
                continue 'rooms;
            }
            avoiding = 0;
            let (m, slot) = nth_way(room.to_le_bytes(), ways, pick);
            room &= !(0xff << (8 * slot));
            let Effect { monster, potion, weapon: taken, shield, reach } = EFFECTS[m.number()];
            let before = health;
            // Bytes on purpose: which card comes next cannot be predicted, and of wider numbers the compiler makes branches here.
            let harm = monster.saturating_sub(weapon & shield);
            let cure = select_unpredictable(drunk, 0, potion);
            health = (health.saturating_sub(harm) + cure).min(ceiling);
            tally.face(m, drunk, health.abs_diff(before));
            drunk |= potion > 0;
            unfaced -= u16::from(monster);
            weapon = select_unpredictable(taken > 0, taken, weapon);
            // One less than no limit still reaches every monster.
            within = select_unpredictable(reach > 0, reach.wrapping_sub(strict), within);
            last = m.number() as u8 & 63;
            if health == 0 {
                break 'rooms Phase::Died;
            }
        }
        may_avoid = true;
        // The card that stays takes the first slot of the next room.
        room = (room | room >> 8 | room >> 16 | room >> 24) & 0xff;
    };
    (board.phase, board.health, board.room) = (phase, health, room.to_le_bytes());
    (board.last, board.unfaced) = (last, unfaced);
    moves
}
