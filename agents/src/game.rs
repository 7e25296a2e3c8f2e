//! The contract of a game: positions, moves, chance, views and worlds.

use crate::rng::{Rng, below};
use serde::{Deserialize, Serialize};
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// A player's place at the table, counted from 0.
pub type Seat = usize;

/// The largest number of seats that any game has.
pub const MAX_SEATS: usize = 7;

/// One value for each seat, in [0, 1].
pub type Values = [f64; MAX_SEATS];

/// Whose turn it is in a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The player in this seat decides.
    Player(Seat),
    /// Something random is about to happen that every player will see: dice, or cards turned up.
    Chance,
    /// Something random is about to happen that no player will see: cards put into a new order.
    Shuffle,
    /// The game is over.
    Over,
}

/// A position of a game, the hidden part included.
///
/// A position is plain data: cloning it and playing the same moves and outcomes gives the same
/// position. What is already settled but still face down (the order of a deck, the cards of an
/// opponent) is part of it; [`Game::view`] is the only part that a player may know.
///
/// Laws, which [`crate::testkit::conformance`] checks:
/// - `moves` is sorted, free of repetitions, and empty exactly when it is no player's turn;
/// - positions that a seat cannot tell apart (`a.view(s) == b.view(s)`) give that seat the same moves;
/// - `sample_world(&p.view(s), …).view(s) == p.view(s)`.
pub trait Game: Clone + Send + Sync + Sized + 'static {
    /// Every option of the rules, as data.
    type Rules: Clone + Send + Sync + 'static;
    /// A move; its [`Display`] is the move's canonical notation.
    type Move: Copy + Ord + Hash + Debug + Display + Send + Sync + 'static;
    /// The outcome of one random event after the deal.
    type Chance: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// All that one seat may know.
    type View: Clone + Eq + Hash + Debug + Send + 'static;

    /// Whether everybody may know the list of moves and random events that led to a position. It is false
    /// where what is not in the list tells something: a pass that is no decision when it has to be made,
    /// and must look like any other. Agents are then shown no history.
    const PUBLIC_HISTORY: bool = true;

    /// Shuffles and deals a fresh game. The deck depends on nothing but `rng`.
    fn deal(rules: &Self::Rules, rng: &mut Rng) -> Self;

    /// The number of players, 1 to [`MAX_SEATS`].
    fn seats(&self) -> usize;

    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// Replaces the contents of `out` with the legal moves, sorted. The caller keeps the buffer, so
    /// that nothing is allocated once it has grown; it is a vector rather than a fixed-capacity list
    /// because variants of the rules reach tens of thousands of moves.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move. Trusted: an illegal move may panic or give a nonsensical position; see
    /// [`Game::try_play`] for moves from outside.
    fn play(&mut self, m: Self::Move);

    /// Lets chance move, on [`Turn::Chance`] and [`Turn::Shuffle`], and says what came. Cards that are
    /// turned up come from the position's own deck, whatever `rng` says.
    ///
    /// # Panics
    /// In a game that leaves it out because nothing in it is random after the deal.
    fn roll(&mut self, _rng: &mut Rng) -> Self::Chance {
        unreachable!("nothing is random after the deal")
    }

    /// Makes this outcome come, on [`Turn::Chance`] and [`Turn::Shuffle`]. An outcome that is possible
    /// for all that the players know but contradicts the position's hidden part changes that part.
    ///
    /// # Panics
    /// As [`Game::roll`].
    fn play_chance(&mut self, _outcome: Self::Chance) {
        unreachable!("nothing is random after the deal")
    }

    /// What an agent in this seat maximises, in [0, 1]; apart from the printed score. Called on
    /// finished games only.
    fn utility(&self, seat: Seat) -> f64;

    /// All that this seat may know of the position.
    fn view(&self, seat: Seat) -> Self::View;

    /// A position drawn at random, each with its probability given all that the view tells (the past
    /// moves of others are taken to tell nothing beyond what they make certain). Asked of the views of the
    /// player whose turn it is; that another player is being asked may tell more than the sample heeds.
    fn sample_world(view: &Self::View, rng: &mut Rng) -> Self;

    /// One of the legal moves, each with the same probability. Games override it where they can draw
    /// without listing; `buffer` is scratch space.
    fn random_move(&self, buffer: &mut Vec<Self::Move>, rng: &mut Rng) -> Self::Move {
        self.moves(buffer);
        buffer[below(rng, buffer.len() as u32) as usize]
    }

    /// Plays random moves, each as [`Game::random_move`] draws it, until it is no player's turn; `buffer` is
    /// scratch space. Games override it where whole stretches go quicker. Where the game is over afterwards, only
    /// what is asked of a finished game must be right.
    fn play_at_random(&mut self, buffer: &mut Vec<Self::Move>, rng: &mut Rng) {
        while let Turn::Player(_) = self.turn() {
            let m = self.random_move(buffer, rng);
            self.play(m);
        }
    }

    /// Whether `m` is one of the legal moves.
    fn is_legal(&self, m: Self::Move) -> bool {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.binary_search(&m).is_ok()
    }

    /// The checked twin of [`Game::play`].
    ///
    /// # Errors
    /// [`IllegalMove`] when the move is not legal here; the position is then unchanged.
    fn try_play(&mut self, m: Self::Move) -> Result<(), IllegalMove> {
        if !self.is_legal(m) {
            return Err(IllegalMove);
        }
        self.play(m);
        Ok(())
    }
}

/// The move is not legal in this position.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the move is not legal in this position")]
pub struct IllegalMove;

/// A game whose random events can be listed with their exact probabilities.
pub trait EnumerableChance: Game {
    /// An upper bound of the number of outcomes of the random event that is due, cheap to compute.
    /// Call it before [`EnumerableChance::outcomes`], which may be long.
    fn outcome_count(&self) -> u64;

    /// Replaces the contents of `out` with every distinct outcome on [`Turn::Chance`] and its
    /// probability given what the players know, not what the position hides. The probabilities sum to 1.
    fn outcomes(&self, out: &mut Vec<(Self::Chance, f64)>);

    /// The same position for all that matters from here on: equal keys promise equal play, for the
    /// player to whom the position looks like this. Transposition tables compare whole keys.
    type Key: Copy + Eq + Hash + Send + Sync;

    /// The key of this position.
    fn key(&self) -> Self::Key;
}

/// The position after these moves.
#[must_use]
pub fn played<G: Game>(position: &G, moves: &[G::Move]) -> G {
    let mut after = position.clone();
    for &m in moves {
        after.play(m);
    }
    after
}

/// The utilities of a finished game.
#[must_use]
pub fn utilities<G: Game>(position: &G) -> Values {
    let mut values = [0.0; MAX_SEATS];
    for (seat, value) in values.iter_mut().enumerate().take(position.seats()) {
        *value = position.utility(seat);
    }
    values
}

/// A game whose moves and random events are written and read as text.
///
/// Moves print by their [`Display`]; the canonical text of every legal move reads back as that move. Random
/// events are written only where they do not follow from the deck.
pub trait Notation: Game {
    /// Reads a move in this position. Any order of interchangeable parts is read.
    ///
    /// Without an override it is the legal move that prints as the text.
    ///
    /// # Errors
    /// [`NotationError`] says whether the text is no move at all or a move that is not legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let found = moves.into_iter().find(|m| m.to_string() == text.trim());
        found.ok_or_else(|| NotationError::illegal(text, self))
    }

    /// How the outcome of a random event stands in a transcript; `None` when it follows from the deck.
    fn chance_record(_outcome: &Self::Chance) -> Option<ChanceRecord> {
        None
    }

    /// The outcome that a transcript records for the random event that is due.
    ///
    /// # Errors
    /// Says what the event should have been, when the record is impossible here.
    fn read_chance(&self, _record: &ChanceRecord) -> Result<Self::Chance, String> {
        Err("no event: what is random follows from the deck".to_owned())
    }

    /// Whether the outcome of the random event that is due stands in the transcript, as opposed to
    /// following from the deck.
    fn chance_is_recorded(&self) -> bool {
        false
    }
}

/// A random event as it stands in a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChanceRecord {
    /// Dice in the order in which they were rolled.
    Roll(Vec<u8>),
    /// Cards in their new order, top first, as the game writes them.
    Reshuffle(Vec<String>),
}

impl ChanceRecord {
    /// Cards in their new order, top first.
    pub fn reshuffle<C: Display>(cards: impl IntoIterator<Item = C>) -> Self {
        Self::Reshuffle(cards.into_iter().map(|card| card.to_string()).collect())
    }

    /// The cards of a reshuffle; `None` for another event and where a text is no card.
    #[must_use]
    pub fn cards<C: FromStr>(&self) -> Option<Vec<C>> {
        let Self::Reshuffle(cards) = self else { return None };
        cards.iter().map(|card| card.parse().ok()).collect()
    }
}

/// Why a text is not a move of this position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The text is not in the game's notation.
    #[error("'{text}' is not a move: expected {expected}")]
    Syntax {
        /// What was read.
        text: String,
        /// The forms that a move can take.
        expected: &'static str,
    },
    /// A move of the game, but not one that may be played here.
    #[error("'{text}' is not legal here; legal moves are: {legal}")]
    Illegal {
        /// What was read.
        text: String,
        /// The legal moves, separated by commas (the first dozen).
        legal: String,
    },
}

impl NotationError {
    /// The error for a well-formed move that is not among the legal ones of `position`.
    #[must_use]
    pub fn illegal<G: Game>(text: &str, position: &G) -> Self {
        const SHOWN: usize = 12;
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let mut legal = moves.iter().take(SHOWN).map(ToString::to_string).collect::<Vec<_>>().join(", ");
        if moves.len() > SHOWN {
            legal.push_str(&format!(", and {} more", moves.len() - SHOWN));
        }
        if moves.is_empty() {
            legal.push_str("none");
        }
        Self::Illegal { text: text.to_owned(), legal }
    }
}
