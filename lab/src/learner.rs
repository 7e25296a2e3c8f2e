//! Weights of sums of features that are learnt from games by TD(λ) (Sutton 1988), with the step sizes of AdaGrad (Duchi, Hazan and
//! Singer 2011).

/// Learns one list of weights, which the caller holds.
#[derive(Clone, Debug)]
pub struct Learner<const N: usize> {
    /// The mean of the weights, which is the result.
    pub average: [f32; N],
    /// The learning rate. A weight's steps get shorter as its gradients add up.
    pub rate: f32,
    squares: [f32; N],
}

impl<const N: usize> Learner<N> {
    /// Begins with these weights.
    #[must_use]
    pub fn new(weights: [f32; N], rate: f32) -> Self {
        Self { average: weights, rate, squares: [0.0; N] }
    }

    /// Moves the weights along a gradient.
    pub fn step(&mut self, weights: &mut [f32; N], gradient: [f32; N]) {
        for ((weight, square), gradient) in weights.iter_mut().zip(&mut self.squares).zip(gradient) {
            *square += gradient * gradient;
            *weight += self.rate * gradient / (*square + 1.0).sqrt();
        }
    }

    /// Moves the mean towards the weights, each by `part` of the difference.
    pub fn follow(&mut self, weights: &[f32; N], part: impl Fn(f32) -> f32) {
        for (mean, weight) in self.average.iter_mut().zip(weights) {
            *mean += part(weight - *mean);
        }
    }
}

/// Goes through what was seen in a game, from the end: `estimate` takes what was seen and what came of it later, learns from that,
/// and returns the estimate at that point. What came later weighs `lambda` against the estimate.
pub fn backwards<T>(seen: &[T], result: f32, lambda: f32, mut estimate: impl FnMut(&T, f32) -> f32) {
    let mut target = result;
    for seen in seen.iter().rev() {
        target = lambda * target + (1.0 - lambda) * estimate(seen, target);
    }
}

/// The probability of these log-odds.
#[must_use]
pub fn probability(logit: f32) -> f32 {
    // In single precision, for weights files depend on every bit.
    1.0 / (1.0 + (-logit).exp())
}

/// The weighted sum of features.
#[must_use]
pub fn weighted<const N: usize>(weights: &[f32; N], features: &[f32; N]) -> f32 {
    features.iter().zip(weights).map(|(x, w)| x * w).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A learner that sees a coin's face and its bias alone finds the odds of heads by logistic regression.
    #[test]
    fn the_odds_of_a_biased_coin_are_learnt() {
        let mut weights = [0.0];
        let mut learner = Learner::new(weights, 0.3);
        for game in 0..4_000 {
            if game == 2_000 {
                (learner.average, learner.rate) = (weights, 0.1);
            }
            let heads = f32::from(game % 4 != 0);
            backwards(&[[1.0]], heads, 0.9, |x, target| {
                let estimate = probability(weighted(&weights, x));
                learner.step(&mut weights, x.map(|x| (target - estimate) * x));
                estimate
            });
            learner.follow(&weights, |difference| 0.01 * difference);
        }
        let learnt = probability(learner.average[0]);
        assert!((learnt - 0.75).abs() < 0.01, "{learnt}");
    }

    /// Each point of a game is told what came after it: the result, mixed with the estimates between.
    #[test]
    fn targets_come_from_the_end() {
        let mut targets = Vec::new();
        backwards(&[0.25, 0.5], 1.0, 0.5, |&estimate, target| {
            targets.push(target);
            estimate
        });
        assert_eq!(targets, [1.0, 0.75]);
    }
}
