//! The net against finite differences, the rounded model against the net, and the training against the
//! exact values of pig.

use super::net::{Learner, Net, Shape, Units, logistic};
use super::schedule::{Schedule, Training as _};
use super::td::Trainer;
use super::*;
use crate::evaluator::Evaluator as _;
use crate::game::{Game as _, Seat, Turn, played};
use crate::options;
use crate::rng::{Rng, Role, stream};
use crate::toys::pig::{Exact, Pig};
use rand::RngExt as _;
use std::sync::Arc;

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
        learner.step(0.01);
        moved += learner.logit(&lists[0], &mut Units::default()) - before;
    }
    assert!(moved > 0.1, "{moved}");
}

/// Pig as features: the scores and what the turn has gathered, each a feature of its own for each seat's
/// point of view.
impl Features for Pig {
    const FEATURES_VERSION: u32 = 1;
    const INPUTS: usize = 2 * 21 * 21 * 21;

    fn features(&self, seat: Seat, out: &mut Vec<u16>) {
        let [own, other] = [self.scores()[seat], self.scores()[1 - seat]].map(u16::from);
        let mine = u16::from(self.mover() == seat);
        out.clear();
        out.push(((own * 21 + other) * 21 + u16::from(self.gathered())) * 2 + mine);
    }
}

const TARGET: u8 = 12;

fn trainer(games: u64) -> Trainer<Pig> {
    trainer_with(games, "")
}

fn trainer_with(games: u64, more: &str) -> Trainer<Pig> {
    let text = format!("games={games},first=16,second=8,rate=0.01,explore=0.1,lambda=0.5,batch=4{more}");
    let given = options::fields("schedule", text.split(',')).unwrap();
    let schedule: Schedule = options::read("schedule", &given).unwrap();
    Trainer::new(&TARGET, schedule, 9000)
}

/// Self-play finds the exact values of pig (value iteration) where good games go: off by less than 0.05 on
/// the mean over what the moves of exact play leave behind.
#[test]
fn training_finds_the_values_of_pig() {
    let mut trainer = trainer(40_000);
    for _ in 0..40_000 {
        trainer.train();
    }
    let exact = Exact::new(TARGET);
    let (mut features, mut error, mut count) = (Vec::new(), 0.0, 0);
    for index in 0..200 {
        let mut rng = stream(1, index, Role::Chance);
        let mut position = Pig::deal(&TARGET, &mut rng);
        while position.turn() != Turn::Over {
            let Turn::Player(seat) = position.turn() else {
                position.roll(&mut rng);
                continue;
            };
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let after = moves.iter().map(|&m| played(&position, &[m]));
            let win = |p: &Pig| exact.win(p, seat);
            position = after.max_by(|a, b| win(a).total_cmp(&win(b))).unwrap();
            if position.turn() != Turn::Over {
                position.features(seat, &mut features);
                let value = logistic(trainer.net().logit(0, &features, &mut Units::default()));
                error += (f64::from(value) - win(&position)).abs();
                count += 1;
            }
        }
    }
    let error = error / f64::from(count);
    assert!(error < 0.05, "off by {error} on the mean");
}

/// Against a rival that plays worse than the net the same position is worth more, from either seat; without games
/// against it a rival changes nothing.
#[test]
fn values_are_those_against_the_rival() {
    let values = |more: &str| {
        let mut trainer = trainer_with(6_000, more);
        for _ in 0..6_000 {
            trainer.train();
        }
        let mut features = Vec::new();
        [0, 1].map(|seat| {
            Pig::at(TARGET, [4, 4], seat, 4).features(seat, &mut features);
            logistic(trainer.net().logit(0, &features, &mut Units::default()))
        })
    };
    let (alone, rival) = (values(""), values(",rival=timid,rivals=1"));
    assert!((0..2).all(|seat| rival[seat] > alone[seat] + 0.03), "{rival:?} against it, {alone:?} alone");
    assert_eq!(values(",rival=timid"), alone);
}

/// The same seed gives the same net, and a training that was interrupted ends with it, too.
#[test]
fn training_can_be_interrupted() {
    let bytes = |trainer: &Trainer<Pig>| trainer.progress();
    let mut whole = trainer(400);
    for _ in 0..400 {
        whole.train();
    }
    let mut first = trainer(400);
    for _ in 0..120 {
        first.train();
    }
    first.held_out(1, 1);
    let mut second = trainer(400);
    assert!(second.resume(&bytes(&first)));
    assert_eq!(second.games(), 120);
    for _ in 0..280 {
        second.train();
    }
    assert_eq!(bytes(&second), bytes(&whole));
    assert!(!trainer(400).resume(&bytes(&whole)[..100]));
    assert!(!trainer(100).resume(&bytes(&whole)), "more games than the schedule has");
}

fn model() -> Model {
    let mut trainer = trainer(2_000);
    for _ in 0..2_000 {
        trainer.train();
    }
    let header = Header {
        schema: 2,
        game: "pig".to_owned(),
        rules_version: 1,
        rules: TARGET.into(),
        features_version: 1,
        shape: trainer.net().shape(),
        unit: 0,
        training: serde_json::Value::Null,
    };
    let model = Model::new(header, trainer.net(), 50.0).unwrap();
    // Rounding changes little.
    let value = LearnedValue::<Pig>::new(Arc::new(model.clone()));
    let mut features = Vec::new();
    for gathered in 1..TARGET {
        let position = Pig::at(TARGET, [3, 5], 0, gathered);
        position.features(0, &mut features);
        let exactly = f64::from(logistic(trainer.net().logit(0, &features, &mut Units::default())));
        let rounded = value.value(&position, 0);
        assert!((exactly - rounded).abs() < 0.01, "{exactly}, rounded {rounded}");
    }
    model
}

/// A model is what its file says, and a damaged or foreign file is refused with the reason.
#[test]
fn models_are_read_back() {
    let model = model();
    let bytes = model.to_bytes();
    assert_eq!(Model::from_bytes(&bytes), Ok(model.clone()));
    let refused = |bytes: &[u8]| Model::from_bytes(bytes).unwrap_err().to_string();
    assert!(refused(&bytes[..bytes.len() - 1]).contains("bytes of weights where its shape needs"));
    assert!(refused(b"{}\n").contains("no header"));
    let schema = String::from_utf8_lossy(&bytes[..40]).replace("\"schema\":2", "\"schema\":7");
    assert!(refused(&[schema.as_bytes(), &bytes[40..]].concat()).contains("schema 7, not 2"));
    let rules = TARGET.into();
    assert_eq!(model.check::<Pig>("pig", 1, &rules), Ok(()));
    for (game, version, rules, field) in
        [("dig", 1, &rules, "game"), ("pig", 2, &rules, "rules version"), ("pig", 1, &13.into(), "rules 12")]
    {
        let error = model.check::<Pig>(game, version, rules).unwrap_err().to_string();
        assert!(error.contains(field), "{error}");
    }
}

/// The value of a position does not depend on which ones were valued before it.
#[test]
fn values_have_no_memory() {
    let model = Arc::new(model());
    let (a, b) = (LearnedValue::<Pig>::new(Arc::clone(&model)), LearnedValue::<Pig>::new(model));
    let positions: Vec<Pig> = (1..10).map(|gathered| Pig::at(TARGET, [1, 2], 0, gathered)).collect();
    let forwards: Vec<f64> = positions.iter().map(|p| a.value(p, 0)).collect();
    let backwards: Vec<f64> = positions.iter().rev().map(|p| b.value(p, 0)).collect();
    assert!(forwards.iter().eq(backwards.iter().rev()));
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
        learner.step(0.01);
    }
    let after = all(&mut learner);
    let gains: Vec<f32> = before.iter().zip(after).map(|(before, after)| after - before).collect();
    assert!(gains[0] > gains[1] && gains[1] > gains[2] + 0.05, "{gains:?}");
    let net = learner.net().clone();
    let rows = [0, 1, 2].map(|f| net.logit(0, &[f], &mut Units::default()));
    assert_eq!(rows, after, "the net holds the sums");
}

/// A training that begins with a model begins with what the model plays by.
#[test]
fn training_goes_on_from_a_model() {
    let model = model();
    assert_eq!(Model::new(model.header.clone(), &model.net(), 50.0), Ok(model.clone()));
    let mut trainer = trainer(10);
    assert!(trainer.begin_with(&model.net()));
    assert_eq!(trainer.net(), &model.net());
    assert!(!trainer.begin_with(&net(1)), "another shape");
}
