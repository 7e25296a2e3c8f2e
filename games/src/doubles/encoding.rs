//! Views and moves as arrays, for players that learn.

use super::board::{NO_ONE, Phase};
use super::moves::Move;
use super::position::Doubles;
use super::rules::MAX_CARDS;
use super::view::View;
use crate::shuffle::CARDS;
use knave_agents::Encoding;
use knave_agents::encoding::{Part, Row, Spelling, first};
use knave_agents::game::MAX_SEATS;

const RANKS: usize = 13;
/// The numbers that are written as 0.5: of stakes, scores, rolls and games.
const STAKES: f32 = 25.0;
const SCORE: f32 = 100.0;
const ROLLS: f32 = 50.0;
const GAMES: f32 = 5.0;
/// The lead that is written as 0.75.
const LEAD: f32 = 30.0;

const OBSERVATION: &[Part] = &[
    Part::new(
        "phase",
        3,
        "what the mover decides: a challenge that doubles force, whether to challenge, whether to pocket or roll",
    ),
    Part::new(
        "players",
        MAX_SEATS - 1,
        "the number of players, one-hot from 2; seats beyond them have zeros everywhere",
    ),
    Part::new("mover", MAX_SEATS, "the seat that decides, one-hot; zeros if none does"),
    Part::new("roller", MAX_SEATS, "the seat whose turn to roll it is, one-hot"),
    Part::new(
        "challenger",
        MAX_SEATS,
        "the seat that challenged last since the last roll, one-hot; zeros if none has",
    ),
    Part::new("high", RANKS, "the rank of that challenge, one-hot from 2; zeros if there is none"),
    Part::new("stakes", 1, "the stakes n of the turn so far, as n / (n + 25)"),
    Part::new("scores", MAX_SEATS, "for each seat: its score n, as n / (n + 100)"),
    Part::new(
        "leads",
        MAX_SEATS,
        "for each seat: with the own team n points ahead of its team 0.5 + 0.5 * n / (n + 30), with n behind 0.5 - 0.5 * n / (n + 30)",
    ),
    Part::new(
        "rolls",
        2,
        "the number n of rolls in this game and the number n that may follow, each as n / (n + 50)",
    ),
    Part::new("game", 1, "the number n of earlier games of a match, as n / (n + 5)"),
    Part::new(
        "lack",
        1,
        "the points n that the best score lacks to the target of a match, as n / (n + 100); 0 if it is no match",
    ),
    Part::new(
        "next_roller",
        MAX_SEATS,
        "the seat that rolls first in the next game of a match, one-hot; zeros if it is no match",
    ),
    Part::new("hand", CARDS, "the cards in the own hand"),
    Part::new(
        "counts",
        MAX_SEATS * (MAX_CARDS + 1),
        "for each seat: the number of its cards, one-hot from 0",
    ),
    Part::new("played", CARDS, "the cards that were played in this game"),
    Part::new("unseen", CARDS, "the cards in other hands and those out of play"),
    Part::new(
        "team",
        MAX_SEATS * MAX_SEATS,
        "for each seat: the nearest seat from oneself on that is of its team, one-hot",
    ),
    Part::new("rules", 3, "cards as a share of 7, whether it is a match, its target n as n / (n + 100)"),
];

const ACTIONS: &[Part] = &[
    Part::new("pass", 1, "let the turn to challenge go by"),
    Part::new("pocket", 1, "take the stakes that nobody has challenged"),
    Part::new("roll", 1, "roll again for higher stakes"),
    Part::new("challenge", CARDS, "challenge with this card"),
];

const PASS: u16 = first(ACTIONS, "pass");
const POCKET: u16 = first(ACTIONS, "pocket");
const ROLL: u16 = first(ACTIONS, "roll");
const CHALLENGE: u16 = first(ACTIONS, "challenge");

/// How doubles becomes arrays.
pub fn encoding() -> Encoding<Doubles> {
    Encoding { observation: OBSERVATION, actions: ACTIONS, observe, spell }
}

fn observe(view: &View, _: &[u16], row: &mut Row<'_>) {
    let board = &view.board;
    let players = board.players;
    // Seats counted from oneself on to the left, and back; without a division, which would be slow.
    let wrapped = |seat: u8| if seat >= players { seat - players } else { seat };
    let from_here = |seat: u8| usize::from(wrapped(seat + players - view.seat));
    let seats = || (0..players).map(|places| wrapped(view.seat + places));
    // The positions of seats that are not taken stay 0.
    let missing = MAX_SEATS - usize::from(players);
    let phase = match board.phase {
        Phase::Forced => Some(0),
        Phase::Challenge => Some(1),
        Phase::Choose => Some(2),
        Phase::Roll | Phase::Shuffle | Phase::Over => None,
    };
    row.part("phase");
    row.one_hot(3, phase);
    row.part("players");
    row.one_hot(MAX_SEATS - 1, usize::from(players) - 2);
    row.part("mover");
    row.one_hot(MAX_SEATS, phase.map(|_| from_here(board.mover)));
    row.part("roller");
    row.one_hot(MAX_SEATS, from_here(board.roller));
    // A round that is over leaves its challenge until the next roll.
    let challenged = phase.is_some() && board.challenger != NO_ONE;
    row.part("challenger");
    row.one_hot(MAX_SEATS, challenged.then(|| from_here(board.challenger)));
    row.part("high");
    row.one_hot(RANKS, challenged.then(|| usize::from(board.high) - 2));
    row.part("stakes");
    row.unbounded(board.stakes as f32, STAKES);
    row.part("scores");
    seats().for_each(|seat| row.unbounded(board.scores[usize::from(seat)] as f32, SCORE));
    row.skip(missing);
    row.part("leads");
    let own = board.side_score(view.seat) as i64;
    for seat in seats() {
        let lead = (own - board.side_score(seat) as i64) as f32;
        row.share(0.5 + 0.5 * lead / (lead.abs() + LEAD), 1.0);
    }
    row.skip(missing);
    row.part("rolls");
    row.unbounded(board.rolls as f32, ROLLS);
    row.unbounded(board.max_rolls.saturating_sub(board.rolls) as f32, ROLLS);
    row.part("game");
    row.unbounded(board.game as f32, GAMES);
    row.part("lack");
    let best = board.scores.into_iter().max().unwrap_or(0);
    row.unbounded(board.target.saturating_sub(best) as f32, SCORE);
    row.part("next_roller");
    row.one_hot(MAX_SEATS, (board.target > 0).then(|| from_here(board.next_roller(true))));
    row.part("hand");
    row.set(CARDS, view.hand.places());
    row.part("counts");
    seats().for_each(|seat| row.one_hot(MAX_CARDS + 1, usize::from(view.counts[usize::from(seat)])));
    row.skip(missing * (MAX_CARDS + 1));
    row.part("played");
    row.set(CARDS, board.played.places());
    row.part("unseen");
    row.set(CARDS, view.unseen().places());
    row.part("team");
    let side = |seat: u8| board.sides[usize::from(seat)];
    seats().for_each(|seat| row.one_hot(MAX_SEATS, seats().position(|first| side(first) == side(seat))));
    row.skip(missing * MAX_SEATS);
    row.part("rules");
    row.share(f32::from(board.cards), MAX_CARDS as f32);
    row.flag(board.target > 0);
    row.unbounded(board.target as f32, SCORE);
}

fn spell(_: &View, m: Move) -> Spelling {
    let action = match m {
        Move::PASS => PASS,
        Move::POCKET => POCKET,
        Move::ROLL => ROLL,
        _ => m.card().map_or(PASS, |card| CHALLENGE + card.place() as u16),
    };
    Spelling::from_iter([action])
}
