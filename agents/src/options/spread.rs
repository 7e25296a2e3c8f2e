//! Spreads: options with several values each, and the sets of options that they stand for.
//!
//! A value is given as a list, or as a range of whole numbers such as `"5..40"`, both ends included.

use super::{Fields, OptionError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The most sets of options that a spread may stand for.
const MOST: usize = 100_000;

/// The values that this one stands for; `None` for a single value.
fn values(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(values) => Some(values.clone()),
        Value::String(text) => range(text).map(|(low, high)| (low..=high).map(Value::from).collect()),
        _ => None,
    }
}

/// The ends of a range of whole numbers.
fn range(text: &str) -> Option<(i64, i64)> {
    let (low, high) = ends_of(text)?;
    range_of(low, high)
}

/// Two whole numbers with dots between.
fn ends_of(text: &str) -> Option<(i64, i64)> {
    let (low, high) = text.split_once("..")?;
    let end = |text| super::whole_number(text)?.try_into().ok();
    Some((end(low)?, end(high)?))
}

/// The same as a range, if it has values, and not too many.
fn range_of(low: i64, high: i64) -> Option<(i64, i64)> {
    (low <= high && high.abs_diff(low) < MOST as u64).then_some((low, high))
}

/// Every set of options with one value for each name, the last name counting up first.
///
/// # Errors
/// When a list is empty, or there are more sets than anybody wants.
pub fn spread(owner: &str, given: &Fields) -> Result<Vec<Fields>, OptionError> {
    let mut sets = vec![Fields::new()];
    for (name, value) in given {
        let values = values(value).unwrap_or_else(|| vec![value.clone()]);
        let refused =
            |reason: String| Err(OptionError::refused(name, &super::shown(value), reason).of(owner));
        if values.is_empty() {
            return refused("the list is empty".to_owned());
        }
        // The option would be told to be a number, which says nothing of ranges.
        if value.as_str().and_then(ends_of).is_some_and(|(low, high)| range_of(low, high).is_none()) {
            return refused(format!("expected the smaller number first, and at most {MOST} values"));
        }
        if sets.len().saturating_mul(values.len()) > MOST {
            return refused(format!("with it there are more than {MOST} sets of options"));
        }
        let with = |set: &Fields| {
            let set = set.clone();
            values.clone().into_iter().map(move |value| {
                let mut set = set.clone();
                set.insert(name.clone(), value);
                set
            })
        };
        sets = sets.iter().flat_map(with).collect();
    }
    Ok(sets)
}

/// The value itself, and the values of a list or the ends of a range: an option may be a list itself ([`covers`]).
#[must_use]
pub fn ends(value: &Value) -> Vec<Value> {
    let mut ends = vec![value.clone()];
    match (value, value.as_str().and_then(range)) {
        (Value::Array(values), _) => ends.extend_from_slice(values),
        (_, Some((low, high))) => ends.extend([low.into(), high.into()]),
        _ => {}
    }
    ends
}

/// Whether this is one of the values that `spread` stands for.
#[must_use]
pub fn covers(spread: &Value, value: &Value) -> bool {
    let stands_for = match spread {
        Value::Array(values) => values.contains(value),
        Value::String(text) => match (range(text), value.as_i64()) {
            (Some((low, high)), Some(number)) => (low..=high).contains(&number),
            _ => false,
        },
        _ => false,
    };
    // An option may be a list itself.
    stands_for || spread == value
}

/// The rules of a training: options, each with a value, a list or a range. The others keep their defaults. Every
/// game draws one set of rules. In a list of such tables each may have a `share` of the games, 1 otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Spreads {
    /// One table.
    One(Fields),
    /// Several tables.
    Many(Vec<Fields>),
}

impl Default for Spreads {
    fn default() -> Self {
        Self::One(Fields::new())
    }
}

impl Spreads {
    /// The share and the options of each table.
    ///
    /// # Errors
    /// When a share is no positive number, or they have no sum.
    pub fn tables(&self) -> Result<Vec<(f64, Fields)>, OptionError> {
        let refused = |number: usize, share: &Value, reason: &str| {
            let owner = format!("rules, table {number}");
            // A number keeps its short form, such as 1e+308, and a text stands without quotes.
            let share = share.as_str().map_or_else(|| share.to_string(), ToOwned::to_owned);
            OptionError::refused("share", &share, reason).of(&owner)
        };
        let table = |(number, fields): (usize, &Fields)| {
            let mut fields = fields.clone();
            match fields.remove("share") {
                None => Ok((1.0, fields)),
                Some(given) => match given.as_f64().filter(|share| *share > 0.0) {
                    Some(share) => Ok((share, fields)),
                    None => Err(refused(number, &given, "expected a number above 0")),
                },
            }
        };
        let tables = match self {
            Self::One(fields) => return Ok(vec![(1.0, fields.clone())]),
            Self::Many(tables) => (1..).zip(tables).map(table).collect::<Result<Vec<_>, _>>()?,
        };
        // Every game would have the rules of the first table.
        if tables.iter().map(|(share, _)| share).sum::<f64>().is_infinite() {
            let largest = (1..).zip(&tables).max_by(|(_, a), (_, b)| a.0.total_cmp(&b.0));
            let (number, (share, _)) = largest.unwrap_or_else(|| unreachable!("the sum is that of some"));
            return Err(refused(
                number,
                &json!(share),
                "the sum of all is too large; expected smaller shares",
            ));
        }
        Ok(tables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(value: &Value) -> Fields {
        value.as_object().cloned().unwrap_or_default()
    }

    /// Lists and ranges multiply; what they stand for is what they cover.
    #[test]
    fn spreads_are_products() {
        let given = fields(&json!({ "health": "5..7", "ace": [-1, 1], "limit": "below" }));
        let sets = spread("game dungeon", &given).unwrap();
        assert_eq!(sets.len(), 6);
        assert_eq!(values(&json!("-1..1e1")).map(|values| values.len()), Some(12));
        assert_eq!(sets[1], fields(&json!({ "ace": -1, "health": 6, "limit": "below" })));
        for set in &sets {
            assert!(set.iter().all(|(name, value)| covers(&given[name], value)), "{set:?}");
        }
        for (spread, value) in [("5..7", json!(8)), ("5..7", json!(4)), ("below", json!("at_most"))] {
            assert!(!covers(&json!(spread), &value), "{spread} does not cover {value}");
        }
        assert!(!covers(&json!([-1, 1]), &json!(0)));
    }

    /// What is no range is a single text; nothing is chosen from nothing; and nobody waits for a million sets.
    #[test]
    fn odd_spreads_are_told_apart() {
        for text in ["..", "1..x", "1,2", "a..b"] {
            let given = fields(&json!({ "teams": text }));
            assert_eq!(spread("", &given).unwrap(), std::slice::from_ref(&given), "{text}");
        }
        let refused = |value: Value| spread("game dungeon", &fields(&value)).unwrap_err().to_string();
        let empty = refused(json!({ "health": [] }));
        assert_eq!(empty, "game dungeon: health=[] is refused: the list is empty");
        for text in ["7..5", "1..9999999"] {
            let told = refused(json!({ "health": text }));
            assert!(told.ends_with("expected the smaller number first, and at most 100000 values"), "{told}");
        }
        let many = refused(json!({ "a": "1..400", "b": "1..400" }));
        assert!(many.ends_with("more than 100000 sets of options"), "{many}");
    }
}
