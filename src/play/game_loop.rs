//! Plays one game: deals, asks the agents, lets chance move, tells the observers.

use super::checked::Checked;
use super::deals::Deals;
use super::observer::{Finished, Observer};
use super::seats::Seats;
use super::side_by_side::{Bench, Played, SideBySide};
use super::streams::GameStreams;
use crate::exec::Halt;
use crate::games::promises::check_end;
use crate::games::{CardGame, FastRandom};
use knave_agents::registry::Prepared;
use knave_agents::rng::{Role, Streams, stream};
use knave_agents::{Agent, Decision, Event, Rng, Turn};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// A worker's game loop: the agents with their memory, used for one game after another.
pub struct GameLoop<'p, G: CardGame> {
    deals: Deals<'p, G>,
    players: Vec<Player<G>>,
    /// The agents' random numbers by seat.
    rngs: Vec<Rng>,
    /// The fast path, where everybody plays at random.
    fast: Option<FastRandom<G>>,
    /// The games of the fast path, and the random numbers of each.
    games: Vec<G>,
    streams: Vec<Streams>,
    buffer: Vec<G::Move>,
    /// The moves in this game by seat, and those in further games at once.
    moves: Vec<u64>,
    history: Vec<Event<G>>,
    keeps_history: bool,
    stop: &'p AtomicBool,
    /// The games side by side, where somebody likes to be asked about many games at once.
    many: Option<SideBySide<'p, G>>,
}

struct Player<G: CardGame> {
    agent: Box<dyn Agent<G>>,
    uniform: bool,
    checked: Checked,
}

impl<'p, G: CardGame> GameLoop<'p, G> {
    /// Seats fresh copies of these agents, one for each seat in order, or those on the worker's bench.
    #[must_use]
    pub fn new<'a>(
        deals: Deals<'p, G>,
        agents: impl Iterator<Item = &'a Prepared<G>> + Clone,
        bench: &mut Bench<'p, G>,
    ) -> Self {
        let many = SideBySide::new(deals, agents.clone(), bench);
        let player = |prepared: &Prepared<G>| {
            let agent = prepared.make();
            Player { uniform: agent.plays_uniformly(), checked: Checked::of(prepared), agent }
        };
        let players: Vec<_> = agents.map(player).collect();
        let all_uniform = players.iter().all(|player| player.uniform);
        let fast = G::fast_random(deals.rules).filter(|_| all_uniform);
        let seats = players.len();
        let at_once = fast.as_ref().map_or(1, |fast| fast.batch);
        let keeps_history = players.iter().any(|player| player.agent.uses_history());
        Self {
            deals,
            players,
            rngs: vec![stream(deals.seed, 0, Role::Deal); seats],
            fast,
            games: Vec::new(),
            streams: Vec::new(),
            buffer: Vec::new(),
            moves: vec![0; seats * at_once],
            history: Vec::new(),
            keeps_history,
            stop: bench.stop(),
            many,
        }
    }

    /// Plays these games side by side, and returns them in their order; `None` where games are played one after the other. Only
    /// the first few are returned if it has to halt before the others are finished; the next call then says why.
    ///
    /// # Errors
    /// When a player fails in a way that ends the run, or when the run was told to stop.
    pub fn play_many(&mut self, indices: Range<u64>) -> Option<Result<Vec<Played<G>>, Halt>> {
        self.many.as_mut().map(|many| many.play(indices))
    }

    /// Plays game `index` to its end.
    ///
    /// # Errors
    /// As [`GameLoop::play_many`].
    ///
    /// # Panics
    /// When an agent that is not [trusted](Prepared::is_trusted) chooses an illegal move, and when a score or a utility is not what
    /// the game promises.
    pub fn play(&mut self, index: u64, observer: &mut impl Observer<G>) -> Result<(), Halt> {
        if let Some(played) = self.play_many(index..index + 1) {
            played?.iter().for_each(|played| played.tell(observer));
        } else {
            self.play_alone(index, observer)?;
        }
        Ok(())
    }

    /// The same where games are played one after the other.
    fn play_alone(&mut self, index: u64, observer: &mut impl Observer<G>) -> Result<(), Halt> {
        let streams = Streams::new(self.deals.seed, index);
        let mut game_streams = GameStreams::new(streams);
        let mut position = self.deals.by(game_streams.deal());
        observer.begin(index, &position);
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
                // Some think for minutes in a game, and some rules have games of a billion moves.
                let may_take_long = !player.uniform || self.moves[seat] % 1024 == 1023;
                if may_take_long && self.stop.load(Ordering::Relaxed) {
                    return Err(Halt::Abandoned);
                }
                let m = if player.uniform {
                    position.random_move(&mut self.buffer, rng)
                } else {
                    let decision = Decision::new(&position, &self.history).told_to(&*player.agent);
                    player.agent.choose(decision, rng)
                };
                // The observer has been told of a part of the game: with a panic nothing of it counts.
                player.checked.demand(seat, m, |m| position.is_legal(m));
                let event = Event::Move(seat, m);
                observer.event(&position, &event, None);
                position.play(m);
                self.moves[seat] += 1;
                self.remember(&position, event);
                continue;
            }
            if turn == Turn::Over {
                break;
            }
            let rng = game_streams.next(&position);
            if turn == Turn::Shuffle {
                let outcome = position.roll(rng);
                observer.event(&position, &Event::Shuffle, Some(&outcome));
                self.remember(&position, Event::Shuffle);
                continue;
            }
            // Made in the event rather than copied into it: an outcome can hold the order of a deck.
            let event = Event::Chance(position.roll(rng));
            if let Event::Chance(outcome) = &event {
                observer.event(&position, &event, Some(outcome));
            }
            self.remember(&position, event);
        }
        // With a panic nothing of the game counts, as above.
        check_end(&position, self.deals.rules)
            .unwrap_or_else(|promise| panic!("{} breaks a promise: {promise}", G::NAME));
        observer.finish(&Finished::new(&position, &self.moves[..self.players.len()], Seats::default()));
        Ok(())
    }

    /// Plays the first of these games, or the first few where there is a quick way, and says how many.
    ///
    /// # Errors
    /// As [`GameLoop::play_many`].
    ///
    /// # Panics
    /// As [`GameLoop::play`].
    pub fn play_some(&mut self, indices: Range<u64>, observer: &mut impl Observer<G>) -> Result<u64, Halt> {
        if indices.is_empty() {
            return Ok(0);
        }
        if let Some(played) = self.play_many(indices.clone()) {
            let played = played?;
            played.iter().for_each(|played| played.tell(observer));
            return Ok(played.len() as u64);
        }
        let seats = self.players.len();
        let Some((fast, tally)) = self.fast.as_ref().and_then(|fast| Some((fast, observer.tally()?))) else {
            self.play_alone(indices.start, observer)?;
            return Ok(1);
        };
        let some = (indices.end - indices.start).min(fast.batch as u64);
        self.streams.clear();
        self.streams.extend((0..some).map(|i| Streams::new(self.deals.seed, indices.start + i)));
        self.deals.deal_all(&self.streams, &mut self.games);
        self.moves.fill(0);
        (fast.play)(&mut self.games, &self.streams, tally, &mut self.moves);
        for (end, moves) in self.games.iter().zip(self.moves.chunks_exact(seats)) {
            observer.finish(&Finished::new(end, moves, Seats::default()));
        }
        Ok(some)
    }

    fn remember(&mut self, position: &G, event: Event<G>) {
        if self.keeps_history {
            position.tell(event, &mut self.history);
        }
    }
}
