//! Fast path for all-random play to the end, a room at a time.
//!
//! The moves and random numbers are the same as one move after another. A random player never asks what is in the pile, so
//! the sets of its cards are not kept, and what every card changes stays out of memory.

use super::board::{NO_LIMIT, Phase, nth_way, reach, ways};
use super::deck::{CardKind, DECK, kind};
use super::moves::Move;
use super::position::Dungeon;
use super::rules::{AvoidOrder, Rules, WeaponLimit};
use super::tally::{DRUNK, DungeonTally};
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
    debug_assert_eq!(games.len(), streams.len(), "a game has one set of generators");
    for ((game, streams), moves) in games.iter_mut().zip(streams).zip(moves) {
        *moves += play(game, &mut streams.role(Role::Agent(0)), tally);
    }
}

/// What a move does that faces a card.
#[derive(Copy, Clone)]
struct Effect {
    /// The rank of a monster, a potion that heals or a weapon, and 0 for all else.
    monster: u8,
    potion: u8,
    weapon: u8,
    /// All bits where the weapon takes its value off the harm.
    shield: u8,
    /// The weapon's [`reach`] afterwards, 0 where it stays.
    reach: u32,
}

/// By [`Move::number`], with [`DRUNK`] or without.
static EFFECTS: [Effect; 2 * DRUNK] = {
    let mut effects = [Effect { monster: 0, potion: 0, weapon: 0, shield: 0, reach: 0 }; 2 * DRUNK];
    let mut i = 0;
    while i < 2 * DECK.len() {
        let card = DECK[i % DECK.len()];
        let (rank, drunk) = (card.rank(), i / DECK.len() * DRUNK);
        let effect = &mut effects[Move::facing(card).number() + drunk];
        match kind(card) {
            CardKind::Monster => {
                effect.monster = rank;
                let armed = Effect { shield: u8::MAX, reach: reach(rank), ..*effect };
                effects[Move::armed(card).number() + drunk] = armed;
            }
            CardKind::Potion => effect.potion = if drunk == 0 { rank } else { 0 },
            CardKind::Weapon => (effect.weapon, effect.reach) = (rank, reach(NO_LIMIT)),
        }
        i += 1;
    }
    effects
};

/// How much `a` exceeds `b`, 0 where it does not. Of the plain ways to say it the compiler makes branches, and which card comes
/// next cannot be predicted.
#[inline]
fn excess(a: u32, b: u32) -> u32 {
    let difference = u64::from(a).wrapping_sub(b.into());
    difference as u32 & !((difference >> 32) as u32)
}

/// Plays a game to its end, and returns the number of moves.
fn play(game: &mut Dungeon, rng: &mut Rng, tally: &mut DungeonTally) -> u64 {
    let Dungeon { board, pile } = game;
    debug_assert!(board.phase == Phase::Fill && board.weapon == 0 && applies(&board.rules));
    let strict = if board.rules.weapon_limit == WeaponLimit::Below { reach(1) - reach(0) } else { 0 };
    let (ceiling, mut health, mut unfaced) =
        (u32::from(board.rules.health), u32::from(board.health), board.unfaced);
    let (mut weapon, mut within, mut last) = (0, reach(0), 0);
    let (mut room, mut may_avoid, mut moves) = (0_u32, true, 0);
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
        // `DRUNK` after the first potion.
        let mut drunk = 0;
        for _ in 0..to_face {
            let ways = ways(room, within);
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
            let (m, place) = nth_way(room, ways, pick);
            room &= !(0xff << place);
            let number = m.number() + drunk;
            let Effect { monster, potion, weapon: taken, shield, reach } = EFFECTS[number];
            last = m.number() as u8 & 63;
            unfaced -= u16::from(monster);
            let harm = excess(monster.into(), weapon & u32::from(shield));
            if harm >= health {
                tally.face(number, health);
                health = 0;
                break 'rooms Phase::Died;
            }
            let before = health;
            let healed = health - harm + u32::from(potion);
            health = healed - excess(healed, ceiling);
            tally.face(number, health.abs_diff(before));
            drunk |= usize::from(potion > 0) * DRUNK;
            weapon = select_unpredictable(taken > 0, taken.into(), weapon);
            // One less than no limit still reaches every monster.
            within = select_unpredictable(reach > 0, reach.wrapping_sub(strict), within);
        }
        may_avoid = true;
        // The card that stays takes the first slot of the next room.
        room = (room | room >> 8 | room >> 16 | room >> 24) & 0xff;
    };
    (board.phase, board.health, board.room) = (phase, health as u8, room.to_le_bytes());
    (board.last, board.unfaced) = (last, unfaced);
    moves
}
