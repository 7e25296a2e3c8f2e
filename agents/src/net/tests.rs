//! The net against finite differences, and what a learner keeps against working it out anew.

use super::*;
use crate::rng::{Rng, Role, stream};
use rand::RngExt as _;

const SHAPE: Shape = Shape { inputs: 30, first: 16, second: 8, groups: Groups([0; 8]), heads: 1 };

/// Two groups of five features, one of three, and the rest; two heads.
const GROUPED: Shape = Shape { groups: Groups([5, 5, 3, 0, 0, 0, 0, 0]), heads: 2, ..SHAPE };

fn net_of(shape: Shape, seed: u64) -> Net {
    Net::new(shape, &mut stream(seed, 0, Role::Chance))
}

fn net(seed: u64) -> Net {
    net_of(SHAPE, seed)
}

/// About a third of the features, or as many as fill groups and a few more.
fn some_features(shape: Shape, rng: &mut Rng) -> Vec<u16> {
    let all = 0..shape.inputs as u16;
    if shape.groups.is_none() {
        return all.filter(|_| rng.random_range(0..3) == 0).collect();
    }
    (0..16).map(|_| rng.random_range(all.clone())).collect()
}

/// Lists that begin with an odd feature ask the second head.
fn odd(features: &[u16]) -> usize {
    usize::from(features[0] % 2)
}

/// What the learner adds up is the slope of the log-likelihood, for every weight: a step of plain descent
/// against a difference of two values.
#[test]
fn gradients_agree_with_differences() {
    let plain: fn(&[u16]) -> usize = |_| 0;
    for (shape, head) in [(SHAPE, plain), (GROUPED, odd as fn(&[u16]) -> usize)] {
        let mut rng = stream(1, 1, Role::Chance);
        let (features, target) = (some_features(shape, &mut rng), 0.8);
        let likelihood = |net: &Net| {
            let p = f64::from(logistic(net.logit(head(&features), &features, &mut Units::default())));
            f64::from(target) * p.ln() + (1.0 - f64::from(target)) * (1.0 - p).ln()
        };
        let mut learner = Learner::new(net_of(shape, 1), vec![Vec::new(); shape.inputs], head);
        learner.add(&features, target);
        let gradient: Vec<Vec<f32>> = learner.gradient().parts().iter().map(|part| part.to_vec()).collect();
        let (mut checked, mut steep) = (0, 0);
        for (part, slopes) in gradient.iter().enumerate() {
            for (i, &slope) in slopes.iter().enumerate() {
                let shifted = |by: f32| {
                    let mut net = net_of(shape, 1);
                    net.parts()[part][i] += by;
                    likelihood(&net)
                };
                let step = 1e-2;
                let sides = [step, -step].map(|by| (shifted(by) - shifted(0.0)) / f64::from(by));
                let measured = (sides[0] + sides[1]) / 2.0;
                // An end of the range of a unit lies between.
                if (sides[0] - sides[1]).abs() > 2e-3 {
                    continue;
                }
                // Units beyond the ends of their range pass on a hundredth on purpose.
                let off = (f64::from(slope) - measured).abs();
                assert!(off < 0.02, "part {part}, weight {i}: {slope}, {measured}");
                checked += usize::from(off < 2e-3);
                steep += usize::from(off < 2e-3 && measured.abs() > 0.02);
            }
        }
        assert!(checked > 500 && steep > 50, "only {checked} weights could be compared, {steep} that matter");
    }
}

/// Changing the sums feature by feature gives what adding them up anew gives.
#[test]
fn sums_can_be_changed() {
    for shape in [SHAPE, GROUPED] {
        let (net, mut rng) = (net_of(shape, 2), stream(1, 2, Role::Chance));
        let (mut units, mut before) = (Units::default(), some_features(shape, &mut rng));
        net.logit(0, &before, &mut units);
        for _ in 0..50 {
            let features = some_features(shape, &mut rng);
            let changed = net.logit_after(0, &before, &features, &mut units);
            let anew = net.logit(0, &features, &mut Units::default());
            assert!((changed - anew).abs() < 1e-3, "{changed}, {anew}");
            before = features;
        }
    }
}

/// What a learner keeps of groups is forgotten when their weights have changed, and heads are not mixed up.
#[test]
fn groups_are_kept_for_one_step() {
    let mut rng = stream(1, 3, Role::Chance);
    let mut learner = Learner::new(net_of(GROUPED, 4), vec![Vec::new(); GROUPED.inputs], odd);
    let lists: Vec<Vec<u16>> = (0..12).map(|_| some_features(GROUPED, &mut rng)).collect();
    let mut moved = 0.0;
    for _ in 0..5 {
        // All twice: the second time they are known.
        for features in lists.iter().chain(&lists) {
            let known = learner.logit(features, &mut Units::default());
            let anew = learner.net().logit(odd(features), features, &mut Units::default());
            assert!((known - anew).abs() < 1e-4, "{known}, {anew}");
        }
        let before = learner.logit(&lists[0], &mut Units::default());
        learner.add(&lists[0], 1.0);
        learner.step(0.01, 1.0);
        moved += learner.logit(&lists[0], &mut Units::default()) - before;
    }
    assert!(moved > 0.1, "{moved}");
}

/// What is learnt of a feature is learnt of all that share with it, and of no other.
#[test]
fn what_is_shared_is_learnt_together() {
    let shared = (0..20).map(|feature| if feature < 2 { vec![25] } else { Vec::new() }).collect();
    let mut learner = Learner::new(net(3), shared, |_| 0);
    let all = |learner: &mut Learner| [0, 1, 2].map(|f| learner.logit(&[f], &mut Units::default()));
    let before = all(&mut learner);
    for _ in 0..20 {
        learner.add(&[0], 1.0);
        // The biases are held where they are by the opposite lesson about another feature.
        learner.add(&[3], 0.0);
        learner.step(0.01, 1.0);
    }
    let after = all(&mut learner);
    let gains: Vec<f32> = before.iter().zip(after).map(|(before, after)| after - before).collect();
    assert!(gains[0] > gains[1] && gains[1] > gains[2] + 0.05, "{gains:?}");
    let net = learner.net().clone();
    let rows = [0, 1, 2].map(|f| net.logit(0, &[f], &mut Units::default()));
    assert_eq!(rows, after, "the net holds the sums");
}
