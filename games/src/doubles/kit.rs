//! What doubles offers to players ([`Tools`]), to transcripts ([`Notation`]) and to the harness ([`CardGame`]).

use super::board::Phase;
use super::encoding::encoding;
use super::fast_random;
use super::listing::listing;
use super::moves::Move;
use super::pile::Deck;
use super::position::{Chance, Doubles};
use super::rules::Rules;
use super::shown::{read, shown};
use super::steps::distinct_moves;
use super::tally::DoublesTally;
use super::value::{net, points::Points, rule::Rule};
use crate::cards::{Card, CardSet, cards_of, ids};
use crate::{CardGame, DeckError, FastRandom, check_deck, legal_move};
use knave_agents::{ChanceRecord, Kit, Notation, NotationError, Seat, StepList, Tools};
use std::sync::Arc;

impl Tools for Doubles {
    const COARSE: bool = true;

    fn steps(&self, out: &mut StepList<Move>) {
        out.clear();
        distinct_moves(self, |m| out.push(&[m]));
    }

    fn kit(rules: &Rules) -> Kit<Self> {
        // To the end of the turn. With four players and all cards few more moves would cost a third of the time.
        let (leaf, depth) = match (rules.players, rules.cards) {
            _ if !net::serves(rules) => ("rule", 3),
            (3, 7) => ("net", 9),
            (4, 7) => ("net", 5),
            _ => ("net", 11),
        };
        let kit = Kit::default();
        // Two players need no trained model.
        let kit = if leaf == "rule" && rules.players > 2 {
            kit.default_stand_in("flat", "leaf", leaf)
        } else {
            kit.default_option("flat", "leaf", leaf)
        };
        kit.evaluator("rule", |_| Some(Rule::fitted()))
            .evaluator("points", |_| Some(Arc::new(Points)))
            .evaluator("net", |rules| Some(Arc::new(net::value(rules)?)))
            .policy("rule", |_| Some(Rule::fitted()))
            .models(net::models)
            .policy("net", |rules| Some(Arc::new(net::policy(rules)?)))
            .evaluator_of_model(|model, rules| Ok(Arc::new(net::of_model(model, rules)?)))
            .policy_of_model(|model, rules| Ok(Arc::new(net::policy_of_model(model, rules)?)))
            // By the evaluator `rule` it plays much as the policy does.
            .default_option("greedy", "evaluator", "points")
            // An answer is valued before those of others, which an evaluator does in whole turns alone.
            .default_option("greedy", "steps", "turns")
            .default_option("flat", "rollout", "rule")
            .default_option("flat", "rollout_depth", depth)
            .default_option("flat", "worlds", 64)
            .default_option("mcts", "rollout", "none")
            .default_option("mcts", "leaf", "")
            .default_option("mcts", "c", 0.2)
            .default_option("mcts", "widen_alpha", 1)
            .shown(shown)
            .reading(read)
            .encoding(encoding())
            .exact(listing())
            .trainable()
    }
}

impl Notation for Doubles {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let expected = "'pass', 'challenge 9H', 'pocket' or 'roll'";
        legal_move(self, text, Move::parse(text), expected)
    }

    fn chance_record(outcome: &Chance) -> Option<ChanceRecord> {
        Some(match outcome {
            Chance::Roll(dice) => ChanceRecord::Roll(dice.to_vec()),
            Chance::Deck(ids) => ChanceRecord::reshuffle(cards_of(ids)),
        })
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<Chance, String> {
        match (record, self.board.phase) {
            (ChanceRecord::Roll(dice), Phase::Roll) => match dice[..] {
                [a @ 1..=6, b @ 1..=6] => Ok(Chance::Roll([a, b])),
                _ => Err("expected a roll of two dice, 1 to 6".to_owned()),
            },
            (ChanceRecord::Reshuffle(_), Phase::Shuffle) => {
                let deck = self.board.deck;
                let cards: Vec<Card> = record.cards().unwrap_or_default();
                if cards.len() != deck.len() || cards.iter().copied().collect::<CardSet>() != deck {
                    return Err(format!("expected a reshuffle of all {} cards", deck.len()));
                }
                Ok(Chance::Deck(ids(cards)))
            }
            (_, Phase::Shuffle) => Err("expected a reshuffle: the next game of the match is due".to_owned()),
            _ => Err("expected a roll of two dice".to_owned()),
        }
    }

    fn chance_is_recorded(&self) -> bool {
        true
    }
}

impl CardGame for Doubles {
    const NAME: &'static str = "doubles";
    const RULES: &'static str = include_str!("rules.md");
    const SUMMARY: &'static str =
        "Doubles (Milovich 2004): two to seven players challenge for what two dice put at stake";
    const RULES_VERSION: u32 = 2;

    type Tally = DoublesTally;

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
        let mut aside = self.board.deck - self.board.played;
        let mut cards = Vec::new();
        for hand in self.hands {
            cards.extend(hand);
            aside -= hand;
        }
        cards.extend(aside);
        cards
    }

    fn score(&self, seat: Seat) -> i64 {
        i64::from(self.board.scores[seat])
    }

    fn teams(rules: &Rules, seats: usize) -> Vec<Seat> {
        rules.sides()[..seats].iter().map(|&first| Seat::from(first)).collect()
    }

    fn fast_random(rules: &Rules) -> Option<FastRandom<Self>> {
        let play = fast_random::play_at_random;
        fast_random::applies(rules).then_some(FastRandom { batch: fast_random::TOGETHER, play })
    }

    fn side_score(&self, seat: Seat) -> i64 {
        self.board.side_score(seat as u8) as i64
    }

    fn won(&self, seat: Seat) -> bool {
        self.board.leads(seat as u8)
    }

    fn end(&self) -> &'static str {
        if self.board.limited { "roll_limit" } else { "cards_out" }
    }
}
