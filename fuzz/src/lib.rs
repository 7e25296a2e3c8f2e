//! Fuzz targets and differential tests of Knave, with a reference engine for every game.
//!
//! A [target](targets) is a function of the [choices] that an input makes. The same functions run for a moment as tests and for
//! hours under a fuzzer that is guided by coverage; `docs/development.md` says how.

pub mod choices;
pub mod limits;
pub mod mutate;
pub mod random;
pub mod reference;
pub mod seeds;
pub mod targets;

#[cfg(test)]
mod tests;
