//! `pig`: the dice race, solved by value iteration (Neller and Presser 2004).
//!
//! Roll as often as you dare. A 1 loses the points of the turn, and holding banks them. The first to bank the
//! target wins.

use crate::evaluator::Evaluator;
use crate::game::{ChanceRecord, EnumerableChance, Game, Notation, Seat, Turn};
use crate::kit::{Kit, Tools};
use crate::learn::Features;
use crate::policy::Policy;
use crate::rng::Rng;
use rand::RngExt as _;
use std::fmt;
use std::sync::Arc;

/// What a player can do.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Bank the turn's points and pass the die on; never with nothing gathered.
    Hold,
    /// Roll the die.
    Roll,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Move::Hold => "hold",
            Move::Roll => "roll",
        })
    }
}

/// A position; nothing is hidden.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pig {
    target: u8,
    scores: [u8; 2],
    seat: u8,
    gathered: u8,
    rolling: bool,
}

impl Pig {
    /// A position in which `seat` decides.
    #[must_use]
    pub fn at(target: u8, scores: [u8; 2], seat: Seat, gathered: u8) -> Self {
        Self { target, scores, seat: seat as u8, gathered, rolling: false }
    }

    /// The banked points of both seats.
    #[must_use]
    pub fn scores(&self) -> [u8; 2] {
        self.scores
    }

    /// The points that this turn has gathered.
    #[must_use]
    pub fn gathered(&self) -> u8 {
        self.gathered
    }

    /// The seat whose turn it is.
    #[must_use]
    pub fn mover(&self) -> Seat {
        usize::from(self.seat)
    }

    fn pass(&mut self) {
        self.gathered = 0;
        self.seat = 1 - self.seat;
    }
}

impl Game for Pig {
    /// The points that win, 2 to 100.
    type Rules = u8;
    type Move = Move;
    /// What the die shows.
    type Chance = u8;
    type View = Pig;

    fn deal(rules: &u8, _: &mut Rng) -> Self {
        Self::at(*rules, [0, 0], 0, 0)
    }

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if self.scores.iter().any(|&score| score >= self.target) {
            Turn::Over
        } else if self.rolling {
            Turn::Chance
        } else {
            Turn::Player(self.mover())
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.clear();
        if let Turn::Player(_) = self.turn() {
            if self.gathered > 0 {
                out.push(Move::Hold);
            }
            out.push(Move::Roll);
        }
    }

    fn play(&mut self, m: Move) {
        match m {
            Move::Roll => self.rolling = true,
            Move::Hold => {
                let mover = self.mover();
                self.scores[mover] += self.gathered;
                self.pass();
            }
        }
    }

    fn roll(&mut self, rng: &mut Rng) -> u8 {
        let die = rng.random_range(1..=6);
        self.play_chance(die);
        die
    }

    fn play_chance(&mut self, die: u8) {
        self.rolling = false;
        if die == 1 {
            self.pass();
        } else {
            // More than the target is worth no more, and a bounded turn keeps the positions few.
            let missing = self.target - self.scores[self.mover()];
            self.gathered = (self.gathered + die).min(missing);
        }
    }

    fn utility(&self, seat: Seat) -> f64 {
        f64::from(u8::from(self.scores[seat] >= self.target))
    }

    fn view(&self, _: Seat) -> Pig {
        *self
    }

    fn sample_world(view: &Pig, _: &mut Rng) -> Self {
        *view
    }
}

impl EnumerableChance for Pig {
    type Key = Pig;

    fn outcome_count(&self) -> u64 {
        6
    }

    fn outcomes(&self, out: &mut Vec<(u8, f64)>) {
        out.clear();
        out.extend((1..=6).map(|die| (die, 1.0 / 6.0)));
    }

    fn key(&self) -> Pig {
        *self
    }
}

impl Notation for Pig {
    fn chance_record(die: &u8) -> Option<ChanceRecord> {
        Some(ChanceRecord::Roll(vec![*die]))
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<u8, String> {
        match record {
            ChanceRecord::Roll(dice) if matches!(dice[..], [1..=6]) => Ok(dice[0]),
            _ => Err("expected a roll of one die".to_owned()),
        }
    }

    fn chance_is_recorded(&self) -> bool {
        true
    }
}

/// The winning chances of perfect play, for one target.
pub struct Exact {
    target: usize,
    /// The mover's chance with (own score, other score, points of the turn).
    wins: Vec<f64>,
}

impl Exact {
    /// Solves the game by value iteration until no chance moves by more than 1e-13.
    #[must_use]
    pub fn new(target: u8) -> Self {
        let t = usize::from(target);
        let mut exact = Self { target: t, wins: vec![0.0; t * t * (t + 1)] };
        loop {
            let mut change: f64 = 0.0;
            for own in 0..t {
                for other in 0..t {
                    for gathered in 0..=t - own {
                        let hold = if gathered == 0 { 0.0 } else { exact.hold(own, other, gathered) };
                        let value = hold.max(exact.roll(own, other, gathered));
                        let i = exact.index(own, other, gathered);
                        change = change.max((value - exact.wins[i]).abs());
                        exact.wins[i] = value;
                    }
                }
            }
            if change < 1e-13 {
                return exact;
            }
        }
    }

    fn index(&self, own: usize, other: usize, gathered: usize) -> usize {
        (own * self.target + other) * (self.target + 1) + gathered
    }

    fn hold(&self, own: usize, other: usize, gathered: usize) -> f64 {
        if own + gathered >= self.target {
            1.0
        } else {
            1.0 - self.wins[self.index(other, own + gathered, 0)]
        }
    }

    fn roll(&self, own: usize, other: usize, gathered: usize) -> f64 {
        let lost = 1.0 - self.wins[self.index(other, own, 0)];
        let kept =
            (2..=6).map(|die| self.wins[self.index(own, other, (gathered + die).min(self.target - own))]);
        (lost + kept.sum::<f64>()) / 6.0
    }

    /// The chance of `seat` to win from `position`.
    #[must_use]
    pub fn win(&self, position: &Pig, seat: Seat) -> f64 {
        if position.turn() == Turn::Over {
            return position.utility(seat);
        }
        let mover = position.mover();
        let (own, other) = (position.scores[mover].into(), position.scores[1 - mover].into());
        let gathered = position.gathered.into();
        let win = if position.rolling {
            self.roll(own, other, gathered)
        } else {
            self.wins[self.index(own, other, gathered)]
        };
        if seat == mover { win } else { 1.0 - win }
    }
}

impl Evaluator<Pig> for Exact {
    fn value(&self, position: &Pig, seat: Seat) -> f64 {
        self.win(position, seat)
    }
}

/// The evaluator `lead`: half, and the lead in points.
struct Lead;

impl Evaluator<Pig> for Lead {
    fn value(&self, position: &Pig, seat: Seat) -> f64 {
        let mut scores = position.scores.map(f64::from);
        scores[position.mover()] += f64::from(position.gathered) / 2.0;
        0.5 + (scores[seat] - scores[1 - seat]) / (4.0 * f64::from(position.target))
    }
}

/// The policy `timid`: banks every point at once.
struct Timid;

impl Policy<Pig> for Timid {
    fn choose(&self, position: &Pig, _: &mut Vec<Move>, _: &mut Rng) -> Move {
        if position.gathered() > 0 { Move::Hold } else { Move::Roll }
    }
}

impl Tools for Pig {
    fn kit(_: &u8) -> Kit<Self> {
        Kit::default()
            .evaluator("lead", |_| Some(Arc::new(Lead)))
            .evaluator("exact", |&target| Some(Arc::new(Exact::new(target))))
            .policy("timid", |_| Some(Arc::new(Timid)))
    }
}

/// The scores and what the turn has gathered are one feature, of its own for each point of view.
impl Features for Pig {
    const FEATURES_VERSION: u32 = 1;
    const INPUTS: usize = 2 * 21 * 21 * 21;

    fn features(&self, seat: Seat, out: &mut Vec<u16>) {
        let [own, other] = [self.scores()[seat], self.scores()[1 - seat]].map(u16::from);
        let mine = u16::from(self.mover() == seat);
        out.clear();
        out.push(((own * 21 + other) * 21 + u16::from(self.gathered())) * 2 + mine);
    }
}
