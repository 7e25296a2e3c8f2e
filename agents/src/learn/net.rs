//! The net in floating point, and how it learns.

use crate::rng::Rng;
use rand::RngExt as _;

/// The sizes of a net.
#[derive(Copy, Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Shape {
    /// Features.
    pub inputs: usize,
    /// Units of the first hidden layer, a multiple of 16.
    pub first: usize,
    /// Units of the second hidden layer, a multiple of 8.
    pub second: usize,
}

/// A net over sparse features: two hidden layers of units that are cut off at 0 and 1, and a logistic
/// output.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    pub(super) shape: Shape,
    /// A row of `first` weights for each feature.
    pub(super) features: Vec<f32>,
    pub(super) first_bias: Vec<f32>,
    /// A row of `second` weights for each unit of the first layer.
    pub(super) second: Vec<f32>,
    pub(super) second_bias: Vec<f32>,
    pub(super) output: Vec<f32>,
    pub(super) output_bias: f32,
}

/// The units of a net for one list of features.
#[derive(Clone, Debug, Default)]
pub struct Units {
    sums: Vec<f32>,
    first: Vec<f32>,
    second_sums: Vec<f32>,
    second: Vec<f32>,
}

/// Units are cut off here.
const CEILING: f32 = 8.0;

/// Eight numbers side by side, which the compiler adds and multiplies at once.
const LANES: usize = 8;

fn add_scaled(to: &mut [f32], row: &[f32], scale: f32) {
    for (sum, weight) in to.iter_mut().zip(row) {
        *sum += scale * weight;
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for i in 0..LANES {
            lanes[i] += a[i] * b[i];
        }
    }
    lanes.iter().sum()
}

/// The logistic function.
#[must_use]
pub fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

impl Net {
    /// A net with small random weights.
    #[must_use]
    pub fn new(shape: Shape, rng: &mut Rng) -> Self {
        let mut random = |n: usize, scale: f32| -> Vec<f32> {
            (0..n).map(|_| (rng.random::<f32>() * 2.0 - 1.0) * scale).collect()
        };
        Self {
            shape,
            features: random(shape.inputs * shape.first, 0.1),
            first_bias: vec![0.2; shape.first],
            second: random(shape.first * shape.second, (3.0 / shape.first as f32).sqrt()),
            second_bias: vec![0.2; shape.second],
            output: random(shape.second, (3.0 / shape.second as f32).sqrt()),
            output_bias: 0.0,
        }
    }

    /// The sizes.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The weights of a feature.
    fn row(&self, feature: u16) -> &[f32] {
        let start = usize::from(feature) * self.shape.first;
        &self.features[start..start + self.shape.first]
    }

    /// The log-odds that the net gives for these features; the units are kept in `units`.
    pub fn logit(&self, features: &[u16], units: &mut Units) -> f32 {
        units.sums.clear();
        units.sums.extend_from_slice(&self.first_bias);
        for &feature in features {
            add_scaled(&mut units.sums, self.row(feature), 1.0);
        }
        self.finish(units)
    }

    /// The same for `features` when `units` was filled for `before`: only what differs is added and taken
    /// away.
    pub fn logit_after(&self, before: &[u16], features: &[u16], units: &mut Units) -> f32 {
        differences(before, features, |feature, sign| {
            add_scaled(&mut units.sums, self.row(feature), f32::from(sign));
        });
        self.finish(units)
    }

    fn finish(&self, units: &mut Units) -> f32 {
        let Shape { second, .. } = self.shape;
        units.first.clear();
        units.first.extend(units.sums.iter().map(|sum| sum.clamp(0.0, CEILING)));
        units.second_sums.clear();
        units.second_sums.extend_from_slice(&self.second_bias);
        for (&unit, row) in units.first.iter().zip(self.second.chunks_exact(second)) {
            if unit > 0.0 {
                add_scaled(&mut units.second_sums, row, unit);
            }
        }
        units.second.clear();
        units.second.extend(units.second_sums.iter().map(|sum| sum.clamp(0.0, CEILING)));
        self.output_bias + dot(&units.second, &self.output)
    }
}

/// Calls `change(feature, ±1)` for features that lead from one list to the other: +1 for those to be added. Where
/// lists differ in a few places only, these are exchanged one for one; otherwise they are merged, which is quick where
/// both are ascending. Either way is exact for lists in any order.
pub(super) fn differences(before: &[u16], after: &[u16], mut change: impl FnMut(u16, i8)) {
    let places = before.len().min(after.len());
    let other = before.iter().zip(after).map(|(a, b)| u16::from(a != b)).sum::<u16>();
    if 3 * usize::from(other) <= places {
        for (&a, &b) in before.iter().zip(after).filter(|(a, b)| a != b) {
            change(a, -1);
            change(b, 1);
        }
        before[places..].iter().for_each(|&a| change(a, -1));
        after[places..].iter().for_each(|&b| change(b, 1));
        return;
    }
    let (mut i, mut j) = (0, 0);
    loop {
        match (before.get(i), after.get(j)) {
            (Some(a), Some(b)) if a == b => (i, j) = (i + 1, j + 1),
            (Some(&a), b) if b.is_none_or(|&b| a < b) => {
                change(a, -1);
                i += 1;
            }
            (_, Some(&b)) => {
                change(b, 1);
                j += 1;
            }
            _ => break,
        }
    }
}

/// Learns by gradient descent with a step size for each weight (Adam, Kingma and Ba 2015, without the
/// correction of the start; rows of features that do not occur rest).
///
/// What is learnt is a row for each feature and for each of those that they share
/// ([`super::Features::shared`]); the net's row of a feature is their sum, and is added up when it is asked for.
pub struct Learner {
    net: Net,
    /// The features shared by each feature.
    shared: Vec<Vec<u16>>,
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
    back: Vec<f32>,
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
    /// and after them rows for all that is shared, which are set to nothing.
    #[must_use]
    pub fn new(mut weights: Net, shared: Vec<Vec<u16>>) -> Self {
        weights.features[shared.len() * weights.shape.first..].fill(0.0);
        let mut zero = weights.clone();
        for part in zero.parts() {
            part.fill(0.0);
        }
        let Shape { inputs, first, second } = weights.shape;
        let mut net = weights.clone();
        net.shape.inputs = shared.len();
        net.features.truncate(shared.len() * first);
        Self {
            net,
            fresh: vec![0; shared.len()],
            steps: 1,
            shared,
            gradient: zero.clone(),
            mean: zero.clone(),
            square: zero,
            touched: vec![false; inputs],
            rows: Vec::new(),
            units: Units::default(),
            back: vec![0.0; first],
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

    /// The log-odds that the net gives for these features; the units are kept in `units`.
    pub fn logit(&mut self, features: &[u16], units: &mut Units) -> f32 {
        self.refresh(features);
        let logit = self.net.logit(features, units);
        self.largest = units.sums.iter().fold(self.largest, |most, sum| most.max(sum.abs()));
        logit
    }

    /// [`Net::logit_after`], if no step was taken since `before`.
    pub fn logit_after(&mut self, before: &[u16], features: &[u16], units: &mut Units) -> f32 {
        self.refresh(features);
        let logit = self.net.logit_after(before, features, units);
        self.largest = units.sums.iter().fold(self.largest, |most, sum| most.max(sum.abs()));
        logit
    }

    /// Adds the gradient of the log-likelihood of `target` (0 to 1) at these features.
    pub fn add(&mut self, features: &[u16], target: f32) {
        self.refresh(features);
        let error = target - logistic(self.net.logit(features, &mut self.units));
        let Shape { first, second, .. } = self.net.shape;
        let (units, gradient) = (&self.units, &mut self.gradient);
        gradient.output_bias += error;
        add_scaled(&mut gradient.output, &units.second, error);
        for j in 0..second {
            // Beyond the ends of its range a unit passes on a hundredth, so that none is lost for good.
            let open = if (0.0..=CEILING).contains(&units.second_sums[j]) { 1.0 } else { 0.01 };
            self.back_second[j] = error * self.net.output[j] * open;
        }
        add_scaled(&mut gradient.second_bias, &self.back_second, 1.0);
        for i in 0..first {
            let row = i * second..(i + 1) * second;
            if units.first[i] > 0.0 {
                add_scaled(&mut gradient.second[row.clone()], &self.back_second, units.first[i]);
            }
            let open = if (0.0..=CEILING).contains(&units.sums[i]) { 1.0 } else { 0.01 };
            self.back[i] = dot(&self.net.second[row], &self.back_second) * open;
        }
        add_scaled(&mut gradient.first_bias, &self.back, 1.0);
        for &feature in features {
            let start = usize::from(feature) * first;
            add_scaled(&mut gradient.features[start..start + first], &self.back, 1.0);
            touch(feature, &mut self.touched, &mut self.rows);
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
}

fn touch(feature: u16, touched: &mut [bool], rows: &mut Vec<u16>) {
    if !std::mem::replace(&mut touched[usize::from(feature)], true) {
        rows.push(feature);
    }
}

impl Learner {
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

impl Net {
    fn all(&self) -> impl Iterator<Item = f32> {
        let parts = [&self.features, &self.first_bias, &self.second, &self.second_bias, &self.output];
        parts.into_iter().flatten().copied().chain([self.output_bias])
    }

    /// All weights, those of the features first.
    pub(super) fn parts(&mut self) -> [&mut [f32]; 6] {
        [
            &mut self.features,
            &mut self.first_bias,
            &mut self.second,
            &mut self.second_bias,
            &mut self.output,
            std::slice::from_mut(&mut self.output_bias),
        ]
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
