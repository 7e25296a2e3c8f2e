//! Bins: numbers sorted by edges, for the features of learned values.

use std::iter::Sum;

/// The bin of a number: how many of these edges it reaches.
#[inline]
pub fn bin<T: PartialOrd + Copy, Bin: From<bool> + Sum>(number: T, edges: &[T]) -> Bin {
    edges.iter().map(|&edge| Bin::from(number >= edge)).sum()
}
