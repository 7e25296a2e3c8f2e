//! The contract of a game: positions, moves, chance, views and worlds.

use crate::rng::{Rng, below};
use rand::SeedableRng as _;
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
    /// A random event is due that every player will see: dice, or cards turned up.
    Chance,
    /// A random event is due that no player will see: cards are put into a new order.
    Shuffle,
    /// The game is over.
    Over,
}

/// A public event: every player saw it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Event<G: Game> {
    /// The seat played the move.
    Move(Seat, G::Move),
    /// Dice were rolled or cards turned up.
    Chance(G::Chance),
    /// Cards were put into a new order that nobody saw.
    Shuffle,
}

impl<G: Game> Event<G> {
    /// What players are told of the random event that was due at this turn: the outcome, unless nobody sees it.
    #[must_use]
    #[inline]
    pub fn of_chance(turn: Turn, outcome: G::Chance) -> Self {
        if turn == Turn::Shuffle { Self::Shuffle } else { Self::Chance(outcome) }
    }
}

/// A position of a game, hidden parts included.
///
/// A position is plain data: a clone, given the same moves and outcomes, becomes the same position. What is
/// decided but face down belongs to it, such as the order of a deck or an opponent's cards. A player may know
/// no more of it than [`Game::view`].
///
/// Laws, which [`crate::testkit::conformance`] checks:
/// - `moves` is sorted, free of repetitions, and empty exactly when it is no player's turn;
/// - positions with equal views for a seat (`a.view(s) == b.view(s)`) give that seat the same moves;
/// - `sample_world(&p.view(s), …).view(s) == p.view(s)`, and the same for `nth_world`;
/// - deals by the same random numbers are the same, and so are worlds that are sampled from equal views;
/// - the number of seats does not change;
/// - `random_move` is uniform, and `play_at_random` plays as it does;
/// - views do not tell what the next [`Turn::Chance`] brings: now and then it is another outcome in a sampled world.
///
/// Where something is hidden, [`crate::testkit::hidden_information`] checks that worlds of one view differ, and
/// [`crate::testkit::sampled_worlds`] that they are as probable as they should be. Where moves are hidden,
/// [`crate::testkit::public_history`] checks that the history does not tell them.
pub trait Game: Clone + Send + Sync + Sized + 'static {
    /// Every option of the rules, as data.
    type Rules: Clone + Send + Sync + 'static;
    /// A move; its [`Display`] is the move's canonical notation.
    type Move: Copy + Ord + Hash + Debug + Display + Send + Sync + 'static;
    /// The outcome of one random event after the deal.
    type Chance: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// All that one seat may know: of positions that look the same to two seats also which of them it is.
    type View: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// Whether the list of moves and random events is public as it stands. Every seat is told it then. False where a move
    /// is made face down: searches, programs and `sim play` would know it, whatever the view hides. False, too, where a missing event
    /// would reveal hidden cards, as skipped forced passes do. [`Game::tell`] then says what everybody sees.
    const PUBLIC_HISTORY: bool = true;

    /// Appends what everybody sees of an event that has led to this position. That is the event itself, and nothing without
    /// [`Game::PUBLIC_HISTORY`] unless a game says what.
    #[inline]
    fn tell(&self, event: Event<Self>, history: &mut Vec<Event<Self>>) {
        if Self::PUBLIC_HISTORY {
            history.push(event);
        }
    }

    /// Shuffles and deals a fresh game. The deck depends on nothing but `rng`. Rules that were not read have to be
    /// [validated](crate::options::validate) before: what they do outside of their ranges is not said.
    fn deal(rules: &Self::Rules, rng: &mut Rng) -> Self;

    /// The number of players, 1 to [`MAX_SEATS`].
    fn seats(&self) -> usize;

    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// Replaces the contents of `out` with the legal moves, sorted. The caller keeps the buffer, so that
    /// nothing is allocated once it has grown. It is a vector because variants of the rules reach tens of
    /// thousands of moves.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move. Moves are trusted: an illegal one may panic or give a nonsensical position.
    /// [`Game::try_play`] is for moves from outside.
    fn play(&mut self, m: Self::Move);

    /// Draws and plays the random event that is due, and returns its outcome. Cards that are turned up come
    /// from the position's own deck, whatever `rng` says. A game without random events leaves it out.
    ///
    /// # Panics
    /// In a game that leaves it out.
    fn roll(&mut self, _rng: &mut Rng) -> Self::Chance {
        unreachable!("nothing is random after the deal")
    }

    /// Plays this outcome of the random event that is due. An outcome that contradicts only the hidden part of
    /// the position changes that part.
    ///
    /// # Panics
    /// As [`Game::roll`].
    fn play_chance(&mut self, _outcome: Self::Chance) {
        unreachable!("nothing is random after the deal")
    }

    /// The utility of a finished game, in [0, 1]: what an agent in this seat maximises. It need not be the
    /// printed score.
    fn utility(&self, seat: Seat) -> f64;

    /// The information set of this seat: all that it may know of the position.
    fn view(&self, seat: Seat) -> Self::View;

    /// A world: a random position, drawn with its probability given the view. Past moves of others count only
    /// for what they make certain. It is asked of the view of the player whose turn it is, in a solo game also where a random event
    /// is due, and in a game with [`EnumerableChance`] there of every seat's view.
    fn sample_world(view: &Self::View, rng: &mut Rng) -> Self;

    /// The `n`th world of a series that `seed` begins. Each is drawn as by [`Game::sample_world`], but those of a series may make up
    /// for each other, so that a mean over them is nearer to the truth (systematic sampling, Madow and Madow 1944). In a game with a
    /// pile, say, no card comes again until the draws have gone through it. By default each is drawn by itself.
    fn nth_world(view: &Self::View, seed: u64, n: u64) -> Self {
        Self::sample_world(view, &mut Rng::seed_from_u64(seed.wrapping_add(n)))
    }

    /// A uniformly random legal move; `buffer` is scratch space. Games override it where they can draw without
    /// listing.
    fn random_move(&self, buffer: &mut Vec<Self::Move>, rng: &mut Rng) -> Self::Move {
        self.moves(buffer);
        buffer[below(rng, buffer.len() as u32) as usize]
    }

    /// Plays random moves, drawn as by [`Game::random_move`], until it is no player's turn. `buffer` is scratch
    /// space. Games override it where whole stretches go quicker. Of a game that has ended, only what finished
    /// games are asked must be right.
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

    /// The checked version of [`Game::play`].
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
    /// An upper bound on the number of outcomes of the random event that is due. It is cheap, unlike
    /// [`EnumerableChance::outcomes`].
    fn outcome_count(&self) -> u64;

    /// Replaces the contents of `out` with the distinct outcomes on [`Turn::Chance`] and their probabilities.
    /// They are those given what the players know, and sum to 1.
    fn outcomes(&self, out: &mut Vec<(Self::Chance, f64)>);

    /// The identity of a position in a transposition table. Equal keys promise equal play from here on, for the
    /// player who sees the position.
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

/// The values of a solo game.
#[must_use]
pub fn solo(value: f64) -> Values {
    let mut values = [0.0; MAX_SEATS];
    values[0] = value;
    values
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

/// A game whose moves and random events have a notation: they are written and read as text.
///
/// Moves print by their [`Display`], and the text of every legal move reads back as that move. Random events
/// are written only where they do not follow from the deck.
pub trait Notation: Game {
    /// Reads a move in this position, with interchangeable parts in any order. The default finds the legal move
    /// that prints as the text.
    ///
    /// # Errors
    /// [`NotationError`] says whether the text is no move at all or a move that is not legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let found = moves.into_iter().find(|m| m.to_string() == text.trim());
        found.ok_or_else(|| NotationError::illegal(text, self))
    }

    /// The transcript's record of an outcome; `None` when it follows from the deck.
    fn chance_record(_outcome: &Self::Chance) -> Option<ChanceRecord> {
        None
    }

    /// An outcome in words, for readers of an analysis. Without an override it is what a transcript records: nothing where it
    /// follows from the deck.
    #[must_use]
    fn describe_chance(outcome: &Self::Chance) -> String {
        match Self::chance_record(outcome) {
            Some(ChanceRecord::Roll(dice)) => {
                dice.iter().map(ToString::to_string).collect::<Vec<_>>().join("-")
            }
            Some(ChanceRecord::Reshuffle(_)) => "reshuffle".to_owned(),
            None => String::new(),
        }
    }

    /// The outcome that a transcript records for the random event that is due.
    ///
    /// # Errors
    /// Says what the event should have been, when the record is impossible here.
    fn read_chance(&self, _record: &ChanceRecord) -> Result<Self::Chance, String> {
        Err("no event: what is random follows from the deck".to_owned())
    }

    /// Whether the random event that is due stands in a transcript. False when it follows from the deck.
    fn chance_is_recorded(&self) -> bool {
        false
    }
}

/// The record of a random event in a transcript.
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

/// An error of reading a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The text is not in the game's notation.
    #[error("'{text}' is not a move: expected one such as {expected}")]
    Syntax {
        /// What was read.
        text: String,
        /// The forms that a move can take, by moves that need not be legal here.
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
