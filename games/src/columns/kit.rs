//! What columns offers to players ([`Tools`]), to transcripts ([`Notation`]) and to the harness ([`CardGame`]).

use super::board::{Due, Phase};
use super::encoding::encoding;
use super::fast_random;
use super::moves::Move;
use super::pile::Order;
use super::placement_option::RandomPlacement;
use super::position::{Chance, Columns, DEALT};
use super::rules::Rules;
use super::shown::{read, shown};
use super::steps;
use super::tally::ColumnsTally;
use super::value::{net, rule::Rule, slots::Missing};
use super::view::View;
use crate::cards::{Card, CardSet};
use crate::{CardGame, DeckError, FastRandom, check_deck, legal_move};
use knave_agents::players::{flat::Flat, greedy::Greedy, mcts::Mcts, rule::ByPolicy};
use knave_agents::{ChanceRecord, Game as _, Kit, Notation, NotationError, Seat, StepList, Tools, Turn};
use std::sync::Arc;

/// So many rounds before the last a search does not see it: the learned value tells the last 26 rounds from others.
const LAST: u32 = 32;

/// So many rounds before waiting becomes a stand-off few searches see that. Those that do only wait a little longer than they would.
const SOON: u32 = 4;

/// Takes the number of rounds out of a view where it does not matter: far from the last, and far from where waiting becomes a
/// stand-off or after it.
fn drop_clock(view: &mut View) {
    let board = &mut view.board;
    if board.rules.max_rounds - board.round >= LAST {
        board.round = 0;
    }
    board.waited = board.waited.clamp(net::STAND_OFF - SOON, net::STAND_OFF + 1);
}

impl Tools for Columns {
    const COARSE: bool = true;

    fn steps(&self, out: &mut StepList<Move>) {
        out.clear();
        match self.turn() {
            Turn::Player(_) if self.board.phase == Phase::Place => {
                self.board.placements(|dice| out.push(&[Move::Place(dice)]));
            }
            Turn::Player(seat) => {
                steps::outcomes(&self.board, self.hands[seat], self.revealed, self.stock.len(), |outcome| {
                    if outcome.wins {
                        out.clear();
                    }
                    out.push(outcome.moves);
                });
            }
            _ => {}
        }
    }

    fn kit(_: &Rules) -> Kit<Self> {
        Kit::default()
            .evaluator("net", |rules| Some(Arc::new(net::value(rules)?)))
            .evaluator("rule", |_| Some(Rule::fitted()))
            .evaluator("missing", |_| Some(Arc::new(Missing)))
            .policy("rule", |_| Some(Rule::fitted()))
            .models(|| net::MODELS.list())
            .clock(drop_clock)
            .evaluator_of_model(|model, rules| Ok(Arc::new(net::of_model(model, rules)?)))
            .policy_of_model(|model, rules| Ok(Arc::new(net::of_model(model, rules)?)))
            // `random` places at random anyway.
            .agent::<RandomPlacement<Greedy<Self>>>()
            .agent::<RandomPlacement<ByPolicy<Self>>>()
            .agent::<RandomPlacement<Flat<Self>>>()
            .agent::<RandomPlacement<Mcts<Self>>>()
            // A look at single moves asks for positions in mid-play, which the trained value does not know.
            .default_option("greedy", "evaluator", "rule")
            .default_option("flat", "rollout", "none")
            .default_option("flat", "leaf", "")
            .default_option("flat", "worlds", 4)
            .default_option("mcts", "rollout", "none")
            .default_option("mcts", "leaf", "")
            .default_option("mcts", "iterations", 200)
            .default_option("mcts", "c", 0.1)
            .default_option("mcts", "width", 20)
            .shown(shown)
            .reading(read)
            .encoding(encoding())
            .trainable()
    }
}

impl Notation for Columns {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let expected = "'place a4 c1 d3', 'play a 5H', 'steal c 9D', 'finish b' or 'done'";
        legal_move(self, text, Move::parse(text), expected)
    }

    fn chance_record(outcome: &Chance) -> Option<ChanceRecord> {
        match outcome {
            Chance::Roll(dice) => {
                Some(ChanceRecord::Roll(dice.iter().copied().filter(|&die| die > 0).collect()))
            }
            Chance::Draw => None,
            Chance::Reshuffle(order) => Some(ChanceRecord::reshuffle(order.cards())),
        }
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<Chance, String> {
        let board = &self.board;
        if board.due == Due::Reshuffle {
            if let Some(cards) = record.cards()
                && cards.len() == board.stolen.len()
                && cards.iter().copied().collect::<CardSet>() == board.stolen
            {
                return Ok(Chance::Reshuffle(Order::of(cards)));
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
        Err(format!("expected a roll of {count} {}, 1 to 6", if count == 1 { "die" } else { "dice" }))
    }

    fn chance_is_recorded(&self) -> bool {
        self.board.due != Due::Draw
    }
}

impl CardGame for Columns {
    const NAME: &'static str = "columns";
    const RULES: &'static str = include_str!("rules.md");
    const SUMMARY: &'static str =
        "Scoundrel with dice: two players race to build four columns and steal each other's";
    const SCORE_UNITS: i64 = 2;

    type Tally = ColumnsTally;

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

    fn fast_random(rules: &Rules) -> Option<FastRandom<Self>> {
        let play = fast_random::play_at_random;
        fast_random::applies(rules).then_some(FastRandom { batch: fast_random::TOGETHER, play })
    }

    fn score_range(_: &Rules) -> Option<(i64, i64)> {
        Some((0, Self::SCORE_UNITS))
    }

    fn won(&self, seat: Seat) -> bool {
        self.board.winner() == Some(seat)
    }

    fn end(&self) -> &'static str {
        if self.board.winner().is_some() { "finished" } else { "round_limit" }
    }
}
