//! Plays one game: deals, asks the agents, lets chance move, tells the observers.

use crate::games::{CardGame, FastRandom};
use knave_agents::registry::Prepared;
use knave_agents::rng::{Role, Streams, stream};
use knave_agents::{Agent, Decision, Event, Rng, Turn};
use std::ops::Range;

/// Watches games and keeps what it wants to know of them.
pub trait Observer<G: CardGame> {
    /// Game `index` has been dealt.
    fn begin(&mut self, _index: u64, _start: &G) {}

    /// Something happened: a move in `position`, or a random event that led to it. `outcome` is what chance brought, which the event
    /// does not tell when no player sees it.
    fn event(&mut self, _position: &G, _event: &Event<G>, _outcome: Option<&G::Chance>) {}

    /// Where to count games in which everybody plays at random, if nothing of them is wanted but the game's own
    /// counts: they may then be played without telling of anything but their ends.
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
pub struct GameLoop<'p, G: CardGame> {
    rules: &'p G::Rules,
    seed: u64,
    players: Vec<Player<G>>,
    /// The agents' random numbers by seat, and those for further games at once.
    rngs: Vec<Rng>,
    /// The fast path, where everybody plays at random.
    fast: Option<FastRandom<G>>,
    /// Those games.
    games: Vec<G>,
    buffer: Vec<G::Move>,
    /// The moves in this game by seat, and those in further games at once.
    moves: Vec<u64>,
    history: Vec<Event<G>>,
    keeps_history: bool,
}

struct Player<G: CardGame> {
    agent: Box<dyn Agent<G>>,
    uniform: bool,
}

impl<'p, G: CardGame> GameLoop<'p, G> {
    /// Seats fresh copies of these agents, one for each seat in order.
    #[must_use]
    pub fn new<'a>(rules: &'p G::Rules, seed: u64, agents: impl Iterator<Item = &'a Prepared<G>>) -> Self {
        let player = |prepared: &Prepared<G>| {
            let agent = prepared.make();
            Player { uniform: agent.plays_uniformly(), agent }
        };
        let players: Vec<_> = agents.map(player).collect();
        let all_uniform = players.iter().all(|player| player.uniform);
        let fast = G::fast_random(rules).filter(|_| all_uniform);
        let seats = players.len() * fast.as_ref().map_or(1, |fast| fast.batch);
        let keeps_history = G::PUBLIC_HISTORY && players.iter().any(|player| player.agent.uses_history());
        Self {
            rules,
            seed,
            players,
            rngs: vec![stream(seed, 0, Role::Deal); seats],
            fast,
            games: Vec::new(),
            buffer: Vec::new(),
            moves: vec![0; seats],
            history: Vec::new(),
            keeps_history,
        }
    }

    /// Plays game `index` to its end.
    pub fn play(&mut self, index: u64, observer: &mut impl Observer<G>) {
        let streams = Streams::new(self.seed, index);
        let mut deal = streams.role(Role::Deal);
        let mut position = G::deal(self.rules, &mut deal);
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
            if turn == Turn::Shuffle {
                let outcome = position.roll(rng);
                observer.event(&position, &Event::Shuffle, Some(&outcome));
                self.remember(Event::Shuffle);
                continue;
            }
            // Made in the event rather than copied into it: an outcome can hold the order of a deck.
            let event = Event::Chance(position.roll(rng));
            if let Event::Chance(outcome) = &event {
                observer.event(&position, &event, Some(outcome));
            }
            self.remember(event);
        }
        observer.finish(&position, &self.moves[..self.players.len()]);
    }

    /// Plays the first of these games, or the first few where there is a quick way, and says how many.
    pub fn play_some(&mut self, indices: Range<u64>, observer: &mut impl Observer<G>) -> u64 {
        let seats = self.players.len();
        let Some((fast, tally)) = self.fast.as_ref().and_then(|fast| Some((fast, observer.tally()?))) else {
            self.play(indices.start, observer);
            return 1;
        };
        let some = (indices.end - indices.start).min(fast.batch as u64);
        self.games.clear();
        for (index, rngs) in (indices.start..indices.start + some).zip(self.rngs.chunks_exact_mut(seats)) {
            let streams = Streams::new(self.seed, index);
            self.games.push(G::deal(self.rules, &mut streams.role(Role::Deal)));
            for (seat, rng) in rngs.iter_mut().enumerate() {
                *rng = streams.role(Role::Agent(seat));
            }
        }
        self.moves.fill(0);
        (fast.play)(&mut self.games, &mut self.rngs, tally, &mut self.moves);
        for (end, moves) in self.games.iter().zip(self.moves.chunks_exact(seats)) {
            observer.finish(end, moves);
        }
        some
    }

    fn remember(&mut self, event: Event<G>) {
        if self.keeps_history {
            self.history.push(event);
        }
    }
}

/// The deal of a game, which is the same whoever plays.
#[must_use]
pub fn deal<G: CardGame>(rules: &G::Rules, seed: u64, index: u64) -> G {
    G::deal(rules, &mut stream(seed, index, Role::Deal))
}
