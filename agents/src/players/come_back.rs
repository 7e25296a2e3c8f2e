//! Decisions that come back: where a position differs from an earlier one of the game in nothing but what counts time,
//! a search need not think again.

use crate::decision::Decision;
use crate::game::Game;
use crate::kit::DropClock;
use std::collections::HashMap;

/// The memory of choices in this game, keyed by views without what only counts time.
#[derive(Clone)]
pub struct Chosen<G: Game> {
    drop_clock: Option<DropClock<G>>,
    lines: HashMap<G::View, Vec<G::Move>>,
}

impl<G: Game> Chosen<G> {
    /// Nothing yet. In a game without a clock no position comes back.
    #[must_use]
    pub fn new(drop_clock: Option<DropClock<G>>) -> Self {
        Self { drop_clock, lines: HashMap::new() }
    }

    /// Forgets what was chosen in earlier games.
    pub fn forget(&mut self) {
        self.lines.clear();
    }

    /// The earlier choice at this decision, where it came before.
    pub fn of(&mut self, decision: &Decision<'_, G>) -> Option<&[G::Move]> {
        let view = self.timeless(decision)?;
        self.lines.get(&view).map(Vec::as_slice)
    }

    /// Keeps what is chosen at a decision.
    pub fn keep(&mut self, decision: &Decision<'_, G>, line: &[G::Move]) {
        if let Some(view) = self.timeless(decision) {
            self.lines.insert(view, line.to_vec());
        }
    }

    fn timeless(&self, decision: &Decision<'_, G>) -> Option<G::View> {
        let drop_clock = self.drop_clock?;
        let mut view = decision.view();
        drop_clock(&mut view);
        Some(view)
    }
}
