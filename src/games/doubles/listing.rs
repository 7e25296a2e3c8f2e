//! How small games of doubles are written out.

use super::position::{Chance, Doubles};
use super::rules::Rules;
use knave_agents::exact::Listing;

/// The listing of doubles. What is not dealt is out of play.
pub fn listing() -> Listing<Doubles> {
    Listing { dealt: Rules::dealt, outcomes: rolls, fingerprint: None }
}

/// The rolls. Only their sum counts, and whether they are doubles: one roll stands for all that are alike.
fn rolls(_: &Doubles, out: &mut Vec<(Chance, f64)>) {
    out.clear();
    for first in 1..=6_u8 {
        for second in first..=6 {
            let alike = |&(roll, _): &(Chance, f64)| {
                let Chance::Roll([a, b]) = roll else { return false };
                a + b == first + second && (a == b) == (first == second)
            };
            let probability = if first == second { 1.0 } else { 2.0 } / 36.0;
            match out.iter_mut().find(|entry| alike(entry)) {
                Some(entry) => entry.1 += probability,
                None => out.push((Chance::Roll([first, second]), probability)),
            }
        }
    }
}
