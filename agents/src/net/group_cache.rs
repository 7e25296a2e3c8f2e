//! A cache of the first layer: parts that groups of features add to the second layer.
//!
//! Afterstates of a decision differ in few groups, and most groups were there a decision ago. Valuing a
//! position is then mostly looking up its groups and adding.

/// The length of the longest cached groups: four features fit a word, and their number takes one of twelve places.
const LONGEST: usize = 11;

/// The number of cached groups, a power of two that stays near the processor.
const PLACES: usize = 1 << 12;

/// A key: a group, and the net and head that it went through.
#[derive(Copy, Clone, Default)]
struct Key {
    /// The features, four in a word, and their number plus one in the last place, so that no key is the default.
    first: u64,
    second: u64,
    third: u64,
    /// The net and the head.
    of: u64,
}

/// Features in a word.
fn packed(features: &[u16]) -> u64 {
    features.iter().rev().fold(0, |word, &feature| word << 16 | u64::from(feature))
}

impl Key {
    /// The key of a group that is not too long. It is put together in registers: to copy features and then read them in words makes
    /// the processor wait for longer than all the rest takes.
    #[inline]
    fn new((net, head): (u32, usize), group: &[u16]) -> Self {
        let (fours, rest) = group.as_chunks::<4>();
        let rest = packed(rest);
        let [first, second, third] = match fours {
            [] => [rest, 0, 0],
            [a] => [packed(a), rest, 0],
            [a, b, ..] => [packed(a), packed(b), rest],
        };
        let number = (group.len() as u64 + 1) << 48;
        Self { first, second, third: third | number, of: u64::from(net) << 32 | head as u64 }
    }

    /// Whether both are the same, without a branch for each word.
    #[inline]
    fn is(&self, other: &Self) -> bool {
        let differ = (self.first ^ other.first) | (self.second ^ other.second);
        differ | (self.third ^ other.third) | (self.of ^ other.of) == 0
    }

    /// The place of the key. The words are mixed side by side.
    #[inline]
    fn place(&self) -> usize {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let first = self.first.wrapping_mul(ODD) ^ self.second.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let second =
            self.third.wrapping_mul(0x94d0_49bb_1331_11eb) ^ self.of.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mixed = first ^ second;
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(ODD);
        (mixed >> (64 - PLACES.trailing_zeros())) as usize % PLACES
    }
}

/// A direct-mapped cache: each group has one place, and the last comer stays.
#[derive(Default)]
pub struct GroupCache<T> {
    keys: Vec<Key>,
    /// A row for each key, `width` numbers long.
    parts: Vec<T>,
    width: usize,
}

impl<T: Copy + Default> GroupCache<T> {
    /// The part of a group in the `width` sums of the second layer, which `work_out` computes on a miss. `net`
    /// is the number of the net, and the head.
    #[inline]
    pub fn part(
        &mut self,
        net: (u32, usize),
        group: &[u16],
        width: usize,
        work_out: impl FnOnce(&mut [T]),
    ) -> &[T] {
        // Nets with fewer units leave a part of each row unused: players by different nets take turns.
        if self.width < width {
            self.width = width;
            self.keys.clear();
            self.keys.resize(PLACES + 1, Key::default());
            self.parts.resize((PLACES + 1) * width, T::default());
        }
        let key = Key::new(net, group);
        let long = group.len() > LONGEST;
        let place = if long { PLACES } else { key.place() };
        let part = &mut self.parts[place * self.width..][..width];
        if long || !self.keys[place].is(&key) {
            self.keys[place] = key;
            work_out(part);
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Role, below, stream};

    /// A cached part is returned only for its own group, net and head, although places are few: features of every size, groups that
    /// are too long to be kept, and nets with more units or fewer.
    #[test]
    fn groups_are_not_mixed_up() {
        const FEATURES: [u16; 7] = [0, 1, 255, 256, 257, 15_518, u16::MAX];
        let mut rng = stream(1, 5, Role::Chance);
        let (mut known, mut worked_out) = (GroupCache::default(), 0);
        for _ in 0..50_000 {
            let net = (1 + below(&mut rng, 2), below(&mut rng, 2) as usize);
            let group: Vec<u16> =
                (0..below(&mut rng, 14)).map(|_| FEATURES[below(&mut rng, 7) as usize]).collect();
            let all = group.iter().fold(1, |all: i64, &f| all.wrapping_mul(65_599) + i64::from(f));
            let right = [i64::from(net.0), net.1 as i64, all, group.len() as i64];
            let width = 2 + net.0 as usize;
            let part = known.part(net, &group, width, |part| {
                worked_out += 1;
                part.copy_from_slice(&right[..width]);
            });
            assert_eq!(part, &right[..width], "{net:?} {group:?}");
        }
        assert!((10_000..45_000).contains(&worked_out), "{worked_out}");
    }
}
