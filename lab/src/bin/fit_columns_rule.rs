//! Fits the weights of the hand-written evaluator `rule` of columns by self-play.
//!
//! `cargo run --release -p knave-lab --bin fit_columns_rule -- [GAMES] [SEED]` has three parts. First it plays GAMES games by the
//! weights themselves and moves them by logistic regression towards who won. What predicts a win is not quite what
//! brings it about, so then as many games are played between weights a little to either side of the current ones, along random
//! directions, and the weights move towards those that win (simultaneous perturbation, Spall 1992). That decides how
//! to play, by the weights for what a player leaves behind himself; those for what the other leaves behind, which searches
//! need, are learned anew from half as many games. It prints a weights file. Runs without ambient randomness: the same
//! arguments give the same file.

use knave::games::columns::value::knowledge::{SeatKnowledge, viewpoint};
use knave::games::columns::value::rule::{FEATURES, N, Rule, features};
use knave::games::columns::{Columns, Finish, Move, Rules};
use knave_agents::rng::stream;
use knave_agents::{Game as _, Rng, Role, StepList, Tools as _, Turn};
use knave_lab::arguments::numbers;
use knave_lab::learner::{Learner, backwards, probability, weighted};
use rand::RngExt as _;

/// How often a step is drawn at random instead.
const EXPLORE: f64 = 0.02;
/// The weight of what came later against the next estimate.
const LAMBDA: f32 = 0.9;

/// What a seat looked at: the viewpoint and the features.
type Look = (usize, [f32; N]);

/// Plays a game of these two rules and returns the utility of seat 0; `traces` receives what each seat
/// saw after each placement and phase.
fn game(
    rules: [&Rule; 2],
    mut position: Columns,
    explore: f64,
    rng: &mut Rng,
    traces: &mut [Vec<Look>; 2],
) -> f64 {
    let (mut line, mut steps): (Vec<Move>, _) = (Vec::new(), StepList::default());
    traces.iter_mut().for_each(Vec::clear);
    loop {
        match position.turn() {
            Turn::Over => return position.utility(0),
            Turn::Chance | Turn::Shuffle => {
                position.roll(rng);
            }
            Turn::Player(seat) => {
                if explore > 0.0 && rng.random::<f64>() < explore {
                    position.steps(&mut steps);
                    line.clear();
                    line.extend_from_slice(steps.get(rng.random_range(0..steps.len())));
                } else {
                    rules[seat].best(&position, &mut line);
                }
                line.iter().for_each(|&m| position.play(m));
                if explore > 0.0 && position.turn() != Turn::Over {
                    for (me, trace) in traces.iter_mut().enumerate() {
                        let knowledge = SeatKnowledge::new(&position, me);
                        let x = features(position.board(), position.hand(me), &knowledge);
                        trace.push((viewpoint(position.board(), me), x));
                    }
                }
            }
        }
    }
}

/// One game in eight is played under the other option, so that the rule knows both; stand-offs are cut short.
fn rules(index: u64) -> Rules {
    let finish = if index % 8 == 7 { Finish::Exact } else { Finish::AtLeast };
    Rules { finish, max_rounds: 150 }
}

/// Logistic regression towards who won, by self-play, of the weights of these viewpoints.
fn learn(mut rule: Rule, points: std::ops::Range<usize>, games: u64, seed: u64) -> Rule {
    let mut learners = rule.weights.map(|weights| Learner::new(weights, 0.3));
    let mut traces = [Vec::new(), Vec::new()];
    for index in 0..games {
        if index == games / 2 {
            for (learner, weights) in learners.iter_mut().zip(rule.weights) {
                (learner.average, learner.rate) = (weights, 0.1);
            }
        }
        let deal = Columns::deal(&rules(index), &mut stream(seed, index, Role::Deal));
        let mut rng = stream(seed, index, Role::Agent(0));
        let result = game([&rule, &rule], deal, EXPLORE, &mut rng, &mut traces) as f32;
        for (trace, result) in traces.iter().zip([result, 1.0 - result]) {
            backwards(trace, result, LAMBDA, |&(point, x), target| {
                let weights = &mut rule.weights[point];
                let estimate = probability(weighted(weights, &x));
                if points.contains(&point) {
                    learners[point].step(weights, x.map(|x| (target - estimate) * x));
                }
                estimate
            });
            for (learner, weights) in learners.iter_mut().zip(&rule.weights) {
                learner.follow(weights, |difference| 0.001 * difference);
            }
        }
    }
    Rule { weights: learners.map(|learner| learner.average) }
}

/// The share of games that `a` wins against `b` on these deals, each played from both seats.
fn duel(a: &Rule, b: &Rule, seed: u64, deals: std::ops::Range<u64>, rules: fn(u64) -> Rules) -> f64 {
    let mut traces = [Vec::new(), Vec::new()];
    let count = deals.end - deals.start;
    let mut score = 0.0;
    for index in deals {
        let deal = Columns::deal(&rules(index), &mut stream(seed, index, Role::Deal));
        let mut play =
            |seats| game(seats, deal.clone(), 0.0, &mut stream(seed, index, Role::Agent(0)), &mut traces);
        score += play([a, b]) + 1.0 - play([b, a]);
    }
    score / (2 * count) as f64
}

/// The weights that decide between ways to play, by viewpoint and feature. The bias does not: it is the same for all
/// of them.
fn weights() -> impl Iterator<Item = (usize, usize)> {
    (0..3).flat_map(|point| (0..N).filter(|&i| FEATURES[i] != "bias").map(move |i| (point, i)))
}

/// Moves the weights towards those that win.
fn climb(mut rule: Rule, games: u64, seed: u64) -> Rule {
    const DEALS: u64 = 16;
    let rounds = games / (2 * DEALS);
    let mut average = rule.clone();
    for round in 0..rounds {
        let mut rng = stream(seed, round, Role::Agent(1));
        let mut sides = [rule.clone(), rule.clone()];
        let mut steps = [[0.0; N]; 3];
        for (m, i) in weights() {
            let size = 0.2 * rule.weights[m][i].abs().max(0.15);
            steps[m][i] = if rng.random() { size } else { -size };
            sides[0].weights[m][i] += steps[m][i];
            sides[1].weights[m][i] -= steps[m][i];
        }
        let gain = 2.0 * duel(&sides[0], &sides[1], seed, round * DEALS..(round + 1) * DEALS, rules) - 1.0;
        let rate = 0.25 * (1.0 - round as f32 / rounds as f32);
        for (m, i) in weights() {
            rule.weights[m][i] += rate * gain as f32 * steps[m][i];
            average.weights[m][i] += 0.002 * (rule.weights[m][i] - average.weights[m][i]);
        }
    }
    average
}

fn main() {
    let [games, seed] = numbers(["GAMES", "SEED"]);
    let (games, seed) = (games.unwrap_or(150_000), seed.unwrap_or(9001));
    let mut start = [0.0; N];
    for (name, weight) in [("missing_own", -1.0), ("missing_opp", 1.0)] {
        start[FEATURES.iter().position(|feature| *feature == name).expect("a feature")] = weight;
    }
    let learned = learn(Rule { weights: [start; 6] }, 0..6, games, seed);
    let rule = climb(learned.clone(), games, seed + 1);
    let rule = learn(rule, 3..6, games / 2, seed + 2);
    for (name, other) in [("regression alone", &learned), ("before", &*Rule::fitted())] {
        let share = duel(&rule, other, seed + 3, 0..games.min(3_000), |_| Rules::default());
        eprintln!("against the weights of {name}: {share:.4}");
    }
    println!(
        "made_by = \"cargo run --release -p knave-lab --bin fit_columns_rule -- {games} {seed}\"\n[weights]"
    );
    for (i, name) in FEATURES.iter().enumerate() {
        let weights = rule.weights.map(|weights| format!("{:.4}", weights[i]));
        println!("{name} = [{}]", weights.join(", "));
    }
}
