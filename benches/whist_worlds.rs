//! How long a sampled world takes in whist: `cargo bench --bench whist_worlds`.
//!
//! In positions of random games, the time of one more world from the same view, which is what a search asks for, and of
//! the first one, set-up included. The least of several rounds counts: others use the machine as well.

use knave::games::whist::{Rules, Whist};
use knave_agents::rng::stream;
use knave_agents::{Game, Rng, Role, Turn};
use std::hint::black_box;
use std::time::Instant;

/// Samples from each view.
const SAMPLES: u32 = 1000;
const ROUNDS: usize = 15;

#[expect(clippy::disallowed_methods, reason = "this measures time and decides nothing by it")]
fn now() -> Instant {
    Instant::now()
}

/// The positions after so many cards of 64 random games.
fn positions(cards: usize) -> Vec<Whist> {
    let after = |index| {
        let mut position = Whist::deal(&Rules::default(), &mut stream(7001, index, Role::Deal));
        let mut rng = stream(7001, index, Role::Chance);
        for _ in 0..cards {
            let m = position.random_move(&mut Vec::new(), &mut rng);
            position.play(m);
        }
        position
    };
    (0..64).map(after).collect()
}

/// Nanoseconds of one of `times` calls.
fn nanos(times: u32, mut call: impl FnMut()) -> f64 {
    let start = now();
    (0..times).for_each(|_| call());
    start.elapsed().as_nanos() as f64 / f64::from(times)
}

fn main() {
    println!("cards played  a world, ns  the first, ns");
    for cards in [0, 8, 18, 26, 35, 44] {
        let positions = positions(cards);
        let mut rng = Rng::new(1);
        let mut best = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            let mut sums = [0.0; 2];
            for position in &positions {
                let Turn::Player(seat) = position.turn() else { continue };
                let view = position.view(seat);
                black_box(Whist::sample_world(&view, &mut rng));
                sums[0] += nanos(SAMPLES, || {
                    black_box(Whist::sample_world(black_box(&view), &mut rng));
                });
                sums[1] += nanos(SAMPLES / 10, || {
                    black_box(Whist::sample_world(&black_box(position).view(seat), &mut rng));
                });
            }
            for (best, sum) in best.iter_mut().zip(sums) {
                *best = best.min(sum / positions.len() as f64);
            }
        }
        println!("{cards:12}  {:11.1}  {:13.1}", best[0], best[1]);
    }
}
