//! Fits the weights of verslun's penalty so that the bound is as low as it gets.
//!
//! The bound is a mean of maxima of functions that are linear in the weights, so it is convex in them, and the surprises of a
//! best line are a subgradient. It begins with the weights in use. Steps are those of [`Adam`] with a falling rate; the weights
//! are averaged over the last half of the steps. Prints the file of weights.
//!
//! ```sh
//! cargo run --release -p knave-lab --bin fit_verslun_penalty -- 400 24 9070 > target/verslun-penalty.toml
//! mv target/verslun-penalty.toml games/src/verslun/models
//! ```
//!
//! The arguments are the number of steps, the deals in a step and the seed of the deals. The same file in use and the same
//! arguments give the same new one.

use knave::games::verslun::bound::Relaxation;
use knave::games::verslun::bound::penalty::{CASES, FEATURES, N, Weights, case_name, fitted};
use knave::games::verslun::{Rules, Verslun};
use knave_agents::Game as _;
use knave_agents::rng::{Role, stream};
use knave_lab::adam::Adam;
use knave_lab::arguments::numbers;
use std::sync::Arc;

/// The first draw comes to everybody: its weights change nothing but the noise of the bound, and stay as they are.
const FIRST: &str = "draw-open4-redeals3";

fn main() {
    let [Some(steps), Some(deals), Some(seed)] = numbers(["STEPS", "DEALS", "SEED"]) else {
        panic!("expected steps, deals in a step, seed")
    };
    let rules = Rules::default();
    let mut weights: Weights = *fitted();
    let first = (0..CASES).find(|&case| case_name(case) == FIRST).expect("a case");
    let mut adam = [(); CASES].map(|()| Adam::new(0.01, 1e-3));
    let mut average = [[0.0; N]; CASES];
    let mut recent = 0.0;
    for step in 0..steps {
        let shared = Arc::new(weights);
        let parts: Vec<([[f64; N]; CASES], f64)> = std::thread::scope(|scope| {
            let half = |part: u64| {
                let shared = Arc::clone(&shared);
                scope.spawn(move || {
                    let mut relaxed = Relaxation::new(shared);
                    let (mut gradient, mut sum, mut line) = ([[0.0; N]; CASES], 0.0, Vec::new());
                    for index in (part..deals).step_by(2) {
                        let deal = Verslun::deal(&rules, &mut stream(seed, step * deals + index, Role::Deal));
                        sum += relaxed.line(&rules, &deal, seed ^ (step * deals + index), &mut line);
                        for (case, surprise) in &line {
                            for (g, s) in gradient[*case].iter_mut().zip(surprise) {
                                *g += s / deals as f64;
                            }
                        }
                    }
                    (gradient, sum / deals as f64)
                })
            };
            let threads = [half(0), half(1)];
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let rate = 1.0 * (1.0 - step as f64 / steps as f64) + 0.02;
        let bound: f64 = parts.iter().map(|part| part.1).sum();
        recent = if step == 0 { bound } else { 0.95 * recent + 0.05 * bound };
        for case in (0..CASES).filter(|&case| case_name(case) != FIRST) {
            let gradient = std::array::from_fn(|i| parts.iter().map(|part| part.0[case][i]).sum());
            adam[case].step(&mut weights[case], &gradient, rate);
            if step >= steps / 2 {
                for (mean, weight) in average[case].iter_mut().zip(weights[case]) {
                    *mean += weight / (steps - steps / 2) as f64;
                }
            }
        }
        if step % 10 == 9 {
            eprintln!("step {}: bound about {recent:.2}", step + 1);
        }
    }
    average[first] = weights[first];
    println!(
        "made_by = \"cargo run --release -p knave-lab --bin fit_verslun_penalty -- {steps} {deals} {seed}\"\n"
    );
    for (case, row) in average.iter().enumerate() {
        if row.iter().any(|&weight| weight.abs() > 5e-4) {
            println!("[weights.{}]", case_name(case));
            for (name, weight) in FEATURES.iter().zip(row) {
                println!("{name} = {weight:.3}");
            }
            println!();
        }
    }
}
