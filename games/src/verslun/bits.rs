//! Sets of cards and of places, as the bits of a number.

/// The places of the bits that are set, ascending, up to the first that is not below `END`. The bound saves checks of indices.
#[inline]
pub fn ones<const END: usize>(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (place < END).then_some(place)
    })
}

/// Calls `f` with every subset of `size` of the set's bits.
pub fn subsets(bits: u64, size: usize, f: &mut impl FnMut(u64)) {
    fn go(left: u64, size: u32, taken: u64, f: &mut impl FnMut(u64)) {
        if size == 0 {
            return f(taken);
        }
        let mut left = left;
        while left.count_ones() >= size {
            let lowest = left & left.wrapping_neg();
            left ^= lowest;
            go(left, size - 1, taken | lowest, f);
        }
    }
    go(bits, size as u32, 0, f);
}
