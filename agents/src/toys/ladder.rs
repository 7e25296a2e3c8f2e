//! `ladder`: a solo game with a hidden deck. Two cards are turned up; take both in either order or,
//! not twice running, put them under the deck. A card scores its value when it beats the last taken.

use crate::game::{Game, Notation, NotationError, Seat, Turn};
use crate::rng::Rng;
use crate::tools::{Evaluator, StepList, Steps, Tools};
use rand::RngExt as _;
use std::sync::Arc;

/// A position. The first `unseen` cards of `deck` lie in an order that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ladder {
    deck: Vec<u8>,
    unseen: usize,
    room: Vec<u8>,
    last: u8,
    score: u32,
    total: u32,
    may_skip: bool,
}

impl Game for Ladder {
    /// The number of cards, even.
    type Rules = u8;
    /// A card to take, or 0 to put the room under the deck.
    type Move = u8;
    type Chance = [u8; 2];
    type View = Ladder;

    fn deal(rules: &u8, rng: &mut Rng) -> Self {
        let total = (1..=u32::from(*rules)).sum();
        let deck: Vec<u8> = (1..=*rules).collect();
        let unseen = deck.len();
        let start = Self { deck, unseen, room: Vec::new(), last: 0, score: 0, total, may_skip: true };
        Self::sample_world(&start, rng)
    }

    fn seats(&self) -> usize {
        1
    }

    fn turn(&self) -> Turn {
        match (self.room.len(), self.deck.len()) {
            (0, 0) => Turn::Over,
            (0, _) => Turn::Chance,
            _ => Turn::Player(0),
        }
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.clear();
        if self.room.len() == 2 && self.may_skip {
            out.push(0);
        }
        out.extend(&self.room);
    }

    fn play(&mut self, m: u8) {
        if m == 0 {
            self.deck.append(&mut self.room);
            self.may_skip = false;
            return;
        }
        if m > self.last {
            self.score += u32::from(m);
        }
        self.last = m;
        self.room.retain(|&card| card != m);
        self.may_skip = true;
    }

    fn roll(&mut self, _: &mut Rng) -> [u8; 2] {
        let mut pair = [self.deck[0], self.deck[1]];
        pair.sort_unstable();
        self.play_chance(pair);
        pair
    }

    fn play_chance(&mut self, outcome: [u8; 2]) {
        for (i, card) in outcome.into_iter().enumerate() {
            if let Some(at) = self.deck.iter().position(|&other| other == card) {
                self.deck.swap(i, at);
            }
        }
        self.room.extend(self.deck.drain(..2));
        self.room.sort_unstable();
        self.unseen = self.unseen.saturating_sub(2);
    }

    fn utility(&self, _: Seat) -> f64 {
        f64::from(self.score) / f64::from(self.total)
    }

    fn view(&self, _: Seat) -> Ladder {
        let mut view = self.clone();
        view.deck[..self.unseen].sort_unstable();
        view
    }

    fn sample_world(view: &Ladder, rng: &mut Rng) -> Self {
        let mut world = view.clone();
        for i in (1..world.unseen).rev() {
            world.deck.swap(i, rng.random_range(0..=i));
        }
        world
    }
}

impl Notation for Ladder {
    fn parse_move(&self, text: &str) -> Result<u8, NotationError> {
        let m = text.parse().map_err(|_| NotationError::Syntax {
            text: text.to_owned(),
            expected: "the card to take, or 0",
        })?;
        if self.is_legal(m) { Ok(m) } else { Err(NotationError::illegal(text, self)) }
    }
}

impl Steps for Ladder {
    const COARSE: bool = true;

    fn steps(&self, out: &mut StepList<u8>) {
        out.clear();
        match self.room[..] {
            [a, b] => {
                if self.may_skip {
                    out.push(&[0]);
                }
                out.push(&[a, b]);
                out.push(&[b, a]);
            }
            _ => out.push(&self.room),
        }
    }
}

struct Score;

impl Evaluator<Ladder> for Score {
    fn value(&self, position: &Ladder, seat: Seat) -> f64 {
        position.utility(seat)
    }
}

impl Tools for Ladder {
    const EVALUATORS: &'static [&'static str] = &["score"];

    fn evaluator(name: &str, _: &u8) -> Option<Arc<dyn Evaluator<Self>>> {
        (name == "score").then(|| Arc::new(Score) as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{registry, testkit};

    #[test]
    fn ladder_conforms() {
        testkit::conformance::<Ladder>(&[4, 8], 100, 60, |_| ());
    }

    /// No agent may look under the deck, whatever it walks on and however it values.
    #[test]
    fn agents_are_fair() {
        let entries = registry::agents::<Ladder>();
        for budget in ["mcts:iterations=60", "mcts:iterations=60,rollout=none,leaf=score", "flat:worlds=8"] {
            testkit::all_agents_are_fair(&entries, "ladder", &8, 20, &[budget]);
        }
    }
}
