//! What groups of features add to the second layer of a net, kept for when they come again.
//!
//! The positions that a step can lead to differ in few groups, and most groups were there a decision ago, so that valuing a
//! position is most often no more than finding its groups and adding up.

/// The longest groups that are kept: their features and a mark of their length are a number of 128 bits.
const LONGEST: usize = 7;

/// The number of groups that are kept, a power of two.
const PLACES: usize = 1 << 12;

/// A group and the net that it went through.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
struct Key {
    net: (u64, usize),
    features: u128,
}

/// Groups of features and what they add. Each has one place, which it shares with others: the last comer stays.
#[derive(Default)]
pub(super) struct Known<T> {
    keys: Vec<Key>,
    /// A row of `width` numbers for each key.
    parts: Vec<T>,
    width: usize,
}

impl<T: Copy + Default> Known<T> {
    /// What a group adds to the `width` sums of the second layer; `net` is the number of the net, which is not 0, and the
    /// head. `work_out` finds it where it is not known.
    #[inline]
    pub fn part(
        &mut self,
        net: (u64, usize),
        group: &[u16],
        width: usize,
        work_out: impl FnOnce(&mut [T]),
    ) -> &[T] {
        if self.width != width {
            self.width = width;
            self.keys.clear();
            self.keys.resize(PLACES + 1, Key::default());
            self.parts.resize((PLACES + 1) * width, T::default());
        }
        let features = group.iter().fold(1, |key: u128, &feature| key << 16 | u128::from(feature));
        let key = Key { net, features };
        let long = group.len() > LONGEST;
        let place = if long { PLACES } else { place(key) };
        let part = &mut self.parts[place * width..][..width];
        if self.keys[place] != key || long {
            self.keys[place] = key;
            work_out(part);
        }
        part
    }
}

/// The place of a key.
#[inline]
fn place(key: Key) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let (low, high) = (key.features as u64, (key.features >> 64) as u64);
    let mixed = (low ^ key.net.0.rotate_left(32)).wrapping_mul(ODD) ^ high ^ key.net.1 as u64;
    (mixed.wrapping_mul(ODD) >> (64 - PLACES.trailing_zeros())) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Role, below, stream};

    /// What is kept is given back for the same group of the same net and head alone, though places are few.
    #[test]
    fn groups_are_not_mixed_up() {
        let mut rng = stream(1, 5, Role::Chance);
        let (mut known, mut worked_out) = (Known::default(), 0);
        for _ in 0..50_000 {
            let net = (1 + u64::from(below(&mut rng, 2)), below(&mut rng, 2) as usize);
            let group: Vec<u16> = (0..below(&mut rng, 10)).map(|_| below(&mut rng, 6) as u16).collect();
            let right = [net.0 as i64, net.1 as i64, group.iter().fold(1, |all, &f| all * 7 + i64::from(f))];
            let part = known.part(net, &group, 3, |part| {
                worked_out += 1;
                part.copy_from_slice(&right);
            });
            assert_eq!(part, right, "{net:?} {group:?}");
        }
        assert!((10_000..40_000).contains(&worked_out), "{worked_out}");
    }
}
