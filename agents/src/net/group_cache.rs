//! A cache of the first layer: parts that groups of features add to the second layer.
//!
//! Afterstates of a decision differ in few groups, and most groups were there a decision ago. Valuing a
//! position is then mostly looking up its groups and adding.

/// The length of the longest cached groups.
const LONGEST: usize = 11;

/// The number of cached groups, a power of two that stays near the processor.
const PLACES: usize = 1 << 12;

/// A key: a group, and the net and head that it went through.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
struct Key {
    net: u32,
    head: u32,
    /// The features, and their number plus one in the last place.
    features: [u16; LONGEST + 1],
}

/// A direct-mapped cache: each group has one place, and the last comer stays.
#[derive(Default)]
pub struct GroupCache<T> {
    keys: Vec<Key>,
    /// A row of `width` numbers for each key.
    parts: Vec<T>,
    width: usize,
}

impl<T: Copy + Default> GroupCache<T> {
    /// The part of a group in the `width` sums of the second layer, which `work_out` computes on a miss. `net`
    /// is the number of the net, which is not 0, and the head.
    #[inline]
    pub fn part(
        &mut self,
        net: (u32, usize),
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
        let mut key = Key { net: net.0, head: net.1 as u32, features: [0; LONGEST + 1] };
        let long = group.len() > LONGEST;
        key.features.iter_mut().zip(group).for_each(|(place, &feature)| *place = feature);
        key.features[LONGEST] = group.len() as u16 + 1;
        let place = if long { PLACES } else { place(&key) };
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
fn place(key: &Key) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let words = key
        .features
        .as_chunks::<4>()
        .0
        .iter()
        .map(|&[a, b, c, d]| u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48);
    let net = u64::from(key.net) << 32 | u64::from(key.head);
    let mixed = words.fold(net, |mixed, word| (mixed.rotate_left(27) ^ word).wrapping_mul(ODD));
    (mixed >> (64 - PLACES.trailing_zeros())) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Role, below, stream};

    /// A cached part is returned only for its own group, net and head, although places are few.
    #[test]
    fn groups_are_not_mixed_up() {
        let mut rng = stream(1, 5, Role::Chance);
        let (mut known, mut worked_out) = (GroupCache::default(), 0);
        for _ in 0..50_000 {
            let net = (1 + below(&mut rng, 2), below(&mut rng, 2) as usize);
            let group: Vec<u16> = (0..below(&mut rng, 14)).map(|_| below(&mut rng, 6) as u16).collect();
            let right =
                [i64::from(net.0), net.1 as i64, group.iter().fold(1, |all, &f| all * 7 + i64::from(f))];
            let part = known.part(net, &group, 3, |part| {
                worked_out += 1;
                part.copy_from_slice(&right);
            });
            assert_eq!(part, right, "{net:?} {group:?}");
        }
        assert!((10_000..40_000).contains(&worked_out), "{worked_out}");
    }
}
