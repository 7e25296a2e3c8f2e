//! `doubles`: Doubles by Dave Milovich (2004), for two to seven players.
//!
//! A roller puts stakes on the table with two dice; the players outbid each other for them with cards, and
//! the roller may pocket stakes that nobody challenges. After the deal only the dice are random, and in a
//! match the deck of every further game.

mod board;
mod moves;
mod pile;
mod rules;
mod tally;
pub mod value;

#[cfg(test)]
mod tests;

pub use board::{Hands, NO_ONE, Phase, Table};
pub use moves::Move;
pub use rules::{Rules, Teams};
pub use tally::DoublesTally;

use crate::cards::{Card, CardSet};
use crate::games::{CardGame, ChanceRecord, DeckError, check_deck};
use knave_agents::game::MAX_SEATS;
use knave_agents::rng::{Role, below, stream};
use knave_agents::{
    Evaluator, Game, Notation, NotationError, Policy, Rng, Seat, StepList, Steps, Tools, Turn,
};
use pile::{CARDS, Deck};
use rand::Rng as _;
use std::hint::select_unpredictable;
use std::sync::Arc;
use value::rule as heuristic;

/// A position.
#[derive(Clone, Debug)]
pub struct Doubles {
    table: Table,
    hands: Hands,
    /// The deck that was dealt from at first.
    deck: Deck,
    /// What the decks of the further games of a match follow from, with the number of the game: the dice that were
    /// rolled before must not matter. `None` where nothing of them is settled.
    decks: Option<u64>,
}

/// A random event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// Two dice, in the order rolled.
    Roll([u8; 2]),
    /// The deck of the next game, top first, as [`Card::id`]; 0 after the last.
    Deck([u8; CARDS]),
}

/// All that one seat knows.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// What everybody sees.
    pub table: Table,
    /// How many cards the seats hold.
    pub counts: [u8; MAX_SEATS],
    /// The seat.
    pub seat: u8,
    /// Its hand.
    pub hand: CardSet,
}

impl View {
    /// The cards that the seat has not seen: those in other hands and those out of play.
    #[must_use]
    pub fn unseen(&self) -> CardSet {
        CardSet::from_bits(self.table.deck.bits() & !self.table.played.bits() & !self.hand.bits())
    }
}

/// The cards of a deck's order, dealt one at a time from the top, seat 0 first.
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
    /// What everybody sees.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The hand of a seat.
    ///
    /// # Panics
    /// If no game has such a seat.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.hands[seat]
    }

    /// Calls `each` with the moves of the player whose turn it is, in order, but of the cards of one rank with
    /// one: only ranks are compared, and what has been seen of a rank tells the same whatever the suits.
    pub fn distinct_moves(&self, mut each: impl FnMut(Move)) {
        match self.table.phase {
            Phase::Choose => {
                each(Move::POCKET);
                each(Move::ROLL);
                return;
            }
            Phase::Challenge => each(Move::PASS),
            Phase::Forced => {}
            Phase::Roll | Phase::Shuffle | Phase::Over => return,
        }
        let mut ranks = 0_u16;
        for card in self.table.playable(self.mover_hand()) {
            if ranks >> card.rank() & 1 == 0 {
                ranks |= 1 << card.rank();
                each(Move::challenge(card));
            }
        }
    }

    fn start(rules: &Rules, mut deck: Deck, decks: Option<u64>) -> Self {
        let hands = deal(deck.top(rules.dealt()), rules.players);
        Self { table: Table::new(rules, deck.cards()), hands, deck, decks }
    }

    fn mover_hand(&self) -> CardSet {
        self.hands[usize::from(self.table.mover)]
    }
}

/// The two dice by the number of the outcome.
const DICE: [[u8; 2]; 36] = {
    let (mut dice, mut outcome) = ([[0; 2]; 36], 0);
    while outcome < 36 {
        dice[outcome] = [outcome as u8 / 6 + 1, outcome as u8 % 6 + 1];
        outcome += 1;
    }
    dice
};

/// The card of a hand that has this number of others before it, as [`Card::id`]; a number that no card has
/// where there are too few.
#[inline]
fn nth(hand: CardSet, n: u32) -> u8 {
    let mut bits = hand.bits();
    // A hand has seven cards at most. No branches, for the number cannot be predicted.
    for i in 0..7 {
        bits &= bits.wrapping_sub(u64::from(i < n));
    }
    bits.trailing_zeros() as u8
}

impl Game for Doubles {
    type Rules = Rules;
    type Move = Move;
    type Chance = Chance;
    type View = View;

    /// The recorded moves tell the passes that were chosen from those that had to be made.
    const PUBLIC_HISTORY: bool = false;

    #[inline]
    fn deal(rules: &Rules, rng: &mut Rng) -> Self {
        let deck = Deck::shuffled(rng);
        Self::start(rules, deck, (rules.target > 0).then(|| rng.next_u64()))
    }

    fn seats(&self) -> usize {
        usize::from(self.table.players)
    }

    fn turn(&self) -> Turn {
        match self.table.phase {
            Phase::Roll => Turn::Chance,
            Phase::Forced | Phase::Challenge | Phase::Choose => Turn::Player(usize::from(self.table.mover)),
            Phase::Shuffle => Turn::Shuffle,
            Phase::Over => Turn::Over,
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.clear();
        match self.table.phase {
            Phase::Forced => out.extend(self.mover_hand().into_iter().map(Move::challenge)),
            Phase::Challenge => {
                out.push(Move::PASS);
                out.extend(self.table.playable(self.mover_hand()).into_iter().map(Move::challenge));
            }
            Phase::Choose => out.extend([Move::POCKET, Move::ROLL]),
            Phase::Roll | Phase::Shuffle | Phase::Over => {}
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        match m {
            Move::POCKET => self.table.pocketed(),
            Move::ROLL => self.table.roll_due(),
            _ => self.table.answered(m.card(), &mut self.hands),
        }
    }

    #[inline]
    fn roll(&mut self, rng: &mut Rng) -> Chance {
        if self.table.phase == Phase::Roll {
            let dice = DICE[below(rng, DICE.len() as u32) as usize];
            self.table.rolled(dice, &self.hands);
            return Chance::Roll(dice);
        }
        let deck = self.table.deck;
        let outcome = Chance::Deck(match self.decks {
            Some(key) => shuffled(deck, &mut stream(key, u64::from(self.table.game) + 1, Role::Deal)),
            None => shuffled(deck, rng),
        });
        self.play_chance(outcome);
        outcome
    }

    fn play_chance(&mut self, outcome: Chance) {
        match outcome {
            Chance::Roll(dice) => self.table.rolled(dice, &self.hands),
            Chance::Deck(ids) => {
                self.table.next_game();
                self.hands = deal(&ids[..usize::from(self.table.held)], self.table.players);
            }
        }
    }

    /// The part of the win that falls to the seat: 1, shared among all winners.
    fn utility(&self, seat: Seat) -> f64 {
        if !self.won(seat) {
            return 0.0;
        }
        1.0 / (0..self.seats()).filter(|&other| self.won(other)).count() as f64
    }

    fn view(&self, seat: Seat) -> View {
        let counts = self.hands.map(|hand| hand.len() as u8);
        View { table: self.table, counts, seat: seat as u8, hand: self.hands[seat] }
    }

    /// A pass tells nothing for certain, whether it was chosen or not, and every challenge was seen: the
    /// other hands are any of the unseen cards.
    fn sample_world(view: &View, rng: &mut Rng) -> Self {
        let mut ids = [0; CARDS];
        let unseen = view.unseen();
        for (place, card) in ids.iter_mut().zip(unseen) {
            *place = card.id();
        }
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
        Self { table: view.table, hands, deck: Deck::none(), decks: None }
    }

    #[inline]
    fn random_move(&self, _: &mut Vec<Move>, rng: &mut Rng) -> Move {
        let phase = self.table.phase;
        if phase == Phase::Choose {
            return select_unpredictable(below(rng, 2) == 0, Move::POCKET, Move::ROLL);
        }
        let cards = self.table.playable(self.mover_hand());
        let count = cards.len() as u32;
        let pick = below(rng, count + u32::from(phase == Phase::Challenge));
        let challenge = Move::from_id(nth(cards, pick));
        select_unpredictable(pick == count, Move::PASS, challenge)
    }
}

/// The cards in a uniformly random order, as [`Card::id`]; 0 after the last.
fn shuffled(cards: CardSet, rng: &mut Rng) -> [u8; CARDS] {
    let mut ids = [0; CARDS];
    for (place, card) in ids.iter_mut().zip(cards) {
        *place = card.id();
    }
    for place in (1..cards.len()).rev() {
        ids.swap(place, below(rng, place as u32 + 1) as usize);
    }
    ids
}

impl Notation for Doubles {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let m = Move::parse(text).ok_or_else(|| NotationError::Syntax {
            text: text.to_owned(),
            expected: "'pass', 'challenge 9H', 'pocket' or 'roll'",
        })?;
        if self.is_legal(m) { Ok(m) } else { Err(NotationError::illegal(text, self)) }
    }
}

impl Steps for Doubles {
    const COARSE: bool = true;

    /// One move of those that come to the same.
    fn steps(&self, out: &mut StepList<Move>) {
        out.clear();
        self.distinct_moves(|m| out.push(&[m]));
    }
}

impl Tools for Doubles {
    const EVALUATORS: &'static [&'static str] = heuristic::EVALUATORS;
    const POLICIES: &'static [&'static str] = heuristic::POLICIES;

    fn evaluator(name: &str, rules: &Rules) -> Option<Arc<dyn Evaluator<Self>>> {
        heuristic::evaluator(name, rules)
    }

    fn policy(name: &str, rules: &Rules) -> Option<Arc<dyn Policy<Self>>> {
        heuristic::policy(name, rules)
    }

    fn defaults(agent: &str) -> &'static [(&'static str, &'static str)] {
        heuristic::defaults(agent)
    }
}

impl CardGame for Doubles {
    const NAME: &'static str = "doubles";
    const SUMMARY: &'static str =
        "Doubles (Milovich 2004): two to seven players challenge for what two dice put at stake";
    const RULES_VERSION: u32 = 2;

    type Tally = DoublesTally;

    fn full_deck() -> Vec<Card> {
        Card::all().collect()
    }

    fn from_deck(rules: &Rules, deck: &[Card]) -> Result<Self, DeckError> {
        check_deck(&Self::full_deck(), deck)?;
        let (cards, needed) = (deck.len(), rules.dealt());
        if cards < needed {
            return Err(DeckError::Short { cards, needed });
        }
        Ok(Self::start(rules, Deck::ordered(deck.iter().copied()), None))
    }

    fn deck(&self) -> Vec<Card> {
        self.deck.order().collect()
    }

    fn cards(&self) -> Vec<Card> {
        let mut aside = self.table.deck.bits() & !self.table.played.bits();
        let mut cards = Vec::new();
        for hand in self.hands {
            cards.extend(hand);
            aside &= !hand.bits();
        }
        cards.extend(CardSet::from_bits(aside));
        cards
    }

    fn score(&self, seat: Seat) -> i64 {
        i64::from(self.table.scores[seat])
    }

    fn won(&self, seat: Seat) -> bool {
        self.table.leads(seat as u8)
    }

    fn end(&self) -> &'static str {
        if self.table.limited { "roll_limit" } else { "cards_out" }
    }

    fn chance_record(outcome: &Chance) -> Option<ChanceRecord> {
        Some(match outcome {
            Chance::Roll(dice) => ChanceRecord::Roll(dice.to_vec()),
            Chance::Deck(ids) => {
                let ids = ids.iter().take_while(|&&id| id != 0);
                ChanceRecord::Reshuffle(ids.map(|&id| Card::from_id(id)).collect())
            }
        })
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<Chance, String> {
        match (record, self.table.phase) {
            (ChanceRecord::Roll(dice), Phase::Roll) => match dice[..] {
                [a @ 1..=6, b @ 1..=6] => Ok(Chance::Roll([a, b])),
                _ => Err("expected a roll of two dice, 1 to 6".to_owned()),
            },
            (ChanceRecord::Reshuffle(cards), Phase::Shuffle) => {
                let deck = self.table.deck;
                if cards.len() != deck.len() || cards.iter().copied().collect::<CardSet>() != deck {
                    return Err(format!("expected a reshuffle of all {} cards", deck.len()));
                }
                let mut ids = [0; CARDS];
                for (place, card) in ids.iter_mut().zip(cards) {
                    *place = card.id();
                }
                Ok(Chance::Deck(ids))
            }
            (_, Phase::Shuffle) => Err("expected a reshuffle: the next game of the match is due".to_owned()),
            _ => Err("expected a roll of two dice".to_owned()),
        }
    }

    fn chance_is_recorded(&self) -> bool {
        true
    }
}
