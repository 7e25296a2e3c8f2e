//! `columns`: Scoundrel, the race of two players with cards and three dice.
//!
//! Each round the roller places the dice between pairs of columns, then both play, the roller last. Hidden are
//! the hands and the order of the stock. Cards are drawn into hands that nobody else sees, so drawing is no public
//! event: hands are replenished together with the roll of the dice, the seven cards of a player who ran out in
//! mid-play come by a [`Turn::Shuffle`] that tells nobody anything, and whatever is drawn around a reshuffle comes with
//! [`Chance::Reshuffle`]. So a search can value what a phase of play leaves behind before new cards are known.

mod board;
mod move_sets;
mod moves;
mod pile;
mod position;
mod random_placement;
mod rules;
pub mod steps;
mod tally;
pub mod value;
mod view;

#[cfg(test)]
mod tests;

pub use board::{Board, Column, Direction, Due, Phase};
pub use moves::{Move, letter};
pub use pile::Order;
pub use position::{Chance, Columns};
pub use rules::{Finish, Finished, HAND, PAIRS, Rules};
pub use tally::ColumnsTally;
pub use view::View;

use crate::cards::{Card, CardSet};
use crate::games::{CardGame, ChanceRecord, DeckError, check_deck};
use knave_agents::learn::td::{Schedule, Trainer, Training};
use knave_agents::{
    Entry, Evaluator, Game, Notation, NotationError, Policy, Seat, StepList, Steps, Tools, Turn,
};
use position::DEALT;
use random_placement as placing;
use std::sync::Arc;
use steps as phase;
use value::rule as heuristic;

impl Notation for Columns {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let m = Move::parse(text).ok_or_else(|| NotationError::Syntax {
            text: text.to_owned(),
            expected: "'place a4 c1 d3', 'play a 5H', 'steal c 9D', 'finish b' or 'done'",
        })?;
        if self.is_legal(m) { Ok(m) } else { Err(NotationError::illegal(text, self)) }
    }
}

impl Steps for Columns {
    const COARSE: bool = true;

    fn steps(&self, out: &mut StepList<Move>) {
        out.clear();
        match self.turn() {
            Turn::Player(_) if self.board.phase == Phase::Place => {
                self.board.placements(|dice| out.push(&[Move::Place(dice)]));
            }
            Turn::Player(seat) => {
                phase::outcomes(&self.board, self.hands[seat], self.open, self.stock.len(), |outcome| {
                    if outcome.wins {
                        out.clear();
                    }
                    out.push(outcome.moves);
                });
            }
            _ => {}
        }
    }
}

impl Tools for Columns {
    const EVALUATORS: &'static [&'static str] = heuristic::EVALUATORS;
    const POLICIES: &'static [&'static str] = heuristic::POLICIES;

    fn evaluator(name: &str, rules: &Rules) -> Option<Arc<dyn Evaluator<Self>>> {
        heuristic::evaluator(name, rules)
    }

    fn policy(name: &str, rules: &Rules) -> Option<Arc<dyn Policy<Self>>> {
        heuristic::policy(name, rules)
    }

    fn defaults(agent: &str) -> &'static [(&'static str, &'static str)] {
        heuristic::defaults(agent)
    }
}

impl CardGame for Columns {
    const NAME: &'static str = "columns";
    const SUMMARY: &'static str =
        "Scoundrel with dice: two players race to build four columns and steal each other's";
    const RULES_VERSION: u32 = 1;
    const SCORE_UNITS: i64 = 2;

    type Tally = ColumnsTally;

    fn full_deck() -> Vec<Card> {
        Card::all().collect()
    }

    fn from_deck(rules: &Rules, deck: &[Card]) -> Result<Self, DeckError> {
        check_deck(&Self::full_deck(), deck)?;
        if deck.len() < DEALT {
            return Err(DeckError::Short { cards: deck.len(), needed: DEALT });
        }
        Ok(Self::start(rules, Order::of(deck.iter().copied())))
    }

    fn deck(&self) -> Vec<Card> {
        self.stock.order().cards().collect()
    }

    fn cards(&self) -> Vec<Card> {
        let hands = self.hands.iter().copied().flatten();
        let columns = self.board.columns.iter().flatten().flat_map(|column| column.cards);
        hands.chain(columns).chain(self.board.stolen).chain(self.stock.cards()).collect()
    }

    fn score(&self, seat: Seat) -> i64 {
        (self.utility(seat) * 2.0) as i64
    }

    fn won(&self, seat: Seat) -> bool {
        self.board.winner() == Some(seat)
    }

    fn end(&self) -> &'static str {
        if self.board.winner().is_some() { "finished" } else { "round_limit" }
    }

    fn chance_record(outcome: &Chance) -> Option<ChanceRecord> {
        match outcome {
            Chance::Roll(dice) => {
                Some(ChanceRecord::Roll(dice.iter().copied().filter(|&die| die > 0).collect()))
            }
            Chance::Draw => None,
            Chance::Reshuffle(order) => Some(ChanceRecord::Reshuffle(order.cards().collect())),
        }
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<Chance, String> {
        let board = &self.board;
        if board.due == Due::Reshuffle {
            if let ChanceRecord::Reshuffle(cards) = record
                && cards.len() == board.stolen.len()
                && cards.iter().copied().collect::<CardSet>() == board.stolen
            {
                return Ok(Chance::Reshuffle(Order::of(cards.iter().copied())));
            }
            let cards = board.stolen.into_iter().map(|card| card.to_string()).collect::<Vec<_>>();
            return Err(format!("expected a reshuffle of the stolen cards {}", cards.join(" ")));
        }
        let count = board.dice_count();
        if let ChanceRecord::Roll(dice) = record
            && dice.len() == count
            && dice.iter().all(|die| (1..=6).contains(die))
        {
            let mut rolled = [0; 3];
            rolled[..count].copy_from_slice(dice);
            return Ok(Chance::Roll(rolled));
        }
        Err(format!("expected a roll of {count} {}", if count == 1 { "die" } else { "dice" }))
    }

    fn chance_is_recorded(&self) -> bool {
        self.board.due != Due::Draw
    }

    fn agents() -> Vec<Entry<Self>> {
        placing::agents()
    }

    fn training(rules: &Rules, schedule: &Schedule, seed: u64) -> Option<Box<dyn Training>> {
        Some(Box::new(Trainer::<Self>::new(rules, schedule.clone(), seed)))
    }
}
