//! The rounded model from within.

use super::*;
use crate::net::{Groups, Net, Shape};
use crate::rng::{Role, stream};
use rand::RngExt as _;
use serde_json::Value;

/// Nets of several sizes, each with several heads, have a mean in every head.
#[test]
fn a_mean_is_one_in_every_head() {
    let heads = 3;
    let nets: Vec<Model> = [(16, 8), (48, 16), (32, 8)]
        .into_iter()
        .zip(1..)
        .map(|((first, second), seed)| {
            let shape = Shape { inputs: 12, first, second, groups: Groups::default(), heads };
            let mut net = Net::new(shape, &mut stream(seed, 0, Role::Chance));
            let mut rng = stream(seed, 1, Role::Chance);
            for weight in net.parts().into_iter().flatten() {
                *weight = rng.random_range(-1.0..1.0);
            }
            let header = Header {
                schema: 2,
                game: "toy".to_owned(),
                rules_version: 1,
                rules: Value::Null,
                features_version: 1,
                shape,
                unit: 0,
                training: Value::Null,
                fnv1a: None,
            };
            Model::new(header, &net, 12.0).unwrap()
        })
        .collect();
    let mean = Model::mean(&nets).unwrap();
    let mut apart = 0.0_f64;
    for head in 0..heads {
        for features in [&[0_u16, 3][..], &[1, 2, 5, 11], &[], &[7, 8, 9, 10, 4]] {
            let logit = |model: &Model| {
                let mut units = model.first_bias.clone();
                model.add_rows(&mut units, features);
                model.logit(head, &mut units, &mut Vec::new())
            };
            let each: Vec<f64> = nets.iter().map(logit).collect();
            let expected = each.iter().sum::<f64>() / 3.0;
            assert!((logit(&mean) - expected).abs() < 0.02, "{} of {each:?}", logit(&mean));
            apart = apart.max((each[0] - each[1]).abs());
        }
    }
    assert!(apart > 0.5, "the nets are alike: {apart}");
}
