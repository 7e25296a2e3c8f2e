//! Enumeration: the laws of [`EnumerableChance`], over random games.

use super::{LONGEST, frequencies};
use crate::game::{EnumerableChance, Turn};
use crate::rng::{Role, stream};
use rand::RngExt as _;
use std::collections::HashMap;

/// Checks all random events of `games` random games under each of the rules. Listed outcomes must be
/// - distinct, and no more than `outcome_count` says;
/// - accepted by `play_chance`;
/// - the same for all worlds that a seat cannot tell apart;
/// - as probable as sampled worlds roll them, with probabilities that sum to 1.
///
/// # Panics
/// When a law is broken, or a game does not end; the message names the rules' index, the game's index and the ply.
pub fn enumeration<G: EnumerableChance>(rules: &[G::Rules], games: u64) {
    for (r, rules) in rules.iter().enumerate() {
        for index in 0..games {
            let mut position = G::deal(rules, &mut stream(4, index, Role::Deal));
            let mut rng = stream(4, index, Role::Chance);
            let mut buffer = Vec::new();
            let mut ply = 0;
            loop {
                let at = format!("rules {r}, seed 4, game {index}, ply {ply}");
                assert!(ply < LONGEST, "{at}: the game does not end");
                match position.turn() {
                    Turn::Over => break,
                    Turn::Player(_) => {
                        let m = position.random_move(&mut buffer, &mut rng);
                        position.play(m);
                    }
                    Turn::Shuffle => {
                        position.roll(&mut rng);
                    }
                    Turn::Chance => event(&mut position, &mut rng, &at),
                }
                ply += 1;
            }
        }
    }
}

/// Events with more outcomes than this are rolled and not listed.
const LISTED: u64 = 5_000;

/// Events with at most this many outcomes are rolled often enough to compare frequencies.
const COUNTED: usize = 200;

fn event<G: EnumerableChance>(position: &mut G, rng: &mut crate::Rng, at: &str) {
    if position.outcome_count() > LISTED {
        position.roll(rng);
        return;
    }
    let mut outcomes = Vec::new();
    position.outcomes(&mut outcomes);
    let count = position.outcome_count();
    assert!(outcomes.len() as u64 <= count, "{at}: {} outcomes, but at most {count} said", outcomes.len());
    let total: f64 = outcomes.iter().map(|(_, probability)| probability).sum();
    assert!((total - 1.0).abs() < 1e-9, "{at}: probabilities sum to {total}");
    let listed: HashMap<G::Chance, usize> =
        outcomes.iter().enumerate().map(|(i, &(outcome, _))| (outcome, i)).collect();
    assert!(listed.len() == outcomes.len(), "{at}: an outcome is listed twice");
    for &(outcome, probability) in &outcomes {
        assert!(probability > 0.0, "{at}: {outcome:?} has probability {probability}");
        let mut after = position.clone();
        after.play_chance(outcome);
        let mut moves = Vec::new();
        after.moves(&mut moves);
        let to_move = matches!(after.turn(), Turn::Player(_));
        assert!(moves.is_empty() != to_move, "{at}: {} moves after {outcome:?}", moves.len());
    }
    for seat in 0..position.seats() {
        let view = position.view(seat);
        let world = G::sample_world(&view, rng);
        let mut others = Vec::new();
        world.outcomes(&mut others);
        let same = others.len() == outcomes.len()
            && others.iter().all(|(outcome, probability)| {
                listed.get(outcome).is_some_and(|&i| (outcomes[i].1 - probability).abs() < 1e-9)
            });
        assert!(same, "{at}: outcomes depend on what is hidden from seat {seat}");
        let often = outcomes.len() <= COUNTED && rng.random_range(0..10) == 0;
        let draws = if often { 40 * outcomes.len() } else { 5 };
        let mut counts = vec![0; outcomes.len()];
        for _ in 0..draws {
            let mut world = G::sample_world(&view, rng);
            let outcome = world.roll(rng);
            let i = listed.get(&outcome).unwrap_or_else(|| panic!("{at}: {outcome:?} is rolled, not listed"));
            counts[*i] += 1;
        }
        if often {
            let expected: Vec<f64> = outcomes.iter().map(|(_, p)| p * draws as f64).collect();
            frequencies(&format!("{at}: outcomes seen by seat {seat}"), &counts, &expected);
        }
    }
    let mut rolled = position.clone();
    let outcome = rolled.roll(rng);
    position.play_chance(outcome);
    assert!(rolled.key() == position.key(), "{at}: keys differ after the same {outcome:?}");
}
