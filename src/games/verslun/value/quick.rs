//! The policy `quick`: a few weights on sums that are read off a table, for millions of games a second.
//!
//! It decides every move from the view alone. A claim takes the highest partners; it is worth its points and what it
//! leaves behind, a redeal likewise. What the open columns will bring is guessed from how many cards of each suit the hand
//! holds, as if the cards to be drawn had any suit with the same chance.

use super::best_turn::highest;
use super::rule::Rule;
use crate::games::verslun::board::{Board, Claim, Move, Phase, points};
use crate::games::verslun::claims::{SMALL, SPREAD, SPREADS, pairing, sort_by_suit, suits};
use crate::games::verslun::rules::{HEIGHT, Rules};
use crate::games::verslun::steps::lowest;
use crate::games::verslun::{Verslun, View};
use knave_agents::{Game as _, Policy, Rng};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// The number of weights.
pub const N: usize = 23;

/// What the weights weigh, in order: for a draw and for a redeal the open columns that are left by their number, the pile
/// after it, and the rest.
pub const NAMES: [&str; N] = [
    "none_open",
    "one_open",
    "two_open",
    "three_open",
    "pile",
    "open_and_pile",
    "columns",
    "best_column",
    "columns_and_pile",
    "hand_points",
    "lowest",
    "lowest_and_pile",
    "redeal_none_open",
    "redeal_one_open",
    "redeal_two_open",
    "redeal_three_open",
    "redeal_pile",
    "redeal_columns",
    "redeal_best_column",
    "redeal_lowest",
    "redeal_lowest_and_pile",
    "redeal_open_and_pile",
    "rich",
];

/// The policy `quick`.
#[derive(Clone, Debug)]
pub struct Quick {
    /// The weights, in points, in the order of [`NAMES`].
    pub weights: [f32; N],
    rule: Arc<Rule>,
}

/// The columns under these rules.
const COLUMNS: usize = 4;

/// The points of a partner that is not known yet.
const PARTNER: u8 = 7;

/// The chances that the first card of a column is paired, the first two, three and all, in 255ths and a byte each, by the
/// spread of the hand over the suits and the suits of the column.
static CHANCES: LazyLock<Vec<[u32; 256]>> = LazyLock::new(|| {
    let mut table = vec![[0; 256]; SPREADS];
    for code in 0..SPREAD.len() {
        let held = [0, 1, 2, 3].map(|suit| code >> (3 * suit) & 7);
        let drawn = SMALL.saturating_sub(held.iter().sum());
        if held.iter().sum::<usize>() > SMALL {
            continue;
        }
        // The chance to draw at least so many of one suit.
        let mut at_least = [1.0_f64; HEIGHT + 1];
        for k in 1..=HEIGHT {
            let ways = (0..k - 1).fold(1.0, |ways, i| ways * (drawn as f64 - i as f64) / (i + 1) as f64);
            let exactly = ways * 0.25_f64.powi(k as i32 - 1) * 0.75_f64.powi(drawn as i32 - k as i32 + 1);
            at_least[k] = if k > drawn { 0.0 } else { at_least[k - 1] - exactly };
        }
        for (suits, entry) in table[usize::from(SPREAD[code])].iter_mut().enumerate() {
            let mut needed = [0; 4];
            for at in 0..HEIGHT {
                needed[suits >> (2 * at) & 3] += 1;
                let chance: f64 = (0..4).map(|s| at_least[needed[s].max(held[s]) - held[s]]).product();
                *entry |= ((chance * 255.0).round() as u32) << (8 * at);
            }
        }
    }
    table
});

/// The open columns of a decision.
struct Columns<'a> {
    chances: &'a [[u32; 256]],
    open: u16,
    suits: [usize; COLUMNS],
    /// What a pair with each card brings, a byte a card, in quarters.
    worth: [u32; COLUMNS],
}

impl Columns<'_> {
    fn new(board: &Board, unseen: u64, rich: f32) -> Self {
        // A card is worth more where the pile has more of its suit than of others; in eighths.
        let all = unseen.count_ones().max(1) as f32;
        let factors: [u32; 4] = std::array::from_fn(|suit| {
            let share = (unseen >> (16 * suit) & 0xffff).count_ones() as f32 / all;
            (8.0 + 8.0 * rich * (4.0 * share - 1.0)).clamp(0.0, 28.0) as u32
        });
        let mut columns =
            Self { chances: &CHANCES, open: board.open_places(), suits: [0; COLUMNS], worth: [0; COLUMNS] };
        for place in board.open() {
            let cards = board.columns[place];
            columns.suits[place] = suits(cards);
            let worth =
                |id: u8| (u32::from(points(id) + PARTNER) * factors[usize::from(id >> 4) & 3] / 2) as u8;
            columns.worth[place] = u32::from_le_bytes(cards.map(worth));
        }
        columns
    }

    /// What the open columns but one are likely to bring, together and the best of them, in 40 points.
    #[inline]
    fn bring(&self, spread: usize, but: usize) -> (f32, f32) {
        let row = &self.chances[spread];
        let (mut all, mut best, mut open) = (0, 0, self.open & !(1 << but));
        while open != 0 {
            let place = open.trailing_zeros() as usize % COLUMNS;
            open &= open - 1;
            let (chances, worth) = (row[self.suits[place] & 255], self.worth[place]);
            let byte = |at: u32| (chances >> (8 * at) & 255) * (worth >> (8 * at) & 255);
            let brings = byte(0) + byte(1) + byte(2) + byte(3);
            all += brings;
            best = best.max(brings);
        }
        let scale = |sum: u32| sum as f32 * (1.0 / (255.0 * 4.0 * 40.0));
        (scale(all), scale(best))
    }
}

/// The spread of a hand over the suits, 3 bits a suit.
#[inline]
fn code(hand: u64) -> usize {
    let count = |suit: u32| ((hand >> (16 * suit) & 0xffff).count_ones() as usize) << (3 * suit);
    count(0) | count(1) | count(2) | count(3)
}

fn share(pile: usize) -> f32 {
    pile as f32 * (1.0 / 36.0)
}

/// How poor a column is that can be given up.
fn poor(lowest: u8) -> f32 {
    f32::from(40_u8.saturating_sub(lowest)) * (1.0 / 40.0)
}

impl Quick {
    /// The policy with these weights.
    #[must_use]
    pub fn new(weights: [f32; N]) -> Self {
        Self { weights, rule: Rule::fitted() }
    }

    /// The policy with the weights of `agents/models/verslun-quick.toml`.
    #[must_use]
    pub fn fitted() -> Arc<Self> {
        Arc::clone(&QUICK)
    }

    /// The points that are expected beyond those of now where the hand is filled.
    #[inline]
    fn draw(&self, columns: &Columns<'_>, but: usize, pile: usize, hand: (usize, u8), lowest: u8) -> f32 {
        let (code, hand_points) = hand;
        let w = &self.weights;
        let (all, best) = columns.bring(usize::from(SPREAD[code]), but);
        let open = (columns.open & !(1 << but)).count_ones() as usize;
        let held = (code & 7) + (code >> 3 & 7) + (code >> 6 & 7) + (code >> 9);
        let after = pile.saturating_sub(SMALL - held.min(SMALL));
        let pile = share(after);
        let poor = if after >= HEIGHT + SMALL { poor(lowest) } else { 0.0 };
        w[open.min(3)]
            + pile * (w[4] + w[5] * open as f32 + w[8] * all + w[11] * poor)
            + w[6] * all
            + w[7] * best
            + w[9] * f32::from(hand_points)
            + w[10] * poor
    }

    /// The same where the poorest column is given up, of which the points are to be taken off.
    #[inline]
    fn deal(&self, columns: &Columns<'_>, pile: usize, next_lowest: u8) -> f32 {
        let w = &self.weights[12..];
        let (all, best) = columns.bring(usize::from(SPREAD[0]), 15);
        let open = columns.open.count_ones() as usize;
        let after = pile - (HEIGHT + SMALL);
        let pile = share(after);
        let poor = if after >= HEIGHT + SMALL { poor(next_lowest) } else { 0.0 };
        w[open.min(3)]
            + pile * (w[4] + w[8] * poor + w[9] * open as f32)
            + w[5] * all
            + w[6] * best
            + w[7] * poor
    }

    /// The best claim and its value.
    fn claim(&self, board: &Board, columns: &Columns<'_>, pile: usize, lowest: u8) -> Option<(f32, Claim)> {
        let hand = board.hand.bits();
        let (spread, all_points) =
            (code(hand), board.hand.into_iter().map(|card| points(card.id())).sum::<u8>());
        let mut best: Option<(f32, Claim)> = None;
        for place in board.open() {
            let (mut left, mut code, mut hand_points, mut gain) = (hand, spread, all_points, 0);
            let mut partners = [0; HEIGHT];
            for (at, &id) in board.columns[place].iter().enumerate() {
                let Some(partner) = highest(left & pairing(&board.rules, id)) else {
                    break;
                };
                partners[at] = partner;
                left &= !(1 << partner);
                code -= 1 << (3 * (id >> 4));
                hand_points -= points(partner);
                gain += points(partner) + points(id);
                let after = if pile == 0 {
                    0.0
                } else {
                    self.draw(columns, place, pile, (code, hand_points), lowest.min(gain))
                };
                let value = f32::from(gain) + after;
                if best.is_none_or(|(best, _)| value > best) {
                    best = Some((value, Claim { column: place as u8, partners }));
                }
            }
        }
        best
    }

    /// The move in a view of a game with one of the rules that the table is made for.
    #[must_use]
    pub fn decide(&self, view: &View) -> Option<Move> {
        let View { board, unseen } = view;
        if board.phase == Phase::End {
            return Some(Move::On);
        }
        if board.phase == Phase::Turn && board.claimed == 0 {
            return Some(Move::Draw);
        }
        if !made_for(&board.rules) {
            return None;
        }
        let pile = unseen.len();
        let mut worth = [u8::MAX; 2];
        for place in board.claimed() {
            let next = board.worth[place];
            worth = if next < worth[0] { [next, worth[0]] } else { [worth[0], worth[1].min(next)] };
        }
        let [first, second] = worth;
        let can_redeal = first < u8::MAX && pile >= HEIGHT + SMALL;
        match board.phase {
            Phase::Turn if !can_redeal => return Some(Move::Draw),
            Phase::Redeal if !can_redeal => return Some(Move::Keep),
            _ => {}
        }
        let columns = Columns::new(board, unseen.bits(), self.weights[N - 1]);
        let redeal = || self.deal(&columns, pile, second) - f32::from(first);
        match board.phase {
            Phase::Turn => {
                let held = board.hand.into_iter().map(|card| points(card.id())).sum();
                let draw = self.draw(&columns, 15, pile, (code(board.hand.bits()), held), first);
                Some(if redeal() > draw { Move::Stay } else { Move::Draw })
            }
            Phase::Redeal => {
                let kept = self.claim(board, &columns, pile, first).map_or(0.0, |(value, _)| value);
                (redeal() > kept).then(|| lowest(board).map(Move::Redeal)).flatten().or(Some(Move::Keep))
            }
            _ => self.claim(board, &columns, pile, first).map(|(_, mut claim)| {
                sort_by_suit(&mut claim.partners);
                Move::Claim(claim)
            }),
        }
    }
}

/// Whether the table is made for these rules.
fn made_for(rules: &Rules) -> bool {
    rules.suits_only() && usize::from(rules.hand) <= SMALL && usize::from(rules.columns) <= COLUMNS
}

impl Policy<Verslun> for Quick {
    fn choose(&self, position: &Verslun, buffer: &mut Vec<Move>, rng: &mut Rng) -> Move {
        self.decide(&position.view(0))
            .unwrap_or_else(|| Policy::<Verslun>::choose(&*self.rule, position, buffer, rng))
    }

    fn choose_by_view(&self, view: &View, _: &mut Rng) -> Option<Move> {
        self.decide(view)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[allow(dead_code)]
    made_by: String,
    weights: BTreeMap<String, f32>,
}

static QUICK: LazyLock<Arc<Quick>> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("../../../../agents/models/verslun-quick.toml"))
        .unwrap_or_else(|error| unreachable!("a test reads this file: {error}"));
    Arc::new(Quick::new(NAMES.map(|name| file.weights[name])))
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::verslun::rules::Match;
    use knave_agents::rng::stream;
    use knave_agents::{Role, Turn};

    /// With an empty hand five cards are drawn: 1 - 0.75^5 of all draws hold a card of one suit, and two suits come
    /// together less often than one of them.
    #[test]
    fn chances_are_binomial() {
        let entry = |code: usize, suits: usize| CHANCES[usize::from(SPREAD[code])][suits].to_le_bytes();
        let clubs_then_diamonds = entry(0, 0b0100);
        assert_eq!(clubs_then_diamonds[0], (255.0_f64 * (1.0 - 0.75_f64.powi(5))).round() as u8);
        assert!(clubs_then_diamonds[1] < clubs_then_diamonds[0]);
        // Two clubs in the hand pair the first two of four clubs for certain.
        let [first, second, third, _] = entry(2, 0);
        assert_eq!([first, second], [255, 255]);
        assert_eq!(third, (255.0_f64 * (1.0 - 0.75_f64.powi(3))).round() as u8);
    }

    /// The policy plays legal moves under every option, the same from a view as from a position; with the weights that come
    /// with it it scores what they were fitted to, 139 points with a standard error of less than one.
    #[test]
    fn plays_legal_moves_and_well() {
        let quick = Quick::fitted();
        let mut points = 0;
        for index in 0..2_400 {
            let mut rules = Rules::default();
            if index >= 2_000 {
                rules.aces_wild = index % 2 == 1;
                rules.matching = [Match::Suit, Match::SuitOrRank][index / 2 % 2];
                rules.hand = [5, 4, 12][index / 4 % 3];
                rules.columns = [4, 2, 9][index / 12 % 3];
            }
            let mut rng = stream(33, index as u64, Role::Deal);
            let mut position = Verslun::deal(&rules, &mut rng);
            while position.turn() != Turn::Over {
                if position.turn() == Turn::Chance {
                    position.roll(&mut rng);
                    continue;
                }
                let m = quick.choose(&position, &mut Vec::new(), &mut rng);
                let by_view = quick.choose_by_view(&position.view(0), &mut rng);
                assert!(by_view.is_none_or(|by_view| by_view == m), "{rules:?}, game {index}");
                position.try_play(m).unwrap();
            }
            if index < 2_000 {
                points += u64::from(position.board().points);
            }
        }
        assert!(points > 135 * 2_000, "{points}");
    }
}
