//! What is counted for one seat.

use super::{Estimate, Histogram, Interval, Range, wilson};
use crate::games::WIN_UNIT;
use knave_agents::game::MAX_SEATS;
use serde::{Deserialize, Serialize};

/// Games with whole wins that are added to the variance of shares.
const WHOLE: f64 = 3.0;

/// The games of one seat: scores, wins and moves. All of it adds up exactly.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatStats {
    /// The scores, in units of the game.
    pub scores: Histogram,
    /// Games won with k winners in all, for k from 1; slot 0 counts the games that were not won.
    shares: [u64; MAX_SEATS + 1],
    /// The moves that the seat made.
    pub moves: u64,
}

impl SeatStats {
    /// Counts a finished game: the seat's score, its moves, and if it won, how many winners there were
    /// (0 when it did not win).
    #[inline]
    pub fn add(&mut self, score: i64, winners: usize, moves: u64) {
        self.scores.add(score);
        self.shares[winners] += 1;
        self.moves += moves;
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.scores.merge(&other.scores);
        for (count, more) in self.shares.iter_mut().zip(other.shares) {
            *count += more;
        }
        self.moves += other.moves;
    }

    /// Whether these are counts of so many games, as far as they can tell.
    #[must_use]
    pub fn is_of(&self, games: u64) -> bool {
        let shares = self.shares.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        shares == Some(games) && self.scores.total() == games
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.shares.iter().sum()
    }

    /// Σ w^power over the games, with the share w of a win counted in [`WIN_UNIT`]s.
    fn win_power(&self, power: u32) -> u128 {
        let shares = self.shares.iter().enumerate().skip(1);
        shares.map(|(k, &count)| u128::from(WIN_UNIT / k as u64).pow(power) * u128::from(count)).sum()
    }

    /// The games won, in [`WIN_UNIT`]s a game; a win shared by k counts as its k-th part.
    #[must_use]
    pub fn win_units(&self) -> u128 {
        self.win_power(1)
    }

    /// The games won; a win shared by k counts as 1/k.
    #[must_use]
    pub fn wins(&self) -> f64 {
        self.win_units() as f64 / WIN_UNIT as f64
    }

    /// Wins a game; `None` without games.
    #[must_use]
    pub fn win_rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.wins() / self.games() as f64)
    }

    /// The 95 % interval of the win rate: Wilson's. Shared wins vary less than whole ones, so with them the number of
    /// games is multiplied by p(1 − p) / variance (the design effect). The variance is that of all games and of three more
    /// whose wins are whole: a few games with nearly equal shares do not show it. Without shared wins the factor is 1.
    #[must_use]
    pub fn win_interval(&self) -> Option<Interval> {
        let rate = self.win_rate()?;
        let n = u128::from(self.games());
        let (units, squares, unit) = (self.win_units(), self.win_power(2), u128::from(WIN_UNIT));
        let binary = units * (n * unit - units);
        let variance = n * squares - units * units;
        let ratio = if binary == 0 { 1.0 } else { variance as f64 / binary as f64 };
        let n = n as f64;
        wilson(rate, n * ((n + WHOLE) / (n * ratio + WHOLE)))
    }

    /// The mean score, in units of the game; `None` without games. `range` has the lowest and the highest score, where the
    /// rules tell them.
    #[must_use]
    pub fn score(&self, range: Option<(i64, i64)>) -> Option<Estimate> {
        let seen = || Some((self.scores.quantile(0, 1)?, self.scores.quantile(1, 1)?));
        let (low, high) = range.or_else(seen)?;
        let range = Range { low: low as f64, high: high as f64, is_known: range.is_some() };
        let sd = self.scores.sd().unwrap_or(f64::NAN);
        Some(Estimate { units: self.games(), mean: self.scores.mean()?, sd, range })
    }

    /// The standard error of the mean score, in units of the game.
    #[must_use]
    pub fn score_se(&self) -> Option<f64> {
        Some(self.scores.sd()? / (self.games() as f64).sqrt())
    }

    /// The seat's moves in a game.
    #[must_use]
    pub fn moves_mean(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.moves as f64 / self.games() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(winners: &[usize]) -> SeatStats {
        let mut stats = SeatStats::default();
        for &k in winners {
            stats.add(k as i64, k, 2);
        }
        stats
    }

    #[test]
    fn shares_of_wins_are_exact() {
        let stats = of(&[1, 3, 3, 3, 0, 7]);
        assert_eq!(stats.win_units(), 420 + 3 * 140 + 60);
        assert_eq!(stats.wins(), 2.0 + 1.0 / 7.0);
        assert_eq!(stats.games(), 6);
        assert_eq!(stats.moves_mean(), Some(2.0));
    }

    /// Without shared wins the interval is Wilson's, to the last bit.
    #[test]
    fn whole_wins_give_wilsons_interval() {
        assert_eq!(of(&[1, 0, 0, 1, 0]).win_interval(), wilson(0.4, 5.0));
        assert_eq!(of(&[0, 0]).win_interval(), wilson(0.0, 2.0));
        assert_eq!(of(&[1, 1]).win_interval(), wilson(1.0, 2.0));
    }

    /// 5,000 whole wins and 5,000 losses vary twice as much as the same rate with half of the games shared by two, so the
    /// interval of the latter is that of nearly twice as many games.
    #[test]
    fn shared_wins_narrow_the_interval_by_their_variance() {
        let mixed: Vec<usize> = [1, 2, 2, 0].repeat(2500);
        let width = |interval: Option<Interval>| interval.map(|i| i.high - i.low).unwrap();
        let (shared, twice) = (width(of(&mixed).win_interval()), width(wilson(0.5, 20_000.0)));
        assert!(shared > twice && shared < 1.001 * twice);
    }

    /// Few games with nearly equal shares do not show how much shares can vary, however many winners there were: the interval
    /// is never narrower than the rule of three allows. Two halves and a third once gave 32 to 56 %.
    #[test]
    fn a_few_nearly_equal_shares_are_not_certain() {
        let few = of(&[2, 2, 3]).win_interval().unwrap();
        assert!(few.low < 0.2 && few.high > 0.7, "{few:?}");
        let many = of(&[2; 100]).win_interval().unwrap();
        assert!(many.high - 0.5 > 0.015 && many.high - 0.5 < 0.02, "{many:?}");
    }

    /// The range of the rules gives an interval even where all scores are equal; without it there is none.
    #[test]
    fn equal_scores_have_no_interval_without_width() {
        let stats = of(&[2; 30]);
        assert_eq!(stats.score(None).unwrap().interval(), None);
        let interval = stats.score(Some((0, 4))).unwrap().interval().unwrap();
        assert!(interval.low < 2.0 - 2.0 * 3.0 / 30.0 && interval.high > 2.0 + 2.0 * 3.0 / 30.0);
    }

    #[test]
    fn nothing_counted_is_undefined() {
        let empty = SeatStats::default();
        assert_eq!((empty.win_rate(), empty.win_interval(), empty.moves_mean()), (None, None, None));
        assert_eq!((empty.score(Some((0, 1))), empty.score_se()), (None, None));
    }

    #[test]
    fn any_split_merges_to_the_whole() {
        let winners: Vec<usize> = (0..100).map(|i| i * i % 8).collect();
        for cut in [0, 1, 50, 100] {
            let mut parts = of(&winners[cut..]);
            parts.merge(&of(&winners[..cut]));
            assert_eq!(parts, of(&winners));
        }
    }

    /// The standard error is the spread by the root of the number of games; counts of another number of games are told.
    #[test]
    fn errors_and_counts_are_those_of_the_games() {
        let mut stats = SeatStats::default();
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|score| stats.add(score, 0, 1));
        assert_eq!(stats.score_se(), Some((32.0_f64 / 7.0).sqrt() / 8.0_f64.sqrt()));
        assert!(stats.is_of(8) && !stats.is_of(7));
        stats.scores.add(1);
        assert!(!stats.is_of(8) && !stats.is_of(9));
    }
}
