//! `ladder`: a solo game with a hidden deck.
//!
//! Two cards are turned up. Take both in either order, or put them under the deck, but not twice in a row. A
//! card scores its value when it beats the last one taken.

use crate::end_game_solver::{EndGameSolver, Solution};
use crate::evaluator::Evaluator;
use crate::game::{ChanceRecord, EnumerableChance, Game, Notation, Seat, Turn};
use crate::kit::{Kit, Tools};
use crate::policy::Policy;
use crate::rng::Rng;
use crate::steps::StepList;
use rand::RngExt as _;
use std::sync::Arc;

/// The most cards that the game is made for.
pub const MAX_CARDS: usize = 8;

/// The rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The number of cards, even, at most [`MAX_CARDS`].
    pub cards: u8,
    /// Whether the deck is shuffled after cards were put under it.
    pub shuffled: bool,
}

/// What chance does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// These cards are turned up, the lower first.
    Room([u8; 2]),
    /// The deck has this order now, zeros at the end.
    Order([u8; MAX_CARDS]),
}

/// A position. The first `unseen` cards of `deck` lie in an order that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ladder {
    rules: Rules,
    deck: Vec<u8>,
    unseen: usize,
    shuffle_due: bool,
    room: Vec<u8>,
    last: u8,
    score: u32,
    may_skip: bool,
}

impl Ladder {
    /// The utility of perfect play for a player who sees only the view, by exhausting moves and outcomes.
    #[must_use]
    pub fn exact(&self) -> f64 {
        match self.turn() {
            Turn::Over => self.utility(0),
            Turn::Player(_) => {
                let mut moves = Vec::new();
                self.moves(&mut moves);
                moves.iter().map(|&m| self.after(m).exact()).fold(0.0, f64::max)
            }
            Turn::Shuffle => {
                // The player does not see the order, so any will do.
                let mut shuffled = self.clone();
                shuffled.shuffle_due = false;
                shuffled.unseen = shuffled.deck.len();
                shuffled.exact()
            }
            Turn::Chance => {
                let below = |a: usize, b: usize| {
                    let mut next = self.clone();
                    let mut pair = [self.deck[a], self.deck[b]];
                    pair.sort_unstable();
                    next.play_chance(Outcome::Room(pair));
                    next.exact()
                };
                if self.unseen < 2 {
                    return below(0, 1);
                }
                let pairs = (0..self.unseen).flat_map(|b| (0..b).map(move |a| (a, b)));
                let total: f64 = pairs.map(|(a, b)| below(a, b)).sum();
                total / (self.unseen * (self.unseen - 1) / 2) as f64
            }
        }
    }

    /// The number of cards that nobody has seen.
    #[must_use]
    pub fn hidden(&self) -> u32 {
        self.unseen as u32
    }

    /// The position after a move.
    #[must_use]
    pub fn after(&self, m: u8) -> Self {
        let mut after = self.clone();
        after.play(m);
        after
    }

    fn total(&self) -> u32 {
        (1..=u32::from(self.rules.cards)).sum()
    }
}

impl Game for Ladder {
    type Rules = Rules;
    /// A card to take, or 0 to put the room under the deck.
    type Move = u8;
    type Chance = Outcome;
    type View = Ladder;

    fn deal(rules: &Rules, rng: &mut Rng) -> Self {
        let deck: Vec<u8> = (1..=rules.cards).collect();
        let start = Self {
            rules: *rules,
            unseen: deck.len(),
            deck,
            shuffle_due: false,
            room: Vec::new(),
            last: 0,
            score: 0,
            may_skip: true,
        };
        Self::sample_world(&start, rng)
    }

    fn seats(&self) -> usize {
        1
    }

    fn turn(&self) -> Turn {
        match (self.room.len(), self.deck.len()) {
            _ if self.shuffle_due => Turn::Shuffle,
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
            self.shuffle_due = self.rules.shuffled;
            return;
        }
        if m > self.last {
            self.score += u32::from(m);
        }
        self.last = m;
        self.room.retain(|&card| card != m);
        self.may_skip = true;
    }

    fn roll(&mut self, rng: &mut Rng) -> Outcome {
        let outcome = if self.shuffle_due {
            for i in (1..self.deck.len()).rev() {
                self.deck.swap(i, rng.random_range(0..=i));
            }
            let mut order = [0; MAX_CARDS];
            order[..self.deck.len()].copy_from_slice(&self.deck);
            Outcome::Order(order)
        } else {
            let mut pair = [self.deck[0], self.deck[1]];
            pair.sort_unstable();
            Outcome::Room(pair)
        };
        self.play_chance(outcome);
        outcome
    }

    fn play_chance(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Order(order) => {
                let len = self.deck.len();
                self.deck.copy_from_slice(&order[..len]);
                self.unseen = len;
                self.shuffle_due = false;
            }
            Outcome::Room(pair) => {
                for (i, card) in pair.into_iter().enumerate() {
                    if let Some(at) = self.deck.iter().position(|&other| other == card) {
                        self.deck.swap(i, at);
                    }
                }
                self.room.extend(self.deck.drain(..2));
                self.room.sort_unstable();
                self.unseen = self.unseen.saturating_sub(2);
            }
        }
    }

    fn utility(&self, _: Seat) -> f64 {
        f64::from(self.score) / f64::from(self.total())
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

/// The identity of a position: sets as bit masks, and the order of the known cards.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    unseen: u16,
    known: [u8; MAX_CARDS],
    room: u16,
    last: u8,
    score: u32,
    may_skip: bool,
    shuffle_due: bool,
}

impl EnumerableChance for Ladder {
    type Key = Key;

    fn outcome_count(&self) -> u64 {
        if self.unseen < 2 { 1 } else { (self.unseen * (self.unseen - 1) / 2) as u64 }
    }

    fn outcomes(&self, out: &mut Vec<(Outcome, f64)>) {
        out.clear();
        let mut pairs = |cards: &[u8]| {
            for (i, &a) in cards.iter().enumerate() {
                for &b in &cards[..i] {
                    out.push((Outcome::Room([a.min(b), a.max(b)]), 0.0));
                }
            }
        };
        pairs(if self.unseen < 2 { &self.deck[..2] } else { &self.deck[..self.unseen] });
        let each = 1.0 / out.len() as f64;
        for (_, probability) in out {
            *probability = each;
        }
    }

    fn key(&self) -> Key {
        let set = |cards: &[u8]| cards.iter().fold(0, |set, card| set | 1 << card);
        let mut known = [0; MAX_CARDS];
        known[..self.deck.len() - self.unseen].copy_from_slice(&self.deck[self.unseen..]);
        Key {
            unseen: set(&self.deck[..self.unseen]),
            known,
            room: set(&self.room),
            last: self.last,
            score: self.score,
            may_skip: self.may_skip,
            shuffle_due: self.shuffle_due,
        }
    }
}

impl Notation for Ladder {
    fn chance_record(outcome: &Outcome) -> Option<ChanceRecord> {
        match outcome {
            Outcome::Room(_) => None,
            Outcome::Order(cards) => Some(ChanceRecord::reshuffle(cards.iter().filter(|&&card| card > 0))),
        }
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<Outcome, String> {
        let sorted = |cards: &[u8]| {
            let mut cards = cards.to_vec();
            cards.sort_unstable();
            cards
        };
        let cards = record.cards::<u8>().filter(|cards| sorted(cards) == sorted(&self.deck));
        let cards = cards.ok_or("expected the cards of the deck in a new order")?;
        let mut order = [0; MAX_CARDS];
        order[..cards.len()].copy_from_slice(&cards);
        Ok(Outcome::Order(order))
    }

    fn chance_is_recorded(&self) -> bool {
        self.shuffle_due
    }
}

/// The score so far.
struct Score;

impl Evaluator<Ladder> for Score {
    fn value(&self, position: &Ladder, seat: Seat) -> f64 {
        position.utility(seat)
    }
}

/// The value of perfect play.
struct Exact;

impl Evaluator<Ladder> for Exact {
    fn value(&self, position: &Ladder, _: Seat) -> f64 {
        // By the view, so that the order of summation cannot tell what is hidden.
        position.view(0).exact()
    }
}

/// Takes the lowest card that scores, or else the lowest card.
struct Rising;

impl Policy<Ladder> for Rising {
    fn choose(&self, position: &Ladder, _: &mut Vec<u8>, _: &mut Rng) -> u8 {
        let room = &position.room;
        *room.iter().find(|&&card| card > position.last).unwrap_or(&room[0])
    }
}

/// Depth-first search once every card has been seen.
struct EndGame;

impl EndGame {
    fn search(position: &Ladder, nodes: &mut u64, line: &mut Vec<u8>) -> Option<f64> {
        *nodes = nodes.checked_sub(1)?;
        if position.turn() == Turn::Over {
            return Some(position.utility(0));
        }
        if position.turn() == Turn::Chance {
            let mut next = position.clone();
            let mut pair = [next.deck[0], next.deck[1]];
            pair.sort_unstable();
            next.play_chance(Outcome::Room(pair));
            return Self::search(&next, nodes, line);
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let mut best: Option<(f64, Vec<u8>)> = None;
        for m in moves {
            let mut rest = vec![m];
            let value = Self::search(&position.after(m), nodes, &mut rest)?;
            if best.as_ref().is_none_or(|(other, _)| value > *other) {
                best = Some((value, rest));
            }
        }
        let (value, rest) = best?;
        line.extend(rest);
        Some(value)
    }
}

impl EndGameSolver<Ladder> for EndGame {
    fn applies(&self, position: &Ladder) -> bool {
        position.unseen == 0 && !position.rules.shuffled
    }

    fn solve(&mut self, position: &Ladder, budget: u64, line: &mut Vec<u8>) -> Solution {
        let mut nodes = budget;
        line.clear();
        match Self::search(position, &mut nodes, line) {
            Some(value) => Solution::Value(value),
            None => {
                line.clear();
                Solution::Undecided
            }
        }
    }
}

impl Tools for Ladder {
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

    fn kit(_: &Rules) -> Kit<Self> {
        Kit::default()
            .evaluator("score", |_| Some(Arc::new(Score)))
            .evaluator("exact", |_| Some(Arc::new(Exact)))
            .policy("rising", |_| Some(Arc::new(Rising)))
            .end_game(|| Box::new(EndGame))
            .hidden(Ladder::hidden)
            .default_option("flat", "worlds", 24)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Role, stream};

    const PLAIN: Rules = Rules { cards: 6, shuffled: false };

    /// Two cards are always taken in the right order. On known decks the solver and the exhaustion,
    /// which share no code, check each other.
    #[test]
    fn solver_and_exhaustion_agree() {
        let two = Ladder::deal(&Rules { cards: 2, shuffled: false }, &mut stream(1, 0, Role::Deal));
        assert_eq!(two.exact().to_bits(), 1.0_f64.to_bits());
        for index in 0..20 {
            let mut known = Ladder::deal(&PLAIN, &mut stream(1, index, Role::Deal));
            known.unseen = 0;
            let mut line = Vec::new();
            let solution = EndGame.solve(&known, 1_000_000, &mut line);
            assert_eq!(solution, Solution::Value(known.exact()), "deal {index}");
            let mut rng = stream(1, index, Role::Chance);
            for &m in &line {
                while known.turn() == Turn::Chance {
                    known.roll(&mut rng);
                }
                known.try_play(m).unwrap();
            }
            assert_eq!(known.turn(), Turn::Over, "the line reaches the end");
            assert_eq!(solution, Solution::Value(known.utility(0)), "the line earns the value");
            assert_eq!(EndGame.solve(&known, 0, &mut line), Solution::Undecided);
        }
    }
}
