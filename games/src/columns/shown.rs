//! The view as data, for players in other processes.

use super::board::{self, Board, Direction, Phase};
use super::rules::{HAND, PAIRS, Rules};
use super::view::View;
use crate::cards::{Card, CardSet, Suit, rank_letter, rank_of};
use crate::told::{apart, ok, or_null, written};
use arrayvec::ArrayVec;
use knave_agents::ViewError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a player of columns knows. Lists of pairs go from pair a to pair d, and lists of cards by suit and rank.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ColumnsView")]
pub struct Shown {
    /// What the player decides on: `place`, `first` or `second`.
    phase: Phase,
    /// The number of this round, from 1.
    round: u32,
    /// The number of rounds that have ended since a card was played or a column finished.
    waited: u32,
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
    /// The cards of the own hand that the other player has known since the last reshuffle. With an empty stock the other player knows all of it.
    open: CardSet,
    /// The cards that the other player is known to have held since the last reshuffle. With an empty stock the other player holds the unseen cards, too.
    known: CardSet,
    /// The cards that lie in the stock or in the unknown part of the other hand; with an empty stock all in the hand.
    unseen: CardSet,
    /// The number of cards in each hand, by seat.
    counts: [u8; 2],
    /// The number of cards in the stock.
    stock: u8,
}

/// A column.
#[derive(Serialize, Deserialize, JsonSchema)]
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
    let mut counts = [view.other_count() as u8; 2];
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
        waited: board.waited,
        roller: board.roller,
        mover: board.mover,
        rolled: board.rolled.into_iter().filter(|&die| placing && die > 0).collect(),
        dice: board.dice,
        left: board.left,
        untouched: std::array::from_fn(|pair| board.untouched >> pair & 1 == 1),
        columns: board.columns.each_ref().map(|columns| columns.each_ref().map(column)),
        stolen: board.stolen,
        hand: view.hand,
        open: view.revealed & view.hand,
        known: view.known(),
        unseen: view.unseen,
        counts,
        stock: view.stock,
    }
}

/// The view of the player who is told this and is to move.
///
/// # Errors
/// Names a field that no player is told so.
pub fn read(rules: &Rules, told: &Shown) -> Result<View, ViewError> {
    let decides = matches!(told.phase, Phase::Place | Phase::First | Phase::Second);
    ok(decides, "phase", written(&told.phase), "place, first or second")?;
    ok(told.mover < 2, "mover", told.mover, "seat 0 or 1")?;
    let roller = if told.phase == Phase::First { 1 - told.mover } else { told.mover };
    ok(told.roller == roller, "roller", told.roller, format_args!("{roller} in this phase"))?;
    ok(
        (1..=rules.max_rounds).contains(&told.round),
        "round",
        told.round,
        format_args!("1 to {}", rules.max_rounds),
    )?;
    let first = ((told.round - 1) % 2) as u8;
    ok(told.roller == first, "roller", told.roller, format_args!("{first} in round {}", told.round))?;
    ok(told.waited < told.round, "waited", told.waited, format_args!("less than the round, {}", told.round))?;
    let begun = told.waited > 0 || told.round == 1 || told.phase != Phase::Place;
    ok(begun, "waited", told.waited, "1 or more, for nothing has been played in this round")?;

    let columns = told.columns.iter().flatten().map(|column| ("columns", column.cards));
    let hands =
        [("hand", told.hand), ("known", told.known), ("unseen", told.unseen), ("stolen", told.stolen)];
    apart(columns.chain(hands))?;
    let hidden = told.unseen.len().checked_sub(usize::from(told.stock));
    let expected = format!("at most {}, the unseen cards", told.unseen.len());
    let hidden = hidden.ok_or_else(|| ViewError::new("stock", told.stock, expected))?;
    for (name, size) in [("hand", told.hand.len()), ("known", told.known.len() + hidden)] {
        ok(size <= HAND, name, size, format_args!("at most {HAND} cards in a hand"))?;
    }
    let mut counts = [(told.known.len() + hidden) as u8; 2];
    counts[usize::from(told.mover)] = told.hand.len() as u8;
    ok(told.counts == counts, "counts", format_args!("{:?}", told.counts), format_args!("{counts:?}"))?;
    let open = told.open.len();
    ok((told.open & told.hand).len() == open, "open", open, "cards of the own hand")?;

    Ok(View {
        board: board_of(rules, told)?,
        seat: told.mover,
        hand: told.hand,
        revealed: told.open | told.known,
        unseen: told.unseen,
        stock: told.stock,
    })
}

/// Everything that both players know.
fn board_of(rules: &Rules, told: &Shown) -> Result<Board, ViewError> {
    let mut board = Board::new(rules, [[Card::new(Suit::Clubs, 2); PAIRS]; 2]);
    (board.phase, board.roller, board.mover) = (told.phase, told.roller, told.mover);
    (board.round, board.waited) = (told.round, told.waited);
    board.stolen = told.stolen;
    lay_columns(&mut board, told)?;
    place_dice(&mut board, told)?;
    Ok(board)
}

/// Lays the columns.
fn lay_columns(board: &mut Board, told: &Shown) -> Result<(), ViewError> {
    for (seat, columns) in told.columns.iter().enumerate() {
        for (pair, column) in columns.iter().enumerate() {
            let top = column.top.and_then(rank_of).unwrap_or_default();
            let on_top = if column.cards.is_empty() {
                column.top.is_none()
            } else {
                column.cards.into_iter().any(|card| card.rank() == top)
            };
            ok(
                on_top,
                "columns",
                format_args!("top {}", or_null(column.top)),
                "the rank of one of the cards, or null without",
            )?;
            let (way, next): (_, fn(u8) -> u8) = match column.direction {
                Direction::Down => ("down", board::below),
                _ => ("up", board::above),
            };
            // It got its direction by a step from a card that it still has.
            let stepped = column.direction == Direction::None
                || column.cards.into_iter().any(|card| next(card.rank()) == top);
            let expected = "none, as no card goes to the top one by such a step";
            ok(stepped, "columns", format_args!("direction {way}"), expected)?;
            let len = column.cards.len();
            ok(
                !column.finished || len >= 4,
                "columns",
                format_args!("finished with {len} cards"),
                "at least 4",
            )?;
            board.columns[seat][pair] = board::Column {
                cards: column.cards,
                top,
                direction: column.direction,
                finished: column.finished,
            };
            if column.finished {
                board.finished[seat] = board.finished[seat].with(len);
            }
        }
        let all = usize::from(board.finished[seat].count()) == PAIRS;
        ok(!all, "columns", "four finished columns of a seat", "a game that goes on")?;
        let fit = board.finished[seat].fit(board.rules.finish);
        ok(fit, "columns", "finished columns of these lengths", "lengths that the rules let stand together")?;
    }
    Ok(())
}

/// Places the dice beside the columns, or those that are to be placed.
fn place_dice(board: &mut Board, told: &Shown) -> Result<(), ViewError> {
    let placing = told.phase == Phase::Place;
    let dice = told.dice.iter().filter(|&&die| die > 0).count();
    ok(dice <= board.rolled.len(), "dice", format_args!("{:?}", told.dice), "at most three dice")?;
    for pair in 0..PAIRS {
        let closed = board.columns.iter().all(|columns| columns[pair].finished);
        board.open &= !(u8::from(closed) << pair);
        let (die, left, untouched) = (told.dice[pair], told.left[pair], told.untouched[pair]);
        ok(die <= if placing { 0 } else { 6 }, "dice", die, "0 to 6, and 0 until dice are placed")?;
        let own = &board.columns[usize::from(told.mover)][pair];
        let most = if own.finished {
            0
        } else if die == 6 {
            1
        } else {
            die
        };
        ok(left <= most, "left", left, format_args!("at most {most}, by the die and the own column"))?;
        ok(die > 0 || !untouched, "untouched", true, "false where there is no die")?;
        // Who plays has fewer cards left, and who steals none.
        ok(
            die == 0 || own.finished || untouched == (left == most),
            "untouched",
            untouched,
            format_args!("{}, with {left} left of {most}", !untouched),
        )?;
        let waits = die == 0 || untouched && !closed;
        let expected = "0, as a card was played or a column finished in this round";
        ok(waits || told.waited == 0, "waited", told.waited, expected)?;
        board.untouched |= u8::from(untouched) << pair;
    }
    // A pair may have closed since the dice were rolled.
    let due = board.dice_count();
    let all = placing || dice == due || dice > due && told.waited == 0;
    ok(all, "dice", format_args!("{:?}", told.dice), format_args!("{due} dice, by the open pairs"))?;
    let rolled = if placing { due } else { 0 };
    let dice = told.rolled.len() == rolled && told.rolled.iter().all(|die| (1..=6).contains(die));
    ok(dice, "rolled", format_args!("{:?}", told.rolled), format_args!("{rolled} dice"))?;
    for (place, &die) in board.rolled.iter_mut().zip(&told.rolled) {
        *place = die;
    }
    (board.dice, board.left) = (told.dice, told.left);
    Ok(())
}
