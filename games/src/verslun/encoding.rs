//! Views and moves as arrays, for players that learn.

use super::board::Phase;
use super::deck::{ALL_POINTS, CARDS, COLUMN_POINTS};
use super::moves::Move;
use super::position::Verslun;
use super::rules::{HEIGHT, MAX_COLUMNS, MAX_HAND, Match};
use super::view::View;
use crate::cards::{Card, cards_of};
use knave_agents::Encoding;
use knave_agents::encoding::{Part, Row, Spelling, first};

const RANKS: usize = 13;
const SUITS: usize = 4;
const CELLS: usize = MAX_COLUMNS * HEIGHT;

const OBSERVATION: &[Part] = &[
    Part::new(
        "phase",
        4,
        "what is decided: whether to draw, what to redeal, what to claim, whether to end the game",
    ),
    Part::new("points", 1, "the points of all claimed columns, as a share of the 340 of all cards"),
    Part::new("hand", CARDS, "the cards in the hand"),
    Part::new("claimed", MAX_COLUMNS, "for each column from a on: whether it is claimed"),
    Part::new(
        "worth",
        MAX_COLUMNS,
        "for each column: the points of its claim, as a share of 80; 0 if it is not claimed",
    ),
    Part::new(
        "rank",
        CELLS * RANKS,
        "for each column: the ranks of its four cards from the bottom up, each one-hot from 2; zeros if it is claimed or missing",
    ),
    Part::new("suit", CELLS * SUITS, "for each column: the suits of the same cards, each one-hot"),
    Part::new("unseen", CARDS, "the cards in the pile"),
    Part::new("pile", 1, "the number of cards in the pile, as a share of 52"),
    Part::new(
        "begun",
        MAX_COLUMNS + CARDS,
        "of a claim that is being spelled: the column, one-hot, and the partners so far",
    ),
    Part::new(
        "rules",
        4,
        "match = suit_or_rank, aces_wild = true, hand as a share of 20, columns as a share of 11",
    ),
];

const ACTIONS: &[Part] = &[
    Part::new("draw", 1, "fill the hand"),
    Part::new("stay", 1, "draw nothing"),
    Part::new("redeal", MAX_COLUMNS, "give up the hand and this claimed column for new ones"),
    Part::new("keep", 1, "give up nothing"),
    Part::new(
        "claim",
        MAX_COLUMNS,
        "claim this column: its partners follow from the bottom up, each an action",
    ),
    Part::new("partner", CARDS, "pair this card of the hand with the next card of the column"),
    Part::new("complete", 1, "the claim has no more partners, and fewer than four"),
    Part::new("pass", 1, "claim nothing, which ends the game"),
    Part::new("end", 1, "end the game after a claim"),
    Part::new("on", 1, "go on after a claim"),
];

const DRAW: u16 = first(ACTIONS, "draw");
const STAY: u16 = first(ACTIONS, "stay");
const REDEAL: u16 = first(ACTIONS, "redeal");
const KEEP: u16 = first(ACTIONS, "keep");
const CLAIM: u16 = first(ACTIONS, "claim");
const PARTNER: u16 = first(ACTIONS, "partner");
const COMPLETE: u16 = first(ACTIONS, "complete");
const PASS: u16 = first(ACTIONS, "pass");
const END: u16 = first(ACTIONS, "end");
const ON: u16 = first(ACTIONS, "on");

/// How verslun becomes arrays.
pub fn encoding() -> Encoding<Verslun> {
    Encoding { observation: OBSERVATION, actions: ACTIONS, observe, spell }
}

fn observe(view: &View, begun: &[u16], row: &mut Row<'_>) {
    let (board, rules) = (&view.board, &view.board.rules);
    row.part("phase");
    row.one_hot(
        4,
        match board.phase {
            Phase::Turn => Some(0),
            Phase::Redeal => Some(1),
            Phase::Claim => Some(2),
            Phase::End => Some(3),
            _ => None,
        },
    );
    row.part("points");
    row.share(f32::from(board.points), f32::from(ALL_POINTS));
    row.part("hand");
    row.set(CARDS, board.hand.places());
    row.part("claimed");
    row.set(MAX_COLUMNS, board.claimed());
    row.part("worth");
    board.worth.iter().for_each(|&worth| row.share(f32::from(worth), f32::from(COLUMN_POINTS)));
    // Of a claimed column only the points still matter.
    let cards = || {
        let open = board.open().flat_map(|place| (place * HEIGHT..).zip(&board.columns[place]));
        open.filter(|&(_, &id)| id != 0).map(|(cell, &id)| (cell, Card::from_id(id)))
    };
    row.part("rank");
    row.set(CELLS * RANKS, cards().map(|(cell, card)| cell * RANKS + usize::from(card.rank()) - 2));
    row.part("suit");
    row.set(CELLS * SUITS, cards().map(|(cell, card)| cell * SUITS + card.suit() as usize));
    row.part("unseen");
    row.set(CARDS, view.unseen.places());
    row.part("pile");
    row.share(view.unseen.len() as f32, CARDS as f32);
    row.part("begun");
    // The set of partners tells their order, for the first legal one alone is spelled.
    row.set(MAX_COLUMNS + CARDS, begun.iter().map(|&action| usize::from(action - CLAIM)));
    row.part("rules");
    row.flag(rules.matching == Match::SuitOrRank);
    row.flag(rules.aces_wild);
    row.share(f32::from(rules.hand), MAX_HAND as f32);
    row.share(f32::from(rules.columns), MAX_COLUMNS as f32);
}

// An action of a claim is its own place in the part `begun`.
const _: () = assert!(PARTNER == CLAIM + MAX_COLUMNS as u16, "partners come after columns");

fn spell(_: &View, m: Move) -> Spelling {
    let Move::Claim(claim) = m else {
        let action = match m {
            Move::Draw => DRAW,
            Move::Stay => STAY,
            Move::Redeal(column) => REDEAL + u16::from(column),
            Move::Keep => KEEP,
            Move::End => END,
            Move::On => ON,
            _ => PASS,
        };
        return Spelling::from_iter([action]);
    };
    let column = CLAIM + u16::from(claim.column);
    let partners = cards_of(&claim.partners).map(|card| PARTNER + card.place() as u16);
    let complete = (claim.height() < HEIGHT).then_some(COMPLETE);
    [column].into_iter().chain(partners).chain(complete).collect()
}
