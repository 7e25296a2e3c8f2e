//! `whist`: Scoundrel's Whist, for four players.
//!
//! Thirteen tricks with a trump suit and two scoundrels, the jacks of clubs and spades, that beat every
//! other card and then leave the game. Low cards count for the player who wins them, high cards against.
//!
//! Nothing is random after the deal.

mod board;
mod deal;
mod fast_random;
mod kit;
mod moves;
mod position;
mod rules;
mod tally;
pub mod value;
mod view;

#[cfg(test)]
mod tests;

pub use board::{Board, Won};
pub use moves::Move;
pub use position::Whist;
pub use rules::{Count, DEALER, Rules, SCOUNDRELS, SEATS, Scoundrels};
pub use tally::WhistTally;
pub use view::View;

use crate::cards::{Card, CardSet};
use crate::games::{CardGame, ChanceRecord, DeckError, check_deck};
use kit as race;
use knave_agents::learn::td::{Schedule, Trainer, Training};
use knave_agents::{Evaluator, Event, Game, Notation, NotationError, Policy, Rng, Seat, Steps, Tools};
use std::convert::Infallible;
use std::sync::Arc;
use value::rule as heuristic;

impl Notation for Whist {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mut words = text.split_whitespace();
        let card = match (words.next(), words.next(), words.next()) {
            (Some("play"), Some(card), None) => card.parse().ok(),
            _ => None,
        };
        let m = card
            .map(Move)
            .ok_or_else(|| NotationError::Syntax { text: text.to_owned(), expected: "'play 9H'" })?;
        if self.is_legal(m) { Ok(m) } else { Err(NotationError::illegal(text, self)) }
    }
}

impl Steps for Whist {}

impl Tools for Whist {
    const EVALUATORS: &'static [&'static str] = heuristic::EVALUATORS;
    const POLICIES: &'static [&'static str] = heuristic::POLICIES;
    const RETRACES: bool = true;

    fn evaluator(name: &str, rules: &Rules) -> Option<Arc<dyn Evaluator<Self>>> {
        heuristic::evaluator(name, rules)
    }

    fn policy(name: &str, rules: &Rules) -> Option<Arc<dyn Policy<Self>>> {
        heuristic::policy(name, rules)
    }

    fn begun(&self, history: &[Event<Self>]) -> Option<Self> {
        let mut dealt = self.hands;
        for event in history {
            if let Event::Move(seat, Move(card)) = event {
                dealt[seat & 3].insert(*card);
            }
        }
        Some(Self::start(&self.board.rules, dealt, self.board.shown))
    }

    fn defaults(agent: &str) -> &'static [(&'static str, &'static str)] {
        heuristic::defaults(agent)
    }
}

impl CardGame for Whist {
    const NAME: &'static str = "whist";
    const SUMMARY: &'static str = "Scoundrel's Whist: four players, 13 tricks; low cards count, high cards count against, and two jacks beat all";
    const RULES_VERSION: u32 = 3;

    type Tally = WhistTally;

    fn full_deck() -> Vec<Card> {
        Card::all().collect()
    }

    fn from_deck(rules: &Rules, deck: &[Card]) -> Result<Self, DeckError> {
        check_deck(&Self::full_deck(), deck)?;
        let cards = deck.len();
        let Some(&shown) = deck.last().filter(|_| cards.is_multiple_of(SEATS)) else {
            return Err(DeckError::Uneven { cards, players: SEATS });
        };
        // One card at a time from seat 0 on.
        let mut dealt = [CardSet::EMPTY; SEATS];
        deck.iter().enumerate().for_each(|(i, &card)| dealt[i % SEATS].insert(card));
        Ok(Self::start(rules, dealt, shown))
    }

    /// A deck that deals these hands: the order within a hand does not matter, but for the card that is shown.
    fn deck(&self) -> Vec<Card> {
        let mut hands = self.dealt.map(|hand| hand.into_iter().collect::<Vec<_>>());
        hands[DEALER].sort_by_key(|&card| card == self.board.shown);
        (0..hands[0].len()).flat_map(|round| hands.each_ref().map(|hand| hand[round])).collect()
    }

    /// The scoundrels leave with the trick that they were played to.
    fn cards(&self) -> Vec<Card> {
        let board = &self.board;
        let taken = board.taken.map(|cards| CardSet::from_bits(cards.bits() & !SCOUNDRELS.bits()));
        self.hands.into_iter().chain(taken).chain([board.trick]).flatten().collect()
    }

    #[inline]
    fn score(&self, seat: Seat) -> i64 {
        i64::from(self.board.points[seat & 3])
    }

    #[inline]
    fn won(&self, seat: Seat) -> bool {
        let points = self.board.points;
        points.iter().all(|&other| other <= points[seat & 3])
    }

    fn quick_games(rules: &Rules) -> usize {
        if race::can_race(rules) { race::TOGETHER } else { 0 }
    }

    fn play_quickly(games: &mut [Self], rngs: &mut [Rng], tally: &mut WhistTally, moves: &mut [u64]) {
        for (moves, hand) in moves.iter_mut().zip(games.iter().flat_map(|game| game.hands)) {
            *moves += hand.len() as u64;
        }
        race::race(games, rngs.as_chunks_mut().0, tally);
    }

    fn end(&self) -> &'static str {
        "played_out"
    }

    fn chance_record(outcome: &Infallible) -> Option<ChanceRecord> {
        match *outcome {}
    }

    fn read_chance(&self, _: &ChanceRecord) -> Result<Infallible, String> {
        Err("no random event".to_owned())
    }

    fn chance_is_recorded(&self) -> bool {
        false
    }

    fn training(rules: &Rules, schedule: &Schedule, seed: u64) -> Option<Box<dyn Training>> {
        Some(Box::new(Trainer::<Self>::new(rules, schedule.clone(), seed)))
    }
}
