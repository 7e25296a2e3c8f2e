//! The view: everything that one seat knows, and exactly uniform worlds drawn from it.
//!
//! A seat knows the board, its own hand, and the cards that each opponent may hold. It has seen voids, and the card shown at
//! the deal. The unseen cards fall into kinds by the opponents that may hold them. One opponent, the *first*, gets some
//! cards of each kind; the *second* and the *third* share the rest.
//!
//! A *split* is the number of cards of each kind that the first gets. The hands of every split are counted exactly, and
//! splits are drawn in proportion. Within a split every choice of cards is equally likely.

use super::board::Board;
use super::rules::{DEALER, SEATS};
use crate::binomial::triangle;
use crate::cards::{CardSet, ids};
use crate::shuffle::choose;
use arrayvec::ArrayVec;
use knave_agents::{Rng, Seat};
use rand::RngExt as _;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// The most unseen cards.
const UNSEEN: usize = 39;
/// The most cards in a hand.
const HAND: usize = 13;
/// The most splits: pairs of numbers with a sum of at most a hand.
const SPLITS: usize = (HAND + 1) * (HAND + 2) / 2;

/// The view of a seat.
#[derive(Clone, Debug)]
pub struct View {
    /// The seat.
    pub seat: Seat,
    /// Its hand.
    pub hand: CardSet,
    /// The cards that the others hold.
    pub others: CardSet,
    /// The board.
    pub board: Board,
    /// The ways in which the unseen cards may lie, worked out with the first sample.
    unseen: OnceLock<Unseen>,
}

impl View {
    /// The knowledge itself; the rest follows from it.
    fn known(&self) -> (Seat, CardSet, CardSet, &Board) {
        (self.seat, self.hand, self.others, &self.board)
    }
}

impl PartialEq for View {
    fn eq(&self, other: &Self) -> bool {
        self.known() == other.known()
    }
}

impl Eq for View {}

impl Hash for View {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.known().hash(state);
    }
}

/// The unseen cards by the opponents that may hold them.
#[derive(Clone, Debug)]
struct Unseen {
    /// The first, second and third opponent.
    seats: [Seat; 3],
    /// The cards that only one of them can hold.
    fixed: [CardSet; 3],
    /// The number of other cards of the first and the second.
    open: [u8; 2],
    /// The other cards as [`Card::id`](crate::cards::Card::id) in four kinds: with the first or second, the first or third,
    /// any of them, the second or third.
    cards: [u8; UNSEEN + 1],
    /// The number of cards of each kind.
    kinds: [u8; 4],
    /// The splits with cumulative numbers of hands; empty where only one is possible.
    splits: ArrayVec<Split, SPLITS>,
}

/// A split: the numbers of cards of the first two kinds that the first opponent holds.
#[derive(Copy, Clone, Debug)]
struct Split {
    hands: u64,
    taken: [u8; 2],
}

/// The binomial coefficients: `BINOMIAL[n][k]`.
static BINOMIAL: [[u64; HAND + 1]; UNSEEN + 1] = triangle();

impl View {
    /// The view of `seat` with `hand`, when all others together hold `others`.
    #[must_use]
    pub(super) fn new(board: &Board, seat: Seat, hand: CardSet, others: CardSet) -> Self {
        Self { seat, hand, others, board: *board, unseen: OnceLock::new() }
    }

    /// Whether the cards of the others can lie so that each holds so many, and none that its play has ruled out (Hall's condition).
    #[must_use]
    pub(super) fn is_possible(&self, counts: [usize; SEATS]) -> bool {
        let may = |seat: Seat| {
            // The card shown is the dealer's.
            let shown = CardSet::from_iter([self.board.shown]) & self.others;
            let possible = (self.others & self.board.possible[seat]) - shown;
            if seat == DEALER { possible | shown } else { possible }
        };
        (0..1 << SEATS).all(|group: usize| {
            let seats = || (0..SEATS).filter(|&seat| seat != self.seat && group >> seat & 1 == 1);
            let outside = (0..SEATS).filter(|&seat| seat != self.seat && group >> seat & 1 == 0);
            let elsewhere = outside.fold(CardSet::EMPTY, |cards, seat| cards | may(seat));
            (self.others - elsewhere).len() <= seats().map(|seat| counts[seat]).sum()
        })
    }

    fn unseen(&self) -> &Unseen {
        self.unseen.get_or_init(|| Unseen::new(&self.board, self.seat, self.hand.len(), self.others))
    }

    /// The number of splits, so that tests know their coverage.
    #[cfg(test)]
    pub(super) fn splits(&self) -> usize {
        self.unseen().splits.len()
    }

    /// Hands for all seats, uniform over those that agree with the view.
    #[must_use]
    pub(super) fn sample(&self, rng: &mut Rng) -> [CardSet; SEATS] {
        let mut hands = self.unseen().sample(rng);
        hands[self.seat & 3] = self.hand;
        hands
    }
}

/// The cards in exactly these two of the sets.
fn only(of: [CardSet; 3], with: [usize; 2]) -> CardSet {
    let without = 3 - with[0] - with[1];
    (of[with[0]] & of[with[1]]) - of[without]
}

impl Unseen {
    fn new(board: &Board, seat: Seat, hand_len: usize, mut unseen: CardSet) -> Self {
        let mut seats = [(seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3];
        let mut shown = CardSet::EMPTY;
        if seat != DEALER && unseen.contains(board.shown) {
            shown.insert(board.shown);
            unseen.remove(board.shown);
        }
        let may = |seat: Seat| unseen & board.possible[seat];
        // The first opponent leaves the most cards that the others share: that makes the fewest splits.
        let shared = |a, b| only(seats.map(may), [a, b]).len();
        let first = [(shared(1, 2), 0), (shared(0, 2), 1), (shared(0, 1), 2)].into_iter().max();
        seats.swap(0, first.map_or(0, |(_, first)| first));
        let may = seats.map(may);
        let all = may[0] & may[1] & may[2];
        let kinds = [only(may, [0, 1]), only(may, [0, 2]), all, only(may, [1, 2])];
        let several = kinds.into_iter().fold(CardSet::EMPTY, |all, kind| all | kind);
        let mut fixed = may.map(|cards| cards - several);
        for (seat, cards) in seats.iter().zip(&mut fixed) {
            if *seat == DEALER {
                *cards |= shown;
            }
        }
        let cards = ids(kinds.into_iter().flatten());
        // All hands have the same size before a trick.
        let before = hand_len + usize::from(board.has_played(seat));
        let hand_len = |seat| before - usize::from(board.has_played(seat));
        let open = [0, 1, 2].map(|i| (hand_len(seats[i]) - fixed[i].len()) as u8);
        let kinds = kinds.map(|kind| kind.len() as u8);
        let splits = if kinds[0] == 0 && kinds[1] == 0 { ArrayVec::new() } else { splits_of(kinds, open) };
        Self { seats, fixed, open: [open[0], open[1]], cards, kinds, splits }
    }

    #[inline]
    fn sample(&self, rng: &mut Rng) -> [CardSet; SEATS] {
        let mut taken = [0; 2];
        if let Some(last) = self.splits.last() {
            let pick = rng.random_range(0..last.hands);
            if let Some(split) = self.splits.iter().find(|split| pick < split.hands) {
                taken = split.taken;
            }
        }
        let [with_second, with_third, anybody, others] = self.kinds.map(usize::from);
        let [with_second_taken, with_third_taken] = taken.map(usize::from);
        let [first, second] = self.open.map(usize::from);
        let mut cards = self.cards;
        let mut rest = &mut cards[..with_second + with_third + anybody + others];
        let [mut first_hand, mut second_hand, mut third_hand] = self.fixed;
        // Takes random cards from the next so many.
        let mut take = |of: usize, count: usize| {
            choose(&mut rest[..of], count, rng);
            let (chosen, left) = std::mem::take(&mut rest).split_at_mut(count);
            rest = left;
            CardSet::of_ids(chosen)
        };
        if with_second > 0 {
            first_hand |= take(with_second, with_second_taken);
            second_hand |= take(with_second - with_second_taken, with_second - with_second_taken);
        }
        if with_third > 0 {
            first_hand |= take(with_third, with_third_taken);
            third_hand |= take(with_third - with_third_taken, with_third - with_third_taken);
        }
        // The cards of the third kind that the first does not get join those of the other two.
        let from_all = first - with_second_taken - with_third_taken;
        let to_second = second - (with_second - with_second_taken);
        first_hand |= take(anybody, from_all);
        let left = anybody - from_all + others;
        second_hand |= take(left, to_second);
        third_hand |= CardSet::of_ids(rest);
        let mut hands = [CardSet::EMPTY; SEATS];
        for (&seat, hand) in self.seats.iter().zip([first_hand, second_hand, third_hand]) {
            hands[seat & 3] = hand;
        }
        hands
    }
}

/// All splits, with cumulative numbers of hands.
fn splits_of(kinds: [u8; 4], open: [u8; 3]) -> ArrayVec<Split, SPLITS> {
    let [with_second, with_third, anybody, others] = kinds.map(usize::from);
    let [first, second, _] = open.map(usize::from);
    let mut splits = ArrayVec::new();
    let mut hands = 0;
    let binomial = |n: usize, k: usize| BINOMIAL[n][k];
    for a in 0..=with_second.min(first) {
        let Some(to_second) = second.checked_sub(with_second - a) else { continue };
        for b in 0..=with_third.min(first - a) {
            let from_all = first - a - b;
            if from_all > anybody {
                continue;
            }
            let ways = binomial(with_second, a)
                * binomial(with_third, b)
                * binomial(anybody, from_all)
                * binomial(others + anybody - from_all, to_second);
            if ways > 0 {
                hands += ways;
                splits.push(Split { hands, taken: [a as u8, b as u8] });
            }
        }
    }
    splits
}
