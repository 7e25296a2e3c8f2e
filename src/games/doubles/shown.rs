//! The view as data, for players in other processes.

use super::board::{NO_ONE, Phase};
use super::view::View;
use crate::cards::{CardSet, rank_letter};
use arrayvec::ArrayVec;
use knave_agents::game::MAX_SEATS;
use schemars::JsonSchema;
use serde::Serialize;

/// What a player of doubles knows. Lists of cards are by suit and rank.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DoublesView")]
pub struct Shown {
    /// What the player decides on: `forced`, `challenge` or `choose`.
    phase: Phase,
    /// The seat that decides.
    mover: u8,
    /// The seat that rolls in this turn.
    roller: u8,
    /// The stakes of the turn so far, in points.
    stakes: u32,
    /// The seat that challenged last since the last roll; `null` if none has.
    challenger: Option<u8>,
    /// The rank of that challenge, as in the notation of cards. Further ones must be higher.
    high: Option<char>,
    /// The points of each seat, those of earlier games of a match included.
    scores: ArrayVec<u32, MAX_SEATS>,
    /// The number of rolls in this game.
    rolls: u32,
    /// The number of earlier games of a match.
    game: u32,
    /// The own hand.
    hand: CardSet,
    /// The number of cards in each hand, by seat.
    counts: ArrayVec<u8, MAX_SEATS>,
    /// The cards that were played in this game.
    played: CardSet,
    /// The cards in other hands and those out of play.
    unseen: CardSet,
}

/// What a seat is told of its view. Who last won stakes, and how many, is for counts: the scores hold them.
pub fn shown(view: &View) -> Shown {
    let board = &view.board;
    let players = usize::from(board.players);
    Shown {
        phase: board.phase,
        mover: board.mover,
        roller: board.roller,
        stakes: board.stakes,
        challenger: (board.challenger != NO_ONE).then_some(board.challenger),
        high: (board.high > 0).then(|| rank_letter(board.high)),
        scores: board.scores.into_iter().take(players).collect(),
        rolls: board.rolls,
        game: board.game,
        hand: view.hand,
        counts: view.counts.into_iter().take(players).collect(),
        played: board.played,
        unseen: view.unseen(),
    }
}
