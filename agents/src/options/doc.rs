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
    /// The greatest number that is accepted, where there is a limit of less than 32 bits or the option names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Number>,
    /// What it means.
    pub meaning: String,
    /// The form of its values.
    #[serde(skip)]
    pub form: Form,
}

/// The form of the values of an option, as far as a text with several of them depends on it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A number, or none where the option may be `null`.
    Number,
    /// A list, which is one value.
    List,
    /// Anything else.
    Other,
}
