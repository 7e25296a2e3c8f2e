//! Whole phases of play: every outcome of the rest of a phase, each once.
//!
//! An outcome is what lies on the table and in the hand when the phase ends. Nothing that a player does in one pair
//! changes what may be done in another but by the cards that it takes from the hand, and a column is best finished
//! when no more cards are to go there, so the pairs are played one after another and columns finished at the end. Within a pair
//! another order of the same cards is another outcome or not legal: cards of one rank come in one row, and a row of ranks
//! has one direction.
//!
//! Two reductions lose nothing.
//!
//! - *Suits.* The rules look at ranks only, so positions that differ by an exchange of two cards of a rank are worth the
//!   same, except for what the opponent knows. Of the cards of a rank those that the opponent knows of are played
//!   first: in a game of two where one wins what the other loses, it never helps a player that the other knows more.
//! - *Winning.* A phase that can win has that outcome alone, for none is worth more.
//!
//! A player who plays the last card draws seven and plays on, so a step ends there when there is anything to draw.
//! Whatever could have been finished before can be finished after; such outcomes are listed all the same as far as
//! they can be reached before the last card, for evaluators that value what is done and not what can be done.

use super::board::{Board, Phase};
use super::moves::Move;
use super::rules::PAIRS;
use crate::cards::{Card, CardSet};
use arrayvec::ArrayVec;

/// The most moves of a step: seven cards, four columns to finish, and `done`.
const LONGEST: usize = 12;

/// One way to play the rest of a phase.
pub struct Outcome<'a> {
    /// What lies face up after it; [`Board::due`] is left alone, whatever has to be drawn.
    pub board: &'a Board,
    /// The cards left in the hand.
    pub hand: CardSet,
    /// The moves that lead there.
    pub moves: &'a [Move],
    /// Whether it wins, or cannot but win once the cards are drawn; it is then the only one that counts, and
    /// the last that is given.
    pub wins: bool,
}

type Line = ArrayVec<Move, LONGEST>;

struct Search<'a, F> {
    open: CardSet,
    /// The number of cards in the stock.
    stock: usize,
    /// What was done in each pair.
    lines: [ArrayVec<Move, 7>; PAIRS],
    visit: &'a mut F,
    won: bool,
}

/// Calls `visit` with every outcome of the rest of the phase of the player whose turn it is, who holds `hand`; `open` are
/// cards that the opponent knows of, `stock` is the number of cards in the stock. An outcome that wins is the last.
pub fn outcomes(
    board: &Board,
    hand: CardSet,
    open: CardSet,
    stock: usize,
    mut visit: impl FnMut(Outcome<'_>),
) {
    let mut search = Search { open, stock, lines: Default::default(), visit: &mut visit, won: false };
    search.pair(0, board, hand);
}

impl<F: FnMut(Outcome<'_>)> Search<'_, F> {
    /// All that can be done in this pair and the following ones.
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

    /// One more card to the own column, and whatever may follow.
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

    /// The card to play of several of a rank.
    fn pick(&self, cards: CardSet) -> Card {
        let known = cards & self.open;
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
