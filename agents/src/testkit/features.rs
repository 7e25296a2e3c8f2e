//! Features: what a net sees of a position must be what its seat knows, and numbered as the game says.

use super::LONGEST;
use crate::game::{Seat, Turn, played};
use crate::kit::Tools;
use crate::learn::{Afterstate, Features};
use crate::rng::{Role, stream};
use crate::steps::StepList;
use rand::RngExt as _;
use std::ops::Range;

/// The most steps of a decision whose afterstates are re-dealt.
const FEW: usize = 8;

/// Checks [`Features`] in `games` random games under each of the rules, at decisions and at the afterstates of their steps. Features,
/// [`Features::settled`], [`Features::decided`] and [`Features::afterstates`] are the same in worlds that look the same to the seat, and
/// every feature is below [`Features::INPUTS`].
///
/// A net that learns from features which peek knows more than its seat may.
///
/// # Panics
/// When they are not, or a game does not end; the message names the rules' index, the game's index and the ply.
pub fn features<G: Features + Tools>(rules: &[G::Rules], games: u64) {
    for (r, rules) in rules.iter().enumerate() {
        for index in 0..games {
            let mut position = G::deal(rules, &mut stream(7, index, Role::Deal));
            let mut rng = stream(7, index, Role::Chance);
            let (mut buffer, mut steps, mut ply) = (Vec::new(), StepList::default(), 0);
            while position.turn() != Turn::Over {
                let at = format!("rules {r}, seed 7, game {index}, ply {ply}");
                assert!(ply < LONGEST, "{at}: the game does not end");
                ply += 1;
                let Turn::Player(seat) = position.turn() else {
                    position.roll(&mut rng);
                    continue;
                };
                let world = G::sample_world(&position.view(seat), &mut rng);
                compare(&position, &world, seat, &at);
                position.steps(&mut steps);
                let first = rng.random_range(0..steps.len());
                for step in steps.iter().skip(first).take(FEW) {
                    let [after, redealt] = [&position, &world].map(|position| played(position, step));
                    // The step may have shown the player something hidden.
                    if [&after, &redealt].iter().all(|after| after.turn() != Turn::Over)
                        && after.view(seat) == redealt.view(seat)
                    {
                        compare(&after, &redealt, seat, &format!("{at}, after {step:?}"));
                    }
                }
                let [here, there] = [&position, &world].map(|position| listed(position, seat, &at));
                assert!(
                    here == there,
                    "{at}: afterstates of seat {seat} peek: {here:?}, and {there:?} when re-dealt; where a step shows hidden cards, \
                     override Features::afterstates"
                );
                let m = position.random_move(&mut buffer, &mut rng);
                position.play(m);
            }
        }
    }
}

/// Compares what a net sees of two positions that look the same to the seat.
fn compare<G: Features>(position: &G, world: &G, seat: Seat, at: &str) {
    let [(here, settled), (there, other)] = [position, world].map(|position| {
        let mut features = Vec::new();
        position.features(seat, &mut features);
        (features, position.settled(seat))
    });
    numbered::<G>(&here, settled, seat, at);
    assert!(here == there, "{at}: features of seat {seat} peek: {here:?}, and {there:?} when re-dealt");
    assert!(
        settled.to_bits() == other.to_bits(),
        "{at}: settled peeks for seat {seat}: {settled}, and {other} when re-dealt"
    );
    let [here, there] = [position, world].map(|position| position.decided(seat));
    assert!(
        here.map(f64::to_bits) == there.map(f64::to_bits),
        "{at}: decided peeks for seat {seat}: {here:?}, and {there:?} when re-dealt"
    );
}

/// The afterstates of a decision: each step with its utility where it ends the game, or the settled part and the features.
type Listed<M> = Vec<(Vec<M>, f64, Option<Vec<u16>>)>;

/// The afterstates that a net learns from and chooses between.
fn listed<G: Features + Tools>(position: &G, seat: Seat, at: &str) -> Listed<G::Move> {
    let (mut steps, mut states) = (StepList::default(), Vec::new());
    position.afterstates(seat, &mut steps, &mut Vec::new(), &mut |_, afterstate| {
        states.push(match afterstate {
            Afterstate::Over(utility) => (utility, None),
            Afterstate::Open { features, settled } => {
                numbered::<G>(features, settled, seat, at);
                (settled, Some(features.to_vec()))
            }
        });
    });
    // A list that has become shorter drops the last ones.
    steps.iter().zip(states).map(|(step, (value, features))| (step.to_vec(), value, features)).collect()
}

/// Features, heads and shared features have the numbers that the game says.
fn numbered<G: Features>(features: &[u16], settled: f64, seat: Seat, at: &str) {
    let inputs = G::INPUTS;
    let check = |feature: u16, numbers: &Range<usize>, what: &str| {
        assert!(
            numbers.contains(&usize::from(feature)),
            "{at}: seat {seat} has the {what} {feature}: expected one of {} to below {}",
            numbers.start,
            numbers.end
        );
    };
    let mut shared = Vec::new();
    for &feature in features {
        check(feature, &(0..inputs), "feature");
        shared.clear();
        G::shared(feature, &mut shared);
        shared.iter().for_each(|&feature| check(feature, &(inputs..inputs + G::SHARED), "shared feature"));
    }
    let head = G::head(features);
    assert!(head < G::HEADS, "{at}: seat {seat} has the head {head}: expected one below {}", G::HEADS);
    assert!(settled.is_finite(), "{at}: settled is {settled} for seat {seat}: expected a finite number");
}
