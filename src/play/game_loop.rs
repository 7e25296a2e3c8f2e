//! Plays one game: deals, asks the agents, lets chance move, tells the observers.

use super::side_by_side::{Bench, Played, SideBySide};
use crate::exec::Halt;
use crate::games::{CardGame, FastRandom};
use knave_agents::batch::FaultKind;
use knave_agents::registry::Prepared;
use knave_agents::rng::{Role, Streams, stream};
use knave_agents::{Agent, Decision, Event, Rng, Seat, Turn};
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

    /// The player in this seat did something wrong, which is told at the end of the game.
    fn fault(&mut self, _seat: Seat, _kind: FaultKind, _forfeits: bool) {}

    /// The game is over.
    fn finish(&mut self, _end: &Finished<'_, G>) {}
}

/// A finished game.
pub struct Finished<'a, G> {
    /// Its last position.
    pub position: &'a G,
    /// The number of moves by seat.
    pub moves: &'a [u64],
    /// The seats that gave the game up, as bits.
    forfeited: u8,
}

impl<'a, G: CardGame> Finished<'a, G> {
    pub(crate) fn new(position: &'a G, moves: &'a [u64], forfeited: u8) -> Self {
        Self { position, moves, forfeited }
    }

    /// The seats that gave the game up.
    #[must_use]
    pub fn forfeited(&self) -> Vec<Seat> {
        (0..self.position.seats()).filter(|seat| self.forfeited >> seat & 1 == 1).collect()
    }

    /// Whether the seat has won, alone or with others. Who gave the game up has not; if nobody else has won, all others have.
    #[must_use]
    pub fn won(&self, seat: Seat) -> bool {
        let end = self.position;
        if self.forfeited == 0 {
            return end.won(seat);
        }
        let stayed = |seat: Seat| self.forfeited >> seat & 1 == 0;
        let anybody = (0..end.seats()).any(|seat| stayed(seat) && end.won(seat));
        stayed(seat) && (end.won(seat) || !anybody)
    }
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

    fn fault(&mut self, seat: Seat, kind: FaultKind, forfeits: bool) {
        self.0.fault(seat, kind, forfeits);
        self.1.fault(seat, kind, forfeits);
    }

    fn finish(&mut self, end: &Finished<'_, G>) {
        self.0.finish(end);
        self.1.finish(end);
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
    /// The tables side by side, where somebody likes to be asked about many games at once.
    many: Option<SideBySide<'p, G>>,
}

/// Where what is random in a game comes from.
pub(super) struct Numbers {
    streams: Streams,
    deal: Rng,
    chance: Option<Rng>,
}

impl Numbers {
    pub(super) fn new(streams: Streams) -> Self {
        Self { streams, deal: streams.role(Role::Deal), chance: None }
    }

    /// The generator of the deal.
    pub(super) fn deal(&mut self) -> &mut Rng {
        &mut self.deal
    }

    /// The generator for the random event that is due. What follows from the deck needs no numbers, so the stream of chance is
    /// made only for dice and the like.
    #[inline]
    pub(super) fn next<G: CardGame>(&mut self, position: &G) -> &mut Rng {
        if position.chance_is_recorded() {
            self.chance.get_or_insert_with(|| self.streams.role(Role::Chance))
        } else {
            &mut self.deal
        }
    }
}

struct Player<G: CardGame> {
    agent: Box<dyn Agent<G>>,
    uniform: bool,
}

impl<'p, G: CardGame> GameLoop<'p, G> {
    /// Seats fresh copies of these agents, one for each seat in order, or those on the worker's bench.
    #[must_use]
    pub fn new<'a>(
        rules: &'p G::Rules,
        seed: u64,
        agents: impl Iterator<Item = &'a Prepared<G>> + Clone,
        bench: &mut Bench<'p, G>,
    ) -> Self {
        let many = SideBySide::new((rules, seed), agents.clone(), bench);
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
            many,
        }
    }

    /// How many games are best played at once; `None` where they are played one after the other.
    #[must_use]
    pub fn at_once(&self) -> Option<usize> {
        self.many.as_ref().map(|many| many.at_once)
    }

    /// Plays these games side by side, and returns them in their order; `None` where games are played one after the other.
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
    pub fn play(&mut self, index: u64, observer: &mut impl Observer<G>) -> Result<(), Halt> {
        if let Some(played) = self.play_many(index..index + 1) {
            played?.iter().for_each(|played| played.tell(observer));
        } else {
            self.play_alone(index, observer);
        }
        Ok(())
    }

    /// The same where games are played one after the other.
    fn play_alone(&mut self, index: u64, observer: &mut impl Observer<G>) {
        let streams = Streams::new(self.seed, index);
        let mut numbers = Numbers::new(streams);
        let mut position = G::deal(self.rules, numbers.deal());
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
            let rng = numbers.next(&position);
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
        observer.finish(&Finished::new(&position, &self.moves[..self.players.len()], 0));
    }

    /// Plays the first of these games, or the first few where there is a quick way, and says how many.
    ///
    /// # Errors
    /// As [`GameLoop::play_many`].
    pub fn play_some(&mut self, indices: Range<u64>, observer: &mut impl Observer<G>) -> Result<u64, Halt> {
        let some = indices.end - indices.start;
        if let Some(played) = self.play_many(indices.clone()) {
            played?.iter().for_each(|played| played.tell(observer));
            return Ok(some);
        }
        let seats = self.players.len();
        let Some((fast, tally)) = self.fast.as_ref().and_then(|fast| Some((fast, observer.tally()?))) else {
            self.play_alone(indices.start, observer);
            return Ok(1);
        };
        let some = some.min(fast.batch as u64);
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
            observer.finish(&Finished::new(end, moves, 0));
        }
        Ok(some)
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
