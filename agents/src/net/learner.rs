//! How a net learns: gradient descent on the log-likelihood of targets.

use super::group_cache::GroupCache;
use super::layers::{CEILING, Net, Shape, Units, add_scaled, dot, logistic};

/// Learns by gradient descent with a step size for each weight (Adam, Kingma and Ba 2015, without the
/// correction of the start; rows of features that do not occur rest).
///
/// What is learnt is a row for each feature and for each of those that they share
/// (`Features::shared`); the net's row of a feature is their sum, and is added up when it is asked for.
pub struct Learner {
    net: Net,
    /// The features shared by each feature.
    shared: Vec<Vec<u16>>,
    /// The head for a list of features.
    head: fn(&[u16]) -> usize,
    /// The steps that had been taken when a row of `net` was added up.
    fresh: Vec<u64>,
    steps: u64,
    weights: Net,
    gradient: Net,
    mean: Net,
    square: Net,
    touched: Vec<bool>,
    rows: Vec<u16>,
    units: Units,
    known: GroupCache<f32>,
    back: Vec<f32>,
    back_first: Vec<f32>,
    back_second: Vec<f32>,
    /// The largest sum of the first layer since this was last set to 0, without its sign.
    pub largest: f32,
}

/// Adds a row of `from` to one of `to`.
fn add_row(to: &mut [f32], to_row: u16, from: &[f32], from_row: u16, width: usize) {
    let from = &from[usize::from(from_row) * width..][..width];
    add_scaled(&mut to[usize::from(to_row) * width..][..width], from, 1.0);
}

impl Learner {
    /// A learner that begins with these weights: rows for the features, of which there is one for each of `shared`,
    /// and after them rows for all that is shared, which are set to nothing. `head` says which head a list asks.
    #[must_use]
    pub fn new(mut weights: Net, shared: Vec<Vec<u16>>, head: fn(&[u16]) -> usize) -> Self {
        weights.features[shared.len() * weights.shape.first..].fill(0.0);
        let mut zero = weights.clone();
        for part in zero.parts() {
            part.fill(0.0);
        }
        let Shape { inputs, first, second, .. } = weights.shape;
        let mut net = weights.clone();
        net.shape.inputs = shared.len();
        net.features.truncate(shared.len() * first);
        Self {
            net,
            fresh: vec![0; shared.len()],
            steps: 1,
            shared,
            head,
            gradient: zero.clone(),
            mean: zero.clone(),
            square: zero,
            touched: vec![false; inputs],
            rows: Vec::new(),
            units: Units::default(),
            known: GroupCache::default(),
            back: vec![0.0; first],
            back_first: vec![0.0; first],
            back_second: vec![0.0; second],
            largest: 0.0,
            weights,
        }
    }

    #[cfg(test)]
    pub(super) fn gradient(&mut self) -> &mut Net {
        &mut self.gradient
    }

    /// Begins with these weights, and with nothing of what is shared; `false` when the shape is another one.
    pub fn begin_with(&mut self, net: &Net) -> bool {
        if net.shape != self.net.shape {
            return false;
        }
        self.weights.features.fill(0.0);
        let net = net.clone();
        self.weights.features[..net.features.len()].copy_from_slice(&net.features);
        self.weights =
            Net { shape: self.weights.shape, features: std::mem::take(&mut self.weights.features), ..net };
        self.steps += 1;
        self.take_over();
        true
    }

    /// Adds up the rows of these features.
    fn refresh(&mut self, features: &[u16]) {
        let first = self.net.shape.first;
        for &feature in features {
            let at = usize::from(feature);
            if self.fresh[at] == self.steps {
                continue;
            }
            self.fresh[at] = self.steps;
            self.net.features[at * first..][..first].fill(0.0);
            for &row in std::iter::once(&feature).chain(&self.shared[at]) {
                add_row(&mut self.net.features, feature, &self.weights.features, row, first);
            }
        }
    }

    /// The net as it is.
    pub fn net(&mut self) -> &Net {
        let all: Vec<u16> = (0..self.shared.len() as u16).collect();
        self.refresh(&all);
        &self.net
    }

    /// The log-odds that the net gives for these features; for [`Learner::logit_after`] the units are kept in `units`.
    pub fn logit(&mut self, features: &[u16], units: &mut Units) -> f32 {
        if !self.net.shape.groups.is_none() {
            return self.logit_of_groups(features, units);
        }
        self.refresh(features);
        let logit = self.net.logit((self.head)(features), features, units);
        self.largest = units.sums.iter().fold(self.largest, |most, sum| most.max(sum.abs()));
        logit
    }

    /// [`Net::logit_after`], if no step was taken since `before`.
    pub fn logit_after(&mut self, before: &[u16], features: &[u16], units: &mut Units) -> f32 {
        if !self.net.shape.groups.is_none() {
            return self.logit_of_groups(features, units);
        }
        self.refresh(features);
        let logit = self.net.logit_after((self.head)(features), before, features, units);
        self.largest = units.sums.iter().fold(self.largest, |most, sum| most.max(sum.abs()));
        logit
    }

    /// The same for features that fall in groups, of which most have been there since the last step.
    fn logit_of_groups(&mut self, features: &[u16], units: &mut Units) -> f32 {
        let (head, Shape { second, groups, .. }) = ((self.head)(features), self.net.shape);
        let mut known = std::mem::take(&mut self.known);
        units.second_sums.clear();
        units.second_sums.extend_from_slice(&self.net.second_bias[head * second..][..second]);
        for group in groups.of(features) {
            let part = known.part((self.steps as u32, head), group, second, |part| {
                self.refresh(group);
                self.largest = self.largest.max(self.net.part(head, group, &mut units.sums, part));
            });
            add_scaled(&mut units.second_sums, part, 1.0);
        }
        self.known = known;
        self.net.output(head, units)
    }

    /// Adds the gradient of the log-likelihood of `target` (0 to 1) at these features.
    pub fn add(&mut self, features: &[u16], target: f32) {
        self.refresh(features);
        let head = (self.head)(features);
        let error = target - logistic(self.net.logit(head, features, &mut self.units));
        let Shape { first, second, .. } = self.net.shape;
        let (units, gradient) = (&self.units, &mut self.gradient);
        let all = head * first * second..(head + 1) * first * second;
        let row = head * second..(head + 1) * second;
        gradient.output_bias[head] += error;
        add_scaled(&mut gradient.output[row.clone()], &units.second, error);
        for j in 0..second {
            // Beyond the ends of its range a unit passes on a hundredth, so that none is lost for good.
            let open = if (0.0..=CEILING).contains(&units.second_sums[j]) { 1.0 } else { 0.01 };
            self.back_second[j] = error * self.net.output[row.start + j] * open;
        }
        add_scaled(&mut gradient.second_bias[row], &self.back_second, 1.0);
        for i in 0..first {
            let row = i * second..(i + 1) * second;
            if units.first[i] > 0.0 {
                add_scaled(&mut gradient.second[all.clone()][row.clone()], &self.back_second, units.first[i]);
            }
            self.back_first[i] = dot(&self.net.second[all.clone()][row], &self.back_second);
        }
        let groups = self.net.shape.groups.of(features);
        for (group, sums) in groups.zip(units.sums.chunks_exact(first)) {
            for ((back, all), sum) in self.back.iter_mut().zip(&self.back_first).zip(sums) {
                *back = all * if (0.0..=CEILING).contains(sum) { 1.0 } else { 0.01 };
            }
            add_scaled(&mut gradient.first_bias, &self.back, 1.0);
            for &feature in group {
                let start = usize::from(feature) * first;
                add_scaled(&mut gradient.features[start..start + first], &self.back, 1.0);
                touch(feature, &mut self.touched, &mut self.rows);
            }
        }
    }

    /// Gives what is shared its part of the gradient: all that its features got.
    fn share(&mut self) {
        let first = self.net.shape.first;
        let inputs = self.shared.len() * first;
        for i in 0..self.rows.len() {
            let feature = self.rows[i];
            let (own, shared) = self.gradient.features.split_at_mut(inputs);
            for &row in &self.shared[usize::from(feature)] {
                add_row(shared, row - self.shared.len() as u16, own, feature, first);
                touch(row, &mut self.touched, &mut self.rows);
            }
        }
    }

    /// Takes a step along the gradient that was added since the last one.
    pub fn step(&mut self, rate: f32) {
        let first = self.net.shape.first;
        self.share();
        self.steps += 1;
        for feature in self.rows.drain(..) {
            self.touched[usize::from(feature)] = false;
            let start = usize::from(feature) * first;
            let row = start..start + first;
            descend(
                &mut self.weights.features[row.clone()],
                &mut self.gradient.features[row.clone()],
                &mut self.mean.features[row.clone()],
                &mut self.square.features[row],
                rate,
            );
        }
        let parts = self.weights.parts().into_iter().skip(1).zip(self.gradient.parts().into_iter().skip(1));
        let moments = self.mean.parts().into_iter().skip(1).zip(self.square.parts().into_iter().skip(1));
        for ((net, gradient), (mean, square)) in parts.zip(moments) {
            descend(net, gradient, mean, square, rate);
        }
        self.take_over();
    }

    /// Copies what is not added up.
    fn take_over(&mut self) {
        for (to, from) in self.net.parts().into_iter().zip(self.weights.parts()).skip(1) {
            to.copy_from_slice(from);
        }
    }

    /// All that later steps depend on, as long as no gradient has been added since the last one.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let nets = [&self.weights, &self.mean, &self.square];
        nets.iter().flat_map(|net| net.all().flat_map(f32::to_le_bytes)).collect()
    }

    /// Takes up what [`Learner::to_bytes`] gave for a learner of the same shape; `false` when the length is
    /// wrong, and nothing has changed then.
    pub fn set_bytes(&mut self, bytes: &[u8]) -> bool {
        let weights: usize = self.weights.all().count();
        if bytes.len() != 3 * 4 * weights {
            return false;
        }
        let mut numbers = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        for net in [&mut self.weights, &mut self.mean, &mut self.square] {
            for weight in net.parts().into_iter().flatten() {
                *weight = numbers.next().unwrap_or_default();
            }
        }
        self.steps += 1;
        self.take_over();
        true
    }
}

fn touch(feature: u16, touched: &mut [bool], rows: &mut Vec<u16>) {
    if !std::mem::replace(&mut touched[usize::from(feature)], true) {
        rows.push(feature);
    }
}

fn descend(weights: &mut [f32], gradient: &mut [f32], mean: &mut [f32], square: &mut [f32], rate: f32) {
    const MEAN: f32 = 0.9;
    const SQUARE: f32 = 0.999;
    for (((w, g), m), s) in weights.iter_mut().zip(gradient).zip(mean).zip(square) {
        *m = MEAN * *m + (1.0 - MEAN) * *g;
        *s = SQUARE * *s + (1.0 - SQUARE) * *g * *g;
        *w += rate * *m / (s.sqrt() + 1e-8);
        *g = 0.0;
    }
}
