//! Control variates: a mean that is corrected for chance, and its spread.

use super::{Estimate, Moments};

/// The mean and spread of `terms` less a part of `correction` (control variates; Lavenberg and Welch 1981), both sums of slots
/// times whole numbers. The expectation of `correction` is 0.
///
/// `halves` are disjoint halves of the units. How much of the correction is taken off is fitted on each half for the other one:
/// nothing is fitted to the results that it is applied to, so the mean stays unbiased. `None` for fewer than two units in
/// either half. Where there is nothing to correct, it is the mean and spread of `terms`.
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
    let mut all = one.clone();
    all.merge(other);
    if all.covariance_of(correction, correction) == Some(0.0) && all.of(correction).mean == 0.0 {
        // Nothing was random: halves would only blur the spread.
        return one.units().min(other.units()).checked_sub(2).map(|_| all.of(terms));
    }
    let ((n, mean_one, variance_one), (m, mean_other, variance_other)) =
        (part(one, other)?, part(other, one)?);
    let mean = (n * mean_one + m * mean_other) / (n + m);
    let variance = (n * variance_one + m * variance_other) / (n + m);
    Some(Estimate { mean, sd: variance.sqrt(), ..all.of(terms) })
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
        for (unit, won) in [1, 0, 1, 1, 0, 1].into_iter().enumerate() {
            halves[unit % 2].add(&[won, 0]);
        }
        let mut all = halves[0].clone();
        all.merge(&halves[1]);
        let plain = all.of(&[(0, 1)]);
        assert_eq!(corrected(&halves, &[(0, 1)], &[(1, 1)]), Some(plain));
    }

    /// A few deals on which all results are equal give an interval with a width, within the range.
    #[test]
    fn equal_results_are_not_certain() {
        for units in [4, 5, 40] {
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
