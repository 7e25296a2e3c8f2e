//! Brute force: the best fair play of tiny solo games, by every single move.

use crate::exact::Payoff;
use crate::game::{EnumerableChance, Turn};
use crate::rng::Rng;
use std::collections::HashMap;

/// The mean result of the best fair play from a position of a solo game. Every legal move and every outcome is tried, and
/// positions are the same only where the player sees the same.
pub fn best_fair_value<G: EnumerableChance>(position: &G, payoff: Payoff<G>) -> f64 {
    value(position, payoff, &mut HashMap::new())
}

fn value<G: EnumerableChance>(position: &G, payoff: Payoff<G>, seen: &mut HashMap<G::View, f64>) -> f64 {
    if position.turn() == Turn::Over {
        return payoff(position, 0);
    }
    let view = position.view(0);
    if let Some(&known) = seen.get(&view) {
        return known;
    }
    let mut after = |change: &dyn Fn(&mut G)| {
        let mut next = position.clone();
        change(&mut next);
        value(&next, payoff, seen)
    };
    let found = match position.turn() {
        // Nobody sees the new order: any will do.
        Turn::Shuffle => after(&|next| {
            next.roll(&mut Rng::new(1));
        }),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            position.outcomes(&mut outcomes);
            let weighed = outcomes
                .into_iter()
                .map(|(outcome, probability)| probability * after(&|next| next.play_chance(outcome)));
            weighed.sum()
        }
        _ => {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            moves.into_iter().map(|m| after(&|next| next.play(m))).fold(f64::NEG_INFINITY, f64::max)
        }
    };
    seen.insert(view, found);
    found
}
