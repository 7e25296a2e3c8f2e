//! How small games of whist are written out.

use super::position::Whist;
use knave_agents::exact::Listing;

/// The listing of whist. All cards are dealt, and nothing is random afterwards.
pub fn listing() -> Listing<Whist> {
    Listing {
        dealt: |_| usize::MAX,
        outcomes: |_, out| out.clear(),
        listed: |outcome| outcome,
        fingerprint: None,
    }
}
