//! Players beside the net in a training: policies of the game, or any agents.

use crate::agent::Agent;
use crate::decision::Decision;
use crate::game::{Event, Seat, Turn};
use crate::kit::{Kit, Tools};
use crate::policy::Policy;
use crate::rng::Rng;
use crate::training::{MakePlayer, RivalSeats, Schedule};
use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use std::sync::Arc;

/// The players beside the net, those that there are, and who has which seat.
pub struct Others<G: Tools> {
    kit: Kit<G>,
    make: MakePlayer<G>,
    rival: Player<G>,
    /// Whom the rival meets.
    met: Player<G>,
    /// Whether the rival has the net's seat, too.
    all: bool,
    /// Who plays the seats of this game.
    seats: Vec<Who>,
    /// From whose seats the net learns in this game.
    learner: Who,
    /// The public events of this game, if an agent uses them.
    history: Vec<Event<G>>,
    keeps_history: bool,
}

/// Who plays a seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Who {
    Net,
    Rival,
    Met,
}

struct Player<G: Tools> {
    /// Empty for nobody.
    name: String,
    plays: Plays<G>,
}

/// How a player plays in this game.
enum Plays<G: Tools> {
    /// Not at all.
    Never,
    Policy(Arc<dyn Policy<G>>),
    /// One for each seat, for an agent remembers its own games.
    Agents(Vec<Box<dyn Agent<G>>>),
}

impl<G: Tools> Player<G> {
    /// Gets ready for a game with these rules, and says whether it takes part.
    fn join(&mut self, kit: &Kit<G>, make: &MakePlayer<G>, rules: &G::Rules, seats: usize) -> bool {
        if self.name.is_empty() {
            return false;
        }
        self.plays = match kit.find_policy(&self.name, rules) {
            Some(policy) => Plays::Policy(policy),
            None => make(&self.name, rules, seats).map_or(Plays::Never, |mut agents| {
                agents.iter_mut().for_each(|agent| agent.begin_game());
                Plays::Agents(agents)
            }),
        };
        !matches!(self.plays, Plays::Never)
    }

    fn uses_history(&self) -> bool {
        matches!(&self.plays, Plays::Agents(agents) if agents.iter().any(|agent| agent.uses_history()))
    }
}

impl<G: Tools> Others<G> {
    /// Those of the schedule: the policies of these names, or else the agents that `make` makes.
    pub fn new(schedule: &Schedule, kit: Kit<G>, make: MakePlayer<G>) -> Self {
        let player = |name: &str| Player { name: name.to_owned(), plays: Plays::Never };
        Self {
            kit,
            make,
            rival: player(&schedule.rival),
            met: player(&schedule.rival_meets),
            all: schedule.rival_seats == RivalSeats::All,
            seats: Vec::new(),
            learner: Who::Net,
            history: Vec::new(),
            keeps_history: false,
        }
    }

    /// Shares out the seats of a game with these rules, in which the rival takes part with a probability. The net learns from the
    /// seat `own` in any case.
    pub fn begin_game(&mut self, rivals: f64, rules: &G::Rules, own: Seat, seats: usize, rng: &mut Rng) {
        let Self { kit, make, rival, met, .. } = self;
        self.history.clear();
        (rival.plays, met.plays) = (Plays::Never, Plays::Never);
        let takes_part = rivals > 0.0 && !rival.name.is_empty() && rng.random::<f64>() < rivals;
        let takes_part = takes_part && rival.join(kit, make, rules, seats);
        self.learner = if takes_part && self.all { Who::Rival } else { Who::Net };
        self.seats.clear();
        self.seats.resize(seats, if takes_part { Who::Rival } else { Who::Net });
        self.seats[own] = self.learner;
        if takes_part && met.join(kit, make, rules, seats) {
            let mut rest: Vec<Seat> = (0..seats).filter(|&seat| seat != own).collect();
            let count = rng.random_range(0..=rest.len());
            let (taken, _) = rest.partial_shuffle(rng, count);
            taken.iter().for_each(|&seat| self.seats[seat] = Who::Met);
        }
        self.keeps_history = rival.uses_history() || met.uses_history();
    }

    /// Whether the net plays this seat.
    pub fn is_nets(&self, seat: Seat) -> bool {
        self.seats[seat] == Who::Net
    }

    /// Whether the net learns from this seat.
    pub fn is_learnt_from(&self, seat: Seat) -> bool {
        self.seats[seat] == self.learner
    }

    /// Plays for a seat that is not the net's: what a policy plans, or the moves of an agent until something random is due or another
    /// seat's turn has come. Leaves the moves in `line`.
    ///
    /// # Panics
    /// When an agent chooses an illegal move.
    pub fn play(&mut self, position: &mut G, seat: Seat, line: &mut Vec<G::Move>, rng: &mut Rng) {
        let Player { name, plays } = match self.seats[seat] {
            Who::Net => unreachable!("the net plays this seat"),
            Who::Rival => &mut self.rival,
            Who::Met => &mut self.met,
        };
        match plays {
            Plays::Never => unreachable!("it takes no part"),
            Plays::Policy(policy) => {
                policy.plan(position, line, rng);
                for &m in &*line {
                    position.play(m);
                    if self.keeps_history {
                        position.tell(Event::Move(seat, m), &mut self.history);
                    }
                }
            }
            Plays::Agents(agents) => {
                line.clear();
                while position.turn() == Turn::Player(seat) {
                    let decision = Decision::new(position, &self.history).told_to(&*agents[seat]);
                    let m = agents[seat].choose(decision, rng);
                    // The net would learn to answer what no game allows.
                    assert!(position.is_legal(m), "{name} in seat {seat} chose the illegal move {m}");
                    position.play(m);
                    line.push(m);
                    if self.keeps_history {
                        position.tell(Event::Move(seat, m), &mut self.history);
                    }
                }
            }
        }
    }

    /// Tells what has led to this position.
    pub fn remember(&mut self, position: &G, event: impl FnOnce() -> Event<G>) {
        if self.keeps_history {
            position.tell(event(), &mut self.history);
        }
    }
}
