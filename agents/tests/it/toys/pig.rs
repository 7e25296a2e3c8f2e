//! `pig` as a game, and its exact answers.

use knave_agents::testkit;
use knave_agents::toys::pig::{Exact, Pig};

#[test]
fn pig_conforms() {
    testkit::conformance::<Pig>(&[2, 12], 30, 1000, |_| ());
    testkit::enumeration::<Pig>(&[2, 12], 30);
}

/// With target 2 every roll but 1 wins: w = 5/6 + 1/6 (1 - w), so w = 6/7.
#[test]
fn the_smallest_game_is_that_by_hand() {
    let position = Pig::at(2, [0, 0], 0, 0);
    assert!((Exact::new(2).win(&position, 0) - 6.0 / 7.0).abs() < 1e-12);
    assert!((Exact::new(2).win(&position, 1) - 1.0 / 7.0).abs() < 1e-12);
}
