//! Policy-gradient learning on afterstates: REINFORCE with a baseline (Williams 1992), as actor and critic (Sutton, McAllester, Singh
//! and Mansour 2000).
//!
//! The actor's net gives every afterstate of a decision a value, and a step is drawn by a softmax over these values, divided by the
//! temperature. What the seat gets in the end, less what was to be expected, makes the step more or less likely. The expectation is
//! that of a second net, the critic, over the actor's own steps. So the actor learns which step is best, and its numbers need not be
//! values of anything. With λ below 1 the result gives way to the critic's expectations later in the game (generalised
//! advantage estimation, Schulman et al. 2016). Entropy that is rewarded keeps the actor trying. In play it takes the best step.
//!
//! In games of a rival that has all seats the actor learns to choose as the rival does (behavioural cloning, Pomerleau 1989): the
//! step that the rival has taken becomes more likely, whatever comes of it. The critic learns what comes of it.

use super::features::{Afterstate, Features};
use super::self_play::{NetPlayer, SelfPlay, from_progress, learner, to_progress};
use crate::game::Seat;
use crate::kit::Tools;
use crate::net::{Learner, Net, Units, logistic};
use crate::rng::Rng;
use crate::steps::StepList;
use crate::training::{DrawnDeals, MakePlayer, Method, Schedule, Training};
use rand::RngExt as _;

/// A step that is less likely than this adds nothing that matters to an expectation.
const UNLIKELY: f64 = 1e-3;

/// An afterstate of a decision.
#[derive(Clone, Debug, Default)]
struct Candidate {
    /// Its features; none where the game is over.
    features: Vec<u16>,
    /// The settled part of the utility, or all of it where the game is over.
    settled: f64,
    /// The share of the rest by the actor, 0 to 1.
    share: f64,
    /// The probability that the step is drawn.
    probability: f64,
}

/// A decision of a seat.
#[derive(Clone, Debug, Default)]
struct Choice {
    candidates: Vec<Candidate>,
    chosen: usize,
    /// Whether a rival chose, whom the actor imitates.
    imitates: bool,
    /// The expected utility by the critic: over the steps that may be drawn, or after the step that the rival has chosen.
    expected: f64,
}

impl Choice {
    /// The entropy of the draw, in nats.
    fn entropy(&self) -> f64 {
        -self
            .candidates
            .iter()
            .map(|Candidate { probability: p, .. }| p * p.max(f64::MIN_POSITIVE).ln())
            .sum::<f64>()
    }
}

/// A trainer: it plays games with an actor, which learns from them.
pub struct PolicyTrainer<G: Tools + Features> {
    games: SelfPlay<G>,
    schedule: Schedule,
    seed: u64,
    player: Actor<G>,
    played: u64,
}

/// The nets as a player that keeps the decisions of all seats.
struct Actor<G: Tools + Features> {
    actor: Learner,
    critic: Learner,
    temperature: f64,
    /// Whether steps are drawn, and kept to learn from.
    learns: bool,
    seats: Vec<Vec<Choice>>,
    steps: StepList<G::Move>,
    features: Vec<u16>,
    units: Units,
}

impl<G: Tools + Features> PolicyTrainer<G> {
    /// A trainer whose nets begin with small random weights; everything random follows from `seed`. Players beside the net that
    /// are no policies of the game are made by `make`.
    ///
    /// # Panics
    /// If the hidden layers have other sizes than a schedule may give them, which is checked when one is read from options.
    #[must_use]
    pub fn new(deals: impl Into<DrawnDeals<G>>, schedule: Schedule, make: MakePlayer<G>, seed: u64) -> Self {
        let deals = deals.into();
        let kit = G::kit(deals.rules.first());
        let player = Actor {
            actor: learner::<G>(&schedule, seed),
            critic: learner::<G>(&schedule, seed),
            temperature: schedule.temperature,
            learns: false,
            seats: Vec::new(),
            steps: StepList::default(),
            features: Vec::new(),
            units: Units::default(),
        };
        Self { games: SelfPlay::new(deals, &schedule, kit, make), schedule, seed, player, played: 0 }
    }
}

impl<G: Tools + Features> Actor<G> {
    /// The afterstates of the steps, with the actor's values and the probabilities by which it draws.
    fn candidates(&mut self, position: &G, seat: Seat) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        position.afterstates(seat, &mut self.steps, &mut self.features, &mut |i, after| {
            candidates.truncate(i);
            candidates.push(match after {
                Afterstate::Over(utility) => Candidate { settled: utility, ..Candidate::default() },
                Afterstate::Open { features, settled } => {
                    Candidate { features: features.to_vec(), settled, ..Candidate::default() }
                }
            });
        });
        for candidate in candidates.iter_mut().filter(|candidate| !candidate.features.is_empty()) {
            candidate.share = f64::from(logistic(self.actor.logit(&candidate.features, &mut self.units)));
        }
        let values = candidates.iter().map(|candidate| candidate.settled / G::RANGE + candidate.share);
        let values: Vec<f64> = values.map(|value| value / self.temperature).collect();
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = values.iter().map(|value| (value - most).exp()).collect();
        let sum: f64 = weights.iter().sum();
        for (candidate, weight) in candidates.iter_mut().zip(weights) {
            candidate.probability = weight / sum;
        }
        candidates
    }

    /// The utility that the critic expects after a step.
    fn value(&mut self, Candidate { features, settled, .. }: &Candidate) -> f64 {
        if features.is_empty() {
            return *settled;
        }
        settled + G::RANGE * f64::from(logistic(self.critic.logit(features, &mut self.units)))
    }

    /// The utility that the critic expects when a step is drawn.
    fn expected(&mut self, candidates: &[Candidate]) -> f64 {
        // Of very many steps all may be unlikely.
        let most = candidates.iter().map(|candidate| candidate.probability).fold(0.0, f64::max);
        let likely = candidates.iter().filter(|candidate| candidate.probability >= UNLIKELY.min(most));
        let mut sums = (0.0, 0.0);
        for candidate in likely {
            sums.0 += candidate.probability * self.value(candidate);
            sums.1 += candidate.probability;
        }
        sums.0 / sums.1
    }

    /// Keeps a decision to learn from.
    fn remember(&mut self, seat: Seat, candidates: Vec<Candidate>, chosen: usize, imitates: bool) {
        // The rival does not draw by the actor's probabilities.
        let expected = if imitates { self.value(&candidates[chosen]) } else { self.expected(&candidates) };
        self.seats[seat].push(Choice { candidates, chosen, imitates, expected });
    }

    /// Learns from what a seat has got in the end.
    fn learn(&mut self, seat: Seat, utility: f64, lambda: f64, schedule: &Schedule) {
        let mut result = utility;
        for choice in self.seats[seat].iter().rev() {
            let Choice { candidates, chosen, imitates, expected } = choice;
            let Candidate { features, settled, .. } = &candidates[*chosen];
            if !features.is_empty() {
                let share = (result - settled) / G::RANGE;
                self.critic.add(features, share.clamp(0.0, 1.0) as f32);
            }
            let advantage = if *imitates { 1.0 } else { (result - expected) / G::RANGE };
            result = schedule.discount * (lambda * result + (1.0 - lambda) * expected)
                + (1.0 - schedule.discount) * settled;
            let entropy = choice.entropy();
            for (i, Candidate { features, share, probability, .. }) in candidates.iter().enumerate() {
                let drawn = f64::from(u8::from(i == *chosen));
                let surprise = probability.max(f64::MIN_POSITIVE).ln() + entropy;
                let slope = advantage * (drawn - probability) - schedule.entropy * probability * surprise;
                // The certain step teaches nothing.
                if slope.abs() >= 1e-6 && !features.is_empty() {
                    let slope = slope * share * (1.0 - share) / self.temperature;
                    self.actor.add_slope(features, slope as f32);
                }
            }
        }
    }
}

impl<G: Tools + Features> NetPlayer<G> for Actor<G> {
    fn begin_game(&mut self, seats: usize) {
        self.seats.resize(seats, Vec::new());
        self.seats.iter_mut().for_each(Vec::clear);
    }

    fn decide(&mut self, position: &G, seat: Seat, line: &mut Vec<G::Move>, rng: &mut Rng) {
        let candidates = self.candidates(position, seat);
        let likelier = |best: usize, i: usize| {
            if candidates[i].probability > candidates[best].probability { i } else { best }
        };
        let best = (1..candidates.len()).fold(0, likelier);
        let mut chosen = best;
        if self.learns {
            let mut point = rng.random::<f64>();
            let drawn = candidates.iter().position(|candidate| {
                point -= candidate.probability;
                point < 0.0
            });
            // Rounding may leave a point beyond the last.
            chosen = drawn.unwrap_or(best);
        }
        line.clear();
        line.extend_from_slice(self.steps.get(chosen));
        if self.learns {
            self.remember(seat, candidates, chosen, false);
        }
    }

    fn imitates(&self) -> bool {
        self.learns
    }

    /// A step that the game does not list, or that none is the beginning of, teaches nothing.
    fn sees_choice(&mut self, mut before: G, mover: Seat, mut line: &[G::Move]) {
        while !line.is_empty() {
            let candidates = self.candidates(&before, mover);
            let Some(chosen) = self.steps.iter().position(|step| line.starts_with(step)) else {
                return;
            };
            let (step, rest) = line.split_at(self.steps.get(chosen).len());
            step.iter().for_each(|&m| before.play(m));
            line = rest;
            self.remember(mover, candidates, chosen, true);
        }
    }

    fn forget(&mut self, seat: Seat) {
        self.seats[seat].clear();
    }
}

impl<G: Tools + Features> Training for PolicyTrainer<G> {
    fn train(&mut self) -> f64 {
        self.player.learns = true;
        let utilities = self.games.play(self.seed, self.played, self.schedule.rivals, &mut self.player);
        let done = self.schedule.done(self.played);
        let lambda = self.schedule.lambda_after(done);
        // There are as many utilities as seats could be.
        for (seat, &utility) in utilities.iter().enumerate().take(self.player.seats.len()) {
            self.player.learn(seat, utility, lambda, &self.schedule);
        }
        self.played += 1;
        if self.played.is_multiple_of(u64::from(self.schedule.batch)) {
            let (rate, first) = (self.schedule.rate_after(done) as f32, self.schedule.first_rate as f32);
            self.player.actor.step(rate, first);
            self.player.critic.step(rate, first);
        }
        utilities[0]
    }

    fn held_out(&mut self, seed: u64, index: u64) -> f64 {
        if index == 0 {
            self.player.actor.largest = 0.0;
        }
        self.player.learns = false;
        self.games.play(seed, index, 0.0, &mut self.player)[0]
    }

    fn begin_with(&mut self, net: &Net, method: Method) -> bool {
        // A critic begins with values alone.
        let values = method == Method::Td;
        self.player.actor.begin_with(net) && (!values || self.player.critic.begin_with(net))
    }

    fn net(&mut self) -> &Net {
        self.player.actor.net()
    }

    fn largest(&self) -> f32 {
        self.player.actor.largest
    }

    fn games(&self) -> u64 {
        self.played
    }

    fn features_version(&self) -> u32 {
        G::FEATURES_VERSION
    }

    fn progress(&self) -> Vec<u8> {
        to_progress(self.played, self.schedule.batch, [&self.player.actor, &self.player.critic])
    }

    fn resume(&mut self, progress: &[u8]) -> bool {
        let Actor { actor, critic, .. } = &mut self.player;
        let played = from_progress(progress, self.schedule.games, [actor, critic]);
        self.played = played.unwrap_or(self.played);
        played.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys::pig::Pig;
    use crate::training::DrawnRules;

    /// Of very many steps none is likely, and something is expected all the same.
    #[test]
    fn many_steps_have_an_expectation() {
        let schedule = Schedule { first: 16, second: 8, ..Schedule::default() };
        let mut trainer =
            PolicyTrainer::<Pig>::new(DrawnRules::only(12), schedule, Box::new(|_, _, _| None), 1);
        let step = |settled| Candidate { settled, probability: 1.0 / 5_000.0, ..Candidate::default() };
        let steps: Vec<Candidate> = (0..5_000).map(|i| step(f64::from(i % 2))).collect();
        assert!((trainer.player.expected(&steps) - 0.5).abs() < 1e-9);
    }

    /// Where a rival chooses, its step is to be expected, and not what the actor would draw.
    #[test]
    fn the_step_of_a_rival_is_expected() {
        let schedule = Schedule { first: 16, second: 8, ..Schedule::default() };
        let mut trainer =
            PolicyTrainer::<Pig>::new(DrawnRules::only(12), schedule, Box::new(|_, _, _| None), 1);
        trainer.player.begin_game(1);
        let step = |settled| Candidate { settled, probability: 0.5, ..Candidate::default() };
        for imitates in [true, false] {
            trainer.player.remember(0, vec![step(0.0), step(1.0)], 1, imitates);
        }
        let expected: Vec<f64> = trainer.player.seats[0].iter().map(|choice| choice.expected).collect();
        assert_eq!(expected, [1.0, 0.5]);
    }
}
