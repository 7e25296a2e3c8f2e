//! Fits the weights of the hand-written evaluator `rule` of columns by self-play.
//!
//! `cargo run --release --example fit_columns_rule -- [GAMES] [SEED]` plays whole phases by the weights themselves,
//! moves the weights by logistic regression towards who won, and prints a weights file. Runs without ambient
//! randomness: the same arguments give the same file.

use knave::games::columns::heuristic::{FEATURES, Insight, N, Rule, features, moment};
use knave::games::columns::{Columns, Finish, Move, Rules};
use knave_agents::rng::stream;
use knave_agents::{Game as _, Rng, Role, StepList, Steps as _, Turn};
use rand::RngExt as _;

/// How often a step is drawn at random instead.
const EXPLORE: f64 = 0.02;
/// The weight of what came later against the next estimate.
const LAMBDA: f32 = 0.9;

/// What a rule looked at: the moment and the features.
type Look = (usize, [f32; N]);

struct Learner {
    rule: Rule,
    average: [[f32; N]; 3],
    squares: [[f32; N]; 3],
    rate: f32,
}

impl Learner {
    /// Learns from what one seat saw in a game, and what became of it.
    fn learn(&mut self, trace: &[Look], result: f32) {
        let mut target = result;
        for (moment, x) in trace.iter().rev() {
            let (weights, squares) = (&mut self.rule.weights[*moment], &mut self.squares[*moment]);
            let logit: f32 = x.iter().zip(&*weights).map(|(x, w)| x * w).sum();
            let estimate = 1.0 / (1.0 + (-logit).exp());
            let error = target - estimate;
            for (i, x) in x.iter().enumerate() {
                let gradient = error * x;
                squares[i] += gradient * gradient;
                weights[i] += self.rate * gradient / (squares[i] + 1.0).sqrt();
            }
            target = LAMBDA * target + (1.0 - LAMBDA) * estimate;
        }
        for (mean, w) in self.average.iter_mut().flatten().zip(self.rule.weights.iter().flatten()) {
            *mean += 0.001 * (w - *mean);
        }
    }
}

/// Plays a game of these two rules and returns the utility of seat 0; `traces` receives what each seat's rule looked at
/// after each placement and phase.
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
                        let insight = Insight::new(&position, me);
                        trace.push((
                            moment(position.board()),
                            features(position.board(), position.hand(me), &insight),
                        ));
                    }
                }
            }
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let games: u64 = arguments.next().unwrap_or(100_000);
    let seed: u64 = arguments.next().unwrap_or(9001);
    let mut start = [0.0; N];
    start[3] = 1.0;
    start[4] = -2.0;
    start[5] = 2.0;
    let first = Rule { weights: [start; 3] };
    let mut learner = Learner { rule: first, average: [start; 3], squares: [[0.0; N]; 3], rate: 0.3 };
    let mut traces = [Vec::new(), Vec::new()];
    // One game in eight under the other option, so that the rule knows both.
    let rules = |index: u64| {
        let finish = if index % 8 == 7 { Finish::Exact } else { Finish::AtLeast };
        Rules { finish, max_rounds: 150 }
    };
    let mut middle = learner.rule.clone();
    for index in 0..games {
        if index == games / 2 {
            learner.average = learner.rule.weights;
            middle.weights = learner.average;
            learner.rate = 0.1;
        }
        let deal = Columns::deal(&rules(index), &mut stream(seed, index, Role::Deal));
        let mut rng = stream(seed, index, Role::Agent(0));
        let result = game([&learner.rule, &learner.rule], deal, EXPLORE, &mut rng, &mut traces);
        learner.learn(&traces[0], result as f32);
        learner.learn(&traces[1], 1.0 - result as f32);
        if (index + 1).is_multiple_of((games / 10).max(1)) {
            eprintln!("{} games", index + 1);
        }
    }
    let rule = Rule { weights: learner.average };
    for (name, other) in [("half the games", &middle), ("before", &*Rule::fitted())] {
        let held_out = games.min(3_000);
        let mut score = 0.0;
        for index in 0..held_out {
            let deal = Columns::deal(&Rules::default(), &mut stream(seed + 1, index, Role::Deal));
            let mut play = |seats| {
                game(seats, deal.clone(), 0.0, &mut stream(seed + 1, index, Role::Agent(0)), &mut traces)
            };
            score += play([&rule, other]) + 1.0 - play([other, &rule]);
        }
        eprintln!("against the weights of {name}: {:.4}", score / (2 * held_out) as f64);
    }
    println!("made_by = \"cargo run --release --example fit_columns_rule -- {games} {seed}\"\n[weights]");
    for (i, name) in FEATURES.iter().enumerate() {
        let [roll, first, second] = rule.weights.map(|weights| weights[i]);
        println!("{name} = [{roll:.4}, {first:.4}, {second:.4}]");
    }
}
