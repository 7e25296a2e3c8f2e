//! The view as data, for players in other processes.

use super::board::{Board, NO_ONE, Phase};
use super::rules::Rules;
use super::view::View;
use crate::cards::{CardSet, rank_letter, rank_of};
use crate::told::{apart, ok, or_null, written};
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
    ok(decides, "phase", written(&told.phase), "forced, challenge or choose")?;
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
    let earlier = earlier_rolls(rules, told)?;
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
    turn_fits(&board, told, earlier)?;
    Ok(View { board, counts, seat: told.mover, hand: told.hand })
}

/// Checks the turn, before which this game can have had so many rolls.
fn turn_fits(board: &Board, told: &Shown, earlier: u32) -> Result<(), ViewError> {
    let first = board.first_roller(told.game);
    let turns = u32::from(board.places(first, told.roller));
    let least = told.rolls - earlier + turns;
    ok(
        turns <= earlier,
        "rolls",
        told.rolls,
        format_args!("at least {least}, as seat {first} rolled first"),
    )?;
    let none = told.challenger.is_none() && earlier == 0;
    let expected = "no card before the first challenge";
    ok(!none || told.played.is_empty(), "played", told.played.len(), expected)?;
    let count = |seat: u8| told.counts[usize::from(seat)];
    let has_played = told.challenger.is_none_or(|seat| count(seat) < board.cards);
    ok(has_played, "challenger", or_null(told.challenger), "a seat that has played a card")?;
    if told.phase == Phase::Forced {
        let mut asked = told.roller;
        while count(asked) == 0 {
            asked = board.left_of(asked);
        }
        let expected = format!("{asked}, the first with cards from the roller on");
        ok(told.mover == asked, "mover", told.mover, expected)?;
    }
    let plays = told.phase == Phase::Choose || !board.playable(told.hand).is_empty();
    ok(plays, "hand", told.hand.len(), "a card among them that may be played")
}

/// The most rolls in earlier turns of this game, by the numbers of rolls, games and points.
fn earlier_rolls(rules: &Rules, told: &Shown) -> Result<u32, ViewError> {
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
    )?;
    let earlier = told.rolls - told.stakes.div_ceil(12);
    // The stakes are those of this turn. All others of this game have been won; a game that ended may have lost some.
    let sum: u64 = told.scores.iter().copied().map(u64::from).sum();
    let least = (2 * u64::from(told.rolls)).saturating_sub(told.stakes.into());
    let most = 12 * (u64::from(earlier) + u64::from(told.game) * u64::from(rules.max_rolls));
    let expected = format!("{least} to {most} together, 2 to 12 for each roll of other turns");
    ok((least..=most).contains(&sum), "scores", format_args!("{:?}", told.scores), expected)?;
    // An earlier game would have ended the match.
    let below = u64::from(rules.target) + 12 * u64::from(earlier);
    let goes_on = told.game == 0 || told.scores.iter().all(|&score| u64::from(score) < below);
    let expected = format!("less than {below} each, as the match goes on");
    ok(goes_on, "scores", format_args!("{:?}", told.scores), expected)?;
    Ok(earlier)
}

/// The rank of the last challenge, 0 for none.
fn high_of(told: &Shown) -> Result<u8, ViewError> {
    let high = told.high.map(|letter| rank_of(letter).ok_or(letter)).transpose();
    let high = high.map_err(|letter| ViewError::new("high", letter, "a rank such as T"))?.unwrap_or_default();
    let expected = "a rank where somebody has challenged";
    ok((high > 0) == told.challenger.is_some(), "high", or_null(told.high), expected)?;
    let lies = high == 0 || told.played.into_iter().any(|card| card.rank() == high);
    ok(lies, "high", or_null(told.high), "the rank of a card that was played")?;
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
    let others = held - own;
    let unseen = told.unseen.len();
    ok(others <= unseen, "counts", others, format_args!("at most {unseen} cards in other hands"))?;
    let dealt = rules.dealt();
    let expected = format!("{dealt} with those that were played");
    ok(held + told.played.len() == dealt, "counts", held, expected)?;
    Ok((deck, held))
}
