//! Everything face up, the columns and the hand, and how moves change it.

use super::bits::ones;
use super::deck::points_of_four;
use super::moves::{Claim, Move};
use super::rules::{HEIGHT, MAX_COLUMNS, Rules};
use crate::cards::CardSet;
use knave_agents::Rng;
use knave_agents::rng::below;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The next event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
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

/// The words for how a game ends.
pub const ENDS: [&str; 3] = ["pile_empty", "no_claim", "stopped"];

impl Phase {
    /// The place in [`ENDS`] of how a finished game ended. A number in place of the word: it is counted without a branch, which
    /// could not be predicted.
    #[inline]
    pub(super) fn end(self) -> usize {
        match self {
            Phase::PileEmpty => 0,
            Phase::NoClaim => 1,
            _ => 2,
        }
    }
}

/// Everything face up.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The rules.
    pub rules: Rules,
    /// The next event.
    pub phase: Phase,
    /// The columns that are claimed, a bit for each.
    pub claimed: u16,
    /// The points of all claimed columns.
    pub points: u16,
    /// The hand.
    pub hand: CardSet,
    /// The cards of each column from the bottom up, as `Card::id`; 0 where there is none.
    pub columns: [[u8; HEIGHT]; MAX_COLUMNS],
    /// The partners of a claimed column's cards; 0 where there is none.
    pub partners: [[u8; HEIGHT]; MAX_COLUMNS],
    /// The points of each claimed column, 2 to 80; 0 when it is not claimed.
    pub worth: [u8; MAX_COLUMNS],
}

impl Board {
    /// The board before the columns are laid out.
    #[inline]
    pub(super) const fn new(rules: &Rules) -> Self {
        Self {
            rules: *rules,
            phase: Phase::Turn,
            claimed: 0,
            points: 0,
            hand: CardSet::EMPTY,
            columns: [[0; HEIGHT]; MAX_COLUMNS],
            partners: [[0; HEIGHT]; MAX_COLUMNS],
            worth: [0; MAX_COLUMNS],
        }
    }

    /// The places of the claimed columns.
    #[inline]
    pub fn claimed(&self) -> impl Iterator<Item = usize> + use<> {
        ones::<MAX_COLUMNS>(self.claimed.into())
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
        ones::<MAX_COLUMNS>(self.open_places().into())
    }

    /// The cards that pair with each card of the column in this place, from the bottom up.
    #[must_use]
    pub fn pairing(&self, place: usize) -> [u64; HEIGHT] {
        self.columns[place].map(|id| self.rules.pairing(id))
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
        CardSet::of_ids(self.columns.as_flattened()) | CardSet::of_ids(self.partners.as_flattened())
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
        points_of_four(self.paired(claim)) + points_of_four(claim.partners)
    }

    /// How many cards the hand lacks, as far as a pile of this size has them.
    #[must_use]
    #[inline]
    pub fn missing(&self, pile: usize) -> usize {
        usize::from(self.rules.hand).saturating_sub(self.hand.len()).min(pile)
    }

    /// Whether any column can be claimed.
    #[must_use]
    #[inline]
    pub fn can_claim(&self) -> bool {
        let hand = self.hand.bits();
        hand != 0 && self.open().any(|place| self.rules.pairing(self.columns[place][0]) & hand != 0)
    }

    /// A redeal of one of the claimed columns or [`Move::Keep`], each with the same probability.
    #[inline(never)]
    pub fn random_redeal(&self, rng: &mut Rng) -> Move {
        let pick = below(rng, self.claimed.count_ones() + 1) as usize;
        self.claimed().nth(pick).map_or(Move::Keep, |place| Move::Redeal(place as u8))
    }

    /// Plays a legal move; `pile` is the number of cards in the pile.
    // Always inlined: where the kind of move is known, nothing is left of the others.
    #[inline(always)]
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
        self.hand |= cards;
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
        self.phase = if self.can_claim() { Phase::Claim } else { Phase::NoClaim };
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
        self.hand -= claim.cards();
        self.phase = Phase::End;
    }
}
