//! A guess at the points to come once cards have come: the feature `foresight` of the penalty.
//!
//! It is the best claim, or redeal, by the hand-written evaluator of what that leaves behind. What a penalty may not look at is
//! guessed: after a draw the cards of the hand are of middle rank, and claimed columns are of common worth. A penalty may look at any
//! function of what a player knows, so that a poor guess costs points of the bound and nothing else.

use crate::cards::CardSet;
use crate::verslun::bits::ones;
use crate::verslun::board::Board;
use crate::verslun::deck::{LANE, highest, lane, points, points_of};
use crate::verslun::rules::{HEIGHT, Rules};
use crate::verslun::value::context::{Afterstate, DecisionContext, PARTNER, Upcoming};
use crate::verslun::value::rule::{Rule, features};

/// How many cards are of each suit.
pub type Suits = [u8; 4];

/// The points of the poorest claimed columns, and of all further ones.
const CLAIMED: [u8; 3] = [20, 30, 40];

/// The points to come with these open columns, once so many cards of each suit have been `drawn` out of `unseen` to a hand that
/// `held` so many.
pub fn after_draw(rules: &Rules, open: &[[u8; HEIGHT]], unseen: u64, held: &Suits, drawn: &Suits) -> f64 {
    let (mut pile, mut hand) = (unseen, 0);
    for suit in 0..4 {
        let there = lane(unseen, suit);
        let mut cards = there;
        for _ in 0..(there.count_ones() - u32::from(drawn[suit])) / 2 {
            cards &= cards - 1;
        }
        let middle = lowest(cards, drawn[suit]) << (16 * suit);
        pile &= !middle;
        hand |= middle | lowest(!there & LANE, held[suit]) << (16 * suit);
    }
    let partner: [f32; 4] = std::array::from_fn(|suit| {
        let cards = lane(unseen, suit);
        if cards == 0 { PARTNER } else { f32::from(points_of(cards)) / cards.count_ones() as f32 }
    });
    to_come(rules, open, pile, hand, |id| partner[usize::from(id >> 4)])
}

/// The points to come after a deal, which took the last of these open columns and this hand out of `unseen`.
pub fn after_deal(rules: &Rules, open: &[[u8; HEIGHT]], unseen: u64, hand: u64) -> f64 {
    let column = open.last().map_or(0, |column| CardSet::of_ids(column).bits());
    to_come(rules, open, unseen & !column & !hand, hand, |id| f32::from(points(id)))
}

/// So many of the lowest of these cards of a suit.
fn lowest(mut cards: u64, count: u8) -> u64 {
    let all = cards;
    for _ in 0..count {
        cards &= cards.wrapping_sub(1);
    }
    all ^ cards
}

/// The points to come with these cards in the pile and in the hand, where a card of the hand counts `worth`.
fn to_come(rules: &Rules, open: &[[u8; HEIGHT]], pile: u64, hand: u64, worth: impl Fn(u8) -> f32) -> f64 {
    let board = board(rules, open);
    let context = DecisionContext::new(&board, CardSet::from_bits(pile));
    let all: f32 = ones::<64>(hand).map(|id| worth(id as u8)).sum();
    let now =
        Afterstate { hand, hand_points: all as u8, ..Afterstate::new(&board, &context, Upcoming::Draw) };
    let mut best = redealt(&context, &now);
    for place in now.open() {
        let (mut gain, mut after) = (0.0, now);
        after.open &= !(1 << place);
        for id in open[place] {
            let Some(partner) = highest(after.hand & rules.pairing(id)) else { break };
            gain += f32::from(points(id)) + worth(partner);
            after.hand &= !(1 << partner);
            after.hand_points = after.hand_points.saturating_sub(worth(partner) as u8);
            after.points = board.points + gain as u16;
            after.poorest = context.poorest_with(gain as u8);
            let next = if context.pile == 0 { 0.0 } else { by_rule(&context, &after) };
            best = best.max(gain + next).max(gain + redealt(&context, &after));
        }
    }
    best.into()
}

/// What is known of a game with these open columns.
fn board(rules: &Rules, open: &[[u8; HEIGHT]]) -> Board {
    let mut board = Board::new(rules);
    board.columns[..open.len()].copy_from_slice(open);
    for (i, place) in (open.len()..usize::from(rules.columns)).enumerate() {
        board.claimed |= 1 << place;
        board.worth[place] = CLAIMED[i.min(CLAIMED.len() - 1)];
        board.points += u16::from(board.worth[place]);
    }
    board
}

fn by_rule(context: &DecisionContext, after: &Afterstate) -> f32 {
    Rule::fitted().to_come(after.upcoming, &features(context, after))
}

/// The points to come after the poorest column has been given up, less its points; 0 where it cannot be.
fn redealt(context: &DecisionContext, after: &Afterstate) -> f32 {
    let value = |dealt: Afterstate| by_rule(context, &dealt) - f32::from(after.poorest[0]);
    after.redealt(context).map_or(0.0, value)
}
