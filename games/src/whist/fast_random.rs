//! Fast path for fresh games that are all-random: two at once.

use super::position::Whist;
use super::random_game::RandomGame;
use super::rules::{Rules, SEATS, Scoundrels};
use super::tally::WhistTally;
use knave_agents::rng::{Role, Streams};
use rand::Rng as _;

/// The number of games on the fast path at once: one goes on while a card of another waits for the one before.
pub const TOGETHER: usize = 2;

/// Whether the fast path knows these rules: scoundrels must belong to their printed suits.
pub fn applies(rules: &Rules) -> bool {
    rules.scoundrels == Scoundrels::Printed
}

/// Plays and counts fresh games of the same rules.
pub fn play_at_random(games: &mut [Whist], streams: &[Streams], tally: &mut WhistTally, moves: &mut [u64]) {
    debug_assert_eq!(games.len(), streams.len(), "a game has one set of generators");
    for (moves, hand) in moves.iter_mut().zip(games.iter().flat_map(|game| game.hands)) {
        *moves += hand.len() as u64;
    }
    let (streams_of_pairs, streams_of_single) = streams.as_chunks::<TOGETHER>();
    let (pairs, single) = games.as_chunks_mut::<TOGETHER>();
    for (games, streams) in pairs.iter_mut().zip(streams_of_pairs) {
        together(games, streams, tally);
    }
    for (game, streams) in single.iter_mut().zip(streams_of_single) {
        together(std::array::from_mut(game), std::array::from_ref(streams), tally);
    }
}

fn together<const N: usize>(games: &mut [Whist; N], streams: &[Streams; N], tally: &mut WhistTally) {
    let mut rngs =
        streams.map(|streams| std::array::from_fn::<_, SEATS, _>(|seat| streams.role(Role::Agent(seat))));
    // Filled in place: to move them here would take longer than a trick.
    let mut fast = [RandomGame::IDLE; N];
    for (fast, game) in fast.iter_mut().zip(&*games) {
        fast.begin(&game.board, &game.hands);
    }
    for _ in 0..games[0].hands[0].len() {
        for (fast, rngs) in fast.iter_mut().zip(&mut rngs) {
            let trump = fast.trump;
            fast.trick(|seat| rngs[seat].next_u64(), |won, seat, card| tally.lead(trump, won, seat, card));
        }
    }
    for (fast, game) in fast.iter().zip(games) {
        game.end_by(fast);
    }
}
