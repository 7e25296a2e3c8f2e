//! Which columns can be claimed with which cards of the hand.
//!
//! A claim gives every column card from the bottom up to its height a card of the hand of its own that
//! pairs with it. Two claims that take the same cards of the hand for the same column and height are one
//! move, written in the first of the legal orders in the byte order of the notation.
//!
//! Where suits alone decide which cards pair, the number of claims follows from how many cards of each
//! suit lie in the hand and in the column, and any one of them can be made without listing the others.

use super::board::{Board, Claim, Column};
use super::rules::{HEIGHT, Match, Rules};
use crate::cards::CardSet;

/// The ranks of one suit, in the lane of clubs.
const LANE: u64 = 0x7ffc;
/// The two of every suit, shifted down to rank 0.
const RANK: u64 = 0x0001_0001_0001_0001;
/// The rank of an ace.
const ACE: u8 = 14;

/// The cards that pair with the card of this number.
#[must_use]
#[inline]
pub fn pairing(rules: &Rules, id: u8) -> u64 {
    let mut cards = LANE << (id & 48);
    if rules.matching == Match::SuitOrRank {
        cards |= RANK << (id & 15);
    }
    if rules.aces_wild {
        cards |= RANK << ACE;
        if id & 15 == ACE {
            cards = !0;
        }
    }
    cards
}

/// Whether any column can be claimed.
#[must_use]
#[inline]
pub fn possible(board: &Board) -> bool {
    let hand = board.hand.bits();
    board.open().any(|(_, column)| pairing(&board.rules, column.cards[0]) & hand != 0)
}

/// The place of a card in the byte order of the notation, by [`crate::cards::Card::id`].
const TEXT_ORDER: [u8; 64] = {
    // The order of the ranks from 2 to the ace: digits, then A, J, K, Q, T.
    const RANKS: [u8; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 12, 9, 11, 10, 8];
    let (mut order, mut id) = ([0; 64], 0);
    while id < 64 {
        if id & 15 >= 2 && id & 15 <= 14 {
            order[id] = RANKS[(id & 15) - 2] * 4 + (id >> 4) as u8;
        }
        id += 1;
    }
    order
};

fn text_order(id: u8) -> u8 {
    TEXT_ORDER[usize::from(id) & 63]
}

/// A list of at most four cards in text order.
#[derive(Copy, Clone)]
struct Few {
    ids: [u8; HEIGHT],
    len: usize,
}

impl Few {
    fn of(cards: u64) -> Self {
        let mut few = Self { ids: [0; HEIGHT], len: 0 };
        for card in CardSet::from_bits(cards) {
            few.insert(card.id());
        }
        few
    }

    fn insert(&mut self, id: u8) {
        let mut at = self.len;
        while at > 0 && text_order(self.ids[at - 1]) > text_order(id) {
            self.ids[at] = self.ids[at - 1];
            at -= 1;
        }
        self.ids[at] = id;
        self.len += 1;
    }
}

/// Gives the column's cards from `at` up the cards of `few` that are not `used` yet, the first order that
/// is legal; `pairs` are the cards that pair with each of them.
fn assign(pairs: &[u64; HEIGHT], few: &Few, at: usize, used: u8, partners: &mut [u8; HEIGHT]) -> bool {
    if at == few.len {
        return true;
    }
    (0..few.len).any(|i| {
        let free = used >> i & 1 == 0 && pairs[at] >> few.ids[i] & 1 == 1;
        partners[at] = few.ids[i];
        free && assign(pairs, few, at + 1, used | 1 << i, partners)
    })
}

/// The claim with the cards of `claim` in canonical order, where the order that is given is legal.
#[must_use]
pub fn canonical(board: &Board, claim: &Claim) -> Option<Claim> {
    let column = board.columns().get(usize::from(claim.column)).filter(|column| !column.claimed())?;
    let (height, cards) = (claim.height(), claim.cards());
    let distinct = height > 0 && cards.len() == height && cards.bits() & !board.hand.bits() == 0;
    let pairs = column.cards.map(|id| pairing(&board.rules, id));
    let paired = || claim.partners.iter().zip(pairs).take(height).all(|(id, pairs)| pairs >> id & 1 == 1);
    let gapless = || claim.partners[..height].iter().all(|&id| id != 0);
    if !(distinct && gapless() && paired()) {
        return None;
    }
    let mut partners = [0; HEIGHT];
    assign(&pairs, &Few::of(cards.bits()), 0, 0, &mut partners);
    Some(Claim { column: claim.column, partners })
}

/// Calls `f` with every claim once, by column, then by height.
pub fn list(board: &Board, mut f: impl FnMut(Claim)) {
    for (place, column) in board.open() {
        if board.rules.suits_only() {
            let counts = Counts::new(board.hand, column);
            for height in 1..=HEIGHT {
                (0..counts.ways[height - 1]).for_each(|nth| f(counts.nth(place, height, nth)));
            }
            continue;
        }
        let pairs = column.cards.map(|id| pairing(&board.rules, id));
        let mut pool = 0;
        for height in 1..=HEIGHT {
            pool |= pairs[height - 1] & board.hand.bits();
            subsets(pool, height, &mut |cards| {
                let mut partners = [0; HEIGHT];
                if assign(&pairs, &Few::of(cards), 0, 0, &mut partners) {
                    f(Claim { column: place, partners });
                }
            });
        }
    }
}

/// Calls `f` with every subset of `size` of the set's bits.
pub fn subsets(bits: u64, size: usize, f: &mut impl FnMut(u64)) {
    fn go(left: u64, size: u32, taken: u64, f: &mut impl FnMut(u64)) {
        if size == 0 {
            return f(taken);
        }
        let mut left = left;
        while left.count_ones() >= size {
            let lowest = left & left.wrapping_neg();
            left ^= lowest;
            go(left, size - 1, taken | lowest, f);
        }
    }
    go(bits, size as u32, 0, f);
}

/// The number of subsets of `size` of `n` things, for hands.
const CHOOSE: [[u32; HEIGHT + 1]; 21] = {
    let (mut table, mut n) = ([[0; HEIGHT + 1]; 21], 0);
    while n < 21 {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= HEIGHT {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The claims of one column where suits alone decide.
struct Counts {
    /// The ranks of each suit in the hand.
    lanes: [u64; 4],
    /// The suits of the column's cards from the bottom up.
    suits: [u8; HEIGHT],
    /// The number of claims by height less one.
    ways: [u32; HEIGHT],
}

impl Counts {
    fn new(hand: CardSet, column: &Column) -> Self {
        let lanes = std::array::from_fn(|suit| hand.bits() >> (16 * suit) & LANE);
        let suits = column.cards.map(|id| id >> 4 & 3);
        let mut counts = Self { lanes, suits, ways: [0; HEIGHT] };
        for height in 1..=HEIGHT {
            counts.ways[height - 1] = (0..4).map(|suit| counts.choices(suit, height)).product();
        }
        counts
    }

    /// How many cards of this suit a claim of this height takes.
    fn needed(&self, suit: usize, height: usize) -> usize {
        self.suits[..height].iter().filter(|&&other| usize::from(other) == suit).count()
    }

    /// The number of ways to take them.
    fn choices(&self, suit: usize, height: usize) -> u32 {
        CHOOSE[self.lanes[suit].count_ones() as usize][self.needed(suit, height)]
    }

    /// One of the claims of this height.
    fn nth(&self, column: u8, height: usize, mut nth: u32) -> Claim {
        let mut partners = [0; HEIGHT];
        for suit in 0..4 {
            let needed = self.needed(suit, height);
            if needed == 0 {
                continue;
            }
            let choices = self.choices(suit, height);
            let lane = nth_subset(self.lanes[suit], needed, nth % choices);
            nth /= choices;
            let few = Few::of(lane << (16 * suit));
            let mut taken = few.ids.iter();
            for (partner, _) in partners.iter_mut().zip(self.suits).filter(|(_, s)| usize::from(*s) == suit) {
                *partner = taken.next().copied().unwrap_or(0);
            }
        }
        Claim { column, partners }
    }
}

/// One of the subsets of `size` of the set's bits.
fn nth_subset(bits: u64, size: usize, mut nth: u32) -> u64 {
    let (mut left, mut size, mut taken) = (bits, size, 0);
    while size > 0 {
        let lowest = left & left.wrapping_neg();
        left ^= lowest;
        // The subsets with the lowest card come first.
        let with = CHOOSE[left.count_ones() as usize][size - 1];
        if nth < with {
            taken |= lowest;
            size -= 1;
        } else {
            nth -= with;
        }
    }
    taken
}
