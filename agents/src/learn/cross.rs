//! Crosses of features: one for each combination of a few small numbers.

/// A feature cross: one feature for each combination of `N` numbers.
pub struct Cross<const N: usize> {
    first: u16,
    sizes: [u16; N],
}

impl<const N: usize> Cross<N> {
    /// The cross of numbers below these sizes, with this first feature.
    #[must_use]
    pub const fn new(first: u16, sizes: [u16; N]) -> Self {
        Self { first, sizes }
    }

    /// The first feature.
    #[must_use]
    pub const fn first(&self) -> u16 {
        self.first
    }

    /// The feature after the last.
    #[must_use]
    pub const fn end(&self) -> u16 {
        let (mut rows, mut i) = (1, 0);
        while i < N {
            rows *= self.sizes[i];
            i += 1;
        }
        self.first + rows
    }

    /// The feature for these numbers, each below its size.
    #[inline]
    #[must_use]
    pub fn at(&self, numbers: [u16; N]) -> u16 {
        self.first + numbers.iter().zip(self.sizes).fold(0, |at, (number, size)| at * size + number)
    }

    /// The numbers of a feature of this cross; `None` for another.
    #[must_use]
    pub fn numbers(&self, feature: u16) -> Option<[u16; N]> {
        let mut rest = feature.checked_sub(self.first).filter(|_| feature < self.end())?;
        let mut numbers = [0; N];
        for (number, size) in numbers.iter_mut().zip(self.sizes).rev() {
            (*number, rest) = (rest % size, rest / size);
        }
        Some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each combination has a feature of its own, in a row from the first, and tells its numbers.
    #[test]
    fn crosses_are_numbered_through() {
        const AFTER: Cross<1> = Cross::new(5, [2]);
        const BOTH: Cross<3> = Cross::new(AFTER.end(), [2, 3, 4]);
        let mut feature = BOTH.first();
        for a in 0..2 {
            for b in 0..3 {
                for c in 0..4 {
                    assert_eq!(BOTH.at([a, b, c]), feature);
                    assert_eq!(BOTH.numbers(feature), Some([a, b, c]));
                    feature += 1;
                }
            }
        }
        assert_eq!((BOTH.first(), feature), (7, BOTH.end()));
        assert_eq!((BOTH.numbers(6), BOTH.numbers(feature)), (None, None));
    }
}
