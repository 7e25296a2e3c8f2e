//! What the types of a game do not say, and what it is asked for before anything is counted.

use crate::CardGame;
use knave_agents::Seat;
use knave_agents::game::MAX_SEATS;
use knave_agents::options;
use knave_agents::rng::{Role, stream};

/// The largest score, above or below 0. Sums of scores are exact then. [`CardGame::score`] says up to where those of squares are kept.
const MOST: i64 = 1_000_000_000_000;

/// A promise of [`CardGame`] that a game of one's own breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenPromise {
    /// Its name is no word for a command line and a folder.
    #[error("NAME={0:?}: expected letters, digits, - and _, a - not first")]
    Name(String),
    /// Points cannot be worked out from scores.
    #[error("SCORE_UNITS={0}: expected 1 or more units in a point")]
    Units(i64),
    /// The default rules are not accepted as they are recorded.
    #[error("the default rules are refused: {0}")]
    Defaults(String),
    /// It has no seat, or too many.
    #[error("{0} seats: a game has 1 to {MAX_SEATS}")]
    Seats(usize),
    /// Teams are not told by their first seats.
    #[error("teams={teams:?} of {seats} seats: expected the first seat of its team for every seat")]
    Teams {
        /// The teams as they are told.
        teams: Vec<Seat>,
        /// The number of seats.
        seats: usize,
    },
    /// The range of scores is none.
    #[error("score_range={low} to {high}: expected the lower one first, both within ±10^12")]
    Range {
        /// The lower end, as it is told.
        low: i64,
        /// The higher end.
        high: i64,
    },
    /// Scores are not what their game says.
    #[error(
        "scores={scores:?}: one of them, or what some add up to, is not within score_range={low} to {high}"
    )]
    Scores {
        /// The scores by seat.
        scores: Vec<i64>,
        /// The lower end of the range.
        low: i64,
        /// The higher end.
        high: i64,
    },
    /// A utility is no number, or one that players cannot make use of.
    #[error("utilities={0}: expected numbers from 0 to 1")]
    Utilities(String),
    /// A score is too large to be added up.
    #[error("scores={0:?}: expected scores within ±10^12")]
    TooLarge(Vec<i64>),
}

/// Whether a name can be typed, and be part of a folder's.
#[must_use]
pub fn is_callable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('-')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

/// Checks what a game promises whatever its rules are, and under its default rules.
///
/// # Errors
/// Says which promise is broken.
pub fn check_game<G: CardGame>() -> Result<(), BrokenPromise> {
    if !is_callable(G::NAME) {
        return Err(BrokenPromise::Name(G::NAME.to_owned()));
    }
    if G::SCORE_UNITS < 1 {
        return Err(BrokenPromise::Units(G::SCORE_UNITS));
    }
    let rules = G::Rules::default();
    crate::read_rules::<G>(&options::recorded(&rules))
        .map_err(|error| BrokenPromise::Defaults(error.to_string()))?;
    check_rules::<G>(&rules).map(|_| ())
}

/// Checks what a game promises under these rules, and returns its number of seats.
///
/// # Errors
/// Says which promise is broken.
pub fn check_rules<G: CardGame>(rules: &G::Rules) -> Result<usize, BrokenPromise> {
    let seats = G::deal(rules, &mut stream(0, 0, Role::Deal)).seats();
    if !(1..=MAX_SEATS).contains(&seats) {
        return Err(BrokenPromise::Seats(seats));
    }
    let teams = G::teams(rules, seats);
    let is_first = |(seat, &first): (Seat, &Seat)| first <= seat && teams[first] == first;
    if teams.len() != seats || !teams.iter().enumerate().all(is_first) {
        return Err(BrokenPromise::Teams { teams, seats });
    }
    match G::score_range(rules) {
        Some((low, high)) if low > high || low < -MOST || high > MOST => {
            Err(BrokenPromise::Range { low, high })
        }
        _ => Ok(seats),
    }
}

/// Checks a finished game by these rules.
///
/// # Errors
/// Tells the utilities or the scores, if they cannot be.
pub fn check_end<G: CardGame>(end: &G, rules: &G::Rules) -> Result<(), BrokenPromise> {
    let utilities = || (0..end.seats()).map(|seat| end.utility(seat));
    if !utilities().all(|utility| (0.0..=1.0).contains(&utility)) {
        return Err(BrokenPromise::Utilities(format!("{:?}", utilities().collect::<Vec<_>>())));
    }
    let scores = || (0..end.seats()).map(|seat| end.score(seat));
    if scores().any(|score| !(-MOST..=MOST).contains(&score)) {
        return Err(BrokenPromise::TooLarge(scores().collect()));
    }
    let Some((low, high)) = G::score_range(rules) else { return Ok(()) };
    // The least and the most that some of them add up to.
    let (mut least, mut most) = (i64::MAX, i64::MIN);
    for score in scores() {
        least = least.min(score + least.min(0));
        most = most.max(score + most.max(0));
    }
    if low <= least && most <= high {
        return Ok(());
    }
    Err(BrokenPromise::Scores { scores: scores().collect(), low, high })
}
