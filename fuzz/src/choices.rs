//! Choices: what a target decides, read from the bytes of an input.
//!
//! A fuzzer changes bytes and sees what that covers, so every decision of a target comes from them. Behind the last byte a generator
//! seeded by all of them goes on. So short inputs make long games, and equal inputs equal ones.

use fnv::FnvHasher;
use knave_agents::Rng;
use knave_agents::rng::below;
use rand::SeedableRng as _;
use std::hash::Hasher as _;

/// The decisions that an input makes.
pub struct Choices<'a> {
    bytes: &'a [u8],
    rest: Rng,
}

impl<'a> Choices<'a> {
    /// The decisions of these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        // All that matters is that other bytes give another number.
        let mut hash = FnvHasher::default();
        hash.write(bytes);
        Self { bytes, rest: Rng::seed_from_u64(hash.finish()) }
    }

    /// A byte.
    pub fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((&byte, rest)) => {
                self.bytes = rest;
                byte
            }
            None => below(&mut self.rest, 256) as u8,
        }
    }

    /// A number below `n`, which is at least 1 and at most 2³². As few bytes are read as hold it.
    pub fn below(&mut self, n: usize) -> usize {
        let bytes = (n - 1).checked_ilog2().map_or(0, |bit| bit / 8 + 1);
        (0..bytes).fold(0, |number, _| number << 8 | usize::from(self.byte())) % n
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// One of these.
    ///
    /// # Panics
    /// When there are none.
    pub fn pick<'b, T>(&mut self, list: &'b [T]) -> &'b T {
        &list[self.below(list.len())]
    }

    /// A generator for what takes one.
    pub fn rng(&mut self) -> Rng {
        let seed = (0..8).fold(0, |seed, _| seed << 8 | u64::from(self.byte()));
        Rng::seed_from_u64(seed)
    }
}
