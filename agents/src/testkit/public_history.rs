//! The history that every seat is told: what it must not tell, in a game with moves that are made face down or shuffles that
//! nobody sees.

use super::LONGEST;
use crate::game::{Event, Game, Turn};
use crate::rng::{Rng, Role, stream};
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};

/// The most moves of a decision that are compared.
const MOST: usize = 24;

/// Checks in `games` random games under each of the rules that [`Game::tell`] tells no seat more of a move of another one than its
/// view does: where two moves leave its view the same, it is told the same of both. Nor is the mover told what its view hides: where
/// a move leaves its view the same in a sampled world, it is told the same there. Nor is anybody told more of a random event than
/// [`Event::of_chance`] where two outcomes leave the view the same.
///
/// Of what the mover knows and another seat does not, it compares what is told of different moves, and no more.
///
/// It is for games whose views remember. One that forgets, such as who led to a trick that has been taken, is told what everybody saw,
/// and fails here without a fault. [`super::conformance`] cannot tell them apart, so this is a test of its own.
///
/// # Panics
/// When the history tells two such moves, worlds or outcomes apart, or a game does not end; the message names the rules' index,
/// the game's index, the ply and the moves.
pub fn public_history<G: Game>(rules: &[G::Rules], games: u64) {
    for (r, rules) in rules.iter().enumerate() {
        for index in 0..games {
            let mut position = G::deal(rules, &mut stream(6, index, Role::Deal));
            let mut rng = stream(6, index, Role::Chance);
            let (mut moves, mut ply) = (Vec::new(), 0);
            while position.turn() != Turn::Over {
                let at = format!("rules {r}, seed 6, game {index}, ply {ply}");
                assert!(ply < LONGEST, "{at}: the game does not end");
                ply += 1;
                if let Turn::Player(mover) = position.turn() {
                    position.moves(&mut moves);
                    compare(&position, mover, &mut moves, &mut rng, &at);
                    let m = position.random_move(&mut moves, &mut rng);
                    position.play(m);
                } else {
                    compare_outcomes(&position, &mut rng, &at);
                    position.roll(&mut rng);
                }
            }
        }
    }
}

/// Compares what the seats see and are told of two outcomes of the random event that is due, beside the event itself: everybody sees
/// what chance brings, even where a view has no use for it.
fn compare_outcomes<G: Game>(position: &G, rng: &mut Rng, at: &str) {
    let turn = position.turn();
    let [(a, here, told), (b, there, other)] = [(); 2].map(|()| {
        let (mut after, mut told) = (position.clone(), Vec::new());
        let outcome = after.roll(&mut Rng::seed_from_u64(rng.random()));
        let event = Event::of_chance(turn, outcome);
        after.tell(event.clone(), &mut told);
        if let Some(at) = told.iter().position(|told| is_same(told, &event)) {
            told.remove(at);
        }
        (outcome, after, told)
    });
    for seat in 0..position.seats() {
        assert!(
            are_same(&told, &other) || here.view(seat) != there.view(seat),
            "{at}: the history tells seat {seat} more of a random event than its view does, which brought {a:?} or {b:?}"
        );
    }
}

/// Compares what the other seats see and are told of these moves, or of some where there are many.
fn compare<G: Game>(position: &G, mover: usize, moves: &mut Vec<G::Move>, rng: &mut Rng, at: &str) {
    moves.shuffle(rng);
    moves.truncate(MOST);
    let after = |position: &G, m: G::Move| {
        let (mut after, mut told) = (position.clone(), Vec::new());
        after.play(m);
        after.tell(Event::Move(mover, m), &mut told);
        (m, after, told)
    };
    let played: Vec<(G::Move, G, Vec<Event<G>>)> = moves.iter().map(|&m| after(position, m)).collect();
    let world = G::sample_world(&position.view(mover), rng);
    for (m, here, told) in &played {
        let (_, there, other) = after(&world, *m);
        assert!(
            are_same(told, &other) || here.view(mover) != there.view(mover),
            "{at}: the history tells seat {mover} what its view hides: after {m} it is told something else in a sampled world"
        );
    }
    for seat in (0..position.seats()).filter(|&seat| seat != mover) {
        let views: Vec<G::View> = played.iter().map(|(_, after, _)| after.view(seat)).collect();
        for (i, (a, _, told)) in played.iter().enumerate() {
            for (j, (b, _, other)) in played.iter().enumerate().skip(i + 1) {
                assert!(
                    are_same(told, other) || views[i] != views[j],
                    "{at}: the history tells seat {seat} whether seat {mover} played {a} or {b}, which its view does not: \
                     a game with such moves has PUBLIC_HISTORY = false"
                );
            }
        }
    }
}

fn are_same<G: Game>(told: &[Event<G>], other: &[Event<G>]) -> bool {
    told.len() == other.len() && told.iter().zip(other).all(|(a, b)| is_same(a, b))
}

fn is_same<G: Game>(a: &Event<G>, b: &Event<G>) -> bool {
    match (a, b) {
        (Event::Move(seat, m), Event::Move(other, n)) => (seat, m) == (other, n),
        (Event::Chance(outcome), Event::Chance(other)) => outcome == other,
        (Event::Shuffle, Event::Shuffle) => true,
        _ => false,
    }
}
