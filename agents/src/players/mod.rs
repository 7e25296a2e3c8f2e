//! The agents: one file each.

pub mod random;
