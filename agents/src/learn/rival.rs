//! Rivals in a training: a policy of the game, or any agent, that takes the other seats.

use crate::agent::Agent;
use crate::decision::Decision;
use crate::game::{Event, Seat, Turn};
use crate::kit::{Kit, Tools};
use crate::policy::Policy;
use crate::rng::Rng;
use crate::training::MakeRival;
use std::sync::Arc;

/// The rival of a training.
pub struct Rival<G: Tools> {
    name: String,
    kit: Kit<G>,
    make: MakeRival<G>,
    player: Player<G>,
    /// The public events of this game, if an agent uses them.
    history: Vec<Event<G>>,
    keeps_history: bool,
}

enum Player<G: Tools> {
    Nobody,
    Policy(Arc<dyn Policy<G>>),
    /// One for each seat, for an agent remembers its own games.
    Agents(Vec<Box<dyn Agent<G>>>),
}

impl<G: Tools> Rival<G> {
    /// The policy of this name, or else the agent that `make` makes; nobody by an empty name.
    pub fn new(name: &str, kit: Kit<G>, make: MakeRival<G>) -> Self {
        let name = name.to_owned();
        Self { name, kit, make, player: Player::Nobody, history: Vec::new(), keeps_history: false }
    }

    /// Whether there is one.
    pub fn is_there(&self) -> bool {
        !self.name.is_empty()
    }

    /// Gets ready for a game with these rules if it is to take part, and says whether it does.
    pub fn begin_game(&mut self, takes_part: bool, rules: &G::Rules, seats: usize) -> bool {
        self.history.clear();
        self.keeps_history = false;
        self.player = Player::Nobody;
        if !takes_part {
            return false;
        }
        self.player = match self.kit.find_policy(&self.name, rules) {
            Some(policy) => Player::Policy(policy),
            None => (self.make)(rules, seats).map_or(Player::Nobody, |mut agents| {
                agents.iter_mut().for_each(|agent| agent.begin_game());
                Player::Agents(agents)
            }),
        };
        if let Player::Agents(agents) = &self.player {
            self.keeps_history = agents.iter().any(|agent| agent.uses_history());
        }
        !matches!(self.player, Player::Nobody)
    }

    /// Plays for this seat until something random is due or another seat's turn has come.
    ///
    /// # Panics
    /// When an agent chooses an illegal move.
    pub fn play(&mut self, position: &mut G, seat: Seat, buffer: &mut Vec<G::Move>, rng: &mut Rng) {
        match &mut self.player {
            Player::Nobody => unreachable!("it takes no part"),
            Player::Policy(policy) => policy.play(position, buffer, rng),
            Player::Agents(agents) => {
                while position.turn() == Turn::Player(seat) {
                    let m = agents[seat].choose(Decision::new(position, &self.history), rng);
                    // The net would learn to answer what no game allows.
                    let name = &self.name;
                    assert!(
                        position.is_legal(m),
                        "the rival {name} in seat {seat} chose the illegal move {m}"
                    );
                    position.play(m);
                    if self.keeps_history {
                        position.tell(Event::Move(seat, m), &mut self.history);
                    }
                }
            }
        }
    }

    /// Tells what has led to this position.
    pub fn remember(&mut self, position: &G, event: impl FnOnce() -> Event<G>) {
        if self.keeps_history {
            position.tell(event(), &mut self.history);
        }
    }
}
