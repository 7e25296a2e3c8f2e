//! Measures of a result: wins and scores.

use super::observer::Finished;
use crate::games::{CardGame, WIN_UNIT};
use knave_agents::Bounding;
use knave_agents::game::MAX_SEATS;
use serde::{Deserialize, Serialize};

/// The measure of a result.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Games won, a shared win as its share.
    #[default]
    Wins,
    /// The score.
    Score,
}

impl Measure {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Wins, Self::Score];

    /// The default measure of a game: the score where the game is about it, or fair play is bounded by it, and wins elsewhere.
    #[must_use]
    pub fn of_game<G: CardGame>(rules: &G::Rules) -> Self {
        let kit = G::kit(rules);
        let is_bounded = |bounding: Bounding<G>| bounding.quantity == Self::Score.name();
        if kit.by_score || kit.bounding.is_some_and(is_bounded) { Self::Score } else { Self::Wins }
    }

    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wins => "wins",
            Self::Score => "score",
        }
    }

    /// The whole number that stands for a win, or for a printed point.
    #[must_use]
    pub fn unit<G: CardGame>(self) -> f64 {
        match self {
            Self::Wins => WIN_UNIT as f64,
            Self::Score => G::SCORE_UNITS as f64,
        }
    }

    /// The results of a finished game by seat, as such whole numbers. A win is shared by those who have won; the score of a seat is that
    /// of its team, so that nothing is gained by what a partner loses.
    pub(crate) fn results<G: CardGame>(self, end: &Finished<'_, G>) -> [i64; MAX_SEATS] {
        let (seats, mut results) = (0..end.position.seats(), [0; MAX_SEATS]);
        match self {
            Self::Score => seats.for_each(|seat| results[seat] = end.position.side_score(seat)),
            Self::Wins => {
                let winners = seats.clone().filter(|&seat| end.won(seat)).count() as u64;
                let share = WIN_UNIT.checked_div(winners).unwrap_or(0) as i64;
                seats.filter(|&seat| end.won(seat)).for_each(|seat| results[seat] = share);
            }
        }
        results
    }
}
