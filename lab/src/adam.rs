//! Steps of weights along gradients, as Adam takes them.

/// Moves weights along gradients of very different sizes (Adam, Kingma and Ba 2015).
#[derive(Clone, Debug)]
pub struct Adam<const N: usize> {
    mean: [f64; N],
    square: [f64; N],
    steps: i32,
    newest: f64,
    least: f64,
}

impl<const N: usize> Adam<N> {
    /// The newest gradient has a weight of 0.1 in the mean of gradients, and of `newest` in the mean of their squares. `least` is
    /// added to the root of that mean, which it keeps away from 0.
    #[must_use]
    pub fn new(newest: f64, least: f64) -> Self {
        Self { mean: [0.0; N], square: [0.0; N], steps: 0, newest, least }
    }

    /// Moves the weights a step along the gradient.
    pub fn step(&mut self, weights: &mut [f64; N], gradient: &[f64; N], rate: f64) {
        let kept = 1.0 - self.newest;
        self.steps += 1;
        let (mean_scale, square_scale) = (1.0 - 0.9_f64.powi(self.steps), 1.0 - kept.powi(self.steps));
        for i in 0..N {
            self.mean[i] = 0.9 * self.mean[i] + 0.1 * gradient[i];
            self.square[i] = kept * self.square[i] + self.newest * gradient[i] * gradient[i];
            weights[i] +=
                rate * (self.mean[i] / mean_scale) / ((self.square[i] / square_scale).sqrt() + self.least);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first step is as long as the rate, however steep the slope: that is what Adam is for.
    #[test]
    fn the_first_step_has_the_length_of_the_rate() {
        let mut weights = [0.0; 3];
        Adam::new(0.001, 1e-9).step(&mut weights, &[1e-3, -1.0, 1e3], 0.25);
        for (weight, expected) in weights.iter().zip([0.25, -0.25, 0.25]) {
            assert!((weight - expected).abs() < 1e-6, "{weights:?}");
        }
    }
}
