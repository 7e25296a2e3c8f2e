//! How long answers are awaited.

use super::process::now;
use std::time::{Duration, Instant};

/// How often who waits looks whether it is to stop.
pub(super) const LOOK: Duration = Duration::from_millis(50);

/// The most that passes between two looks, unless `sim` itself stood still.
const FAR: Duration = Duration::from_millis(200);

/// How long an answer may still take. What passes while `sim` stands still, as after Ctrl-Z, does not count: what a program said
/// meanwhile is yet to be read.
pub(super) struct Patience {
    whole: Duration,
    left: Duration,
    looked: Instant,
    /// Whether the look that follows the end of the time was given: on a host where every look comes late, there is but one.
    last_given: bool,
}

impl Patience {
    pub(super) fn new(whole: Duration) -> Self {
        Self { whole, left: whole, looked: now(), last_given: false }
    }

    /// Begins again, after an answer.
    pub(super) fn renew(&mut self) {
        *self = Self::new(self.whole);
    }

    /// How long the next look may take; nothing where no time is left.
    pub(super) fn look(&mut self) -> Duration {
        let now = now();
        let passed = now.saturating_duration_since(self.looked);
        self.looked = now;
        self.spend(passed);
        self.left.min(LOOK)
    }

    /// Takes off what passed since the last look.
    fn spend(&mut self, passed: Duration) {
        if passed <= FAR {
            self.left = self.left.saturating_sub(passed);
            return;
        }
        self.left = self.left.saturating_sub(LOOK);
        if self.left.is_zero() && !self.last_given {
            self.last_given = true;
            self.left = LOOK;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Time that passes as usual counts whole, and then nothing is left.
    #[test]
    fn usual_time_counts_whole() {
        let mut patience = Patience::new(Duration::from_millis(150));
        for left in [100, 50, 0] {
            patience.spend(LOOK);
            assert_eq!(patience.left, Duration::from_millis(left));
        }
    }

    /// After a pause there is one more look, so that an answer which came meanwhile is read.
    #[test]
    fn a_pause_leaves_a_look() {
        let mut patience = Patience::new(Duration::from_millis(10));
        patience.spend(Duration::from_secs(3600));
        assert_eq!(patience.left, LOOK);
    }

    /// Where `sim` gets to look once a second only, a program that says nothing is still called late.
    #[test]
    fn a_slow_host_ends_too() {
        let mut patience = Patience::new(Duration::from_secs(1));
        let looks = (0..100)
            .take_while(|_| {
                patience.spend(Duration::from_secs(1));
                !patience.left.is_zero()
            })
            .count();
        assert_eq!(looks, 20, "a twentieth of a second each");
    }
}
