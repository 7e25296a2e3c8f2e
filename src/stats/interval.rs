//! 95 % confidence intervals.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

/// The two ends of a 95 % interval.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The interval between these ends, as tables have them: one that is left out is open, and without both there is none.
    #[must_use]
    pub fn between(low: Option<f64>, high: Option<f64>) -> Option<Self> {
        let is_any = low.is_some() || high.is_some();
        is_any.then(|| Self { low: low.unwrap_or(f64::NEG_INFINITY), high: high.unwrap_or(f64::INFINITY) })
    }

    /// It, wide enough about its value for `count` of its kind to hold together with 95 % (Bonferroni's correction, by the normal
    /// distribution).
    #[must_use]
    pub fn jointly(self, value: f64, count: usize) -> Self {
        let upper = 1.0 - (1.0 - UPPER) / count.max(1) as f64;
        let stretch = Normal::standard().inverse_cdf(upper) / normal_quantile();
        Self { low: value - stretch * (value - self.low), high: value + stretch * (self.high - value) }
    }

    /// The part of it that lies within these ends.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { low: self.low.clamp(low, high), high: self.high.clamp(low, high) }
    }
}

/// The values that single units can have.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Range {
    /// The lowest value.
    pub low: f64,
    /// The highest value.
    pub high: f64,
    /// Whether no value can lie outside, as with shares of wins. If not, these are the lowest and the highest value seen.
    pub is_known: bool,
}

impl Range {
    /// That of shares, from 0 to 1.
    pub const SHARE: Self = Self { low: 0.0, high: 1.0, is_known: true };

    /// The same in another unit of measurement.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let (a, b) = (self.low * factor, self.high * factor);
        Self { low: a.min(b), high: a.max(b), ..self }
    }
}

/// The upper tail that a two-sided 95 % interval leaves out, as a quantile.
const UPPER: f64 = 0.975;

/// Above this number of degrees of freedom Student's t differs from the normal quantile by less than
/// 0.01 %.
const NORMAL_FROM: f64 = 30_000.0;

/// The 97.5 % quantile of the normal distribution, 1.96.
pub(super) fn normal_quantile() -> f64 {
    Normal::standard().inverse_cdf(UPPER)
}

/// Wilson's score interval for a rate of `rate` in `n` trials (Wilson 1927), within [0, 1]; `None`
/// without trials. `n` need not be whole: see [`super::SeatStats::win_interval`].
#[must_use]
pub fn wilson(rate: f64, n: f64) -> Option<Interval> {
    if n <= 0.0 {
        return None;
    }
    let z = normal_quantile();
    let scale = 1.0 + z * z / n;
    let centre = (rate + z * z / (2.0 * n)) / scale;
    let half = z / scale * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).max(0.0).sqrt();
    // At the rates 0 and 1 an end is exact, whatever rounding makes of it.
    let low = if rate <= 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if rate >= 1.0 { 1.0 } else { (centre + half).min(1.0) };
    Some(Interval { low, high })
}

/// The interval of a mean from the sample standard deviation of `n` values: Student's t with n - 1
/// degrees of freedom, the normal quantile for very many; `None` for fewer than two values.
#[must_use]
pub fn mean_interval(mean: f64, sd: f64, n: u64) -> Option<Interval> {
    let half = student_quantile(n)? * sd / (n as f64).sqrt();
    Some(Interval { low: mean - half, high: mean + half })
}

/// The 97.5 % quantile of Student's t for `n` values, that is with n - 1 degrees of freedom; `None` for fewer than two.
#[must_use]
pub(super) fn student_quantile(n: u64) -> Option<f64> {
    let freedom = n.checked_sub(1).filter(|&freedom| freedom > 0)? as f64;
    if freedom > NORMAL_FROM {
        return Some(normal_quantile());
    }
    Some(StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(UPPER))
}

/// The two-sided p-value of the hypothesis that the expected mean is 0, by Student's t; `None` for fewer than two values, and
/// where all are equal but not 0.
#[must_use]
pub(super) fn mean_p_value(mean: f64, sd: f64, n: u64) -> Option<f64> {
    if n < 2 {
        return None;
    }
    if sd == 0.0 {
        return (mean == 0.0).then_some(1.0);
    }
    let t = mean.abs() / sd * (n as f64).sqrt();
    Some((2.0 * student_tail(t, (n - 1) as f64)).min(1.0))
}

/// The probability that Student's t with this many degrees of freedom exceeds `t`.
#[must_use]
pub fn student_tail(t: f64, freedom: f64) -> f64 {
    if freedom > NORMAL_FROM {
        return Normal::standard().sf(t);
    }
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::NAN, |student| student.sf(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(interval: Option<Interval>, low: f64, high: f64) {
        let interval = interval.unwrap();
        assert!((interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5, "{interval:?}");
    }

    /// Values of Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    #[test]
    fn wilson_textbook_values() {
        near(wilson(81.0 / 263.0, 263.0), 0.2553, 0.3662);
        near(wilson(15.0 / 148.0, 148.0), 0.0624, 0.1605);
        near(wilson(0.0, 20.0), 0.0, 0.1611);
        near(wilson(1.0 / 29.0, 29.0), 0.0061, 0.1718);
        assert_eq!(wilson(0.0, 20.0).unwrap().low, 0.0);
        assert_eq!(wilson(1.0, 20.0).unwrap().high, 1.0);
        assert_eq!(wilson(0.5, 0.0), None);
    }

    /// Values of statsmodels 0.15, `proportion_confint(count, nobs, method="wilson")`, and of
    /// `DescrStatsW([3, 1, 4, 1, 5, 9, 2, 6])`: `tconfint_mean()` and `ttest_mean(2.0)`.
    #[test]
    fn statsmodels_agrees() {
        near(wilson(0.35, 20.0), 0.181_192, 0.567_146);
        near(wilson(1.0 / 3.0, 3.0), 0.061_492, 0.792_340);
        near(wilson(0.95, 1000.0), 0.934_686, 0.961_870);
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
        let mean = values.iter().sum::<f64>() / 8.0;
        let sd = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 7.0).sqrt();
        near(mean_interval(mean, sd, 8), 1.577_300, 6.172_700);
        assert!((mean_p_value(mean - 2.0, sd, 8).unwrap() - 0.094_976_492).abs() < 1e-8);
    }

    /// Student's t quantiles from the printed tables: 2.2622 with 9 degrees of freedom, 12.7062 with 1.
    #[test]
    fn means_use_students_t() {
        near(mean_interval(5.0, 1.0, 10), 5.0 - 2.262_157 / 10_f64.sqrt(), 5.0 + 2.262_157 / 10_f64.sqrt());
        near(mean_interval(0.0, 2_f64.sqrt(), 2), -12.7062, 12.7062);
        near(mean_interval(0.0, 1000.0, 1_000_000), -1.95996, 1.95996);
        assert_eq!(mean_interval(5.0, 0.0, 1), None);
    }

    /// The printed tables again, the other way round.
    #[test]
    fn tails_of_students_t() {
        for (t, freedom, tail) in [(2.262_157, 9.0, 0.025), (12.706_205, 1.0, 0.025), (1.959_964, 1e6, 0.025)]
        {
            assert!((student_tail(t, freedom) - tail).abs() < 1e-7);
        }
    }

    /// No jump where Student's t is replaced by the normal quantile.
    #[test]
    fn the_change_to_the_normal_quantile_is_smooth() {
        let at = |n: u64| mean_interval(0.0, (n as f64).sqrt(), n).unwrap().high;
        assert!((at(30_001) / at(30_002) - 1.0).abs() < 1e-4);
    }

    /// A range in other units has its ends in order, whatever the sign of the factor.
    #[test]
    fn ranges_are_scaled() {
        let range = Range { low: -2.0, high: 3.0, is_known: true };
        assert_eq!(range.times(0.5), Range { low: -1.0, high: 1.5, is_known: true });
        assert_eq!(range.times(-2.0), Range { low: -6.0, high: 4.0, is_known: true });
    }
}
