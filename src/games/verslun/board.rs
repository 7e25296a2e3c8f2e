//! What lies face up: the columns, the hand; and the moves on them.

use super::claims;
use super::rules::{HEIGHT, MAX_COLUMNS, Rules};
use crate::cards::{Card, CardSet};
use knave_agents::Rng;
use knave_agents::rng::below;
use std::fmt;

/// A move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Fill the hand from the pile.
    Draw,
    /// Leave the hand as it is.
    Stay,
    /// Give up the hand and this claimed column for new ones.
    Redeal(u8),
    /// Give up nothing.
    Keep,
    /// Claim a column.
    Claim(Claim),
    /// Claim nothing, which ends the game.
    Pass,
    /// End the game after a claim.
    End,
    /// Go on after a claim.
    On,
}

/// Which column is claimed and with which cards of the hand.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Claim {
    /// The column, counted from 0.
    pub column: u8,
    /// The partners of the column's cards from the bottom up, as [`Card::id`], 0 after the last. Of all
    /// the orders of the same cards that are legal here, the first in the byte order of the notation.
    pub partners: [u8; HEIGHT],
}

impl Claim {
    /// The number of pairs, 1 to 4.
    #[must_use]
    #[inline]
    pub fn height(&self) -> usize {
        // Up to the highest byte that is not 0.
        4 - u32::from_le_bytes(self.partners).leading_zeros() as usize / 8
    }

    /// The cards that it takes from the hand.
    #[must_use]
    #[inline]
    pub fn cards(&self) -> CardSet {
        set(self.partners)
    }
}

/// The letter of a column.
#[must_use]
pub fn letter(column: u8) -> char {
    char::from(b'a' + column)
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Draw => f.write_str("draw"),
            Move::Stay => f.write_str("stay"),
            Move::Redeal(column) => write!(f, "redeal {}", letter(*column)),
            Move::Keep => f.write_str("keep"),
            Move::Claim(claim) => {
                write!(f, "claim {}", letter(claim.column))?;
                let partners = claim.partners.iter().filter(|&&id| id != 0);
                partners.into_iter().try_for_each(|&id| write!(f, " {}", Card::from_id(id)))
            }
            Move::Pass => f.write_str("pass"),
            Move::End => f.write_str("end"),
            Move::On => f.write_str("on"),
        }
    }
}

impl Move {
    /// Reads a move; whether it is legal, and whether a claim names its cards in the canonical order, is
    /// another question. `None` when it is not in the notation.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let column = |word: &str| match *word.as_bytes() {
            [letter] if (b'a'..b'a' + MAX_COLUMNS as u8).contains(&letter) => Some(letter - b'a'),
            _ => None,
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["draw"] => Some(Move::Draw),
            ["stay"] => Some(Move::Stay),
            ["redeal", letter] => column(letter).map(Move::Redeal),
            ["keep"] => Some(Move::Keep),
            ["claim", letter, ref cards @ ..] if (1..=HEIGHT).contains(&cards.len()) => {
                let mut partners = [0; HEIGHT];
                for (partner, card) in partners.iter_mut().zip(cards) {
                    *partner = card.parse::<Card>().ok()?.id();
                }
                column(letter).map(|column| Move::Claim(Claim { column, partners }))
            }
            ["pass"] => Some(Move::Pass),
            ["end"] => Some(Move::End),
            ["on"] => Some(Move::On),
            _ => None,
        }
    }
}

/// What happens next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The player decides whether to draw.
    Turn,
    /// The hand is about to be filled.
    Drawing,
    /// The player decides whether to give up a claimed column.
    Redeal,
    /// A column, the one without cards, and the hand are about to be dealt.
    Dealing,
    /// The player claims a column.
    Claim,
    /// The player decides whether to go on.
    End,
    /// Nothing: a card was needed and the pile had none.
    PileEmpty,
    /// Nothing: no column was claimed.
    NoClaim,
    /// Nothing: the player ended the game.
    Stopped,
}

/// The cards with these numbers, 0 for none.
#[inline]
fn set([a, b, c, d]: [u8; HEIGHT]) -> CardSet {
    CardSet::from_bits((1 << a | 1 << b | 1 << c | 1 << d) & !1)
}

/// The points of a card by [`Card::id`]: an ace is 1, a court card 10; 0 where there is no card.
const POINTS: [u8; 64] = {
    let (mut points, mut id) = ([0; 64], 0);
    while id < 64 {
        points[id] = match id & 15 {
            14 => 1,
            rank @ 2..=10 => rank as u8,
            11..=13 => 10,
            _ => 0,
        };
        id += 1;
    }
    points
};

/// The points of these cards together.
#[inline]
fn sum([a, b, c, d]: [u8; HEIGHT]) -> u8 {
    points(a) + points(b) + points(c) + points(d)
}

/// The points of the card with this number; 0 for none.
#[must_use]
#[inline]
pub fn points(id: u8) -> u8 {
    POINTS[usize::from(id) & 63]
}

/// Everything face up.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The rules.
    pub rules: Rules,
    /// What happens next.
    pub phase: Phase,
    /// The columns that are claimed, a bit for each.
    pub claimed: u16,
    /// The points of all claimed columns.
    pub points: u16,
    /// The hand.
    pub hand: CardSet,
    /// The cards of each column from the bottom up, as [`Card::id`]; 0 where there is none.
    pub columns: [[u8; HEIGHT]; MAX_COLUMNS],
    /// The partners of a claimed column's cards; 0 where there is none.
    pub partners: [[u8; HEIGHT]; MAX_COLUMNS],
    /// The points of each claimed column, 2 to 80; 0 when it is not claimed.
    pub worth: [u8; MAX_COLUMNS],
}

/// The places of the bits that are set.
#[inline]
fn places(mut bits: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (place < MAX_COLUMNS).then_some(place)
    })
}

impl Board {
    /// The places of the columns.
    #[must_use]
    pub fn places(&self) -> std::ops::Range<usize> {
        0..usize::from(self.rules.columns).min(MAX_COLUMNS)
    }

    /// The places of the claimed columns.
    #[inline]
    pub fn claimed(&self) -> impl Iterator<Item = usize> + use<> {
        places(self.claimed)
    }

    /// The columns that are not claimed, a bit for each.
    #[must_use]
    #[inline]
    pub fn open_places(&self) -> u16 {
        !self.claimed & ((1 << self.rules.columns) - 1)
    }

    /// The places of the columns that are not claimed.
    #[inline]
    pub fn open(&self) -> impl Iterator<Item = usize> + use<> {
        places(self.open_places())
    }

    /// Whether the column in this place, which need not exist, is claimed.
    #[must_use]
    #[inline]
    pub fn is_claimed(&self, place: usize) -> bool {
        place < MAX_COLUMNS && self.claimed >> place & 1 == 1
    }

    /// The cards of all columns, those of their partners included.
    #[must_use]
    pub fn laid_out(&self) -> CardSet {
        let cards = self.columns.iter().chain(&self.partners);
        CardSet::from_bits(cards.fold(0, |bits, &four| bits | set(four).bits()))
    }

    /// The column's cards that a claim pairs.
    #[inline]
    fn paired(&self, claim: &Claim) -> [u8; HEIGHT] {
        let unpaired = 8 * (HEIGHT - claim.height());
        (u32::from_le_bytes(self.columns[usize::from(claim.column)]) & u32::MAX >> unpaired).to_le_bytes()
    }

    /// The points of a legal claim.
    #[must_use]
    #[inline]
    pub fn points_of(&self, claim: &Claim) -> u8 {
        sum(self.paired(claim)) + sum(claim.partners)
    }

    /// How many cards the hand lacks, as far as a pile of this size has them.
    #[must_use]
    #[inline]
    pub fn missing(&self, pile: usize) -> usize {
        usize::from(self.rules.hand).saturating_sub(self.hand.len()).min(pile)
    }

    /// Whether `m` is a legal move; a claim must name its cards in the canonical order.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        match (self.phase, m) {
            (Phase::Turn, Move::Draw | Move::Stay)
            | (Phase::Redeal, Move::Keep)
            | (Phase::Claim, Move::Pass)
            | (Phase::End, Move::End | Move::On) => true,
            (Phase::Redeal, Move::Redeal(column)) => self.is_claimed(usize::from(column)),
            (Phase::Claim, Move::Claim(claim)) => claims::canonical(self, &claim) == Some(claim),
            _ => false,
        }
    }

    /// Appends the legal moves, sorted.
    pub fn moves(&self, out: &mut Vec<Move>) {
        match self.phase {
            Phase::Turn => out.extend([Move::Draw, Move::Stay]),
            Phase::Redeal => {
                out.extend(self.claimed().map(|place| Move::Redeal(place as u8)));
                out.push(Move::Keep);
            }
            Phase::Claim => {
                let from = out.len();
                claims::list(self, |claim| out.push(Move::Claim(claim)));
                out[from..].sort_unstable();
                out.push(Move::Pass);
            }
            Phase::End => out.extend([Move::End, Move::On]),
            _ => {}
        }
    }

    /// A redeal of one of the claimed columns or [`Move::Keep`], each with the same probability.
    #[inline(never)]
    pub fn random_redeal(&self, rng: &mut Rng) -> Move {
        let pick = below(rng, self.claimed.count_ones() + 1) as usize;
        self.claimed().nth(pick).map_or(Move::Keep, |place| Move::Redeal(place as u8))
    }

    /// Plays a legal move; `pile` is the number of cards in the pile.
    #[inline]
    pub fn play(&mut self, m: Move, pile: usize) {
        match m {
            Move::Draw => self.phase = Phase::Drawing,
            Move::Stay => self.hand_is_filled(),
            Move::Redeal(column) => self.give_up(column, pile),
            Move::Keep => self.ask_for_a_claim(),
            Move::Claim(claim) => self.claim(claim),
            Move::Pass => self.phase = Phase::NoClaim,
            Move::End => self.phase = Phase::Stopped,
            Move::On => self.begin_turn(pile),
        }
    }

    /// Begins a turn.
    #[inline]
    pub fn begin_turn(&mut self, pile: usize) {
        self.phase = if pile == 0 { Phase::PileEmpty } else { Phase::Turn };
    }

    /// These cards have been drawn.
    #[inline]
    pub fn fill_hand(&mut self, cards: CardSet) {
        self.hand = CardSet::from_bits(self.hand.bits() | cards.bits());
        self.hand_is_filled();
    }

    /// The hand is as full as it gets in this turn.
    #[inline]
    fn hand_is_filled(&mut self) {
        if self.claimed == 0 {
            self.ask_for_a_claim();
        } else {
            self.phase = Phase::Redeal;
        }
    }

    /// A new column, from the bottom up, and a new hand have been dealt.
    #[inline]
    pub fn fill_column(&mut self, cards: [u8; HEIGHT], hand: CardSet) {
        if let Some(column) = self.columns.iter_mut().find(|column| column[0] == 0) {
            *column = cards;
        }
        self.hand = hand;
        self.ask_for_a_claim();
    }

    #[inline(never)]
    fn ask_for_a_claim(&mut self) {
        self.phase = if claims::possible(self) { Phase::Claim } else { Phase::NoClaim };
    }

    #[inline(never)]
    fn give_up(&mut self, column: u8, pile: usize) {
        let place = usize::from(column);
        self.claimed &= !(1 << column);
        self.points -= u16::from(self.worth[place]);
        (self.columns[place], self.partners[place], self.worth[place]) = ([0; HEIGHT], [0; HEIGHT], 0);
        self.hand = CardSet::EMPTY;
        // Too few cards: the last of them would fill neither column nor hand.
        self.phase = if pile < self.rules.redealt() { Phase::PileEmpty } else { Phase::Dealing };
    }

    #[inline(never)]
    fn claim(&mut self, claim: Claim) {
        let place = usize::from(claim.column);
        let (paired, points) = (self.paired(&claim), self.points_of(&claim));
        // The cards without a partner leave the game.
        self.columns[place] = paired;
        self.partners[place] = claim.partners;
        self.worth[place] = points;
        self.claimed |= 1 << place;
        self.points += u16::from(points);
        self.hand = CardSet::from_bits(self.hand.bits() & !claim.cards().bits());
        self.phase = Phase::End;
    }
}
