//! The judge: what the moves of a decision are worth, by rollouts from sampled worlds.

use crate::exec::Halt;
use crate::games::CardGame;
use crate::play::{Checked, Finished, GameStreams, Measure, Seats};
use knave_agents::game::MAX_SEATS;
use knave_agents::options::Fields;
use knave_agents::registry::{Prepared, prepare};
use knave_agents::rng::{Role, Streams};
use knave_agents::{Agent, AgentSpec, Decision, Entry, Evaluator, Event, Rng, Seat, SpecError, Turn};
use rand::Rng as _;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The settings of a judge, ready to use.
pub struct Judging<G: CardGame> {
    /// The agent that plays on for everybody, and whose own move is the measure of what was played.
    pub agent: Prepared<G>,
    /// The number of worlds, which is even: the first half of them finds the best move, the other half says how much better
    /// it is, so that chance is not taken for strength.
    pub worlds: u32,
    /// The most moves of a decision that are valued: the best by the game's evaluator, the one that was played, and the
    /// judge's own.
    pub moves: u32,
    /// The measure: wins or scores.
    pub measure: Measure,
    evaluator: Option<Arc<dyn Evaluator<G>>>,
}

/// A judge as data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JudgeSpec {
    /// The agent that plays on for everybody. By default it is `fast`, and in a game without policies one of
    /// [`Judging::WITHOUT_POLICY`].
    pub agent: Option<AgentSpec>,
    /// The number of worlds, an even one from 20 to 1,000,000; by default 400.
    pub worlds: Option<u32>,
    /// The most moves that are valued, from 2 to 1,000,000; by default 12.
    pub moves: Option<u32>,
    /// What counts.
    pub measure: Option<Measure>,
}

/// An error in the settings of a judge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeError {
    /// The agent was refused.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// An agent that cannot be asked about one position.
    #[error("judge={0} is refused: it plays in runs and comparisons alone")]
    Batched(String),
    /// The number of worlds.
    #[error("worlds={0} is refused: expected an even number from 20 to 1000000")]
    Worlds(u32),
    /// The number of moves.
    #[error("moves={0} is refused: expected a number from 2 to 1000000")]
    Moves(u32),
}

impl<G: CardGame> Judging<G> {
    /// The judge unless another is named: microseconds a move, and most of the strength.
    pub const AGENT: &'static str = "fast";
    /// The judges in a game without policies, with evaluators and without.
    pub const WITHOUT_POLICY: [&'static str; 2] = ["greedy", "random"];
    /// The worlds unless another number is named.
    pub const WORLDS: u32 = 400;
    /// The moves unless another number is named.
    pub const MOVES: u32 = 12;

    /// Prepares the agent, which is among `entries`.
    ///
    /// # Errors
    /// Names what was refused, and what would be right.
    pub fn new(
        agent: &AgentSpec,
        (worlds, moves): (u32, u32),
        measure: Measure,
        rules: &G::Rules,
        entries: &[Entry<G>],
    ) -> Result<Self, JudgeError> {
        const MOST: u32 = 1_000_000;
        if !(2 * LEAST as u32..=MOST).contains(&worlds) || worlds % 2 == 1 {
            return Err(JudgeError::Worlds(worlds));
        }
        if !(2..=MOST).contains(&moves) {
            return Err(JudgeError::Moves(moves));
        }
        let agent = prepare(entries, G::NAME, agent, rules)?.one_at_a_time();
        if agent.is_batched() {
            return Err(JudgeError::Batched(agent.label));
        }
        let evaluator = G::kit(rules).find_evaluator("", rules);
        Ok(Self { agent, worlds, moves, measure, evaluator })
    }

    /// As [`Judging::new`], with what is named and otherwise the defaults.
    ///
    /// # Errors
    /// As there.
    pub fn of(spec: &JudgeSpec, rules: &G::Rules, entries: &[Entry<G>]) -> Result<Self, JudgeError> {
        let own = || {
            let kit = G::kit(rules);
            let [greedy, random] = Self::WITHOUT_POLICY;
            let name = match (kit.policies().is_empty(), kit.evaluators().is_empty()) {
                (false, _) => Self::AGENT,
                (true, false) => greedy,
                (true, true) => random,
            };
            AgentSpec { name: name.to_owned(), options: Fields::new(), label: None }
        };
        let agent = spec.agent.clone().unwrap_or_else(own);
        let budget = (spec.worlds.unwrap_or(Self::WORLDS), spec.moves.unwrap_or(Self::MOVES));
        let measure = spec.measure.unwrap_or_else(|| Measure::of_game::<G>(rules));
        Self::new(&agent, budget, measure, rules, entries)
    }

    /// The unit of sums over all worlds.
    #[must_use]
    pub fn units(&self) -> Units {
        Units(self.measure.unit::<G>() * f64::from(self.worlds))
    }
}

/// The whole number that stands for a win, or for a point: values are sums over worlds, so that they add up exactly.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Units(pub f64);

impl Units {
    /// A sum as wins or points.
    #[must_use]
    pub fn value(self, sum: i64) -> f64 {
        sum as f64 / self.0
    }
}

/// A judge at work, with its memory.
pub struct Judge<'p, G: CardGame> {
    judging: &'p Judging<G>,
    players: Vec<Box<dyn Agent<G>>>,
    checked: Checked,
    rngs: Vec<Rng>,
    history: Vec<Event<G>>,
    keeps_history: bool,
    stop: &'p AtomicBool,
}

/// A move and its results.
pub struct Valued<G: CardGame> {
    /// The move.
    pub played: G::Move,
    /// By world: the results of all seats. Moves that were left behind have fewer.
    results: Vec<[i64; MAX_SEATS]>,
}

/// The values of the moves of a decision.
pub struct Appraisal<G: CardGame> {
    /// The seat that decides.
    pub seat: Seat,
    /// The moves that were valued, in their order.
    pub moves: Vec<Valued<G>>,
    /// The number of legal moves.
    pub legal: usize,
    /// The place of the judge's own move.
    pub choice: usize,
    /// The place of the best move: the one that was played, or the judge's own where none was, unless another has stood out in the
    /// first half of the worlds.
    pub best: usize,
}

impl<G: CardGame> Appraisal<G> {
    /// The place of a move among those that were valued.
    #[must_use]
    pub fn place(&self, m: G::Move) -> Option<usize> {
        self.moves.iter().position(|valued| valued.played == m)
    }

    /// The sum of the results of a seat over all worlds; of the judge's own move, the one that was played and the best.
    ///
    /// # Panics
    /// Of a move that was not [played in all worlds](Self::is_whole).
    #[must_use]
    pub fn sum(&self, place: usize, seat: Seat) -> i64 {
        self.sum_of(place, seat, 0..self.worlds())
    }

    /// What a move brings the player, as a sum that stands for all worlds, the standard error of that, and the number of worlds
    /// in which it was played.
    #[must_use]
    pub fn mean(&self, place: usize) -> (f64, f64, usize) {
        let results = || self.moves[place].results.iter().map(|results| results[self.seat]);
        let worlds = results().len();
        let all = self.worlds() as f64 / worlds as f64;
        (results().sum::<i64>() as f64 * all, spread(results()) * all, worlds)
    }

    /// The difference of two moves for the player, as a sum over all worlds, and its standard error in the same unit.
    ///
    /// # Panics
    /// Of a move that was not [played in all worlds](Self::is_whole).
    #[must_use]
    pub fn difference(&self, place: usize, other: usize) -> (i64, f64) {
        self.difference_of(place, other, 0..self.worlds())
    }

    /// What the player loses by a move against the best one, as a sum that stands for all worlds, and its standard error. Its
    /// expectation is no more than what is lost against the truly best move: the best was found in other worlds.
    ///
    /// # Panics
    /// Of a move that was not [played in all worlds](Self::is_whole).
    #[must_use]
    pub fn regret(&self, place: usize) -> (i64, f64) {
        let half = self.worlds() / 2;
        let (sum, error) = self.difference_of(self.best, place, half..self.worlds());
        (2 * sum, 2.0 * error)
    }

    /// Whether a move was played in all worlds.
    #[must_use]
    pub fn is_whole(&self, place: usize) -> bool {
        self.moves[place].results.len() == self.worlds()
    }

    fn worlds(&self) -> usize {
        self.moves[self.choice].results.len()
    }

    /// The move that was best in the first of the worlds, and surely enough better than this one.
    fn standout(&self, worlds: usize, base: usize) -> usize {
        let best = self.best_of(worlds);
        let (difference, error) = self.difference_of(best, base, 0..worlds);
        if difference as f64 > STANDOUT * error { best } else { base }
    }

    /// The move that was best in the first of the worlds.
    fn best_of(&self, worlds: usize) -> usize {
        let first = |place: usize| self.sum_of(place, self.seat, 0..worlds);
        let there = (0..self.moves.len()).filter(|&place| self.moves[place].results.len() >= worlds);
        there.fold(self.choice, |best, place| if first(place) > first(best) { place } else { best })
    }

    /// Whether a move has fallen too far behind the best of the first worlds to be worth more of them.
    fn is_behind(&self, place: usize, worlds: usize) -> bool {
        let (difference, error) = self.difference_of(self.best_of(worlds), place, 0..worlds);
        difference as f64 > BEHIND * error
    }

    fn sum_of(&self, place: usize, seat: Seat, worlds: Range<usize>) -> i64 {
        self.moves[place].results[worlds].iter().map(|results| results[seat]).sum()
    }

    fn difference_of(&self, place: usize, other: usize, worlds: Range<usize>) -> (i64, f64) {
        let [a, b] = [place, other].map(|place| &self.moves[place].results[worlds.clone()]);
        let differences = || a.iter().zip(b).map(|(a, b)| a[self.seat] - b[self.seat]);
        (differences().sum(), spread(differences()))
    }
}

/// A move is taken for better than the one that was played if it is by so many standard errors. Without a threshold the best of
/// several equal moves would be one that was lucky, and many small losses would be found where there are none, or gains.
const STANDOUT: f64 = 1.64;

/// Fewer worlds do not tell how far results differ.
const LEAST: usize = 10;

/// A move that is so many standard errors behind the best is valued no further.
const BEHIND: f64 = 3.0;

/// The standard error of a sum of independent numbers.
fn spread(numbers: impl Iterator<Item = i64>) -> f64 {
    let (mut n, mut sum, mut squares) = (0_i128, 0_i128, 0_i128);
    for number in numbers {
        (n, sum, squares) = (n + 1, sum + i128::from(number), squares + i128::from(number).pow(2));
    }
    if n < 2 {
        return f64::NAN;
    }
    ((n * squares - sum * sum) as f64 / (n - 1) as f64).sqrt()
}

impl<'p, G: CardGame> Judge<'p, G> {
    /// A judge that gives up when `stop` is set.
    #[must_use]
    pub fn new(judging: &'p Judging<G>, stop: &'p AtomicBool) -> Self {
        let (players, rngs, history) = (Vec::new(), Vec::new(), Vec::new());
        let checked = Checked::of(&judging.agent);
        Self { judging, players, checked, rngs, history, keeps_history: false, stop }
    }

    /// Values the moves of the player whose turn it is, after these public events. The move that was `played` is among those
    /// that are valued. In the second half of the worlds all are that are not behind if the caller `wants_all`, and otherwise what
    /// tells the regret of that move.
    ///
    /// # Errors
    /// When it was told to stop.
    ///
    /// # Panics
    /// When nobody is to move.
    pub fn appraise(
        &mut self,
        position: &G,
        history: &[Event<G>],
        played: Option<G::Move>,
        wants_all: bool,
        rng: &mut Rng,
    ) -> Result<Appraisal<G>, Halt> {
        let Turn::Player(seat) = position.turn() else {
            unreachable!("a decision needs a player to move");
        };
        if self.players.len() != position.seats() {
            self.players = (0..position.seats()).map(|_| self.judging.agent.make()).collect();
            self.keeps_history = self.players.iter().any(|player| player.uses_history());
        }
        self.history.clear();
        if self.keeps_history {
            self.history.extend_from_slice(history);
        }
        let mut legal = Vec::new();
        position.moves(&mut legal);
        let count = legal.len();
        let choice = self.choose(position, seat, rng);
        self.select(position, seat, &mut legal, [Some(choice), played]);
        let fresh = |played| Valued { played, results: Vec::new() };
        let moves = legal.into_iter().map(fresh).collect();
        let mut appraisal = Appraisal { seat, moves, legal: count, choice: 0, best: 0 };
        let place = |appraisal: &Appraisal<G>, m| appraisal.place(m).unwrap_or(0);
        appraisal.choice = place(&appraisal, choice);
        let base = played.map_or(appraisal.choice, |m| place(&appraisal, m));
        let kept = [appraisal.choice, base];
        let mut going: Vec<usize> = (0..appraisal.moves.len()).collect();
        let (view, worlds) = (position.view(seat), self.judging.worlds as usize);
        for world_number in 1..=worlds {
            let world = G::sample_world(&view, rng);
            let streams = Streams::new(rng.next_u64(), 0);
            for &place in &going {
                let m = appraisal.moves[place].played;
                let results = self.play_on(world.clone(), seat, m, streams)?;
                appraisal.moves[place].results.push(results);
            }
            if world_number == worlds / 2 {
                appraisal.best = appraisal.standout(world_number, base);
                going.retain(|place| wants_all || kept.contains(place) || *place == appraisal.best);
            } else if world_number >= LEAST && [worlds / 8, worlds / 4].contains(&world_number) {
                going.retain(|&place| kept.contains(&place) || !appraisal.is_behind(place, world_number));
            }
        }
        Ok(appraisal)
    }

    /// The move that the judge would play.
    fn choose(&mut self, position: &G, seat: Seat, rng: &mut Rng) -> G::Move {
        let player = &mut self.players[seat];
        player.begin_game();
        let m = player.choose(Decision::new(position, &self.history), rng);
        self.checked.demand(seat, m, |m| position.is_legal(m));
        m
    }

    /// Leaves the moves that are valued: the best by the game's evaluator, and those that must be among them.
    fn select(&self, position: &G, seat: Seat, moves: &mut Vec<G::Move>, kept: [Option<G::Move>; 2]) {
        let most = self.judging.moves as usize;
        if moves.len() <= most {
            return;
        }
        let value = |&m: &G::Move| {
            let mut after = position.clone();
            after.play(m);
            match (after.turn(), &self.judging.evaluator) {
                (Turn::Over, _) => after.utility(seat),
                (_, Some(evaluator)) => evaluator.value(&after, seat),
                (_, None) => 0.0,
            }
        };
        let mut valued: Vec<(f64, G::Move)> = moves.iter().map(|m| (value(m), *m)).collect();
        valued.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let is_kept = |m: &G::Move| kept.contains(&Some(*m));
        moves.clear();
        moves.extend(kept.into_iter().flatten());
        moves.dedup();
        let others = valued.into_iter().map(|(_, m)| m).filter(|m| !is_kept(m));
        let room = most.saturating_sub(moves.len());
        moves.extend(others.take(room));
        moves.sort_unstable();
    }

    /// The results when the judge plays on for everybody after this move.
    fn play_on(
        &mut self,
        mut world: G,
        seat: Seat,
        m: G::Move,
        streams: Streams,
    ) -> Result<[i64; MAX_SEATS], Halt> {
        let (before, mut moves) = (self.history.len(), 0_u64);
        let mut game_streams = GameStreams::new(streams);
        self.players.iter_mut().for_each(|player| player.begin_game());
        self.rngs.clear();
        self.rngs.extend((0..self.players.len()).map(|seat| streams.role(Role::Agent(seat))));
        let mut next = Some((seat, m));
        loop {
            if let Some((seat, m)) = next.take() {
                world.play(m);
                self.remember(&world, Event::Move(seat, m));
            }
            match world.turn() {
                Turn::Over => break,
                Turn::Player(seat) => {
                    // Some rules have games of a billion moves.
                    if moves % 1024 == 0 && self.stop.load(Ordering::Relaxed) {
                        return Err(Halt::Abandoned);
                    }
                    moves += 1;
                    let decision = Decision::new(&world, &self.history);
                    let m = self.players[seat].choose(decision, &mut self.rngs[seat]);
                    self.checked.demand(seat, m, |m| world.is_legal(m));
                    next = Some((seat, m));
                }
                turn => {
                    let outcome = world.roll(game_streams.next(&world));
                    let event = Event::of_chance(turn, outcome);
                    self.remember(&world, event);
                }
            }
        }
        self.history.truncate(before);
        Ok(self.judging.measure.results(&Finished::new(&world, &[], Seats::default())))
    }

    fn remember(&mut self, position: &G, event: Event<G>) {
        if self.keeps_history {
            position.tell(event, &mut self.history);
        }
    }
}
