//! Decisions that agents are asked for, and all that they are told.

use crate::agent::Agent;
use crate::game::{Event, Game, Notation, NotationError, Seat, Turn};
use crate::rng::Rng;

/// A decision that an agent is asked for.
///
/// It holds the true position but gives out only what the seat may know. The fields are private, and every
/// method is a function of the seat's view and the public history.
pub struct Decision<'a, G: Game> {
    position: &'a G,
    seat: Seat,
    history: &'a [Event<G>],
}

impl<'a, G: Game> Decision<'a, G> {
    /// The decision of the player whose turn it is, after these public events.
    ///
    /// # Panics
    /// If it is no player's turn.
    #[must_use]
    pub fn new(position: &'a G, history: &'a [Event<G>]) -> Self {
        let Turn::Player(seat) = position.turn() else {
            panic!("a decision needs a player to move");
        };
        Self { position, seat, history }
    }

    /// The same as this agent is told of it: without events, where it [uses none](Agent::uses_history). They may be kept for others at
    /// the table, and what an agent plays must not depend on those.
    #[must_use]
    pub fn told_to(self, agent: &(impl Agent<G> + ?Sized)) -> Self {
        if agent.uses_history() { self } else { Self { history: &[], ..self } }
    }

    /// The seat that decides.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The number of seats in the game.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.position.seats()
    }

    /// All that the seat may know.
    #[must_use]
    pub fn view(&self) -> G::View {
        self.position.view(self.seat)
    }

    /// The public events so far, the oldest first, as [`Game::tell`] has them. Empty for an agent that does not use them.
    #[must_use]
    pub fn history(&self) -> &'a [Event<G>] {
        self.history
    }

    /// Replaces the contents of `out` with the legal moves, sorted.
    pub fn moves(&self, out: &mut Vec<G::Move>) {
        self.position.moves(out);
    }

    /// One of the legal moves, each with the same probability.
    pub fn random_move(&self, buffer: &mut Vec<G::Move>, rng: &mut Rng) -> G::Move {
        self.position.random_move(buffer, rng)
    }

    /// Reads a legal move, with interchangeable parts in any order.
    ///
    /// # Errors
    /// [`NotationError`] says whether the text is no move at all or a move that is not legal here.
    pub fn parse_move(&self, text: &str) -> Result<G::Move, NotationError>
    where
        G: Notation,
    {
        let m = self.position.parse_move(text)?;
        if self.is_legal(m) { Ok(m) } else { Err(NotationError::illegal(text, self.position)) }
    }

    /// Whether `m` may be played.
    #[must_use]
    pub fn is_legal(&self, m: G::Move) -> bool {
        self.position.is_legal(m)
    }
}

impl<G: Game> Clone for Decision<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Decision<'_, G> {}
