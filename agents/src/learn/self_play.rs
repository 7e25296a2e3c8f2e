//! Games of a training, in which a net plays with itself or with others.

use super::features::Features;
use super::others::Others;
use crate::game::{Event, Game, Seat, Turn, Values, utilities};
use crate::kit::{Kit, Tools};
use crate::net::{Learner, Net, Shape};
use crate::players::end_game::EndGame;
use crate::rng::{Rng, Role, stream};
use crate::training::{DrawnDeals, MakePlayer, Schedule};

/// The games of a training. Where the exact end-game solver applies, its answer ends the game.
pub struct SelfPlay<G: Tools> {
    deals: DrawnDeals<G>,
    others: Others<G>,
    end: EndGame<G>,
    line: Vec<G::Move>,
}

/// A learner that begins with small random weights, which follow from `seed`. Two of the same seed begin with the same weights,
/// which are drawn from the random numbers that the chance of the first game has, too.
///
/// # Panics
/// If the hidden layers have other sizes than a schedule may give them, which is checked when one is read from options.
pub fn learner<G: Features>(schedule: &Schedule, seed: u64) -> Learner {
    const { assert!(G::INPUTS + G::SHARED < 1 << 16, "features are numbered by 16 bits") };
    let Schedule { first, second, .. } = *schedule;
    assert!(
        first > 0 && first.is_multiple_of(16) && second > 0 && second.is_multiple_of(8),
        "first={first}, second={second}: expected a multiple of 16 and one of 8"
    );
    let shape = Shape {
        inputs: G::INPUTS + G::SHARED,
        first: first as usize,
        second: second as usize,
        groups: G::GROUPS,
        heads: G::HEADS,
    };
    let net = Net::new(shape, &mut stream(seed, 0, Role::Chance));
    let shared = (0..G::INPUTS as u16).map(|feature| {
        let mut shared = Vec::new();
        G::shared(feature, &mut shared);
        shared
    });
    Learner::new(net, shared.collect(), G::head)
}

/// What a training goes on from: its learners after the last step, and the games up to there.
pub fn to_progress<'a>(played: u64, batch: u32, learners: impl IntoIterator<Item = &'a Learner>) -> Vec<u8> {
    let learnt = played - played % u64::from(batch);
    let mut bytes = learnt.to_le_bytes().to_vec();
    learners.into_iter().for_each(|learner| bytes.extend(learner.to_bytes()));
    bytes
}

/// Restores learners of the same shape, and tells how many games of at most so many were played. `None` for what is of
/// another training, with nothing changed.
pub fn from_progress<const N: usize>(
    progress: &[u8],
    games: u64,
    learners: [&mut Learner; N],
) -> Option<u64> {
    let (played, weights) = progress.split_first_chunk()?;
    let played = Some(u64::from_le_bytes(*played)).filter(|played| *played <= games)?;
    let mut parts = weights.chunks_exact((weights.len() / N).max(1));
    // Learners of the same shape are all restored, or none.
    let fits = weights.len().is_multiple_of(N)
        && learners.into_iter().all(|learner| parts.next().is_some_and(|part| learner.set_bytes(part)));
    fits.then_some(played)
}

/// The net that plays.
pub trait NetPlayer<G: Game> {
    /// Gets ready for a game with so many seats.
    fn begin_game(&mut self, seats: usize);

    /// Replaces the contents of `line` with the moves of `seat`, whose turn it is and whose the net is.
    fn decide(&mut self, position: &G, seat: Seat, line: &mut Vec<G::Move>, rng: &mut Rng);

    /// Sees what has come of its moves, unless the game is over.
    fn has_moved(&mut self, _position: &G, _seat: Seat) {}

    /// Sees what has come of the moves of another player in the seat `mover`, from a seat that is learnt from.
    fn sees(&mut self, _position: &G, _seat: Seat, _mover: Seat) {}

    /// Whether it learns from the choices of other players, and sees them.
    fn imitates(&self) -> bool {
        false
    }

    /// Sees which moves another player makes from this position in a seat that is learnt from.
    fn sees_choice(&mut self, _before: G, _mover: Seat, _line: &[G::Move]) {}

    /// Forgets what a seat went through that is not learnt from.
    fn forget(&mut self, seat: Seat);
}

impl<G: Tools> SelfPlay<G> {
    /// Games of these deals. Players beside the net that are no policies of the game are made by `make`.
    pub fn new(deals: DrawnDeals<G>, schedule: &Schedule, kit: Kit<G>, make: MakePlayer<G>) -> Self {
        Self {
            deals,
            end: EndGame::new(kit.end_game, schedule.solver_nodes),
            others: Others::new(schedule, kit, make),
            line: Vec::new(),
        }
    }

    /// Plays a game. The net has all seats, or those that a rival leaves, which takes part with probability `rivals`.
    pub fn play(&mut self, seed: u64, index: u64, rivals: f64, net: &mut impl NetPlayer<G>) -> Values {
        let mut rng = stream(seed, index, Role::Agent(0));
        let rules = self.deals.rules.draw(&mut rng);
        let mut position = self.deals.deal(rules, &mut stream(seed, index, Role::Deal));
        let mut chance = stream(seed, index, Role::Chance);
        let seats = position.seats();
        self.end.forget();
        net.begin_game(seats);
        // Every seat in turn.
        let own = (index % seats as u64) as Seat;
        self.others.begin_game(rivals, rules, own, seats, &mut rng);
        let values = loop {
            if let Some(values) = self.end.values(&position) {
                break values;
            }
            match position.turn() {
                Turn::Over => {
                    let values = utilities(&position);
                    // What is no number would spread over the whole net.
                    assert!(
                        values.iter().all(|value| (0.0..=1.0).contains(value)),
                        "utilities={:?}: expected numbers from 0 to 1",
                        &values[..seats]
                    );
                    break values;
                }
                turn @ (Turn::Chance | Turn::Shuffle) => {
                    let outcome = position.roll(&mut chance);
                    self.others.remember(&position, || Event::of_chance(turn, outcome));
                }
                Turn::Player(mover) if self.others.is_nets(mover) => {
                    net.decide(&position, mover, &mut self.line, &mut rng);
                    for &m in &self.line {
                        position.play(m);
                        self.others.remember(&position, || Event::Move(mover, m));
                    }
                    if position.turn() != Turn::Over {
                        net.has_moved(&position, mover);
                    }
                }
                Turn::Player(mover) => {
                    let is_imitated = net.imitates() && self.others.is_learnt_from(mover);
                    let before = is_imitated.then(|| position.clone());
                    self.others.play(&mut position, mover, &mut self.line, &mut rng);
                    if let Some(before) = before {
                        net.sees_choice(before, mover, &self.line);
                    }
                    if position.turn() != Turn::Over {
                        let learnt_from = (0..seats).filter(|&seat| self.others.is_learnt_from(seat));
                        learnt_from.for_each(|seat| net.sees(&position, seat, mover));
                    }
                }
            }
        };
        // What these hold is what positions are worth to others.
        (0..seats).filter(|&seat| !self.others.is_learnt_from(seat)).for_each(|seat| net.forget(seat));
        values
    }
}
