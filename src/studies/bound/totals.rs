//! The counts of bounds.

use crate::stats::{Estimate, Moments};

/// Values are counted in this part of one; a bound is rounded up.
pub(super) const UNIT: f64 = 1e6;

/// What is measured on each deal, in the order of the slots.
pub(super) const FAIR: usize = 0;
pub(super) const BOUND: usize = 1;
pub(super) const CLAIRVOYANT: usize = 2;

/// Sums over deals of what a fair player reached, the bound, and what can be reached with every card known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundTotals(pub(super) Moments);

impl BoundTotals {
    /// The number of deals.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.0.units()
    }

    /// The mean of a sum of slots.
    fn of(&self, terms: &[(usize, i64)]) -> Estimate {
        self.0.of(terms).times(1.0 / UNIT)
    }

    /// What the fair player reached.
    #[must_use]
    pub fn fair(&self) -> Estimate {
        self.of(&[(FAIR, 1)])
    }

    /// The bound.
    #[must_use]
    pub fn bound(&self) -> Estimate {
        self.of(&[(BOUND, 1)])
    }

    /// What can be reached with every card known.
    #[must_use]
    pub fn clairvoyant(&self) -> Estimate {
        self.of(&[(CLAIRVOYANT, 1)])
    }

    /// How far the fair player is from the bound, on the same deals.
    #[must_use]
    pub fn gap(&self) -> Estimate {
        self.of(&[(BOUND, 1), (FAIR, -1)])
    }
}
