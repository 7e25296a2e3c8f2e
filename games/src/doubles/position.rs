//! The position: board and hands, with the random events of the game.

use super::board::{Board, Hands, NO_ONE, Phase};
use super::moves::Move;
use super::pile::Deck;
use super::rules::{MAX_CARDS, Rules};
use super::view::View;
use crate::cards::{Card, CardSet, ids};
use crate::shuffle::CARDS;
use knave_agents::rng::{Role, below, stream};
use knave_agents::{Event, Game, Rng, Seat, Turn};
use rand::Rng as _;
use std::hint::select_unpredictable;

/// A position of doubles.
#[derive(Clone, Debug)]
pub struct Doubles {
    pub(super) board: Board,
    pub(super) hands: Hands,
    /// The deck of the first game.
    pub(super) deck: Deck,
    /// The seed of the further decks of a match, so that they do not depend on the dice rolled before. `None` where
    /// they are not settled.
    pub(super) decks: Option<u64>,
}

/// A random event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// Two dice, in the order rolled.
    Roll([u8; 2]),
    /// The deck of the next game, top first, as [`Card::id`]; 0 after the last.
    Deck([u8; CARDS]),
}

/// Deals cards one at a time from the top, seat 0 first.
fn deal(ids: &[u8], players: u8) -> Hands {
    let mut hands = Hands::default();
    for round in ids.chunks(usize::from(players)) {
        for (hand, &id) in hands.iter_mut().zip(round) {
            hand.insert(Card::from_id(id));
        }
    }
    hands
}

impl Doubles {
    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The hand of a seat.
    ///
    /// # Panics
    /// If no game has such a seat.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.hands[seat]
    }

    pub(super) fn start(rules: &Rules, mut deck: Deck, decks: Option<u64>) -> Self {
        let hands = deal(deck.top(rules.dealt()), rules.players);
        Self { board: Board::new(rules, deck.cards()), hands, deck, decks }
    }

    pub(super) fn mover_hand(&self) -> CardSet {
        self.hands[usize::from(self.board.mover)]
    }
}

/// The outcomes of a roll.
const DICE: [[u8; 2]; 36] = {
    let (mut dice, mut outcome) = ([[0; 2]; 36], 0);
    while outcome < 36 {
        dice[outcome] = [outcome as u8 / 6 + 1, outcome as u8 % 6 + 1];
        outcome += 1;
    }
    dice
};

/// Two dice, in the order rolled.
#[inline]
pub(super) fn dice(rng: &mut Rng) -> [u8; 2] {
    DICE[below(rng, DICE.len() as u32) as usize]
}

/// The nth card of a hand, counted from 0, as [`Card::id`]; a number of no card where there are too few.
#[inline]
fn nth(hand: CardSet, n: u32) -> u8 {
    let mut bits = hand.bits();
    // No branches, for the number cannot be predicted.
    for i in 0..MAX_CARDS as u32 {
        bits &= bits.wrapping_sub(u64::from(i < n));
    }
    bits.trailing_zeros() as u8
}

impl Game for Doubles {
    type Rules = Rules;
    type Move = Move;
    type Chance = Chance;
    type View = View;

    /// Who cannot challenge is not asked.
    const PUBLIC_HISTORY: bool = false;

    /// A pass that a player had to make looks like any other.
    fn tell(&self, event: Event<Self>, history: &mut Vec<Event<Self>>) {
        let board = &self.board;
        // The first that could have been asked, and the players from there on of whom nobody was.
        let (first, passes) = match event {
            Event::Move(_, Move::POCKET | Move::ROLL) | Event::Shuffle => (board.roller, 0),
            // Doubles ask the first who has a card.
            Event::Chance(_) if board.phase == Phase::Forced => (board.roller, 0),
            Event::Chance(_) if board.phase == Phase::Choose => (board.roller, board.players),
            Event::Chance(_) => (board.roller, board.places(board.roller, board.mover)),
            Event::Move(seat, _) => {
                let first = board.left_of(seat as u8);
                // The round is over once it has come back to the last challenger, or else to the roller.
                let until = match (board.phase, board.challenger) {
                    (Phase::Challenge, _) => board.mover,
                    (_, NO_ONE) => board.roller,
                    (_, challenger) => challenger,
                };
                (first, board.places(first, until))
            }
        };
        history.push(event);
        let seats = std::iter::successors(Some(first), |&seat| Some(board.left_of(seat)));
        history.extend(seats.take(passes.into()).map(|seat| Event::Move(seat.into(), Move::PASS)));
    }

    #[inline]
    fn deal(rules: &Rules, rng: &mut Rng) -> Self {
        let deck = Deck::shuffled(rng);
        Self::start(rules, deck, (rules.target > 0).then(|| rng.next_u64()))
    }

    fn seats(&self) -> usize {
        usize::from(self.board.players)
    }

    fn turn(&self) -> Turn {
        match self.board.phase {
            Phase::Roll => Turn::Chance,
            Phase::Forced | Phase::Challenge | Phase::Choose => Turn::Player(usize::from(self.board.mover)),
            Phase::Shuffle => Turn::Shuffle,
            Phase::Over => Turn::Over,
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.clear();
        match self.board.phase {
            Phase::Forced => out.extend(self.mover_hand().into_iter().map(Move::challenge)),
            Phase::Challenge => {
                out.push(Move::PASS);
                out.extend(self.board.playable(self.mover_hand()).into_iter().map(Move::challenge));
            }
            Phase::Choose => out.extend([Move::POCKET, Move::ROLL]),
            Phase::Roll | Phase::Shuffle | Phase::Over => {}
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        match m {
            Move::POCKET => self.board.pocketed(),
            Move::ROLL => self.board.roll_due(),
            _ => self.board.answered(m.card(), &mut self.hands),
        }
    }

    #[inline]
    fn roll(&mut self, rng: &mut Rng) -> Chance {
        if self.board.phase == Phase::Roll {
            let dice = dice(rng);
            self.board.rolled(dice, &self.hands);
            return Chance::Roll(dice);
        }
        let deck = self.board.deck;
        let outcome = Chance::Deck(match self.decks {
            Some(key) => shuffled(deck, &mut stream(key, u64::from(self.board.game) + 1, Role::Deal)),
            None => shuffled(deck, rng),
        });
        self.play_chance(outcome);
        outcome
    }

    fn play_chance(&mut self, outcome: Chance) {
        match outcome {
            Chance::Roll(dice) => self.board.rolled(dice, &self.hands),
            Chance::Deck(ids) => {
                self.board.next_game();
                self.hands = deal(&ids[..usize::from(self.board.held)], self.board.players);
            }
        }
    }

    /// The seat's share of the win, which all winners share equally.
    fn utility(&self, seat: Seat) -> f64 {
        if !self.board.leads(seat as u8) {
            return 0.0;
        }
        1.0 / (0..self.seats()).filter(|&other| self.board.leads(other as u8)).count() as f64
    }

    fn view(&self, seat: Seat) -> View {
        let counts = self.hands.map(|hand| hand.len() as u8);
        View { board: self.board, counts, seat: seat as u8, hand: self.hands[seat] }
    }

    /// The other hands are uniform over the unseen cards: a pass excludes none, and every challenge was seen.
    fn sample_world(view: &View, rng: &mut Rng) -> Self {
        let unseen = view.unseen();
        let mut ids: [u8; CARDS] = ids(unseen);
        let mut hands = Hands::default();
        let mut next = 0;
        for (seat, hand) in hands.iter_mut().enumerate() {
            if seat == usize::from(view.seat) {
                *hand = view.hand;
                continue;
            }
            for _ in 0..view.counts[seat] {
                ids.swap(next, next + below(rng, (unseen.len() - next) as u32) as usize);
                hand.insert(Card::from_id(ids[next]));
                next += 1;
            }
        }
        Self { board: view.board, hands, deck: Deck::none(), decks: None }
    }

    #[inline]
    fn random_move(&self, _: &mut Vec<Move>, rng: &mut Rng) -> Move {
        let phase = self.board.phase;
        if phase == Phase::Choose {
            return select_unpredictable(below(rng, 2) == 0, Move::POCKET, Move::ROLL);
        }
        let cards = self.board.playable(self.mover_hand());
        let count = cards.len() as u32;
        let pick = below(rng, count + u32::from(phase == Phase::Challenge));
        let challenge = Move::from_id(nth(cards, pick));
        select_unpredictable(pick == count, Move::PASS, challenge)
    }
}

/// The cards in a uniformly random order, as [`Card::id`]; 0 after the last. It stands beside [`shuffle`](crate::shuffle), which
/// draws other numbers: with that every seed would give other decks later in a match.
fn shuffled(cards: CardSet, rng: &mut Rng) -> [u8; CARDS] {
    let mut ids = ids(cards);
    for place in (1..cards.len()).rev() {
        ids.swap(place, below(rng, place as u32 + 1) as usize);
    }
    ids
}
