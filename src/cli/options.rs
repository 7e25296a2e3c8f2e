//! Options of the library as flags of a subcommand.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use knave_agents::options::{Fields, Options, describe};
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

impl<T: Options> Args for Flags<T> {
    fn augment_args(command: Command) -> Command {
        command.args(describe::<T>().into_iter().map(|doc| {
            let other = doc.name.contains('_').then(|| doc.name.clone());
            let arg = Arg::new(doc.name.clone()).long(flag(&doc.name)).aliases(other);
            arg.value_name(doc.name.to_uppercase()).help(doc.in_words()).default_value(doc.default)
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
