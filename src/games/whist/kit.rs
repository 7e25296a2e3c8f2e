//! What whist offers beyond its rules.

use super::fast_random::RandomGame;
pub use super::fast_random::applies as can_race;
use super::{SEATS, Whist, WhistTally};
use knave_agents::Rng;
use rand::Rng as _;

/// The number of games on the fast path at once: a card waits for the one before it, and meanwhile another game goes on.
pub const TOGETHER: usize = 2;

/// Plays and counts fresh games of the same rules, each seat with its own random numbers; there may be more of these than
/// games.
pub fn race(games: &mut [Whist], rngs: &mut [[Rng; SEATS]], tally: &mut WhistTally) {
    let (rngs_of_pairs, rngs_of_single) = rngs[..games.len()].as_chunks_mut::<TOGETHER>();
    let (pairs, single) = games.as_chunks_mut::<TOGETHER>();
    for (games, rngs) in pairs.iter_mut().zip(rngs_of_pairs) {
        together(games, rngs, tally);
    }
    for (game, rngs) in single.iter_mut().zip(rngs_of_single) {
        together(std::array::from_mut(game), std::array::from_mut(rngs), tally);
    }
}

fn together<const N: usize>(games: &mut [Whist; N], rngs: &mut [[Rng; SEATS]; N], tally: &mut WhistTally) {
    // Filled where they are: to make them elsewhere and move them here takes longer than a trick.
    let mut fast = [RandomGame::IDLE; N];
    for (fast, game) in fast.iter_mut().zip(&*games) {
        fast.begin(&game.board, &game.hands);
    }
    for _ in 0..games[0].hands[0].len() {
        for (fast, rngs) in fast.iter_mut().zip(&mut *rngs) {
            let trump = fast.trump;
            fast.trick(|seat| rngs[seat].next_u64(), |won, seat, card| tally.lead(trump, won, seat, card));
        }
    }
    for (fast, game) in fast.iter().zip(games) {
        game.end_by(fast);
    }
}
