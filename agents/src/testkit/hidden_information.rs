//! Hidden information: what views must not tell, in a game that hides something.

use super::LONGEST;
use crate::game::{Game, Seat, Turn};
use crate::rng::{Rng, Role, stream};
use rand::{RngExt as _, SeedableRng as _};

/// Two worlds that differ do so within so many moves and random events.
const FAR: usize = 200;

/// Checks that something is hidden from every seat, in `games` random games under each of the rules: worlds that are sampled
/// from a view differ now and then, in what another seat sees or in how the game goes on by the same random numbers.
///
/// A view that tells everything passes [`super::conformance`], for it is that of a game with all cards open. This is for games
/// that are meant to hide something. It does not notice a view that tells a part of it.
///
/// # Panics
/// When all worlds of a seat are the same, or a game does not end; the message names the rules' index and the seat.
pub fn hidden_information<G: Game>(rules: &[G::Rules], games: u64) {
    for (r, rules) in rules.iter().enumerate() {
        // By seat: the decisions, until worlds differ.
        let (mut decisions, mut hides) = (Vec::new(), Vec::new());
        for index in 0..games {
            let mut position = G::deal(rules, &mut stream(4, index, Role::Deal));
            let mut rng = stream(4, index, Role::Chance);
            decisions.resize(position.seats(), 0);
            hides.resize(position.seats(), false);
            let (mut buffer, mut plies) = (Vec::new(), 0);
            while position.turn() != Turn::Over {
                assert!(plies < LONGEST, "rules {r}, game {index}: the game does not end");
                plies += 1;
                if let Turn::Player(seat) = position.turn() {
                    decisions[seat] += 1;
                    hides[seat] = hides[seat] || worlds_differ(&position, seat, &mut rng);
                }
                step(&mut position, &mut buffer, &mut rng);
            }
        }
        for (seat, decisions) in decisions.into_iter().enumerate() {
            assert!(
                hides[seat] || decisions == 0,
                "rules {r}: nothing is hidden from seat {seat}: in {decisions} decisions all sampled worlds are the same"
            );
        }
    }
}

fn worlds_differ<G: Game>(position: &G, seat: Seat, rng: &mut Rng) -> bool {
    let view = position.view(seat);
    let [mut a, mut b] = [(); 2].map(|()| G::sample_world(&view, rng));
    let seed = rng.random();
    let [mut rng_a, mut rng_b] = [(); 2].map(|()| Rng::seed_from_u64(seed));
    let mut buffer = Vec::new();
    for _ in 0..FAR {
        if a.turn() != b.turn() || (0..a.seats()).any(|seat| a.view(seat) != b.view(seat)) {
            return true;
        }
        if a.turn() == Turn::Over {
            return false;
        }
        step(&mut a, &mut buffer, &mut rng_a);
        step(&mut b, &mut buffer, &mut rng_b);
    }
    false
}

/// Plays a random move or the random event that is due.
fn step<G: Game>(position: &mut G, buffer: &mut Vec<G::Move>, rng: &mut Rng) {
    if let Turn::Player(_) = position.turn() {
        let m = position.random_move(buffer, rng);
        position.play(m);
    } else {
        position.roll(rng);
    }
}
