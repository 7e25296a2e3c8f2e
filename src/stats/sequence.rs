//! Intervals and p-values that stay valid however often one looks at them, and whenever one stops.
//!
//! An ordinary 95 % interval is right for a number of units that was fixed before. Who looks at it again and again
//! and stops when it pleases will miss the truth far more often than once in twenty times. A *confidence sequence*
//! contains the truth at all times at once with probability 95 %.
//!
//! - [`Betting`] is for values between known bounds and promises 95 % for any number of units: the capital of a
//!   gambler who bets against every hypothetical mean (Waudby-Smith and Ramdas 2023, *Estimating means of bounded
//!   random variables by betting*). Each of a fixed mixture of gamblers bets the same fraction all the time, as in
//!   Cover's universal portfolios (Orabona and Jun 2021), so the capital depends on how often each value came and
//!   not on the order, and counts are all that has to be kept.
//! - [`asymptotic`] is for values without known bounds: a mixture of normal likelihood ratios with the estimated
//!   spread (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, *Time-uniform central limit theory and asymptotic
//!   confidence sequences*). Its promise holds for many units of finite variance; [`LEAST_UNITS`] are asked for. Values that
//!   were not seen are allowed for as in [`Estimate`].

use super::{Estimate, Interval};

/// What the intervals leave out: one in twenty.
const ALPHA: f64 = 0.05;

/// Below this number of units an asymptotic sequence gives no interval.
pub const LEAST_UNITS: u64 = 100;

/// The fractions that the gamblers bet: from nearly all, each by √2 less than the one before.
const BETS: i32 = 48;

/// How often each value came in independent units, with the bounds that no value passes.
#[derive(Clone, Debug)]
pub struct Betting {
    /// The values, scaled to \[0, 1\], and how often each came.
    counts: Vec<(f64, f64)>,
    low: f64,
    high: f64,
    /// The gamblers: the fraction that each bets, and the logarithm of its part of the money.
    bets: Vec<(f64, f64)>,
}

impl Betting {
    /// Values between `low` and `high` and how often each came. `width` is the width of the interval that is of
    /// most interest: the result is valid for any, and sharpest near this one.
    #[must_use]
    pub fn new(counts: impl IntoIterator<Item = (i64, u64)>, low: i64, high: i64, width: f64) -> Self {
        let (low, high) = (low as f64, high as f64);
        let scaled = |(value, count): (i64, u64)| ((value as f64 - low) / (high - low), count as f64);
        // The best fraction for a margin h is h / σ² of the current capital, in units where the range is 1 and
        // half of the range is the hypothesis; σ² = 1/10 lies in the middle of what differences show.
        let centre = -2.0 * (2.5 * width / (high - low)).clamp(1e-6, 0.9).log2();
        let weight = |j: i32| 1.0 / (1.0 + (f64::from(j) - centre).powi(2));
        let all: f64 = (0..BETS).map(weight).sum();
        let bet = |j| (0.9 * 2_f64.powf(-f64::from(j) / 2.0), (weight(j) / all).ln());
        Self {
            counts: counts.into_iter().filter(|&(_, count)| count > 0).map(scaled).collect(),
            low,
            high,
            bets: (0..BETS).map(bet).collect(),
        }
    }

    /// The logarithm of the capital of those who bet that the mean is larger than `mean`, which lies strictly
    /// between 0 and 1; they began with 1.
    fn above(&self, mean: f64) -> f64 {
        self.capital(|value| value / mean - 1.0)
    }

    /// The same of those who bet that it is smaller.
    fn below(&self, mean: f64) -> f64 {
        self.capital(|value| (1.0 - value) / (1.0 - mean) - 1.0)
    }

    fn capital(&self, gain: impl Fn(f64) -> f64) -> f64 {
        let gains: Vec<(f64, f64)> = self.counts.iter().map(|&(value, count)| (gain(value), count)).collect();
        let logs = self.bets.iter().map(|&(bet, weight)| {
            weight + gains.iter().map(|&(gain, count)| count * (bet * gain).ln_1p()).sum::<f64>()
        });
        let logs: Vec<f64> = logs.collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most + logs.iter().map(|log| (log - most).exp()).sum::<f64>().ln()
    }

    /// The 95 % confidence sequence of the mean at this moment.
    #[must_use]
    pub fn interval(&self) -> Interval {
        // Each side may err with probability α / 2 (Ville's inequality).
        let limit = (2.0 / ALPHA).ln();
        // The capital above falls with the mean that it bets against, that below rises.
        let low = bisect(|mean| self.above(mean) >= limit);
        let high = bisect(|mean| self.below(mean) < limit);
        let value = |share: f64| self.low + share * (self.high - self.low);
        Interval { low: value(low.0), high: value(high.1) }
    }

    /// A p-value, valid at any time, of the hypothesis that the mean is `mean`, which lies strictly between the
    /// bounds. It is below 0.05 just when the interval does not contain the mean.
    #[must_use]
    pub fn p_value(&self, mean: f64) -> f64 {
        let mean = (mean - self.low) / (self.high - self.low);
        (2.0 * (-self.above(mean).max(self.below(mean))).exp()).min(1.0)
    }
}

/// The place in (0, 1) where `holds` turns from true to false, from both sides.
fn bisect(holds: impl Fn(f64) -> bool) -> (f64, f64) {
    let (mut yes, mut no) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = (yes + no) / 2.0;
        if holds(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    (yes, no)
}

/// The asymptotic 95 % confidence sequence of a mean at this moment, and a p-value, valid at any time, of the
/// hypothesis that the expected mean is 0. Both are sharpest near `units` units. `None` below [`LEAST_UNITS`], and
/// where nothing is known of the spread.
#[must_use]
pub fn asymptotic(estimate: Estimate, units: u64) -> Option<(Interval, f64)> {
    if estimate.units < LEAST_UNITS {
        return None;
    }
    let n = estimate.units as f64;
    // The variance of the mixture that is nearly best at `units` (equation 25 of the paper).
    let spread = -2.0 * ALPHA.ln();
    let rho = (spread + spread.ln() + 1.0) / units.max(LEAST_UNITS) as f64;
    let grown = n * rho + 1.0;
    let half = (2.0 * grown / rho * (grown.sqrt() / ALPHA).ln()).sqrt() / n;
    let spreads = estimate.spreads(half * n.sqrt())?;
    let z = estimate.mean.abs() / spreads[usize::from(estimate.mean < 0.0)];
    // Without any difference nobody wins a bet against none.
    let z = if estimate.mean == 0.0 { 0.0 } else { z };
    let capital = n * n * z * z * rho / (2.0 * grown) - grown.ln() / 2.0;
    let p_value = estimate.not_beyond_the_unseen((-capital).exp().min(1.0));
    Some((estimate.around(spreads.map(|sd| half * sd)), p_value))
}

#[cfg(test)]
mod tests {
    use super::super::interval::mean_p_value;
    use super::super::{Moments, Range};
    use super::*;
    use knave_agents::Rng;
    use knave_agents::rng::{Role, below, stream};
    use std::collections::BTreeMap;

    fn numbers(run: u64) -> Rng {
        stream(9000, run, Role::Chance)
    }

    /// How many of 400 runs of 3,000 units, looked at after every 50, ever reject the true mean. `reject` gets the
    /// counts.
    fn errors(draw: impl Fn(&mut Rng) -> i64, reject: impl Fn(&BTreeMap<i64, u64>, &Moments) -> bool) -> u32 {
        let run = |run| {
            let (mut rng, mut counts, mut moments) = (numbers(run), BTreeMap::new(), Moments::new(1));
            (0..3_000).any(|unit| {
                let value = draw(&mut rng);
                *counts.entry(value).or_default() += 1;
                moments.add(&[value]);
                unit % 50 == 49 && reject(&counts, &moments)
            })
        };
        (0..400).map(|i| u32::from(run(i))).sum()
    }

    fn estimate(moments: &Moments, mean: f64) -> Estimate {
        let estimate = moments.of(&[(0, 1)]);
        let Range { low, high, .. } = estimate.range;
        let range = Range { low: low - mean, high: high - mean, ..estimate.range };
        Estimate { mean: estimate.mean - mean, range, ..estimate }
    }

    /// -1, 0 or 1, as two agents that differ on a fifth of the deals, as often one way as the other.
    fn fair(rng: &mut Rng) -> i64 {
        match below(rng, 10) {
            0 => -1,
            1 => 1,
            _ => 0,
        }
    }

    /// The promise: at most 5 % of all runs ever err, though they are looked at 60 times (20 of 400 are expected at
    /// most; 34 is 3.2 standard deviations above). A z-test that is repeated as often errs in a third of them.
    #[test]
    fn betting_holds_under_peeking_and_the_repeated_z_test_does_not() {
        let betting = |counts: &BTreeMap<i64, u64>, _: &Moments| {
            Betting::new(counts.iter().map(|(&v, &c)| (v, c)), -1, 1, 0.05).p_value(0.0) < 0.05
        };
        let naive = |_: &BTreeMap<i64, u64>, moments: &Moments| {
            let Estimate { units, mean, sd, .. } = estimate(moments, 0.0);
            mean_p_value(mean, sd, units).is_some_and(|p| p < 0.05)
        };
        let (valid, broken) = (errors(fair, betting), errors(fair, naive));
        assert!(valid <= 34, "{valid} of 400 runs erred");
        assert!(broken >= 100, "{broken} of 400 runs erred");
    }

    /// The same for scores without bounds, here squares of numbers, skewed and long-tailed.
    #[test]
    fn the_asymptotic_sequence_holds_under_peeking() {
        let draw = |rng: &mut Rng| i64::from(below(rng, 20)).pow(2);
        let mean = (0..20).map(|x| f64::from(x * x)).sum::<f64>() / 20.0;
        let wrong = |_: &BTreeMap<i64, u64>, moments: &Moments| {
            asymptotic(estimate(moments, mean), 1000).is_some_and(|(_, p)| p < 0.05)
        };
        let erred = errors(draw, wrong);
        assert!(erred <= 34, "{erred} of 400 runs erred");
    }

    /// The interval excludes 0 just when the p-value falls below 0.05, and mirrors when the values do.
    #[test]
    fn intervals_and_p_values_agree() {
        for wins in [5, 20, 24, 26, 28, 30, 60] {
            let at = |a, b| Betting::new([(-1, a), (0, 100), (1, b)], -1, 1, 0.2);
            let (up, down) = (at(10, wins), at(wins, 10));
            let (one, other) = (up.interval(), down.interval());
            assert!((one.low + other.high).abs() < 1e-9 && (one.high + other.low).abs() < 1e-9);
            assert!(one.low < one.high);
            assert_eq!(up.p_value(0.0) < 0.05, one.low > 0.0 || one.high < 0.0, "{one:?}");
            let mut moments = Moments::new(1);
            let values = [(-1, 10), (0, 100), (1, wins)];
            values.iter().for_each(|&(value, count)| (0..count).for_each(|_| moments.add(&[value])));
            let (interval, p) = asymptotic(moments.of(&[(0, 1)]), 200).unwrap();
            assert_eq!(p < 0.05, interval.low > 0.0 || interval.high < 0.0, "{interval:?}");
        }
    }

    /// Being valid at all times costs less than twice the width where the sequence is tuned to be sharp, and it
    /// narrows with more units.
    #[test]
    fn sequences_are_not_much_wider_than_fixed_intervals() {
        let counts = |n: u64| [(-1, n / 10), (0, n - 2 * (n / 10)), (1, n / 10)];
        let mut before = f64::INFINITY;
        for n in [1_000, 10_000, 100_000, 1_000_000] {
            let fixed = 2.0 * 1.96 * (0.2 / n as f64).sqrt();
            let betting = Betting::new(counts(n), -1, 1, 1.7 * fixed).interval();
            let width = betting.high - betting.low;
            assert!(width < 1.9 * fixed && width > fixed && width < before, "{n}: {}", width / fixed);
            before = width;
            let estimate = equal(n, 0.2_f64.sqrt());
            let (interval, _) = asymptotic(estimate, n).unwrap();
            assert!(interval.high < 0.8 * fixed && interval.high > 0.5 * fixed, "{n}");
        }
    }

    /// No unit tells nothing; a value at its bound is no error.
    #[test]
    fn edges() {
        let none = Betting::new([], -1, 1, 0.1);
        assert_eq!(none.p_value(0.0), 1.0);
        let interval = none.interval();
        assert!(interval.low < -0.999 && interval.high > 0.999);
        let all = Betting::new([(1, 1_000_000)], -1, 1, 0.1);
        assert!(all.p_value(0.0) < 1e-100 && all.interval().low > 0.99 && all.interval().high > 0.999_999);
        assert_eq!(asymptotic(equal(99, 1.0), 100), None);
        // All of 128 at one end: of two that are alike one does so in 2 of 2¹²⁸ cases.
        let all = Estimate { mean: 1.0, ..equal(128, 0.0) };
        assert!(asymptotic(all, 10_000).unwrap().1 >= 2_f64.powi(-127));
    }

    /// Values from -1 to 1 with the mean 0.
    fn equal(units: u64, sd: f64) -> Estimate {
        Estimate { units, mean: 0.0, sd, range: Range { low: -1.0, high: 1.0, is_known: true } }
    }

    /// Agents that always do the same reach any width, in inverse proportion to the number of units.
    #[test]
    fn equal_units_reach_every_width() {
        let width = |units| {
            let (interval, p) = asymptotic(equal(units, 0.0), 1000).unwrap();
            assert_eq!(p, 1.0);
            interval.high - interval.low
        };
        for units in [100, 1000, 10_000] {
            let most = 2.0 * 3.5 / units as f64;
            assert!(width(units) < most && width(units) > 6.0 / 7.0 * most, "{units}: {}", width(units));
        }
    }
}
