//! Plays one game: deals, asks the agents, lets chance move, tells the observers.

use super::Plan;
use crate::games::CardGame;
use knave_agents::registry::Prepared;
use knave_agents::rng::{Role, Streams, stream};
use knave_agents::{Agent, Decision, Event, Rng, Seat, Turn};

/// Watches games and keeps what it wants to know of them.
pub trait Observer<G: CardGame> {
    /// Game `index` has been dealt.
    fn begin(&mut self, _index: u64, _start: &G) {}

    /// Something happened: a move in `position`, or a random event that led to it. `outcome` is what chance brought, which the event
    /// does not tell when no player sees it.
    fn event(&mut self, _position: &G, _event: &Event<G>, _outcome: Option<&G::Chance>) {}

    /// Where to count a game in which everybody plays at random, if nothing of it is wanted but the game's own
    /// counts: the game may then be played without telling of every move.
    fn tally(&mut self) -> Option<&mut G::Tally> {
        None
    }

    /// The game is over; `moves` counts the moves by seat.
    fn finish(&mut self, _end: &G, _moves: &[u64]) {}
}

impl<G: CardGame, A: Observer<G>, B: Observer<G>> Observer<G> for (&mut A, &mut B) {
    fn begin(&mut self, index: u64, start: &G) {
        self.0.begin(index, start);
        self.1.begin(index, start);
    }

    fn event(&mut self, position: &G, event: &Event<G>, outcome: Option<&G::Chance>) {
        self.0.event(position, event, outcome);
        self.1.event(position, event, outcome);
    }

    fn finish(&mut self, end: &G, moves: &[u64]) {
        self.0.finish(end, moves);
        self.1.finish(end, moves);
    }
}

/// A worker's table: the agents with their memory, used for one game after another.
pub struct Table<'p, G: CardGame> {
    plan: &'p Plan<G>,
    players: Vec<Player<G>>,
    /// The agents' random numbers, by seat.
    rngs: Vec<Rng>,
    all_uniform: bool,
    buffer: Vec<G::Move>,
    /// The moves in this game, by seat.
    moves: Vec<u64>,
    history: Vec<Event<G>>,
    keeps_history: bool,
}

struct Player<G: CardGame> {
    agent: Box<dyn Agent<G>>,
    uniform: bool,
}

impl<'p, G: CardGame> Table<'p, G> {
    /// Seats fresh copies of the plan's agents.
    #[must_use]
    pub fn new(plan: &'p Plan<G>) -> Self {
        let player = |prepared: &Prepared<G>| {
            let agent = prepared.make();
            Player { uniform: agent.plays_uniformly(), agent }
        };
        let players: Vec<_> = plan.agents().map(player).collect();
        let rngs = (0..players.len()).map(|seat| stream(plan.seed, 0, Role::Agent(seat))).collect();
        let all_uniform = players.iter().all(|player| player.uniform);
        let keeps_history = G::PUBLIC_HISTORY && players.iter().any(|player| player.agent.uses_history());
        let moves = vec![0; players.len()];
        Self {
            plan,
            players,
            rngs,
            all_uniform,
            buffer: Vec::new(),
            moves,
            history: Vec::new(),
            keeps_history,
        }
    }

    /// Plays game `index` to its end.
    pub fn play(&mut self, index: u64, observer: &mut impl Observer<G>) {
        let streams = Streams::new(self.plan.seed, index);
        let mut deal = streams.role(Role::Deal);
        let mut position = G::deal(&self.plan.rules, &mut deal);
        observer.begin(index, &position);
        let mut chance: Option<Rng> = None;
        for (seat, player) in self.players.iter_mut().enumerate() {
            if !player.uniform {
                player.agent.begin_game();
            }
            self.rngs[seat] = streams.role(Role::Agent(seat));
            self.moves[seat] = 0;
        }
        self.history.clear();
        if self.all_uniform
            && let Some(tally) = observer.tally()
            && position.random_game(&mut self.rngs, tally, &mut self.moves)
        {
            observer.finish(&position, &self.moves);
            return;
        }
        loop {
            let turn = position.turn();
            // Decisions first: they are the most.
            if let Turn::Player(seat) = turn {
                let (player, rng) = (&mut self.players[seat], &mut self.rngs[seat]);
                let m = if player.uniform {
                    position.random_move(&mut self.buffer, rng)
                } else {
                    player.agent.choose(Decision::new(&position, &self.history), rng)
                };
                debug_assert!(position.is_legal(m), "the agent in seat {seat} chose the illegal move {m}");
                let event = Event::Move(seat, m);
                observer.event(&position, &event, None);
                position.play(m);
                self.moves[seat] += 1;
                self.remember(event);
                continue;
            }
            if turn == Turn::Over {
                break;
            }
            // What follows from the deck needs no numbers, so the stream of chance is made only for dice
            // and the like.
            let rng = if position.chance_is_recorded() {
                chance.get_or_insert_with(|| streams.role(Role::Chance))
            } else {
                &mut deal
            };
            let outcome = position.roll(rng);
            let event = if turn == Turn::Chance { Event::Chance(outcome) } else { Event::Shuffle };
            observer.event(&position, &event, Some(&outcome));
            self.remember(event);
        }
        observer.finish(&position, &self.moves);
    }

    fn remember(&mut self, event: Event<G>) {
        if self.keeps_history {
            self.history.push(event);
        }
    }

    /// The deal of game `index`, which is the same whoever plays.
    #[must_use]
    pub fn deal(plan: &Plan<G>, index: u64) -> G {
        G::deal(&plan.rules, &mut stream(plan.seed, index, Role::Deal))
    }

    /// The seats.
    pub fn seats(&self) -> std::ops::Range<Seat> {
        0..self.plan.seats()
    }
}
