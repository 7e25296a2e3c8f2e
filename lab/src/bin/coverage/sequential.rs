//! Errors of the sequential test: how often it decides for the wrong hypothesis, and after how many units.

use super::{MOST, chance, generator, head, percent, uniform};
use knave::stats::sprt::{Accepted, Sprt, score, table_score};
use knave::studies::compare::Goal;
use knave_agents::Rng;
use std::collections::BTreeMap;

/// Draws the share of a win that a unit brings to an agent of so much Elo.
type Draw = fn(&mut Rng, f64) -> f64;

/// The expected share.
type Expected = fn(f64) -> f64;

/// Prints a row for each case.
pub(super) fn sequential(runs: u32) {
    head(
        "The sequential test",
        &["case", "Elo", "wrong under the first, %", "wrong under the second, %", "units, mean", "undecided"],
    );
    let deal: Draw = |rng, elo| f64::from(u8::from(chance(rng, score(elo))));
    // Differs on so few deals that the hypothesis allows for twice as many.
    let rare: Draw = |rng, elo| {
        let edge = 2.0 * score(elo) - 1.0;
        if !chance(rng, 0.1) { 0.5 } else { f64::from(u8::from(chance(rng, (1.0 + 10.0 * edge) / 2.0))) }
    };
    let three: Draw = |rng, elo| lone(rng, elo, 3);
    let four: Draw = |rng, elo| lone(rng, elo, 4);
    let seven: Draw = |rng, elo| lone(rng, elo, 7);
    let cases: [(&str, Draw, Expected, [f64; 2]); 7] = [
        ("two seats, 40 % drawn", drawn, score, [0.0, 20.0]),
        ("one seat, no draws", deal, score, [0.0, 40.0]),
        ("one seat, far hypotheses", deal, score, [0.0, 200.0]),
        ("one seat, differ on 10 %", rare, score, [0.0, 20.0]),
        ("three seats", three, |elo| both(elo, 3), [0.0, 20.0]),
        ("four seats", four, |elo| both(elo, 4), [0.0, 20.0]),
        ("seven seats", seven, |elo| both(elo, 7), [0.0, 20.0]),
    ];
    let runs = runs / 4;
    for (name, draw, expected, hypotheses) in cases {
        sequential_row(name, runs, draw, expected, hypotheses);
    }
}

/// A row of the sequential test between these two hypotheses. In half of the runs the first is true, in half the second.
fn sequential_row(name: &str, runs: u32, draw: Draw, expected: Expected, [elo0, elo1]: [f64; 2]) {
    let test = Sprt { elo0, elo1 };
    let (mut wrong, mut units, mut undecided) = ([0; 2], 0, 0);
    for (i, (elo, error)) in [(elo0, Accepted::Higher), (elo1, Accepted::Lower)].into_iter().enumerate() {
        for run in 0..runs {
            let mut rng = generator(u64::from(run));
            let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
            let decision = (1..=MOST).find_map(|unit| {
                // Up to rounding, scores are whole multiples of this.
                let value = (draw(&mut rng, elo) * 1e6).round() as u64;
                *counts.entry(value).or_default() += 1;
                if !Goal::is_due(unit) {
                    return None;
                }
                let scores = counts.iter().map(|(&value, &count)| (value as f64 / 1e6, count));
                Some((unit, test.decide(test.ratio(scores, expected))?))
            });
            match decision {
                Some((unit, decision)) => {
                    units += unit;
                    wrong[i] += u32::from(decision == error);
                }
                None => undecided += 1,
            }
        }
    }
    println!(
        "| {name} | {elo0}, {elo1} | {} | {} | {:.0} | {undecided} |",
        percent(wrong[0], runs),
        percent(wrong[1], runs),
        units as f64 / f64::from(2 * runs - undecided),
    );
}

/// Two games against the other. Two in five are drawn.
fn drawn(rng: &mut Rng, elo: f64) -> f64 {
    let mut game = || {
        let (draw, won) = (uniform(rng), score(elo) - 0.2);
        if draw < won {
            2.0
        } else if draw < won + 0.4 {
            1.0
        } else {
            0.0
        }
    };
    (game() + game()) / 4.0
}

/// Plays a unit among `seats`, where each of the two is alone once in every seat.
fn lone(rng: &mut Rng, elo: f64, seats: usize) -> f64 {
    let strength = 10_f64.powf(elo / 400.0);
    let mut sum = 0.0;
    for own in [1, seats - 1] {
        for _ in 0..seats {
            let mine = own as f64 * strength / (own as f64 * strength + (seats - own) as f64);
            sum += if chance(rng, mine) { 1.0 / own as f64 } else { -1.0 / (seats - own) as f64 };
        }
    }
    (1.0 + sum / (2 * seats) as f64) / 2.0
}

/// The expected share of such a unit.
fn both(elo: f64, seats: usize) -> f64 {
    (table_score(elo, 1, seats) + table_score(elo, seats - 1, seats)) / 2.0
}
