//! `doubles`: Doubles by Dave Milovich (2004), for two to seven players.
//!
//! A roller puts stakes on the table with two dice; the players outbid each other for them with cards, and
//! the roller may pocket stakes that nobody challenges. After the deal only the dice are random, and in a
//! match the deck of every further game.

mod board;
mod moves;
mod pile;
mod position;
mod rules;
pub mod steps;
mod tally;
pub mod value;
mod view;

#[cfg(test)]
mod tests;

pub use board::{Board, Hands, NO_ONE, Phase};
pub use moves::Move;
pub use position::{Chance, Doubles};
pub use rules::{Rules, Teams};
pub use tally::DoublesTally;
pub use view::View;

use crate::cards::{Card, CardSet};
use crate::games::{CardGame, ChanceRecord, DeckError, check_deck};
use crate::shuffle::CARDS;
use knave_agents::{Evaluator, Game, Notation, NotationError, Policy, Seat, StepList, Steps, Tools};
use pile::Deck;
use std::sync::Arc;
use value::rule as heuristic;

impl Notation for Doubles {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let m = Move::parse(text).ok_or_else(|| NotationError::Syntax {
            text: text.to_owned(),
            expected: "'pass', 'challenge 9H', 'pocket' or 'roll'",
        })?;
        if self.is_legal(m) { Ok(m) } else { Err(NotationError::illegal(text, self)) }
    }
}

impl Steps for Doubles {
    const COARSE: bool = true;

    /// One move of those that come to the same.
    fn steps(&self, out: &mut StepList<Move>) {
        out.clear();
        steps::distinct_moves(self, |m| out.push(&[m]));
    }
}

impl Tools for Doubles {
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

impl CardGame for Doubles {
    const NAME: &'static str = "doubles";
    const SUMMARY: &'static str =
        "Doubles (Milovich 2004): two to seven players challenge for what two dice put at stake";
    const RULES_VERSION: u32 = 2;

    type Tally = DoublesTally;

    fn full_deck() -> Vec<Card> {
        Card::all().collect()
    }

    fn from_deck(rules: &Rules, deck: &[Card]) -> Result<Self, DeckError> {
        check_deck(&Self::full_deck(), deck)?;
        let (cards, needed) = (deck.len(), rules.dealt());
        if cards < needed {
            return Err(DeckError::Short { cards, needed });
        }
        Ok(Self::start(rules, Deck::ordered(deck.iter().copied()), None))
    }

    fn deck(&self) -> Vec<Card> {
        self.deck.order().collect()
    }

    fn cards(&self) -> Vec<Card> {
        let mut aside = self.board.deck.bits() & !self.board.played.bits();
        let mut cards = Vec::new();
        for hand in self.hands {
            cards.extend(hand);
            aside &= !hand.bits();
        }
        cards.extend(CardSet::from_bits(aside));
        cards
    }

    fn score(&self, seat: Seat) -> i64 {
        i64::from(self.board.scores[seat])
    }

    fn won(&self, seat: Seat) -> bool {
        self.board.leads(seat as u8)
    }

    fn end(&self) -> &'static str {
        if self.board.limited { "roll_limit" } else { "cards_out" }
    }

    fn chance_record(outcome: &Chance) -> Option<ChanceRecord> {
        Some(match outcome {
            Chance::Roll(dice) => ChanceRecord::Roll(dice.to_vec()),
            Chance::Deck(ids) => {
                let ids = ids.iter().take_while(|&&id| id != 0);
                ChanceRecord::Reshuffle(ids.map(|&id| Card::from_id(id)).collect())
            }
        })
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<Chance, String> {
        match (record, self.board.phase) {
            (ChanceRecord::Roll(dice), Phase::Roll) => match dice[..] {
                [a @ 1..=6, b @ 1..=6] => Ok(Chance::Roll([a, b])),
                _ => Err("expected a roll of two dice, 1 to 6".to_owned()),
            },
            (ChanceRecord::Reshuffle(cards), Phase::Shuffle) => {
                let deck = self.board.deck;
                if cards.len() != deck.len() || cards.iter().copied().collect::<CardSet>() != deck {
                    return Err(format!("expected a reshuffle of all {} cards", deck.len()));
                }
                let mut ids = [0; CARDS];
                for (place, card) in ids.iter_mut().zip(cards) {
                    *place = card.id();
                }
                Ok(Chance::Deck(ids))
            }
            (_, Phase::Shuffle) => Err("expected a reshuffle: the next game of the match is due".to_owned()),
            _ => Err("expected a roll of two dice".to_owned()),
        }
    }

    fn chance_is_recorded(&self) -> bool {
        true
    }
}
