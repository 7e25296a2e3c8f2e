//! The penalty for knowing the deck: its mean is zero for uninformed players.
//!
//! Whenever cards are drawn or dealt, the penalty is w · (f − E f). Here f are [`FEATURES`] of the open columns, the suits of
//! the hand afterwards and the cards that came; E f is their mean over all cards that could have come, given the cards of
//! the pile; w are weights. A player who does not know the cards that come pays 0 on average, whatever the weights: these cards
//! are a uniformly drawn part of the pile, and everything else that f depends on is known before. So for any such player the
//! mean of points less penalties is the mean of the points. The most that points less penalties can be with the deck known,
//! averaged over deals, is an upper bound of it (Brown, Smith and Sun 2010). Weights decide how close the bound is and never
//! whether it holds; those of `models/verslun-penalty.toml` were fitted by the program `fit_verslun_penalty`, on deals of their own.
//!
//! E f is exact, with one exception: the mean of `foresight` over deals is taken from sampled deals. They are drawn apart from the deck,
//! so that an uninformed player still pays nothing on average.
//!
//! Of the hand before a draw only the number of cards of each suit counts. So the ways that `known_deck` leaves out are rightly left out
//! here too: it exchanges cards of one suit, and the uses of claimed columns. Where aces or ranks pair across suits, cards of
//! several suits are exchanged, and nothing but the number of cards in the hand counts: draws surprise by their points alone. A
//! deal takes the place of the whole hand, so that its features are the same under all rules.

#![allow(clippy::needless_range_loop, reason = "several lists are walked side by side")]

use super::foresight::{self, Suits};
use crate::cards::{Card, CardSet};
use crate::models;
use crate::verslun::binomial;
use crate::verslun::deck::{CARDS, lane, points, points_of};
use crate::verslun::rules::{HEIGHT, MAX_COLUMNS, Rules};
use arrayvec::ArrayVec;
use knave_agents::rng::{Role, below, stream};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// The features of an event, in order.
pub const FEATURES: [&str; N] =
    ["best", "second", "all", "stuck", "complete", "points", "foresight", "column_points", "column_height"];
/// The number of features.
pub const N: usize = 9;
/// The number of those that follow from the suits of the hand.
const OF_SUITS: usize = 5;
const POINTS: usize = 5;
const FORESIGHT: usize = 6;
// Of deals alone.
const COLUMN_POINTS: usize = 7;
const COLUMN_HEIGHT: usize = 8;
/// The number of cases with weights of their own: a draw or a deal, the open columns before (from 4 on alike), and the redeals
/// that the pile has cards for afterwards (from 3 on alike).
pub const CASES: usize = 2 * 5 * 4;
/// The deals that are sampled for an event.
const SAMPLES: usize = 64;
/// The points that a partner is worth.
const PARTNER: f64 = 7.0;

/// Weights for every case.
pub type Weights = [[f64; N]; CASES];

/// The weights in use.
#[must_use]
pub fn fitted() -> Arc<Weights> {
    static WEIGHTS: LazyLock<Arc<Weights>> = LazyLock::new(|| {
        let rows: BTreeMap<String, BTreeMap<String, f64>> =
            models::weights(include_str!("../models/verslun-penalty.toml"), "weights");
        let mut weights = [[0.0; N]; CASES];
        for (case, row) in &rows {
            let place = (0..CASES).find(|&place| case_name(place) == *case);
            let place = place.unwrap_or_else(|| unreachable!("a test reads this file: {case}"));
            weights[place] = FEATURES.map(|name| row.get(name).copied().unwrap_or(0.0));
        }
        Arc::new(weights)
    });
    Arc::clone(&WEIGHTS)
}

/// The name of a case in the file of weights.
#[must_use]
pub fn case_name(case: usize) -> String {
    let event = ["draw", "deal"][case / 20];
    format!("{event}-open{}-redeals{}", case / 4 % 5, case % 4)
}

/// A random event: cards that come while the pile holds `unseen`.
#[derive(Copy, Clone, Debug)]
pub struct CardEvent<'a> {
    /// The open columns, from the bottom up; without the one that is dealt.
    pub open: &'a [[u8; HEIGHT]],
    /// The hand before; empty for a deal.
    pub hand: u64,
    /// The cards in the pile before.
    pub unseen: u64,
    /// The column that is dealt, if one is.
    pub column: Option<[u8; HEIGHT]>,
    /// The cards that come to the hand.
    pub drawn: u64,
    /// The rules.
    pub rules: Rules,
    /// What decides about sampled deals.
    pub seed: u64,
}

/// How many of these cards are of each suit.
pub(super) fn suits(cards: u64) -> Suits {
    std::array::from_fn(|s| lane(cards, s).count_ones() as u8)
}

fn worth(cards: u64) -> f64 {
    points_of(cards).into()
}

/// The height to which a column can be claimed with a hand of these suits.
fn height(column: &[u8; HEIGHT], hand: &Suits) -> usize {
    let mut left = *hand;
    let able = |id: &&u8| {
        let left = &mut left[usize::from(**id >> 4)];
        *left = left.wrapping_sub(1);
        *left != u8::MAX
    };
    column.iter().take_while(able).count()
}

/// The features that follow from the suits of the hand.
fn of_suits<'a>(open: impl Iterator<Item = &'a [u8; HEIGHT]>, hand: &Suits) -> [f64; OF_SUITS] {
    let (mut best, mut second, mut all, mut complete) = (0.0_f64, 0.0_f64, 0.0, 0.0);
    for column in open {
        let height = height(column, hand);
        let sum: f64 = column[..height].iter().map(|&id| f64::from(points(id)) + PARTNER).sum();
        second = second.max(sum.min(best));
        best = best.max(sum);
        all += sum;
        complete += f64::from(u8::from(height == HEIGHT));
    }
    [best / 10.0, second / 10.0, all / 10.0, f64::from(u8::from(best == 0.0)), complete]
}

/// The number of ways to draw `k` of `n` cards.
fn choose(n: u8, k: u8) -> f64 {
    binomial::choose(n.into(), k.into()) as f64
}

/// Calls `f` with the suits of every draw of `size` of cards of these suits, and in how many ways it comes.
fn draws(from: &Suits, size: u8, mut f: impl FnMut(&Suits, f64)) {
    for a in 0..=size.min(from[0]) {
        for b in 0..=(size - a).min(from[1]) {
            for c in 0..=(size - a - b).min(from[2]) {
                let d = size - a - b - c;
                if d <= from[3] {
                    let ways =
                        choose(from[0], a) * choose(from[1], b) * choose(from[2], c) * choose(from[3], d);
                    f(&[a, b, c, d], ways);
                }
            }
        }
    }
}

/// The mean height to which a column dealt from cards of these suits can be claimed with a hand of `size` dealt after it: the
/// chances of each height and more added up. Which cards of the column are dealt first makes no difference to its
/// lowest cards, and the hand is a uniform draw of the cards but those.
fn mean_height(from: &Suits, size: u8) -> f64 {
    /// The ways in which the next cards of the column come, each times the chance of a hand that pairs with all so far.
    fn go(left: &mut Suits, needed: &mut Suits, height: usize, ways: f64, size: u8) -> f64 {
        if height == 0 {
            let mut able = 0.0;
            draws(left, size, |hand, ways| {
                if (0..4).all(|s| hand[s] >= needed[s]) {
                    able += ways;
                }
            });
            return ways * able / choose(left.iter().sum(), size);
        }
        let mut sum = 0.0;
        for s in 0..4 {
            if left[s] > 0 {
                let ways = ways * f64::from(left[s]);
                left[s] -= 1;
                needed[s] += 1;
                sum += go(left, needed, height - 1, ways, size);
                left[s] += 1;
                needed[s] -= 1;
            }
        }
        sum
    }
    let n: u8 = from.iter().sum();
    let at_least = |height: usize| {
        let orders: f64 = (0..height as u8).map(|i| f64::from(n - i)).product();
        go(&mut from.clone(), &mut [0; 4], height, 1.0, size) / orders
    };
    (1..=HEIGHT).map(at_least).sum()
}

impl CardEvent<'_> {
    /// The case of the event.
    fn case(&self) -> usize {
        let gone = self.drawn.count_ones() as usize + if self.column.is_some() { HEIGHT } else { 0 };
        let left = self.unseen.count_ones() as usize - gone;
        let redeals = left / self.rules.redealt();
        20 * usize::from(self.column.is_some()) + 4 * self.open.len().min(4) + redeals.min(3)
    }

    /// The case of the event and f − E f for each feature.
    #[must_use]
    pub fn surprise(&self) -> (usize, [f64; N]) {
        let count = self.drawn.count_ones() as u8;
        let mean = worth(self.unseen) / f64::from(self.unseen.count_ones());
        let mut surprise = [0.0; N];
        surprise[POINTS] = (worth(self.drawn) - f64::from(count) * mean) / 10.0;
        if self.column.is_none() && !self.rules.suits_only() {
            return (self.case(), surprise);
        }
        let came = suits(self.hand | self.drawn);
        surprise[..OF_SUITS].copy_from_slice(&of_suits(self.open.iter(), &came));
        let (before, unseen) = (suits(self.hand), suits(self.unseen));
        let all = choose(self.unseen.count_ones() as u8, count);
        let foresee =
            |drawn: &Suits| foresight::after_draw(&self.rules, self.open, self.unseen, &before, drawn);
        surprise[FORESIGHT] = match self.column {
            None => foresee(&suits(self.drawn)) / 10.0,
            Some(column) => self.foresight_of_deal(column) / 10.0,
        };
        draws(&unseen, count, |drawn, ways| {
            let hand = std::array::from_fn(|s| before[s] + drawn[s]);
            for (sum, f) in surprise.iter_mut().zip(of_suits(self.open.iter(), &hand)) {
                *sum -= f * ways / all;
            }
            if self.column.is_none() {
                surprise[FORESIGHT] -= foresee(drawn) / 10.0 * ways / all;
            }
        });
        if let Some(column) = &self.column {
            let sum: f64 = column.iter().map(|&id| f64::from(points(id))).sum();
            surprise[COLUMN_POINTS] = (sum - HEIGHT as f64 * mean) / 10.0;
            surprise[COLUMN_HEIGHT] = height(column, &came) as f64 - mean_height(&unseen, count);
        }
        (self.case(), surprise)
    }

    /// The foresight of a deal less its mean over sampled ones.
    fn foresight_of_deal(&self, column: [u8; HEIGHT]) -> f64 {
        let mut open: ArrayVec<_, MAX_COLUMNS> = self.open.iter().copied().collect();
        open.push(column);
        let last = open.len() - 1;
        let came = foresight::after_deal(&self.rules, &open, self.unseen, self.drawn);
        let mut cards: ArrayVec<u8, CARDS> =
            CardSet::from_bits(self.unseen).into_iter().map(Card::id).collect();
        // One list of samples for all events with so many cards in the pile.
        let mut rng = stream(self.seed, cards.len() as u64, Role::Chance);
        let dealt = HEIGHT + self.drawn.count_ones() as usize;
        let mut sum = 0.0;
        for _ in 0..SAMPLES {
            for i in 0..dealt {
                let j = i + below(&mut rng, (cards.len() - i) as u32) as usize;
                cards.swap(i, j);
            }
            open[last].copy_from_slice(&cards[..HEIGHT]);
            let drawn = CardSet::of_ids(&cards[HEIGHT..dealt]).bits();
            sum += foresight::after_deal(&self.rules, &open, self.unseen, drawn);
        }
        came - sum / SAMPLES as f64
    }
}
