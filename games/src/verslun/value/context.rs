//! Afterstates: what a turn leaves behind, and what all afterstates of one decision share.
//!
//! At the heart of every value is what the open columns are likely to bring. A column's card is paired if enough cards that
//! pair with it are in the hand or come with the next draw. That chance is hypergeometric; the chances of the cards below it
//! are taken to be independent.

use super::chances::{Chances, MOST_PAIRING, chances};
use crate::cards::CardSet;
use crate::verslun::bits::ones;
use crate::verslun::board::{Board, Phase};
use crate::verslun::deck::{points, points_of};
use crate::verslun::position::Verslun;
use crate::verslun::rules::{HEIGHT, MAX_COLUMNS, Rules};

/// The next event after a turn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Upcoming {
    /// The hand will be filled.
    Draw,
    /// A column and a hand will be dealt.
    Deal,
    /// A column will be claimed with this hand.
    Claim,
}

/// The points of a partner that is not known yet.
pub const PARTNER: f32 = 7.0;

/// The further cards that are drawn in about two turns.
pub const LATER: usize = 4;

/// A card of an open column.
#[derive(Copy, Clone, Default)]
pub struct ColumnCard {
    /// The cards that pair with it.
    pub pairing: u64,
    /// How many of them are in the pile, as far as chances are told apart.
    pub unseen: u8,
    /// How many cards of its suit lie here and below it.
    pub rank: u8,
    /// Its suit.
    pub suit: u8,
    /// The points of a pair with it and a partner of [`PARTNER`] points.
    pub worth: f32,
}

/// The expectation of a column.
#[derive(Copy, Clone, Default)]
pub struct Prospect {
    /// The points that are expected of it after the next draw.
    pub soon: f32,
    /// The chance that it can then be claimed at all.
    pub any: f32,
    /// The points that are expected of it after [`LATER`] more cards.
    pub later: f32,
}

/// The common part of all afterstates of one decision.
pub struct DecisionContext {
    /// The rules.
    pub rules: Rules,
    /// The number of cards in the pile.
    pub pile: usize,
    /// The cards in the pile.
    pub unseen: u64,
    /// The open columns, by place.
    pub columns: [[ColumnCard; HEIGHT]; MAX_COLUMNS],
    /// What each column would bring with a fresh hand.
    pub afresh: [Prospect; MAX_COLUMNS],
    /// The points of the claimed columns, ascending.
    claimed: [u8; MAX_COLUMNS],
    /// How much richer the pile is than [`PARTNER`] points a card, as a share of that.
    pub rich: f32,
}

/// An afterstate: what a turn leaves behind.
#[derive(Copy, Clone)]
pub struct Afterstate {
    /// The next event.
    pub upcoming: Upcoming,
    /// The points of all claimed columns.
    pub points: u16,
    /// The hand.
    pub hand: u64,
    /// The points of the hand.
    pub hand_points: u8,
    /// The open columns whose cards are known, a bit for each.
    pub open: u16,
    /// The points of the three poorest claimed columns, ascending; 255 where there is none.
    pub poorest: [u8; 3],
}

impl DecisionContext {
    /// What is known of a position with these cards in the pile.
    pub fn new(board: &Board, unseen: CardSet) -> Self {
        let (rules, unseen) = (board.rules, unseen.bits());
        let pile = unseen.count_ones() as usize;
        let mut context = Self {
            rules,
            pile,
            unseen,
            columns: [[ColumnCard::default(); HEIGHT]; MAX_COLUMNS],
            afresh: [Prospect::default(); MAX_COLUMNS],
            claimed: [u8::MAX; MAX_COLUMNS],
            rich: f32::from(points_of(unseen)) / (pile.max(1) as f32 * PARTNER) - 1.0,
        };
        for (len, place) in board.claimed().enumerate() {
            let mut at = len;
            while at > 0 && context.claimed[at - 1] > board.worth[place] {
                context.claimed[at] = context.claimed[at - 1];
                at -= 1;
            }
            context.claimed[at] = board.worth[place];
        }
        let drawn = usize::from(rules.hand);
        let chances = (context.chances(drawn), context.chances(drawn + LATER));
        for place in board.open() {
            let mut suits = 0_u32;
            for (card, &id) in context.columns[place].iter_mut().zip(&board.columns[place]) {
                if id == 0 {
                    break;
                }
                let shift = u32::from(id >> 4) * 8;
                suits += 1 << shift;
                let pairing = rules.pairing(id);
                *card = ColumnCard {
                    pairing,
                    unseen: ((pairing & unseen).count_ones() as u8).min(MOST_PAIRING as u8),
                    rank: (suits >> shift) as u8,
                    suit: id >> 4,
                    worth: f32::from(points(id)) + PARTNER,
                };
            }
            context.afresh[place] = context.prospect(place, 0, chances);
        }
        context
    }

    /// The chances of a draw of so many cards.
    pub fn chances(&self, drawn: usize) -> &'static Chances {
        chances(self.pile, drawn)
    }

    /// What a column is likely to bring with this hand, by the chances of the next draw and of [`LATER`] more cards.
    pub fn prospect(&self, place: usize, hand: u64, (soon, later): (&Chances, &Chances)) -> Prospect {
        let mut prospect = Prospect::default();
        let (mut chance, mut later_chance) = (1.0, 1.0);
        for (at, card) in self.columns[place].iter().enumerate() {
            let lacking = i32::from(card.rank) - (hand & card.pairing).count_ones() as i32;
            if lacking > 0 {
                let (row, k) = (usize::from(card.unseen) % (MOST_PAIRING + 1), (lacking - 1) as usize & 3);
                chance *= soon[row][k];
                later_chance *= later[row][k];
            }
            prospect.soon += chance * card.worth;
            prospect.later += later_chance * card.worth;
            if at == 0 {
                prospect.any = chance;
            }
        }
        prospect
    }

    /// Whether any open column can be claimed with the hand.
    pub fn can_claim(&self, after: &Afterstate) -> bool {
        ones::<MAX_COLUMNS>(after.open.into()).any(|place| self.columns[place][0].pairing & after.hand != 0)
    }

    /// The points of the three poorest claimed columns.
    pub fn poorest(&self) -> [u8; 3] {
        std::array::from_fn(|i| self.claimed[i])
    }

    /// The same with one more column of these points.
    pub fn poorest_with(&self, more: u8) -> [u8; 3] {
        let [a, b, c] = self.poorest();
        if more <= a {
            [more, a, b]
        } else if more <= b {
            [a, more, b]
        } else {
            [a, b, c.min(more)]
        }
    }
}

impl Afterstate {
    /// A position as it stands.
    pub fn new(board: &Board, context: &DecisionContext, upcoming: Upcoming) -> Self {
        // A column that is about to be dealt is not known.
        let known = board.open().filter(|&place| board.columns[place][0] != 0);
        Self {
            upcoming,
            points: board.points,
            hand: board.hand.bits(),
            hand_points: points_of(board.hand.bits()) as u8,
            open: known.fold(0, |open, place| open | 1 << place),
            poorest: context.poorest(),
        }
    }

    /// The same once the poorest column has been given up; `None` where there is none, or where the pile has too few cards.
    pub fn redealt(&self, context: &DecisionContext) -> Option<Self> {
        let [lowest, second, third] = self.poorest;
        (lowest != u8::MAX && context.pile >= context.rules.redealt()).then(|| Self {
            upcoming: Upcoming::Deal,
            points: self.points - u16::from(lowest),
            hand: 0,
            hand_points: 0,
            open: self.open,
            poorest: [second, third, u8::MAX],
        })
    }

    /// How many cards come into the hand next, if the pile holds so many.
    pub fn drawn(&self, context: &DecisionContext) -> usize {
        let hand = usize::from(context.rules.hand);
        match self.upcoming {
            Upcoming::Draw => hand.saturating_sub(self.hand.count_ones() as usize),
            Upcoming::Deal => hand,
            Upcoming::Claim => 0,
        }
    }

    /// The number of cards left in the pile after the next event.
    pub fn pile(&self, context: &DecisionContext) -> usize {
        let redeal = self.upcoming == Upcoming::Deal;
        let gone = if redeal { context.rules.redealt() } else { self.drawn(context) };
        context.pile.saturating_sub(gone)
    }

    /// The places of the open columns.
    #[inline]
    pub fn open(&self) -> impl Iterator<Item = usize> + use<> {
        ones::<MAX_COLUMNS>(self.open.into())
    }
}

/// Whether all that is left to a player is to end the game, with the points that there are.
pub fn only_ends(position: &Verslun) -> bool {
    position.board.phase == Phase::End && position.pile.len() == 0
}

/// Calls `f` with a position that is not over, as an afterstate. Not for one that [`only_ends`]: nothing comes after it.
pub fn with_afterstate<T>(position: &Verslun, f: impl FnOnce(&DecisionContext, &Afterstate) -> T) -> T {
    let Verslun { board, pile } = &*position.laid_out();
    let context = DecisionContext::new(board, pile.cards());
    let upcoming = match board.phase {
        Phase::Dealing => Upcoming::Deal,
        Phase::Claim | Phase::Redeal => Upcoming::Claim,
        _ => Upcoming::Draw,
    };
    f(&context, &Afterstate::new(board, &context, upcoming))
}
