//! The view as data, for players in other processes.

use super::board::{Board, NO_ONE, Phase};
use super::rules::Rules;
use super::view::View;
use crate::cards::{CardSet, rank_letter, rank_of};
use crate::told::{apart, ok, or_null};
use arrayvec::ArrayVec;
use knave_agents::game::MAX_SEATS;
use knave_agents::{Seat, ViewError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a player of doubles knows. Lists of cards are by suit and rank.
#[derive(Serialize, Deserialize, JsonSchema)]
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

/// The most points or games that are read, so that games go on without an overflow.
const MOST: u32 = 1_000_000_000;

/// The view of the player who is told this and is to move.
///
/// # Errors
/// Names a field that no player is told so.
pub fn read(rules: &Rules, told: &Shown) -> Result<View, ViewError> {
    let decides = matches!(told.phase, Phase::Forced | Phase::Challenge | Phase::Choose);
    ok(decides, "phase", format_args!("{:?}", told.phase), "forced, challenge or choose")?;
    let players = usize::from(rules.players);
    let seats = format!("one of {players} seats");
    for (name, one) in
        [("mover", Some(told.mover)), ("roller", Some(told.roller)), ("challenger", told.challenger)]
    {
        ok(one.is_none_or(|one| usize::from(one) < players), name, one.unwrap_or_default(), &seats)?;
    }
    for (name, len) in [("scores", told.scores.len()), ("counts", told.counts.len())] {
        ok(
            len == players,
            name,
            format_args!("{len} numbers"),
            format_args!("{players}, one for each seat"),
        )?;
    }
    let most = told.counts.iter().copied().max().unwrap_or_default();
    ok(most <= rules.cards, "counts", most, format_args!("at most {} cards in a hand", rules.cards))?;
    numbers_fit(rules, told)?;
    let high = high_of(told)?;
    let rolls_on = told.phase != Phase::Choose || told.mover == told.roller;
    ok(rolls_on, "mover", told.mover, format_args!("{}, who rolls", told.roller))?;
    let (deck, held) = deck_of(rules, told)?;
    let mut board = Board::new(rules, deck);
    board.phase = told.phase;
    board.played = told.played;
    board.held = held as u8;
    board.scores[..players].copy_from_slice(&told.scores);
    (board.game, board.rolls, board.stakes) = (told.game, told.rolls, told.stakes);
    (board.roller, board.mover, board.high) = (told.roller, told.mover, high);
    board.challenger = told.challenger.unwrap_or(NO_ONE);
    let mut counts = [0; MAX_SEATS];
    counts[..players].copy_from_slice(&told.counts);
    Ok(View { board, counts, seat: told.mover, hand: told.hand })
}

/// Checks the numbers of rolls, games and points.
fn numbers_fit(rules: &Rules, told: &Shown) -> Result<(), ViewError> {
    let rolls = 1..=rules.max_rolls;
    ok(rolls.contains(&told.rolls), "rolls", told.rolls, format_args!("1 to {}", rules.max_rolls))?;
    let points = told.scores.iter().chain([&told.stakes, &told.game]);
    if let Some(number) = points.copied().find(|&number| number > MOST) {
        return Err(ViewError::new("scores, stakes or game", number, format_args!("at most {MOST}")));
    }
    ok(told.game == 0 || rules.target > 0, "game", told.game, "0, for this is no match")?;
    let most = 12 * u64::from(told.rolls);
    ok(
        (2..=most).contains(&told.stakes.into()),
        "stakes",
        told.stakes,
        format_args!("2 to {most}, 12 a roll"),
    )
}

/// The rank of the last challenge, 0 for none.
fn high_of(told: &Shown) -> Result<u8, ViewError> {
    let high = told.high.map(|letter| rank_of(letter).ok_or(letter)).transpose();
    let high = high.map_err(|letter| ViewError::new("high", letter, "a rank such as T"))?.unwrap_or_default();
    let expected = "a rank where somebody has challenged";
    ok((high > 0) == told.challenger.is_some(), "high", or_null(told.high), expected)?;
    let challenger = or_null(told.challenger);
    ok(
        told.challenger.is_none_or(|seat| told.phase == Phase::Challenge && seat != told.mover),
        "challenger",
        challenger,
        "null, or another seat while others may challenge",
    )?;
    Ok(high)
}

/// The cards of the deck, and the number of those that are held.
fn deck_of(rules: &Rules, told: &Shown) -> Result<(CardSet, usize), ViewError> {
    let deck = apart([("hand", told.hand), ("played", told.played), ("unseen", told.unseen)])?;
    let (own, count) = (told.hand.len(), told.counts[Seat::from(told.mover)]);
    ok(usize::from(count) == own, "counts", count, format_args!("{own} for the own hand"))?;
    let held: usize = told.counts.iter().map(|&count| usize::from(count)).sum();
    // The game ends with the turn of the last card.
    ok(held > 0, "counts", held, "a card in some hand")?;
    ok(own > 0 || told.phase == Phase::Choose, "hand", "[]", "the card that may be played")?;
    let others = held - own;
    let unseen = told.unseen.len();
    ok(others <= unseen, "counts", others, format_args!("at most {unseen} cards in other hands"))?;
    let dealt = rules.dealt();
    let expected = format!("{dealt} with those that were played");
    ok(held + told.played.len() == dealt, "counts", held, expected)?;
    Ok((deck, held))
}
