//! Fits the weights of verslun's hand-written evaluator `rule` by self-play.
//!
//! `cargo run --release -p knave-lab --bin fit_verslun_rule -- [GAMES] [SEED]` plays whole turns by the weights
//! themselves, moves the weights towards the points that came of each turn (TD(λ), Sutton 1988, with the
//! step sizes of AdaGrad), and prints a weights file. Runs without ambient randomness: the same arguments give
//! the same file.

use knave::games::CardGame as _;
use knave::games::verslun::value::context::{Upcoming, with_afterstate};
use knave::games::verslun::value::rule::{FEATURES, N, Rule, UPCOMING, features};
use knave::games::verslun::{Move, Rules, Verslun};
use knave_agents::rng::stream;
use knave_agents::{Game as _, Rng, Role, StepList, Tools as _, Turn};
use knave_lab::arguments::numbers;
use knave_lab::learner::{Learner, backwards};
use rand::RngExt as _;

/// How often a step is drawn at random instead.
const EXPLORE: f64 = 0.01;
/// The weight of what came later against the next estimate.
const LAMBDA: f32 = 0.8;

/// A turn's end: its points, its features, and what they were taken to be worth.
struct Turned {
    points: f32,
    upcoming: Upcoming,
    features: [f32; N],
    estimate: f32,
}

#[derive(Default)]
struct Player {
    steps: StepList<Move>,
    trace: Vec<Turned>,
}

impl Player {
    fn game(&mut self, rule: &Rule, mut position: Verslun, explore: f64, rng: &mut Rng) -> f32 {
        self.trace.clear();
        loop {
            match position.turn() {
                Turn::Over => return position.score(0) as f32,
                Turn::Chance | Turn::Shuffle => {
                    position.roll(rng);
                }
                Turn::Player(_) => {
                    position.steps(&mut self.steps);
                    let mut best = (f32::NEG_INFINITY, 0);
                    let explored = explore > 0.0 && rng.random::<f64>() < explore;
                    if explored {
                        best.1 = rng.random_range(0..self.steps.len());
                    } else {
                        for (i, step) in self.steps.iter().enumerate() {
                            let mut after = position.clone();
                            step.iter().for_each(|&m| after.play(m));
                            let value = rule.points(&after);
                            if value > best.0 {
                                best = (value, i);
                            }
                        }
                    }
                    self.steps.get(best.1).iter().for_each(|&m| position.play(m));
                    if position.turn() != Turn::Over {
                        let (upcoming, features) = with_afterstate(&position, |context, after| {
                            (after.upcoming, features(context, after))
                        });
                        let points = f32::from(position.board().points);
                        let estimate = points + rule.to_come(upcoming, &features);
                        self.trace.push(Turned { points, upcoming, features, estimate });
                    }
                }
            }
        }
    }
}

fn main() {
    let [games, seed] = numbers(["GAMES", "SEED"]);
    let (games, seed) = (games.unwrap_or(400_000), seed.unwrap_or(9001));
    let rules = Rules::default();
    let mut start = [[0.0; N]; 3];
    for weights in &mut start {
        weights[5] = 20.0;
        weights[6] = 20.0;
        weights[15] = 40.0;
    }
    let mut rule = Rule { weights: start };
    let mut learners = start.map(|weights| Learner::new(weights, 3.0));
    let mut player = Player::default();
    let mut sum = 0.0;
    for index in 0..games {
        if index == games / 2 {
            for (learner, weights) in learners.iter_mut().zip(rule.weights) {
                (learner.average, learner.rate) = (weights, 1.0);
            }
        }
        let deal = Verslun::deal(&rules, &mut stream(seed, index, Role::Deal));
        let mut rng = stream(seed, index, Role::Agent(0));
        let score = player.game(&rule, deal, EXPLORE, &mut rng);
        sum += f64::from(score);
        backwards(&player.trace, score, LAMBDA, |turned, target| {
            let row = turned.upcoming as usize;
            let error = target - turned.points - rule.to_come(turned.upcoming, &turned.features);
            learners[row].step(&mut rule.weights[row], turned.features.map(|x| error * x / 40.0));
            turned.estimate
        });
        for (learner, weights) in learners.iter_mut().zip(&rule.weights) {
            learner.follow(weights, |difference| 0.0002 * difference);
        }
        let tenth = (games / 10).max(1);
        if (index + 1).is_multiple_of(tenth) {
            eprintln!("{} games, {:.2} points in the last tenth", index + 1, sum / tenth as f64);
            sum = 0.0;
        }
    }
    let rule = Rule { weights: learners.map(|learner| learner.average) };
    let held_out = games.min(50_000);
    let sum: f64 = (0..held_out)
        .map(|index| {
            let deal = Verslun::deal(&rules, &mut stream(seed + 1, index, Role::Deal));
            f64::from(player.game(&rule, deal, 0.0, &mut stream(seed + 1, index, Role::Agent(0))))
        })
        .sum();
    eprintln!("held out: {:.2} points in {held_out} games", sum / held_out as f64);
    println!("made_by = \"cargo run --release -p knave-lab --bin fit_verslun_rule -- {games} {seed}\"");
    for ((name, _), weights) in UPCOMING.iter().zip(rule.weights) {
        println!("[weights.{name}]");
        for (name, weight) in FEATURES.iter().zip(weights) {
            println!("{name} = {weight:.3}");
        }
    }
}
