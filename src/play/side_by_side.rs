//! Plays many games side by side, for agents that like to be asked about many at once.
//!
//! The others play on until such an agent is to decide in each of the games. Then it is asked about all of them. What happened in a
//! game is kept and told later, one game after the other: results are the same however many games go on.

use super::checked::Checked;
use super::deals::Deals;
use super::observer::{Charge, Finished, Observer};
use super::seats::Seats;
use super::streams::GameStreams;
use crate::exec::Halt;
use crate::games::CardGame;
use crate::games::promises::check_end;
use crate::play::points;
use knave_agents::batch::{Ending, Question, Unanswered};
use knave_agents::registry::Prepared;
use knave_agents::rng::{Role, Streams};
use knave_agents::{Agent, Decision, Event, Rng, Seat, Turn};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Never set: for games that nobody stops.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The agents of a worker that are asked about many games at once. Each has one copy for all games of the worker.
pub struct Bench<'p, G: CardGame> {
    stop: &'p AtomicBool,
    guests: Vec<(usize, Guest<G>)>,
}

/// An agent on the bench.
type Guest<G> = Rc<RefCell<Seated<G>>>;

struct Seated<G: CardGame> {
    label: String,
    agent: Box<dyn Agent<G>>,
    /// The number of its next game.
    next: u64,
}

impl<G: CardGame> Default for Bench<'_, G> {
    fn default() -> Self {
        Self::new(&NEVER)
    }
}

impl<'p, G: CardGame> Bench<'p, G> {
    /// An empty bench; its agents give up when `stop` is set.
    #[must_use]
    pub fn new(stop: &'p AtomicBool) -> Self {
        Self { stop, guests: Vec::new() }
    }

    /// The flag.
    pub(super) fn stop(&self) -> &'p AtomicBool {
        self.stop
    }

    /// The copy of this agent, if it is one for many games.
    fn guest(&mut self, prepared: &Prepared<G>) -> Option<Guest<G>> {
        if let Some((_, guest)) = self.guests.iter().find(|(id, _)| *id == prepared.id()) {
            return Some(Rc::clone(guest));
        }
        let agent = prepared.make();
        agent.batch()?;
        let guest = Rc::new(RefCell::new(Seated { label: prepared.label.clone(), agent, next: 1 }));
        self.guests.push((prepared.id(), Rc::clone(&guest)));
        Some(guest)
    }

    /// What its agents say to their authors. Of several programs each piece has a name: those of other workers come in between.
    pub fn take_log(&mut self) -> Vec<u8> {
        let are_several = self.guests.iter().filter(|(_, guest)| guest.borrow().agent.may_fail()).count() > 1;
        let mut log = Vec::new();
        for (_, guest) in &self.guests {
            let Seated { label, agent, .. } = &mut *guest.borrow_mut();
            let said = agent.take_log();
            if are_several && !said.is_empty() {
                // A program may be in the middle of a line.
                let end = if said.ends_with(b"\n") { "" } else { "\n" };
                log.extend([format!("==> {label} <==\n").as_bytes(), &said, end.as_bytes()].concat());
            } else {
                log.extend(said);
            }
        }
        log
    }
}

/// Who sits in a seat of every game.
enum Chair<G: CardGame> {
    /// An agent on the bench.
    Guest(Guest<G>),
    /// An agent with a copy for each game.
    Own(Prepared<G>),
}

/// Games side by side.
pub(super) struct SideBySide<'p, G: CardGame> {
    deals: Deals<'p, G>,
    stop: &'p AtomicBool,
    chairs: Vec<Chair<G>>,
    /// The checks of their moves.
    checks: Vec<Checked>,
    /// The most games at once: the fewest that one of the guests likes, for an interrupt takes all of them.
    at_once: usize,
    keeps_history: bool,
    /// The first seat of the team of every seat.
    teams: Vec<Seat>,
    /// Why it does not go on.
    halted: Option<Halt>,
}

/// A game that goes on.
struct GameUnderWay<G: CardGame> {
    position: G,
    streams: GameStreams,
    rngs: Vec<Rng>,
    /// The agents with a copy for each game, by seat.
    own: Vec<Option<Box<dyn Agent<G>>>>,
    /// The numbers of the game for the other agents, by seat.
    numbers: Vec<u64>,
    history: Vec<Event<G>>,
    buffer: Vec<G::Move>,
    played: Played<G>,
}

impl<G: CardGame> GameUnderWay<G> {
    /// The decision that is due, for the agent in this seat.
    fn question(&mut self, seat: Seat, agent: &dyn Agent<G>) -> Question<'_, G> {
        let decision = Decision::new(&self.position, &self.history).told_to(agent);
        Question { game: self.numbers[seat], decision, rng: &mut self.rngs[seat] }
    }
}

/// A game that was played, to be told.
pub struct Played<G: CardGame> {
    index: u64,
    start: G,
    events: Vec<(Event<G>, Option<G::Chance>)>,
    moves: Vec<u64>,
    faults: Vec<Charge>,
    forfeited: Seats,
}

impl<G: CardGame> Played<G> {
    /// Tells what happened.
    pub fn tell(&self, observer: &mut impl Observer<G>) {
        let mut position = self.start.clone();
        observer.begin(self.index, &position);
        for (event, outcome) in &self.events {
            match (event, outcome) {
                (Event::Move(_, m), _) => {
                    observer.event(&position, event, None);
                    position.play(*m);
                }
                (_, outcome) => {
                    if let Some(outcome) = outcome {
                        position.play_chance(*outcome);
                    }
                    observer.event(&position, event, outcome.as_ref());
                }
            }
        }
        self.faults.iter().for_each(|&Charge { to, kind, forfeits }| observer.fault(to, kind, forfeits));
        observer.finish(&Finished::new(&position, &self.moves, self.forfeited));
    }
}

impl<'p, G: CardGame> SideBySide<'p, G> {
    /// Games for these agents, one for each seat in order; `None` when none of them is for many games.
    pub(super) fn new<'a>(
        deals: Deals<'p, G>,
        agents: impl Iterator<Item = &'a Prepared<G>>,
        bench: &mut Bench<'p, G>,
    ) -> Option<Self> {
        let (mut chairs, mut checks) = (Vec::new(), Vec::new());
        let (mut at_once, mut uses_history) = (None::<usize>, false);
        for prepared in agents {
            let chair = match bench.guest(prepared) {
                Some(guest) => {
                    let agent = &guest.borrow().agent;
                    let likes = agent.batch().unwrap_or(1).max(1);
                    at_once = Some(at_once.map_or(likes, |games| games.min(likes)));
                    uses_history |= agent.uses_history();
                    Chair::Guest(Rc::clone(&guest))
                }
                None => {
                    uses_history |= prepared.make().uses_history();
                    Chair::Own(prepared.clone())
                }
            };
            chairs.push(chair);
            checks.push(Checked::of(prepared));
        }
        let (teams, keeps_history) = (G::teams(deals.rules, chairs.len()), uses_history);
        let stop = bench.stop;
        at_once.map(|at_once| Self {
            deals,
            stop,
            chairs,
            checks,
            at_once,
            keeps_history,
            teams,
            halted: None,
        })
    }

    /// Plays these games, and returns them in their order: only the first few if it has to halt before all are finished, and
    /// from then on none.
    ///
    /// # Errors
    /// When it has to halt, or had to, and the first of them is not finished.
    pub(super) fn play(&mut self, indices: Range<u64>) -> Result<Vec<Played<G>>, Halt> {
        if let Some(halt) = &self.halted {
            return Err(halt.clone());
        }
        let (first, mut done) = (indices.start, Vec::new());
        let played = self.play_all(indices, &mut done);
        done.sort_unstable_by_key(|played| played.index);
        if let Err(halt) = played {
            let whole = (first..).zip(&done).take_while(|(index, played)| *index == played.index).count();
            done.truncate(whole);
            self.halted = Some(halt.clone());
            if whole == 0 {
                return Err(halt);
            }
        }
        Ok(done)
    }

    fn play_all(&self, mut indices: Range<u64>, done: &mut Vec<Played<G>>) -> Result<(), Halt> {
        let mut games: Vec<(Seat, GameUnderWay<G>)> = Vec::new();
        loop {
            while games.len() < self.at_once
                && let Some(index) = indices.next()
            {
                self.go_on(self.fresh(index), &mut games, done)?;
            }
            if games.is_empty() {
                return Ok(());
            }
            for seat in 0..self.chairs.len() {
                self.ask(seat, &mut games)?;
            }
            for (_, game) in std::mem::take(&mut games) {
                self.go_on(game, &mut games, done)?;
            }
        }
    }

    /// A fresh game.
    fn fresh(&self, index: u64) -> GameUnderWay<G> {
        let by_role = Streams::new(self.deals.seed, index);
        let mut streams = GameStreams::new(by_role);
        let position = self.deals.by(streams.deal());
        let seats = self.chairs.len();
        let own = |chair: &Chair<G>| match chair {
            Chair::Guest(_) => None,
            Chair::Own(prepared) => Some(prepared.make()),
        };
        let mut own: Vec<_> = self.chairs.iter().map(own).collect();
        own.iter_mut().flatten().for_each(|agent| agent.begin_game());
        let numbers = |chair: &Chair<G>| match chair {
            Chair::Own(_) => 0,
            Chair::Guest(guest) => {
                let next = &mut guest.borrow_mut().next;
                *next += 1;
                *next - 1
            }
        };
        let played = Played {
            index,
            start: position.clone(),
            events: Vec::new(),
            moves: vec![0; seats],
            faults: Vec::new(),
            forfeited: Seats::default(),
        };
        GameUnderWay {
            position,
            streams,
            rngs: (0..seats).map(|seat| by_role.role(Role::Agent(seat))).collect(),
            own,
            numbers: self.chairs.iter().map(numbers).collect(),
            history: Vec::new(),
            buffer: Vec::new(),
            played,
        }
    }

    /// Plays on until a guest is to decide, or to the end.
    fn go_on(
        &self,
        mut game: GameUnderWay<G>,
        waiting: &mut Vec<(Seat, GameUnderWay<G>)>,
        done: &mut Vec<Played<G>>,
    ) -> Result<(), Halt> {
        loop {
            // The others may be slow, too.
            if self.stop.load(Ordering::Relaxed) {
                return Err(Halt::Stopped);
            }
            match game.position.turn() {
                Turn::Over => break,
                Turn::Player(seat) => match &mut game.own[seat] {
                    None => {
                        waiting.push((seat, game));
                        return Ok(());
                    }
                    Some(agent) => {
                        let rng = &mut game.rngs[seat];
                        let m = if agent.plays_uniformly() {
                            game.position.random_move(&mut game.buffer, rng)
                        } else {
                            let decision = Decision::new(&game.position, &game.history).told_to(&**agent);
                            agent.choose(decision, rng)
                        };
                        self.play_move(&mut game, seat, m)?;
                    }
                },
                turn => {
                    let outcome = game.position.roll(game.streams.next(&game.position));
                    let event = Event::of_chance(turn, outcome);
                    self.remember(&mut game, event, Some(outcome));
                }
            }
        }
        check_end(&game.position, self.deals.rules).map_err(|promise| Halt::Failed {
            index: game.played.index,
            message: format!("{} breaks a promise: {promise}", G::NAME),
        })?;
        let end = Finished::new(&game.position, &game.played.moves, game.played.forfeited);
        for (seat, chair) in self.chairs.iter().enumerate() {
            if let Chair::Guest(guest) = chair {
                let (won, score) = (end.won(seat), points::<G>(game.position.score(seat)));
                guest.borrow_mut().agent.end_game(&Ending { game: game.numbers[seat], seat, won, score });
            }
        }
        done.push(game.played);
        Ok(())
    }

    fn play_move(&self, game: &mut GameUnderWay<G>, seat: Seat, m: G::Move) -> Result<(), Halt> {
        let legal = self.checks[seat].check(seat, m, |m| game.position.is_legal(m));
        legal.map_err(|message| Halt::Failed { index: game.played.index, message })?;
        game.position.play(m);
        game.played.moves[seat] += 1;
        self.remember(game, Event::Move(seat, m), None);
        Ok(())
    }

    fn remember(&self, game: &mut GameUnderWay<G>, event: Event<G>, outcome: Option<G::Chance>) {
        if self.keeps_history {
            game.position.tell(event.clone(), &mut game.history);
        }
        game.played.events.push((event, outcome));
    }

    /// Asks the guest in this seat about all games in which one of its seats is to decide, and plays its moves.
    fn ask(&self, seat: Seat, games: &mut [(Seat, GameUnderWay<G>)]) -> Result<(), Halt> {
        let Chair::Guest(guest) = &self.chairs[seat] else { return Ok(()) };
        let is_guest =
            |seat: Seat| matches!(&self.chairs[seat], Chair::Guest(other) if Rc::ptr_eq(other, guest));
        // It has been asked already where it has an earlier seat.
        if (0..seat).any(is_guest) {
            return Ok(());
        }
        let mut asked: Vec<_> = games.iter_mut().filter(|(seat, _)| is_guest(*seat)).collect();
        if asked.is_empty() { Ok(()) } else { self.ask_about(guest.borrow_mut().agent.as_mut(), &mut asked) }
    }

    /// Asks an agent about these games, and plays its moves.
    fn ask_about(
        &self,
        agent: &mut dyn Agent<G>,
        asked: &mut [&mut (Seat, GameUnderWay<G>)],
    ) -> Result<(), Halt> {
        let mut moves = Vec::new();
        let mut questions: Vec<_> =
            asked.iter_mut().map(|(seat, game)| game.question(*seat, agent)).collect();
        let answered = agent.choose_batch(&mut questions, &mut moves, self.stop);
        drop(questions);
        let faults = agent.take_faults();
        if !faults.is_empty() && !agent.may_fail() {
            let (seat, game) = &asked[0];
            let message = format!(
                "the agent in seat {seat} has faults to tell, and says by Agent::may_fail that it makes none, so no table would tell them"
            );
            return Err(Halt::Failed { index: game.played.index, message });
        }
        for fault in faults {
            // Numbers are the agent's own: in another seat the same one stands for another game.
            let of = |(seat, game): &&mut &mut (Seat, GameUnderWay<G>)| game.numbers[*seat] == fault.game;
            if let Some((seat, game)) = asked.iter_mut().find(of) {
                game.played.faults.push(Charge { to: *seat, kind: fault.kind, forfeits: fault.forfeits });
                if fault.forfeits {
                    // Partners lose together.
                    let side = (0..self.teams.len()).filter(|&other| self.teams[other] == self.teams[*seat]);
                    game.played.forfeited.extend(side);
                }
            }
        }
        match answered {
            Ok(()) => {}
            Err(Unanswered::Stopped) => return Err(Halt::Stopped),
            Err(Unanswered::Failed { question, message }) => {
                let (seat, game) = &asked[question.unwrap_or_default().min(asked.len() - 1)];
                let message = format!("seat {seat}: {message}");
                return Err(Halt::Failed { index: game.played.index, message });
            }
        }
        if moves.len() != asked.len() {
            let (seat, game) = &asked[0];
            let message = format!(
                "the agent in seat {seat} was asked for {} moves and gave {}: Agent::choose_batch gives one for each question",
                asked.len(),
                moves.len()
            );
            return Err(Halt::Failed { index: game.played.index, message });
        }
        for ((seat, game), m) in asked.iter_mut().zip(moves) {
            self.play_move(game, *seat, m)?;
        }
        Ok(())
    }
}
