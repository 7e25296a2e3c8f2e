//! `dungeon`: Scoundrel by Zach Gage and Kurt Bieg (2011), for one player.
//!
//! 44 cards: 26 monsters, 9 weapons, 9 potions. Rooms of four; three cards of a room are faced and the
//! fourth stays. What follows from the order of the deck is modelled as chance: the room fills by a
//! [`Chance::Fill`] whose outcome the deck has settled, so that a search can value what a turn leaves
//! behind before the next cards are known.

mod board;
mod bound;
pub mod clairvoyant;
mod deck;
mod kit;
mod moves;
mod pile;
mod position;
mod rules;
mod steps;
mod tally;
pub mod value;
mod view;

#[cfg(test)]
mod tests;

pub use board::{Board, NO_LIMIT, Phase};
pub use deck::{Kind, kind};
pub use moves::{Move, Sort};
pub use position::{Chance, Dungeon};
pub use rules::{AvoidOrder, Rules, Unfaced, WeaponLimit};
pub use tally::DungeonTally;
pub use view::{PileView, View};

use crate::cards::Card;
use crate::games::{CardGame, DeckError, check_deck};
use deck::DECK;
use knave_agents::{ChanceRecord, Game as _, Kit, Notation, NotationError, Seat, StepList, Tools};
use pile::Pile;

impl Notation for Dungeon {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let m = Move::parse(text).ok_or_else(|| NotationError::Syntax {
            text: text.to_owned(),
            expected: "'avoid', 'take 7D', 'drink 5H', 'fight QS bare' or 'fight QS weapon'",
        })?;
        if self.is_legal(m) { Ok(m) } else { Err(NotationError::illegal(text, self)) }
    }

    fn chance_record(outcome: &Chance) -> Option<ChanceRecord> {
        match outcome {
            Chance::Fill(_) => None,
            Chance::Order(cards) => Some(ChanceRecord::reshuffle(cards.map(Card::from_id))),
        }
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<Chance, String> {
        let mut avoided = self.pile.bottom();
        let expected = || {
            let cards = self.pile.bottom().map(|id| Card::from_id(id).to_string());
            format!("a reshuffle of the avoided cards {}", cards.join(" "))
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

impl Tools for Dungeon {
    const COARSE: bool = true;

    fn steps(&self, out: &mut StepList<Move>) {
        steps::steps(&self.board, self.pile.len() == 0, out);
    }

    fn kit(_: &Rules) -> Kit<Self> {
        kit::kit()
    }
}

impl CardGame for Dungeon {
    const NAME: &'static str = "dungeon";
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
        let monsters = deck.iter().filter(|&&card| kind(card) == Kind::Monster);
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

    fn won(&self, _: Seat) -> bool {
        self.board.phase == Phase::Cleared
    }

    fn end(&self) -> &'static str {
        if self.board.phase == Phase::Cleared { "cleared" } else { "died" }
    }
}
