//! Options of the library as flags of a subcommand.

use crate::numbers::thousands;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use knave_agents::options::{Fields, OptionDoc, Options, describe};
use serde_json::Number;
use std::marker::PhantomData;

/// Options of the set `T` that were given, each by a flag `--some-name VALUE` with the meaning and the default that the option
/// `some_name` has; `--some_name` is the same. They are checked where they are read.
pub struct Flags<T> {
    /// What was given.
    pub given: Fields,
    set: PhantomData<T>,
}

/// The flag of an option, without its dashes.
pub fn flag(option: &str) -> String {
    option.replace('_', "-")
}

/// What an option means, and in brackets the values or the range that it accepts.
pub fn in_words(doc: &OptionDoc) -> String {
    let [min, max] = [&doc.min, &doc.max].map(|end| end.as_ref().map(limit));
    let accepted = match (min, max) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("{min} or more"),
        (None, Some(max)) => format!("up to {max}"),
        (None, None) => doc.values.join(", "),
    };
    if accepted.is_empty() { doc.meaning.clone() } else { format!("{} [{accepted}]", doc.meaning) }
}

/// 1 and not 1.0, 1,000,000, and 1e-12 without its zeros.
fn limit(number: &Number) -> String {
    match (number.as_u64(), number.as_f64()) {
        (Some(whole), _) => thousands(whole),
        (None, Some(real)) if real >= 1e3 && real.fract() == 0.0 => thousands(real as u64),
        (None, Some(real)) if real != 0.0 && real.abs() < 1e-3 => format!("{real:e}"),
        (None, Some(real)) => real.to_string(),
        (None, None) => number.to_string(),
    }
}

impl<T: Options> Args for Flags<T> {
    fn augment_args(command: Command) -> Command {
        command.args(describe::<T>().into_iter().map(|doc| {
            let other = doc.name.contains('_').then(|| doc.name.clone());
            let arg = Arg::new(doc.name.clone()).long(flag(&doc.name)).aliases(other);
            arg.value_name(doc.name.to_uppercase()).help(in_words(&doc)).default_value(doc.default)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: Options> FromArgMatches for Flags<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |name: &&str| matches.value_source(name) == Some(ValueSource::CommandLine);
        let value = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
        let names = T::names().into_iter().filter(given);
        let given = names.map(|name| (name.to_owned(), value(name).into())).collect();
        Ok(Self { given, set: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
