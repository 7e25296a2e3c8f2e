//! Control variates: a mean that is corrected for chance, and its spread.

use super::{Estimate, Moments};

/// With fewer units there is no correction. A share that is fitted on so few may be anything: on two, it is the slope of the line
/// through two points.
pub const LEAST_CORRECTED: u64 = 20;

/// The mean and spread of `terms` less a part of `correction` (control variates; Lavenberg and Welch 1981), both sums of slots
/// times whole numbers. The expectation of `correction` is 0.
///
/// `halves` are disjoint halves of the units. How much of the correction is taken off is fitted on each half for the other
/// one: nothing is fitted to the results that it is applied to, so the mean stays unbiased. A mean outside of a known range,
/// which nobody can have, is moved to its end. `None` for fewer than half of [`LEAST_CORRECTED`] units in either half. Where
/// there is nothing to correct, it is the mean and spread of `terms`.
#[must_use]
pub fn corrected(
    halves: &[Moments; 2],
    terms: &[(usize, i64)],
    correction: &[(usize, i64)],
) -> Option<Estimate> {
    let part = |own: &Moments, other: &Moments| {
        let spread = other.covariance_of(correction, correction)?;
        let share = if spread > 0.0 { other.covariance_of(terms, correction)? / spread } else { 0.0 };
        let mean = own.of(terms).mean - share * own.of(correction).mean;
        let variance = own.covariance_of(terms, terms)?
            - 2.0 * share * own.covariance_of(terms, correction)?
            + share * share * own.covariance_of(correction, correction)?;
        Some((own.units() as f64, mean, variance.max(0.0)))
    };
    let [one, other] = halves;
    if one.units().min(other.units()) < LEAST_CORRECTED / 2 {
        return None;
    }
    let mut all = one.clone();
    all.merge(other);
    let plain = all.of(terms);
    if all.covariance_of(correction, correction) == Some(0.0) && all.of(correction).mean == 0.0 {
        // Nothing was random: halves would only blur the spread.
        return Some(plain);
    }
    let ((n, mean_one, variance_one), (m, mean_other, variance_other)) =
        (part(one, other)?, part(other, one)?);
    let mean = (n * mean_one + m * mean_other) / (n + m);
    let variance = (n * variance_one + m * variance_other) / (n + m);
    let mean = if plain.range.is_known { mean.clamp(plain.range.low, plain.range.high) } else { mean };
    Some(Estimate { mean, sd: variance.sqrt(), ..plain })
}

#[cfg(test)]
mod tests {
    use super::*;
    use knave_agents::rng::{Role, below, stream};

    /// Results of 0 or 1 that are mostly chance, in two slots.
    fn halves(run: u64, units: usize) -> [Moments; 2] {
        let mut rng = stream(9003, run, Role::Chance);
        let mut halves = [(); 2].map(|()| Moments::within(vec![Some((0, 1)), None]));
        for unit in 0..units {
            let chance = i64::from(below(&mut rng, 21)) - 10;
            let noise = i64::from(below(&mut rng, 5)) - 2;
            halves[unit % 2].add(&[i64::from(chance + noise > 0), chance]);
        }
        halves
    }

    /// The reason for it: the interval is narrower, and contains the truth, 0.4552, as often as it should: of 400 runs, 20
    /// are expected to miss at most, and 34 is 3.2 standard deviations above. The mean is not biased.
    #[test]
    fn corrections_have_no_bias() {
        let truth = (-10..=10)
            .flat_map(|chance| (-2..=2).map(move |noise| f64::from(u8::from(chance + noise > 0))))
            .sum::<f64>()
            / 105.0;
        let (mut missed, mut sum, mut narrower) = (0, 0.0, 0);
        for run in 0..400 {
            let halves = halves(run, 60);
            let estimate = corrected(&halves, &[(0, 1)], &[(1, 1)]).unwrap();
            let interval = estimate.interval().unwrap();
            missed += u32::from(!(interval.low..=interval.high).contains(&truth));
            sum += estimate.mean;
            let mut all = halves[0].clone();
            all.merge(&halves[1]);
            narrower += u32::from(estimate.sd < 0.8 * all.of(&[(0, 1)]).sd);
        }
        assert!(missed <= 34, "{missed} of 400 intervals miss");
        // The mean of 400 runs of 60 has a standard error of 0.002.
        assert!((sum / 400.0 - truth).abs() < 0.006, "{} against {truth}", sum / 400.0);
        assert!(narrower >= 390, "{narrower} of 400 are narrower");
    }

    /// Without chance, a correction changes nothing.
    #[test]
    fn nothing_is_corrected_where_nothing_is_random() {
        let mut halves = [(); 2].map(|()| Moments::within(vec![Some((0, 1)), None]));
        for (unit, won) in [1, 0, 1, 1, 0, 1].into_iter().cycle().take(20).enumerate() {
            halves[unit % 2].add(&[won, 0]);
        }
        let mut all = halves[0].clone();
        all.merge(&halves[1]);
        let plain = all.of(&[(0, 1)]);
        assert_eq!(corrected(&halves, &[(0, 1)], &[(1, 1)]), Some(plain));
    }

    /// Luck that is rare and far from what it explains: a share fitted on so few units goes astray, and the mean with it. It
    /// stays within what units can be, and within its interval.
    #[test]
    fn means_stay_within_the_range() {
        let mut moved = 0;
        for run in 0..400 {
            let mut rng = stream(9004, run, Role::Chance);
            let mut halves = [(); 2].map(|()| Moments::within(vec![Some((0, 1)), None]));
            for unit in 0..20 {
                let luck = if below(&mut rng, 10) == 0 { 300 } else { 0 };
                let blur = i64::from(below(&mut rng, 3)) - 1;
                halves[unit % 2].add(&[i64::from(below(&mut rng, 4) == 0), luck + blur]);
            }
            let estimate = corrected(&halves, &[(0, 1)], &[(1, 1)]).unwrap();
            let interval = estimate.interval().unwrap();
            assert!((interval.low..=interval.high).contains(&estimate.mean), "{run}: {estimate:?}");
            moved += u32::from(estimate.mean == 0.0 || estimate.mean == 1.0);
        }
        assert!(moved > 0, "no mean would have left the range");
        let few = [(); 2].map(|()| {
            let mut half = Moments::within(vec![Some((0, 1)), None]);
            (0..9).for_each(|unit| half.add(&[unit % 2, unit]));
            half
        });
        assert_eq!(corrected(&few, &[(0, 1)], &[(1, 1)]), None, "18 units are too few");
    }

    /// A few deals on which all results are equal give an interval with a width, within the range.
    #[test]
    fn equal_results_are_not_certain() {
        for units in [20, 21, 40] {
            let mut halves = [(); 2].map(|()| Moments::within(vec![Some((0, 1)), None]));
            for unit in 0..units {
                halves[unit % 2].add(&[0, unit as i64]);
            }
            let interval = corrected(&halves, &[(0, 1)], &[(1, 1)]).unwrap().interval().unwrap();
            assert!(interval.low == 0.0 && interval.high > 3.0 / units as f64, "{units}: {interval:?}");
            assert!(interval.high <= 1.0);
        }
        assert_eq!(corrected(&[(); 2].map(|()| Moments::new(2)), &[(0, 1)], &[(1, 1)]), None);
    }
}
