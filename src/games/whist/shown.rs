//! The view as data, for players in other processes.

use super::rules::{DEALER, SEATS};
use super::view::View;
use crate::cards::{Card, CardSet, Suit};
use arrayvec::ArrayVec;
use knave_agents::Seat;
use schemars::JsonSchema;
use serde::Serialize;

/// What a player of whist knows. Lists of cards are by suit and rank.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WhistView")]
pub struct Shown {
    /// The seat that plays.
    mover: u8,
    /// The trump suit.
    trump: Suit,
    /// The card that was shown at the deal while seat 3, the dealer, still holds it; `null` once it is played.
    shown: Option<Card>,
    /// The own hand.
    hand: CardSet,
    /// The cards in the other hands, the one shown among them.
    others: CardSet,
    /// The number of cards in each hand, by seat.
    counts: [u8; SEATS],
    /// The seat that leads this trick, having won the one before.
    leader: u8,
    /// The cards of the trick so far. The events tell who played which.
    trick: CardSet,
    /// The suit led; `null` before one is.
    led: Option<Suit>,
    /// The seat that would win the trick as it lies; `null` before the lead.
    ahead: Option<u8>,
    /// By seat, the suits that it has shown to be out of.
    voids: [ArrayVec<Suit, 4>; SEATS],
    /// By seat, the cards of the tricks that it has won, scoundrels included.
    taken: [CardSet; SEATS],
    /// By seat, the points of those cards.
    points: [i8; SEATS],
}

/// What a seat is told of its view.
pub fn shown(view: &View) -> Shown {
    let board = &view.board;
    let held = if view.seat == DEALER { view.hand } else { view.others };
    // All hands have the same size before a trick.
    let before = view.hand.len() + usize::from(board.has_played(view.seat));
    // No two is a scoundrel, so a seat that may hold the two may hold the suit.
    let void = |seat: Seat, suit: Suit| !board.open[seat].contains(Card::new(suit, 2));
    Shown {
        mover: board.seat,
        trump: board.trump,
        shown: held.contains(board.shown).then_some(board.shown),
        hand: view.hand,
        others: view.others,
        counts: std::array::from_fn(|seat| (before - usize::from(board.has_played(seat))) as u8),
        leader: board.leader() as u8,
        trick: board.trick,
        led: board.led(),
        ahead: (board.count > 0).then(|| board.ahead() as u8),
        voids: std::array::from_fn(|seat| Suit::ALL.into_iter().filter(|&suit| void(seat, suit)).collect()),
        taken: board.taken,
        points: board.points,
    }
}
