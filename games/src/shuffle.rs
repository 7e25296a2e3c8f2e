//! Shuffles and random choices of cards, several cards from one random word.
//!
//! Decks are shuffled lazily, block by block at fixed places. Their order depends on the generator alone, and games that end
//! early pay only for the cards that they saw.

use knave_agents::Rng;
use rand::Rng as _;

/// The places of a deck, more than cards so that indices need no check.
pub const PLACES: usize = 64;
/// Indices of places wrap with this mask.
pub const MASK: usize = PLACES - 1;
/// The most cards that one word settles: from 52 cards the bounds of eight swaps multiply to 45 bits, so that a word is
/// almost never drawn again.
pub const BLOCK: usize = 8;

/// The most cards in a deck.
pub const CARDS: usize = 52;

/// The 52 cards in order, as [`Card::id`](crate::cards::Card::id), 0 after the last.
pub const DECK: [u8; PLACES] = {
    let (mut ids, mut place) = ([0; PLACES], 0);
    while place < CARDS {
        ids[place] = (place / 13 * 16 + place % 13 + 2) as u8;
        place += 1;
    }
    ids
};

/// The products of the bounds of the first swaps, by the cards that are left and the number of swaps.
const PRODUCT: [[u64; 2 * BLOCK]; PLACES] = {
    let (mut table, mut left) = ([[1; 2 * BLOCK]; PLACES], 0);
    while left <= CARDS {
        let mut count = 1;
        while count <= BLOCK && count <= left {
            table[left][count] = table[left][count - 1] * (left - count + 1) as u64;
            count += 1;
        }
        left += 1;
    }
    table
};

/// Gives the `count` places from `start` on (at most [`BLOCK`]) their cards: each any of the `left` cards (at most 52) from there
/// on, uniformly.
///
/// One word gives every swap: multiply by the bound, take the high half, go on with the low half (batched dice rolls,
/// Brackett-Rozinsky and Lemire 2024). A word whose last remainder falls below 2⁶⁴ mod the product of the bounds would
/// be biased: then the block is shuffled again from where it stands, which is as good as from any order.
#[inline(always)]
pub fn settle(cards: &mut [u8; PLACES], start: usize, left: usize, count: usize, rng: &mut Rng) {
    let word = swap(cards, start, left, count, rng);
    if word < PRODUCT[left & MASK][count & (2 * BLOCK - 1)] {
        settle_again(cards, start, left, count, rng, word);
    }
}

#[cold]
fn settle_again(
    cards: &mut [u8; PLACES],
    start: usize,
    left: usize,
    count: usize,
    rng: &mut Rng,
    mut word: u64,
) {
    let product = PRODUCT[left & MASK][count & (2 * BLOCK - 1)];
    while word < product.wrapping_neg() % product {
        word = swap(cards, start, left, count, rng);
    }
}

/// Swaps `count` cards with a later one or themselves; what is left of the random word.
#[inline(always)]
fn swap(cards: &mut [u8; PLACES], start: usize, left: usize, count: usize, rng: &mut Rng) -> u64 {
    let mut word = rng.next_u64();
    for i in 0..count {
        let wide = u128::from(word) * (left - i) as u128;
        word = wide as u64;
        cards.swap((start + i) & MASK, (start + i + (wide >> 64) as usize) & MASK);
    }
    word
}

/// Swaps random cards to the front: afterwards the first `count` cards are a random choice in random
/// order, each with the same probability.
///
/// The same choices as [`settle`] makes, for any slice of at most 64 cards: a word settles a block, and a block whose word
/// would be biased is chosen again.
#[inline(always)]
pub fn choose(cards: &mut [u8], count: usize, rng: &mut Rng) {
    debug_assert!(cards.len() <= 64, "the product of a block must fit a word");
    let len = cards.len();
    let mut done = 0;
    while done < count {
        let next = count.min(done + BLOCK);
        let mut word = rng.next_u64();
        let mut product = 1;
        let mut i = done;
        while i < next {
            let bound = (len - i) as u64;
            let wide = u128::from(word) * u128::from(bound);
            word = wide as u64;
            product *= bound;
            cards.swap(i, i + (wide >> 64) as usize);
            i += 1;
        }
        if word >= product || word >= product.wrapping_neg() % product {
            done = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use knave_agents::testkit::frequencies;
    use std::collections::BTreeMap;

    /// Every order of a small deck comes equally often, in blocks of any size: chi-square of the 120 orders of five cards,
    /// whose 99.99 % quantile with 119 degrees of freedom is 184.
    #[test]
    fn every_order_is_equally_likely() {
        let mut rng = Rng::new(5);
        for blocks in [&[5][..], &[2, 3], &[1, 1, 1, 1, 1]] {
            let games = 120_000;
            let mut counts = BTreeMap::new();
            for _ in 0..games {
                let mut cards = std::array::from_fn(|i| i as u8);
                let mut start = 0;
                for &count in blocks {
                    settle(&mut cards, start, 5 - start, count, &mut rng);
                    start += count;
                }
                *counts.entry(cards[..5].to_vec()).or_insert(0) += 1;
            }
            let expected = f64::from(games) / 120.0;
            let chi: f64 = counts.values().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
            assert_eq!(counts.len(), 120);
            assert!(chi < 184.0, "chi-square {chi} with blocks {blocks:?}");
        }
    }

    /// Deals and sampled worlds rest on it: of six cards, each of the 120 ordered choices of three comes as often
    /// as any other; beyond a block, every card is as likely as any other to be the tenth.
    #[test]
    fn every_choice_is_equally_likely() {
        const TIMES: usize = 60_000;
        let mut rng = Rng::new(5);
        let (mut ordered, mut last) = (vec![0; 216], vec![0; 12]);
        for _ in 0..TIMES {
            let mut cards = [0, 1, 2, 3, 4, 5];
            choose(&mut cards, 3, &mut rng);
            ordered[cards[..3].iter().fold(0, |number, &card| 6 * number + usize::from(card))] += 1;
            assert_eq!(cards.iter().fold(0, |bits, card| bits | 1 << card), 0b11_1111, "a card is lost");
            let mut cards: [u8; 12] = std::array::from_fn(|i| i as u8);
            choose(&mut cards, 10, &mut rng);
            last[usize::from(cards[9])] += 1;
        }
        let possible: Vec<u64> = ordered.into_iter().filter(|&count| count > 0).collect();
        assert_eq!(possible.len(), 120);
        frequencies("three of six", &possible, &[TIMES as f64 / 120.0; 120]);
        frequencies("the tenth of twelve", &last, &[TIMES as f64 / 12.0; 12]);
    }
}
