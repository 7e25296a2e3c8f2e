//! Sets of cards and of places as the bits of a number.

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
