//! A sequential test for "b is better than a", in the manner of chess engines.
//!
//! A unit (a deal with all the games played on it) gives b a score between 0 and 1. The hypotheses are that its
//! expectation belongs to one difference in Elo or to another, see [`score`] and [`table_score`]. The test is the generalised
//! sequential probability ratio test (Wald 1945; Van den Bergh 2020, *A practical introduction to the GSPRT*, as used by
//! Fishtest with pairs of games as units): the likelihood under each hypothesis is that of the most likely distribution over
//! the values that came with this expectation (Owen's empirical likelihood), so nothing is assumed about how often games are
//! shared, and the games of a unit may depend on each other. The error rates are asymptotic; simulations hold them (see the
//! tests).

use serde::{Deserialize, Serialize};

/// Both errors of the test: one in twenty.
const ERROR: f64 = 0.05;

/// What counts of each bound are taken to have come before the first unit, so that a score that has not come yet
/// is not taken for impossible.
const PRIOR: f64 = 1e-3;

/// The two hypotheses, as differences in Elo by which b is better than a.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The smaller difference: b is not better than this.
    pub elo0: f64,
    /// The larger difference: b is at least as good as this.
    pub elo1: f64,
}

/// The hypothesis that the test accepts.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Accepted {
    /// The smaller difference is accepted.
    Lower,
    /// The larger difference is accepted.
    Higher,
}

/// The expected score of one who is better by this many Elo.
#[must_use]
pub fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The expected score at one table: (1 + difference) / 2, for the difference in wins between a seat of one who is better by
/// this many Elo and has `own` of the `seats`, and a seat of the other.
///
/// Wins are shared as in Luce's choice axiom, the model of [`ratings`](super::ratings): a seat of strength e^θ wins its part of
/// the sum of all strengths. With two seats it is [`score`].
#[must_use]
pub fn table_score(elo: f64, own: usize, seats: usize) -> f64 {
    let strength = 10_f64.powf(elo / 400.0);
    let all = own as f64 * strength + (seats - own) as f64;
    (1.0 + (strength - 1.0) / all) / 2.0
}

impl Sprt {
    /// The limits of the logarithm of the likelihood ratio: at the first the smaller difference is accepted, at
    /// the second the larger.
    #[must_use]
    pub fn limits(self) -> (f64, f64) {
        let limit = ((1.0 - ERROR) / ERROR).ln();
        (-limit, limit)
    }

    /// The logarithm of the likelihood ratio of the larger difference to the smaller. `counts` are scores of b in
    /// \[0, 1\] and how many units had each; `expected` is the mean score for a difference in Elo, strictly between 0 and 1.
    #[must_use]
    pub fn ratio(self, counts: impl IntoIterator<Item = (f64, u64)>, expected: impl Fn(f64) -> f64) -> f64 {
        let mut counts: Vec<(f64, f64)> = counts.into_iter().map(|(value, n)| (value, n as f64)).collect();
        counts.extend([(0.0, PRIOR), (1.0, PRIOR)]);
        log_likelihood(&counts, expected(self.elo1)) - log_likelihood(&counts, expected(self.elo0))
    }

    /// What this ratio says, if it says anything yet.
    #[must_use]
    pub fn decide(self, ratio: f64) -> Option<Accepted> {
        let (low, high) = self.limits();
        match ratio {
            _ if ratio >= high => Some(Accepted::Higher),
            _ if ratio <= low => Some(Accepted::Lower),
            _ => None,
        }
    }
}

/// The logarithm of the largest likelihood of a distribution over these values with this mean, but for what does
/// not depend on the mean. There is a value on either side of the mean.
fn log_likelihood(counts: &[(f64, f64)], mean: f64) -> f64 {
    // The most likely weights are nᵢ / (N (1 + t (xᵢ − mean))); t makes the mean right. The sum below falls with t.
    let sum = |t: f64| -> f64 {
        counts.iter().map(|&(value, n)| n * (value - mean) / (1.0 + t * (value - mean))).sum()
    };
    // All weights are positive between these.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = (low + high) / 2.0;
    -counts.iter().map(|&(value, n)| n * (t * (value - mean)).ln_1p()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use knave_agents::rng::{Role, below, stream};

    /// With wins and losses only, the ratio is that of the binomial distribution: 60 of 100 for 0 against 50 Elo.
    #[test]
    fn without_draws_it_is_walds_ratio() {
        let sprt = Sprt { elo0: 0.0, elo1: 50.0 };
        let (p, ratio) = (score(50.0), sprt.ratio([(0.0, 40), (1.0, 60)], score));
        let wald = 60.0 * (p / 0.5).ln() + 40.0 * ((1.0 - p) / 0.5).ln();
        assert!((ratio - wald).abs() < 1e-3, "{ratio} against {wald}");
        assert!((score(0.0) - 0.5).abs() < 1e-12 && (score(400.0) - 10.0 / 11.0).abs() < 1e-12);
    }

    /// Van den Bergh's normal approximation of five-fold scores, n (s₁ − s₀)(2 x̄ − s₀ − s₁) / 2σ², is close where
    /// the hypotheses are near each other.
    #[test]
    fn near_hypotheses_agree_with_the_normal_approximation() {
        let counts = [(0.0, 300), (0.25, 2500), (0.5, 5000), (0.75, 2900), (1.0, 350)];
        let n: f64 = counts.iter().map(|&(_, n)| n as f64).sum();
        let mean = counts.iter().map(|&(x, c)| x * c as f64).sum::<f64>() / n;
        let variance = counts.iter().map(|&(x, c)| (x - mean) * (x - mean) * c as f64).sum::<f64>() / n;
        let (s0, s1) = (score(0.0), score(5.0));
        let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let ratio = Sprt { elo0: 0.0, elo1: 5.0 }.ratio(counts, score);
        assert!((ratio / normal - 1.0).abs() < 0.02, "{ratio} against {normal}");
    }

    /// Values of the tests of fastchess (`sprt_test.cpp`, its model "logistic"), which round them to two digits: trinomial
    /// and pentanomial counts, the losses first.
    #[test]
    fn fastchess_agrees() {
        let cases: [(&[u64], [f64; 2], f64); 4] = [
            (&[21_184, 40_708, 21_404], [0.5, 2.5], -1.57),
            (&[57_030, 106_593, 57_433], [0.0, 2.0], -2.59),
            (&[223, 9_863, 21_279, 10_037, 246], [0.5, 2.5], -3.07),
            (&[871, 26_175, 55_983, 26_678, 821], [0.0, 2.0], -4.98),
        ];
        for (counts, [elo0, elo1], expected) in cases {
            let most = (counts.len() - 1) as f64;
            let scores = counts.iter().enumerate().map(|(i, &n)| (i as f64 / most, n));
            let ratio = Sprt { elo0, elo1 }.ratio(scores, score);
            assert!((ratio - expected).abs() < 0.02, "{ratio} against {expected}");
        }
    }

    /// With two seats the score at a table is that of the logistic scale. With more, a lone seat of ten times the strength
    /// wins ten of thirteen parts at four seats, where each other one wins one.
    #[test]
    fn tables_share_wins_by_strength() {
        for elo in [-300.0, 0.0, 7.0, 400.0] {
            assert!((table_score(elo, 1, 2) - score(elo)).abs() < 1e-12);
            // The better one's seats against the others', from either side.
            assert!((table_score(elo, 3, 4) + table_score(-elo, 1, 4) - 1.0).abs() < 1e-12);
        }
        assert!((table_score(400.0, 1, 4) - (1.0 + 9.0 / 13.0) / 2.0).abs() < 1e-12);
    }

    /// The promised errors, looked at after every ten units: of 300 runs in which a hypothesis is true, at most 5 %
    /// (15; 27 is 3.2 standard deviations above) end with the other. Units have draws, and b's score in them takes
    /// five values.
    #[test]
    fn error_rates_are_held() {
        let sprt = Sprt { elo0: 0.0, elo1: 40.0 };
        for (elo, wrong) in [(0.0, Accepted::Higher), (40.0, Accepted::Lower)] {
            // Two games of a pair, each won, drawn (40 %) or lost.
            let win = score(elo) - 0.2;
            let (won, drawn) = ((win * 1e6) as u32, ((win + 0.4) * 1e6) as u32);
            let mut errors = 0;
            for run in 0..300 {
                let mut rng = stream(9001, run, Role::Chance);
                let mut counts = [0_u64; 5];
                let decision = loop {
                    for _ in 0..10 {
                        let game = |draw: u32| usize::from(draw < won) + usize::from(draw < drawn);
                        let unit = game(below(&mut rng, 1_000_000)) + game(below(&mut rng, 1_000_000));
                        counts[unit] += 1;
                    }
                    let scores = counts.iter().enumerate().map(|(i, &n)| (i as f64 / 4.0, n));
                    if let Some(decision) = sprt.decide(sprt.ratio(scores, score)) {
                        break decision;
                    }
                };
                errors += u32::from(decision == wrong);
            }
            assert!(errors <= 27, "{errors} of 300 runs ended with {wrong:?} at {elo} Elo");
        }
    }

    /// No unit decides nothing, and what always happens is no error.
    #[test]
    fn edges() {
        let sprt = Sprt { elo0: -5.0, elo1: 5.0 };
        assert_eq!(sprt.decide(sprt.ratio([], score)), None);
        assert_eq!(sprt.decide(sprt.ratio([(0.5, 1000)], score)), None);
        assert_eq!(sprt.decide(sprt.ratio([(1.0, 1000)], score)), Some(Accepted::Higher));
        assert_eq!(sprt.decide(sprt.ratio([(0.0, 1000)], score)), Some(Accepted::Lower));
    }
}
