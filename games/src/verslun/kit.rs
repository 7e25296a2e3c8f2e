//! What verslun offers to players ([`Tools`]), to transcripts ([`Notation`]) and to the harness ([`CardGame`]).

use super::board::ENDS;
use super::deck::points;
use super::encoding::encoding;
use super::listing::listing;
use super::moves::Move;
use super::pile::Pile;
use super::position::{Chance, Verslun};
use super::rules::Rules;
use super::shown::{read, shown};
use super::tally::VerslunTally;
use super::value::{net, rule::Rule};
use super::{bound, claims, clairvoyant, fast_random, steps};
use crate::cards::Card;
use crate::{CardGame, DeckError, FastRandom, check_deck, legal_move};
use knave_agents::players::expectimax::Expectimax;
use knave_agents::{Kit, Notation, NotationError, Seat, StepList, Tools};
use std::sync::Arc;

impl Tools for Verslun {
    const COARSE: bool = true;

    fn steps(&self, out: &mut StepList<Move>) {
        steps::steps(&self.board, self.pile.len(), out);
    }

    fn kit(rules: &Rules) -> Kit<Self> {
        Kit::default()
            .evaluator("net", |rules| Some(Arc::new(net::value(rules)?)))
            .evaluator("rule", |_| Some(Rule::fitted()))
            .policy("rule", |_| Some(Rule::fitted()))
            .policy("net", |rules| Some(Arc::new(net::value(rules)?)))
            .models(|| net::MODELS.list())
            .evaluator_of_model(|model, rules| Ok(Arc::new(net::of_model(model, rules)?)))
            .policy_of_model(net::policy_of_model)
            .agent::<Expectimax<Verslun>>()
            .default_option("expectimax", "enumerate", 64)
            .default_option("expectimax", "samples", 256)
            .default_option("expectimax", "margin", 0.05)
            .default_option("expectimax", "prior_samples", 30)
            .default_option("expectimax", "drop_z", 2)
            // Many worlds at a rough value are worth more to these than few at a fine one.
            .default_option("greedy", "evaluator", "rule")
            .default_option("flat", "rollout", "none")
            .default_option("flat", "leaf", "rule")
            .default_option("flat", "worlds", 100)
            .default_option("flat", "halving", true)
            .default_option("mcts", "rollout", "none")
            .default_option("mcts", "leaf", "")
            .default_option("mcts", "iterations", 300)
            .default_option("mcts", "c", 0.3)
            .default_option("mcts", "prior_visits", 100)
            .default_option("mcts", "paired", true)
            .default_option("mcts", "widen_alpha", 1)
            .shown(shown)
            .reading(read)
            .encoding(encoding())
            .exact(listing())
            .trainable()
            .objectives(clairvoyant::objectives())
            .bounding(bound::bounding(rules))
    }
}

impl Notation for Verslun {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let expected = "'draw', 'stay', 'redeal b', 'keep', 'claim b JC KC 8S QD', 'pass', 'end' or 'on'";
        let canonical = |m| match m {
            Move::Claim(claim) => Move::Claim(claims::canonical(&self.board, &claim).unwrap_or(claim)),
            other => other,
        };
        legal_move(self, text, Move::parse(text).map(canonical), expected)
    }

    fn describe_chance(outcome: &Chance) -> String {
        let words = |cards: Vec<Card>| cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        match outcome {
            Chance::Draw(cards) => words(cards.into_iter().collect()),
            Chance::Deal { column, hand } => {
                let column = column.iter().filter(|&&id| id > 0).map(|&id| Card::from_id(id)).collect();
                format!("column {}, hand {}", words(column), words(hand.into_iter().collect()))
            }
        }
    }
}

impl CardGame for Verslun {
    const NAME: &'static str = "verslun";
    const RULES: &'static str = include_str!("rules.md");
    const SUMMARY: &'static str = "Verslun: one player pairs the hand with columns of cards for points";
    const RULES_VERSION: u32 = 1;

    type Tally = VerslunTally;

    fn from_deck(rules: &Rules, deck: &[Card]) -> Result<Self, DeckError> {
        check_deck(&Self::full_deck(), deck)?;
        let (cards, needed) = (deck.len(), rules.laid_out());
        if cards < needed {
            return Err(DeckError::Short { cards, needed });
        }
        let mut position = Self::start(rules, Pile::ordered(deck));
        position.lay_out();
        Ok(position)
    }

    fn deck(&self) -> Vec<Card> {
        self.pile.deck()
    }

    fn cards(&self) -> Vec<Card> {
        let Self { board, pile } = &*self.laid_out();
        board.laid_out().into_iter().chain(board.hand).chain(pile.cards()).collect()
    }

    #[inline]
    fn score(&self, _: Seat) -> i64 {
        i64::from(self.board.points)
    }

    /// A claimed column has at most eight cards: at best the most valuable ones.
    fn score_range(rules: &Rules) -> Option<(i64, i64)> {
        let mut points: Vec<i64> = Card::all().map(|card| i64::from(points(card.id()))).collect();
        points.sort_unstable_by(|a, b| b.cmp(a));
        Some((0, points.iter().take(2 * rules.laid_out()).sum()))
    }

    #[inline]
    fn won(&self, _: Seat) -> bool {
        u32::from(self.board.points) >= self.board.rules.target
    }

    fn fast_random(_: &Rules) -> Option<FastRandom<Self>> {
        Some(FastRandom { batch: fast_random::TOGETHER, play: fast_random::play_at_random })
    }

    fn end(&self) -> &'static str {
        ENDS[self.board.phase.end()]
    }
}
