//! Self-play learning: TD(λ) on afterstates (Sutton 1988; Tesauro 1995).
//!
//! One net plays all seats, each from what it knows, and takes the step with the best afterstate. The target of
//! an afterstate is the value of the seat's next one, blended by λ with the next one's own target. The last
//! target is the utility that the seat got. Now and then a step is drawn at random. Its consequences are no target of the
//! mover's earlier positions (Watkins 1989), except where it ends the game; other seats learn from them. Where the exact
//! end-game solver applies, its answer ends the game. With a discount, utility that is not settled yet is worth less the
//! later it comes. Then endless waiting is worth less to everybody than playing on.

use super::features::{Afterstate, Features};
use super::policy_gradient::PolicyTrainer;
use super::self_play::{NetPlayer, SelfPlay, from_progress, learner, to_progress};
use crate::game::{Seat, Values};
use crate::kit::{Kit, Tools};
use crate::net::{Learner, Net, Units, logistic};
use crate::rng::Rng;
use crate::steps::StepList;
use crate::training::{DrawnDeals, MakePlayer, Method, RivalSeats, Schedule, Training};
use rand::RngExt as _;
use std::ops::Range;

/// The trace of a seat: the afterstates that it chose in a game, as lists of features side by side.
#[derive(Clone, Debug, Default)]
struct Trace {
    features: Vec<u16>,
    ends: Vec<usize>,
    /// The value of the best step of the decision. It is the chosen one unless a step was drawn.
    best: Vec<f64>,
    /// The settled parts of the utility.
    settled: Vec<f64>,
    /// Whether the step was drawn, so that its consequences say nothing of earlier positions.
    drawn: Vec<bool>,
}

impl Trace {
    fn clear(&mut self) {
        self.features.clear();
        self.ends.clear();
        self.best.clear();
        self.settled.clear();
        self.drawn.clear();
    }

    fn push(&mut self, features: &[u16], best: f64, settled: f64, drawn: bool) {
        self.features.extend_from_slice(features);
        self.ends.push(self.features.len());
        self.best.push(best);
        self.settled.push(settled);
        self.drawn.push(drawn);
    }

    fn get(&self, i: usize) -> &[u16] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.features[start..self.ends[i]]
    }
}

/// A trainer: it plays games with a net and learns from them.
pub struct Trainer<G: Tools + Features> {
    games: SelfPlay<G>,
    schedule: Schedule,
    seed: u64,
    player: TdPlayer<G>,
    played: u64,
}

/// The net as a player that keeps the traces of all seats.
struct TdPlayer<G: Tools + Features> {
    learner: Learner,
    /// How often a step is drawn at random in this game.
    explore: f64,
    traces: Vec<Trace>,
    steps: StepList<G::Move>,
    before: Vec<u16>,
    /// The values of this decision's afterstates, and their features side by side.
    values: Vec<f64>,
    listed: Vec<u16>,
    ends: Vec<usize>,
    features: Vec<u16>,
    units: Units,
    /// The decision whose moves are being played.
    choice: Choice,
}

/// A decision of the net.
#[derive(Copy, Clone, Default)]
struct Choice {
    /// The value of the best step.
    best: f64,
    /// Whether the step was drawn at random.
    drawn: bool,
    /// The step among those that were listed. What the game finds out by its own way it describes by its own way, too.
    listed: Option<usize>,
}

impl<G: Tools + Features> Trainer<G> {
    /// A trainer that begins with small random weights; everything random follows from `seed`. Players beside the net that are
    /// no policies of the game are made by `make`.
    ///
    /// # Panics
    /// If the hidden layers have other sizes than a schedule may give them, which is checked when one is read from options.
    #[must_use]
    pub fn new(deals: impl Into<DrawnDeals<G>>, schedule: Schedule, make: MakePlayer<G>, seed: u64) -> Self {
        let deals = deals.into();
        let kit = G::kit(deals.rules.first());
        let player = TdPlayer {
            learner: learner::<G>(&schedule, seed),
            explore: 0.0,
            traces: Vec::new(),
            steps: StepList::default(),
            before: Vec::new(),
            values: Vec::new(),
            listed: Vec::new(),
            ends: Vec::new(),
            features: Vec::new(),
            units: Units::default(),
            choice: Choice::default(),
        };
        Self { games: SelfPlay::new(deals, &schedule, kit, make), schedule, seed, player, played: 0 }
    }

    /// Plays a game, which leaves the traces of the seats that are learnt from.
    fn game(&mut self, seed: u64, index: u64, explore: f64, rivals: f64) -> Values {
        self.player.explore = explore;
        self.games.play(seed, index, rivals, &mut self.player)
    }
}

impl<G: Tools + Features> NetPlayer<G> for TdPlayer<G> {
    fn begin_game(&mut self, seats: usize) {
        self.traces.resize(seats, Trace::default());
        self.traces.iter_mut().for_each(Trace::clear);
    }

    fn decide(&mut self, position: &G, seat: Seat, line: &mut Vec<G::Move>, rng: &mut Rng) {
        let drawn = self.explore > 0.0 && rng.random::<f64>() < self.explore;
        let Self { learner, units, .. } = self;
        let mut net = |features: &[u16]| f64::from(logistic(learner.logit(features, units)));
        let best = position.decide(seat, &mut net, line);
        let mut choice = Choice { best: best.unwrap_or_default(), drawn, listed: None };
        if drawn || best.is_none() {
            let (index, value) = self.step(position, seat, drawn, line, rng);
            if best.is_none() {
                choice.listed = Some(index);
                choice.best = value;
            }
        }
        self.choice = choice;
    }

    fn has_moved(&mut self, position: &G, seat: Seat) {
        let Choice { best, drawn, listed } = self.choice;
        // The net chose by what it knew of the afterstate, which may be less than what the position tells.
        let before = self.traces[seat].ends.len();
        match listed.map(|i| self.afterstate(i)) {
            Some(range) if !range.is_empty() => {
                let features = &self.listed[range];
                self.traces[seat].push(features, best, position.settled(seat), drawn);
            }
            _ => self.push(position, seat, Some(best), drawn),
        }
        if G::LEARNS_FROM_ALL_STEPS {
            for other in 0..position.seats() {
                if other == seat {
                    position.features(seat, &mut self.features);
                    if self.traces[seat].get(before) == self.features {
                        continue;
                    }
                }
                self.push(position, other, None, false);
            }
        }
    }

    fn sees(&mut self, position: &G, seat: Seat, mover: Seat) {
        if G::LEARNS_FROM_ALL_STEPS || seat == mover {
            self.push(position, seat, None, false);
        }
    }

    fn forget(&mut self, seat: Seat) {
        self.traces[seat].clear();
    }
}

impl<G: Tools + Features> TdPlayer<G> {
    /// The place of the features of an afterstate among all that were listed; an empty one where the game is over.
    fn afterstate(&self, i: usize) -> Range<usize> {
        (if i == 0 { 0 } else { self.ends[i - 1] })..self.ends[i]
    }

    /// Adds a position to the trace of a seat, with the value of the best step if the seat chose.
    fn push(&mut self, position: &G, seat: Seat, best: Option<f64>, drawn: bool) {
        position.features(seat, &mut self.features);
        let settled = position.settled(seat);
        let best = best.unwrap_or_else(|| {
            let share = logistic(self.learner.logit(&self.features, &mut self.units));
            settled + G::RANGE * f64::from(share)
        });
        self.traces[seat].push(&self.features, best, settled, drawn);
    }

    /// Puts the best step, or one drawn at random, in `line`; returns its index and the value of the best.
    fn step(
        &mut self,
        position: &G,
        seat: Seat,
        drawn: bool,
        line: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> (usize, f64) {
        let Self { learner, units, before, values, listed, ends, .. } = self;
        values.clear();
        listed.clear();
        ends.clear();
        // Units are updated from one step to the next.
        let mut going = false;
        position.afterstates(seat, &mut self.steps, &mut self.features, &mut |i, after| {
            ends.truncate(i);
            listed.truncate(ends.last().copied().unwrap_or_default());
            let value = match after {
                Afterstate::Over(utility) => utility,
                Afterstate::Open { features, settled } => {
                    listed.extend_from_slice(features);
                    let logit = if std::mem::replace(&mut going, true) {
                        learner.logit_after(before, features, units)
                    } else {
                        learner.logit(features, units)
                    };
                    before.clear();
                    before.extend_from_slice(features);
                    settled + G::RANGE * f64::from(logistic(logit))
                }
            };
            ends.push(listed.len());
            values.truncate(i);
            values.push(value);
        });
        let best = (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best });
        let best_value = values[best];
        let chosen = if drawn { rng.random_range(0..self.steps.len()) } else { best };
        line.clear();
        line.extend_from_slice(self.steps.get(chosen));
        (chosen, best_value)
    }
}

impl<G: Tools + Features> Kit<G> {
    /// Adds the training of a net on the game's [`Features`].
    #[must_use]
    pub fn trainable(self) -> Self {
        self.training(|deals, schedule, make, seed| match schedule.method {
            Method::Td => Box::new(Trainer::<G>::new(deals, schedule.clone(), make, seed)),
            Method::PolicyGradient => Box::new(PolicyTrainer::<G>::new(deals, schedule.clone(), make, seed)),
        })
    }
}

impl<G: Tools + Features> Training for Trainer<G> {
    fn train(&mut self) -> f64 {
        let index = self.played;
        let utilities = self.game(self.seed, index, self.schedule.explore, self.schedule.rivals);
        let done = self.schedule.done(index);
        let lambda = self.schedule.lambda_after(done);
        for (seat, trace) in self.player.traces.iter().enumerate() {
            let mut target = utilities[seat];
            for i in (0..trace.ends.len()).rev() {
                let share = (target - trace.settled[i]) / G::RANGE;
                self.player.learner.add(trace.get(i), share.clamp(0.0, 1.0) as f32);
                let lambda = if trace.drawn[i] { 0.0 } else { lambda };
                let ahead = lambda * target + (1.0 - lambda) * trace.best[i];
                let discount = self.schedule.discount;
                target = discount * ahead + (1.0 - discount) * trace.settled[i];
            }
        }
        self.played += 1;
        if self.played.is_multiple_of(u64::from(self.schedule.batch)) {
            let rate = self.schedule.rate_after(done);
            self.player.learner.step(rate as f32, self.schedule.first_rate as f32);
        }
        utilities[0]
    }

    fn held_out(&mut self, seed: u64, index: u64) -> f64 {
        if index == 0 {
            self.player.learner.largest = 0.0;
        }
        // A net that learns from a rival's games is rounded for positions of these games.
        let all = self.schedule.rival_seats == RivalSeats::All;
        self.game(seed, index, 0.0, if all { self.schedule.rivals } else { 0.0 })[0]
    }

    fn begin_with(&mut self, net: &Net, method: Method) -> bool {
        method == Method::Td && self.player.learner.begin_with(net)
    }

    fn net(&mut self) -> &Net {
        self.player.learner.net()
    }

    fn largest(&self) -> f32 {
        self.player.learner.largest
    }

    fn games(&self) -> u64 {
        self.played
    }

    fn features_version(&self) -> u32 {
        G::FEATURES_VERSION
    }

    fn progress(&self) -> Vec<u8> {
        to_progress(self.played, self.schedule.batch, [&self.player.learner])
    }

    fn resume(&mut self, progress: &[u8]) -> bool {
        let played = from_progress(progress, self.schedule.games, [&mut self.player.learner]);
        self.played = played.unwrap_or(self.played);
        played.is_some()
    }
}
