//! Fast path for all-random play to the end, a turn at a time.
//!
//! The moves and random numbers are the same as one move after another. But here every decision has its place in the turn, and
//! every move its place in the code. Where a loop asks for the phase and for the kind of move, each coin that a random player
//! tosses misleads the processor several times.

use super::board::Phase;
use super::moves::Move;
use super::position::Verslun;
use super::tally::VerslunTally;
use knave_agents::rng::{Role, Streams, below};
use knave_agents::{Game as _, Rng, Turn};

/// The number of games that are dealt at once.
pub const TOGETHER: usize = 32;

/// Plays fresh games of the same rules to their ends and counts them.
pub fn play_at_random(
    games: &mut [Verslun],
    streams: &[Streams],
    tally: &mut VerslunTally,
    moves: &mut [u64],
) {
    debug_assert_eq!(games.len(), streams.len(), "a game has one set of generators");
    let mut buffer = Vec::new();
    for ((game, streams), moves) in games.iter_mut().zip(streams).zip(moves) {
        let mut rng = streams.role(Role::Agent(0));
        while game.board.phase == Phase::Turn {
            *moves += turn(game, &mut buffer, &mut rng, tally);
        }
        debug_assert_eq!(game.turn(), Turn::Over, "a turn leads to the next or to the end");
    }
}

/// Plays a turn, and returns the number of moves.
fn turn(game: &mut Verslun, buffer: &mut Vec<Move>, rng: &mut Rng, tally: &mut VerslunTally) -> u64 {
    let heads = |rng: &mut Rng| below(rng, 2) == 0;
    let mut moves = 1;
    if heads(rng) {
        make(game, Move::Draw, tally);
        game.draw();
    } else {
        make(game, Move::Stay, tally);
    }
    if game.board.phase == Phase::Redeal {
        moves += 1;
        if let Move::Redeal(column) = game.board.random_redeal(rng) {
            make(game, Move::Redeal(column), tally);
            if game.board.phase == Phase::Dealing {
                game.redeal();
            }
        } else {
            make(game, Move::Keep, tally);
        }
    }
    if game.board.phase == Phase::Claim {
        moves += 1;
        if let Move::Claim(claim) = game.random_move(buffer, rng) {
            make(game, Move::Claim(claim), tally);
            moves += 1;
            if heads(rng) {
                make(game, Move::End, tally);
            } else {
                make(game, Move::On, tally);
            }
        } else {
            make(game, Move::Pass, tally);
        }
    }
    moves
}

/// Counts and plays a move, inlined where its kind is known.
#[inline(always)]
fn make(game: &mut Verslun, m: Move, tally: &mut VerslunTally) {
    tally.count(&game.board, m);
    game.play(m);
}
