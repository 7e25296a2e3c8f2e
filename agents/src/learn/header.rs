//! The header of a model file: what the model was trained for, and how.

use super::features::Features;
use super::model_error::{ITS_DEFAULT, ModelError, other};
use crate::net::{Groups, Shape};
use crate::options::spread::covers;
use crate::options::{listed, shown};
use crate::training::Method;
use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::hash::Hasher as _;

/// The form of the file that this version writes. It reads the earlier ones, too.
pub(super) const SCHEMA: u32 = 4;

/// The unit of files of the first form.
fn finest() -> u16 {
    256
}

/// The header of a model file, its first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The form of the file.
    pub schema: u32,
    /// The game.
    pub game: String,
    /// The version of the game's rules.
    pub rules_version: u32,
    /// The rules that it was trained for, every option of them: one set, or a list of spreads ([`crate::options::spread`]).
    pub rules: Value,
    /// The version of the game's features.
    pub features_version: u32,
    /// The sizes of the net.
    pub shape: Shape,
    /// The first layer counts in this part of one, a power of two: the smallest for which its sums fit 16 bits.
    /// Files of the first form leave it out.
    #[serde(default = "finest")]
    pub unit: u16,
    /// The record of its training: the command, the seeds, the held-out results.
    pub training: Value,
    /// The checksum, a 64-bit FNV-1a hash in hexadecimal: of the file as it is without this field, which stands last. In files of
    /// the third form it is that of the weights alone, under its older name; those of earlier forms have none.
    #[serde(default, alias = "weights_fnv1a", skip_serializing_if = "Option::is_none")]
    pub fnv1a: Option<String>,
}

/// The records of the nets that this record of a training tells of.
fn nets(training: &Value) -> &[Value] {
    training["mean_of"].as_array().map_or(std::slice::from_ref(training), Vec::as_slice)
}

/// The games of a training and of those that it went on from.
fn games(training: &Value) -> u64 {
    let one = |training: &Value| training["schedule"]["games"].as_u64().unwrap_or(0);
    let all = |net: &Value| one(net).saturating_add(net.get("from").map_or(0, games));
    // Anybody may have written the numbers.
    nets(training).iter().map(all).fold(0, u64::saturating_add)
}

impl Header {
    /// Reads the first line of a file.
    pub(super) fn read(line: &[u8]) -> Result<Self, ModelError> {
        let header: Self =
            serde_json::from_slice(line).map_err(|error| ModelError::Header(error.to_string()))?;
        match (1..=SCHEMA).contains(&header.schema) {
            true => Ok(header),
            false => Err(other("schema", &header.schema, &SCHEMA)),
        }
    }

    /// The spreads of the rules that it was trained for.
    #[must_use]
    pub fn spreads(&self) -> &[Value] {
        match &self.rules {
            Value::Array(spreads) => spreads,
            one => std::slice::from_ref(one),
        }
    }

    /// What the net has learnt. It stands in the record of its training, in that of the first net where it is a mean of several.
    #[must_use]
    pub fn method(&self) -> Method {
        let training = self.training.pointer("/mean_of/0").unwrap_or(&self.training);
        match &training["schedule"]["method"] {
            Value::Null => Method::Td,
            // What a later version has learnt by is no value that this one knows of.
            method => Method::deserialize(method).unwrap_or(Method::PolicyGradient),
        }
    }

    /// The cards of the games that it has learnt from last, where they were not all of the game's.
    #[must_use]
    pub fn cards(&self) -> Vec<String> {
        let cards = self.nets().first().map_or(&Value::Null, |net| &net["cards"]);
        Vec::deserialize(cards).unwrap_or_default()
    }

    /// The records of the trainings of its nets: of several where it is their mean.
    #[must_use]
    pub fn nets(&self) -> &[Value] {
        nets(&self.training)
    }

    /// Whether it is the mean of several.
    pub(super) fn is_mean(&self) -> bool {
        self.training.get("mean_of").is_some()
    }

    /// From how many games each of its nets has learnt, those of the models that it went on from included.
    #[must_use]
    pub fn games(&self) -> Vec<u64> {
        self.nets().iter().map(games).collect()
    }

    /// Whether the checksum is that of the file: of its first line and what follows, the end of the line included.
    pub(super) fn agrees(&self, line: &[u8], rest: &[u8]) -> bool {
        match (self.schema, &self.fnv1a) {
            (1 | 2, sum) => sum.is_none(),
            (_, None) => false,
            (3, Some(sum)) => *sum == fnv1a(&[rest.get(1..).unwrap_or_default()]),
            // Taken out of the bytes, for numbers may be written in several ways.
            (_, Some(sum)) => line
                .strip_suffix(format!(",\"fnv1a\":\"{sum}\"}}").as_bytes())
                .is_some_and(|line| *sum == fnv1a(&[line, b"}", rest])),
        }
    }

    /// What two models must have in common to have a mean.
    fn question(&self) -> [(&'static str, String); 9] {
        let Shape { inputs, groups, heads, .. } = self.shape;
        [
            ("game", self.game.clone()),
            ("rules version", self.rules_version.to_string()),
            ("rules", self.rules.to_string()),
            ("cards", self.cards().join(" ")),
            ("features version", self.features_version.to_string()),
            ("inputs", inputs.to_string()),
            ("groups", format!("{:?}", groups.0)),
            ("heads", heads.to_string()),
            ("method", shown(&json!(self.method()))),
        ]
    }

    /// Adds the units of another model to these, if it answers the same question.
    pub(super) fn join(&mut self, more: &Self) -> Result<(), ModelError> {
        for ((field, expected), (_, found)) in self.question().into_iter().zip(more.question()) {
            if expected != found {
                return Err(other(field, &found, &expected));
            }
        }
        self.shape.first += more.shape.first;
        self.shape.second += more.shape.second;
        Ok(())
    }

    /// Checks that the model was trained for this game, these rules and these features.
    ///
    /// # Errors
    /// Names the first field that differs.
    pub(super) fn check<G: Features>(
        &self,
        game: &str,
        rules_version: u32,
        rules: &Value,
    ) -> Result<(), ModelError> {
        if self.game != game {
            return Err(other("game", &self.game, &game));
        }
        if self.rules_version != rules_version {
            return Err(other("rules version", &self.rules_version, &rules_version));
        }
        let Shape { inputs, groups, heads, .. } = self.shape;
        if self.features_version != G::FEATURES_VERSION {
            return Err(other("features version", &self.features_version, &G::FEATURES_VERSION));
        }
        if inputs != G::INPUTS {
            return Err(other("inputs", &inputs, &G::INPUTS));
        }
        if (groups, heads) != (G::GROUPS, G::HEADS) {
            let form = |groups: Groups, heads: usize| format!("{:?} and {heads} heads", groups.0);
            return Err(other("groups of", &form(groups, heads), &form(G::GROUPS, G::HEADS)));
        }
        self.check_rules(rules)
    }

    /// Checks that the model was trained for these rules, every option of them.
    fn check_rules(&self, rules: &Value) -> Result<(), ModelError> {
        let spreads = self.spreads();
        let foreign = || Err(other("rules", &self.rules, rules));
        if !rules.is_object() {
            return if spreads.contains(rules) { Ok(()) } else { foreign() };
        }
        // What is no set of options says nothing of one of them.
        let spreads: Vec<&Value> = spreads.iter().filter(|spread| spread.is_object()).collect();
        // An option that is left out is null on both sides.
        let misfits = |spread: &&Value| -> Vec<String> {
            let names = [*spread, rules].into_iter().filter_map(Value::as_object).flat_map(|of| of.keys());
            let names = names.collect::<BTreeSet<_>>().into_iter();
            names.filter(|name| !covers(&spread[*name], &rules[*name])).cloned().collect()
        };
        // The spreads that come nearest say what is missing.
        let all: Vec<Vec<String>> = spreads.iter().map(misfits).collect();
        let Some(nearest) = all.iter().min_by_key(|misfits| misfits.len()) else { return foreign() };
        let Some(option) = nearest.first() else { return Ok(()) };
        let near = spreads.iter().zip(&all).filter(|(_, misfits)| *misfits == nearest);
        // Some options are left out where they have their default.
        let told = |value: &Value| if value.is_null() { ITS_DEFAULT.to_owned() } else { shown(value) };
        let trained: BTreeSet<String> = near.map(|(spread, _)| told(&spread[option])).collect();
        Err(ModelError::Rules {
            option: option.clone(),
            value: told(&rules[option]),
            trained: listed(trained.iter().map(String::as_str)),
        })
    }
}

/// The 64-bit FNV-1a hash of these bytes, one part after the other, in hexadecimal.
pub(super) fn fnv1a(parts: &[&[u8]]) -> String {
    let mut hasher = FnvHasher::default();
    parts.iter().for_each(|part| hasher.write(part));
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The games of a model are those of all its nets, and of what each of them went on from.
    #[test]
    fn games_are_those_of_all_nets() {
        let net = |games: u64| json!({ "schedule": { "games": games } });
        let mut later = net(30);
        later["from"] = net(10);
        assert_eq!((games(&later), nets(&later).len()), (40, 1));
        let mean = json!({ "mean_of": [later, net(5)] });
        assert_eq!((games(&mean), nets(&mean).len()), (45, 2));
        let mut most = net(u64::MAX);
        most["from"] = net(1);
        assert_eq!(games(&json!({ "mean_of": [most, net(1)] })), u64::MAX);
    }
}
