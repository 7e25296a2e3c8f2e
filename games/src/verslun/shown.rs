//! The view as data, for players in other processes.

use super::board::{Board, Phase};
use super::deck::points;
use super::rules::{HEIGHT, MAX_COLUMNS, Rules};
use super::view::View;
use crate::cards::{Card, CardSet, cards_of, ids};
use crate::told::{apart, ok, written};
use arrayvec::ArrayVec;
use knave_agents::ViewError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the player of verslun knows.
#[derive(Serialize, Deserialize, JsonSchema)]
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
#[derive(Serialize, Deserialize, JsonSchema)]
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

/// The view of the player who is told this and is to move.
///
/// # Errors
/// Names a field that no player is told so.
pub fn read(rules: &Rules, told: &Shown) -> Result<View, ViewError> {
    let decides = matches!(told.phase, Phase::Turn | Phase::Redeal | Phase::Claim | Phase::End);
    ok(decides, "phase", written(&told.phase), "turn, redeal, claim or end")?;
    let columns = usize::from(rules.columns);
    ok(told.columns.len() == columns, "columns", told.columns.len(), format_args!("{columns} columns"))?;
    let laid = told.columns.iter().flat_map(|column| column.cards.iter().chain(&column.partners));
    let laid = laid.map(|&card| ("columns", CardSet::from_iter([card])));
    apart(laid.chain([("hand", told.hand), ("unseen", told.unseen)]))?;
    let size = told.hand.len();
    // A claim takes cards of the hand, which is filled in the next turn.
    let most = usize::from(rules.hand) - usize::from(matches!(told.phase, Phase::Turn | Phase::End));
    ok(size <= most, "hand", size, format_args!("at most {most} cards"))?;
    let mut board = Board { phase: told.phase, hand: told.hand, ..Board::new(rules) };
    for (place, column) in told.columns.iter().enumerate() {
        let (cards, partners) = (column.cards.len(), column.partners.len());
        let expected = "as many cards as partners in a claimed column, and four without partners in others";
        ok(cards == if partners == 0 { HEIGHT } else { partners }, "columns", cards, expected)?;
        for (&card, &partner) in column.cards.iter().zip(&column.partners) {
            let pairs = rules.pairing(card.id()) >> partner.id() & 1 == 1;
            ok(pairs, "columns", format_args!("{card} with {partner}"), "partners that pair")?;
        }
        board.columns[place] = ids(column.cards.iter().copied());
        board.partners[place] = ids(column.partners.iter().copied());
        if partners > 0 {
            let all = column.cards.iter().chain(&column.partners);
            board.claimed |= 1 << place;
            board.worth[place] = all.map(|card| points(card.id())).sum();
            board.points += u16::from(board.worth[place]);
        }
        let worth = board.worth[place];
        ok(column.points == worth, "columns", format_args!("points {}", column.points), worth)?;
    }
    ok(told.points == board.points, "points", told.points, board.points)?;
    if board.claimed == 0 {
        let claimed = matches!(told.phase, Phase::Redeal | Phase::End);
        ok(!claimed, "phase", written(&told.phase), "turn or claim, as no column is claimed")?;
        let drawn = told.phase != Phase::Turn || size == 0;
        ok(drawn, "hand", size, "no card in the first turn")?;
    }
    let over = told.phase == Phase::Turn && told.unseen.is_empty();
    ok(!over, "unseen", "[]", "a card, without which no turn begins")?;
    // The game is over where a claim is due and no card of the hand pairs: nobody is asked then.
    let asked = told.phase != Phase::Claim || board.can_claim();
    ok(asked, "phase", "claim", "turn, redeal or end, as the hand can claim nothing")?;
    Ok(View { board, unseen: told.unseen })
}
