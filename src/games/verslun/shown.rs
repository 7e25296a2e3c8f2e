//! The view as data, for players in other processes.

use super::board::Phase;
use super::rules::{HEIGHT, MAX_COLUMNS};
use super::view::View;
use crate::cards::{Card, CardSet, cards_of};
use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::Serialize;

/// What the player of verslun knows.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "VerslunView")]
pub struct Shown {
    /// What the player decides on: `turn`, `redeal`, `claim` or `end`.
    phase: Phase,
    /// The points of all claimed columns.
    points: u16,
    /// The hand, by suit and rank.
    hand: CardSet,
    /// The columns, from column a on.
    columns: ArrayVec<Column, MAX_COLUMNS>,
    /// The cards in the pile, by suit and rank: their order is unknown.
    unseen: CardSet,
}

/// A column.
#[derive(Serialize, JsonSchema)]
struct Column {
    /// Its cards from the bottom up, those discarded by its claim left out.
    cards: ArrayVec<Card, HEIGHT>,
    /// The partners of a claimed column's cards, in the same order; empty while it is not claimed.
    partners: ArrayVec<Card, HEIGHT>,
    /// The points of a claimed column; 0 while it is not claimed.
    points: u8,
}

/// What the player is told of the view.
pub fn shown(view: &View) -> Shown {
    let board = &view.board;
    let column = |place: usize| Column {
        cards: cards_of(&board.columns[place]).collect(),
        partners: cards_of(&board.partners[place]).collect(),
        points: board.worth[place],
    };
    Shown {
        phase: board.phase,
        points: board.points,
        hand: board.hand,
        columns: (0..usize::from(board.rules.columns)).map(column).collect(),
        unseen: view.unseen,
    }
}
