//! Counts of integer scores.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Scores from `-OFFSET` to `OFFSET - 1` are counted in a plain array.
const OFFSET: i64 = 512;

/// How often each score came: an array for the usual scores, a map for the rest.
///
/// It is serialized as its counts: a list of pairs of a score and how often it came, the lowest score first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<(i64, u64)>", try_from = "Vec<(i64, u64)>")]
pub struct Histogram {
    dense: Vec<u64>,
    sparse: BTreeMap<i64, u64>,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { dense: vec![0; 2 * OFFSET as usize], sparse: BTreeMap::new() }
    }
}

impl From<Histogram> for Vec<(i64, u64)> {
    fn from(histogram: Histogram) -> Self {
        histogram.counts().collect()
    }
}

impl TryFrom<Vec<(i64, u64)>> for Histogram {
    type Error = String;

    fn try_from(counts: Vec<(i64, u64)>) -> Result<Self, String> {
        if !counts.is_sorted_by(|(a, _), (b, _)| a < b) {
            return Err("the scores of a histogram do not rise".to_owned());
        }
        // What is worked out from them must have room.
        let total = counts.iter().try_fold(0_i128, |sum, &(_, times)| sum.checked_add(times.into()));
        let squares = counts.iter().try_fold(0_i128, |sum, &(score, times)| {
            sum.checked_add(i128::from(score).checked_pow(2)?.checked_mul(times.into())?)
        });
        if total
            .filter(|&total| u64::try_from(total).is_ok())
            .zip(squares)
            .and_then(|(n, x)| n.checked_mul(x))
            .is_none()
        {
            return Err("a histogram counts more than any number of games can come to".to_owned());
        }
        let mut histogram = Self::default();
        counts.into_iter().for_each(|(score, times)| histogram.add_times(score, times));
        Ok(histogram)
    }
}

impl Histogram {
    /// Counts a score once.
    #[inline]
    pub fn add(&mut self, score: i64) {
        self.add_times(score, 1);
    }

    /// Counts a score as often as `times` says.
    #[inline]
    pub fn add_times(&mut self, score: i64, times: u64) {
        // A score below the window wraps to a huge number and misses the array as well.
        let slot = score.wrapping_add(OFFSET) as u64;
        match self.dense.get_mut(slot as usize) {
            Some(count) => *count += times,
            None => *self.sparse.entry(score).or_default() += times,
        }
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.dense.iter_mut().zip(&other.dense) {
            *count += more;
        }
        for (&score, more) in &other.sparse {
            *self.sparse.entry(score).or_default() += more;
        }
    }

    /// The scores that came and how often, the lowest first.
    pub fn counts(&self) -> impl Iterator<Item = (i64, u64)> {
        let window = self.dense.iter().enumerate().map(|(slot, &count)| (slot as i64 - OFFSET, count));
        let below = self.sparse.range(..-OFFSET).map(|(&score, &count)| (score, count));
        let above = self.sparse.range(OFFSET..).map(|(&score, &count)| (score, count));
        below.chain(window.filter(|&(_, count)| count > 0)).chain(above)
    }

    /// The number of scores counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts().map(|(_, count)| count).sum()
    }

    /// The sum of all scores.
    #[must_use]
    pub fn sum(&self) -> i128 {
        self.counts().map(|(score, count)| i128::from(score) * i128::from(count)).sum()
    }

    /// The sum of the squares of all scores.
    #[must_use]
    pub fn sum_of_squares(&self) -> i128 {
        self.counts().map(|(score, count)| i128::from(score).pow(2) * i128::from(count)).sum()
    }

    /// The mean; `None` when nothing was counted.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let total = self.total();
        (total > 0).then(|| self.sum() as f64 / total as f64)
    }

    /// The sample standard deviation (divisor n - 1); `None` for fewer than two scores.
    #[must_use]
    pub fn sd(&self) -> Option<f64> {
        let n = i128::from(self.total());
        // n Σx² − (Σx)² is exact and never negative, unlike the usual difference of means.
        let spread = n * self.sum_of_squares() - self.sum().pow(2);
        (n > 1).then(|| (spread as f64 / n as f64 / (n - 1) as f64).sqrt())
    }

    /// The smallest score that at least the share `numerator / denominator` of all scores does not
    /// exceed (the inverse of the empirical distribution, no interpolation); `None` when nothing was
    /// counted. The share 0 gives the minimum, 1 the maximum.
    ///
    /// # Panics
    /// If the share is above 1 or the denominator is 0.
    #[must_use]
    pub fn quantile(&self, numerator: u64, denominator: u64) -> Option<i64> {
        assert!(denominator > 0 && numerator <= denominator, "a share lies between 0 and 1");
        let product = u128::from(self.total()) * u128::from(numerator);
        let rank = product.div_ceil(u128::from(denominator)).max(1);
        let mut seen = 0;
        self.counts()
            .find(|&(_, count)| {
                seen += u128::from(count);
                seen >= rank
            })
            .map(|(score, _)| score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scores: &[i64]) -> Histogram {
        let mut histogram = Histogram::default();
        for &score in scores {
            histogram.add(score);
        }
        histogram
    }

    /// The eight numbers whose mean is 5 and whose squared deviations sum to 32.
    #[test]
    fn known_answers() {
        let histogram = of(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!(histogram.total(), 8);
        assert_eq!(histogram.mean(), Some(5.0));
        assert_eq!(histogram.sd(), Some((32.0_f64 / 7.0).sqrt()));
        let quantiles =
            [(0, 4), (1, 4), (1, 2), (3, 4), (19, 20), (4, 4)].map(|(a, b)| histogram.quantile(a, b));
        assert_eq!(quantiles, [2, 4, 4, 5, 9, 9].map(Some));
    }

    #[test]
    fn what_is_undefined_is_none() {
        let empty = Histogram::default();
        assert_eq!((empty.mean(), empty.sd(), empty.quantile(1, 2)), (None, None, None));
        assert_eq!((of(&[3]).mean(), of(&[3]).sd()), (Some(3.0), None));
    }

    /// Scores outside of the array are counted as well, in order, and without loss of exactness.
    #[test]
    fn outliers_are_counted() {
        let scores = [-1_000_000_000_000, -513, -512, 511, 512, 1_000_000_000_000];
        let histogram = of(&scores);
        assert_eq!(histogram.counts().collect::<Vec<_>>(), scores.map(|score| (score, 1)));
        assert_eq!(histogram.sum(), -2);
        assert_eq!(histogram.sum_of_squares(), 2 * 10_i128.pow(24) + 513 * 513 + 2 * 512 * 512 + 511 * 511);
    }

    /// Shards depend on it: however the scores are split, the merged parts equal the whole.
    #[test]
    fn any_split_merges_to_the_whole() {
        let scores: Vec<i64> = (0..200).map(|i| (i * 7919) % 1500 - 700).collect();
        let whole = of(&scores);
        for cut in [0, 1, 77, 199, 200] {
            let mut right_first = of(&scores[cut..]);
            right_first.merge(&of(&scores[..cut]));
            assert_eq!(right_first, whole);
        }
    }

    /// A journal's counts are believed as far as they can be worked with: each score once, in order, and no more than add up.
    #[test]
    fn impossible_counts_are_refused() {
        let read = |text: &str| serde_json::from_str::<Histogram>(text);
        assert_eq!(read("[[-3,1],[0,2],[700,1]]").unwrap(), of(&[700, 0, -3, 0]));
        for wrong in [
            "[[0,1],[-3,1]]",
            "[[0,1],[0,1]]",
            "[[0,18446744073709551615],[1,1]]",
            "[[-9223372036854775808,4]]",
            "[[4294967296,4611686018427387904]]",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
