//! The net in floating point, and how it learns.

use super::group_cache::GroupCache;
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
    /// How the features fall into groups.
    #[serde(default, skip_serializing_if = "Groups::is_none")]
    pub groups: Groups,
    /// How many second layers and outputs there are, for kinds of positions that share the first layer.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub heads: usize,
}

fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_one(heads: &usize) -> bool {
    *heads == 1
}

/// The lengths of the groups into which a list of features falls, up to the first 0; all that follows is one more. Every group
/// goes through the first layer by itself, all by the same weights, and the units are added up: what comes
/// together within a group is seen before the groups are.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Groups(pub [u8; 8]);

impl Groups {
    /// Whether there are none but the last.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.0[0] == 0
    }

    /// The groups of a list.
    #[inline]
    pub(super) fn of(self, features: &[u16]) -> impl Iterator<Item = &[u16]> {
        let mut rest = Some(features);
        self.0.into_iter().chain([0]).map_while(move |len| {
            let all = rest.take()?;
            if len == 0 {
                return Some(all);
            }
            let (group, others) = all.split_at(usize::from(len));
            rest = Some(others);
            Some(group)
        })
    }
}

/// A net over sparse features: two hidden layers of units that are cut off at 0 and 1, and a logistic
/// output.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    pub(super) shape: Shape,
    /// A row of `first` weights for each feature.
    pub(super) features: Vec<f32>,
    pub(super) first_bias: Vec<f32>,
    /// A row of `second` weights for each unit of the first layer, for one head after the other.
    pub(super) second: Vec<f32>,
    pub(super) second_bias: Vec<f32>,
    pub(super) output: Vec<f32>,
    /// One for each head.
    pub(super) output_bias: Vec<f32>,
}

/// The units of a net for one list of features.
#[derive(Clone, Debug, Default)]
pub struct Units {
    /// The sums of the first layer, of one group after the other.
    sums: Vec<f32>,
    /// The units of all groups added up.
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
        let Shape { inputs, first, second, heads, .. } = shape;
        Self {
            shape,
            features: random(inputs * first, 0.1),
            first_bias: vec![0.2; first],
            second: random(heads * first * second, (3.0 / first as f32).sqrt()),
            second_bias: vec![0.2; heads * second],
            output: random(heads * second, (3.0 / second as f32).sqrt()),
            output_bias: vec![0.0; heads],
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

    /// The log-odds that this head gives for these features; the units are kept in `units`.
    ///
    /// # Panics
    /// If there is no such head or feature.
    pub fn logit(&self, head: usize, features: &[u16], units: &mut Units) -> f32 {
        units.sums.clear();
        for group in self.shape.groups.of(features) {
            let start = units.sums.len();
            units.sums.extend_from_slice(&self.first_bias);
            for &feature in group {
                add_scaled(&mut units.sums[start..], self.row(feature), 1.0);
            }
        }
        self.finish(head, units)
    }

    /// The same for `features` when `units` was filled for `before`: only what differs is added and taken
    /// away.
    ///
    /// # Panics
    /// If there is no such head or feature.
    pub fn logit_after(&self, head: usize, before: &[u16], features: &[u16], units: &mut Units) -> f32 {
        let Shape { first, groups, .. } = self.shape;
        let pairs = groups.of(before).zip(groups.of(features));
        for ((before, after), sums) in pairs.zip(units.sums.chunks_exact_mut(first)) {
            differences(before, after, |feature, sign| {
                add_scaled(sums, self.row(feature), f32::from(sign));
            });
        }
        self.finish(head, units)
    }

    /// What a group of features adds to the sums of the second layer of a head. The largest of the sums of the first layer,
    /// without its sign, is given back, and `sums` is scratch space.
    fn part(&self, head: usize, group: &[u16], sums: &mut Vec<f32>, part: &mut [f32]) -> f32 {
        let Shape { first, second, .. } = self.shape;
        sums.clone_from(&self.first_bias);
        group.iter().for_each(|&feature| add_scaled(sums, self.row(feature), 1.0));
        part.fill(0.0);
        for (sum, row) in sums.iter().zip(self.second[head * first * second..].chunks_exact(second)) {
            add_scaled(part, row, sum.clamp(0.0, CEILING));
        }
        sums.iter().fold(0.0, |most: f32, sum| most.max(sum.abs()))
    }

    fn finish(&self, head: usize, units: &mut Units) -> f32 {
        let Shape { first, second, .. } = self.shape;
        units.first.clear();
        units.first.resize(first, 0.0);
        for sums in units.sums.chunks_exact(first) {
            units.first.iter_mut().zip(sums).for_each(|(unit, sum)| *unit += sum.clamp(0.0, CEILING));
        }
        units.second_sums.clear();
        units.second_sums.extend_from_slice(&self.second_bias[head * second..][..second]);
        let rows = self.second[head * first * second..].chunks_exact(second);
        for (&unit, row) in units.first.iter().zip(rows) {
            if unit > 0.0 {
                add_scaled(&mut units.second_sums, row, unit);
            }
        }
        self.output(head, units)
    }

    /// The log-odds for the sums of the second layer.
    fn output(&self, head: usize, units: &mut Units) -> f32 {
        let Shape { second, .. } = self.shape;
        units.second.clear();
        units.second.extend(units.second_sums.iter().map(|sum| sum.clamp(0.0, CEILING)));
        self.output_bias[head] + dot(&units.second, &self.output[head * second..][..second])
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
        let second = [&self.second, &self.second_bias, &self.output, &self.output_bias];
        [&self.features, &self.first_bias].into_iter().chain(second).flatten().copied()
    }

    /// All weights, those of the features first.
    pub(super) fn parts(&mut self) -> [&mut [f32]; 6] {
        [
            &mut self.features,
            &mut self.first_bias,
            &mut self.second,
            &mut self.second_bias,
            &mut self.output,
            &mut self.output_bias,
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
