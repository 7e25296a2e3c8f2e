//! Exact first and second moments of several integers that are measured together, and intervals of their means.

use super::interval::{normal_quantile, student_quantile};
use super::{Interval, Range, student_tail};
use serde::{Deserialize, Serialize};

/// The number of units, and the sums and sums of products of the integers measured on each of them.
///
/// A unit is what is independent of the others: a deal with all the games played on it. Everything about means,
/// differences of means and their covariances follows from these sums, which add up exactly in any order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Record")]
pub struct Moments {
    units: u64,
    ends: Vec<Ends>,
    #[serde(with = "digits")]
    sums: Vec<i128>,
    /// Σ xᵢxⱼ for i ≤ j, row by row.
    #[serde(with = "digits")]
    products: Vec<i128>,
}

/// Moments as they stand in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    units: u64,
    ends: Vec<Ends>,
    #[serde(with = "digits")]
    sums: Vec<i128>,
    #[serde(with = "digits")]
    products: Vec<i128>,
}

impl TryFrom<Record> for Moments {
    type Error = String;

    fn try_from(Record { units, ends, sums, products }: Record) -> Result<Self, String> {
        let slots = sums.len();
        if ends.len() != slots || products.len() != slots * (slots + 1) / 2 {
            return Err("moments of another number of slots".to_owned());
        }
        // What is worked out from them, products of sums and small whole numbers, must have room.
        let n = i128::from(units);
        let room = |number: Option<i128>| number.is_some_and(|number| number.unsigned_abs() < 1 << 115);
        if !sums.iter().all(|&sum| room(sum.checked_mul(sum)))
            || !products.iter().all(|&product| room(product.checked_mul(n)))
        {
            return Err("moments larger than any number of games can come to".to_owned());
        }
        Ok(Self { units, ends, sums, products })
    }
}

/// The lowest and the highest value of a slot, and whether they are bounds known beforehand.
type Ends = (i64, i64, bool);

/// The ends of a slot of which nothing is known, before its first value.
const UNSEEN: Ends = (i64::MAX, i64::MIN, false);

/// Whole numbers as text: JSON has no number of 128 bits.
mod digits {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(numbers: &[i128], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(numbers.iter().map(ToString::to_string))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i128>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| text.parse().map_err(de::Error::custom)).collect()
    }
}

impl Moments {
    /// Nothing counted yet, for `slots` integers a unit.
    #[must_use]
    pub fn new(slots: usize) -> Self {
        Self::within(vec![None; slots])
    }

    /// Nothing counted yet, for an integer a unit in each of these bounds, the lowest and the highest value, where they are
    /// known.
    #[must_use]
    pub fn within(bounds: Vec<Option<(i64, i64)>>) -> Self {
        let slots = bounds.len();
        let ends = |known: Option<(i64, i64)>| known.map_or(UNSEEN, |(low, high)| (low, high, true));
        Self {
            units: 0,
            ends: bounds.into_iter().map(ends).collect(),
            sums: vec![0; slots],
            products: vec![0; slots * (slots + 1) / 2],
        }
    }

    /// Counts a unit.
    ///
    /// # Panics
    /// If there are more or fewer values than slots.
    pub fn add(&mut self, values: &[i64]) {
        assert_eq!(values.len(), self.sums.len(), "a unit has a value for each slot");
        self.units += 1;
        let mut products = self.products.iter_mut();
        for (i, &x) in values.iter().enumerate() {
            self.sums[i] += i128::from(x);
            let (low, high, _) = &mut self.ends[i];
            (*low, *high) = (x.min(*low), x.max(*high));
            for (&y, product) in values[i..].iter().zip(&mut products) {
                *product += i128::from(x) * i128::from(y);
            }
        }
    }

    /// Counts so many units whose values are all 0.
    pub fn add_zeros(&mut self, units: u64) {
        self.units += units;
        for (low, high, _) in self.ends.iter_mut().filter(|_| units > 0) {
            (*low, *high) = ((*low).min(0), (*high).max(0));
        }
    }

    /// Adds the counts of `other`.
    ///
    /// # Panics
    /// When it is not [alike](Self::is_like).
    pub fn merge(&mut self, other: &Self) {
        assert!(self.is_like(other), "counts of other values");
        self.units += other.units;
        for ((low, high, _), &(lower, higher, _)) in self.ends.iter_mut().zip(&other.ends) {
            (*low, *high) = (lower.min(*low), higher.max(*high));
        }
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
        }
        for (product, more) in self.products.iter_mut().zip(&other.products) {
            *product += more;
        }
    }

    /// Whether these count as many integers a unit as others do, so that both can be added up.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let sizes = |moments: &Self| (moments.ends.len(), moments.sums.len(), moments.products.len());
        sizes(self) == sizes(other)
    }

    /// The number of units.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.units
    }

    fn product(&self, i: usize, j: usize) -> i128 {
        let (i, j) = (i.min(j), i.max(j));
        self.products[i * (2 * self.sums.len() - i + 1) / 2 + j - i]
    }

    /// The mean of a slot; `None` without units.
    #[must_use]
    pub fn mean(&self, slot: usize) -> Option<f64> {
        (self.units > 0).then(|| self.sums[slot] as f64 / self.units as f64)
    }

    /// The sample covariance of two slots (divisor n − 1); `None` for fewer than two units.
    #[must_use]
    pub fn covariance(&self, i: usize, j: usize) -> Option<f64> {
        let n = i128::from(self.units);
        let spread = n * self.product(i, j) - self.sums[i] * self.sums[j];
        (n > 1).then(|| spread as f64 / n as f64 / (n - 1) as f64)
    }

    /// The sample covariance of two sums of slots, each slot times a whole number; `None` for fewer than two units.
    #[must_use]
    pub fn covariance_of(&self, a: &[(usize, i64)], b: &[(usize, i64)]) -> Option<f64> {
        let cell =
            |&(i, x): &(usize, i64), &(j, y): &(usize, i64)| Some((x * y) as f64 * self.covariance(i, j)?);
        a.iter().flat_map(|x| b.iter().map(move |y| cell(x, y))).sum()
    }

    /// The mean and spread of the sum of some slots, each times a whole number, such as a difference. Exact up to
    /// the last division.
    #[must_use]
    pub fn of(&self, terms: &[(usize, i64)]) -> Estimate {
        let n = i128::from(self.units);
        let sum: i128 = terms.iter().map(|&(slot, times)| i128::from(times) * self.sums[slot]).sum();
        let square = |&(i, a): &(usize, i64)| -> i128 {
            terms.iter().map(|&(j, b)| i128::from(a) * i128::from(b) * self.product(i, j)).sum()
        };
        let squares: i128 = terms.iter().map(square).sum();
        let spread = n * squares - sum * sum;
        let end = |pick: fn(f64, f64) -> f64| -> f64 {
            let of = |&(slot, times): &(usize, i64)| {
                let (low, high, _) = self.ends[slot];
                pick(times as f64 * low as f64, times as f64 * high as f64)
            };
            terms.iter().map(of).sum()
        };
        // Slots may not reach their ends together, so this may be wider than it need be.
        let is_known = terms.iter().all(|&(slot, _)| self.ends[slot].2);
        Estimate {
            range: Range { low: end(f64::min), high: end(f64::max), is_known },
            units: self.units,
            mean: if n > 0 { sum as f64 / n as f64 } else { f64::NAN },
            sd: if n > 1 { (spread as f64 / n as f64 / (n - 1) as f64).sqrt() } else { f64::NAN },
        }
    }
}

/// A mean over independent units. What is undefined (the mean of no unit, the spread of one) is not a number, and
/// the methods return `None`.
///
/// Intervals and p-values are those of Student's t, with a larger variance: a value that has not come in n units may have a
/// probability of up to 3/n (the rule of three; Hanley and Lippman-Hand 1983, *If nothing goes wrong, is everything all
/// right?*). At the end of the range, at the distance d from the mean, it adds 3d²/n to the variance of a unit. So each end of
/// an interval is √((t·sd/√n)² + 3(1.96·d/n)²) from the mean. Rare large losses are allowed for before the first one is seen,
/// and equal units do not give an interval without width. For many units the addition vanishes. The chapter on statistics of
/// the documentation has the coverage.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The number of units.
    pub units: u64,
    /// The mean.
    pub mean: f64,
    /// The sample standard deviation of a unit (divisor n − 1).
    pub sd: f64,
    /// The values that a unit can have.
    #[serde(skip)]
    pub range: Range,
}

/// Below this number of units there is no interval when the range of values is not known: those seen do not show enough of
/// a skewed distribution.
pub const LEAST_UNBOUNDED: u64 = 20;

/// P-values below this are those whose intervals leave out 0.
const CERTAIN: f64 = 0.05;

/// The rule of three: what has not come in n units may have this probability, times n.
const UNSEEN_UNITS: f64 = 3.0;

impl Estimate {
    /// The same in another unit of measurement.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let range = self.range.times(factor);
        Self { mean: self.mean * factor, sd: self.sd * factor.abs(), range, ..self }
    }

    /// The standard deviations of a unit that unseen lower values could give, and unseen higher ones, for an interval that
    /// reaches so many standard errors to either side. The part of the unseen is the same for all of them: it is known, not
    /// estimated, and needs no allowance for few units or for many looks. `None` where nothing is known of the spread: for
    /// fewer than two units, and without a known range for fewer than [`LEAST_UNBOUNDED`] and for units that are all equal.
    #[must_use]
    pub(super) fn spreads(self, errors: f64) -> Option<[f64; 2]> {
        let Range { low, high, is_known } = self.range;
        if self.units < if is_known { 2 } else { LEAST_UNBOUNDED } {
            return None;
        }
        let share = (normal_quantile() / errors).powi(2);
        let sd = |end: f64| {
            let unseen = UNSEEN_UNITS * (end - self.mean).powi(2) / self.units as f64;
            (self.sd.powi(2) + share * unseen).sqrt()
        };
        let spreads = [sd(low), sd(high)];
        let is_positive = |sd: &f64| *sd > 0.0;
        let is_enough =
            if is_known { spreads.iter().any(is_positive) } else { spreads.iter().all(is_positive) };
        is_enough.then_some(spreads)
    }

    /// An interval that reaches down and up from the mean as far as these, but not beyond a known range.
    #[must_use]
    pub(super) fn around(self, [down, up]: [f64; 2]) -> Interval {
        let interval = Interval { low: self.mean - down, high: self.mean + up };
        let Range { low, high, is_known } = self.range;
        if is_known { interval.within(low, high) } else { interval }
    }

    /// The 95 % interval of the mean; `None` where too little is known of the spread: for fewer than two units, and without
    /// a known range for fewer than [`LEAST_UNBOUNDED`] and for units that are all equal.
    #[must_use]
    pub fn interval(self) -> Option<Interval> {
        let quantile = student_quantile(self.units)?;
        let scale = quantile / (self.units as f64).sqrt();
        Some(self.around(self.spreads(quantile)?.map(|sd| scale * sd)))
    }

    /// The p-value, but not below the chance that unseen values alone make the mean: the expected mean is 0 if values at the far
    /// end of the range, at the distance d from the mean, have the probability |mean| / d, and n units may have missed them. On
    /// which side of 0.05 it lies the interval decides.
    #[must_use]
    pub(super) fn not_beyond_the_unseen(self, p_value: f64) -> f64 {
        let Range { low, high, .. } = self.range;
        let far = if self.mean > 0.0 { self.mean - low } else { high - self.mean };
        let missed = (1.0 - self.mean.abs() / far).max(0.0).powf(self.units as f64);
        // Either sign of the mean would have been as surprising.
        let most = if p_value < CERTAIN { CERTAIN.next_down() } else { 1.0 };
        p_value.max((2.0 * missed).min(most))
    }

    /// The two-sided p-value of the hypothesis that the expected mean is 0. It is below 0.05 just when 0 lies outside of the
    /// interval. `None` where there is no interval, but 1 when all of two or more units are 0.
    #[must_use]
    pub fn p_value(self) -> Option<f64> {
        if self.units >= 2 && self.mean == 0.0 && self.sd == 0.0 {
            return Some(1.0);
        }
        let [down, up] = self.spreads(student_quantile(self.units)?)?;
        let t = self.mean.abs() / if self.mean > 0.0 { down } else { up } * (self.units as f64).sqrt();
        Some(self.not_beyond_the_unseen((2.0 * student_tail(t, (self.units - 1) as f64)).min(1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::interval::mean_p_value;
    use super::super::mean_interval;
    use super::*;
    use knave_agents::rng::{Role, below, stream};

    fn of(rows: &[[i64; 3]]) -> Moments {
        let mut moments = Moments::new(3);
        for row in rows {
            moments.add(row);
        }
        moments
    }

    const ROWS: [[i64; 3]; 5] = [[1, 10, -3], [2, 7, 0], [4, 4, 3], [0, -2, 3], [3, 5, 9]];

    /// Student (1908), the sleep of ten patients with two drugs: t = 4.062 with 9 degrees of freedom, p = 0.00283,
    /// interval 0.70 to 2.46 hours.
    #[test]
    fn the_paired_textbook_example() {
        let first = [7, -16, -2, -12, -1, 34, 37, 8, 0, 20];
        let second = [19, 8, 11, 1, -1, 44, 55, 16, 46, 34];
        let mut moments = Moments::new(2);
        for (a, b) in first.into_iter().zip(second) {
            moments.add(&[a, b]);
        }
        let difference = moments.of(&[(1, 1), (0, -1)]).times(0.1);
        assert!((difference.mean - 1.58).abs() < 1e-12 && (difference.sd - 1.229_995).abs() < 1e-6);
        let Estimate { units, mean, sd, .. } = difference;
        let interval = mean_interval(mean, sd, units).unwrap();
        assert!((interval.low - 0.700_114).abs() < 1e-6 && (interval.high - 2.459_886).abs() < 1e-6);
        assert!((mean_p_value(mean, sd, units).unwrap() - 0.002_833).abs() < 1e-6);
        // Ten values of an unknown range are too few for an interval that allows for unseen ones.
        assert_eq!((difference.interval(), difference.p_value()), (None, None));
    }

    fn units(bounds: Option<(i64, i64)>, values: impl IntoIterator<Item = i64>) -> Estimate {
        let mut moments = Moments::within(vec![bounds]);
        values.into_iter().for_each(|value| moments.add(&[value]));
        moments.of(&[(0, 1)])
    }

    /// The definition by hand: the values -1, 0, 0, 1 within -1 to 4. With 3 degrees of freedom t is 3.182446, and the
    /// variance is 2/3. The ends of the range are 1 below and 4 above the mean.
    #[test]
    fn unseen_values_widen_each_side_by_their_distance() {
        let estimate = units(Some((-1, 4)), [-1, 0, 0, 1]);
        let half = |distance: f64| {
            (3.182_446_f64.powi(2) * (2.0 / 3.0) / 4.0 + 3.0 * (1.959_964 * distance / 4.0).powi(2)).sqrt()
        };
        let interval = estimate.interval().unwrap();
        assert!((interval.high - half(4.0)).abs() < 1e-5, "{interval:?}");
        // The lower end would be -1.55, but no value is below -1.
        assert!(half(1.0) > 1.5 && interval.low == -1.0);
    }

    /// Equal units are not certain, but the more there are, the less can differ: the rule of three.
    #[test]
    fn equal_units_give_the_rule_of_three() {
        for n in [100, 10_000] {
            let estimate = units(Some((-1, 1)), vec![0; n]);
            let Interval { low, high } = estimate.interval().unwrap();
            assert!(high > 3.0 / n as f64 && high < 3.5 / n as f64 && low == -high, "{n}: {low} to {high}");
            assert_eq!(estimate.p_value(), Some(1.0));
        }
        // All at one end: the interval ends there.
        let ends = units(Some((0, 1)), [1; 50]).interval().unwrap();
        assert!(ends.high == 1.0 && ends.low < 1.0 - 3.0 / 50.0 && ends.low > 0.9);
    }

    /// One loss of 50 in a hundred among values from -5 to 5, 60 units: half of all samples have seen none. Student's t then
    /// misses, the interval that knows of the range does not. Of 400, 20 may miss; 34 is 3.2 standard deviations above.
    #[test]
    fn rare_large_losses_are_covered() {
        let (mut missed, mut plain) = (0, 0);
        for run in 0..400 {
            let mut rng = stream(9004, run, Role::Chance);
            let value = |_| match below(&mut rng, 100) {
                0 => -50,
                draw => i64::from(draw % 11) - 5,
            };
            let values: Vec<i64> = (0..60).map(value).collect();
            let truth = -0.5 + (1..100).map(|draw| f64::from(draw % 11 - 5)).sum::<f64>() / 100.0;
            let estimate = units(Some((-50, 5)), values);
            let misses = |interval: Option<Interval>| {
                u32::from(interval.is_none_or(|i| !(i.low..=i.high).contains(&truth)))
            };
            missed += misses(estimate.interval());
            plain += misses(mean_interval(estimate.mean, estimate.sd, 60));
        }
        assert!(missed <= 34, "{missed} of 400 miss");
        assert!(plain > 34, "{plain} of 400 of Student's t miss");
    }

    /// 0 lies outside of the interval just when the p-value is below 0.05, on either side.
    #[test]
    fn intervals_and_p_values_agree() {
        for wins in 0..40 {
            let values = (0..60).map(|i| if i < wins { 1 } else { -i64::from(i > 50) });
            let estimate = units(Some((-1, 1)), values);
            for estimate in [estimate, estimate.times(-2.0)] {
                let Interval { low, high } = estimate.interval().unwrap();
                assert_eq!(estimate.p_value().unwrap() < 0.05, low > 0.0 || high < 0.0, "{estimate:?}");
            }
        }
    }

    /// Who has won all units may have won them by chance: of two that are alike one does so in 2 of 2ⁿ cases. One
    /// loss makes it less sure.
    #[test]
    fn lopsided_units_are_not_surer_than_chance_allows() {
        for n in [2, 3, 5, 10, 50, 200] {
            let p = units(Some((-1, 1)), vec![1; n]).p_value().unwrap();
            let chance = 2_f64.powi(1 - n as i32);
            assert!(p > 0.999 * chance && (n < 50 || p < 1.001 * chance), "{n}: {p}");
            let lost = (0..n).map(|i| if i == 0 { -1 } else { 1 });
            assert!(units(Some((-1, 1)), lost).p_value().unwrap() > p);
        }
        // Where values of both signs come, they tell the spread.
        let estimate = units(Some((-1, 1)), (0..1_000).map(|i| if i % 5 < 2 { -1 } else { 1 }));
        let Estimate { units, mean, sd, .. } = estimate;
        let plain = mean_p_value(mean, sd, units).unwrap();
        assert!(estimate.p_value().unwrap() < 2.0 * plain, "{plain}");
    }

    /// Where the rules tell no range, that of the values seen stands for it, of each slot: two agents that always had the same
    /// scores may differ by as much as the scores did.
    #[test]
    fn unknown_ranges_are_those_seen() {
        let mut moments = Moments::new(2);
        for i in 0..100 {
            moments.add(&[i % 10, i % 10]);
        }
        let estimate = moments.of(&[(0, 1), (1, -1)]);
        assert_eq!(estimate.range, Range { low: -9.0, high: 9.0, is_known: false });
        let interval = estimate.interval().unwrap();
        assert!(interval.high > 0.27 && interval.high < 0.35);
        // Equal values without a range tell nothing.
        assert_eq!(units(None, [3; 50]).interval(), None);
        assert_eq!(units(None, 0..19).interval(), None);
        assert!(units(None, 0..20).interval().is_some());
    }

    /// A combination of slots is what one gets by combining the values of every unit first.
    #[test]
    fn combinations_agree_with_combined_values() {
        let mut combined = Moments::new(1);
        for row in ROWS {
            combined.add(&[2 * row[0] - 5 * row[1] + row[2]]);
        }
        let (one, other) = (of(&ROWS).of(&[(0, 2), (1, -5), (2, 1)]), combined.of(&[(0, 1)]));
        assert_eq!((one.units, one.mean, one.sd), (other.units, other.mean, other.sd));
        // Slots need not reach their ends together.
        assert!(one.range.low <= other.range.low && one.range.high >= other.range.high);
        let variance = combined.covariance(0, 0).unwrap();
        assert!((combined.of(&[(0, 1)]).sd.powi(2) - variance).abs() < 1e-9);
        assert_eq!(of(&ROWS).covariance(0, 2), of(&ROWS).covariance(2, 0));
        let terms = [(0, 2), (1, -5), (2, 1)];
        assert!((of(&ROWS).covariance_of(&terms, &terms).unwrap() - variance).abs() < 1e-9);
        assert_eq!(of(&ROWS).mean(2), Some(2.4));
    }

    /// Shards and journals depend on it.
    #[test]
    fn any_split_merges_to_the_whole_and_text_keeps_every_digit() {
        for cut in 0..=ROWS.len() {
            let mut parts = of(&ROWS[cut..]);
            parts.merge(&of(&ROWS[..cut]));
            assert_eq!(parts, of(&ROWS));
        }
        let mut large = Moments::new(2);
        for _ in 0..3 {
            large.add(&[(1 << 54) - 1, 1 - (1 << 54)]);
        }
        let record = serde_json::to_value(&large).unwrap();
        assert_eq!(serde_json::from_value::<Moments>(record).unwrap(), large);
    }

    #[test]
    fn what_is_undefined_is_none() {
        let none = Moments::new(1).of(&[(0, 1)]);
        assert_eq!((none.interval(), none.p_value()), (None, None));
        assert_eq!(units(None, [2; 4]).p_value(), None);
        assert_eq!(units(None, [0; 4]).p_value(), Some(1.0));
    }

    /// Sums that no games come to would overflow what is worked out from them.
    #[test]
    fn impossible_moments_are_refused() {
        let right = of(&ROWS);
        let record = serde_json::to_value(&right).unwrap();
        let read = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut record = record.clone();
            change(&mut record);
            serde_json::from_value::<Moments>(record)
        };
        assert_eq!(read(&|_| ()).unwrap(), right);
        assert!(read(&|record| drop(record["sums"].as_array_mut().unwrap().pop())).is_err());
        assert!(read(&|record| drop(record["products"].as_array_mut().unwrap().pop())).is_err());
        assert!(read(&|record| drop(record["ends"].as_array_mut().unwrap().pop())).is_err());
        assert!(read(&|record| record["units"] = u64::MAX.into()).is_ok());
        for list in ["sums", "products"] {
            assert!(read(&|record| record[list][0] = i128::MAX.to_string().into()).is_err());
            assert!(read(&|record| record[list][0] = i128::MIN.to_string().into()).is_err());
        }
        assert!(read(&|record| record["sums"][0] = (1_i128 << 58).to_string().into()).is_err());
        assert!(read(&|record| record["products"][0] = (1_i128 << 114).to_string().into()).is_err());
    }
}
