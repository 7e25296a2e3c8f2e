//! Fits the weights of the hand-written evaluator `rule` of doubles.
//!
//! `cargo run --release -p knave-lab --bin fit_doubles_rule -- [GAMES] [STEPS] [SEED]` works in two stages. So many games
//! of self-play by two players move the weights by logistic regression towards who won. Then, for two
//! players and for each further number from what the one before has come to, the weights climb in so many
//! steps: a few of them are changed at random, and kept when one player who has them wins more than its part
//! against others who have not. (Self-play alone hoards cards too much where many play.) Runs without
//! ambient randomness: the same arguments give the same file, which is printed.

use knave::games::doubles::steps::distinct_moves;
use knave::games::doubles::value::rule::Rule;
use knave::games::doubles::value::rule_features::{FEATURES, N, features};
use knave::games::doubles::{Doubles, Rules};
use knave_agents::rng::stream;
use knave_agents::{Game as _, Policy as _, Rng, Role, Turn};
use knave_lab::arguments::numbers;
use knave_lab::learner::{Learner, backwards, probability, weighted};
use rand::RngExt as _;

/// How often a move is drawn at random instead.
const EXPLORE: f64 = 0.02;
/// The weight of what came later against the next estimate.
const LAMBDA: f32 = 0.9;
/// How many weights a step of the climb changes.
const CHANGED: usize = 3;
/// The games in which a step is tried, each deal from every seat, and those in which it must prove itself.
const TRIED: u64 = 300;
const PROVED: u64 = 1_500;

type Weights = [f32; N];

/// The rule with these weights for any number of players.
fn rule(weights: &Weights) -> Rule {
    Rule { weights: [*weights; 6] }
}

/// Plays a game and keeps what every seat saw of its moves.
fn game(rule: &Rule, mut position: Doubles, rng: &mut Rng, traces: &mut [Vec<(Weights, f32)>]) -> Doubles {
    traces.iter_mut().for_each(Vec::clear);
    let players = position.board().players;
    loop {
        match position.turn() {
            Turn::Over => return position,
            Turn::Chance | Turn::Shuffle => {
                position.roll(rng);
            }
            Turn::Player(seat) => {
                let m = if rng.random::<f64>() < EXPLORE {
                    let mut moves = Vec::new();
                    distinct_moves(&position, |m| moves.push(m));
                    moves[rng.random_range(0..moves.len())]
                } else {
                    rule.best(&position)
                };
                let features = features(&position, m);
                let estimate = probability(rule.logit(players, &features));
                traces[seat].push((features.all(), estimate));
                position.play(m);
            }
        }
    }
}

/// Self-play from these weights on.
fn self_play(players: u8, games: u64, seed: u64, start: Weights) -> Weights {
    let rules = Rules { players, ..Rules::default() };
    let (mut rule, mut learner) = (rule(&start), Learner::new(start, 0.3));
    // The seats' games since the mean was begun.
    let mut averaged = 0.0;
    let mut traces = vec![Vec::new(); usize::from(players)];
    for index in 0..games {
        if index == games / 2 {
            averaged = 0.0;
            learner.rate = 0.1;
        }
        let deal = Doubles::deal(&rules, &mut stream(seed, index, Role::Deal));
        let mut rng = stream(seed, index, Role::Agent(0));
        let end = game(&rule, deal, &mut rng, &mut traces);
        let weights = &mut rule.weights[usize::from(players) - 2];
        for (seat, trace) in traces.iter().enumerate() {
            backwards(trace, end.utility(seat) as f32, LAMBDA, |&(x, estimate), target| {
                let error = target - probability(weighted(weights, &x));
                learner.step(weights, x.map(|x| error * x));
                estimate
            });
            averaged += 1.0;
            learner.follow(weights, |difference| difference / averaged);
        }
    }
    learner.average
}

/// How much more than its part one player with the weights `new` wins among others with `old`, and the
/// standard error of that; in parts.
fn gain(new: &Weights, old: &Weights, players: u8, seed: u64, deals: std::ops::Range<u64>) -> (f64, f64) {
    let rules = Rules { players, ..Rules::default() };
    let (new, old) = (rule(new), rule(old));
    let (mut sum, mut squares, mut buffer) = (0.0, 0.0, Vec::new());
    let count = (deals.end - deals.start) as f64;
    for index in deals {
        let mut won = 0.0;
        for seat in 0..usize::from(players) {
            let mut position = Doubles::deal(&rules, &mut stream(seed, index, Role::Deal));
            let mut rng = stream(seed, index, Role::Chance);
            loop {
                match position.turn() {
                    Turn::Over => break,
                    Turn::Player(mover) => {
                        let rule = if mover == seat { &new } else { &old };
                        let m = rule.choose(&position, &mut buffer, &mut rng);
                        position.play(m);
                    }
                    Turn::Chance | Turn::Shuffle => {
                        position.roll(&mut rng);
                    }
                }
            }
            won += position.utility(seat);
        }
        sum += won - 1.0;
        squares += (won - 1.0).powi(2);
    }
    let mean = sum / count;
    (mean, ((squares / count - mean * mean).max(0.0) / count).sqrt())
}

/// Random changes, the better of which are kept.
fn climb(players: u8, steps: u64, seed: u64, mut weights: Weights) -> Weights {
    let mut rng = stream(seed, u64::from(players), Role::Agent(1));
    let (mut kept, mut deal) = (0, 0);
    let (tries, proofs) = (TRIED / u64::from(players), PROVED / u64::from(players));
    for _ in 0..steps {
        let mut new = weights;
        for _ in 0..CHANGED {
            let i = rng.random_range(0..N);
            new[i] += (0.5 * new[i].abs() + 0.1) * rng.random_range(-1.0_f32..1.0);
        }
        let (tried, error) = gain(&new, &weights, players, seed + 1, deal..deal + tries);
        deal += tries;
        if tried > error {
            let (proved, error) = gain(&new, &weights, players, seed + 1, deal..deal + proofs);
            deal += proofs;
            if proved > 1.5 * error {
                weights = new;
                kept += 1;
            }
        }
    }
    eprintln!("{players} players: {kept} steps of {steps} kept");
    weights
}

fn main() {
    let [games, steps, seed] = numbers(["GAMES", "STEPS", "SEED"]);
    let (games, steps, seed) = (games.unwrap_or(100_000), steps.unwrap_or(500), seed.unwrap_or(9001));
    // Points and cards are good.
    let mut weights = [0.0; N];
    weights[2] = 2.0;
    weights[3] = 2.0;
    weights = self_play(2, games, seed, weights);
    let mut fitted = Vec::new();
    for players in 2..=7 {
        weights = climb(players, steps, seed, weights);
        fitted.push(weights);
    }
    println!(
        "made_by = \"cargo run --release -p knave-lab --bin fit_doubles_rule -- {games} {steps} {seed}\"\n[weights]"
    );
    for (i, name) in FEATURES.iter().enumerate() {
        let columns: Vec<String> = fitted.iter().map(|weights| format!("{:.4}", weights[i])).collect();
        println!("{name} = [{}]", columns.join(", "));
    }
}
