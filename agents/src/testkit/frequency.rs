//! Frequencies: whether counts agree with probabilities.

/// The chi-square quantile that a correct generator exceeds once in a million (Wilson and Hilferty 1931).
#[must_use]
pub fn chi_square_limit(degrees: usize) -> f64 {
    let df = degrees as f64;
    let spread = 2.0 / (9.0 * df);
    df * (1.0 - spread + 4.753_424 * spread.sqrt()).powi(3)
}

/// Asserts that counts agree with expected counts; those below 5 are pooled.
///
/// # Panics
/// When they do not.
pub fn frequencies(what: &str, counts: &[u64], expected: &[f64]) {
    assert_eq!(counts.len(), expected.len(), "{what}: lengths");
    let (mut chi, mut cells, mut rare) = (0.0, 0_usize, (0.0, 0.0));
    let mut cell = |count: f64, mean: f64| {
        chi += (count - mean).powi(2) / mean;
        cells += 1;
    };
    for (&count, &mean) in counts.iter().zip(expected) {
        if mean < 5.0 {
            rare = (rare.0 + count as f64, rare.1 + mean);
        } else {
            cell(count as f64, mean);
        }
    }
    if rare.1 >= 5.0 {
        cell(rare.0, rare.1);
    }
    if cells > 1 {
        let limit = chi_square_limit(cells - 1);
        assert!(chi < limit, "{what}: chi-square {chi:.1} over {limit:.1}; counts {counts:?}");
    }
}
