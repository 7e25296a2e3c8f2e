//! Lanes: many games side by side, in each of which one seat is played by actions.

use super::action_game::{Acted, ActionGame};
use super::episode::Rewards;
use super::ruled::{Ruled, RulesetError};
use crate::games::CardGame;
use crate::learnt::note_models;
use crate::play::{Checked, points};
use knave_agents::registry::prepare;
use knave_agents::rng::{Role, stream};
use knave_agents::{Agent, AgentSpec, Encoding, Rng, Seat};
use std::sync::Arc;

/// The reward of an action that leads to no legal move. It ends the game.
pub const ILLEGAL: f64 = -1.0;

/// The behaviour of a lane when its game is over.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// The next game is dealt at once.
    #[default]
    SameStep,
    /// The next game is dealt by the next step, whose action in this lane counts for nothing.
    NextStep,
}

/// The settings of lanes.
#[derive(Clone, Debug)]
pub struct LaneSettings {
    /// The number of games side by side.
    pub lanes: usize,
    /// The seat that is played by actions; `None` has it change from game to game.
    pub seat: Option<Seat>,
    /// The agents in the other seats, the first to the left of the learner. A single one takes all of them.
    pub opponents: Vec<AgentSpec>,
    /// What is rewarded.
    pub rewards: Rewards,
    /// What a lane does when its game is over.
    pub autoreset: Autoreset,
}

/// The output arrays of a step. Rows follow each other lane by lane.
pub struct Step<'a> {
    /// Observations.
    pub observations: &'a mut [f32],
    /// Masks: 1 for every action that leads to a legal move; in a lane that waits for its next game, for every action.
    pub masks: &'a mut [u8],
    /// The rewards; −1 for an action that leads to no legal move, which ends the game.
    pub rewards: &'a mut [f64],
    /// 1 where a game ended.
    pub ended: &'a mut [u8],
}

/// A game that ended in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// The lane.
    pub lane: usize,
    /// The index of the game in the run with the same seed.
    pub index: u64,
    /// The learner's seat.
    pub seat: Seat,
    /// Its score in points; NaN where an illegal action ended the game.
    pub score: f64,
    /// Whether it won, alone or with others.
    pub won: bool,
    /// Whether an illegal action ended the game.
    pub illegal: bool,
    /// What the learner saw in the end.
    pub observation: Vec<f32>,
}

/// The lanes were told not to go on. Some of them have and others have not, so that they have to be reset.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped between two lanes")]
pub struct Halted;

/// Says whether to go on. It is asked before each lane in which opponents play and before each game, for they may be slow.
pub type GoOn<'a> = &'a mut dyn FnMut() -> bool;

/// Many games side by side.
pub trait Lanes: Send {
    /// Deals the games 0, 1, 2, … of the run with this seed, and writes observations and masks.
    ///
    /// # Errors
    /// When it is not to go on.
    fn reset(
        &mut self,
        seed: u64,
        observations: &mut [f32],
        masks: &mut [u8],
        go_on: GoOn<'_>,
    ) -> Result<(), Halted>;

    /// Does an action in every lane. Whichever lane is free first plays the next game; lanes that are free at the same time take them in
    /// their order.
    ///
    /// # Errors
    /// When it is not to go on.
    fn step(&mut self, actions: &[i64], step: &mut Step<'_>, go_on: GoOn<'_>) -> Result<Vec<Ended>, Halted>;

    /// The learner's seat in every lane.
    fn seats(&self) -> Vec<Seat>;

    /// Notes about the opponents for the user, such as that no model serves the rules.
    fn notes(&self) -> &[String];
}

/// A lane.
struct Lane<G: CardGame> {
    game: ActionGame<G>,
    /// The learner's seat.
    seat: Seat,
    /// The agents in the other seats with their random numbers and the checks of their moves, the first to the learner's left.
    others: Vec<(Box<dyn Agent<G>>, Rng, Checked)>,
    /// Whether the game is over and the next one is to be dealt.
    waits: bool,
}

/// Lanes of one game, with its types.
pub(super) struct GameLanes<G: CardGame> {
    encoding: Encoding<G>,
    settings: LaneSettings,
    coming: Coming<G>,
    lanes: Vec<Lane<G>>,
    notes: Vec<String>,
}

/// The games to come.
struct Coming<G: CardGame> {
    rules: Arc<G::Rules>,
    /// The learner's seat in all of them; `None` has it change.
    learner: Option<Seat>,
    seed: u64,
    /// The index of the next game.
    next: u64,
}

impl<G: CardGame> GameLanes<G> {
    pub fn new(ruled: &Ruled<G>, settings: &LaneSettings) -> Result<Self, RulesetError> {
        let encoding = ruled.encoding()?;
        let refuse =
            |field, value: String, reason: String| Err(RulesetError::Setting { field, value, reason });
        let seats = ruled.seats;
        if settings.lanes == 0 {
            return refuse("num_envs", "0".to_owned(), "expected at least 1".to_owned());
        }
        if let Some(seat) = settings.seat.filter(|&seat| seat >= seats) {
            return refuse("seat", seat.to_string(), format!("expected 0 to {}, or none", seats - 1));
        }
        let given = settings.opponents.len();
        if given != seats - 1 && !(given == 1 && seats > 1) {
            let reason = match seats {
                1 => "a solo game has none".to_owned(),
                2 => "expected one agent".to_owned(),
                _ => format!("expected one agent, or {}", seats - 1),
            };
            let named: Vec<String> = settings.opponents.iter().map(ToString::to_string).collect();
            return refuse("opponents", format!("[{}]", named.join(", ")), reason);
        }
        let mut opponents = Vec::new();
        for spec in &settings.opponents {
            let mut prepared = prepare(&ruled.agents, G::NAME, spec, &ruled.rules)?.one_at_a_time();
            if prepared.is_batched() {
                let reason =
                    "it plays in runs and comparisons, not as an opponent in environments".to_owned();
                return refuse("opponents", prepared.label, reason);
            }
            note_models(&mut prepared, &G::full_deck());
            opponents.push(prepared);
        }
        let uses_history = opponents.iter().any(|prepared| prepared.make().uses_history());
        let lane = |_| Lane {
            game: ActionGame::deal(&*ruled.rules, (0, 0), uses_history),
            seat: 0,
            others: (1..seats)
                .map(|left| {
                    let prepared = &opponents[(left - 1) % opponents.len()];
                    (prepared.make(), stream(0, 0, Role::Agent(left)), Checked::of(prepared))
                })
                .collect(),
            waits: false,
        };
        let mut notes: Vec<String> = Vec::new();
        for note in opponents.iter().flat_map(|prepared| &prepared.notes) {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        Ok(Self {
            encoding,
            settings: settings.clone(),
            coming: Coming { rules: Arc::clone(&ruled.rules), learner: settings.seat, seed: 0, next: 0 },
            lanes: (0..settings.lanes).map(lane).collect(),
            notes,
        })
    }
}

impl<G: CardGame> Coming<G> {
    /// Deals the next game in which the learner has anything to decide, and plays on to its first decision.
    ///
    /// # Errors
    /// When it is not to go on.
    fn deal(&mut self, lane: &mut Lane<G>, go_on: GoOn<'_>) -> Result<(), Halted> {
        loop {
            // Whole games are played on the way in which the learner has nothing to decide.
            lane.check(go_on)?;
            let index = self.next;
            self.next += 1;
            lane.begin(&self.rules, (self.seed, index), self.learner);
            if lane.game.seat().is_some() {
                return Ok(());
            }
        }
    }
}

impl<G: CardGame> Lanes for GameLanes<G> {
    fn reset(
        &mut self,
        seed: u64,
        observations: &mut [f32],
        masks: &mut [u8],
        go_on: GoOn<'_>,
    ) -> Result<(), Halted> {
        let Self { encoding, coming, lanes, .. } = self;
        (coming.seed, coming.next) = (seed, 0);
        for lane in &mut *lanes {
            coming.deal(lane, go_on)?;
        }
        let (columns, actions) = (encoding.observation_length(), encoding.action_count());
        let rows = observations.chunks_exact_mut(columns).zip(masks.chunks_exact_mut(actions));
        for (lane, (row, mask)) in lanes.iter_mut().zip(rows) {
            lane.game.mask(encoding, mask);
            lane.game.observe(encoding, lane.seat, row);
        }
        Ok(())
    }

    fn step(&mut self, actions: &[i64], step: &mut Step<'_>, go_on: GoOn<'_>) -> Result<Vec<Ended>, Halted> {
        let Self { encoding, settings, coming, lanes, .. } = self;
        let (columns, count) = (encoding.observation_length(), encoding.action_count());
        let mut ended = Vec::new();
        let rows = step.observations.chunks_exact_mut(columns).zip(step.masks.chunks_exact_mut(count));
        let results = step.rewards.iter_mut().zip(step.ended.iter_mut());
        let all = lanes.iter_mut().zip(actions).zip(rows).zip(results).enumerate();
        for (i, (((lane, &action), (row, mask)), (reward, over))) in all {
            lane.check(go_on)?;
            (*reward, *over) = (0.0, 0);
            if lane.waits {
                coming.deal(lane, go_on)?;
            } else {
                let acted =
                    u16::try_from(action).map_or(Acted::Illegal, |action| lane.game.act(encoding, action));
                let illegal = acted == Acted::Illegal;
                if acted == Acted::Played {
                    lane.go_on();
                }
                if illegal || lane.game.seat().is_none() {
                    let position = &lane.game.position;
                    *reward = if illegal { ILLEGAL } else { settings.rewards.of(position, lane.seat) };
                    *over = 1;
                    let won = !illegal && position.won(lane.seat);
                    let score = if illegal { f64::NAN } else { points::<G>(position.score(lane.seat)) };
                    let mut observation = vec![0.0; columns];
                    lane.game.observe(encoding, lane.seat, &mut observation);
                    ended.push(Ended {
                        lane: i,
                        index: lane.game.index,
                        seat: lane.seat,
                        score,
                        won,
                        illegal,
                        observation,
                    });
                    match settings.autoreset {
                        Autoreset::SameStep => coming.deal(lane, go_on)?,
                        Autoreset::NextStep => lane.waits = true,
                    }
                }
            }
            if lane.waits {
                // Nothing can be done in a game that has ended, but a mask must leave something: any action will do.
                mask.fill(1);
            } else {
                lane.game.mask(encoding, mask);
            }
            lane.game.observe(encoding, lane.seat, row);
        }
        Ok(ended)
    }

    fn seats(&self) -> Vec<Seat> {
        self.lanes.iter().map(|lane| lane.seat).collect()
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl<G: CardGame> Lane<G> {
    /// Whether to go on with this lane.
    #[inline]
    fn check(&self, go_on: GoOn<'_>) -> Result<(), Halted> {
        if self.others.is_empty() || go_on() { Ok(()) } else { Err(Halted) }
    }

    /// Deals this game, and plays on to the learner's first decision or the end.
    fn begin(&mut self, rules: &G::Rules, (seed, index): (u64, u64), learner: Option<Seat>) {
        self.game.deal_again(rules, (seed, index));
        self.waits = false;
        let seats = self.others.len() + 1;
        self.seat = learner.unwrap_or((index % seats as u64) as usize);
        for (i, (agent, rng, _)) in self.others.iter_mut().enumerate() {
            *rng = self.game.streams.role(Role::Agent((self.seat + 1 + i) % seats));
            agent.begin_game();
        }
        self.go_on();
    }

    /// Has the others play until the learner decides or the game is over.
    #[inline]
    fn go_on(&mut self) {
        if self.others.is_empty() {
            return;
        }
        let seats = self.others.len() + 1;
        while let Some(seat) = self.game.seat().filter(|&seat| seat != self.seat) {
            let (agent, rng, checked) = &mut self.others[(seat + seats - self.seat) % seats - 1];
            let decision = self.game.decision().told_to(&**agent);
            let m = agent.choose(decision, rng);
            checked.demand(seat, m, |m| decision.is_legal(m));
            self.game.play(seat, m);
        }
    }
}
