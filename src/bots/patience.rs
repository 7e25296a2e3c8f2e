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
}

impl Patience {
    pub(super) fn new(whole: Duration) -> Self {
        Self { whole, left: whole, looked: now() }
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
        self.left = if passed > FAR {
            self.left.saturating_sub(LOOK).max(LOOK)
        } else {
            self.left.saturating_sub(passed)
        };
        self.left.min(LOOK)
    }
}
