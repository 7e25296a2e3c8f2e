//! Models: trained nets in whole numbers, in a file that says what each was trained for.

use super::features::Features;
use super::header::{Header, SCHEMA, fnv1a};
use super::model_error::{ModelError, other};
use super::second_layer::SecondLayer;
use crate::evaluator::ModelId;
use crate::net::{Net, Shape};
use crate::training::Method;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _};
use std::path::Path;

/// Weights and units of the second layer count in 256ths, those of the first in the header's unit.
const UNIT: i32 = 256;
/// Weights of the output count in 4096ths.
const OUTPUT_UNIT: i32 = 4096;
/// The ceiling of a unit.
const CEILING: i32 = 8;

/// A trained net.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The header: what it was trained for.
    pub header: Header,
    /// Which model it is.
    pub id: ModelId,
    /// Rows of `first` weights by feature.
    features: Vec<i16>,
    pub(super) first_bias: Vec<i16>,
    /// Rows of `first` weights by unit of the second layer, for one head after the other …
    second: Vec<i16>,
    /// … and the same as they are multiplied.
    second_layer: SecondLayer,
    pub(super) second_bias: Vec<i32>,
    output: Vec<i32>,
    output_bias: Vec<i32>,
}

fn rounded<T: TryFrom<i64>>(weight: f32, unit: i32) -> Result<T, ModelError> {
    let scaled = (f64::from(weight) * f64::from(unit)).round();
    let whole = if scaled.is_nan() { None } else { T::try_from(scaled as i64).ok() };
    whole.ok_or_else(|| ModelError::Range(weight.to_string()))
}

impl Model {
    /// What lists tell of it: name and checksum, what it has learnt and from how many games, the results of its nets on held-out games, its
    /// sizes, the rules that it serves, and the cards of these games where they were not all of the game's.
    #[must_use]
    pub fn described(&self) -> Value {
        let Shape { inputs, first, second, .. } = self.header.shape;
        let mut described = json!({
            "name": self.id.name,
            "fnv1a": self.id.fnv1a,
            "method": self.header.method(),
            "inputs": inputs,
            "first": first,
            "second": second,
            "games": self.header.games(),
            "held_out": self.header.nets().iter().map(|net| &net["held_out"]).collect::<Vec<_>>(),
            "rules": self.header.spreads(),
        });
        if !self.id.cards.is_empty() {
            described["cards"] = json!(self.id.cards);
        }
        described
    }

    /// Rounds a net whose first layer has sums of at most `largest` in size.
    ///
    /// # Errors
    /// When a weight or a sum does not fit.
    pub fn new(mut header: Header, net: &Net, largest: f32) -> Result<Self, ModelError> {
        // This leaves as much again for sums that did not occur. Large weights may cancel each other out in all sums.
        let weights = net.features.iter().chain(&net.first_bias);
        let heaviest = weights.fold(2.0 * largest, |most, weight| most.max(weight.abs()));
        let fits = |unit: &u16| heaviest * f32::from(*unit) < f32::from(i16::MAX);
        let unit = [256, 128, 64, 32, 16, 8, 4].into_iter().find(fits);
        header.unit = unit.ok_or_else(|| ModelError::FirstLayer(heaviest.to_string()))?;
        let unit = i32::from(header.unit);
        let small = |weights: &[f32], unit: i32| -> Result<Vec<i16>, ModelError> {
            weights.iter().map(|&w| rounded(w, unit)).collect()
        };
        let large = |weights: &[f32], unit: i32| -> Result<Vec<i32>, ModelError> {
            weights.iter().map(|&w| rounded(w, unit)).collect()
        };
        let Shape { first, second, .. } = net.shape;
        let most = f32::from(i16::MAX) / UNIT as f32;
        let clipped: Vec<f32> = net.second.iter().map(|weight| weight.clamp(-most, most)).collect();
        let mut model = Self {
            header,
            id: ModelId::default(),
            features: small(&net.features, unit)?,
            first_bias: small(&net.first_bias, unit)?,
            // Weights beyond 16 bits are cut. All but the smallest inputs reach the floor or the ceiling of a unit with less, too.
            second: small(&across(&clipped, first, second), UNIT)?,
            second_layer: SecondLayer::default(),
            second_bias: large(&net.second_bias, unit * UNIT)?,
            output: large(&net.output, OUTPUT_UNIT)?,
            output_bias: large(&net.output_bias, UNIT * OUTPUT_UNIT)?,
        };
        model.settle()?;
        model.seal();
        Ok(model)
    }

    /// The mean of the log-odds of several models, as one. They were trained for the same rules on the same features.
    ///
    /// # Errors
    /// Names what they do not have in common.
    pub fn mean(models: &[Self]) -> Result<Self, ModelError> {
        let [first, rest @ ..] = models else {
            return Err(ModelError::Empty);
        };
        if models.iter().any(|model| model.header.is_mean()) {
            return Err(ModelError::Nested);
        }
        let mut header = first.header.clone();
        for model in rest {
            header.join(&model.header)?;
        }
        header.unit = models.iter().map(|model| model.header.unit).min().unwrap_or(header.unit);
        header.training =
            json!({ "mean_of": models.iter().map(|model| &model.header.training).collect::<Vec<_>>() });
        let Shape { inputs, first: units, second, heads, .. } = header.shape;
        let mut mean = Self {
            id: ModelId::default(),
            features: Vec::with_capacity(inputs * units),
            first_bias: Vec::with_capacity(units),
            second: Vec::with_capacity(heads * units * second),
            second_layer: SecondLayer::default(),
            second_bias: Vec::with_capacity(heads * second),
            output: Vec::with_capacity(heads * second),
            output_bias: vec![0; heads],
            header,
        };
        let unit = mean.header.unit;
        let scaled = |model: &Self, weight: i16| {
            let parts = f32::from(model.header.unit / unit);
            (f32::from(weight) / parts).round() as i16
        };
        for feature in 0..inputs {
            for model in models {
                let first = model.header.shape.first;
                let row = model.features[feature * first..][..first].iter();
                mean.features.extend(row.map(|&weight| scaled(model, weight)));
            }
        }
        for model in models {
            mean.first_bias.extend(model.first_bias.iter().map(|&weight| scaled(model, weight)));
        }
        for head in 0..heads {
            // Every unit of the second layer sees the units of its own model alone.
            let mut before = 0;
            for model in models {
                let Shape { first, second, .. } = model.header.shape;
                let parts = f64::from(model.header.unit / unit);
                for row in model.second(head) {
                    mean.second.extend(std::iter::repeat_n(0, before));
                    mean.second.extend(row);
                    mean.second.extend(std::iter::repeat_n(0, units - before - first));
                }
                let own = head * second..(head + 1) * second;
                let biases = model.second_bias[own.clone()].iter();
                mean.second_bias.extend(biases.map(|&bias| (f64::from(bias) / parts).round() as i32));
                let share = |weight: i32| (f64::from(weight) / models.len() as f64).round() as i32;
                mean.output.extend(model.output[own].iter().map(|&weight| share(weight)));
                let bias = &mut mean.output_bias[head];
                *bias = bias.saturating_add(share(model.output_bias[head]));
                before += first;
            }
        }
        mean.settle()?;
        mean.seal();
        Ok(mean)
    }

    /// The same model under the name of its file.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.id.name);
        self
    }

    /// The net, with its rounded weights.
    #[must_use]
    pub fn net(&self) -> Net {
        let unit = i32::from(self.header.unit);
        let scaled = |weights: &[i16], unit: i32| {
            weights.iter().map(|&w| f32::from(w) / unit as f32).collect::<Vec<_>>()
        };
        let wide = |weights: &[i32], unit: i32| weights.iter().map(|&w| w as f32 / unit as f32).collect();
        let Shape { first, second, .. } = self.header.shape;
        Net {
            shape: self.header.shape,
            features: scaled(&self.features, unit),
            first_bias: scaled(&self.first_bias, unit),
            second: across(&scaled(&self.second, UNIT), second, first),
            second_bias: wide(&self.second_bias, unit * UNIT),
            output: wide(&self.output, OUTPUT_UNIT),
            output_bias: wide(&self.output_bias, UNIT * OUTPUT_UNIT),
        }
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&self.header).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend(self.weights());
        bytes
    }

    fn weights(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for weight in self.features.iter().chain(&self.first_bias).chain(&self.second) {
            bytes.extend(weight.to_le_bytes());
        }
        for weight in self.second_bias.iter().chain(&self.output).chain(&self.output_bias) {
            bytes.extend(weight.to_le_bytes());
        }
        bytes
    }

    /// Reads a file, by whose name the model goes. Its first line comes first: another file may be endless, or too large for the memory.
    ///
    /// # Errors
    /// When it cannot be read, or is no plain file; inside, when it is no model file of this version.
    pub fn read(path: &Path) -> io::Result<Result<Self, ModelError>> {
        /// Headers of a hundred trainings in a row are far shorter.
        const LONGEST_LINE: u64 = 1 << 24;
        if !path.metadata()?.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is no plain file"));
        }
        let mut file = BufReader::new(File::open(path)?);
        let mut bytes = Vec::new();
        file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if let Err(error) = Header::read(&bytes) {
            return Ok(Err(error));
        }
        file.read_to_end(&mut bytes)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self::from_bytes(&bytes).map(|model| model.named(&name)))
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// When it is no model file of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let end = bytes.iter().position(|&b| b == b'\n').unwrap_or(bytes.len());
        let header = Header::read(&bytes[..end])?;
        if !header.unit.is_power_of_two() || header.unit > 256 {
            return Err(other("unit", &header.unit, &"a power of two up to 256"));
        }
        if header.spreads().is_empty() {
            return Err(other("rules", &header.rules, &"one set of them at least"));
        }
        let Shape { inputs, first, second, heads, .. } = header.shape;
        // Without heads a second layer of any size would need no bytes.
        if heads == 0 {
            return Err(other("heads", &heads, &"one at least"));
        }
        if first == 0 || first % 16 != 0 || second == 0 || second % 8 != 0 {
            let found = format!("{first} and {second} units");
            return Err(other("hidden layers of", &found, &"a multiple of 16 and one of 8"));
        }
        // No file is as long as a product that does not fit.
        let product =
            |sizes: &[usize]| sizes.iter().fold(1, |product: usize, &size| product.saturating_mul(size));
        let small = [product(&[inputs, first]), first, product(&[heads, first, second])];
        let large = [product(&[heads, second]), product(&[heads, second]), heads];
        let sum = |sizes: &[usize]| sizes.iter().fold(0, |sum: usize, &size| sum.saturating_add(size));
        let expected = sum(&small).saturating_mul(2).saturating_add(sum(&large).saturating_mul(4));
        let weights = bytes.get(end + 1..).unwrap_or_default();
        if weights.len() != expected {
            return Err(ModelError::Length { found: weights.len(), expected });
        }
        if !header.agrees(&bytes[..end], &bytes[end..]) {
            return Err(ModelError::Changed);
        }
        let mut rest = weights;
        let mut take = |bytes: usize| {
            let (part, left) = rest.split_at(bytes);
            rest = left;
            part
        };
        let [features, first_bias, second_weights] = small.map(|n| {
            take(2 * n).chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect::<Vec<_>>()
        });
        let [second_bias, output, output_bias] = large.map(|n| {
            take(4 * n)
                .chunks_exact(4)
                .map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                .collect::<Vec<_>>()
        });
        let id = ModelId { fnv1a: fnv1a(&[bytes]), ..ModelId::default() };
        let mut model = Self {
            header,
            id,
            features,
            first_bias,
            second: second_weights,
            second_layer: SecondLayer::default(),
            second_bias,
            output,
            output_bias,
        };
        model.settle()?;
        Ok(model)
    }

    /// Tells the form of the file, its checksum and which model it is.
    fn seal(&mut self) {
        self.header.schema = SCHEMA;
        self.header.fnv1a = None;
        self.header.fnv1a = Some(fnv1a(&[&self.to_bytes()]));
        self.id.fnv1a = fnv1a(&[&self.to_bytes()]);
    }

    /// Checks the weights and works out what follows from them.
    fn settle(&mut self) -> Result<(), ModelError> {
        self.check_sums()?;
        self.id.cards = self.header.cards();
        let Shape { first, second, .. } = self.header.shape;
        self.second_layer = SecondLayer::new(&self.second, first, second);
        Ok(())
    }

    /// This model, if its numbers are values of positions.
    ///
    /// # Errors
    /// When it was trained to choose.
    pub fn of_values(self) -> Result<Self, ModelError> {
        if self.header.method() == Method::Td { Ok(self) } else { Err(ModelError::Policy) }
    }

    /// Checks that no sum of the second layer or of the output can leave 32 bits, whatever the features are. Those of the first layer
    /// wrap.
    fn check_sums(&self) -> Result<(), ModelError> {
        let Shape { first, second, groups, .. } = self.header.shape;
        let groups = 1 + groups.0.into_iter().take_while(|&len| len > 0).count() as i64;
        let unit = i64::from(CEILING) * i64::from(self.header.unit);
        fn most<T: Copy + Into<i64>>(row: &[T], input: i64, bias: i32) -> i64 {
            let weights: i64 = row.iter().map(|&weight| weight.into().abs()).sum();
            input.saturating_mul(weights) + i64::from(bias).abs()
        }
        let rows = self.second.chunks_exact(first).zip(&self.second_bias);
        let rows = rows.map(|(row, bias)| most(row, groups * unit, *bias));
        let outputs = self.output.chunks_exact(second).zip(&self.output_bias);
        let outputs = outputs.map(|(row, bias)| most(row, i64::from(CEILING * UNIT), *bias));
        match rows.chain(outputs).find(|&sum| sum > i64::from(i32::MAX)) {
            Some(sum) => Err(ModelError::Sum(sum)),
            None => Ok(()),
        }
    }

    /// Checks that the model was trained for this game, these rules and these features.
    ///
    /// # Errors
    /// Names the first field that differs.
    pub fn check<G: Features>(
        &self,
        game: &str,
        rules_version: u32,
        rules: &Value,
    ) -> Result<(), ModelError> {
        self.header.check::<G>(game, rules_version, rules)
    }

    pub(super) fn row(&self, feature: u16) -> &[i16] {
        let first = self.header.shape.first;
        let start = usize::from(feature) * first;
        &self.features[start..start + first]
    }

    /// Puts the sums of these features and what they are added to in `units`.
    pub(super) fn sum_rows(&self, units: &mut Vec<i16>, sums: &[i16], features: &[u16]) {
        units.clear();
        // Not copied first and then added to, as most lists are short.
        match *features {
            [] => units.extend_from_slice(sums),
            [a] => units.extend(sums.iter().zip(self.row(a)).map(|(sum, a)| sum.wrapping_add(*a))),
            [a, b, ref rest @ ..] => {
                let rows = self.row(a).iter().zip(self.row(b));
                units.extend(sums.iter().zip(rows).map(|(sum, (a, b))| sum.wrapping_add(a.wrapping_add(*b))));
                self.add_rows(units, rest);
            }
        }
    }

    /// Adds the rows of these features to sums. Four at a time, so that the sums are written a quarter as
    /// often.
    pub(super) fn add_rows(&self, sums: &mut [i16], features: &[u16]) {
        let (fours, rest) = features.as_chunks::<4>();
        for &four in fours {
            let [a, b, c, d] = four.map(|feature| self.row(feature));
            for ((((sum, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *sum = sum.wrapping_add(a.wrapping_add(*b)).wrapping_add(c.wrapping_add(*d));
            }
        }
        rest.iter().for_each(|&feature| add(sums, self.row(feature)));
    }

    /// The weights of the second layer of a head.
    fn second(&self, head: usize) -> impl Iterator<Item = &[i16]> {
        let Shape { first, second, .. } = self.header.shape;
        self.second[head * first * second..][..first * second].chunks_exact(first)
    }

    /// The log-odds of a head, from the sums of the first layer in `units`, which are clamped there.
    pub(super) fn logit(&self, head: usize, units: &mut [i16], second: &mut Vec<i32>) -> f64 {
        let biases = &self.second_bias[head * self.header.shape.second..];
        second.resize(self.header.shape.second, 0);
        self.through(head, units, second);
        self.output(head, second.iter().zip(biases).map(|(sum, bias)| sum + bias))
    }

    /// Clamps the units of the first layer and computes their part of the second layer's sums.
    fn through(&self, head: usize, units: &mut [i16], second: &mut [i32]) {
        let ceiling = CEILING as i16 * self.header.unit as i16;
        units.iter_mut().for_each(|unit| *unit = (*unit).clamp(0, ceiling));
        self.second_layer.sums(head, units, second);
    }

    /// The log-odds of a head, from the sums of the second layer.
    #[inline]
    pub(super) fn output(&self, head: usize, sums: impl Iterator<Item = i32>) -> f64 {
        let shift = self.header.unit.trailing_zeros();
        let mut logit = self.output_bias[head];
        for (sum, weight) in sums.zip(&self.output[head * self.header.shape.second..]) {
            // A shift divides by a power of two. Below 0 the two differ, and everything there is 0.
            logit += (sum >> shift).clamp(0, CEILING * UNIT) * weight;
        }
        f64::from(logit) / f64::from(UNIT * OUTPUT_UNIT)
    }

    /// The part of a group of features in the sums of the second layer of a head.
    pub(super) fn part(&self, head: usize, group: &[u16], units: &mut Vec<i16>, part: &mut [i32]) {
        self.sum_rows(units, &self.first_bias, group);
        self.through(head, units, part);
    }
}

/// Transposes the weights of each head, which have `rows` rows.
fn across(weights: &[f32], rows: usize, columns: usize) -> Vec<f32> {
    let heads = weights.chunks_exact(rows * columns);
    heads.flat_map(|head| (0..columns).flat_map(|j| head.iter().skip(j).step_by(columns))).copied().collect()
}

/// Adds a row of weights to sums.
pub(super) fn add(sums: &mut [i16], row: &[i16]) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
}
