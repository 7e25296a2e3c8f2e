//! Fits the weights of the dungeon's hand-written evaluator `rule` by self-play.
//!
//! `cargo run --release -p knave-lab --bin fit_dungeon_rule -- [GAMES] [SEED]` plays whole turns by the weights
//! themselves, with the exact end-game, moves the weights by logistic regression towards who won, and
//! prints a weights file. Runs without ambient randomness: the same arguments give the same file.

use knave::games::CardGame as _;
use knave::games::dungeon::clairvoyant::end_game::DungeonSolver;
use knave::games::dungeon::value::rule::{FEATURES, N, Rule, features};
use knave::games::dungeon::{Dungeon, Rules};
use knave_agents::rng::stream;
use knave_agents::{EndGameSolver as _, Game as _, Rng, Role, Solution, StepList, Tools as _, Turn};
use knave_lab::arguments::numbers;
use knave_lab::learner::{Learner, backwards, probability, weighted};
use rand::RngExt as _;

/// The exact end-game's budget.
const NODES: u64 = 20_000;
/// How often a step is drawn at random instead.
const EXPLORE: f64 = 0.01;
/// The weight of what came later against the next estimate.
const LAMBDA: f32 = 0.9;

struct Player {
    solver: DungeonSolver,
    steps: StepList<knave::games::dungeon::Move>,
    line: Vec<knave::games::dungeon::Move>,
    trace: Vec<([f32; N], f32)>,
}

impl Player {
    fn game(&mut self, rule: &Rule, mut position: Dungeon, explore: f64, rng: &mut Rng) -> bool {
        self.solver.forget();
        self.trace.clear();
        loop {
            match position.turn() {
                Turn::Over => return position.won(0),
                Turn::Chance | Turn::Shuffle => {
                    position.roll(rng);
                    if self.solver.applies(&position)
                        && let Solution::Value(value) = self.solver.solve(&position, NODES, &mut self.line)
                    {
                        return value > 0.5;
                    }
                }
                Turn::Player(_) => {
                    position.steps(&mut self.steps);
                    let mut best = (f64::NEG_INFINITY, 0);
                    if explore > 0.0 && rng.random::<f64>() < explore {
                        best.1 = rng.random_range(0..self.steps.len());
                    } else {
                        for (i, step) in self.steps.iter().enumerate() {
                            let mut after = position.clone();
                            step.iter().for_each(|&m| after.play(m));
                            let value = rule.win(&after);
                            if value > best.0 {
                                best = (value, i);
                            }
                        }
                    }
                    self.steps.get(best.1).iter().for_each(|&m| position.play(m));
                    if position.turn() == Turn::Chance {
                        let view = position.view(0);
                        let x = features(&view.board, position.pile_cards(), view.pile.unseen);
                        self.trace.push((x, rule.win(&position) as f32));
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
    let mut start = [0.0; N];
    start[1] = 2.0;
    start[5] = -2.0;
    let (mut rule, mut learner) =
        (Rule { weights: start, ..(*Rule::fitted()).clone() }, Learner::new(start, 0.3));
    let mut player = Player {
        solver: DungeonSolver::default(),
        steps: StepList::default(),
        line: Vec::new(),
        trace: Vec::new(),
    };
    let mut won = 0;
    for index in 0..games {
        if index == games / 2 {
            (learner.average, learner.rate) = (rule.weights, 0.1);
        }
        let deal = Dungeon::deal(&rules, &mut stream(seed, index, Role::Deal));
        let mut rng = stream(seed, index, Role::Agent(0));
        let win = player.game(&rule, deal, EXPLORE, &mut rng);
        won += u64::from(win);
        backwards(&player.trace, f32::from(u8::from(win)), LAMBDA, |&(x, estimate), target| {
            let error = target - probability(weighted(&rule.weights, &x));
            learner.step(&mut rule.weights, x.map(|x| error * x));
            estimate
        });
        learner.follow(&rule.weights, |difference| 0.001 * difference);
        let tenth = (games / 10).max(1);
        if (index + 1).is_multiple_of(tenth) {
            eprintln!(
                "{} games, won {:.2} % of the last tenth",
                index + 1,
                100.0 * won as f64 / tenth as f64
            );
            won = 0;
        }
    }
    rule.weights = learner.average;
    let held_out = games.min(20_000);
    let wins = (0..held_out)
        .filter(|&index| {
            let deal = Dungeon::deal(&rules, &mut stream(seed + 1, index, Role::Deal));
            player.game(&rule, deal, 0.0, &mut stream(seed + 1, index, Role::Agent(0)))
        })
        .count();
    eprintln!("held out: won {:.2} % of {held_out}", 100.0 * wins as f64 / held_out as f64);
    println!(
        "made_by = \"cargo run --release -p knave-lab --bin fit_dungeon_rule -- {games} {seed}\"\n[weights]"
    );
    for (name, weight) in FEATURES.iter().zip(rule.weights) {
        println!("{name} = {weight:.4}");
    }
}
