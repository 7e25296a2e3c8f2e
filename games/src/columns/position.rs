//! The position: board, hands and stock, with the random events of the game.

use super::board::{Board, Due, Phase};
use super::move_sets::{self, MoveSets};
use super::moves::Move;
use super::pile::{Order, Stock};
use super::rules::{HAND, PAIRS, Rules};
use super::view::View;
use crate::cards::{Card, CardSet};
use knave_agents::rng::below;
use knave_agents::{Game, Rng, Seat, Turn};

/// The number of cards that are dealt before the first roll.
pub(super) const DEALT: usize = 2 * HAND + 2 * PAIRS;

/// A position of columns.
#[derive(Clone, Debug)]
pub struct Columns {
    pub(super) board: Board,
    pub(super) hands: [CardSet; 2],
    /// The cards in either hand that the other player can infer: they were held when the stock ran out.
    pub(super) revealed: CardSet,
    pub(super) stock: Stock,
    pub(super) move_sets: MoveSets,
}

/// A random event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// The dice as they were rolled, 0 after the last. Hands are replenished first.
    Roll([u8; 3]),
    /// A player who ran out of cards draws seven.
    Draw,
    /// The stolen pile becomes the stock in this order while cards are being drawn.
    Reshuffle(Order),
}

impl Columns {
    /// Everything face up.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The hand of a seat.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.hands[seat]
    }

    /// The number of cards in the stock.
    #[must_use]
    pub fn stock_len(&self) -> usize {
        self.stock.len()
    }

    pub(super) fn start(rules: &Rules, order: Order) -> Self {
        let mut stock = Stock::new(order);
        let mut hand = || (0..HAND).map(|_| stock.draw()).collect();
        let hands = [hand(), hand()];
        let mut bases = || std::array::from_fn(|_| stock.draw());
        let board = Board::new(rules, [bases(), bases()]);
        let move_sets = MoveSets::of(&board);
        Self { board, hands, revealed: CardSet::EMPTY, stock, move_sets }
    }

    /// Fills the hands as far as the stock goes, by turns from `next` on; full hands are skipped.
    ///
    /// In mid-play only the mover draws, having run out. After a round both draw, the new roller first. Returns the
    /// seat that draws next when the stock runs out.
    fn fill(&mut self, mut next: Seat) -> Seat {
        let mut wanted = [HAND - self.hands[0].len(), HAND - self.hands[1].len()];
        if matches!(self.board.phase, Phase::First | Phase::Second) {
            wanted[1 - self.board.mover()] = 0;
        }
        for _ in 0..self.stock.len().min(wanted[0] + wanted[1]) {
            let seat = if wanted[next] > 0 { next } else { 1 - next };
            self.hands[seat].insert(self.stock.draw());
            wanted[seat] -= 1;
            next = 1 - seat;
        }
        next
    }

    /// The draw that is due when this many cards are wanted.
    fn due(&self, wanted: usize) -> Due {
        match self.stock.len() {
            stock if wanted > stock && !self.board.stolen.is_empty() => Due::Reshuffle,
            0 => Due::Nothing,
            _ => Due::Draw,
        }
    }

    /// Takes a card that was played from the hand of the seat.
    fn discard(&mut self, seat: Seat, card: Card) {
        self.hands[seat].remove(card);
        self.revealed.remove(card);
        if self.hands[seat].is_empty() {
            self.board.due = self.due(HAND);
        }
    }

    fn done(&mut self) {
        self.board.done();
        if self.board.phase == Phase::Second {
            self.move_sets.begin(&self.board);
            return;
        }
        // Without a reshuffle the hands are filled when the dice are rolled.
        let due = self.due(2 * HAND - self.hands[0].len() - self.hands[1].len());
        if due == Due::Reshuffle {
            self.board.due = due;
        } else if self.board.phase == Phase::Over {
            self.fill(self.board.mover());
        }
    }

    fn rolled(&mut self, dice: [u8; 3]) {
        self.fill(self.board.mover());
        self.board.rolled = dice;
        self.board.phase = Phase::Place;
    }
}

impl Game for Columns {
    type Rules = Rules;
    type Move = Move;
    type Chance = Chance;
    type View = View;

    fn deal(rules: &Rules, rng: &mut Rng) -> Self {
        Self::start(rules, Order::shuffled_deck(rng))
    }

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.board.due != Due::Nothing {
            return Turn::Shuffle;
        }
        match self.board.phase {
            Phase::Roll => Turn::Chance,
            Phase::Over => Turn::Over,
            Phase::Place | Phase::First | Phase::Second => Turn::Player(self.board.mover()),
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.clear();
        let board = &self.board;
        match self.turn() {
            Turn::Player(_) if board.phase == Phase::Place => {
                board.placements(|dice| out.push(Move::Place(dice)));
            }
            Turn::Player(seat) => {
                let held = |cards: CardSet| cards & self.hands[seat];
                for pair in 0..PAIRS {
                    out.extend(
                        held(board.playable(pair)).into_iter().map(|card| Move::Play(pair as u8, card)),
                    );
                }
                for pair in 0..PAIRS {
                    out.extend(
                        held(board.stealing(pair)).into_iter().map(|card| Move::Steal(pair as u8, card)),
                    );
                }
                out.extend(
                    (0..PAIRS)
                        .filter(|&pair| board.may_finish(seat, pair))
                        .map(|pair| Move::Finish(pair as u8)),
                );
                out.push(Move::Done);
            }
            _ => {}
        }
    }

    // Always inlined: where the kind of move is known, nothing is left of the others.
    #[inline(always)]
    fn play(&mut self, m: Move) {
        let seat = self.board.mover();
        match m {
            Move::Place(dice) => {
                self.board.place(dice);
                self.move_sets.begin(&self.board);
            }
            Move::Play(pair, card) => {
                self.board.add(usize::from(pair), card);
                self.move_sets.played(&self.board, seat, usize::from(pair));
                self.discard(seat, card);
            }
            Move::Steal(pair, card) => {
                self.board.steal(usize::from(pair), card);
                self.move_sets.stole(seat, usize::from(pair));
                self.discard(seat, card);
            }
            Move::Finish(pair) => {
                self.board.finish(usize::from(pair));
                self.move_sets.finished(&self.board, seat, usize::from(pair));
            }
            Move::Done => self.done(),
        }
    }

    fn roll(&mut self, rng: &mut Rng) -> Chance {
        match self.board.due {
            Due::Nothing => {
                // One number holds all dice.
                let mut luck = below(rng, 6 * 6 * 6) as u8;
                let mut dice = [0; 3];
                for die in &mut dice[..self.board.dice_count()] {
                    *die = luck % 6 + 1;
                    luck /= 6;
                }
                self.rolled(dice);
                Chance::Roll(dice)
            }
            Due::Draw => {
                self.play_chance(Chance::Draw);
                Chance::Draw
            }
            Due::Reshuffle => {
                let outcome = Chance::Reshuffle(Order::shuffled(self.board.stolen, rng));
                self.play_chance(outcome);
                outcome
            }
        }
    }

    fn play_chance(&mut self, outcome: Chance) {
        match outcome {
            Chance::Roll(dice) => self.rolled(dice),
            Chance::Draw => {
                self.board.due = Due::Nothing;
                self.fill(self.board.mover());
            }
            Chance::Reshuffle(order) => {
                self.board.due = Due::Nothing;
                let next = self.fill(self.board.mover());
                // The stock is gone: what a player does not see now is in the other's hand.
                self.revealed = self.hands[0] | self.hands[1];
                self.board.stolen = CardSet::EMPTY;
                self.board.reshuffles += 1;
                self.stock = Stock::new(order);
                self.fill(next);
            }
        }
    }

    fn utility(&self, seat: Seat) -> f64 {
        match self.board.winner() {
            Some(winner) => f64::from(u8::from(winner == seat)),
            None => 0.5,
        }
    }

    fn view(&self, seat: Seat) -> View {
        View {
            board: self.board,
            seat: seat as u8,
            hand: self.hands[seat],
            revealed: self.revealed,
            unseen: self.stock.left() | (self.hands[1 - seat] - self.revealed),
            stock: self.stock.len() as u8,
        }
    }

    fn sample_world(view: &View, rng: &mut Rng) -> Self {
        let seat = usize::from(view.seat);
        let mut hands = [view.hand; 2];
        let mut order = Stock::new(Order::shuffled(view.unseen, rng));
        let mut other = view.known();
        for _ in usize::from(view.stock)..view.unseen.len() {
            other.insert(order.draw());
        }
        hands[1 - seat] = other;
        Self {
            board: view.board,
            hands,
            revealed: view.revealed,
            stock: order,
            move_sets: MoveSets::of(&view.board),
        }
    }

    #[inline]
    fn random_move(&self, _: &mut Vec<Move>, rng: &mut Rng) -> Move {
        if self.board.phase == Phase::Place {
            return move_sets::random_placement(&self.board, rng);
        }
        let seat = self.board.mover();
        self.move_sets.random_move(seat, self.hands[seat], rng)
    }

    fn is_legal(&self, m: Move) -> bool {
        let (board, Turn::Player(seat)) = (&self.board, self.turn()) else {
            return false;
        };
        let playing = board.phase != Phase::Place;
        let hand = self.hands[seat];
        let pair = |pair: u8| Some(usize::from(pair)).filter(|&pair| playing && pair < PAIRS);
        match m {
            Move::Place(dice) => !playing && board.may_place(dice),
            Move::Play(p, card) => {
                pair(p).is_some_and(|p| hand.contains(card) && board.playable(p).contains(card))
            }
            Move::Steal(p, card) => {
                pair(p).is_some_and(|p| hand.contains(card) && board.stealing(p).contains(card))
            }
            Move::Finish(p) => pair(p).is_some_and(|p| board.may_finish(seat, p)),
            Move::Done => playing,
        }
    }
}
