//! Steps of weights, for the programs that fit them.

pub mod adam;
pub mod learner;
