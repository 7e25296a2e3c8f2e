//! The race of the candidates of a decision over sampled worlds.
//!
//! All runners see the same worlds, and are compared by the differences in each world (common random numbers). The
//! evaluator's value stands for a number of further worlds. It is what the mean over worlds estimates too, with an error of
//! its own in place of the sampling error, and the two are weighted.

/// A race. Its memory is kept from one decision to the next.
#[derive(Default)]
pub struct Race {
    /// The worlds that the evaluator's value is worth.
    prior_samples: f64,
    runners: Vec<Runner>,
    /// Whether runners are dropped: only then are the values of all worlds kept.
    drops: bool,
    /// The values by world and runner; those of a runner that was dropped are not used.
    drawn: Vec<f64>,
    worlds: usize,
}

/// A candidate in the race.
#[derive(Copy, Clone)]
struct Runner {
    prior: f64,
    /// The value where it needs no sampling.
    exact: Option<f64>,
    sum: f64,
    running: bool,
}

impl Race {
    /// Begins a race without runners. `drops` says whether [`Race::drop_losers`] will be called.
    pub fn begin(&mut self, prior_samples: f64, drops: bool) {
        self.prior_samples = prior_samples;
        self.drops = drops;
        self.runners.clear();
        self.drawn.clear();
        self.worlds = 0;
    }

    /// Adds a runner with the evaluator's value of it.
    pub fn enter(&mut self, prior: f64) {
        self.runners.push(Runner { prior, exact: None, sum: 0.0, running: true });
    }

    /// The exact value of runner `i`, which needs no worlds.
    pub fn settle(&mut self, i: usize, value: f64) {
        self.runners[i].exact = Some(value);
    }

    /// Adds a world. Each runner that [`Race::needs`] worlds must draw its value.
    pub fn add_world(&mut self) {
        self.worlds += 1;
        if self.drops {
            self.drawn.extend(self.runners.iter().map(|runner| runner.exact.unwrap_or_default()));
        }
    }

    /// The worlds that were added.
    #[cfg(test)]
    pub fn worlds(&self) -> usize {
        self.worlds
    }

    /// The value of runner `i` in the world that was added last.
    pub fn draw(&mut self, i: usize, value: f64) {
        self.runners[i].sum += value;
        if self.drops {
            let start = self.drawn.len() - self.runners.len();
            self.drawn[start + i] = value;
        }
    }

    /// Whether runner `i` is still in the race and has no exact value.
    pub fn needs(&self, i: usize) -> bool {
        self.runners[i].running && self.runners[i].exact.is_none()
    }

    /// The number of runners that need worlds; 0 where one runner alone is left.
    pub fn waiting(&self) -> usize {
        let running = self.runners.iter().filter(|runner| runner.running).count();
        if running == 1 { 0 } else { (0..self.runners.len()).filter(|&i| self.needs(i)).count() }
    }

    /// The value of runner `i` so far.
    pub fn value(&self, i: usize) -> f64 {
        let Runner { prior, exact, sum, .. } = self.runners[i];
        let weight = self.prior_samples + self.worlds as f64;
        let sampled = if weight > 0.0 { (self.prior_samples * prior + sum) / weight } else { prior };
        exact.unwrap_or(sampled)
    }

    /// The best runner, the first among equals.
    pub fn leader(&self) -> usize {
        let running = (0..self.runners.len()).filter(|&i| self.runners[i].running);
        running.reduce(|best, i| if self.value(i) > self.value(best) { i } else { best }).unwrap_or(0)
    }

    /// Drops the runners that are behind the leader by more than `z` standard errors of the difference.
    pub fn drop_losers(&mut self, z: f64) {
        let (leader, count, n) = (self.leader(), self.runners.len(), self.worlds as f64);
        if n < 2.0 {
            return;
        }
        for i in (0..count).filter(|&i| i != leader) {
            let (mut sum, mut squares) = (0.0, 0.0);
            for world in self.drawn.chunks_exact(count) {
                let gap = world[leader] - world[i];
                sum += gap;
                squares += gap * gap;
            }
            let variance = (squares - sum * sum / n).max(0.0) / (n - 1.0);
            // The evaluator's share of the difference has no sampling error.
            let error = (variance * n).sqrt() / (n + self.prior_samples);
            if self.value(leader) - self.value(i) > z * error {
                self.runners[i].running = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use rand::{RngExt as _, SeedableRng as _};

    /// Races runners with these means, whose values spread by 0.2 in the same worlds and by 0.1 in their own.
    fn run(means: &[f64], priors: &[f64], prior_samples: f64, z: f64, seed: u64) -> (usize, usize) {
        let (mut race, mut rng, mut drawn) = (Race::default(), Rng::seed_from_u64(seed), 0);
        race.begin(prior_samples, z > 0.0);
        priors.iter().for_each(|&prior| race.enter(prior));
        for world in 1..=400 {
            if race.waiting() == 0 {
                break;
            }
            race.add_world();
            let shared = 0.2 * rng.random::<f64>();
            for (i, mean) in means.iter().enumerate() {
                let own = 0.1 * rng.random::<f64>();
                if race.needs(i) {
                    race.draw(i, mean + shared + own - 0.15);
                    drawn += 1;
                }
            }
            if z > 0.0 && world % 8 == 0 {
                race.drop_losers(z);
            }
        }
        (race.leader(), drawn)
    }

    /// Dropping losers saves most of the worlds and hardly ever drops the best. The second best is 0.02 behind: with
    /// 400 worlds that is 0.02 / (0.041 / 20) = 10 standard errors.
    #[test]
    fn losers_are_dropped_early() {
        let means = [0.40, 0.50, 0.48, 0.30];
        let (mut wins, mut drawn) = (0, 0);
        for seed in 0..200 {
            let (best, few) = run(&means, &[0.5; 4], 0.0, 3.0, seed);
            wins += u32::from(best == 1);
            drawn += few;
            assert_eq!(run(&means, &[0.5; 4], 0.0, 0.0, seed), (1, 1600));
        }
        assert!(wins >= 196, "{wins} of 200");
        assert!(drawn < 200 * 400, "{drawn}");
    }

    /// Wrong priors are overruled by worlds, and right ones save them.
    #[test]
    fn priors_count_as_worlds() {
        let means = [0.45, 0.50];
        let wrong = (0..100).filter(|&seed| run(&means, &[0.50, 0.45], 50.0, 0.0, seed).0 == 1).count();
        assert_eq!(wrong, 100);
        let drawn =
            |priors: &[f64]| (0..100).map(|seed| run(&means, priors, 50.0, 3.0, seed).1).sum::<usize>();
        assert!(drawn(&means) < drawn(&[0.475; 2]), "{}, {}", drawn(&means), drawn(&[0.475; 2]));
        let mut race = Race::default();
        race.begin(3.0, false);
        race.enter(0.5);
        assert_eq!(race.value(0), 0.5);
        race.add_world();
        race.draw(0, 0.9);
        assert!((race.value(0) - 0.6).abs() < 1e-12, "{}", race.value(0));
    }

    /// Exact values are not mixed with the prior, need no worlds, and take part in the comparison.
    #[test]
    fn exact_values_stand() {
        let mut race = Race::default();
        race.begin(10.0, true);
        [0.9, 0.1, 0.2].into_iter().for_each(|prior| race.enter(prior));
        race.settle(0, 0.3);
        assert_eq!((race.value(0), race.waiting(), race.leader()), (0.3, 2, 0));
        for _ in 0..8 {
            race.add_world();
            race.draw(1, 0.8);
            race.draw(2, 0.2);
        }
        race.drop_losers(3.0);
        assert_eq!((race.leader(), race.waiting()), (1, 0));
        race.begin(0.0, true);
        [0.0; 2].into_iter().for_each(|prior| race.enter(prior));
        race.settle(0, 0.3);
        race.settle(1, 0.3);
        assert_eq!((race.leader(), race.waiting()), (0, 0), "the first among equals");
    }
}
