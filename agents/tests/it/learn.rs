//! The rounded model against the net, and the training against the exact values of pig.

use fnv::FnvHasher;
use knave_agents::agent::Agent;
use knave_agents::decision::Decision;
use knave_agents::evaluator::Evaluator as _;
use knave_agents::game::{Game as _, Turn, played};
use knave_agents::kit::Tools as _;
use knave_agents::learn::td::Trainer;
use knave_agents::learn::{Features as _, Header, LearnedValue, Model, ModelError};
use knave_agents::net::{Net, Shape, Units, logistic};
use knave_agents::options;
use knave_agents::registry::{agents, prepare};
use knave_agents::rng::{Rng, Role, stream};
use knave_agents::toys::pig::{Exact, Move, Pig};
use knave_agents::training::{DrawnRules, Method, Schedule, Training as _};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::Hasher as _;
use std::sync::Arc;

const TARGET: u8 = 12;

fn trainer(games: u64) -> Trainer<Pig> {
    trainer_with(games, "")
}

fn trainer_with(games: u64, more: &str) -> Trainer<Pig> {
    let text = format!("games={games},first=16,second=8,rate=0.01,explore=0.1,lambda=0.5,batch=4{more}");
    let given = options::fields("schedule", text.split(',')).unwrap();
    let schedule: Schedule = options::read("schedule", &given).unwrap();
    let make = |player: &str, rules: &u8, seats| {
        let player = prepare(&agents(&Pig::kit(rules)), "pig", &player.parse().ok()?, rules).ok()?;
        Some((0..seats).map(|_| player.make()).collect())
    };
    Trainer::new(DrawnRules::only(TARGET), schedule, Box::new(make), 9000)
}

/// A trainer after all its games.
fn trained(games: u64, more: &str) -> Trainer<Pig> {
    let mut trainer = trainer_with(games, more);
    for _ in 0..games {
        trainer.train();
    }
    trainer
}

/// Self-play finds the exact values of pig (value iteration) where good games go: off by less than 0.05 on
/// the mean over what the moves of exact play leave behind.
#[test]
fn training_finds_the_values_of_pig() {
    let mut trainer = trained(40_000, "");
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

/// Against a rival that plays worse than the net, be it a policy or an agent, the same position is worth more, from either seat.
#[test]
fn values_are_those_against_the_rival() {
    let values = |more: &str| {
        let mut trainer = trained(6_000, more);
        let mut features = Vec::new();
        [0, 1].map(|seat| {
            Pig::at(TARGET, [4, 4], seat, 4).features(seat, &mut features);
            logistic(trainer.net().logit(0, &features, &mut Units::default()))
        })
    };
    let (alone, rival) = (values(""), values(",rival=timid,rivals=1"));
    assert_eq!(values(",rival=rule:policy=timid,rivals=1"), rival, "the policy as an agent");
    assert!((0..2).all(|seat| rival[seat] > alone[seat] + 0.03), "{rival:?} against it, {alone:?} alone");
}

/// Where the rival takes every seat, the net learns what positions are worth under its play: after each hold of two timid players
/// the mean error against the fixed point of their win rates is below 0.05.
#[test]
fn values_are_those_of_the_rivals_play() {
    let train =
        |rival: &str| trained(20_000, &format!(",rival={rival},rivals=1,rival_seats=all,lambda_end=1"));
    // The win rate of the seat that is to move, by its own score and the other's. A 1 gathers nothing.
    let scores = || (0..TARGET).flat_map(|own| (0..TARGET).map(move |other| (own, other)));
    let mut wins: BTreeMap<(u8, u8), f64> = scores().map(|pair| (pair, 0.5)).collect();
    for _ in 0..1_000 {
        for (own, other) in scores() {
            let after = |roll| if own + roll >= TARGET { 1.0 } else { 1.0 - wins[&(other, own + roll)] };
            let win = ((2..=6).map(after).sum::<f64>() + 1.0 - wins[&(other, own)]) / 6.0;
            wins.insert((own, other), win);
        }
    }
    let mut trainer = train("timid");
    let (mut features, mut error, mut count) = (Vec::new(), 0.0, 0);
    // They take turns, so their scores are much alike.
    for (own, other) in scores().filter(|&(own, other)| own.min(other) > 1 && own.abs_diff(other) <= 4) {
        Pig::at(TARGET, [own, other], 1, 0).features(0, &mut features);
        let value = logistic(trainer.net().logit(0, &features, &mut Units::default()));
        error += (f64::from(value) - (1.0 - wins[&(other, own)])).abs();
        count += 1;
    }
    let error = error / f64::from(count);
    assert!(error < 0.05, "off by {error} on the mean");
    assert_eq!(train("rule:policy=timid").progress(), trainer.progress(), "the policy as an agent");
}

/// Who holds at once loses to who draws when to hold, and the net learns from the rival's seats alone: what the rival has reached is
/// worth less than among its like.
#[test]
fn values_are_those_of_a_rival_that_meets_another() {
    let mean = |meets: &str| {
        let more = format!(",rival=timid,rivals=1,rival_seats=all,lambda_end=1,rival_meets={meets}");
        let mut trainer = trained(10_000, &more);
        let (mut features, mut sum, mut count) = (Vec::new(), 0.0, 0);
        for (own, other) in (2..9).flat_map(|own| (2..9).map(move |other| (own, other))) {
            Pig::at(TARGET, [own, other], 1, 0).features(0, &mut features);
            sum += logistic(trainer.net().logit(0, &features, &mut Units::default()));
            count += 1;
        }
        sum / count as f32
    };
    let (alone, same, other) = (mean(""), mean("rule:policy=timid"), mean("random"));
    assert!((same - alone).abs() < 0.01, "{same} against its like, {alone} alone");
    assert!(other < alone - 0.02, "{other} against another player, {alone} alone");
}

/// A rival that breaks the rules ends the training, and the message names it and its move. The net learnt from such games.
#[test]
#[should_panic(expected = "hasty in seat 1 chose the illegal move hold")]
fn a_rival_keeps_to_the_rules() {
    /// Holds even where nothing is gathered yet.
    struct Hasty;
    impl Agent<Pig> for Hasty {
        fn choose(&mut self, _: Decision<'_, Pig>, _: &mut Rng) -> Move {
            Move::Hold
        }
    }
    let given = options::fields("schedule", ["games=4", "first=16", "second=8", "rival=hasty", "rivals=1"]);
    let schedule: Schedule = options::read("schedule", &given.unwrap()).unwrap();
    let make =
        |_: &str, _: &u8, seats| Some((0..seats).map(|_| Box::new(Hasty) as Box<dyn Agent<Pig>>).collect());
    Trainer::new(DrawnRules::only(TARGET), schedule, Box::new(make), 9000).train();
}

/// The same seed gives the same net, and a training that was interrupted ends with it, too. In the middle of a batch it goes back to the last
/// learning step.
#[test]
fn training_can_be_interrupted() {
    let bytes = |trainer: &Trainer<Pig>| trainer.progress();
    let mut whole = trainer(400);
    for _ in 0..400 {
        whole.train();
    }
    let mut first = trainer(400);
    for _ in 0..123 {
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
    let mut trainer = trained(2_000, "");
    let header = Header {
        schema: 2,
        game: "pig".to_owned(),
        rules_version: 1,
        rules: TARGET.into(),
        features_version: 1,
        shape: trainer.net().shape(),
        unit: 0,
        training: Value::Null,
        fnv1a: None,
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

/// The file of a model with another header.
fn changed(bytes: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let mut header: Value = serde_json::from_slice(&bytes[..end]).unwrap();
    change(&mut header);
    [header.to_string().as_bytes(), &bytes[end..]].concat()
}

/// The file of a model without the checksum, in this form.
fn without_sum(bytes: &[u8], schema: u32) -> Vec<u8> {
    changed(bytes, |header| {
        header["schema"] = schema.into();
        header.as_object_mut().unwrap().remove("fnv1a").unwrap();
    })
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
    let schema = String::from_utf8_lossy(&bytes[..40]).replace("\"schema\":4", "\"schema\":7");
    assert!(refused(&[schema.as_bytes(), &bytes[40..]].concat()).contains("schema 7, not 4"));
    let mut flipped = bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert_eq!(Model::from_bytes(&flipped).err(), Some(ModelError::Changed));
    for schema in [3, 4] {
        assert_eq!(Model::from_bytes(&without_sum(&bytes, schema)).err(), Some(ModelError::Changed));
    }
    let earlier = Model::from_bytes(&without_sum(&bytes, 2)).unwrap();
    assert_eq!(earlier.net(), model.net(), "files of earlier forms have no checksum");
    let rules = TARGET.into();
    assert_eq!(model.check::<Pig>("pig", 1, &rules), Ok(()));
    for (game, version, rules, field) in
        [("dig", 1, &rules, "game"), ("pig", 2, &rules, "rules version"), ("pig", 1, &13.into(), "rules 12")]
    {
        let error = model.check::<Pig>(game, version, rules).unwrap_err().to_string();
        assert!(error.contains(field), "{error}");
    }
}

/// The checksum is of the header as well as of the weights: the unit scales these, and the rules say where they serve.
#[test]
fn a_changed_header_is_noticed() {
    let bytes = model().to_bytes();
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let header = String::from_utf8_lossy(&bytes[..end]);
    for (from, to) in [
        ("\"unit\":256", "\"unit\":128"),
        ("\"rules\":12", "\"rules\":13"),
        ("\"rules\":12", "\"rules\": 12"),
        ("\"training\":null", "\"training\":1"),
        ("\"schema\":4", "\"schema\":3"),
        ("\"schema\":4", "\"schema\":2"),
        ("\"fnv1a\"", "\"weights_fnv1a\""),
    ] {
        let other = header.replace(from, to);
        assert_ne!(other, header, "{from}");
        let file = [other.as_bytes(), &bytes[end..]].concat();
        assert_eq!(Model::from_bytes(&file).err(), Some(ModelError::Changed), "{to}");
    }
}

/// Files of the third form have the checksum of their weights alone, and are the model that they always were.
#[test]
fn files_of_the_third_form_are_read() {
    let model = model();
    let mut bytes = changed(&model.to_bytes(), |header| {
        header["schema"] = 3.into();
        header.as_object_mut().unwrap().remove("fnv1a");
        header["weights_fnv1a"] = "SUM".into();
    });
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let sum = |bytes: &[u8]| {
        let mut hasher = FnvHasher::default();
        hasher.write(bytes);
        format!("{:016x}", hasher.finish())
    };
    let header = String::from_utf8_lossy(&bytes[..end]).replace("SUM", &sum(&bytes[end + 1..]));
    bytes = [header.as_bytes(), &bytes[end..]].concat();
    let read = Model::from_bytes(&bytes).unwrap();
    assert_eq!((read.net(), read.id.fnv1a.clone()), (model.net(), sum(&bytes)));
    assert_eq!(Model::from_bytes(&read.to_bytes()).unwrap().header, read.header, "written again");
    *bytes.last_mut().unwrap() ^= 1;
    assert_eq!(Model::from_bytes(&bytes).err(), Some(ModelError::Changed));
}

/// A net whose first layer fits no unit is refused, for its sums would wrap; so is one with weights that are no numbers.
#[test]
fn nets_that_fit_no_unit_are_refused() {
    let Model { header, .. } = model();
    let mut net = trainer(8).net().clone();
    let new = |net: &Net, largest: f32| Model::new(header.clone(), net, largest);
    assert_eq!(new(&net, 4000.0).unwrap().header.unit, 4);
    assert_eq!(new(&net, 4100.0), Err(ModelError::FirstLayer("8200".to_owned())));
    net.parts()[1][0] = -8200.0;
    let error = new(&net, 1.0).unwrap_err().to_string();
    assert!(error.contains("8200, beyond 16 bits") && error.contains("a smaller rate"), "{error}");
    net.parts()[1][0] = f32::NAN;
    assert_eq!(new(&net, 1.0), Err(ModelError::Range("NaN".to_owned())));
}

/// The hidden layers of a training have sizes that a model file can have.
#[test]
#[should_panic(expected = "first=24, second=8: expected a multiple of 16 and one of 8")]
fn schedules_that_are_none_are_refused() {
    let schedule = Schedule { first: 24, second: 8, ..Schedule::default() };
    drop(Trainer::<Pig>::new(DrawnRules::only(TARGET), schedule, Box::new(|_, _, _| None), 1));
}

/// A model serves every set of rules of the spreads that it was trained for and no other, and says which option is beyond them.
#[test]
fn models_serve_their_spreads() {
    let mut model = model();
    model.header.rules = json!([
        { "health": "5..40", "limit": ["below", "at_most"], "teams": [] },
        { "health": 20, "limit": "below", "teams": [0, 1], "aim": "score" },
    ]);
    let check = |rules: Value| model.check::<Pig>("pig", 1, &rules).map_err(|error| error.to_string());
    assert_eq!(check(json!({ "health": 40, "limit": "below", "teams": [] })), Ok(()));
    assert_eq!(check(json!({ "health": 20, "limit": "below", "teams": [0, 1], "aim": "score" })), Ok(()));
    for (rules, error) in [
        (json!({ "health": 41, "limit": "below", "teams": [] }), "health=41, but for 5..40"),
        (json!({ "health": 41, "limit": "below", "teams": [0, 1], "aim": "score" }), "health=41, but for 20"),
        (json!({ "health": 9, "limit": "none", "teams": [] }), r#"limit=none, but for ["below","at_most"]"#),
        (json!({ "health": 9, "limit": "below", "teams": [0, 1, 2] }), "teams=[0,1,2], but for []"),
        (json!({ "health": 20, "limit": "below", "teams": [0, 1], "aim": "win" }), "aim=win, but for score"),
    ] {
        assert_eq!(check(rules), Err(format!("the model was not trained for {error}")));
    }
    // What is no set of options says nothing of single ones.
    model.header.rules = json!([7, { "health": 20 }, "8..9"]);
    let check = |rules: Value| model.check::<Pig>("pig", 1, &rules).map_err(|error| error.to_string());
    assert_eq!(check(json!({ "health": 20 })), Ok(()));
    assert_eq!(check(json!(7)), Ok(()));
    assert_eq!(
        check(json!({ "health": 21 })),
        Err("the model was not trained for health=21, but for 20".to_owned())
    );
    model.header.rules = json!([7]);
    let check = |rules: Value| model.check::<Pig>("pig", 1, &rules).map_err(|error| error.to_string());
    for rules in [json!({}), json!({ "ace": -1 })] {
        assert_eq!(check(rules.clone()), Err(format!("the model is for rules [7], not {rules}")));
    }
}

/// A model whose features are numbered alike and are not as many is told so.
#[test]
fn models_of_other_inputs_are_refused() {
    let mut model = model();
    model.header.shape.inputs += 1;
    let error = model.check::<Pig>("pig", 1, &TARGET.into()).unwrap_err().to_string();
    assert_eq!(error, "the model is for inputs 18523, not 18522");
    model.header.features_version = 2;
    let error = model.check::<Pig>("pig", 1, &TARGET.into()).unwrap_err().to_string();
    assert_eq!(error, "the model is for features version 2, not 1");
}

/// Every game draws its rules by their shares, within a kind all alike, and nothing is drawn where there is no choice.
#[test]
fn rules_are_drawn_by_their_shares() {
    let mut rng = stream(3, 0, Role::Chance);
    let before = rng.clone();
    assert_eq!(DrawnRules::only(7).draw(&mut rng), &7);
    assert_eq!(rng, before);
    let rules = DrawnRules::mixed(vec![(3.0, vec![0]), (1.0, vec![1, 2])]).unwrap();
    assert_eq!(rules.iter().copied().collect::<Vec<_>>(), [0, 1, 2]);
    let mut counts = [0; 3];
    (0..8_000).for_each(|_| counts[*rules.draw(&mut rng)] += 1);
    // Six standard errors.
    for (count, expected) in counts.into_iter().zip([6_000, 1_000, 1_000]) {
        assert!((expected - 240..=expected + 240).contains(&count), "{counts:?}");
    }
    // Of shares without a finite sum the first would take all games.
    let endless = vec![(1e308, vec![1]), (1e308, vec![2])];
    for kinds in [vec![], vec![(0.0, vec![1])], vec![(1.0, vec![])], vec![(f64::NAN, vec![1])], endless] {
        assert_eq!(DrawnRules::<i32>::mixed(kinds.clone()), None, "{kinds:?}");
    }
}

/// What would only show in play is refused when a file is read: sizes whose product is no number, and weights whose sums are none.
#[test]
fn models_beyond_all_sizes_are_refused() {
    let model = model();
    let bytes = without_sum(&model.to_bytes(), 2);
    for (field, huge) in
        [("inputs", usize::MAX), ("first", usize::MAX / 32 * 16), ("second", 1 << 60), ("heads", 1 << 62)]
    {
        let file = changed(&bytes, |header| header["shape"][field] = huge.into());
        assert!(matches!(Model::from_bytes(&file), Err(ModelError::Length { .. })), "{field}");
    }
    // Without a head there is nothing that second layers of any size would need bytes for.
    let none = changed(&bytes, |header| {
        header["shape"] = json!({ "inputs": 0, "first": 16, "second": 1_u64 << 60, "heads": 0 });
    });
    let none = [&none[..none.iter().position(|&byte| byte == b'\n').unwrap()], b"\n", &[0; 32]].concat();
    let error = Model::from_bytes(&none).unwrap_err().to_string();
    assert_eq!(error, "the model is for heads 0, not one at least");
    // What this version does not know of a net may change what its weights mean.
    let more = changed(&bytes, |header| header["shape"]["third"] = 8.into());
    assert!(matches!(Model::from_bytes(&more), Err(ModelError::Header(told)) if told.contains("third")));
    let no_rules = changed(&bytes, |header| header["rules"] = json!([]));
    let error = Model::from_bytes(&no_rules).unwrap_err().to_string();
    assert_eq!(error, "the model is for rules [], not one set of them at least");
    // The weights of the output stand before its bias, those of the second layer before the biases of the second.
    let Shape { second, .. } = model.header.shape;
    let output = bytes.len() - 4 * (1 + second);
    for (place, weight) in [(output, i32::MAX), (output, i32::MIN), (output - 4 * second, i32::MIN)] {
        let mut file = bytes.clone();
        file[place..place + 4].copy_from_slice(&weight.to_le_bytes());
        assert!(matches!(Model::from_bytes(&file), Err(ModelError::Sum(_))), "{weight}");
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

/// A training that begins with a model begins with what the model plays by.
#[test]
fn training_goes_on_from_a_model() {
    let model = model();
    assert_eq!(Model::new(model.header.clone(), &model.net(), 50.0), Ok(model.clone()));
    let mut trainer = trainer(10);
    assert!(trainer.begin_with(&model.net(), Method::Td));
    assert_eq!(trainer.net(), &model.net());
    let other = Shape { inputs: 30, ..trainer.net().shape() };
    let other = Net::new(other, &mut stream(1, 0, Role::Chance));
    assert!(!trainer.begin_with(&other, Method::Td), "another shape");
}

/// However a list of features is cut into what is common, a part that others have too and the rest, its value is the same; also
/// when the part was there before, and with nets of two sizes in turn on one thread.
#[test]
fn a_list_is_worth_the_same_in_any_parts() {
    let small = model();
    let models = [small.clone(), Model::mean(&[small.clone(), small]).unwrap()];
    let values = models.map(|model| LearnedValue::<Pig>::new(Arc::new(model)));
    let mut worth = Vec::new();
    for value in values.iter().chain(&values) {
        let whole = value.batch((0, 0), |_| (), |batch| batch.logit(&[], &[7, 700, 9, 90, 13]));
        let parts = value.batch(
            (0, 0),
            |common| common.extend([7, 700, 5]),
            |batch| {
                let part = |features: &'static [u16]| move |out: &mut Vec<u16>| out.extend(features);
                let less = batch.logit(&[5], &[9, 90, 13]);
                // The sum of the common features holds a 5 here, so the whole one does, too.
                let first = batch.logit_with(1, part(&[9, 90]), &[13]);
                let second = batch.logit_with(2, part(&[11]), &[]);
                assert_eq!(batch.logit(&[], &[11]), second);
                let again = batch.logit_with(1, |_| unreachable!("the part is known"), &[13]);
                [less, first, again, batch.logit(&[], &[9, 90, 13])]
            },
        );
        assert_eq!(parts[0], whole);
        assert!(parts[1..].iter().all(|&other| other == parts[3]), "{parts:?}");
        assert_ne!(parts[0], parts[1]);
        worth.push(whole);
    }
    assert_eq!(worth[..2], worth[2..]);
}

/// The mean of models is the mean of their log-odds, whatever the units that they count in, and of one alone it is that model's. What
/// answers other questions is refused.
#[test]
fn the_mean_of_models_is_that_of_their_log_odds() {
    let one = model();
    let mut net = trainer(8).net().clone();
    // So heavy that it counts in larger parts.
    net.parts()[0].iter_mut().for_each(|weight| *weight *= 9.0);
    let other = Model::new(one.header.clone(), &net, 400.0).unwrap();
    assert!(other.header.unit < one.header.unit, "{} and {}", other.header.unit, one.header.unit);
    let mean = Model::mean(&[one.clone(), other.clone()]).unwrap();
    assert_eq!(Model::from_bytes(&mean.to_bytes()), Ok(mean.clone()), "it is a model like others");
    assert_eq!(mean.header.training["mean_of"], json!([one.header.training, other.header.training]));
    let value = |model: &Model| LearnedValue::<Pig>::new(Arc::new(model.clone()));
    let [a, b, both, alone] =
        [&one, &other, &mean, &Model::mean(std::slice::from_ref(&one)).unwrap()].map(value);
    let mut apart = 0.0_f64;
    for (own, gathered) in (0..9).flat_map(|own| (1..10).map(move |gathered| (own, gathered))) {
        let position = Pig::at(TARGET, [own, 4], 0, gathered);
        let [a, b, both, alone] = [&a, &b, &both, &alone].map(|value| value.logit(&position, 0));
        assert!((both - (a + b) / 2.0).abs() < 0.02, "{both} of {a} and {b}");
        assert_eq!(alone, a);
        apart = apart.max((a - b).abs());
    }
    assert!(apart > 0.2, "the two are alike");
    let refused = |change: fn(&mut Header), message: &str| {
        let mut foreign = other.clone();
        change(&mut foreign.header);
        let error = Model::mean(&[one.clone(), foreign]).unwrap_err();
        assert_eq!(error.to_string(), message);
    };
    refused(|header| header.game = "whist".into(), "the model is for game whist, not pig");
    refused(|header| header.rules = 13.into(), "the model is for rules 13, not 12");
    refused(|header| header.shape.heads = 2, "the model is for heads 2, not 1");
    assert_eq!(Model::mean(&[]), Err(ModelError::Empty));
    assert_eq!(Model::mean(&[one, mean]), Err(ModelError::Nested));
}

/// The first layer takes smaller steps where they are asked for, and the others do not.
#[test]
fn the_first_layer_has_a_rate_of_its_own() {
    let moved = |more: &str| {
        let mut trainer = trainer_with(4, more);
        let mut before = trainer.net().clone();
        for _ in 0..4 {
            trainer.train();
        }
        let mut after = trainer.net().clone();
        let sizes = after.parts().into_iter().zip(before.parts());
        sizes
            .map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - *b).abs()).fold(0.0, f32::max))
            .collect::<Vec<_>>()
    };
    let (whole, part) = (moved(""), moved(",first_rate=0.25"));
    for layer in 0..6 {
        let ratio = part[layer] / whole[layer];
        let expected = if layer < 2 { 0.25 } else { 1.0 };
        assert!((ratio - expected).abs() < 1e-3, "layer {layer}: {ratio}");
    }
}
