//! Sets of indices.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// A set of indices as ranges that neither touch nor overlap. It is serialized as a list of them in order, each
/// `[first, end)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<[u64; 2]>", try_from = "Vec<[u64; 2]>")]
pub struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    /// Adds a range; returns whether none of it was there already, and adds nothing if some was.
    pub fn insert(&mut self, range: Range<u64>) -> bool {
        let Range { mut start, mut end } = range;
        if start >= end {
            return true;
        }
        if self.0.range(..end).next_back().is_some_and(|(_, &before)| before > start) {
            return false;
        }
        if let Some((&before, &touching)) = self.0.range(..start).next_back()
            && touching == start
        {
            start = before;
        }
        if let Some(after) = self.0.remove(&end) {
            end = after;
        }
        self.0.insert(start, end);
        true
    }

    /// The ranges in order.
    pub fn iter(&self) -> impl Iterator<Item = Range<u64>> {
        self.0.iter().map(|(&start, &end)| start..end)
    }

    /// Whether these are all indices of other ranges.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        other.iter().all(|range| {
            let before = self.0.range(..=range.start).next_back();
            before.is_some_and(|(_, &end)| end >= range.end)
        })
    }

    /// The number of indices.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.iter().map(|range| range.end - range.start).sum()
    }

    /// Whether there is no index.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Range<u64>> for Ranges {
    fn from(range: Range<u64>) -> Self {
        let mut ranges = Self::default();
        ranges.insert(range);
        ranges
    }
}

impl From<Ranges> for Vec<[u64; 2]> {
    fn from(ranges: Ranges) -> Self {
        ranges.iter().map(|range| [range.start, range.end]).collect()
    }
}

impl TryFrom<Vec<[u64; 2]>> for Ranges {
    type Error = String;

    fn try_from(list: Vec<[u64; 2]>) -> Result<Self, String> {
        let mut ranges = Self::default();
        for [start, end] in list {
            if start >= end || !ranges.insert(start..end) {
                return Err(format!("[{start}, {end}) is empty or overlaps another range"));
            }
        }
        Ok(ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_join() {
        let mut ranges = Ranges::default();
        for range in [10..20, 0..5, 30..40, 5..5, 20..30, 5..10] {
            assert!(ranges.insert(range));
        }
        assert!(ranges.iter().eq(std::iter::once(0..40)));
        assert_eq!(ranges.len(), 40);
    }

    /// Joined parts may take the place of what they hold.
    #[test]
    fn ranges_cover_what_they_hold() {
        let ranges = Ranges::try_from(vec![[0, 5], [10, 20]]).unwrap();
        for (range, covered) in
            [(0..5, true), (1..2, true), (12..20, true), (4..6, false), (5..6, false), (19..21, false)]
        {
            assert_eq!(ranges.covers(&range.clone().into()), covered, "{range:?}");
        }
        assert!(ranges.covers(&ranges) && ranges.covers(&Ranges::default()));
    }

    /// Shards that share a game must not be counted as one.
    #[test]
    fn overlaps_are_refused() {
        let ranges = Ranges::from(10..20);
        for overlap in [10..11, 19..25, 5..11, 5..25, 12..13] {
            let mut other = ranges.clone();
            assert!(!other.insert(overlap.clone()), "{overlap:?}");
            assert_eq!(other, ranges);
        }
        assert!(Ranges::try_from(vec![[0, 2], [1, 3]]).is_err());
    }
}
