//! Recorded games: every decision with the position that it was taken in.

use crate::games::CardGame;
use crate::play::{Finished, Observer};
use knave_agents::{Event, Seat, Turn};

/// A finished game.
pub struct Recorded<G: CardGame> {
    /// Its index in a run, or in a file.
    pub index: u64,
    /// The decisions in their order, forced ones left out.
    pub decisions: Vec<Made<G>>,
    /// The events that all players saw, as [`Game::tell`](knave_agents::Game::tell) has them.
    pub history: Vec<Event<G>>,
    /// What chance brought after the last decision.
    pub chance: String,
    /// The last position.
    pub end: G,
    /// The seats that gave the game up.
    pub forfeited: Vec<Seat>,
}

/// A decision between two or more moves.
pub struct Made<G: CardGame> {
    /// The position before it.
    pub position: G,
    /// The seat that decided.
    pub seat: Seat,
    /// The move.
    pub played: G::Move,
    /// The number of events in [`Recorded::history`] before it.
    pub events: usize,
    /// What chance has brought since the decision before, in words.
    pub chance: String,
}

/// Records games that it watches.
pub struct Recording<G: CardGame> {
    index: u64,
    decisions: Vec<Made<G>>,
    history: Vec<Event<G>>,
    chance: String,
    moves: Vec<G::Move>,
    done: Vec<Recorded<G>>,
}

impl<G: CardGame> Default for Recording<G> {
    fn default() -> Self {
        let (decisions, history) = (Vec::new(), Vec::new());
        Self { index: 0, decisions, history, chance: String::new(), moves: Vec::new(), done: Vec::new() }
    }
}

impl<G: CardGame> Recording<G> {
    /// The games that have ended since this was last asked for.
    pub fn take(&mut self) -> Vec<Recorded<G>> {
        std::mem::take(&mut self.done)
    }
}

impl<G: CardGame> Observer<G> for Recording<G> {
    fn begin(&mut self, index: u64, _: &G) {
        self.index = index;
        self.decisions.clear();
        self.history.clear();
        self.chance.clear();
    }

    fn event(&mut self, position: &G, event: &Event<G>, outcome: Option<&G::Chance>) {
        if let &Event::Move(seat, played) = event {
            debug_assert_eq!(position.turn(), Turn::Player(seat));
            position.moves(&mut self.moves);
            if self.moves.len() > 1 {
                let chance = std::mem::take(&mut self.chance);
                let position = position.clone();
                self.decisions.push(Made { position, seat, played, events: self.history.len(), chance });
            }
        }
        if let Some(words) = outcome.map(G::describe_chance).filter(|words| !words.is_empty()) {
            if !self.chance.is_empty() {
                self.chance.push_str(", ");
            }
            self.chance.push_str(&words);
        }
        match *event {
            // Observers are told of a move before it is played, and of chance afterwards.
            Event::Move(_, m) if !G::PUBLIC_HISTORY => {
                let mut after = position.clone();
                after.play(m);
                after.tell(event.clone(), &mut self.history);
            }
            _ => position.tell(event.clone(), &mut self.history),
        }
    }

    fn finish(&mut self, end: &Finished<'_, G>) {
        self.done.push(Recorded {
            index: self.index,
            decisions: std::mem::take(&mut self.decisions),
            history: std::mem::take(&mut self.history),
            chance: std::mem::take(&mut self.chance),
            end: end.position.clone(),
            forfeited: end.forfeited(),
        });
    }
}
