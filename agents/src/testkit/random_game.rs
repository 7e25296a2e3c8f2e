//! Random play, one move after another: what every quicker way must come to.

use crate::game::{Event, Game, Turn};
use crate::rng::{Rng, Role, Streams};

/// Plays a game to its end by random moves, and returns the end and the number of moves of each seat.
///
/// Every move is a [`Game::random_move`] with its seat's generator of these `streams`, and every random event a
/// [`Game::roll`] with that of [`Role::Chance`]. `watch` is shown each move before it is played and each random event after
/// it has happened.
pub fn random_game<G: Game>(
    mut position: G,
    streams: Streams,
    mut watch: impl FnMut(&G, &Event<G>),
) -> (G, Vec<u64>) {
    let mut chance = streams.role(Role::Chance);
    let mut rngs: Vec<Rng> = (0..position.seats()).map(|seat| streams.role(Role::Agent(seat))).collect();
    let (mut buffer, mut moves) = (Vec::new(), vec![0; rngs.len()]);
    loop {
        match position.turn() {
            Turn::Over => return (position, moves),
            Turn::Player(seat) => {
                let m = position.random_move(&mut buffer, &mut rngs[seat]);
                watch(&position, &Event::Move(seat, m));
                position.play(m);
                moves[seat] += 1;
            }
            turn => {
                let outcome = position.roll(&mut chance);
                watch(&position, &Event::of_chance(turn, outcome));
            }
        }
    }
}
