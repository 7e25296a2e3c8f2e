//! The position, board and pile, and the game that is played with it.

use super::binomial::choose;
use super::bits::subsets;
use super::board::{Board, Phase};
use super::claims;
use super::deck::ALL_POINTS;
use super::moves::Move;
use super::pile::Pile;
use super::random_claim::random_claim;
use super::rules::{HEIGHT, MAX_COLUMNS, Rules};
use super::view::View;
use crate::cards::{Card, CardSet};
use knave_agents::rng::{below, split};
use knave_agents::{EnumerableChance, Game, Rng, Seat, Turn};
use std::borrow::Cow;
use std::hint::select_unpredictable;

/// A position of verslun.
///
/// The columns of a fresh deal are laid out when the first cards are drawn: a game that ends before costs no
/// shuffling. Only the speed depends on it, for every look at them goes by `laid_out`.
#[derive(Clone, Debug)]
pub struct Verslun {
    pub(super) board: Board,
    pub(super) pile: Pile,
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
    pub(super) fn start(rules: &Rules, mut pile: Pile) -> Self {
        pile.put_aside(rules.laid_out());
        let mut board = Board::new(rules);
        board.begin_turn(pile.len());
        Self { board, pile }
    }

    #[inline]
    pub(super) fn lay_out(&mut self) {
        let columns = usize::from(self.board.rules.columns).min(MAX_COLUMNS);
        self.pile.lay_out(&mut self.board.columns[..columns]);
    }

    /// The position with its columns laid out.
    pub(super) fn laid_out(&self) -> Cow<'_, Self> {
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

    /// Fills the hand from the pile, and returns the cards drawn.
    #[inline]
    pub(super) fn draw(&mut self) -> CardSet {
        let cards = self.pile.draw(self.board.missing(self.pile.len()));
        self.board.fill_hand(cards);
        cards
    }

    /// Deals a new column, from the bottom up, and a new hand.
    #[inline]
    pub(super) fn redeal(&mut self) -> ([u8; HEIGHT], CardSet) {
        let (column, hand) = (self.pile.draw_column(), self.pile.draw(usize::from(self.board.rules.hand)));
        self.board.fill_column(column, hand);
        (column, hand)
    }
}

impl Game for Verslun {
    type Rules = Rules;
    type Move = Move;
    type Chance = Chance;
    type View = View;

    #[inline]
    fn deal(rules: &Rules, rng: &mut Rng) -> Self {
        Self::start(rules, Pile::shuffled(split(rng)))
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
        match self.board.phase {
            Phase::Turn => out.extend([Move::Draw, Move::Stay]),
            Phase::Redeal => {
                out.extend(self.board.claimed().map(|place| Move::Redeal(place as u8)));
                out.push(Move::Keep);
            }
            Phase::Claim => {
                claims::list(&self.board, |claim| out.push(Move::Claim(claim)));
                out.sort_unstable();
                out.push(Move::Pass);
            }
            Phase::End => out.extend([Move::End, Move::On]),
            _ => {}
        }
    }

    fn is_legal(&self, m: Move) -> bool {
        match (self.board.phase, m) {
            (Phase::Turn, Move::Draw | Move::Stay)
            | (Phase::Redeal, Move::Keep)
            | (Phase::Claim, Move::Pass)
            | (Phase::End, Move::End | Move::On) => true,
            (Phase::Redeal, Move::Redeal(column)) => self.board.is_claimed(usize::from(column)),
            (Phase::Claim, Move::Claim(claim)) => claims::canonical(&self.board, &claim) == Some(claim),
            _ => false,
        }
    }

    // Always inlined: where the kind of move is known, nothing is left of the others.
    #[inline(always)]
    fn play(&mut self, m: Move) {
        if m == Move::Draw && self.pile.owes() {
            self.lay_out();
        }
        self.board.play(m, self.pile.len());
    }

    #[inline]
    fn roll(&mut self, _: &mut Rng) -> Chance {
        if self.board.phase == Phase::Drawing {
            return Chance::Draw(self.draw());
        }
        let (column, hand) = self.redeal();
        Chance::Deal { column, hand }
    }

    fn play_chance(&mut self, outcome: Chance) {
        match outcome {
            Chance::Draw(cards) => {
                self.pile.force(cards.into_iter().map(Card::id));
                self.pile.draw(cards.len());
                self.board.fill_hand(cards);
            }
            Chance::Deal { column, hand } => {
                self.pile.force(column.into_iter().rev().chain(hand.into_iter().map(Card::id)));
                self.pile.draw(HEIGHT + hand.len());
                self.board.fill_column(column, hand);
            }
        }
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
        // A coin without a branch that would be mispredicted.
        let coin = |heads, tails, rng: &mut Rng| select_unpredictable(below(rng, 2) == 0, heads, tails);
        match self.board.phase {
            Phase::Turn => coin(Move::Draw, Move::Stay, rng),
            Phase::End => coin(Move::End, Move::On, rng),
            Phase::Redeal => self.board.random_redeal(rng),
            _ => random_claim(&self.board, rng).unwrap_or_else(|| self.listed_move(buffer, rng)),
        }
    }
}

impl EnumerableChance for Verslun {
    type Key = View;

    fn outcome_count(&self) -> u64 {
        let pile = self.pile.len();
        if self.board.phase == Phase::Drawing {
            return choose(pile, self.board.missing(pile));
        }
        let columns = (0..HEIGHT).map(|i| (pile - i) as u64).product::<u64>();
        columns.saturating_mul(choose(pile - HEIGHT, usize::from(self.board.rules.hand)))
    }

    fn outcomes(&self, out: &mut Vec<(Chance, f64)>) {
        out.clear();
        let unseen = self.pile.cards().bits();
        let probability = 1.0 / self.outcome_count() as f64;
        if self.board.phase == Phase::Drawing {
            subsets(unseen, self.board.missing(self.pile.len()), &mut |cards| {
                out.push((Chance::Draw(CardSet::from_bits(cards)), probability));
            });
            return;
        }
        subsets(unseen, HEIGHT, &mut |cards| {
            orders(cards, &mut |column| {
                subsets(unseen & !cards, usize::from(self.board.rules.hand), &mut |hand| {
                    let hand = CardSet::from_bits(hand);
                    out.push((Chance::Deal { column, hand }, probability));
                });
            });
        });
    }

    /// The view without the cards of claimed columns: only their points still matter.
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
