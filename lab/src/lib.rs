//! What the programs have in common: steps of weights, and the reading of arguments.

pub mod adam;
pub mod arguments;
pub mod learner;
