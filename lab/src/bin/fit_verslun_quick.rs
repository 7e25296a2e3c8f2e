//! Fits the weights of verslun's policy `quick` by the cross-entropy method (Rubinstein 1999).
//!
//! `cargo run --release -p knave-lab --bin fit_verslun_quick -- [ROUNDS] [SEED] > agents/models/verslun-quick.toml` draws players
//! around the weights of that file, lets all play the same deals, and moves the weights to the mean of the best; every round has
//! deals of its own. Runs without ambient randomness: the same arguments and file give the same file.

use knave::games::verslun::quick::{N, NAMES, Quick};
use knave::games::verslun::{Rules, Verslun};
use knave_agents::rng::stream;
use knave_agents::{Game as _, Rng, Role, Turn};
use rand::RngExt as _;

/// Players a round, those that are kept, and the games of each.
const PLAYERS: usize = 60;
const KEPT: usize = 12;
const GAMES: u64 = 3_000;

/// The points of a player in the games of a round.
fn points(quick: &Quick, seed: u64, round: u64) -> u64 {
    let mut sum = 0;
    for game in 0..GAMES {
        let mut rng = stream(seed, round * GAMES + game, Role::Deal);
        let mut position = Verslun::deal(&Rules::default(), &mut rng);
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Player(_) => match quick.decide(&position.view(0)) {
                    Some(m) => position.play(m),
                    None => break,
                },
                _ => {
                    position.roll(&mut rng);
                }
            }
        }
        sum += u64::from(position.board().points);
    }
    sum
}

/// A draw from the standard normal distribution, nearly: the sum of twelve.
fn normal(rng: &mut Rng) -> f32 {
    (0..12).map(|_| rng.random::<f32>()).sum::<f32>() - 6.0
}

fn main() {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let rounds = arguments.first().copied().unwrap_or(60);
    let seed = arguments.get(1).copied().unwrap_or(9050);
    let mut rng = stream(seed, 0, Role::Agent(0));
    let mut mean = Quick::fitted().weights;
    let mut spread = mean.map(|weight| 1.0 + 0.3 * weight.abs());
    // Of points there are many in a hand; a share is small.
    (spread[9], spread[N - 1]) = (0.1, 0.3);
    for round in 0..rounds {
        let mut players: Vec<([f32; N], u64)> = (0..PLAYERS)
            .map(|_| {
                let weights = std::array::from_fn(|i| mean[i] + spread[i] * normal(&mut rng));
                (weights, points(&Quick::new(weights), seed, round))
            })
            .collect();
        players.sort_by_key(|&(_, points)| std::cmp::Reverse(points));
        let best = &players[..KEPT];
        for i in 0..N {
            let kept = |f: &dyn Fn(f32) -> f32| best.iter().map(|(w, _)| f(w[i])).sum::<f32>() / KEPT as f32;
            let to = kept(&|w| w);
            let variance = kept(&|w| (w - to) * (w - to));
            // The spread shrinks slowly, lest a lucky round end the search.
            spread[i] = 0.7 * spread[i] + 0.3 * variance.sqrt();
            mean[i] = 0.3 * mean[i] + 0.7 * to;
        }
        let average = players.iter().map(|p| p.1).sum::<u64>() as f64 / (PLAYERS as u64 * GAMES) as f64;
        eprintln!("round {round}: mean {average:.2}, best {:.2}", players[0].1 as f64 / GAMES as f64);
    }
    println!(
        "made_by = \"cargo run --release -p knave-lab --bin fit_verslun_quick -- {rounds} {seed}\"\n[weights]"
    );
    for (name, weight) in NAMES.iter().zip(mean) {
        println!("{name} = {weight:.3}");
    }
}
