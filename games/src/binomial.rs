//! Binomial coefficients, as tables of the size that a game needs.

/// Pascal's triangle: the number of ways to choose `k` of `n` things, at `[n][k]`.
pub const fn triangle<const K: usize, const N: usize>() -> [[u64; K]; N] {
    let (mut table, mut n) = ([[0; K]; N], 0);
    while n < N {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k < K {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}
