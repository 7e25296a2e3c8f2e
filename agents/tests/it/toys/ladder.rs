//! `ladder` as a game, and fair players of it.

use knave_agents::players::expectimax::Expectimax;
use knave_agents::toys::ladder::{Ladder, Rules};
use knave_agents::{Tools as _, registry, testkit};

const PLAIN: Rules = Rules { cards: 6, shuffled: false };
const SHUFFLED: Rules = Rules { cards: 6, shuffled: true };

#[test]
fn ladder_conforms() {
    testkit::conformance::<Ladder>(&[PLAIN, Rules { cards: 4, ..SHUFFLED }], 60, 60, |_| ());
    testkit::enumeration::<Ladder>(&[PLAIN, SHUFFLED], 60);
}

/// No agent may look under the deck, whatever its granularity and its evaluator.
#[test]
fn agents_are_fair() {
    let entries = registry::agents(&Ladder::kit(&PLAIN).agent::<Expectimax<Ladder>>());
    for budget in ["mcts:iterations=60", "mcts:iterations=60,rollout=none,leaf=score", "flat:worlds=8"] {
        for rules in [PLAIN, SHUFFLED] {
            testkit::all_agents_are_fair(&entries, "ladder", &rules, 15, &[budget]);
        }
    }
}
