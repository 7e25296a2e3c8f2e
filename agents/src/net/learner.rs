//! The learner: gradient descent on the log-likelihood of targets.

use super::group_cache::GroupCache;
use super::layers::{CEILING, Net, Shape, Units, add_scaled, dot, logistic};

/// A learner by Adam (Kingma and Ba 2015), without bias correction. Rows of features that do not occur rest.
///
/// It learns a row of weights for each feature and for each shared feature (`Features::shared`). The net's row
/// of a feature is their sum, computed on demand.
pub struct Learner {
    net: Net,
    /// The shared features of each feature.
    shared: Vec<Vec<u16>>,
    /// The head for a list of features.
    head: fn(&[u16]) -> usize,
    /// The learning step at which a row of `net` was last added up.
    fresh: Vec<u64>,
    steps: u64,
    weights: Net,
    gradient: Net,
    mean: Net,
    square: Net,
    touched: Vec<bool>,
    rows: Vec<u16>,
    units: Units,
    cache: GroupCache<f32>,
    back: Vec<f32>,
    back_first: Vec<f32>,
    back_second: Vec<f32>,
    /// The largest first-layer sum in size since this was last set to 0.
    pub largest: f32,
}

/// Adds a row of `from` to one of `to`.
fn add_row(to: &mut [f32], to_row: u16, from: &[f32], from_row: u16, width: usize) {
    let from = &from[usize::from(from_row) * width..][..width];
    add_scaled(&mut to[usize::from(to_row) * width..][..width], from, 1.0);
}

impl Learner {
    /// A learner that begins with these weights. They hold a row for each entry of `shared`, then rows for all
    /// shared features, which are zeroed. `head` maps a list to its head.
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
            cache: GroupCache::default(),
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

    /// Begins with these weights and zeros for shared features. `false` for another shape.
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
            let inputs = self.fresh.len();
            assert!(at < inputs, "feature {feature}: expected one below INPUTS={inputs}");
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

    /// The log-odds of the net. For [`Learner::logit_after`] the activations are kept in `units`.
    pub fn logit(&mut self, features: &[u16], units: &mut Units) -> f32 {
        if !self.net.shape.groups.is_none() {
            return self.logit_of_groups(features, units);
        }
        self.refresh(features);
        let logit = self.net.logit((self.head)(features), features, units);
        self.largest = units.sums.iter().fold(self.largest, |most, sum| most.max(sum.abs()));
        logit
    }

    /// [`Net::logit_after`], provided that no step was taken since `before`.
    pub fn logit_after(&mut self, before: &[u16], features: &[u16], units: &mut Units) -> f32 {
        if !self.net.shape.groups.is_none() {
            return self.logit_of_groups(features, units);
        }
        self.refresh(features);
        let logit = self.net.logit_after((self.head)(features), before, features, units);
        self.largest = units.sums.iter().fold(self.largest, |most, sum| most.max(sum.abs()));
        logit
    }

    /// The log-odds for grouped features, by the cache of groups since the last step.
    fn logit_of_groups(&mut self, features: &[u16], units: &mut Units) -> f32 {
        let (head, Shape { second, groups, .. }) = ((self.head)(features), self.net.shape);
        let mut cache = std::mem::take(&mut self.cache);
        units.second_sums.clear();
        units.second_sums.extend_from_slice(&self.net.second_bias[head * second..][..second]);
        for group in groups.of(features) {
            let part = cache.part((self.steps as u32, head), group, second, |part| {
                self.refresh(group);
                self.largest = self.largest.max(self.net.part(head, group, &mut units.sums, part));
            });
            add_scaled(&mut units.second_sums, part, 1.0);
        }
        self.cache = cache;
        self.net.output(head, units)
    }

    /// Adds the gradient of the log-likelihood of `target` (0 to 1) at these features.
    pub fn add(&mut self, features: &[u16], target: f32) {
        self.refresh(features);
        let error = target - logistic(self.net.logit((self.head)(features), features, &mut self.units));
        self.back(features, error);
    }

    /// Adds the gradient of the log-odds at these features, times `slope`.
    pub fn add_slope(&mut self, features: &[u16], slope: f32) {
        self.refresh(features);
        self.net.logit((self.head)(features), features, &mut self.units);
        self.back(features, slope);
    }

    /// Adds the gradient of the log-odds at the features whose activations are in `units`, times `error`.
    fn back(&mut self, features: &[u16], error: f32) {
        let head = (self.head)(features);
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

    /// Takes a step along the gradient that was added since the last one. That of the first layer has `first_part` of its size.
    pub fn step(&mut self, rate: f32, first_part: f32) {
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
                rate * first_part,
            );
        }
        let parts = self.weights.parts().into_iter().skip(1).zip(self.gradient.parts().into_iter().skip(1));
        let moments = self.mean.parts().into_iter().skip(1).zip(self.square.parts().into_iter().skip(1));
        // The biases of the first layer come first.
        let rates = std::iter::once(rate * first_part).chain(std::iter::repeat(rate));
        for (((net, gradient), (mean, square)), rate) in parts.zip(moments).zip(rates) {
            descend(net, gradient, mean, square, rate);
        }
        self.take_over();
    }

    /// Copies the weights that are not sums.
    fn take_over(&mut self) {
        for (to, from) in self.net.parts().into_iter().zip(self.weights.parts()).skip(1) {
            to.copy_from_slice(from);
        }
    }

    /// The whole state after the last step. Gradients that were added since are no part of it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let nets = [&self.weights, &self.mean, &self.square];
        let mut bytes = Vec::with_capacity(nets.len() * 4 * self.weights.all().count());
        nets.iter().flat_map(|net| net.all()).for_each(|weight| bytes.extend(weight.to_le_bytes()));
        bytes
    }

    /// Restores the state of a learner of the same shape. `false` for a wrong length, with nothing changed.
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
