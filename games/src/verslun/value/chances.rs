//! Chances of draws: hypergeometric, from one table.

use crate::verslun::binomial::choose;
use crate::verslun::deck::CARDS;
use crate::verslun::rules::{HEIGHT, MAX_HAND};
use std::sync::LazyLock;

/// The most cards that pair with one card, as far as chances are told apart.
pub const MOST_PAIRING: usize = 20;

/// The chances for one pile and draw: by the cards of the pile that pair, and the cards needed beyond those in the hand, less
/// one. Each is the chance that one more is drawn where all needed but the last are there.
pub type Chances = [[f32; HEIGHT]; MOST_PAIRING + 1];

/// [`Chances`] by the cards in the pile and the cards drawn.
static CHANCES: LazyLock<Vec<Chances>> = LazyLock::new(|| {
    let mut table = Vec::with_capacity((CARDS + 1) * (MAX_HAND + 1));
    for pile in 0..=CARDS {
        for drawn in 0..=MAX_HAND {
            let mut rows = [[0.0; HEIGHT]; MOST_PAIRING + 1];
            for (pairing, row) in rows.iter_mut().enumerate() {
                let drawn = drawn.min(pile);
                let mut at_least = 1.0;
                for (k, chance) in row.iter_mut().enumerate() {
                    let more = at_least - hypergeometric(pile, pairing.min(pile), drawn, k);
                    *chance = if more > 1e-9 { (more / at_least) as f32 } else { 0.0 };
                    at_least = more.max(0.0);
                }
            }
            table.push(rows);
        }
    }
    table
});

/// The chance to draw exactly `k` of `good` cards in `drawn` of `pile`.
fn hypergeometric(pile: usize, good: usize, drawn: usize, k: usize) -> f64 {
    let ways = |n, k| choose(n, k) as f64;
    if k > drawn { 0.0 } else { ways(good, k) * ways(pile - good, drawn - k) / ways(pile, drawn) }
}

/// The chances for a pile and a draw of so many cards.
#[inline]
pub fn chances(pile: usize, drawn: usize) -> &'static Chances {
    &CHANCES[pile * (MAX_HAND + 1) + drawn.min(MAX_HAND)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two of six cards pair and three are drawn: 16 of the 20 draws hold one of them or more, 4 hold both.
    /// The second is drawn in 4 of those 16.
    #[test]
    fn chances_are_hypergeometric() {
        assert_eq!(chances(6, 3)[2], [16.0 / 20.0, 4.0 / 16.0, 0.0, 0.0]);
        // All cards are drawn, and more are asked for than there are.
        assert_eq!(chances(4, 5)[3], [1.0, 1.0, 1.0, 0.0]);
        assert_eq!(chances(0, 0)[0], [0.0; HEIGHT]);
    }
}
