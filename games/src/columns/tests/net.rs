//! The learned evaluator `net` and its features.

use super::*;
use crate::columns::value::knowledge::viewpoint;
use crate::columns::value::net::value;
use knave_agents::Evaluator as _;
use knave_agents::learn::{Afterstate, Features as _};

/// The short way to the features after a step agrees with playing the step: the same steps, in the same order, and the same
/// features or results, placements, draws in mid-play and ends included.
#[test]
fn afterstates_are_those_of_the_steps() {
    let (mut steps, mut listed) = (StepList::default(), StepList::default());
    let (mut checked, mut over, mut drawing) = (0, 0, 0);
    for index in 0..12 {
        // Exact lengths have features of their own.
        let finish = [Finish::AtLeast, Finish::Exact][index as usize % 2];
        let rules = Rules { max_rounds: 12, finish };
        let net = value(&rules).unwrap();
        let mut rng = stream(41, index, Role::Chance);
        let mut position = Columns::deal(&rules, &mut rng);
        while position.turn() != Turn::Over {
            let Turn::Player(seat) = position.turn() else {
                position.roll(&mut rng);
                continue;
            };
            let mut short = Vec::new();
            position.afterstates(seat, &mut steps, &mut Vec::new(), &mut |i, after| {
                short.truncate(i);
                short.push(match after {
                    Afterstate::Over(utility) => Err(utility),
                    Afterstate::Open { features, .. } => Ok(features.to_vec()),
                });
            });
            position.steps(&mut listed);
            assert!(steps.iter().eq(listed.iter()));
            for (step, short) in steps.iter().zip(short) {
                let mut after = position.clone();
                step.iter().for_each(|&m| after.play(m));
                // After the last round cards may still be drawn, which changes nothing.
                let played = if after.board.phase == Phase::Over {
                    Err(after.utility(seat))
                } else {
                    let mut features = Vec::new();
                    after.features(seat, &mut features);
                    assert!(features.iter().all(|&feature| usize::from(feature) < Columns::INPUTS));
                    assert_eq!(Columns::head(&features), viewpoint(&after.board, seat));
                    Ok(features)
                };
                assert_eq!(short, played, "{step:?}");
                if let Err(utility) = played {
                    // However many draws are left.
                    assert_eq!(net.value(&after, seat), utility);
                }
                checked += 1;
                over += usize::from(played.is_err());
                drawing += usize::from(after.turn() == Turn::Shuffle);
            }
            let m = position.random_move(&mut Vec::new(), &mut rng);
            position.play(m);
        }
    }
    assert!(checked > 1000 && over > 0 && drawing > 0, "{checked} steps, {over} ends, {drawing} draws");
}

/// Nothing depends on which pair is which: exchanging pairs exchanges places in the list at most. (Of columns of one length it
/// is settled by their places which is to fill which slot; here no two are of one length.)
#[test]
fn pairs_are_alike() {
    let columns = [["9C 8C <", "4C", "", "5S 5D 6S"], ["2C 3C", "7D", "8H 9H TH JH !", "KD QS JS"]];
    let exchanged = columns.map(|[a, b, c, d]| [d, a, c, b]);
    let list = |columns, place: &str| {
        let mut position = made_up(Rules::default(), columns, ["7C 4D 2H", "TC TD"], "QD QH", "JC JD");
        act(&mut position, &["roll 2 6 5", place]);
        [0, 1].map(|seat| {
            let mut features = Vec::new();
            position.features(seat, &mut features);
            features.sort_unstable();
            features
        })
    };
    assert_eq!(list(columns, "place a2 b6 d5"), list(exchanged, "place b2 d6 a5"));
    assert_ne!(list(columns, "place a2 b6 d5"), list(exchanged, "place b6 d2 a5"));
}

/// What features share while they are learnt is a row of its own kind, and what differs in the die alone shares most: a
/// wrong row would teach one table what was learnt of another.
#[test]
fn features_share_with_their_like() {
    let inputs = Columns::INPUTS as u16;
    let shared = |feature| {
        let mut rows = Vec::new();
        Columns::shared(feature, &mut rows);
        rows
    };
    let rows: Vec<u16> = (0..inputs).flat_map(shared).collect();
    assert!(rows.iter().all(|&row| row >= inputs && usize::from(row - inputs) < Columns::SHARED));
    // The feature of the looks of the first pair.
    let look = |place: &str| {
        let columns = [["9C 8C <", "4C", "", "5S"], ["2C 3C", "7D", "8H", "KD"]];
        let mut position = made_up(Rules::default(), columns, ["7C 4D 2H", "TC TD"], "QD QH", "JC JD");
        act(&mut position, &["roll 1 2 5", place]);
        let mut features = Vec::new();
        position.features(0, &mut features);
        features[0]
    };
    let (one, two) = (look("place a1 b2 d5"), look("place a2 b1 d5"));
    assert_ne!(one, two);
    let common = shared(one).into_iter().filter(|row| shared(two).contains(row)).count();
    assert_eq!((shared(one).len(), common), (3, 1));
}

/// The value of a position is the same whatever was valued before it, in this thread or in none: what is kept of groups of
/// features must not show.
#[test]
fn values_have_no_memory() {
    let mut positions = Vec::new();
    for index in 0..40 {
        let mut rng = stream(43, index, Role::Chance);
        let mut position = Columns::deal(&Rules::default(), &mut rng);
        for _ in 0..200 {
            match position.turn() {
                Turn::Over => break,
                Turn::Player(_) => {
                    let m = position.random_move(&mut Vec::new(), &mut rng);
                    position.play(m);
                }
                _ => drop(position.roll(&mut rng)),
            }
            if position.turn() != Turn::Over {
                positions.push(position.clone());
            }
        }
    }
    let values = |positions: &mut dyn Iterator<Item = &Columns>| {
        let model = value(&Rules::default()).unwrap();
        positions.map(|position| [0, 1].map(|seat| model.value(position, seat))).collect::<Vec<_>>()
    };
    let forwards = values(&mut positions.iter());
    let mut backwards = std::thread::scope(|scope| {
        scope.spawn(|| values(&mut positions.iter().rev())).join().expect("nothing to panic at")
    });
    backwards.reverse();
    assert!(forwards.len() > 2000 && forwards == backwards);
}

/// The model that comes with Knave serves every rule and knows who is about to win.
#[test]
fn the_model_knows_a_race() {
    let model = value(&Rules::default()).unwrap();
    for max_rounds in [1, 10, 49, 50, 200, u32::MAX] {
        for finish in [Finish::AtLeast, Finish::Exact] {
            assert!(value(&Rules { max_rounds, finish }).is_some(), "{max_rounds} {finish:?}");
        }
    }
    let near = ["9C 8C 7C 6C !", "4C 3C 2C AC KC !", "TD JD QD KD AD !", "5S 5D 6S 7S 8S 9S"];
    let position =
        made_up(Rules::default(), [near, ["2S", "7D", "8H", "QS"]], ["2H 2D", "TC TS"], "QH KH", "");
    let values = [0, 1].map(|seat| model.value(&position, seat));
    assert!(values[0] > 0.9 && values[1] < 0.1, "{values:?}");
}
