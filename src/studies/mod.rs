//! The kinds of studies: what is asked, what is counted, and the tables that are made of it.

pub mod bound;
pub mod compare;
pub mod run;
pub mod solve;
