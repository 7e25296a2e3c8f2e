//! Learning by self-play: TD(λ) on what the steps of a game leave behind.
//!
//! One net plays all seats, each from what it knows, and takes the step whose position it values highest
//! (Sutton 1988; Tesauro 1995). The target of a position is the value of the one that the seat chose next,
//! blended with that one's own target by λ; the last one's is the utility that the seat got. Where the
//! exact end-game solver applies, its answer ends the game.

use super::net::{Learner, Net, Shape, Units, logistic};
use super::{After, Features};
use crate::game::{Seat, Turn};
use crate::players::common::EndGame;
use crate::rng::{Rng, Role, stream};
use crate::tools::{StepList, Tools};
use rand::RngExt as _;

/// How to train.
#[derive(Clone, Debug, clap::Args, serde::Serialize)]
#[command(rename_all = "snake_case")]
pub struct Schedule {
    /// Games of self-play
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Units of the first hidden layer, a multiple of 16
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u32).range(16..=1024))]
    pub first: u32,
    /// Units of the second hidden layer, a multiple of 8
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(8..=256))]
    pub second: u32,
    /// The weight of what came later against the next value
    #[arg(long, default_value_t = 0.7, value_parser = crate::options::real(0.0, 1.0))]
    pub lambda: f64,
    /// How often a step is drawn at random instead
    #[arg(long, default_value_t = 0.02, value_parser = crate::options::real(0.0, 1.0))]
    pub explore: f64,
    /// The size of a learning step at the start; it falls to nothing along a cosine
    #[arg(long, default_value_t = 0.002, value_parser = crate::options::real(1e-9, 1.0))]
    pub rate: f64,
    /// Games between two learning steps
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub batch: u32,
    /// Nodes for the exact solver where nothing is hidden any more; 0 turns it off
    #[arg(long, default_value_t = 2_000)]
    pub solver_nodes: u64,
}

/// The positions that one seat chose in a game, as lists of features side by side.
#[derive(Clone, Debug, Default)]
struct Trace {
    features: Vec<u16>,
    ends: Vec<usize>,
    /// The value of the best step at that decision, which is the one chosen unless a step was drawn; of what is
    /// left behind, where another seat chose.
    best: Vec<f32>,
}

impl Trace {
    fn clear(&mut self) {
        self.features.clear();
        self.ends.clear();
        self.best.clear();
    }

    fn push(&mut self, features: &[u16], best: f32) {
        self.features.extend_from_slice(features);
        self.ends.push(self.features.len());
        self.best.push(best);
    }

    fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.best.truncate(len);
        self.features.truncate(self.ends.last().copied().unwrap_or(0));
    }

    fn get(&self, i: usize) -> &[u16] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.features[start..self.ends[i]]
    }
}

/// A net in training, whatever the game.
pub trait Training {
    /// Plays the next game and learns from it; returns the utility of the first seat.
    fn train(&mut self) -> f64;

    /// Plays a game of another seed without drawing steps and without learning, for an honest estimate;
    /// returns the utility of the first seat.
    fn held_out(&mut self, seed: u64, index: u64) -> f64;

    /// The net as it is.
    fn net(&self) -> &Net;

    /// The games trained on so far.
    fn games(&self) -> u64;

    /// The version of the features.
    fn features_version(&self) -> u32;

    /// What is needed to go on later, between two learning steps.
    fn progress(&self) -> Vec<u8>;

    /// Goes on where [`Training::progress`] was taken, in a training with the same rules, schedule and seed;
    /// `false` when it was not.
    fn resume(&mut self, progress: &[u8]) -> bool;
}

/// Plays games with a net and learns from them.
pub struct Trainer<G: Tools + Features> {
    rules: G::Rules,
    schedule: Schedule,
    seed: u64,
    learner: Learner,
    end: EndGame<G>,
    traces: Vec<Trace>,
    steps: StepList<G::Move>,
    before: Vec<u16>,
    /// What the steps of this decision leave behind, and its value; no features where the game is over.
    left: Trace,
    features: Vec<u16>,
    units: Units,
    played: u64,
}

impl<G: Tools + Features> Trainer<G> {
    /// A trainer that begins with small random weights; everything random follows from `seed`.
    #[must_use]
    pub fn new(rules: &G::Rules, schedule: Schedule, seed: u64) -> Self {
        let shape = Shape {
            inputs: G::INPUTS,
            first: schedule.first as usize / 16 * 16,
            second: schedule.second as usize / 8 * 8,
        };
        let net = Net::new(shape, &mut stream(seed, 0, Role::Chance));
        Self {
            rules: rules.clone(),
            end: EndGame::new(schedule.solver_nodes),
            schedule,
            seed,
            learner: Learner::new(net),
            traces: Vec::new(),
            steps: StepList::default(),
            before: Vec::new(),
            left: Trace::default(),
            features: Vec::new(),
            units: Units::default(),
            played: 0,
        }
    }

    fn game(&mut self, seed: u64, index: u64, explore: f64) -> crate::players::common::Values {
        let mut position = G::deal(&self.rules, &mut stream(seed, index, Role::Deal));
        let mut chance = stream(seed, index, Role::Chance);
        let mut rng = stream(seed, index, Role::Agent(0));
        self.end.forget();
        self.traces.resize(position.seats(), Trace::default());
        self.traces.iter_mut().for_each(Trace::clear);
        loop {
            if let Some(values) = self.end.values(&position) {
                return values;
            }
            match position.turn() {
                Turn::Over => return crate::players::common::utilities(&position),
                Turn::Chance | Turn::Shuffle => {
                    position.roll(&mut chance);
                }
                Turn::Player(seat) => self.decide(&mut position, seat, explore, &mut rng),
            }
        }
    }

    fn decide(&mut self, position: &mut G, seat: Seat, explore: f64, rng: &mut Rng) {
        let drawn = explore > 0.0 && rng.random::<f64>() < explore;
        let (mut best, mut best_value) = (0, f32::NEG_INFINITY);
        let Self { learner, units, before, left, .. } = self;
        left.clear();
        // The units are changed from one step to the next.
        let mut going = false;
        position.afterstates(seat, &mut self.steps, &mut self.features, &mut |i, after| {
            let value = match after {
                After::Over(utility) => utility as f32,
                After::Open(features) => {
                    let logit = if std::mem::replace(&mut going, true) {
                        learner.net.logit_after(before, features, units)
                    } else {
                        learner.net.logit(features, units)
                    };
                    before.clear();
                    before.extend_from_slice(features);
                    logistic(logit)
                }
            };
            if i == 0 || value > best_value {
                (best, best_value) = (i, value);
            }
            let features = if let After::Open(features) = after { features } else { &[] };
            left.truncate(i);
            left.push(features, value);
        });
        let chosen = if drawn { rng.random_range(0..self.steps.len()) } else { best };
        for &m in self.steps.get(chosen) {
            position.play(m);
        }
        let features = self.left.get(chosen);
        if !features.is_empty() {
            self.traces[seat].push(features, best_value);
        }
        if position.turn() == Turn::Over || !G::WATCHES {
            return;
        }
        for other in (0..position.seats()).filter(|&other| other != seat) {
            position.features(other, &mut self.features);
            let value = logistic(self.learner.net.logit(&self.features, &mut self.units));
            self.traces[other].push(&self.features, value);
        }
    }
}

impl<G: Tools + Features> Training for Trainer<G> {
    fn train(&mut self) -> f64 {
        let index = self.played;
        let utilities = self.game(self.seed, index, self.schedule.explore);
        let lambda = self.schedule.lambda as f32;
        for (seat, trace) in self.traces.iter().enumerate() {
            let mut target = utilities[seat] as f32;
            for i in (0..trace.ends.len()).rev() {
                self.learner.add(trace.get(i), target);
                target = lambda * target + (1.0 - lambda) * trace.best[i];
            }
        }
        self.played += 1;
        if self.played.is_multiple_of(u64::from(self.schedule.batch)) {
            let done = self.played as f64 / self.schedule.games as f64;
            let rate = self.schedule.rate * 0.5 * (1.0 + (std::f64::consts::PI * done.min(1.0)).cos());
            self.learner.step(rate as f32);
        }
        utilities[0]
    }

    fn held_out(&mut self, seed: u64, index: u64) -> f64 {
        self.game(seed, index, 0.0)[0]
    }

    fn net(&self) -> &Net {
        &self.learner.net
    }

    fn games(&self) -> u64 {
        self.played
    }

    fn features_version(&self) -> u32 {
        G::FEATURES_VERSION
    }

    fn progress(&self) -> Vec<u8> {
        let mut bytes = self.played.to_le_bytes().to_vec();
        bytes.extend(self.learner.to_bytes());
        bytes
    }

    fn resume(&mut self, progress: &[u8]) -> bool {
        let Some((played, weights)) = progress.split_first_chunk() else {
            return false;
        };
        let played = u64::from_le_bytes(*played);
        if played > self.schedule.games || !self.learner.set_bytes(weights) {
            return false;
        }
        self.played = played;
        true
    }
}
