//! `verslun`: Verslun, for one player.
//!
//! 52 cards, columns of four. The player pairs cards of the hand with a column's cards from the bottom up
//! and so claims it; what is claimed counts at the end. A claimed column may be given up, with the hand,
//! for new cards. Cards drawn from the pile are chance events whose outcome the deck has settled, so that a
//! search can value what a move leaves behind before the next cards are known.

mod ahead;
mod board;
mod choice;
pub mod claims;
mod deals;
mod draws;
pub mod heuristic;
mod inputs;
mod kit;
mod known;
mod learned;
pub mod penalty;
mod pile;
pub mod prospects;
pub mod quick;
pub mod relaxed;
mod rules;
mod search;
mod tally;
mod turn;

#[cfg(test)]
mod bound_tests;
#[cfg(test)]
mod exact_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;

pub use board::{Board, Claim, Move, Phase, letter, points};
pub use rules::{HEIGHT, MAX_COLUMNS, MAX_HAND, Match, Rules};
pub use tally::VerslunTally;

use crate::cards::{Card, CardSet};
use crate::games::{CardGame, DeckError, check_deck};
use knave_agents::rng::below;
use knave_agents::{EnumerableChance, Game, Kit, Notation, NotationError, Rng, Seat, StepList, Tools, Turn};
use pile::Pile;
use rand::Rng as _;
use std::borrow::Cow;
use std::hint::select_unpredictable;

/// A position of verslun.
///
/// The columns of a fresh deal are laid out when the first cards are drawn: a game that ends before costs no
/// shuffling. Nothing but the speed depends on it; whoever looks at them sees them, by `laid_out`.
#[derive(Clone, Debug)]
pub struct Verslun {
    board: Board,
    pile: Pile,
}

/// All that the player knows: everything face up, and which cards the pile holds in some order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Everything face up.
    pub board: Board,
    /// The cards in the pile.
    pub unseen: CardSet,
}

/// A random event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// These cards fill the hand.
    Draw(CardSet),
    /// A column and a hand are dealt.
    Deal {
        /// The column from the bottom up, as [`Card::id`].
        column: [u8; HEIGHT],
        /// The hand.
        hand: CardSet,
    },
}

/// The points of all 52 cards: no game scores more, under any rules.
pub const ALL_POINTS: u16 = 340;

impl Verslun {
    /// Everything face up.
    #[must_use]
    pub fn board(&self) -> Board {
        self.laid_out().board
    }

    /// The number of cards in the pile.
    #[must_use]
    pub fn pile_len(&self) -> usize {
        self.pile.len()
    }

    /// The cards in the pile.
    #[must_use]
    pub fn unseen(&self) -> CardSet {
        self.laid_out().pile.cards()
    }

    #[inline]
    fn start(rules: &Rules, mut pile: Pile) -> Self {
        pile.put_aside(rules.laid_out());
        let mut board = Board {
            rules: *rules,
            phase: Phase::Turn,
            claimed: 0,
            points: 0,
            hand: CardSet::EMPTY,
            columns: [[0; HEIGHT]; MAX_COLUMNS],
            partners: [[0; HEIGHT]; MAX_COLUMNS],
            worth: [0; MAX_COLUMNS],
        };
        board.begin_turn(pile.len());
        Self { board, pile }
    }

    #[inline]
    fn lay_out(&mut self) {
        let columns = usize::from(self.board.rules.columns).min(MAX_COLUMNS);
        self.pile.lay_out(&mut self.board.columns[..columns]);
    }

    /// The position with its columns laid out.
    fn laid_out(&self) -> Cow<'_, Self> {
        if !self.pile.owes() {
            return Cow::Borrowed(self);
        }
        let mut position = self.clone();
        position.lay_out();
        Cow::Owned(position)
    }

    #[cold]
    fn listed_move(&self, buffer: &mut Vec<Move>, rng: &mut Rng) -> Move {
        self.moves(buffer);
        buffer[below(rng, buffer.len() as u32) as usize]
    }

    #[inline]
    fn take(&mut self, outcome: Chance) {
        match outcome {
            Chance::Draw(cards) => self.board.fill_hand(cards),
            Chance::Deal { column, hand } => self.board.fill_column(column, hand),
        }
    }
}

impl Game for Verslun {
    type Rules = Rules;
    type Move = Move;
    type Chance = Chance;
    type View = View;

    #[inline]
    fn deal(rules: &Rules, rng: &mut Rng) -> Self {
        let state = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        Self::start(rules, Pile::shuffled(Rng::new(state)))
    }

    #[inline]
    fn seats(&self) -> usize {
        1
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.board.phase {
            Phase::Turn | Phase::Redeal | Phase::Claim | Phase::End => Turn::Player(0),
            Phase::Drawing | Phase::Dealing => Turn::Chance,
            Phase::PileEmpty | Phase::NoClaim | Phase::Stopped => Turn::Over,
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.clear();
        self.board.moves(out);
    }

    fn is_legal(&self, m: Move) -> bool {
        self.board.is_legal(m)
    }

    #[inline]
    fn play(&mut self, m: Move) {
        if m == Move::Draw && self.pile.owes() {
            self.lay_out();
        }
        self.board.play(m, self.pile.len());
    }

    #[inline]
    fn roll(&mut self, _: &mut Rng) -> Chance {
        let outcome = if self.board.phase == Phase::Drawing {
            Chance::Draw(self.pile.draw(self.board.missing(self.pile.len())))
        } else {
            let column = self.pile.draw_column();
            Chance::Deal { column, hand: self.pile.draw(usize::from(self.board.rules.hand)) }
        };
        self.take(outcome);
        outcome
    }

    fn play_chance(&mut self, outcome: Chance) {
        match outcome {
            Chance::Draw(cards) => {
                self.pile.force(cards.into_iter().map(Card::id));
                self.pile.draw(cards.len());
            }
            Chance::Deal { column, hand } => {
                self.pile.force(column.into_iter().rev().chain(hand.into_iter().map(Card::id)));
                self.pile.draw(HEIGHT + hand.len());
            }
        }
        self.take(outcome);
    }

    fn utility(&self, _: Seat) -> f64 {
        f64::from(self.board.points) / f64::from(ALL_POINTS)
    }

    fn view(&self, _: Seat) -> View {
        let position = self.laid_out();
        View { board: position.board, unseen: position.pile.cards() }
    }

    fn sample_world(view: &View, rng: &mut Rng) -> Self {
        Self { board: view.board, pile: Pile::sample(view.unseen, rng) }
    }

    #[inline]
    fn random_move(&self, buffer: &mut Vec<Move>, rng: &mut Rng) -> Move {
        // A coin that no branch could foresee.
        let coin = |heads, tails, rng: &mut Rng| select_unpredictable(below(rng, 2) == 0, heads, tails);
        match self.board.phase {
            Phase::Turn => coin(Move::Draw, Move::Stay, rng),
            Phase::End => coin(Move::End, Move::On, rng),
            Phase::Redeal => self.board.random_redeal(rng),
            _ => claims::random(&self.board, rng).unwrap_or_else(|| self.listed_move(buffer, rng)),
        }
    }
}

/// The number of ways to draw `k` of `n` cards.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

impl EnumerableChance for Verslun {
    type Key = View;

    fn outcome_count(&self) -> u64 {
        let pile = self.pile.len();
        if self.board.phase == Phase::Drawing {
            return choose(pile as u64, self.board.missing(pile) as u64);
        }
        let columns = (0..HEIGHT).map(|i| (pile - i) as u64).product::<u64>();
        columns.saturating_mul(choose((pile - HEIGHT) as u64, u64::from(self.board.rules.hand)))
    }

    fn outcomes(&self, out: &mut Vec<(Chance, f64)>) {
        out.clear();
        let unseen = self.pile.cards().bits();
        let probability = 1.0 / self.outcome_count() as f64;
        if self.board.phase == Phase::Drawing {
            claims::subsets(unseen, self.board.missing(self.pile.len()), &mut |cards| {
                out.push((Chance::Draw(CardSet::from_bits(cards)), probability));
            });
            return;
        }
        claims::subsets(unseen, HEIGHT, &mut |cards| {
            orders(cards, &mut |column| {
                claims::subsets(unseen & !cards, usize::from(self.board.rules.hand), &mut |hand| {
                    let hand = CardSet::from_bits(hand);
                    out.push((Chance::Deal { column, hand }, probability));
                });
            });
        });
    }

    /// The view, with nothing but their points left of the claimed columns.
    fn key(&self) -> View {
        let mut view = self.view(0);
        for place in view.board.claimed() {
            (view.board.columns[place], view.board.partners[place]) = ([0; HEIGHT], [0; HEIGHT]);
        }
        view
    }
}

/// Calls `f` with every order of a column's four cards.
fn orders(cards: u64, f: &mut impl FnMut([u8; HEIGHT])) {
    fn go(left: u64, at: usize, column: &mut [u8; HEIGHT], f: &mut impl FnMut([u8; HEIGHT])) {
        if at == HEIGHT {
            return f(*column);
        }
        for card in CardSet::from_bits(left) {
            column[at] = card.id();
            go(left & !(1 << card.id()), at + 1, column, f);
        }
    }
    go(cards, 0, &mut [0; HEIGHT], f);
}

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
        turn::steps(&self.board, self.pile.len(), out);
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
