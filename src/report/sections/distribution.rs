//! How often each value came: places of their own for a few values, and steps of a round width for many.

use crate::numbers::Unit;
use crate::report::ReportError;
use crate::report::charts::{self, Base, Plot, Series};

/// A chart of values has about so many steps.
const STEPS: f64 = 40.0;
/// So few different values are shown one by one.
const FEW: usize = 20;

/// The places of values on an axis, from the lowest to the highest. Values that never came have theirs, too.
pub(super) struct Places {
    low: f64,
    width: f64,
    count: usize,
    /// Whether each place is one value.
    is_single: bool,
}

impl Places {
    /// The places of these values; none where there are no values.
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let (&low, &high) = (values.first()?, values.last()?);
        let is_on = |step: &f64| values.iter().all(|value| (value / step).fract() == 0.0);
        let step = [1.0, 0.5].into_iter().find(is_on).filter(|step| (high - low) / step <= STEPS);
        let step = step.filter(|_| values.len() <= FEW);
        let width = step.unwrap_or(round_step((high - low) / STEPS));
        let places = Self { low, width, count: 0, is_single: step.is_some() };
        Some(Self { count: places.of_value(high) + 1, ..places })
    }

    fn of_value(&self, value: f64) -> usize {
        ((value - self.low) / self.width) as usize
    }

    fn edge(&self, place: usize) -> f64 {
        self.low + place as f64 * self.width
    }

    /// A place as it is read.
    pub fn name(&self, place: usize) -> String {
        let text = |place| Unit::Plain.text(self.edge(place));
        if self.is_single { text(place) } else { format!("{} to below {}", text(place), text(place + 1)) }
    }

    /// The width of the steps in words, where values share places.
    pub fn steps(&self) -> Option<String> {
        (!self.is_single).then(|| format!("in steps of width {}", Unit::Plain.text(self.width)))
    }

    /// The share of each place, by values and how often each came.
    pub fn shares(&self, pairs: &[(f64, f64)]) -> Vec<f64> {
        let all: f64 = pairs.iter().map(|pair| pair.1).sum();
        let mut shares = vec![0.0; self.count];
        for (value, count) in pairs {
            shares[self.of_value(*value)] += count / all;
        }
        shares
    }

    /// A chart of the shares of some series: bars where each place is one value, else lines in steps.
    pub fn chart(
        &self,
        names: &[String],
        shares: &[Vec<f64>],
        x_title: &str,
        alt: &str,
    ) -> Result<String, ReportError> {
        if self.is_single {
            let keys: Vec<String> = (0..self.count).map(|place| self.name(place)).collect();
            return charts::bars(&keys, shares, (x_title, Unit::Share), alt);
        }
        let flat = |shares: &Vec<f64>| {
            let steps = shares.iter().enumerate();
            steps.flat_map(|(i, &share)| [(self.edge(i), share), (self.edge(i + 1), share)]).collect()
        };
        let line =
            |(name, shares): (&String, &Vec<f64>)| Series { label: name.clone(), points: flat(shares) };
        let series: Vec<Series> = names.iter().zip(shares).map(line).collect();
        let plot = Plot::of(series.iter(), [].iter(), Base::Zero, None);
        charts::lines(&series, &[], &plot, (x_title, Unit::Share), alt)
    }
}

/// The smallest of 1, 2, 5, 10, 20, … that is not below `step`.
fn round_step(step: f64) -> f64 {
    let steps = (0..12).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    steps.into_iter().find(|&round| round >= step).unwrap_or(step)
}
