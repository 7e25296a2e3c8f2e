//! Frequencies: whether counts agree with probabilities.

/// The chi-square quantile that a correct generator exceeds once in a million (Wilson and Hilferty 1931).
#[must_use]
pub fn chi_square_limit(degrees: usize) -> f64 {
    let df = degrees as f64;
    let spread = 2.0 / (9.0 * df);
    df * (1.0 - spread + 4.753_424 * spread.sqrt()).powi(3)
}

/// Asserts that counts agree with expected counts of the same sum. Outcomes with an expectation below 5 are taken together, and with
/// the rarest of the others if they are few all the same.
///
/// # Panics
/// When they do not, or when something was seen that was not expected at all.
pub fn frequencies(what: &str, counts: &[u64], expected: &[f64]) {
    assert_eq!(counts.len(), expected.len(), "{what}: lengths");
    let seen: u64 = counts.iter().sum();
    let all: f64 = expected.iter().sum();
    assert!((seen as f64 - all).abs() < 1e-6 * all, "{what}: {seen} outcomes, not {all}");
    let (mut cells, mut rare) = (Vec::new(), (0.0, 0.0));
    for (&count, &mean) in counts.iter().zip(expected) {
        assert!(mean > 0.0 || count == 0, "{what}: impossible outcomes were seen; counts {counts:?}");
        if mean < 5.0 {
            rare = (rare.0 + count as f64, rare.1 + mean);
        } else {
            cells.push((count as f64, mean));
        }
    }
    if rare.1 >= 5.0 {
        cells.push(rare);
    } else if let Some(cell) = cells.iter_mut().min_by(|a, b| a.1.total_cmp(&b.1)) {
        *cell = (cell.0 + rare.0, cell.1 + rare.1);
    }
    if cells.len() > 1 {
        let chi: f64 = cells.iter().map(|(count, mean)| (count - mean).powi(2) / mean).sum();
        let limit = chi_square_limit(cells.len() - 1);
        assert!(chi < limit, "{what}: chi-square {chi:.1} over {limit:.1}; counts {counts:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::frequencies;

    fn agree(counts: &[u64], expected: &[f64]) -> bool {
        std::panic::catch_unwind(|| frequencies("", counts, expected)).is_ok()
    }

    /// What is as likely as it is frequent passes; an outcome that comes too often is noticed however rare it should be.
    #[test]
    fn rare_outcomes_count() {
        assert!(agree(&[1_000, 990, 10, 1], &[995.0, 995.0, 10.9, 0.1]));
        assert!(!agree(&[900, 900, 10, 191], &[995.0, 995.0, 10.9, 0.1]));
        assert!(!agree(&[1_000, 1_000, 1], &[1_000.5, 1_000.5, 0.0]), "impossible");
        assert!(!agree(&[1_000, 1_000], &[2_000.0, 2_000.0]), "another sum");
        assert!(!agree(&[1_200, 800], &[1_000.0, 1_000.0]));
    }
}
