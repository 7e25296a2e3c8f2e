//! The layers of a net, in floating point.

use crate::rng::Rng;
use rand::RngExt as _;

/// The sizes of a net.
#[derive(Copy, Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Features.
    pub inputs: usize,
    /// Units of the first hidden layer, a multiple of 16.
    pub first: usize,
    /// Units of the second hidden layer, a multiple of 8.
    pub second: usize,
    /// The groups of features.
    #[serde(default, skip_serializing_if = "Groups::is_none")]
    pub groups: Groups,
    /// The number of heads: second layers and outputs for kinds of positions that share the first layer.
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

/// The lengths of the groups of a list of features, up to the first 0; the rest is one more group. Every group
/// goes through the first layer by itself, by the same weights, and the units are added. So features of a group
/// interact before the groups do.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Groups(pub [u8; 8]);

impl Groups {
    /// Whether the whole list is one group.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.0[0] == 0
    }

    /// The groups of a list.
    #[inline]
    pub(crate) fn of(self, features: &[u16]) -> impl Iterator<Item = &[u16]> {
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

/// A net over sparse features: two hidden layers of clamped units, and a logistic output.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    pub(crate) shape: Shape,
    /// A row of `first` weights for each feature.
    pub(crate) features: Vec<f32>,
    pub(crate) first_bias: Vec<f32>,
    /// A row of `second` weights for each unit of the first layer, for one head after the other.
    pub(crate) second: Vec<f32>,
    pub(crate) second_bias: Vec<f32>,
    pub(crate) output: Vec<f32>,
    /// One for each head.
    pub(crate) output_bias: Vec<f32>,
}

/// The activations of a net for one list of features.
#[derive(Clone, Debug, Default)]
pub struct Units {
    /// The sums of the first layer, of one group after the other.
    pub(super) sums: Vec<f32>,
    /// The units of all groups added up.
    pub(super) first: Vec<f32>,
    pub(super) second_sums: Vec<f32>,
    pub(super) second: Vec<f32>,
}

/// The ceiling of a unit.
pub(super) const CEILING: f32 = 8.0;

/// Lanes: so many numbers side by side, which the compiler handles at once.
const LANES: usize = 8;

pub(super) fn add_scaled(to: &mut [f32], row: &[f32], scale: f32) {
    for (sum, weight) in to.iter_mut().zip(row) {
        *sum += scale * weight;
    }
}

pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
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

    /// The log-odds of a head for these features. The activations are kept in `units`.
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

    /// The log-odds for `features` when `units` was filled for `before`: only differences are added and
    /// subtracted.
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

    /// The part of a group in the sums of the second layer of a head. Returns the largest first-layer sum in
    /// size; `sums` is scratch space.
    pub(super) fn part(&self, head: usize, group: &[u16], sums: &mut Vec<f32>, part: &mut [f32]) -> f32 {
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
    pub(super) fn output(&self, head: usize, units: &mut Units) -> f32 {
        let Shape { second, .. } = self.shape;
        units.second.clear();
        units.second.extend(units.second_sums.iter().map(|sum| sum.clamp(0.0, CEILING)));
        self.output_bias[head] + dot(&units.second, &self.output[head * second..][..second])
    }

    pub(super) fn all(&self) -> impl Iterator<Item = f32> {
        let second = [&self.second, &self.second_bias, &self.output, &self.output_bias];
        [&self.features, &self.first_bias].into_iter().chain(second).flatten().copied()
    }

    /// All weights, those of the features first.
    pub fn parts(&mut self) -> [&mut [f32]; 6] {
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

/// Calls `change(feature, ±1)` for the features that turn one list into the other. Lists that differ in few
/// places are compared place by place. Others are merged, which is quick where both are ascending. Both ways
/// are exact in any order.
pub(crate) fn differences(before: &[u16], after: &[u16], mut change: impl FnMut(u16, i8)) {
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
