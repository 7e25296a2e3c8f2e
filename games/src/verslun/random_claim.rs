//! A claim drawn at random without listing the claims.
//!
//! Where suits alone decide what pairs, the number of claims follows from the numbers of cards of each suit in the hand and in
//! the column. Any one of the claims can be made without listing the others.

use super::board::Board;
use super::claims::sort_by_suit;
use super::deck::lane;
use super::moves::{Claim, Move};
use super::rules::HEIGHT;
use knave_agents::Rng;
use rand::Rng as _;

/// The largest hand whose claims are counted by table.
const SMALL: usize = 5;
/// The number of ways to spread at most five cards over the suits.
const SPREADS: usize = 126;

/// A number for every way to spread at most five cards over the suits, by their numbers, 3 bits a suit.
const SPREAD: [u8; 4096] = {
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
            // Of a column and of its whole: how many cards of each suit are left, in how many ways, and all ways so far.
            let (mut columns, mut at) = ([(counts, 1, 0); 256], 0);
            while at < HEIGHT {
                // The columns with another card on top follow from those below it, which are replaced last.
                let mut suits = 4 << (2 * at);
                while suits > 0 {
                    suits -= 1;
                    let (suit, below) = (suits >> (2 * at), suits & ((1 << (2 * at)) - 1));
                    let (mut left, mut ways, all) = columns[below];
                    // One card more of n: C(n, k + 1) = C(n, k) (n - k) / (k + 1).
                    ways = ways * left[suit] / (counts[suit] + 1 - left[suit]);
                    left[suit] -= (left[suit] > 0) as usize;
                    columns[suits] = (left, ways, all + ways);
                }
                at += 1;
            }
            let mut suits = 0;
            while suits < 256 {
                table[SPREAD[code] as usize][suits] = columns[suits].2 as u8;
                suits += 1;
            }
        }
        code += 1;
    }
    table
};

/// The suits of a column's cards from the bottom up, 2 bits a card.
#[inline]
fn suits(column: [u8; HEIGHT]) -> usize {
    let spread = u32::from_le_bytes(column) >> 4 & 0x0303_0303;
    (spread.wrapping_mul(0x0104_1040) >> 24) as usize
}

/// The largest number of columns whose claims are counted in the bytes of one word. No column has more
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
pub fn random_claim(board: &Board, rng: &mut Rng) -> Option<Move> {
    const EACH: u32 = 0x0101_0101;
    let hand = board.hand;
    if !board.rules.suits_only() || hand.len() > SMALL || usize::from(board.rules.columns) > FEW {
        return None;
    }
    let lane = |suit: usize| lane(hand.bits(), suit);
    let count = |suit: usize| lane(suit).count_ones() << (3 * suit);
    let spread = SPREAD[(count(0) | count(1) | count(2) | count(3)) as usize];
    let table = &WAYS[usize::from(spread)];
    let of = |place: usize| u32::from(table[suits(board.columns[place])]) << (8 * place);
    let ways = (of(0) | of(1) | of(2) | of(3)) & BYTES[usize::from(board.open_places()) % (1 << FEW)];
    // The sums of the first columns, the first, the first two and so on; the last is that of all.
    let sums = ways.wrapping_mul(EACH);
    let all = sums >> 24;
    // The rest of the word after a bounded draw is as random as the word: it decides what follows.
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

/// The bits without the lowest `n`, at most four.
#[inline]
fn skip(bits: u64, n: u32) -> u64 {
    let one = bits & bits.wrapping_sub(1);
    let two = one & one.wrapping_sub(1);
    let three = two & two.wrapping_sub(1);
    [bits, one, two, three, three & three.wrapping_sub(1), 0, 0, 0][n as usize & 7]
}
