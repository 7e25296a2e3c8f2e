//! Views and moves as arrays, for players that learn.

use super::board::{Direction, Due, Phase};
use super::moves::Move;
use super::position::Columns;
use super::rules::{Finish, HAND, PAIRS};
use super::view::View;
use crate::cards::{Card, CardSet};
use crate::shuffle::CARDS;
use knave_agents::Encoding;
use knave_agents::encoding::{Part, Row, Spelling, first};

const RANKS: usize = 13;
/// The faces of a die, 0 for none.
const FACES: usize = 7;
/// The most cards that a die lets a player play.
const MOST: f32 = 5.0;
/// The number of rounds that is written as 0.5.
const ROUNDS: f32 = 20.0;

const OBSERVATION: &[Part] = &[
    Part::new("phase", 3, "what the mover does: place the dice, play first, play second"),
    Part::new("mover", 1, "whether it is the own turn"),
    Part::new("roller", 1, "whether the player rolls in this round; between two rounds, in the next"),
    Part::new(
        "round",
        2,
        "the number n of this round and the number n of rounds that may follow, each as n / (n + 20)",
    ),
    Part::new("rolled", 3 * 6, "the dice to be placed as rolled, each one-hot from 1; zeros for none"),
    Part::new("dice", PAIRS * FACES, "for each pair: the die placed there, one-hot from 0 for none to 6"),
    Part::new("left", PAIRS, "for each pair: how many cards the mover may still play there, as a share of 5"),
    Part::new(
        "untouched",
        PAIRS,
        "for each pair: whether it has a die and the mover has neither played nor stolen there",
    ),
    Part::new(
        "ranks",
        2 * PAIRS * RANKS,
        "for each own column, then the other's: how many cards it has of each rank from 2 on, as a share of 4",
    ),
    Part::new(
        "top",
        2 * PAIRS * RANKS,
        "for each own column, then the other's: the rank of the card on top, one-hot from 2; zeros if it is empty",
    ),
    Part::new(
        "direction",
        2 * PAIRS * 3,
        "for each own column, then the other's: its direction, one-hot: none, up, down",
    ),
    Part::new("finished", 2 * PAIRS, "for each own column, then the other's: whether it is finished"),
    Part::new(
        "length",
        2 * PAIRS,
        "for each own column, then the other's: its number of cards, as a share of 13, at most 1",
    ),
    Part::new("stolen", RANKS, "how many stolen cards there are of each rank from 2 on, as a share of 4"),
    Part::new("hand", CARDS, "the cards in the own hand"),
    Part::new("open", CARDS, "those of them that the other player knows of"),
    Part::new("known", CARDS, "the cards that the other player is known to hold"),
    Part::new("unseen", CARDS, "the cards that lie in the stock or in the unknown part of the other hand"),
    Part::new("counts", 2, "the number of cards in the own hand and in the other, as a share of 7"),
    Part::new("stock", 1, "the number of cards in the stock, as a share of 52"),
    Part::new(
        "begun",
        PAIRS * FACES,
        "of a placement that is being spelled: for each pair the die, one-hot from 0 for none to 6; zeros for pairs to come",
    ),
    Part::new("rules", 1, "finish = exact"),
];

const ACTIONS: &[Part] = &[
    Part::new(
        "place",
        PAIRS * FACES,
        "for each pair: put this die there, 0 for none; one action for each pair that is not closed, in order",
    ),
    Part::new("play", PAIRS * CARDS, "for each pair: play this card to the own column"),
    Part::new("steal", PAIRS * CARDS, "for each pair: steal the other's column with this card"),
    Part::new("finish", PAIRS, "finish the own column of this pair"),
    Part::new("done", 1, "end the own play"),
];

const PLACE: u16 = first(ACTIONS, "place");
const PLAY: u16 = first(ACTIONS, "play");
const STEAL: u16 = first(ACTIONS, "steal");
const FINISH: u16 = first(ACTIONS, "finish");
const DONE: u16 = first(ACTIONS, "done");

/// How columns becomes arrays.
pub fn encoding() -> Encoding<Columns> {
    Encoding { observation: OBSERVATION, actions: ACTIONS, observe, spell }
}

/// Writes how many of the cards there are of each rank. Suits count nowhere in this game.
#[inline]
fn by_rank(cards: CardSet, row: &mut Row<'_>) {
    let share = |rank: u8| (cards & CardSet::of_rank(rank)).len() as f32 / 4.0;
    row.numbers(RANKS, cards.into_iter().map(Card::rank).map(|rank| (usize::from(rank) - 2, share(rank))));
}

fn observe(view: &View, begun: &[u16], row: &mut Row<'_>) {
    let board = &view.board;
    let own = usize::from(view.seat & 1);
    let columns = || [own, 1 - own].into_iter().flat_map(|seat| &board.columns[seat]);
    let phase = match board.phase {
        Phase::Place => Some(0),
        Phase::First => Some(1),
        Phase::Second => Some(2),
        Phase::Roll | Phase::Over => None,
    };
    row.part("phase");
    row.one_hot(3, phase);
    row.part("mover");
    row.flag(phase.is_some() && board.due == Due::Nothing && board.mover() == own);
    row.part("roller");
    row.flag(board.roller() == own);
    row.part("round");
    row.unbounded(board.round as f32, ROUNDS);
    row.unbounded(board.rules.max_rounds.saturating_sub(board.round) as f32, ROUNDS);
    row.part("rolled");
    // They are kept when they have been placed.
    let placing = board.phase == Phase::Place;
    board.rolled.iter().for_each(|&die| row.one_hot(6, (placing && die > 0).then(|| usize::from(die) - 1)));
    row.part("dice");
    board.dice.iter().for_each(|&die| row.one_hot(FACES, usize::from(die)));
    row.part("left");
    board.left.iter().for_each(|&left| row.share(f32::from(left), MOST));
    row.part("untouched");
    (0..PAIRS).for_each(|pair| row.flag(board.untouched >> pair & 1 == 1));
    row.part("ranks");
    columns().for_each(|column| by_rank(column.cards, row));
    row.part("top");
    columns().for_each(|column| row.one_hot(RANKS, usize::from(column.top).checked_sub(2)));
    row.part("direction");
    for column in columns() {
        let place = match column.direction {
            Direction::None => 0,
            Direction::Up => 1,
            Direction::Down => 2,
        };
        row.one_hot(3, place);
    }
    row.part("finished");
    columns().for_each(|column| row.flag(column.finished));
    row.part("length");
    columns().for_each(|column| row.share(column.len() as f32, RANKS as f32));
    row.part("stolen");
    by_rank(board.stolen, row);
    row.part("hand");
    row.set(CARDS, view.hand.places());
    row.part("open");
    row.set(CARDS, (view.revealed & view.hand).places());
    row.part("known");
    row.set(CARDS, view.known().places());
    row.part("unseen");
    row.set(CARDS, view.unseen.places());
    row.part("counts");
    row.share(view.hand.len() as f32, HAND as f32);
    row.share(view.other_count() as f32, HAND as f32);
    row.part("stock");
    row.share(f32::from(view.stock), CARDS as f32);
    row.part("begun");
    row.set(PAIRS * FACES, begun.iter().map(|&action| usize::from(action - PLACE)));
    row.part("rules");
    row.flag(board.rules.finish == Finish::Exact);
}

fn spell(view: &View, m: Move) -> Spelling {
    let card = |pair: u8, card: Card| (usize::from(pair) * CARDS + card.place()) as u16;
    let action = match m {
        Move::Place(dice) => {
            // A closed pair never has a die, so that its action would tell nothing.
            let open = (0..PAIRS).filter(|&pair| view.board.open >> pair & 1 == 1);
            return open.map(|pair| PLACE + (pair * FACES) as u16 + u16::from(dice[pair])).collect();
        }
        Move::Play(pair, played) => PLAY + card(pair, played),
        Move::Steal(pair, played) => STEAL + card(pair, played),
        Move::Finish(pair) => FINISH + u16::from(pair),
        Move::Done => DONE,
    };
    Spelling::from_iter([action])
}
