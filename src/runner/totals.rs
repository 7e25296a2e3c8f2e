//! What a run counts.

use super::Plan;
use super::table::Observer;
use crate::games::{CardGame, Tally};
use crate::stats::SeatStats;
use knave_agents::Event;

/// The counts of a run or of a part of it. Parts add up to the whole, in any order.
#[derive(Clone)]
pub struct Totals<G: CardGame> {
    /// The number of games.
    pub games: u64,
    /// The counts of each seat.
    pub seats: Vec<SeatStats>,
    /// The game's own counts.
    pub tally: G::Tally,
    /// How many games ended for which reason, in the game's words, in any order.
    ends: Vec<(&'static str, u64)>,
}

impl<G: CardGame> Totals<G> {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(plan: &Plan<G>) -> Self {
        Self {
            games: 0,
            seats: vec![SeatStats::default(); plan.seats()],
            tally: Tally::new(&plan.rules),
            ends: Vec::new(),
        }
    }

    /// How many games ended for which reason, in the game's words, in alphabetical order.
    #[must_use]
    pub fn ends(&self) -> Vec<(&'static str, u64)> {
        let mut ends = self.ends.clone();
        ends.sort_unstable();
        ends
    }

    fn add_end(&mut self, word: &'static str, games: u64) {
        // There are two or three; most often the pointers are equal already.
        match self.ends.iter_mut().find(|(known, _)| std::ptr::eq(*known, word) || *known == word) {
            Some((_, count)) => *count += games,
            None => self.ends.push((word, games)),
        }
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        for (seat, more) in self.seats.iter_mut().zip(&other.seats) {
            seat.merge(more);
        }
        self.tally.merge(&other.tally);
        for &(word, games) in &other.ends {
            self.add_end(word, games);
        }
    }
}

impl<G: CardGame> Observer<G> for Totals<G> {
    fn event(&mut self, before: &G, event: &Event<G>, _: Option<&G::Chance>) {
        self.tally.event(before, event);
    }

    fn finish(&mut self, end: &G, moves: &[u64]) {
        self.games += 1;
        let won = (0..moves.len()).fold(0_u32, |won, seat| won | u32::from(end.won(seat)) << seat);
        let winners = won.count_ones() as usize;
        for (seat, (stats, &moves)) in self.seats.iter_mut().zip(moves).enumerate() {
            let share = if won >> seat & 1 == 1 { winners } else { 0 };
            stats.add(end.score(seat), share, moves);
        }
        self.tally.finish(end);
        self.add_end(end.end(), 1);
    }
}
