//! Steps: every outcome of the rest of a phase of play, each once.
//!
//! An outcome is the board and the hand when the phase ends. Pairs depend on each other only through the cards that they
//! take from the hand. A column is best finished when no more cards are to go there. So the pairs are played one after
//! another, and columns are finished at the end. Within a pair another order of the same cards is another outcome or not
//! legal: cards of one rank come in a row, and a row of ranks has one direction.
//!
//! Two reductions lose nothing:
//!
//! - *Suits.* The rules look at ranks alone, so two cards of a rank are interchangeable, except for what the opponent
//!   knows. Cards that the opponent knows of are played first: in a zero-sum game of two, it never helps that the other
//!   knows more.
//! - *Winning.* A phase that can win has that outcome alone, for none is worth more.
//!
//! A player who plays the last card draws seven and plays on, so a step ends there when there is anything to draw. A
//! column that could be finished before the draw can be finished after it. Both outcomes are listed, for evaluators that
//! value only what is done already.

use super::board::{Board, Phase};
use super::moves::Move;
use super::rules::PAIRS;
use crate::cards::{Card, CardSet};
use arrayvec::ArrayVec;

/// The most moves in a step: seven cards, four columns to finish, and `done`.
const LONGEST: usize = 12;

/// An outcome of the rest of a phase.
pub struct Outcome<'a> {
    /// The board after it. [`Board::due`] is not set, even where a draw is due.
    pub board: &'a Board,
    /// The cards left in the hand.
    pub hand: CardSet,
    /// The moves that lead there.
    pub moves: &'a [Move],
    /// Whether it wins, for certain once the cards are drawn. It is then the last outcome, and the only one that counts.
    pub wins: bool,
}

type Line = ArrayVec<Move, LONGEST>;

struct Search<'a, F> {
    revealed: CardSet,
    /// The number of cards in the stock.
    stock: usize,
    /// The moves in each pair so far.
    lines: [ArrayVec<Move, 7>; PAIRS],
    visit: &'a mut F,
    won: bool,
}

/// Calls `visit` with every outcome of the rest of the mover's phase; an outcome that wins is the last.
///
/// The mover holds `hand`. The opponent knows of the cards in `revealed`. The stock has `stock` cards.
pub fn outcomes(
    board: &Board,
    hand: CardSet,
    revealed: CardSet,
    stock: usize,
    mut visit: impl FnMut(Outcome<'_>),
) {
    let mut search = Search { revealed, stock, lines: Default::default(), visit: &mut visit, won: false };
    search.pair(0, board, hand);
}

impl<F: FnMut(Outcome<'_>)> Search<'_, F> {
    /// All ways to play in this pair and the following ones.
    fn pair(&mut self, pair: usize, board: &Board, hand: CardSet) {
        if self.won {
            return;
        }
        if pair == PAIRS {
            self.finish(board, hand);
            return;
        }
        self.pair(pair + 1, board, hand);
        let steals = board.stealing(pair) & hand;
        if !steals.is_empty() {
            let card = self.pick(steals);
            let (mut board, mut hand) = (*board, hand);
            board.steal(pair, card);
            hand.remove(card);
            self.lines[pair].push(Move::Steal(pair as u8, card));
            self.pair(pair + 1, &board, hand);
            self.lines[pair].pop();
        }
        self.cards(pair, board, hand);
    }

    /// All ways to play one more card or several to the own column.
    fn cards(&mut self, pair: usize, board: &Board, hand: CardSet) {
        let mut playable = board.playable(pair) & hand;
        while !playable.is_empty() {
            let of_rank = CardSet::of_rank((playable.bits().trailing_zeros() & 15) as u8);
            let card = self.pick(playable & of_rank);
            playable -= of_rank;
            let (mut board, mut hand) = (*board, hand);
            board.add(pair, card);
            hand.remove(card);
            self.lines[pair].push(Move::Play(pair as u8, card));
            self.pair(pair + 1, &board, hand);
            if !self.won {
                self.cards(pair, &board, hand);
            }
            self.lines[pair].pop();
        }
    }

    /// The card to play among several of a rank.
    fn pick(&self, cards: CardSet) -> Card {
        let known = cards & self.revealed;
        let among = if known.is_empty() { cards } else { known };
        Card::from_id(among.bits().trailing_zeros() as u8)
    }

    /// Every choice of columns to finish, once the cards are played.
    fn finish(&mut self, board: &Board, hand: CardSet) {
        let ripe = (0..PAIRS)
            .fold(0_u8, |ripe, pair| ripe | u8::from(board.may_finish(board.mover(), pair)) << pair);
        let played = self.lines.iter().any(|line| !line.is_empty());
        let draws = played && hand.is_empty() && (self.stock > 0 || !board.stolen.is_empty());
        // All subsets, the largest first.
        let mut chosen = ripe;
        loop {
            let mut after = *board;
            let legal = bits(chosen).all(|pair| {
                let may = after.may_finish(board.mover(), pair);
                if may {
                    after.finish(pair);
                }
                may
            });
            if legal {
                self.end(&mut after, hand, chosen, draws);
            }
            if chosen == 0 || self.won {
                return;
            }
            chosen = (chosen - 1) & ripe;
        }
    }

    fn end(&mut self, after: &mut Board, hand: CardSet, chosen: u8, draws: bool) {
        let mut moves = Line::new();
        let wins = after.phase == Phase::Over;
        if draws && !wins {
            // The last card comes last, so it does not go to a column that is finished before.
            let last = (0..PAIRS).find(|&pair| match self.lines[pair].first() {
                Some(Move::Play(..)) => chosen >> pair & 1 == 0,
                first => first.is_some(),
            });
            let Some(last) = last else {
                return;
            };
            for pair in (0..PAIRS).filter(|&pair| pair != last) {
                moves.extend(self.lines[pair].iter().copied());
            }
            moves.extend(bits(chosen).map(|pair| Move::Finish(pair as u8)));
            moves.extend(self.lines[last].iter().copied());
        } else {
            moves.extend(self.lines.iter().flatten().copied());
            if !draws {
                moves.extend(bits(chosen).map(|pair| Move::Finish(pair as u8)));
            }
            if !wins {
                moves.push(Move::Done);
                after.done();
            }
        }
        self.won |= wins;
        (self.visit)(Outcome { board: after, hand, moves: &moves, wins });
    }
}

/// The pairs of a set.
fn bits(set: u8) -> impl Iterator<Item = usize> {
    (0..PAIRS).filter(move |&pair| set >> pair & 1 == 1)
}
