//! The view as data, for players in other processes.

use super::board::Board;
use super::rules::{DEALER, Rules, SEATS};
use super::view::View;
use crate::cards::{Card, CardSet, Suit};
use crate::told::{apart, ok, or_null, written};
use arrayvec::ArrayVec;
use knave_agents::{Seat, ViewError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a player of whist knows. Lists of cards are by suit and rank.
#[derive(Serialize, Deserialize, JsonSchema)]
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
    /// The cards of the trick so far, by suit and rank and not as they were played: the moves tell who played which.
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
    let void = |seat: Seat, suit: Suit| !board.possible[seat].contains(Card::new(suit, 2));
    Shown {
        mover: board.mover,
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

/// The view of the player who is told this and is to move.
///
/// # Errors
/// Names a field that no player is told so.
pub fn read(rules: &Rules, told: &Shown) -> Result<View, ViewError> {
    ok(usize::from(told.mover) < SEATS, "mover", told.mover, "seat 0 to 3")?;
    let seat = Seat::from(told.mover);
    let taken = told.taken.iter().map(|&cards| ("taken", cards));
    let all = apart(taken.chain([("hand", told.hand), ("others", told.others), ("trick", told.trick)]))?;
    let tricks = told.taken.map(CardSet::len);
    ok(
        tricks.iter().all(|cards| cards % SEATS == 0),
        "taken",
        format_args!("{tricks:?} cards"),
        "whole tricks",
    )?;
    let count = told.trick.len();
    ok(count < SEATS, "trick", format_args!("{count} cards"), "0 to 3")?;
    let leader = (seat + SEATS - count) % SEATS;
    ok(
        usize::from(told.leader) == leader,
        "leader",
        told.leader,
        format_args!("{leader}, by the cards of the trick"),
    )?;
    let won = if tricks == [0; SEATS] { leader == 0 } else { tricks[leader] > 0 };
    ok(won, "leader", told.leader, "seat 0 in the first trick, and then a seat that has won one")?;
    // Once it has been played, any played card of its suit does as well.
    let seen = all - told.hand - told.others;
    let shown = told.shown.or_else(|| seen.into_iter().find(|card| card.suit() == told.trump));
    let shown = shown.filter(|card| card.suit() == told.trump);
    let expected = "a card of the trump suit, or null once one was played";
    let shown = shown.ok_or_else(|| ViewError::new("shown", or_null(told.shown), expected))?;
    let free = rules.free();
    let mut board = Board::new(*rules, shown);
    for (possible, voids) in board.possible.iter_mut().zip(&told.voids) {
        for &suit in voids {
            *possible -= CardSet::of_suit(suit) - free;
        }
    }
    let out = (told.hand - board.possible[seat]).into_iter().next();
    let expected = "a suit of no card in the own hand";
    ok(out.is_none(), "voids", or_null(out.map(Card::suit)), expected)?;
    let (more, less) = rules.values();
    let points = told.taken.map(|cards| (cards & more).len() as i8 - (cards & less).len() as i8);
    ok(
        told.points == points,
        "points",
        format_args!("{:?}", told.points),
        format_args!("{points:?}, by the cards taken"),
    )?;
    (board.taken, board.points) = (told.taken, points);
    let held = if seat == DEALER { told.hand } else { told.others };
    let expected = "a card of the dealer, or null once it was played";
    ok(told.shown.is_none_or(|card| held.contains(card)), "shown", shown, expected)?;
    lay_trick(&mut board, told)?;
    let counts = counts_of(&board, told)?;
    let view = View::new(&board, seat, told.hand, told.others);
    ok(view.is_possible(counts), "voids", written(&told.voids), "suits that leave room for all cards")?;
    Ok(view)
}

/// Lays the trick.
fn lay_trick(board: &mut Board, told: &Shown) -> Result<(), ViewError> {
    let (count, leader, seat) = (told.trick.len(), Seat::from(told.leader), Seat::from(told.mover));
    let ahead = told.ahead.map(usize::from);
    let expected = if count > 0 { "the seat whose card wins so far" } else { "null before a trick" };
    let found = ahead.map_or_else(|| "null".to_owned(), |seat| seat.to_string());
    ok(ahead.is_some() == (count > 0), "ahead", found, expected)?;
    let ahead_played = ahead.is_none_or(|ahead| (ahead + SEATS - leader) % SEATS < count && ahead < SEATS);
    ok(ahead_played, "ahead", ahead.unwrap_or_default(), "a seat that has played to the trick")?;
    // Which card came first is not told.
    let mut of_suits = (told.trick - board.rules.free()).into_iter().map(Card::suit);
    let led = told.led.map_or(of_suits.len() == 0, |suit| of_suits.any(|other| other == suit));
    ok(
        led,
        "led",
        or_null(told.led),
        "the suit of a card in the trick, free scoundrels left out, or null before one leads",
    )?;
    board.lay(seat, told.trick, told.led, ahead.unwrap_or_default());
    if let Some(suit) = told.led {
        // Who has played another suit is out of the one led, and who has followed is not.
        let rest = told.trick - board.rules.free();
        let follow = (rest & CardSet::of_suit(suit)).len();
        let out = |seat: &Seat| board.has_played(*seat) && told.voids[*seat].contains(&suit);
        let out = (0..SEATS).filter(out).count();
        let others = rest.len() - follow;
        let expected = format!("{suit} for those who have not followed: {others}");
        ok((others..=count - follow).contains(&out), "voids", written(&told.voids), expected)?;
    }
    Ok(())
}

/// The sizes of the hands.
fn counts_of(board: &Board, told: &Shown) -> Result<[usize; SEATS], ViewError> {
    let seat = Seat::from(told.mover);
    let counts = told.counts.map(usize::from);
    ok(
        counts.iter().sum::<usize>() == counts[seat] + told.others.len(),
        "counts",
        format_args!("{counts:?}"),
        "as many cards as the others hold",
    )?;
    ok(counts[seat] == told.hand.len(), "counts", counts[seat], "the cards of the own hand")?;
    ok(!told.hand.is_empty(), "hand", "[]", "a card to play")?;
    // All hands have the same size before a trick.
    let before = |seat: Seat| counts[seat] + usize::from(board.has_played(seat));
    ok(
        (0..SEATS).all(|other| before(other) == before(seat)),
        "counts",
        format_args!("{counts:?}"),
        "hands of the same size before the trick",
    )?;
    Ok(counts)
}
