//! Tests of columns: worked examples of the rules, and exhaustive checks of steps and worlds.

mod encoding;
mod hidden;
mod net;
mod rule;
mod rules;
mod shown;
mod stand_off;
mod steps;
mod tally;

use super::move_sets::MoveSets;
use super::pile::Stock;
use super::*;
use crate::CardGame as _;
use crate::cards::{Card, CardSet};
use knave_agents::rng::stream;
use knave_agents::{
    ChanceRecord, Event, Game as _, Notation as _, Rng, Role, Seat, StepList, Tools as _, Turn,
};
use rand::RngExt as _;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

fn set(text: &str) -> CardSet {
    cards(text).into_iter().collect()
}

/// A deck that begins with these cards; the others follow in order.
fn deck(first: &str) -> Vec<Card> {
    let mut deck = cards(first);
    let rest: Vec<Card> = Card::all().filter(|card| !deck.contains(card)).collect();
    deck.extend(rest);
    deck
}

fn legal(position: &Columns) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

/// Plays moves and rolls: `roll 3 1 6` rolls dice, anything else is a move.
fn act(position: &mut Columns, script: &[&str]) {
    for text in script {
        if let Some(dice) = text.strip_prefix("roll ") {
            let dice = dice.split(' ').map(|die| die.parse().unwrap()).collect();
            let outcome = position.read_chance(&ChanceRecord::Roll(dice)).unwrap();
            position.play_chance(outcome);
        } else {
            let m = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
            position.try_play(m).unwrap();
        }
        if position.board.due == Due::Draw {
            position.play_chance(Chance::Draw);
        }
    }
}

/// A column in a made-up position: its cards, the last one on top, `<` or `>` for its direction, `!` when finished.
fn column(text: &str) -> Column {
    let mut column = Column::default();
    for word in text.split_whitespace() {
        match word {
            ">" => column.direction = Direction::Up,
            "<" => column.direction = Direction::Down,
            "!" => column.finished = true,
            card => {
                let card: Card = card.parse().unwrap();
                column.cards.insert(card);
                column.top = card.rank();
            }
        }
    }
    column
}

/// A made-up position before seat 0 rolls.
fn made_up(
    rules: Rules,
    columns: [[&str; PAIRS]; 2],
    hands: [&str; 2],
    stock: &str,
    stolen: &str,
) -> Columns {
    let first = Card::all().next().unwrap();
    let mut board = Board::new(&rules, [[first; PAIRS]; 2]);
    board.columns = columns.map(|columns| columns.map(column));
    for seat in 0..2 {
        for column in board.columns[seat].iter().filter(|column| column.finished) {
            board.finished[seat] = board.finished[seat].with(column.len());
        }
    }
    let closed = |pair: &usize| board.columns[0][*pair].finished && board.columns[1][*pair].finished;
    board.open = (0..PAIRS).filter(|pair| !closed(pair)).fold(0, |open, pair| open | 1 << pair);
    board.stolen = set(stolen);
    let stock = Stock::new(Order::of(cards(stock)));
    let move_sets = MoveSets::of(&board);
    let position = Columns { board, hands: hands.map(set), revealed: CardSet::EMPTY, stock, move_sets };
    let mut all = position.cards();
    all.sort_unstable();
    assert!(all.is_sorted_by(|a, b| a < b), "a made-up position holds a card twice");
    position
}
