//! Expectations over the next draw, exact as far as suits go.
//!
//! Draws are told apart by how many cards of each suit they bring. A card that is not known yet counts for the mean of its suit.
//! The last draw of all is known card by card.

use super::chances::chances;
use super::context::{Afterstate, DecisionContext, PARTNER, Upcoming};
use crate::verslun::binomial::choose;
use crate::verslun::claims::upwards;
use crate::verslun::deck::{highest, lane, points, points_of};
use crate::verslun::rules::HEIGHT;
use arrayvec::ArrayVec;

/// The points whose chances are counted.
const BOUNDS: [f32; 4] = [16.0, 30.0, 45.0, 60.0];

/// The most cards of one suit, and the most drawn cards that are told apart.
const SUIT: usize = 13;
const DRAWN: usize = 8;

/// [`choose`] for the draws of one suit, as `f32`.
const WAYS: [[f32; DRAWN + 1]; SUIT + 1] = {
    let (mut table, mut n) = ([[0.0; DRAWN + 1]; SUIT + 1], 0);
    while n <= SUIT {
        let mut k = 0;
        while k <= DRAWN {
            table[n][k] = choose(n, k) as f32;
            k += 1;
        }
        n += 1;
    }
    table
};

/// Expected claims after the next draw.
#[derive(Default)]
pub struct Draws {
    /// The points that the claim with the most is expected to bring.
    pub best: f32,
    /// The same for the best of another column.
    pub second: f32,
    /// The chances that the claim with the most brings at least [`BOUNDS`].
    pub at_least: [f32; 4],
    /// The points that two claims are expected to bring. The same as `best` where the second is not looked at: before a deal, where
    /// the draw leaves none or more than [`LAST`] cards, and with one open column.
    pub both: f32,
    weight: f32,
}

/// The most cards left in the pile after the draw for which the claim after the next is looked at.
const LAST: usize = 13;

/// A card of an open column: its suit, how many cards of it the claim takes by then, its points.
type Card = (u8, u8, f32);

/// A walk over all draws.
struct Walk<'a> {
    columns: ArrayVec<[Card; HEIGHT], 11>,
    /// The cards of each suit in the pile.
    pile: [usize; 4],
    /// The cards of each suit in the hand.
    hand: [u8; 4],
    /// The mean points of a partner, by suit and the number that is drawn of it.
    partner: [[f32; DRAWN + 1]; 4],
    /// The mean points of a card of each suit in the hand and the pile.
    means: [f32; 4],
    /// The cards of a full hand.
    full: usize,
    /// Whether the claim after the next is looked at.
    last: bool,
    draws: &'a mut Draws,
}

impl Draws {
    /// Over all draws. Where ranks pair too, suits alone are looked at.
    pub fn new(context: &DecisionContext, after: &Afterstate) -> Self {
        let mut draws = Self::default();
        let column =
            |place: usize| context.columns[place].map(|card| (card.suit, card.rank, card.worth - PARTNER));
        let mut walk = Walk {
            columns: after.open().map(column).collect(),
            pile: [0; 4],
            hand: [0; 4],
            partner: [[0.0; DRAWN + 1]; 4],
            means: [0.0; 4],
            full: usize::from(context.rules.hand),
            last: false,
            draws: &mut draws,
        };
        for suit in 0..4 {
            let (held, unseen) = (lane(after.hand, suit), lane(context.unseen, suit));
            let (count, number) = (held.count_ones(), unseen.count_ones());
            walk.pile[suit] = number as usize;
            walk.hand[suit] = count as u8;
            let (points, mean) =
                (f32::from(points_of(held)), f32::from(points_of(unseen)) / number.max(1) as f32);
            let all = points_of(held | unseen);
            walk.means[suit] = f32::from(all) / (count + number).max(1) as f32;
            for (k, partner) in walk.partner[suit].iter_mut().enumerate() {
                *partner = (points + k as f32 * mean) / (count as f32 + k as f32).max(1.0);
            }
        }
        let drawn = after.drawn(context).min(DRAWN).min(context.pile);
        if after.upcoming != Upcoming::Deal && (1..=LAST).contains(&(context.pile - drawn)) {
            walk.last = walk.columns.len() > 1;
        }
        walk.suit(drawn);
        let weight = draws.weight.max(f32::MIN_POSITIVE);
        draws.best /= weight;
        draws.second /= weight;
        draws.both /= weight;
        draws.at_least.iter_mut().for_each(|chance| *chance /= weight);
        draws
    }
}

impl Walk<'_> {
    /// The expectation of the best other column after a claim of `first`. The claim leaves so many cards of each suit in the
    /// hand (`left`) and `rest` cards in the pile, by suits in `pile`.
    fn then(&self, first: usize, left: &[u8; 4], rest: usize, pile: &[u8; 4]) -> f32 {
        let held: u8 = left.iter().sum();
        let chances = chances(rest, self.full - usize::from(held));
        let mut best = 0.0;
        for (place, column) in self.columns.iter().enumerate() {
            if place == first {
                continue;
            }
            let (mut chance, mut points) = (1.0, 0.0);
            for &(suit, taken, own) in column {
                let suit = usize::from(suit) & 3;
                if taken > left[suit] {
                    chance *= chances[usize::from(pile[suit]) % chances.len()]
                        [usize::from(taken - left[suit] - 1) & 3];
                    if chance == 0.0 {
                        break;
                    }
                }
                points += chance * (own + self.means[suit]);
            }
            best = more(best, points);
        }
        best
    }

    /// Counts every way to spread the drawn cards over the suits.
    fn suit(&mut self, drawn: usize) {
        let pile = self.pile;
        let ways =
            |suit: usize, most: usize| WAYS[pile[suit]].iter().enumerate().take(most.min(pile[suit]) + 1);
        for (a, ways_a) in ways(0, drawn) {
            for (b, ways_b) in ways(1, drawn - a) {
                let rest = drawn - a - b;
                for (c, ways_c) in ways(2, rest).skip(rest.saturating_sub(pile[3])) {
                    let d = rest - c;
                    self.count([a, b, c, d], ways_a * ways_b * ways_c * WAYS[pile[3]][d]);
                }
            }
        }
    }

    /// Counts the draws of so many cards of each suit, of which there are `weight`.
    #[inline]
    fn count(&mut self, drawn: [usize; 4], weight: f32) {
        let partner: [f32; 4] = std::array::from_fn(|suit| self.partner[suit][drawn[suit]]);
        let there: [u8; 4] = std::array::from_fn(|suit| self.hand[suit] + drawn[suit] as u8);
        let (mut best, mut second) = (0.0, 0.0);
        for column in &self.columns {
            let mut points = 0.0;
            for &(suit, taken, own) in column {
                let suit = usize::from(suit) & 3;
                if taken > there[suit] {
                    break;
                }
                points += own + partner[suit];
            }
            second = more(second, if points < best { points } else { best });
            best = more(best, points);
        }
        let both = if self.last { more(self.both(drawn, &there, &partner), best) } else { best };
        let draws = &mut *self.draws;
        draws.weight += weight;
        draws.best += weight * best;
        draws.both += weight * both;
        draws.second += weight * second;
        for (chance, bound) in draws.at_least.iter_mut().zip(BOUNDS) {
            *chance += if best >= bound { weight } else { 0.0 };
        }
    }

    /// The best expectation of a claim and the one after it, with so many cards of each suit in the hand (`there`).
    fn both(&self, drawn: [usize; 4], there: &[u8; 4], partner: &[f32; 4]) -> f32 {
        let pile: [u8; 4] = std::array::from_fn(|suit| (self.pile[suit] - drawn[suit]) as u8);
        let rest = pile.iter().sum::<u8>().into();
        let mut both = 0.0;
        for (place, column) in self.columns.iter().enumerate() {
            let (mut points, mut left) = (0.0, *there);
            for &(suit, taken, own) in column {
                let suit = usize::from(suit) & 3;
                if taken > there[suit] {
                    break;
                }
                points += own + partner[suit];
                left[suit] -= 1;
                both = more(both, points + self.then(place, &left, rest, &pile));
            }
        }
        both
    }
}

/// The greater of two numbers, in one instruction: [`f32::max`] would also test for NaN.
fn more(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// The final score where the next draw takes the whole pile and suits alone decide what pairs. Nothing is left to chance
/// then, and there is one claim more.
pub fn end(context: &DecisionContext, after: &Afterstate) -> Option<f32> {
    let drawn = after.drawn(context);
    if after.upcoming != Upcoming::Draw || drawn < context.pile || !context.rules.suits_only() {
        return None;
    }
    let claim = |place: usize| {
        let column = &context.columns[place];
        let partners = upwards(column.iter().map(|card| card.pairing), after.hand | context.unseen, highest);
        let pairs = column.iter().zip(partners);
        pairs.map(|(card, id)| card.worth as u16 - PARTNER as u16 + u16::from(points(id))).sum::<u16>()
    };
    Some(f32::from(after.points + after.open().map(claim).max().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verslun::bits::subsets;
    use crate::verslun::value::context::ColumnCard;
    use crate::verslun::value::rule::Rule;
    use crate::verslun::{Move, Phase, Rules, Verslun};
    use knave_agents::rng::stream;
    use knave_agents::{Game as _, Policy as _, Role, Turn};

    /// Calls `f` with positions that are about to draw with few cards in the pile.
    fn draws(mut f: impl FnMut(&Verslun, &DecisionContext, &Afterstate)) {
        let mut line = Vec::new();
        for index in 0..400 {
            let mut rng = stream(47, index, Role::Deal);
            let mut position = Verslun::deal(&Rules::default(), &mut rng);
            while position.turn() != Turn::Over {
                if position.turn() == Turn::Chance {
                    let board = position.board();
                    if board.phase == Phase::Drawing && position.pile_len() <= 9 {
                        let context = DecisionContext::new(&board, position.unseen());
                        f(&position, &context, &Afterstate::new(&board, &context, Upcoming::Draw));
                    }
                    position.roll(&mut rng);
                    continue;
                }
                Rule::fitted().plan(&position, &mut line, &mut rng);
                line.iter().for_each(|&m| position.play(m));
            }
        }
    }

    /// Chances and expectations of the best two columns agree with all draws one by one. Two claims bring no less than the
    /// best one.
    #[test]
    fn every_draw_counts_once() {
        let mut seen = 0;
        draws(|_, context, after| {
            let found = Draws::new(context, after);
            let mut all = Vec::new();
            subsets(context.unseen, after.drawn(context).min(context.pile), &mut |drawn| all.push(drawn));
            let (mut best, mut second, mut at_least) = (0.0, 0.0, [0.0; 4]);
            for drawn in &all {
                // A card of the pile counts for the mean of its suit there.
                let worth = |suit: usize| {
                    let [held, drawn, unseen] =
                        [after.hand, *drawn, context.unseen].map(|cards| lane(cards, suit));
                    let mean = f64::from(points_of(unseen)) / f64::from(unseen.count_ones().max(1));
                    let sum = f64::from(points_of(held)) + f64::from(drawn.count_ones()) * mean;
                    sum / f64::from((held | drawn).count_ones().max(1))
                };
                let claim = |place: usize| {
                    let column = &context.columns[place];
                    let any = |cards: u64| (cards != 0).then(|| cards.trailing_zeros() as u8);
                    let partners = upwards(column.iter().map(|card| card.pairing), after.hand | drawn, any);
                    let pair =
                        |card: &ColumnCard| f64::from(card.worth - PARTNER) + worth(usize::from(card.suit));
                    column.iter().zip(partners).map(|(card, _)| pair(card)).sum::<f64>()
                };
                let mut claims: Vec<f64> = after.open().map(claim).collect();
                claims.extend([0.0; 2]);
                claims.sort_by(|a, b| b.total_cmp(a));
                best += claims[0] / all.len() as f64;
                second += claims[1] / all.len() as f64;
                for (chance, bound) in at_least.iter_mut().zip(BOUNDS) {
                    *chance +=
                        if claims[0] >= f64::from(bound) - 1e-4 { 1.0 / all.len() as f64 } else { 0.0 };
                }
            }
            assert!((f64::from(found.best) - best).abs() < 1e-3, "{} {best}", found.best);
            assert!((f64::from(found.second) - second).abs() < 1e-3, "{} {second}", found.second);
            for (found, chance) in found.at_least.iter().zip(at_least) {
                assert!((f64::from(*found) - chance).abs() < 1e-3, "{found} {chance}");
            }
            assert!(found.both > found.best - 1e-3);
            seen += 1;
        });
        assert!(seen > 300, "{seen}");
    }

    /// Where the draw takes the whole pile, the best claim ends the game with the promised points. Otherwise nothing is
    /// promised.
    #[test]
    fn the_last_claim_is_known() {
        let mut last = 0;
        draws(|position, context, after| {
            let promised = end(context, after);
            assert_eq!(promised.is_some(), after.drawn(context) >= context.pile);
            let Some(promised) = promised else { return };
            let mut next = position.clone();
            next.roll(&mut stream(1, 1, Role::Chance));
            if next.turn() != Turn::Over && next.board().phase == Phase::Redeal {
                next.play(Move::Keep);
            }
            let (mut moves, mut best) = (Vec::new(), next.board().points);
            if next.turn() != Turn::Over {
                next.moves(&mut moves);
            }
            for &m in &moves {
                let mut claimed = next.clone();
                claimed.play(m);
                best = best.max(claimed.board().points);
            }
            assert_eq!(promised, f32::from(best));
            last += 1;
        });
        assert!(last > 50, "{last}");
    }
}
