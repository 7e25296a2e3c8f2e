//! Solutions of small games.

use super::Small;
use crate::games::CardGame;
use crate::play::Measure;
use knave_agents::exact::optimum::Optimum;
use knave_agents::exact::{ExactError, cfr};
use serde::Serialize;

/// A solved game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Solved {
    /// The result that counts.
    pub measure: Measure,
    /// The number of seats.
    pub seats: usize,
    /// The value of the game for seat 0 is at least this,
    pub low: f64,
    /// and at most this: the same in a solo game.
    pub high: f64,
    /// The positions that were worked out: in a solo game those before random events, otherwise the nodes of the tree.
    pub positions: usize,
    /// The information sets of two seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub information_sets: Option<usize>,
    /// The iterations of CFR+.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
}

impl<G: CardGame> Small<'_, G> {
    pub(super) fn solved(&self, gap: f64, iterations: u64) -> Result<Solved, ExactError> {
        let (measure, seats) = (self.measure, self.seats);
        if seats == 1 {
            // Many starts may come to one position, so there may be more of them than positions.
            let starts = self.starts(usize::MAX)?;
            let (optimum, value) = Optimum::new(&starts, &self.listing, self.payoff(), self.limit)?;
            let positions = optimum.positions();
            let (information_sets, iterations) = (None, None);
            // Probabilities are rounded, and a certain win came to 0.999999999999997.
            let value = (value * 1e12).round() / 1e12;
            return Ok(Solved {
                measure,
                seats,
                low: value,
                high: value,
                positions,
                information_sets,
                iterations,
            });
        }
        if seats > 2 {
            return Err(ExactError::Seats(seats));
        }
        let tree = self.tree()?;
        let found = cfr::solve(&tree, gap, iterations)?;
        Ok(Solved {
            measure,
            seats,
            // Equal ends may be rounded apart.
            low: found.low.min(found.high),
            high: found.high.max(found.low),
            positions: tree.size(),
            information_sets: Some(tree.sets().len()),
            iterations: Some(found.iterations),
        })
    }
}
