//! How small games of doubles are written out.

use super::position::{Chance, Doubles};
use super::rules::Rules;
use knave_agents::exact::Listing;

/// The listing of doubles. What is not dealt is out of play.
pub fn listing() -> Listing<Doubles> {
    Listing { dealt: Rules::dealt, outcomes: rolls, listed, fingerprint: None }
}

/// The rolls. Only their sum counts, and whether they are doubles: one roll stands for all that are alike.
fn rolls(_: &Doubles, out: &mut Vec<(Chance, f64)>) {
    out.clear();
    for first in 1..=6 {
        for second in 1..=6 {
            let roll = listed(Chance::Roll([first, second]));
            match out.iter_mut().find(|(other, _)| *other == roll) {
                Some((_, probability)) => *probability += 1.0 / 36.0,
                None => out.push((roll, 1.0 / 36.0)),
            }
        }
    }
}

/// The roll that stands for those like this one: with the lowest die where they are no doubles.
fn listed(outcome: Chance) -> Chance {
    match outcome {
        Chance::Roll([first, second]) if first != second => {
            let lowest = (first + second).saturating_sub(6).max(1);
            Chance::Roll([lowest, first + second - lowest])
        }
        other => other,
    }
}
