//! Fits the weights of the hand-written evaluator `rule` of doubles by self-play.
//!
//! `cargo run --release --example fit_doubles_rule -- [GAMES] [SEED]` plays so many games for every number
//! of players, all seats by the weights themselves, moves the weights by logistic regression towards who
//! won, and prints a weights file. Runs without ambient randomness: the same arguments give the same file.

use knave::games::doubles::heuristic::{FEATURES, N, Rule, features};
use knave::games::doubles::{Doubles, Rules};
use knave_agents::rng::stream;
use knave_agents::{Game as _, Rng, Role, Turn};
use rand::RngExt as _;

/// How often a move is drawn at random instead.
const EXPLORE: f64 = 0.02;
/// The weight of what came later against the next estimate.
const LAMBDA: f32 = 0.9;

struct Learner {
    rule: Rule,
    /// The mean of the weights since it was begun, over so many seats' games.
    average: [f32; N],
    averaged: f32,
    squares: [f32; N],
    rate: f32,
}

impl Learner {
    fn learn(&mut self, players: u8, trace: &[([f32; N], f32)], won: f32) {
        let weights = &mut self.rule.weights[usize::from(players) - 2];
        let mut target = won;
        for (x, estimate) in trace.iter().rev() {
            let logit: f32 = x.iter().zip(weights.iter()).map(|(x, w)| x * w).sum();
            let error = target - 1.0 / (1.0 + (-logit).exp());
            for (i, x) in x.iter().enumerate() {
                let gradient = error * x;
                self.squares[i] += gradient * gradient;
                weights[i] += self.rate * gradient / (self.squares[i] + 1.0).sqrt();
            }
            target = LAMBDA * target + (1.0 - LAMBDA) * estimate;
        }
        self.averaged += 1.0;
        for (mean, w) in self.average.iter_mut().zip(weights) {
            *mean += (*w - *mean) / self.averaged;
        }
    }
}

/// Plays a game and keeps what every seat saw of its moves.
fn game(rule: &Rule, mut position: Doubles, rng: &mut Rng, traces: &mut [Vec<([f32; N], f32)>]) -> Doubles {
    traces.iter_mut().for_each(Vec::clear);
    let players = position.table().players;
    loop {
        match position.turn() {
            Turn::Over => return position,
            Turn::Chance | Turn::Shuffle => {
                position.roll(rng);
            }
            Turn::Player(seat) => {
                let (m, x) = if rng.random::<f64>() < EXPLORE {
                    let mut moves = Vec::new();
                    position.distinct_moves(|m| moves.push(m));
                    let m = moves[rng.random_range(0..moves.len())];
                    (m, features(&position, m))
                } else {
                    rule.best(&position)
                };
                let estimate = 1.0 / (1.0 + (-rule.logit(players, &x)).exp());
                traces[seat].push((x, estimate));
                position.play(m);
            }
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let games: u64 = arguments.next().unwrap_or(100_000);
    let seed: u64 = arguments.next().unwrap_or(9001);
    let mut fitted = Rule { weights: [[0.0; N]; 6] };
    // Points and cards are good.
    let mut start = [0.0; N];
    start[2] = 2.0;
    start[3] = 2.0;
    for players in 2..=7 {
        let rules = Rules { players, ..Rules::default() };
        // Each number of players begins with what the one before has learned.
        let mut learner = Learner {
            rule: Rule { weights: [start; 6] },
            average: start,
            averaged: 0.0,
            squares: [0.0; N],
            rate: 0.3,
        };
        let mut traces = vec![Vec::new(); usize::from(players)];
        let mut rolls = 0;
        for index in 0..games {
            if index == games / 2 {
                learner.averaged = 0.0;
                learner.rate = 0.1;
            }
            let deal = Doubles::deal(&rules, &mut stream(seed, index, Role::Deal));
            let mut rng = stream(seed, index, Role::Agent(0));
            let end = game(&learner.rule, deal, &mut rng, &mut traces);
            rolls += u64::from(end.table().rolls);
            for (seat, trace) in traces.iter().enumerate() {
                learner.learn(players, trace, end.utility(seat) as f32);
            }
        }
        eprintln!("{players} players: {:.1} rolls a game", rolls as f64 / games as f64);
        fitted.weights[usize::from(players) - 2] = learner.average;
        start = learner.average;
    }
    println!("made_by = \"cargo run --release --example fit_doubles_rule -- {games} {seed}\"\n[weights]");
    for (i, name) in FEATURES.iter().enumerate() {
        let columns: Vec<String> = fitted.weights.iter().map(|set| format!("{:.4}", set[i])).collect();
        println!("{name} = [{}]", columns.join(", "));
    }
}
