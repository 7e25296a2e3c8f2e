//! What whist offers to players ([`Tools`]), to transcripts ([`Notation`]) and to the harness ([`CardGame`]).

use super::encoding::encoding;
use super::fast_random;
use super::listing::listing;
use super::moves::Move;
use super::position::Whist;
use super::rules::{DEALER, Rules, SCOUNDRELS, SEATS};
use super::shown::{read, shown};
use super::tally::WhistTally;
use super::value::{net, rule::Value, rule_policy::Rule};
use crate::cards::{Card, CardSet};
use crate::{CardGame, DeckError, FastRandom, check_deck, legal_move, value_of_model};
use knave_agents::rng::stream;
use knave_agents::{Event, Kit, Notation, NotationError, Role, Seat, Tools};
use rand::seq::SliceRandom as _;
use std::sync::Arc;

impl Tools for Whist {
    fn kit(_: &Rules) -> Kit<Self> {
        Kit::default()
            .evaluator("net", |rules| Some(Arc::new(net::value(rules)?)))
            .evaluator("rule", |_| Some(Value::fitted()))
            .policy("rule", |rules| Some(Rule::fitted(rules)))
            .models(|| net::MODELS.list())
            .evaluator_of_model(|model, rules| Ok(Arc::new(net::of_model(model, rules)?)))
            .policy_of_model(|model, rules| Ok(Arc::new(value_of_model(model, rules)?)))
            .reconstruct_start(reconstruct_start)
            .default_option("greedy", "evaluator", "rule")
            .default_option("flat", "rollout", "rule")
            .default_option("flat", "worlds", 200)
            .default_option("mcts", "rollout", "rule")
            .default_option("mcts", "c", 0.4)
            .shown(shown)
            .reading(read)
            .encoding(encoding())
            .exact(listing())
            .trainable()
    }
}

/// The start of the game: the cards that were played go back to the hands that they came from.
pub(super) fn reconstruct_start(position: &Whist, history: &[Event<Whist>]) -> Option<Whist> {
    let mut dealt = position.hands;
    for event in history {
        if let Event::Move(seat, Move(card)) = event {
            dealt[seat & 3].insert(*card);
        }
    }
    Some(Whist::start(&position.board.rules, dealt, position.board.shown))
}

impl Notation for Whist {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        legal_move(self, text, Move::parse(text), "'play 9H'")
    }
}

impl CardGame for Whist {
    const NAME: &'static str = "whist";
    const RULES: &'static str = include_str!("rules.md");
    const SUMMARY: &'static str = "Scoundrel's Whist: four players, 13 tricks; low cards count, high cards count against, and two jacks beat all";
    const RULES_VERSION: u32 = 3;

    type Tally = WhistTally;

    fn from_deck(rules: &Rules, deck: &[Card]) -> Result<Self, DeckError> {
        check_deck(&Self::full_deck(), deck)?;
        let cards = deck.len();
        if !cards.is_multiple_of(SEATS) {
            return Err(DeckError::Uneven { cards, players: SEATS });
        }
        let Some(&shown) = deck.last() else {
            return Err(DeckError::Short { cards, needed: SEATS });
        };
        // One card at a time from seat 0 on.
        let mut dealt = [CardSet::EMPTY; SEATS];
        deck.iter().enumerate().for_each(|(i, &card)| dealt[i % SEATS].insert(card));
        Ok(Self::start(rules, dealt, shown))
    }

    /// A deck that deals these hands. Within a hand the order does not matter, except that the shown card is last. It is drawn once
    /// more, as a shuffle would leave it, and depends on nothing but the hands.
    fn deck(&self) -> Vec<Card> {
        let [a, b, c, d] = self.dealt.map(CardSet::bits);
        let mut rng = stream(a ^ b.rotate_left(1), c ^ d.rotate_left(1), Role::Deal);
        let mut hands = self.dealt.map(|hand| hand.into_iter().collect::<Vec<_>>());
        hands.iter_mut().for_each(|hand| hand.shuffle(&mut rng));
        hands[DEALER].sort_by_key(|&card| card == self.board.shown);
        (0..hands[0].len()).flat_map(|round| hands.each_ref().map(|hand| hand[round])).collect()
    }

    /// The scoundrels leave with their trick.
    fn cards(&self) -> Vec<Card> {
        let board = &self.board;
        let taken = board.taken.map(|cards| cards - SCOUNDRELS);
        self.hands.into_iter().chain(taken).chain([board.trick]).flatten().collect()
    }

    #[inline]
    fn score(&self, seat: Seat) -> i64 {
        i64::from(self.board.points[seat & 3])
    }

    /// All cards that count −1, or all that count +1.
    fn score_range(rules: &Rules) -> Option<(i64, i64)> {
        let (more, less) = rules.values();
        Some((-(less.len() as i64), more.len() as i64))
    }

    #[inline]
    fn won(&self, seat: Seat) -> bool {
        let points = self.board.points;
        points.iter().all(|&other| other <= points[seat & 3])
    }

    fn fast_random(rules: &Rules) -> Option<FastRandom<Self>> {
        let play = fast_random::play_at_random;
        fast_random::applies(rules).then_some(FastRandom { batch: fast_random::TOGETHER, play })
    }

    fn end(&self) -> &'static str {
        "played_out"
    }
}
