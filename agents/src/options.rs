//! Options as `name=value` pairs, typed and documented by one struct each.
//!
//! The options of an agent and of a game's rules are structs that derive [`clap::Args`] (names,
//! defaults, ranges and meanings) and [`serde::Serialize`] (for manifests). Command line, presets,
//! transcripts and studies all read them here, so that there is one set of checks and messages.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command, FromArgMatches};
use std::error::Error as _;

/// One option, for `sim list`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct OptionDoc {
    /// Its name in `name=value`.
    pub name: String,
    /// The value that it has when it is not given.
    pub default: String,
    /// The accepted values, where they can be listed.
    pub values: Vec<String>,
    /// What it means.
    pub meaning: String,
}

/// Why `name=value` pairs were refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// Not of the form `name=value`.
    #[error("{owner}: '{text}' is not of the form name=value")]
    Form {
        /// Whose options were read.
        owner: String,
        /// What stood there.
        text: String,
    },
    /// No such option.
    #[error("{owner} has no option '{name}'{hint}; its options: {valid}")]
    Unknown {
        /// Whose options were read.
        owner: String,
        /// The name that was given.
        name: String,
        /// `, did you mean '…'?` or nothing.
        hint: String,
        /// All names.
        valid: String,
    },
    /// The same option twice.
    #[error("{owner}: option '{name}' is given twice")]
    Twice {
        /// Whose options were read.
        owner: String,
        /// The name.
        name: String,
    },
    /// A value of the wrong type or out of range, or options that contradict each other.
    #[error("{owner}: {name}={value} is refused: {reason}")]
    Value {
        /// Whose options were read.
        owner: String,
        /// The option.
        name: String,
        /// The value that was given.
        value: String,
        /// What would be right.
        reason: String,
    },
}

/// `name=value` pairs in the order in which they were given.
pub type Pairs = Vec<(String, String)>;

/// Splits `name=value` texts.
///
/// # Errors
/// When a text has no `=` or no name, or when a name comes twice.
pub fn pairs<'a>(owner: &str, texts: impl IntoIterator<Item = &'a str>) -> Result<Pairs, OptionError> {
    let mut pairs = Pairs::new();
    for text in texts {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => (name.trim(), value.trim()),
            _ => return Err(OptionError::Form { owner: owner.to_owned(), text: text.to_owned() }),
        };
        if pairs.iter().any(|(other, _)| other == name) {
            return Err(OptionError::Twice { owner: owner.to_owned(), name: name.to_owned() });
        }
        pairs.push((name.to_owned(), value.to_owned()));
    }
    Ok(pairs)
}

/// Puts `over` on top of `base`: a name that stands in both keeps the value of `over`.
#[must_use]
pub fn overlay(mut base: Pairs, over: &[(String, String)]) -> Pairs {
    for (name, value) in over {
        match base.iter_mut().find(|(other, _)| other == name) {
            Some(entry) => entry.1.clone_from(value),
            None => base.push((name.clone(), value.clone())),
        }
    }
    base
}

fn command<T: Args>() -> Command {
    T::augment_args(Command::new("options").no_binary_name(true).disable_help_flag(true))
}

/// The options of `T` in the order of its fields.
#[must_use]
pub fn describe<T: Args>() -> Vec<OptionDoc> {
    command::<T>()
        .get_arguments()
        .map(|argument| OptionDoc {
            name: argument.get_long().unwrap_or_default().to_owned(),
            default: argument
                .get_default_values()
                .iter()
                .map(|value| value.to_string_lossy())
                .collect::<Vec<_>>()
                .join(","),
            values: argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect(),
            meaning: argument.get_help().map(ToString::to_string).unwrap_or_default(),
        })
        .collect()
}

/// Reads the options of `owner` (an agent or a game, named in messages) from pairs.
///
/// # Errors
/// On an unknown name (the nearest one is suggested) and on a value that the option refuses.
pub fn parse<T: Args + FromArgMatches>(owner: &str, pairs: &[(String, String)]) -> Result<T, OptionError> {
    let docs = describe::<T>();
    for (name, _) in pairs {
        if !docs.iter().any(|doc| doc.name == *name) {
            let names: Vec<&str> = docs.iter().map(|doc| doc.name.as_str()).collect();
            return Err(OptionError::Unknown {
                owner: owner.to_owned(),
                name: name.clone(),
                hint: hint(name, names.iter().copied()),
                valid: if names.is_empty() { "none".to_owned() } else { names.join(", ") },
            });
        }
    }
    let arguments = pairs.iter().map(|(name, value)| format!("--{name}={value}"));
    command::<T>()
        .try_get_matches_from(arguments)
        .and_then(|matches| T::from_arg_matches(&matches))
        .map_err(|error| refused(owner, pairs, &error))
}

fn refused(owner: &str, pairs: &[(String, String)], error: &clap::Error) -> OptionError {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    };
    // clap names the argument `--name <NAME>`.
    let argument = text(ContextKind::InvalidArg);
    let name = argument.trim_start_matches('-').split([' ', '=']).next().unwrap_or_default();
    let value = pairs.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value);
    let valid = text(ContextKind::ValidValue);
    let reason = match error.kind() {
        ErrorKind::InvalidValue if !valid.is_empty() => {
            format!("expected one of {valid}{}", hint(value, valid.split(", ")))
        }
        ErrorKind::InvalidValue => "a value is missing".to_owned(),
        _ => error.source().map_or_else(|| error.to_string(), |source| plain(&source.to_string())),
    };
    OptionError::Value { owner: owner.to_owned(), name: name.to_owned(), value: value.to_owned(), reason }
}

/// What is right where a whole number was refused, in place of what the parser found wrong.
fn plain(reason: &str) -> String {
    if let Some((_, range)) = reason.split_once(" is not in ")
        && let Some((low, high)) = range.split_once("..")
    {
        let high = high.trim_start_matches('=');
        let limit = if high.is_empty() { String::new() } else { format!(" to {high}") };
        return format!("expected a whole number from {low}{limit}");
    }
    match reason {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "expected a whole number".to_owned()
        }
        other => other.to_owned(),
    }
}

/// `, did you mean '…'?` for the name nearest to `given`, or nothing when none is near.
#[must_use]
pub fn hint<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(given, name), name))
        .filter(|&(nearness, _)| nearness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| format!(", did you mean '{name}'?"))
        .unwrap_or_default()
}

/// A value parser for real numbers from `low` to `high`, both included.
pub fn real(low: f64, high: f64) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync {
    move |text| match text.parse::<f64>() {
        Ok(value) if (low..=high).contains(&value) => Ok(value),
        _ => Err(format!("expected a number from {low} to {high}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Args)]
    #[command(rename_all = "snake_case")]
    struct Sample {
        /// How many.
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=9))]
        how_many: u32,
        /// Which.
        #[arg(long, default_value = "red", value_enum)]
        colour: Colour,
        /// How much.
        #[arg(long, default_value_t = 1.5, value_parser = real(0.0, 2.0))]
        amount: f64,
    }

    #[derive(Copy, Clone, Debug, PartialEq, clap::ValueEnum)]
    enum Colour {
        Red,
        Green,
    }

    fn read(text: &str) -> Result<Sample, OptionError> {
        let pairs = pairs("sample", text.split(',').filter(|t| !t.is_empty()))?;
        parse("sample", &pairs)
    }

    #[test]
    fn defaults_and_values_are_read() {
        assert_eq!(read("").unwrap(), Sample { how_many: 3, colour: Colour::Red, amount: 1.5 });
        assert_eq!(
            read("colour=green,amount=0.25,how_many=9").unwrap(),
            Sample { how_many: 9, colour: Colour::Green, amount: 0.25 }
        );
    }

    /// Each refusal names the field, the value and what would be right.
    #[test]
    fn refusals_say_what_would_be_right() {
        let message = |text| read(text).unwrap_err().to_string();
        assert_eq!(
            message("how_mny=2"),
            "sample has no option 'how_mny', did you mean 'how_many'?; its options: how_many, colour, amount"
        );
        assert_eq!(
            message("how_many=0"),
            "sample: how_many=0 is refused: expected a whole number from 1 to 9"
        );
        assert_eq!(message("how_many=x"), "sample: how_many=x is refused: expected a whole number");
        assert_eq!(
            message("colour=gren"),
            "sample: colour=gren is refused: expected one of red, green, did you mean 'green'?"
        );
        assert_eq!(message("amount=NaN"), "sample: amount=NaN is refused: expected a number from 0 to 2");
        assert_eq!(message("amount"), "sample: 'amount' is not of the form name=value");
        assert_eq!(message("amount=1,amount=2"), "sample: option 'amount' is given twice");
        assert_eq!(message("colour="), "sample: colour= is refused: expected one of red, green");
    }

    #[test]
    fn options_are_described() {
        let docs = describe::<Sample>();
        assert_eq!(docs.len(), 3);
        assert_eq!(docs[0].name, "how_many");
        assert_eq!(docs[0].default, "3");
        assert_eq!(docs[1].values, ["red", "green"]);
        assert_eq!(docs[2].meaning, "How much");
    }
}
