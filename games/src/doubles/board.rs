//! The board: everything that all players see, and the course of a turn.
//!
//! A turn has rounds: after every roll the turn to challenge goes round. A player who cannot challenge passes without
//! being asked, so the course of a round depends on the hands. The board never tells such forced passes from chosen ones.

use super::rules::Rules;
use crate::cards::{Card, CardSet};
use knave_agents::game::MAX_SEATS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::hint::select_unpredictable;

/// The hands by seat.
pub type Hands = [CardSet; MAX_SEATS];

/// No seat.
pub const NO_ONE: u8 = u8::MAX;

/// The phase of a turn: what happens next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The dice are rolled.
    Roll,
    /// Doubles: the mover must challenge.
    Forced,
    /// The mover may challenge or pass.
    Challenge,
    /// Nobody has challenged: the roller pockets the stakes or rolls again.
    Choose,
    /// A new deck is shuffled for the next game of the match.
    Shuffle,
    /// The game or match is over.
    Over,
}

/// The board: everything that all players see.
///
/// It copies what it needs of the [`Rules`], where the boards of other games hold the rules themselves. These have a list of teams,
/// and a board is copied at every step of a search, without an allocation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The number of players.
    pub players: u8,
    /// The number of cards that each is dealt.
    pub cards: u8,
    /// The team of every seat, as the first seat of that team.
    pub sides: [u8; MAX_SEATS],
    /// Whether any two seats are a team.
    pub teams: bool,
    /// The limit of rolls in a game.
    pub max_rolls: u32,
    /// The score that ends a match; 0 for a single game.
    pub target: u32,
    /// The cards of the deck.
    pub deck: CardSet,
    /// The phase.
    pub phase: Phase,
    /// The cards that were played in this game.
    pub played: CardSet,
    /// The number of cards that the players hold together.
    pub held: u8,
    /// The scores of all games so far.
    pub scores: [u32; MAX_SEATS],
    /// The number of games before this one.
    pub game: u32,
    /// The number of rolls in this game.
    pub rolls: u32,
    /// The stakes of the turn so far; 0 before its first roll.
    pub stakes: u32,
    /// The seat whose turn to roll it is.
    pub roller: u8,
    /// The seat that decides, in phases with a decision.
    pub mover: u8,
    /// The last challenger since the last roll, or [`NO_ONE`].
    pub challenger: u8,
    /// The rank of the last challenge since the last roll; 0 when there was none.
    pub high: u8,
    /// Whether the limit of rolls cut off the game that ended last.
    pub limited: bool,
    /// The seat that last won stakes by a challenge.
    pub taker: u8,
    /// The stakes that a challenge won in the round that ended last; 0 if none did.
    pub taken: u32,
}

/// The cards above each rank.
const ABOVE: [CardSet; 16] = {
    let (mut above, mut rank) = ([CardSet::EMPTY; 16], 0);
    while rank < 15 {
        above[rank] = CardSet::of_ranks(!((2 << rank) - 1));
        rank += 1;
    }
    above
};

impl Board {
    /// The board before the first roll of a game or match.
    pub fn new(rules: &Rules, deck: CardSet) -> Self {
        let sides = rules.sides();
        Self {
            players: rules.players,
            cards: rules.cards,
            sides,
            teams: sides.iter().enumerate().any(|(seat, &side)| usize::from(side) != seat),
            max_rolls: rules.max_rolls,
            target: rules.target,
            deck,
            phase: Phase::Roll,
            played: CardSet::EMPTY,
            held: rules.dealt() as u8,
            scores: [0; MAX_SEATS],
            game: 0,
            rolls: 0,
            stakes: 0,
            roller: 0,
            mover: 0,
            challenger: NO_ONE,
            high: 0,
            limited: false,
            taker: 0,
            taken: 0,
        }
    }

    /// The seat to the left.
    #[must_use]
    #[inline]
    pub fn left_of(&self, seat: u8) -> u8 {
        if seat + 1 == self.players { 0 } else { seat + 1 }
    }

    /// The seat that rolls first in a game of the match.
    pub(super) fn first_roller(&self, game: u32) -> u8 {
        (game % u32::from(self.players)) as u8
    }

    /// The seat that rolls in the turn after this one. After the `last` turn of a game that is the first of the next game.
    #[must_use]
    pub fn next_roller(&self, last: bool) -> u8 {
        if last { self.first_roller(self.game + 1) } else { self.left_of(self.roller) }
    }

    /// How many places to the left of a seat another one sits.
    #[must_use]
    pub fn places(&self, from: u8, to: u8) -> u8 {
        (to + self.players - from) % self.players
    }

    /// The cards of this hand that may be played as a challenge now.
    #[must_use]
    #[inline]
    pub fn playable(&self, hand: CardSet) -> CardSet {
        hand & ABOVE[usize::from(self.high) & 15]
    }

    /// The score of the best team.
    #[inline]
    fn best(&self) -> u64 {
        (0..self.players).map(|seat| self.side_score(seat)).max().unwrap_or(0)
    }

    /// The score of a seat's team.
    #[must_use]
    pub fn side_score(&self, seat: u8) -> u64 {
        if !self.teams {
            return u64::from(self.scores[usize::from(seat)]);
        }
        let own = self.sides[usize::from(seat)];
        let seats = self.sides.iter().zip(&self.scores).take(usize::from(self.players));
        seats.filter(|&(&side, _)| side == own).map(|(_, &score)| u64::from(score)).sum()
    }

    /// Whether no team is ahead of the seat's.
    #[must_use]
    pub fn leads(&self, seat: u8) -> bool {
        self.side_score(seat) == self.best()
    }

    /// Adds a roll to the stakes and begins the round.
    #[inline]
    pub fn rolled(&mut self, dice: [u8; 2], hands: &Hands) {
        self.stakes += u32::from(dice[0] + dice[1]);
        self.rolls += 1;
        self.challenger = NO_ONE;
        self.high = 0;
        if dice[0] == dice[1] {
            self.phase = Phase::Forced;
            self.mover = self.roller;
            while hands[usize::from(self.mover)].is_empty() {
                self.mover = self.left_of(self.mover);
            }
        } else {
            self.ask(self.roller, self.roller, hands);
        }
    }

    /// Plays the mover's answer: a challenge with this card, or a pass.
    #[inline]
    pub fn answered(&mut self, card: Option<Card>, hands: &mut Hands) {
        // Selections in place of branches: a challenge cannot be predicted.
        let (played, rank) = card.map_or((CardSet::EMPTY, 0), |card| (CardSet::of(card), card.rank()));
        let hand = &mut hands[usize::from(self.mover)];
        *hand -= played;
        self.played |= played;
        self.held -= u8::from(rank > 0);
        self.high = self.high.max(rank);
        self.challenger = select_unpredictable(rank > 0, self.mover, self.challenger);
        let last = select_unpredictable(self.challenger == NO_ONE, self.roller, self.challenger);
        let next = self.left_of(self.mover);
        if next == last { self.close() } else { self.ask(next, last, hands) }
    }

    /// Gives the stakes to the roller.
    #[inline]
    pub fn pocketed(&mut self) {
        self.scores[usize::from(self.roller)] += self.stakes;
        self.end_turn();
    }

    /// Makes one more roll due, or ends the game at the limit.
    #[inline]
    pub fn roll_due(&mut self) {
        if self.rolls == self.max_rolls { self.end_game(true) } else { self.phase = Phase::Roll }
    }

    /// Begins the next game of the match.
    pub fn next_game(&mut self) {
        self.game += 1;
        self.phase = Phase::Roll;
        self.played = CardSet::EMPTY;
        self.held = self.players * self.cards;
        self.rolls = 0;
        self.roller = self.first_roller(self.game);
    }

    /// Asks the first player from `seat` on that can challenge. The round is over when `until` would be asked again.
    #[inline]
    fn ask(&mut self, mut seat: u8, until: u8, hands: &Hands) {
        loop {
            if !self.playable(hands[usize::from(seat)]).is_empty() {
                self.mover = seat;
                self.phase = Phase::Challenge;
                return;
            }
            seat = self.left_of(seat);
            if seat == until {
                self.close();
                return;
            }
        }
    }

    /// Ends the round: all have passed since the last challenge or roll.
    #[inline]
    fn close(&mut self) {
        if self.challenger == NO_ONE {
            self.phase = Phase::Choose;
            self.mover = self.roller;
            self.taken = 0;
        } else {
            self.scores[usize::from(self.challenger)] += self.stakes;
            self.taker = self.challenger;
            self.taken = self.stakes;
            self.end_turn();
        }
    }

    #[inline]
    fn end_turn(&mut self) {
        self.stakes = 0;
        // The last player asked could have challenged, which nobody may see.
        self.mover = self.roller;
        if self.held == 0 {
            self.end_game(false);
        } else {
            self.roller = self.left_of(self.roller);
            self.mover = self.roller;
            self.roll_due();
        }
    }

    fn end_game(&mut self, limited: bool) {
        self.stakes = 0;
        self.limited = limited;
        let reached = self.scores.iter().any(|&score| score >= self.target);
        self.phase = if reached { Phase::Over } else { Phase::Shuffle };
    }
}
