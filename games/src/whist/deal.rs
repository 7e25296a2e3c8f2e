//! The deal: four exactly uniform hands from few random words. There is no pile, for every card is dealt.

use super::rules::{DEALER, SEATS};
use crate::cards::{Card, CardSet};
use knave_agents::Rng;
use knave_agents::rng::below;
use rand::Rng as _;
use std::hint::select_unpredictable;

/// All cards.
const DECK: u64 = CardSet::DECK.bits();

/// A random half of these cards; 0 where the random bits give none.
///
/// Each card except the first goes by its bit, and the first one fills up the half if it can. Every half comes from exactly
/// one pattern of bits, so all halves are equally likely.
#[inline(always)]
fn half(cards: u64, word: u64) -> u64 {
    let others = cards & (cards - 1);
    let some = word & others;
    let missing = (cards.count_ones() / 2).wrapping_sub(some.count_ones());
    let first = select_unpredictable(missing == 1, cards ^ others, 0);
    select_unpredictable(missing <= 1, some | first, 0)
}

/// Four random hands of 13 cards, and the card of the last one that is shown.
///
/// Rejection sampling: the deck is halved by random bits until that succeeds, and so are the halves.
#[inline]
pub fn hands(rng: &mut Rng) -> ([u64; SEATS], Card) {
    let (mut first, mut a, mut c) = (0, 0, 0);
    while first == 0 {
        first = half(DECK, rng.next_u64());
    }
    while a == 0 || c == 0 {
        // The halves are disjoint, so the bits that decide about one are independent of the other's.
        let word = rng.next_u64();
        a = select_unpredictable(a == 0, half(first, word), a);
        c = select_unpredictable(c == 0, half(DECK & !first, word), c);
    }
    let hands = [a, first & !a, c, DECK & !first & !c];
    let last = CardSet::from_bits(hands[DEALER]);
    (hands, last.nth(below(rng, 13)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use knave_agents::testkit::frequencies;

    /// Every card is as likely in one hand as in another, and so are pairs of cards. The card shown is the dealer's.
    #[test]
    fn every_hand_is_equally_likely() {
        const TIMES: usize = 52_000;
        let mut rng = Rng::new(6);
        let (mut seats, mut shown, mut together) = (vec![0; 4 * 64], vec![0; 64], vec![0; 64]);
        for _ in 0..TIMES {
            let (hands, card) = hands(&mut rng);
            assert_eq!(hands.iter().fold(0, |all, hand| all | hand), DECK, "a card is lost");
            assert!(hands.iter().all(|hand| hand.count_ones() == 13));
            assert!(CardSet::from_bits(hands[DEALER]).contains(card));
            shown[usize::from(card.id())] += 1;
            for (seat, hand) in hands.into_iter().enumerate() {
                for card in CardSet::from_bits(hand) {
                    seats[64 * seat + usize::from(card.id())] += 1;
                    // With the two of clubs.
                    together[usize::from(card.id())] += (hand >> 2 & 1) as usize;
                }
            }
        }
        let of_cards = |counts: &[usize]| -> Vec<u64> {
            let cards = counts.iter().enumerate().filter(|(id, _)| DECK >> (id % 64) & 1 == 1);
            cards.map(|(_, &count)| count as u64).collect()
        };
        frequencies("the card shown", &of_cards(&shown), &[TIMES as f64 / 52.0; 52]);
        frequencies("the seat of each card", &of_cards(&seats), &[TIMES as f64 / 4.0; 4 * 52]);
        let others = &of_cards(&together)[1..];
        frequencies("the hand of the two of clubs", others, &[TIMES as f64 * 12.0 / 51.0; 51]);
    }
}
