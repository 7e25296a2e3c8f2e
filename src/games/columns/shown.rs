//! The view as data, for players in other processes.

use super::board::{self, Direction, Phase};
use super::rules::PAIRS;
use super::view::View;
use crate::cards::{CardSet, rank_letter};
use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::Serialize;

/// What a player of columns knows. Lists of pairs go from pair a to pair d, and lists of cards by suit and rank.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ColumnsView")]
pub struct Shown {
    /// What the player decides on: `place`, `first` or `second`.
    phase: Phase,
    /// The number of this round, from 1.
    round: u32,
    /// The seat that rolls in this round, and plays second.
    roller: u8,
    /// The seat that decides.
    mover: u8,
    /// The dice to be placed, in the order rolled; empty once they are placed.
    rolled: ArrayVec<u8, 3>,
    /// The die at each pair, 0 for none.
    dice: [u8; PAIRS],
    /// How many cards the mover may still play to the own column of each pair.
    left: [u8; PAIRS],
    /// Whether the pair has a die and the mover has neither played nor stolen there, so that stealing is not ruled out.
    untouched: [bool; PAIRS],
    /// The columns by seat, then by pair.
    columns: [[Column; PAIRS]; 2],
    /// The stolen cards.
    stolen: CardSet,
    /// The own hand.
    hand: CardSet,
    /// The cards of the own hand that the other player knows of.
    open: CardSet,
    /// The cards that the other player is known to hold.
    known: CardSet,
    /// The cards that lie in the stock or in the unknown part of the other hand.
    unseen: CardSet,
    /// The number of cards in each hand, by seat.
    counts: [u8; 2],
    /// The number of cards in the stock.
    stock: u8,
}

/// A column.
#[derive(Serialize, JsonSchema)]
struct Column {
    /// Its cards by suit and rank, not as they were played.
    cards: CardSet,
    /// The rank of the card played last, as in the notation of cards; `null` when the column is empty.
    top: Option<char>,
    /// Its direction.
    direction: Direction,
    /// Whether it is finished.
    finished: bool,
}

/// What a seat is told of its view. How often the stock ran out changes nothing; what remains follows from the columns.
pub fn shown(view: &View) -> Shown {
    let board = &view.board;
    let placing = board.phase == Phase::Place;
    let mut counts = [view.others() as u8; 2];
    counts[usize::from(view.seat)] = view.hand.len() as u8;
    let column = |column: &board::Column| Column {
        cards: column.cards,
        top: (!column.is_empty()).then(|| rank_letter(column.top)),
        direction: column.direction,
        finished: column.finished,
    };
    Shown {
        phase: board.phase,
        round: board.round,
        roller: board.roller,
        mover: board.mover,
        rolled: board.rolled.into_iter().filter(|&die| placing && die > 0).collect(),
        dice: board.dice,
        left: board.left,
        untouched: std::array::from_fn(|pair| board.untouched >> pair & 1 == 1),
        columns: board.columns.each_ref().map(|columns| columns.each_ref().map(column)),
        stolen: board.stolen,
        hand: view.hand,
        open: view.open & view.hand,
        known: view.known(),
        unseen: view.unseen,
        counts,
        stock: view.stock,
    }
}
