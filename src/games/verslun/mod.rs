//! `verslun`: Verslun, for one player.
//!
//! 52 cards, columns of four. The player pairs cards of the hand with a column's cards from the bottom up
//! and so claims it; what is claimed counts at the end. A claimed column may be given up, with the hand,
//! for new cards. Cards drawn from the pile are chance events whose outcome the deck has settled, so that a
//! search can value what a move leaves behind before the next cards are known.

mod binomial;
mod bits;
mod board;
pub mod bound;
mod claims;
mod clairvoyant;
mod deck;
mod kit;
mod moves;
mod pile;
mod position;
mod random_claim;
mod rules;
mod steps;
mod tally;
pub mod value;
mod view;

#[cfg(test)]
mod tests;

pub use board::{Board, Phase};
pub use deck::{ALL_POINTS, points};
pub use moves::{Claim, Move, letter};
pub use position::{Chance, Verslun};
pub use rules::{HEIGHT, MAX_COLUMNS, MAX_HAND, Match, Rules};
pub use tally::VerslunTally;
pub use view::View;

use crate::cards::Card;
use crate::games::{CardGame, DeckError, check_deck};
use knave_agents::{Game as _, Kit, Notation, NotationError, Seat, StepList, Tools};
use pile::Pile;

impl Notation for Verslun {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let m = Move::parse(text).ok_or_else(|| NotationError::Syntax {
            text: text.to_owned(),
            expected: "'draw', 'stay', 'redeal b', 'keep', 'claim b JC KC 8S QD', 'pass', 'end' or 'on'",
        })?;
        let legal = match m {
            Move::Claim(claim) if self.board.phase == Phase::Claim => {
                claims::canonical(&self.board, &claim).map(Move::Claim)
            }
            _ => Some(m).filter(|&m| self.is_legal(m)),
        };
        legal.ok_or_else(|| NotationError::illegal(text, self))
    }
}

impl Tools for Verslun {
    const COARSE: bool = true;

    fn steps(&self, out: &mut StepList<Move>) {
        steps::steps(&self.board, self.pile.len(), out);
    }

    fn kit(_: &Rules) -> Kit<Self> {
        kit::kit()
    }
}

impl CardGame for Verslun {
    const NAME: &'static str = "verslun";
    const SUMMARY: &'static str = "Verslun: one player pairs the hand with columns of cards for points";
    const RULES_VERSION: u32 = 1;

    type Tally = VerslunTally;

    fn full_deck() -> Vec<Card> {
        Card::all().collect()
    }

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

    #[inline]
    fn won(&self, _: Seat) -> bool {
        u32::from(self.board.points) >= self.board.rules.target
    }

    fn end(&self) -> &'static str {
        match self.board.phase {
            Phase::PileEmpty => "pile_empty",
            Phase::NoClaim => "no_claim",
            _ => "stopped",
        }
    }
}
