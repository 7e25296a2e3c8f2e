//! What is told of an option.

use serde::Serialize;
use serde_json::Number;

/// One option, for `sim list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OptionDoc {
    /// Its name in `name=value`.
    pub name: String,
    /// The value that it has when it is not given.
    pub default: String,
    /// The accepted values, where they can be listed.
    pub values: Vec<String>,
    /// The least number that is accepted, where there is a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Number>,
    /// The greatest number that is accepted, where there is a limit of less than 32 bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Number>,
    /// What it means.
    pub meaning: String,
}

impl OptionDoc {
    /// What it means, and in brackets the values or the range that it accepts.
    #[must_use]
    pub fn in_words(&self) -> String {
        let [min, max] = [&self.min, &self.max].map(|end| end.as_ref().map(limit));
        let accepted = match (min, max) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("{min} or more"),
            (None, Some(max)) => format!("up to {max}"),
            (None, None) => self.values.join(", "),
        };
        if accepted.is_empty() { self.meaning.clone() } else { format!("{} [{accepted}]", self.meaning) }
    }
}

/// 1 and not 1.0, and 1e-12 without its zeros.
fn limit(number: &Number) -> String {
    match number.as_f64() {
        Some(real) if real != 0.0 && real.abs() < 1e-3 => format!("{real:e}"),
        Some(real) => real.to_string(),
        None => number.to_string(),
    }
}
