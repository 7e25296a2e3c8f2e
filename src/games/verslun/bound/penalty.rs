//! The penalty for knowing the deck: its mean is zero for uninformed players.
//!
//! Whenever cards are drawn or dealt, the penalty is w · (f − E f). Here f are [`FEATURES`] of the open columns, the suits of
//! the hand afterwards and the cards that came; E f is their exact mean over all cards that could have come, given the cards of
//! the pile; w are weights. A player who does not know the cards that come pays 0 on average, whatever the weights: these cards
//! are a uniformly drawn part of the pile, and everything else that f depends on is known before. So for any such player the
//! mean of points less penalties is the mean of the points. The most that points less penalties can be with the deck known,
//! averaged over deals, is an upper bound of it (Brown, Smith and Sun 2010). Weights decide how close the bound is and never
//! whether it holds; those of
//! `models/verslun-penalty.toml` were fitted by the program `fit_verslun_penalty`, on deals of their own.
//!
//! Of the hand only the number of cards of each suit counts. So the ways that
//! `known_deck` leaves out are rightly left out here too: it exchanges cards of
//! one suit, and the uses of claimed columns.

#![allow(clippy::needless_range_loop, reason = "several lists are walked side by side")]

use crate::games::models;
use crate::games::verslun::binomial;
use crate::games::verslun::clairvoyant::known_deck::KnownDeck;
use crate::games::verslun::deck::{lane, points, points_of};
use crate::games::verslun::rules::HEIGHT;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

/// The features of an event, in order; the last two are of deals alone.
pub const FEATURES: [&str; N] =
    ["best", "second", "all", "stuck", "complete", "points", "column_points", "column_height"];
/// The number of features.
pub const N: usize = 8;
/// The number of those that follow from the suits of the hand.
const OF_SUITS: usize = 5;
/// The number of cases with weights of their own: a draw or a deal, the open columns before (from 4 on alike), and the redeals
/// that the pile has cards for afterwards (from 3 on alike).
pub const CASES: usize = 2 * 5 * 4;
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
    /// The cards that a redeal takes.
    pub redealt: usize,
}

/// How many cards are of each suit.
type Suits = [u8; 4];

fn suits(cards: u64) -> Suits {
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

/// Calls `f` with the suits of every hand of `size` of cards of these suits, and in how many ways it comes.
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
        case(self.column.is_some(), self.open.len(), left / self.redealt)
    }

    /// The size of the hand afterwards.
    fn size(&self) -> u8 {
        (self.hand | self.drawn).count_ones() as u8
    }

    /// The case of the event and f − E f for each feature, worked out from scratch.
    #[must_use]
    pub fn surprise(&self) -> (usize, [f64; N]) {
        let came = suits(self.hand | self.drawn);
        let mut surprise = [0.0; N];
        surprise[..OF_SUITS].copy_from_slice(&of_suits(self.open.iter(), &came));
        let (before, unseen) = (suits(self.hand), suits(self.unseen));
        let count = self.drawn.count_ones() as u8;
        let all = choose(self.unseen.count_ones() as u8, count);
        draws(&unseen, count, |drawn, ways| {
            let hand = std::array::from_fn(|s| before[s] + drawn[s]);
            for (sum, f) in surprise.iter_mut().zip(of_suits(self.open.iter(), &hand)) {
                *sum -= f * ways / all;
            }
        });
        self.surprise_beyond_suits(&mut surprise, &came);
        (self.case(), surprise)
    }

    /// The features that do not follow from the suits of the hand alone.
    fn surprise_beyond_suits(&self, surprise: &mut [f64; N], came: &Suits) {
        let mean = worth(self.unseen) / f64::from(self.unseen.count_ones());
        let count = f64::from(self.drawn.count_ones());
        surprise[OF_SUITS] = (worth(self.drawn) - count * mean) / 10.0;
        if let Some(column) = &self.column {
            let sum: f64 = column.iter().map(|&id| f64::from(points(id))).sum();
            surprise[OF_SUITS + 1] = (sum - HEIGHT as f64 * mean) / 10.0;
            let expected = mean_height(&suits(self.unseen), self.size());
            surprise[OF_SUITS + 2] = height(column, came) as f64 - expected;
        }
    }
}

fn case(deal: bool, open: usize, redeals: usize) -> usize {
    20 * usize::from(deal) + 4 * open.min(4) + redeals.min(3)
}

/// The penalties of one deal, with a cache.
pub(in crate::games::verslun) struct Penalties {
    weights: Arc<Weights>,
    /// The weighted features that follow from the suits of the hand, by the open columns and the case.
    tables: HashMap<(u64, u8), Vec<f64>>,
    /// Their means, by the open columns, the place of the pile's top card and the suits of the hand before.
    means: HashMap<(u64, u64), f64>,
    /// The mean height of a column that is dealt, by the place of the pile's top card.
    heights: Vec<Option<f64>>,
}

impl Penalties {
    pub fn new(weights: Arc<Weights>) -> Self {
        Self { weights, tables: HashMap::new(), means: HashMap::new(), heights: Vec::new() }
    }

    /// Forgets the last deal.
    pub fn begin(&mut self) {
        self.tables.clear();
        self.means.clear();
        self.heights.clear();
        self.heights.resize(64, None);
    }

    /// The penalty for the cards that come at this place of the deck, with this hand and these open columns: the weighted sum
    /// of [`CardEvent::surprise`].
    pub fn cost(&mut self, deck: &KnownDeck, open: u64, hand: u64, head: usize, deal: bool) -> f64 {
        let unseen = deck.range(head, deck.len);
        let left = deck.len - head;
        let (from, size) = (head + if deal { HEIGHT } else { 0 }, usize::from(deck.rules.hand));
        let to = deck.len.min(from + size - hand.count_ones() as usize);
        let drawn = deck.range(from, to);
        if !deal && to == deck.len {
            // All that is left comes.
            return 0.0;
        }
        let case = case(deal, open.count_ones() as usize, (deck.len - to) / deck.rules.redealt());
        let weights = &self.weights[case];
        let came = suits(hand | drawn);
        let index = |hand: &Suits| {
            let base = size + 1;
            (usize::from(hand[0]) * base + usize::from(hand[1])) * base + usize::from(hand[2])
        };
        let weigh = |hand: &Suits| -> f64 {
            let features = of_suits(deck.open_columns(open), hand);
            features.iter().zip(weights).map(|(f, w)| f * w).sum()
        };
        let table = self.tables.entry((open, case as u8)).or_insert_with(|| {
            let mut table = vec![0.0; (size + 1).pow(3)];
            draws(&[size as u8; 4], size as u8, |hand, _| table[index(hand)] = weigh(hand));
            table
        });
        let before = suits(hand);
        let key = (open, (head as u64) << 32 | u64::from(u32::from_le_bytes(before)) | u64::from(deal) << 63);
        let count = drawn.count_ones() as u8;
        let mean = *self.means.entry(key).or_insert_with(|| {
            let (mut mean, all) = (0.0, choose(left as u8, count));
            draws(&suits(unseen), count, |drawn, ways| {
                mean += table[index(&std::array::from_fn(|s| before[s] + drawn[s]))] * (ways / all);
            });
            mean
        });
        let mut cost = table[index(&came)] - mean;
        let each = worth(unseen) / left as f64;
        cost += weights[OF_SUITS] * (worth(drawn) - f64::from(count) * each) / 10.0;
        if deal {
            let column = &deck.columns[head];
            let sum = f64::from(column.sums[HEIGHT]);
            cost += weights[OF_SUITS + 1] * (sum - HEIGHT as f64 * each) / 10.0;
            let expected = *self.heights[head].get_or_insert_with(|| mean_height(&suits(unseen), size as u8));
            cost += weights[OF_SUITS + 2] * (height(&column.cards, &came) as f64 - expected);
        }
        cost
    }
}
