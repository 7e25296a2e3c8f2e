//! Binomial coefficients: the one table by which all draws are counted.

use super::deck::CARDS;
use super::rules::MAX_HAND;
use crate::binomial::triangle;

/// Pascal's triangle, by the size of the whole and of the part.
static TRIANGLE: [[u64; MAX_HAND + 1]; CARDS + 1] = triangle();

/// The number of ways to draw `k` of `n` cards, for `n` up to [`CARDS`] and `k` up to [`MAX_HAND`]. All lie below 2^53, so
/// that they are exact as `f64` too.
#[must_use]
#[inline]
pub const fn choose(n: usize, k: usize) -> u64 {
    TRIANGLE[n][k]
}
