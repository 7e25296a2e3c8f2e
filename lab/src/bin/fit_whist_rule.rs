//! Fits the weights of whist's policy and evaluator `rule` by self-play.
//!
//! `cargo run --release -p knave-lab --bin fit_whist_rule -- [GAMES] [SEED]` lets the policy play all seats with
//! softmax over its scores and moves the weights, from those that ship, along the policy gradient of the utility; then the
//! evaluator learns the utility of positions of such games by logistic regression. It prints a weights
//! file. Runs without ambient randomness: the same weights in use and the same arguments give the same file.

use knave::cards::Card;
use knave::games::CardGame as _;
use knave::games::whist::value::rule::{V, VALUE_FEATURES, Value, value_features};
use knave::games::whist::value::rule_policy::{DecisionContext, P, POLICY_FEATURES, Rule};
use knave::games::whist::{Move, Rules, SEATS, Whist};
use knave_agents::learn::probability;
use knave_agents::rng::stream;
use knave_agents::{Game as _, Rng, Role, Turn};
use knave_lab::adam::Adam;
use knave_lab::arguments::numbers;
use rand::RngExt as _;

/// Games between two steps of the policy's weights.
const BATCH: u64 = 500;
/// Games between two steps of the evaluator's weights.
const VALUE_BATCH: u64 = 50;

/// The gradient of the logarithms of the probabilities of a seat's choices.
type Gradient = [f64; P];

/// Draws a card by the softmax of the scores and adds the gradient of its logarithm.
fn draw(position: &Whist, weights: &[f64; P], gradient: &mut Gradient, rng: &mut Rng) -> Card {
    let situation = DecisionContext::new(position);
    let cards: Vec<Card> = position.legal().into_iter().collect();
    let features: Vec<[f32; P]> = cards.iter().map(|&card| situation.case(card).features()).collect();
    let score = |x: &[f32; P]| x.iter().zip(weights).map(|(x, w)| f64::from(*x) * w).sum::<f64>();
    let scores: Vec<f64> = features.iter().map(score).collect();
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: Vec<f64> = scores.iter().map(|score| (score - highest).exp()).collect();
    let total: f64 = odds.iter().sum();
    let mut pick = rng.random::<f64>() * total;
    let mut chosen = cards.len() - 1;
    for (i, odds) in odds.iter().enumerate() {
        if pick < *odds {
            chosen = i;
            break;
        }
        pick -= odds;
    }
    for (i, x) in features.iter().enumerate() {
        let weight = f64::from(u8::from(i == chosen)) - odds[i] / total;
        for (sum, x) in gradient.iter_mut().zip(x) {
            *sum += weight * f64::from(*x);
        }
    }
    cards[chosen]
}

fn fit_policy(games: u64, seed: u64) -> [f64; P] {
    let rules = Rules::default();
    // What is good depends on how the others play, and more than one way of playing holds its own: a fit from
    // nothing may end at one that does badly among players of another, so this one goes on from the last.
    let (mut weights, mut average) = (Rule::fitted(&rules).weights().map(f64::from), [0.0; P]);
    let mut adam = Adam::new(0.001, 1e-9);
    let mut baseline = [0.0; SEATS];
    let batches = games / BATCH;
    for batch in 0..batches {
        let mut step = [0.0; P];
        for index in batch * BATCH..(batch + 1) * BATCH {
            let mut position = Whist::deal(&rules, &mut stream(seed, index, Role::Deal));
            let mut rng = stream(seed, index, Role::Agent(0));
            let mut gradients = [[0.0; P]; SEATS];
            while let Turn::Player(seat) = position.turn() {
                let card = draw(&position, &weights, &mut gradients[seat], &mut rng);
                position.play(Move(card));
            }
            for seat in 0..SEATS {
                let advantage = position.utility(seat) - baseline[seat];
                baseline[seat] += 0.0005 * advantage;
                for (sum, g) in step.iter_mut().zip(&gradients[seat]) {
                    *sum += advantage * g / BATCH as f64;
                }
            }
        }
        let done = (batch * BATCH) as f64 / games as f64;
        adam.step(&mut weights, &step, 0.01 * (1.0 - done).max(0.05));
        if 2 * batch >= batches {
            for (mean, w) in average.iter_mut().zip(&weights) {
                *mean += w / (batches - batches.div_ceil(2)) as f64;
            }
        }
        if batch % (batches / 10).max(1) == 0 {
            eprintln!("{} games, weights {weights:.2?}", batch * BATCH);
        }
    }
    average
}

/// Learns the share of the win from positions that come up when the policy plays, now and then with a
/// random move.
fn fit_value(policy: &Rule, games: u64, seed: u64) -> [f64; V] {
    let rules = Rules::default();
    let (mut weights, mut average) = ([0.0; V], [0.0; V]);
    let mut adam = Adam::new(0.001, 1e-9);
    let batches = games / VALUE_BATCH;
    for batch in 0..batches {
        let mut step = [0.0; V];
        for index in batch * VALUE_BATCH..(batch + 1) * VALUE_BATCH {
            let mut position = Whist::deal(&rules, &mut stream(seed, index, Role::Deal));
            let mut rng = stream(seed, index, Role::Agent(0));
            let mut seen = Vec::new();
            while position.turn() != Turn::Over {
                let m = if rng.random_range(0..8) == 0 {
                    position.random_move(&mut Vec::new(), &mut rng)
                } else {
                    Move(policy.card(&position))
                };
                position.play(m);
                if position.turn() != Turn::Over {
                    seen.extend((0..SEATS).map(|seat| (seat, value_features(&position, seat))));
                }
            }
            for (seat, x) in seen {
                let logit: f64 = x.iter().zip(&weights).map(|(x, w)| f64::from(*x) * w).sum();
                let error = position.utility(seat) - probability(logit);
                for (sum, x) in step.iter_mut().zip(x) {
                    *sum += error * f64::from(x) / (51 * SEATS as u64 * VALUE_BATCH) as f64;
                }
            }
        }
        let done = (batch * VALUE_BATCH) as f64 / games as f64;
        adam.step(&mut weights, &step, 0.03 * (1.0 - done).max(0.02));
        if 2 * batch >= batches {
            for (mean, w) in average.iter_mut().zip(&weights) {
                *mean += w / (batches - batches.div_ceil(2)) as f64;
            }
        }
    }
    average
}

/// The share of the win of one seat that plays by `first` against three that play by `second`.
fn duel(first: &dyn Fn(&Whist) -> Card, second: &dyn Fn(&Whist) -> Card, deals: u64, seed: u64) -> f64 {
    let mut won = 0.0;
    for index in 0..deals {
        for hero in 0..SEATS {
            let mut position = Whist::deal(&Rules::default(), &mut stream(seed, index, Role::Deal));
            while let Turn::Player(seat) = position.turn() {
                let card = if seat == hero { first(&position) } else { second(&position) };
                position.play(Move(card));
            }
            let winners = (0..SEATS).filter(|&seat| position.won(seat)).count();
            won += f64::from(u8::from(position.won(hero))) / winners as f64;
        }
    }
    won / (SEATS as u64 * deals) as f64
}

fn main() {
    let [games, seed] = numbers(["GAMES", "SEED"]);
    let (games, seed) = (games.unwrap_or(1_000_000), seed.unwrap_or(9001));
    // The weights are the mean over the second half of the batches.
    let fewest = (2 * BATCH).max(4 * VALUE_BATCH);
    assert!(games >= fewest, "expected at least {fewest} games");
    let policy = fit_policy(games, seed);
    let rule = Rule::new(&Rules::default(), &policy.map(|w| w as f32));
    let value = fit_value(&rule, games / 2, seed + 1);
    let by_value = Value { weights: value.map(|w| w as f32) };
    let by_rule = |position: &Whist| rule.card(position);
    let greedy = |position: &Whist| {
        let Turn::Player(seat) = position.turn() else { unreachable!("a player is to move") };
        let value = |card: &Card| {
            let mut after = *position;
            after.play(Move(*card));
            match after.turn() {
                Turn::Over => after.utility(seat),
                _ => by_value.utility(&after, seat),
            }
        };
        let best = position.legal().into_iter().max_by(|a, b| value(a).total_cmp(&value(b)));
        best.expect("a legal card")
    };
    let deals = (games / 50).clamp(10, 10_000);
    eprintln!("rule against greedy: {:.3}", duel(&by_rule, &greedy, deals, seed + 2));
    eprintln!("greedy against rule: {:.3}", duel(&greedy, &by_rule, deals, seed + 2));
    println!("made_by = \"cargo run --release -p knave-lab --bin fit_whist_rule -- {games} {seed}\"");
    println!("[policy]");
    for (name, weight) in POLICY_FEATURES.iter().zip(policy) {
        println!("{name} = {weight:.4}");
    }
    println!("[value]");
    for (name, weight) in VALUE_FEATURES.iter().zip(value) {
        println!("{name} = {weight:.4}");
    }
}
