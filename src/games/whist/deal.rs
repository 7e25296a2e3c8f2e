//! Random orders and random subsets of cards, exact and from few random numbers.

#[cfg(doc)]
use crate::cards::Card;
use knave_agents::Rng;
use rand::Rng as _;

/// How many choices one random word makes.
const BATCH: usize = 8;

/// Swaps random cards to the front: afterwards the first `count` cards are a random choice in random
/// order, each with the same probability.
///
/// One word makes the choices of a batch: multiply it by the number of cards to choose from, take the
/// high half, go on with the low half (batched dice rolls, Brackett-Rozinsky and Lemire 2024). A word
/// whose last remainder falls below 2^64 modulo the product of these numbers would favour some choices:
/// then the batch is chosen again from where the cards lie, which is as good as from any order.
#[inline(always)]
pub fn choose(cards: &mut [u8], count: usize, rng: &mut Rng) {
    debug_assert!(cards.len() <= 64, "the product of a batch must fit a word");
    let len = cards.len();
    let mut done = 0;
    while done < count {
        let next = count.min(done + BATCH);
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

/// The bits of these cards in a set, given as [`Card::id`].
#[inline]
pub fn set(cards: &[u8]) -> u64 {
    cards.iter().fold(0, |bits, id| bits | 1 << id)
}

/// The 52 cards in order, as [`Card::id`].
pub const DECK: [u8; 52] = {
    let (mut deck, mut n) = ([0; 52], 0);
    while n < 52 {
        deck[n] = (n / 13 * 16 + n % 13 + 2) as u8;
        n += 1;
    }
    deck
};

#[cfg(test)]
mod tests {
    use super::*;
    use knave_agents::testkit::uniform;

    /// Deals and sampled worlds rest on it: of six cards, each of the 120 ordered choices of three comes as often
    /// as any other; beyond a batch, every card is as likely as any other to be the tenth.
    #[test]
    fn every_choice_is_equally_likely() {
        const TIMES: usize = 60_000;
        let mut rng = Rng::new(5);
        let (mut ordered, mut last) = (vec![0; 216], vec![0; 12]);
        for _ in 0..TIMES {
            let mut cards = [0, 1, 2, 3, 4, 5];
            choose(&mut cards, 3, &mut rng);
            ordered[cards[..3].iter().fold(0, |number, &card| 6 * number + usize::from(card))] += 1;
            assert_eq!(set(&cards), 0b11_1111, "a card is lost");
            let mut cards: [u8; 12] = std::array::from_fn(|i| i as u8);
            choose(&mut cards, 10, &mut rng);
            last[usize::from(cards[9])] += 1;
        }
        let possible: Vec<u64> = ordered.into_iter().filter(|&count| count > 0).collect();
        assert_eq!(possible.len(), 120);
        uniform("three of six", &possible, &[TIMES as f64 / 120.0; 120]);
        uniform("the tenth of twelve", &last, &[TIMES as f64 / 12.0; 12]);
    }
}
