//! Plans: moves that were decided on together, played one at a time.

use crate::decision::Decision;
use crate::game::{Game, Turn};
use crate::rng::Rng;

/// A plan. Its moves are played as long as the game goes as foreseen.
#[derive(Clone)]
pub struct Plan<G: Game> {
    world: Option<G>,
    moves: Vec<G::Move>,
    next: usize,
}

impl<G: Game> Default for Plan<G> {
    fn default() -> Self {
        Self { world: None, moves: Vec::new(), next: 0 }
    }
}

impl<G: Game> Plan<G> {
    /// Drops the plan.
    pub fn clear(&mut self) {
        self.world = None;
    }

    /// Begins a plan of these moves, from a world that agrees with the view.
    pub fn start(&mut self, world: G, moves: &[G::Move]) {
        self.world = Some(world);
        self.moves.clear();
        self.moves.extend_from_slice(moves);
        self.next = 0;
    }

    /// The next planned move, if it is legal and the player sees what the plan foresaw. Otherwise the plan is
    /// dropped.
    pub fn follow(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> Option<G::Move> {
        let mut world = self.world.take()?;
        let m = *self.moves.get(self.next)?;
        let seat = decision.seat();
        if world.turn() != Turn::Player(seat) || world.view(seat) != decision.view() || !decision.is_legal(m)
        {
            return None;
        }
        self.next += 1;
        if self.next < self.moves.len() {
            world.play(m);
            while matches!(world.turn(), Turn::Chance | Turn::Shuffle) {
                world.roll(rng);
            }
            self.world = Some(world);
        }
        Some(m)
    }
}
