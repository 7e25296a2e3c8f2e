//! Model files: a file is refused, or is written again as it was read and gives values.

use crate::choices::Choices;
use crate::mutate;
use knave::agents::Evaluator as _;
use knave::agents::learn::{Features, Header, LearnedValue, Model};
use knave::agents::net::Shape;
use knave::agents::options;
use knave::games::{CardGame, dungeon::Dungeon};
use knave_agents::{Game as _, Turn};
use serde_json::{Value, json};
use std::sync::Arc;

/// The units of the smallest net that a file can hold.
const UNITS: (usize, usize) = (16, 8);

/// A model of the dungeon with random weights, in units of a size that the input chooses.
fn seed(choices: &mut Choices<'_>) -> Vec<u8> {
    let (first, second) = UNITS;
    let header = Header {
        schema: 2,
        game: Dungeon::NAME.to_owned(),
        rules_version: Dungeon::RULES_VERSION,
        rules: Value::Object(options::recorded(&<Dungeon as knave_agents::Game>::Rules::default())),
        features_version: Dungeon::FEATURES_VERSION,
        shape: Shape {
            inputs: Dungeon::INPUTS,
            first,
            second,
            groups: Dungeon::GROUPS,
            heads: Dungeon::HEADS,
        },
        unit: 1 << choices.below(9),
        fnv1a: None,
        training: json!({}),
    };
    let mut bytes = serde_json::to_vec(&header).unwrap_or_default();
    bytes.push(b'\n');
    let heads = Dungeon::HEADS;
    let (small, large) = (Dungeon::INPUTS * first + first + heads * first * second, heads * (2 * second + 1));
    let size = choices.below(4);
    let mut rng = choices.rng();
    // The highest bytes of a weight are those of its sign, unless it is to be as large as can be.
    let mut weight = |bytes: usize| {
        let number = knave_agents::rng::below(&mut rng, u32::MAX) as i32;
        let shift = if size == 0 {
            32 - 8 * bytes as u32
        } else {
            32 - 8 * bytes as u32 + 8 * (bytes as u32 - 1).min(size as u32)
        };
        (number >> shift).to_le_bytes()
    };
    (0..small).for_each(|_| bytes.extend(&weight(2)[..2]));
    (0..large).for_each(|_| bytes.extend(&weight(4)[..4]));
    bytes
}

/// Changes a model file, and plays by it where it is accepted.
pub fn models(choices: &mut Choices<'_>) {
    let whole = seed(choices);
    let end = whole.iter().position(|&byte| byte == b'\n').unwrap_or_default();
    let (header, weights) = (String::from_utf8_lossy(&whole[..end]), &whole[end..]);
    let mut bytes = match choices.below(3) {
        0 => header.as_bytes().to_vec(),
        _ => {
            let header: Value = serde_json::from_str(&header).unwrap_or_default();
            mutate::document(&header, "{\"inputs\":0,\"first\":16,\"heads\":2}", choices).into_bytes()
        }
    };
    bytes.extend(weights);
    if choices.once_in(3) {
        mutate::change(&mut bytes, b"\n\xff\xff\xff\x7f", choices);
    }
    read(&bytes);
}

/// Reads a file.
///
/// # Panics
/// When one is accepted that cannot be used.
pub fn read(bytes: &[u8]) {
    let Ok(model) = Model::from_bytes(bytes) else { return };
    let again = Model::from_bytes(&model.to_bytes()).unwrap_or_else(|error| panic!("written again: {error}"));
    let net = model.net();
    assert_eq!((&again.header, again.net()), (&model.header, net.clone()), "written again");
    assert_eq!(net.shape(), model.header.shape);
    let rules = <Dungeon as knave_agents::Game>::Rules::default();
    let recorded = Value::Object(options::recorded(&rules));
    if model.check::<Dungeon>(Dungeon::NAME, Dungeon::RULES_VERSION, &recorded).is_err() {
        return;
    }
    let value = LearnedValue::<Dungeon>::new(Arc::new(model));
    let mut choices = Choices::new(b"model");
    let (mut position, _) = crate::random::deal::<Dungeon>(&rules, &mut choices, 1000);
    for _ in 0..5 {
        crate::random::play_on(&mut position, 1, &mut choices);
        if position.turn() == Turn::Over {
            return;
        }
        let found = value.value(&position, 0);
        assert!((0.0..=1.0).contains(&found), "the value {found} is no probability");
    }
}
