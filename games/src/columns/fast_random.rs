//! Fast path for all-random play to the end, a phase at a time.
//!
//! The moves and random numbers are the same as one move after another. But here every kind of move has its place in the code,
//! where the loop for any game asks three times for it: to draw, to count and to play it.

use super::board::{Due, Phase};
use super::move_sets::random_placement;
use super::moves::Move;
use super::position::Columns;
use super::rules::Rules;
use super::tally::ColumnsTally;
use knave_agents::rng::{Role, Streams};
use knave_agents::{Game as _, Rng, Turn};

/// The number of games that are played before they are counted as finished: the tally keeps the placements of one game until it
/// has a winner.
pub const TOGETHER: usize = 1;

/// The most rounds of a game on the fast path. They take about a twentieth of a second, in which nobody can stop it.
const MOST_ROUNDS: u32 = 100_000;

/// Whether the fast path plays by these rules: games must not be too long. By `finish=exact` some go on to the last round.
pub fn applies(rules: &Rules) -> bool {
    rules.max_rounds <= MOST_ROUNDS
}

/// Plays fresh games of the same rules to their ends and counts them.
pub fn play_at_random(
    games: &mut [Columns],
    streams: &[Streams],
    tally: &mut ColumnsTally,
    moves: &mut [u64],
) {
    debug_assert_eq!(games.len(), streams.len(), "a game has one set of generators");
    for ((game, streams), moves) in games.iter_mut().zip(streams).zip(moves.chunks_exact_mut(2)) {
        let mut chance = streams.role(Role::Chance);
        let mut agents = [streams.role(Role::Agent(0)), streams.role(Role::Agent(1))];
        loop {
            match game.turn() {
                Turn::Player(seat) if game.board.phase == Phase::Place => {
                    let m = random_placement(&game.board, &mut agents[seat]);
                    make(game, m, tally);
                    moves[seat] += 1;
                }
                Turn::Player(seat) => moves[seat] += phase(game, &mut agents[seat], tally),
                // Only dice and reshuffles need numbers.
                Turn::Chance | Turn::Shuffle => _ = game.roll(&mut chance),
                Turn::Over => break,
            }
        }
    }
}

/// Plays on until the mover is done or cards are to be drawn, and returns the number of moves.
fn phase(game: &mut Columns, rng: &mut Rng, tally: &mut ColumnsTally) -> u64 {
    let seat = game.board.mover();
    let mut moves = 0;
    loop {
        moves += 1;
        match game.move_sets.random_move(seat, game.hands[seat], rng) {
            Move::Play(pair, card) => make(game, Move::Play(pair, card), tally),
            Move::Steal(pair, card) => make(game, Move::Steal(pair, card), tally),
            Move::Finish(pair) => make(game, Move::Finish(pair), tally),
            Move::Done => {
                make(game, Move::Done, tally);
                return moves;
            }
            Move::Place(_) => unreachable!("dice are placed before a phase of play"),
        }
        if game.board.due != Due::Nothing || game.board.phase == Phase::Over {
            return moves;
        }
    }
}

/// Counts and plays a move, inlined where its kind is known.
#[inline(always)]
fn make(game: &mut Columns, m: Move, tally: &mut ColumnsTally) {
    tally.count(game, m);
    game.play(m);
}
