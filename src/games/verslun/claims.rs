//! Which columns can be claimed with which cards of the hand.
//!
//! A claim gives every column card from the bottom up to its height a card of the hand of its own that
//! pairs with it. Two claims that take the same cards of the hand for the same column and height are one
//! move, written in the first of the legal orders in the byte order of the notation.
//!
//! Where suits alone decide which cards pair, the number of claims follows from how many cards of each
//! suit lie in the hand and in the column, and any one of them can be made without listing the others.

use super::board::{Board, Claim, Move};
use super::rules::{HEIGHT, Match, Rules};
use crate::cards::CardSet;
use knave_agents::Rng;
use rand::Rng as _;

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
    hand != 0 && board.open().any(|place| pairing(&board.rules, board.columns[place][0]) & hand != 0)
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

#[inline]
fn text_order(id: u8) -> u8 {
    TEXT_ORDER[usize::from(id) & 63]
}

/// The largest hand whose claims are counted by table.
pub(super) const SMALL: usize = 5;
/// The number of ways to spread at most five cards over the suits.
pub(super) const SPREADS: usize = 126;

/// A number for every way to spread at most five cards over the suits, by their numbers, 3 bits a suit.
pub(super) const SPREAD: [u8; 4096] = {
    let (mut numbers, mut code, mut next) = ([0; 4096], 0, 0);
    while code < 4096 {
        if (code & 7) + (code >> 3 & 7) + (code >> 6 & 7) + (code >> 9) <= SMALL {
            numbers[code] = next;
            next += 1;
        }
        code += 1;
    }
    assert!(next as usize == SPREADS, "every spread has a number");
    numbers
};

/// The number of claims of a column where suits alone decide, by the spread of the hand and the suits of
/// the column's cards from the bottom up, 2 bits a card.
static WAYS: [[u8; 256]; SPREADS] = {
    let (mut table, mut code) = ([[0; 256]; SPREADS], 0);
    while code < 4096 {
        let counts = [code & 7, code >> 3 & 7, code >> 6 & 7, code >> 9];
        if counts[0] + counts[1] + counts[2] + counts[3] <= SMALL {
            let mut suits = 0;
            while suits < 256 {
                let (mut needed, mut ways, mut all, mut at) = ([0; 4], 1, 0, 0);
                while at < HEIGHT && ways > 0 {
                    let suit = suits >> (2 * at) & 3;
                    // One more of them is taken: C(n, k + 1) = C(n, k) (n - k) / (k + 1).
                    ways = ways * (counts[suit] - needed[suit]) / (needed[suit] + 1);
                    needed[suit] += 1;
                    all += ways;
                    at += 1;
                }
                table[SPREAD[code] as usize][suits] = all as u8;
                suits += 1;
            }
        }
        code += 1;
    }
    table
};

/// The suits of a column's cards from the bottom up, 2 bits a card.
#[inline]
pub(super) fn suits(column: [u8; HEIGHT]) -> usize {
    let spread = u32::from_le_bytes(column) >> 4 & 0x0303_0303;
    (spread.wrapping_mul(0x0104_1040) >> 24) as usize
}

/// The largest number of columns whose claims are counted in the bytes of one word: no column has more
/// than 30, so that no sum reaches the top bit of its byte.
const FEW: usize = 4;

/// A byte of ones for every bit of a number.
const BYTES: [u32; 1 << FEW] = {
    let (mut table, mut bits) = ([0; 1 << FEW], 0);
    while bits < 1 << FEW {
        let mut place = 0;
        while place < FEW {
            table[bits] |= ((bits as u32 >> place & 1) * 0xff) << (8 * place);
            place += 1;
        }
        bits += 1;
    }
    table
};

/// 2^16 divided by 1 to 4, rounded up: small products are divided by a product.
const SHARES: [u32; HEIGHT] = [65536, 32768, 21846, 16384];

/// One of the claims or [`Move::Pass`], each with the same probability; `None` where they must be listed.
#[must_use]
#[inline(never)]
pub fn random(board: &Board, rng: &mut Rng) -> Option<Move> {
    const EACH: u32 = 0x0101_0101;
    let hand = board.hand;
    if !board.rules.suits_only() || hand.len() > SMALL || usize::from(board.rules.columns) > FEW {
        return None;
    }
    let lane = |suit: u32| hand.bits() >> (16 * suit) & LANE;
    let count = |suit: u32| lane(suit).count_ones() << (3 * suit);
    let spread = SPREAD[(count(0) | count(1) | count(2) | count(3)) as usize];
    let table = &WAYS[usize::from(spread)];
    let of = |place: usize| u32::from(table[suits(board.columns[place])]) << (8 * place);
    let ways = (of(0) | of(1) | of(2) | of(3)) & BYTES[usize::from(board.open_places()) % (1 << FEW)];
    // The sums of the first columns, the first, the first two and so on; the last is that of all.
    let sums = ways.wrapping_mul(EACH);
    let all = sums >> 24;
    // What a bounded draw leaves of its word is as random as the word: it decides the rest.
    let mut word = rng.next_u64();
    let mut below = |bound: u32| {
        let wide = u128::from(word) * u128::from(bound);
        word = wide as u64;
        (wide >> 64) as u32
    };
    let pick = below(all + 1);
    if pick == all {
        return Some(Move::Pass);
    }
    // The columns whose sum does not go beyond the pick; no sum has the top bit.
    let passed = ((EACH * (0x80 | pick)) - sums) & (EACH << 7);
    let place = passed.count_ones();
    let mut pick = pick - (sums << 8 >> (8 * place) & 0xff);
    let suits = suits(board.columns[place as usize]);
    let mut left = [lane(0), lane(1), lane(2), lane(3)];
    let mut taken = [0; 4];
    let (mut ways, mut partners, mut height) = (1, 0, 0);
    // There are fewer claims left to pass by than the column has.
    let twice = loop {
        let suit = suits >> (2 * height) & 3;
        let cards = left[suit].count_ones();
        ways = (ways * cards * SHARES[taken[suit]]) >> 16;
        taken[suit] += 1;
        let rest = skip(left[suit], below(cards));
        left[suit] ^= rest & rest.wrapping_neg();
        partners |= (16 * suit as u32 + rest.trailing_zeros()) << (8 * height);
        height += 1;
        if pick < ways || height == HEIGHT {
            break taken.iter().any(|&taken| taken > 1);
        }
        pick -= ways;
    };
    let mut claim = Claim { column: place as u8, partners: partners.to_le_bytes() };
    if twice {
        sort_by_suit(&mut claim.partners);
    }
    Some(Move::Claim(claim))
}

/// Puts the cards of each suit into text order; they stay in the places of their suit.
pub(super) fn sort_by_suit(partners: &mut [u8; HEIGHT]) {
    for low in 0..HEIGHT - 1 {
        for high in low + 1..HEIGHT {
            let (a, b) = (partners[low], partners[high]);
            if b != 0 && a >> 4 == b >> 4 && text_order(a) > text_order(b) {
                partners.swap(low, high);
            }
        }
    }
}

/// The bits without the lowest `n`, at most four.
#[inline]
fn skip(bits: u64, n: u32) -> u64 {
    let one = bits & bits.wrapping_sub(1);
    let two = one & one.wrapping_sub(1);
    let three = two & two.wrapping_sub(1);
    [bits, one, two, three, three & three.wrapping_sub(1), 0, 0, 0][n as usize & 7]
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
    let place = board.open().find(|&place| place == usize::from(claim.column))?;
    let (height, cards) = (claim.height(), claim.cards());
    let distinct = height > 0 && cards.len() == height && cards.bits() & !board.hand.bits() == 0;
    let pairs = board.columns[place].map(|id| pairing(&board.rules, id));
    let paired = || claim.partners.iter().zip(pairs).take(height).all(|(id, pairs)| pairs >> id & 1 == 1);
    let gapless = || claim.partners[..height].iter().all(|&id| id != 0);
    if !(distinct && gapless() && paired()) {
        return None;
    }
    let mut partners = [0; HEIGHT];
    assign(&pairs, &Few::of(cards.bits()), 0, 0, &mut partners);
    Some(Claim { column: claim.column, partners })
}

/// The claim of a column with these cards, at most four, in canonical order; `None` where no order is legal.
#[must_use]
pub fn arranged(board: &Board, column: u8, cards: CardSet) -> Option<Claim> {
    let pairs = board.columns[usize::from(column)].map(|id| pairing(&board.rules, id));
    let mut partners = [0; HEIGHT];
    assign(&pairs, &Few::of(cards.bits()), 0, 0, &mut partners).then_some(Claim { column, partners })
}

/// Whether these cards, at most four, can be given to as many cards of a column from the bottom up; `pairs` are the cards that
/// pair with each of them.
pub fn pairs_up(pairs: &[u64; HEIGHT], cards: u64) -> bool {
    assign(pairs, &Few::of(cards), 0, 0, &mut [0; HEIGHT])
}

/// Calls `f` with every claim once, by column, then by height.
pub fn list(board: &Board, mut f: impl FnMut(Claim)) {
    for place in board.open() {
        let pairs = board.columns[place].map(|id| pairing(&board.rules, id));
        let mut pool = 0;
        for height in 1..=HEIGHT {
            if pairs[height - 1] & board.hand.bits() == 0 {
                break;
            }
            pool |= pairs[height - 1] & board.hand.bits();
            subsets(pool, height, &mut |cards| {
                let mut partners = [0; HEIGHT];
                if assign(&pairs, &Few::of(cards), 0, 0, &mut partners) {
                    f(Claim { column: place as u8, partners });
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
