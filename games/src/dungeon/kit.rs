//! What the dungeon offers to players ([`Tools`]), to transcripts ([`Notation`]) and to the harness ([`CardGame`]).

use super::board::{NO_LIMIT, Phase, score_range};
use super::clairvoyant::end_game::DungeonSolver;
use super::deck::{CardKind, DECK, kind};
use super::encoding::encoding;
use super::listing::listing;
use super::moves::{Action, Move};
use super::pile::Pile;
use super::position::{Chance, Dungeon};
use super::rules::Rules;
use super::shown::{read, shown};
use super::tally::DungeonTally;
use super::value::{net, rule::Rule};
use super::{bound, clairvoyant, fast_random, steps};
use crate::cards::Card;
use crate::{CardGame, DeckError, FastRandom, check_deck, legal_move};
use knave_agents::players::expectimax::Expectimax;
use knave_agents::{ChanceRecord, Kit, Notation, NotationError, Seat, StepList, Tools};
use std::sync::Arc;

impl Tools for Dungeon {
    const COARSE: bool = true;

    fn steps(&self, out: &mut StepList<Move>) {
        steps::steps(&self.board, self.pile.len() == 0, out);
    }

    fn kit(_: &Rules) -> Kit<Self> {
        Kit::default()
            .evaluator("net", |rules| Some(Arc::new(net::value(rules)?)))
            .evaluator("rule", |_| Some(Rule::fitted()))
            .policy("rule", |_| Some(Rule::fitted()))
            .models(|| net::MODELS.list())
            .evaluator_of_model(|model, rules| Ok(Arc::new(net::of_model(model, rules)?)))
            .policy_of_model(|model, rules| Ok(Arc::new(net::policy_of_model(model, rules)?)))
            .end_game(|| Box::new(DungeonSolver::default()))
            .hidden(|position| position.pile.unseen().len() as u32)
            .agent::<Expectimax<Dungeon>>()
            .default_option("expectimax", "enumerate", 24)
            .default_option("expectimax", "samples", 256)
            .default_option("expectimax", "prior_samples", 20)
            .default_option("expectimax", "drop_z", 3)
            .default_option("flat", "rollout", "rule")
            .default_option("flat", "worlds", 16)
            .default_option("mcts", "rollout", "none")
            .default_option("mcts", "leaf", "")
            // Few iterations find out more than the learned value only near the end. One takes the best step by the evaluator.
            .default_option("mcts", "iterations", 1)
            .default_option("mcts", "late_iterations", 24)
            .default_option("mcts", "late_hidden", 9)
            .default_option("mcts", "solver_hidden", 3)
            .default_option("mcts", "prior_visits", 8)
            .default_option("mcts", "paired", true)
            .default_option("mcts", "c", 0.3)
            .default_option("mcts", "widen_alpha", 1)
            .shown(shown)
            .reading(read)
            .encoding(encoding())
            .exact(listing())
            .trainable()
            .objectives(clairvoyant::objectives())
            .bounding(bound::bounding())
    }
}

impl Notation for Dungeon {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let expected = "'avoid', 'take 7D', 'drink 5H', 'fight QS bare' or 'fight QS weapon'";
        legal_move(self, text, Move::parse(text), expected)
    }

    fn chance_record(outcome: &Chance) -> Option<ChanceRecord> {
        match outcome {
            Chance::Fill(_) => None,
            Chance::Order(cards) => Some(ChanceRecord::reshuffle(cards.map(Card::from_id))),
        }
    }

    fn describe_chance(outcome: &Chance) -> String {
        match outcome {
            Chance::Fill(ids) => {
                let cards = ids.iter().take_while(|&&id| id > 0).map(|&id| Card::from_id(id).to_string());
                cards.collect::<Vec<_>>().join(" ")
            }
            Chance::Order(_) => "reshuffle".to_owned(),
        }
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<Chance, String> {
        let mut avoided = self.pile.bottom();
        let expected = || {
            let cards = self.pile.bottom().map(|id| Card::from_id(id).to_string());
            format!("expected a reshuffle of the avoided cards {}", cards.join(" "))
        };
        let cards = record.cards().unwrap_or_default();
        let order = cards.into_iter().map(Card::id).collect::<Vec<_>>();
        let order: [u8; 4] = order.try_into().map_err(|_| expected())?;
        let mut sorted = order;
        sorted.sort_unstable();
        avoided.sort_unstable();
        if sorted == avoided { Ok(Chance::Order(order)) } else { Err(expected()) }
    }

    fn chance_is_recorded(&self) -> bool {
        self.board.phase == Phase::Order
    }
}

impl CardGame for Dungeon {
    const NAME: &'static str = "dungeon";
    const RULES: &'static str = include_str!("rules.md");
    const SUMMARY: &'static str =
        "Scoundrel (Gage and Bieg 2011): one player clears a dungeon of 44 cards with 20 health";
    const RULES_VERSION: u32 = 2;

    type Tally = DungeonTally;

    fn full_deck() -> Vec<Card> {
        DECK.to_vec()
    }

    fn from_deck(rules: &Rules, deck: &[Card]) -> Result<Self, DeckError> {
        check_deck(&DECK, deck)?;
        if deck.is_empty() {
            return Err(DeckError::Short { cards: 0, needed: 1 });
        }
        let monsters = deck.iter().filter(|&&card| kind(card) == CardKind::Monster);
        let sum = monsters.map(|card| u16::from(card.rank())).sum();
        Ok(Self::start(rules, Pile::ordered(deck), sum))
    }

    fn deck(&self) -> Vec<Card> {
        self.pile.order()
    }

    fn cards(&self) -> Vec<Card> {
        self.board.room().chain(self.pile.order()).collect()
    }

    fn score(&self, _: Seat) -> i64 {
        self.board.score()
    }

    fn score_range(rules: &Rules) -> Option<(i64, i64)> {
        Some(score_range(rules))
    }

    fn won(&self, _: Seat) -> bool {
        self.board.phase == Phase::Cleared
    }

    fn fast_random(rules: &Rules) -> Option<FastRandom<Self>> {
        let play = fast_random::play_at_random;
        fast_random::applies(rules).then_some(FastRandom { batch: fast_random::TOGETHER, play })
    }

    fn trace(before: &Self, played: Move, after: &Self) -> Option<Vec<(&'static str, String)>> {
        let room: Vec<String> = before.board.room().map(|card| card.to_string()).collect();
        let number = |value: u8| if value == 0 { String::new() } else { value.to_string() };
        let (old, new) = (&before.board, &after.board);
        let fought = matches!(played.action(), Action::Bare | Action::Weapon);
        let damage = if fought { old.health.saturating_sub(new.health).to_string() } else { String::new() };
        let limit = if new.weapon > 0 && new.limit != NO_LIMIT { new.limit } else { 0 };
        Some(vec![
            ("room", room.join(" ")),
            ("move", played.to_string()),
            ("damage", damage),
            ("health", new.health.to_string()),
            ("weapon", number(new.weapon)),
            ("limit", number(limit)),
        ])
    }

    fn end(&self) -> &'static str {
        if self.board.phase == Phase::Cleared { "cleared" } else { "died" }
    }
}
