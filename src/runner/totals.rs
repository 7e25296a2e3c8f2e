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
}

impl<G: CardGame> Totals<G> {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(plan: &Plan<G>) -> Self {
        Self { games: 0, seats: vec![SeatStats::default(); plan.seats()], tally: Tally::new(&plan.rules) }
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        for (seat, more) in self.seats.iter_mut().zip(&other.seats) {
            seat.merge(more);
        }
        self.tally.merge(&other.tally);
    }
}

impl<G: CardGame> Observer<G> for Totals<G> {
    fn event(&mut self, before: &G, event: &Event<G>, _: Option<&G::Chance>) {
        self.tally.event(before, event);
    }

    fn finish(&mut self, end: &G, moves: &[u64]) {
        self.games += 1;
        let winners = (0..moves.len()).filter(|&seat| end.won(seat)).count();
        for (seat, (stats, &moves)) in self.seats.iter_mut().zip(moves).enumerate() {
            let share = if end.won(seat) { winners } else { 0 };
            stats.add(end.score(seat), share, moves);
        }
        self.tally.finish(end);
    }
}
