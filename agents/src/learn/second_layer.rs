//! The second layer of a model, laid out for speed.
//!
//! One instruction multiplies a pair of units of the first layer by its weights to four units of the second. So these units are
//! summed side by side, and nothing is added across.

use std::ops::Range;
use wide::{i16x8, i32x4};

/// The units of the second layer that one number of a [`Block`] holds.
const LANES: usize = 4;

/// The second layers of all heads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecondLayer(Vec<Vec<Block>>);

/// Units of the second layer that follow each other. For every pair of units of the first layer, from this one on, it has the weights
/// to each of them.
#[derive(Clone, Debug, PartialEq)]
struct Block {
    from: usize,
    weights: Weights,
}

/// Weights to 32, 16 or 8 units.
#[derive(Clone, Debug, PartialEq)]
enum Weights {
    To32(Vec<[i16x8; 8]>),
    To16(Vec<[i16x8; 4]>),
    To8(Vec<[i16x8; 2]>),
}

impl SecondLayer {
    /// The layers of these weights, for one head after the other; each has so many rows, a multiple of 8, of an even number of weights.
    pub fn new(weights: &[i16], units: usize, rows: usize) -> Self {
        let rows_of = |head: &[i16]| head.chunks_exact(units).map(<[i16]>::to_vec).collect::<Vec<_>>();
        Self(weights.chunks_exact(units * rows).map(|head| blocks(&rows_of(head))).collect())
    }

    /// The sums of a head for these units of the first layer.
    #[inline]
    pub fn sums(&self, head: usize, units: &[i16], mut sums: &mut [i32]) {
        for Block { from, weights } in &self.0[head] {
            let units = &units[*from..];
            sums = match weights {
                Weights::To32(weights) => multiply(units, weights, sums),
                Weights::To16(weights) => multiply(units, weights, sums),
                Weights::To8(weights) => multiply(units, weights, sums),
            };
        }
    }
}

/// The part of these rows beyond which all of them are 0, in whole pairs.
fn span(rows: &[Vec<i16>]) -> Range<usize> {
    let any = |i: &usize| rows.iter().any(|row| row[*i] != 0);
    let units = 0..rows.first().map_or(0, Vec::len);
    let from = units.clone().find(any).unwrap_or(0);
    let upto = units.rev().find(any).map_or(from, |last| last + 1);
    from / 2 * 2..upto.next_multiple_of(2)
}

/// The blocks of these rows: large ones are quicker, unless rows that lie side by side have weights in different parts.
fn blocks(mut rows: &[Vec<i16>]) -> Vec<Block> {
    let mut blocks = Vec::new();
    while !rows.is_empty() {
        let alike = |many: &usize| {
            let (all, eight) = (rows.get(..*many), rows.get(..8).unwrap_or(rows));
            all.is_some_and(|all| span(all) == span(eight))
        };
        let many = [32, 16].into_iter().find(alike).unwrap_or(8);
        let (block, rest) = rows.split_at(many);
        let span = span(block);
        let weights = match many {
            32 => Weights::To32(interleaved(block, span.clone())),
            16 => Weights::To16(interleaved(block, span.clone())),
            _ => Weights::To8(interleaved(block, span.clone())),
        };
        blocks.push(Block { from: span.start, weights });
        rows = rest;
    }
    blocks
}

/// The weights of pair after pair: those of both units to the first row, to the second and so on.
fn interleaved<const N: usize>(rows: &[Vec<i16>], span: Range<usize>) -> Vec<[i16x8; N]> {
    let weights = |pair: usize, number: usize| {
        i16x8::new(std::array::from_fn(|i| rows[LANES * number + i / 2][pair + i % 2]))
    };
    span.step_by(2).map(|pair| std::array::from_fn(|number| weights(pair, number))).collect()
}

/// Works out the sums of a block; returns those of the next.
#[inline]
fn multiply<'a, const N: usize>(units: &[i16], weights: &[[i16x8; N]], sums: &'a mut [i32]) -> &'a mut [i32] {
    let mut numbers = [i32x4::ZERO; N];
    for (&[a, b], weights) in units.as_chunks::<2>().0.iter().zip(weights) {
        let pair = i16x8::new([a, b, a, b, a, b, a, b]);
        for (sum, &weights) in numbers.iter_mut().zip(weights) {
            *sum += pair.dot(weights);
        }
    }
    let (own, rest) = sums.split_at_mut(LANES * N);
    for (to, number) in own.as_chunks_mut::<LANES>().0.iter_mut().zip(numbers) {
        *to = number.to_array();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Role, below, stream};

    /// Sums are those of the definition, whatever the number of rows and wherever weights are 0, in every head, at the ends of the
    /// range too.
    #[test]
    fn sums_are_those_of_the_rows() {
        let mut rng = stream(1, 6, Role::Chance);
        for rows in (8..=104).step_by(8) {
            let (units, heads) = (16 * (1 + below(&mut rng, 6) as usize), 1 + below(&mut rng, 3) as usize);
            // Rows of models that were joined have their weights in different parts.
            let (cut, width) = (8 * below(&mut rng, rows as u32 / 8 + 1) as usize, units / 2);
            let mut weights = vec![0; heads * rows * units];
            for (place, weight) in weights.iter_mut().enumerate() {
                let (row, unit) = (place / units % rows, place % units);
                if below(&mut rng, 4) > 0 && (unit < width) == (row < cut) {
                    *weight = [i16::MIN, i16::MAX, 1, -7][below(&mut rng, 4) as usize];
                }
            }
            let layer = SecondLayer::new(&weights, units, rows);
            let inputs: Vec<i16> = (0..units).map(|_| [0, 1, 2048][below(&mut rng, 3) as usize]).collect();
            for head in 0..heads {
                let mut sums = vec![1; rows];
                layer.sums(head, &inputs, &mut sums);
                let head = &weights[head * rows * units..][..rows * units];
                let right = head.chunks_exact(units).map(|row| {
                    row.iter()
                        .zip(&inputs)
                        .map(|(weight, unit)| i32::from(*weight) * i32::from(*unit))
                        .sum::<i32>()
                });
                assert!(sums.iter().copied().eq(right), "{rows} rows of {units} units");
            }
        }
    }
}
