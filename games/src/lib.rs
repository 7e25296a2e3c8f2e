//! The games of Knave, a folder each, and the contract of a game with the harness.
//!
//! Agents need [`Game`](knave_agents::Game) and [`Tools`] of a game. [`CardGame`] adds decks, scores and strategy counts,
//! for runs, transcripts and reports. All five games have the same rooms; the table in each `mod.rs` lists them.

use crate::cards::Card;
use knave_agents::game::MAX_SEATS;
use knave_agents::options::{self, Fields, OptionError};
use knave_agents::rng::Streams;
use knave_agents::{Event, Notation, NotationError, Options, Seat, Tools};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

mod binomial;
mod bins;
pub mod cards;
pub mod columns;
pub mod counts;
pub mod doubles;
pub mod dungeon;
mod models;
pub mod promises;
mod short_deck;
mod shuffle;
pub mod testkit;
mod told;
pub mod verslun;
pub mod whist;

pub use models::value as value_of_model;
pub use short_deck::{ShortDeck, ShortDeckError};

pub use knave_agents::{
    Answer, Bounding, ChanceRecord, DealBound, DealBounder, DealSolver, Line, Objective, Sense, Verdict,
    verdict,
};

/// The unit of win shares: a win is worth 420, so that shares among 1 to 7 winners are whole.
pub const WIN_UNIT: u64 = 420;

const _: () = {
    let mut winners = 1;
    while winners <= MAX_SEATS as u64 {
        assert!(WIN_UNIT.is_multiple_of(winners));
        winners += 1;
    }
};

/// A game of cards that can be run, recorded and replayed.
pub trait CardGame: Tools<Rules: Options> + Notation {
    /// The name on the command line and in every output.
    const NAME: &'static str;

    /// One line for `sim list games`.
    const SUMMARY: &'static str;

    /// The rules for people, in Markdown that reads well as plain text: set-up, turn, end, scoring, notation. `sim rules` prints them.
    const RULES: &'static str = "";

    /// The version of the rules. It grows whenever the same seed, rules and moves give another game; results of different
    /// versions do not belong together.
    const RULES_VERSION: u32 = 1;

    /// The units of [`CardGame::score`] in one printed point.
    const SCORE_UNITS: i64 = 1;

    /// The strategy counts of this game.
    type Tally: Tally<Self>;

    /// The cards of the game, in order: all 52 without an override.
    #[must_use]
    fn full_deck() -> Vec<Card> {
        Card::all().collect()
    }

    /// Deals from this deck, top first. It may be shorter than the game's own, for tests against brute force. Rules are in their ranges,
    /// as in [`Game::deal`](knave_agents::Game::deal).
    ///
    /// # Errors
    /// When a card is not of this game or comes twice, or when there are too few cards to deal.
    fn from_deck(rules: &Self::Rules, deck: &[Card]) -> Result<Self, DeckError>;

    /// The deck before the deal, top first, or another that deals the same. Asked of freshly dealt positions only. Transcripts hold it,
    /// and are replayed by [`CardGame::from_deck`]; [`testkit::card_game`] checks that they fit.
    fn deck(&self) -> Vec<Card>;

    /// The cards that are still in the game, in any order: the whole deck at first, and none that has left comes back, unless the
    /// whole deck is dealt anew. [`testkit::card_game`] asks for it; without an override there is nothing to test.
    fn cards(&self) -> Vec<Card> {
        Self::full_deck()
    }

    /// The score of the seat in a finished game, [`CardGame::SCORE_UNITS`] to the printed point. It lies within ±10^12, so that sums over
    /// games and sampled worlds are exact. Sums of their squares are kept only while the largest score times the number
    /// of games is below about 3·10^15: beyond that a comparison can be neither joined nor resumed.
    fn score(&self, seat: Seat) -> i64;

    /// The lowest and the highest sum that the scores of one seat, of some or of all can have under these rules, where they
    /// tell. Bounds need not be reached, but close ones give narrower intervals of small samples. Without an override nothing
    /// is known, and small samples have no intervals of scores.
    #[must_use]
    fn score_range(_rules: &Self::Rules) -> Option<(i64, i64)> {
        None
    }

    /// The team of every seat, as the first seat of that team. Without an override everybody plays alone.
    #[must_use]
    fn teams(_rules: &Self::Rules, seats: usize) -> Vec<Seat> {
        (0..seats).collect()
    }

    /// The score of the seat's team in a finished game: who has the highest wins, if those who did better gave the game up.
    fn side_score(&self, seat: Seat) -> i64 {
        self.score(seat)
    }

    /// Whether the seat has won, alone or with others, in a finished game. Without an override: its utility is above 0, and
    /// nobody's is higher.
    fn won(&self, seat: Seat) -> bool {
        let most = (0..self.seats()).map(|other| self.utility(other)).fold(0.0, f64::max);
        most > 0.0 && self.utility(seat) >= most
    }

    /// The fast path for all-random games under these rules, where there is one. It plays to the end whatever happens, so rules by
    /// which a game can take seconds must have none.
    #[must_use]
    fn fast_random(_rules: &Self::Rules) -> Option<FastRandom<Self>> {
        None
    }

    /// What a person needs to check a move by hand, as titled cells of a table: the state before it and what it did. The titles
    /// are always the same. Without an override lines of play are printed as moves alone.
    #[must_use]
    fn trace(_before: &Self, _move: Self::Move, _after: &Self) -> Option<Vec<(&'static str, String)>> {
        None
    }

    /// The reason why a finished game ended, in the game's own word.
    fn end(&self) -> &'static str {
        "finished"
    }
}

/// Batched fast path for all-random games without observers.
///
/// `play` plays fresh games to their ends and counts them, moves by seat included. The result is the same as if every move
/// had been drawn by [`random_move`](knave_agents::Game::random_move) with its seat's generator, every event after the deal
/// with that of [`Role::Chance`](knave_agents::rng::Role::Chance), and all had been shown to the tally. There are as many
/// [`Streams`] as games. The counts of moves are those of one game after the other, by seat; there may be more of them than
/// needed. All games are dealt by the same rules from as many cards. Afterwards only queries of finished games must be right,
/// those of [`Tally::finish`] among them.
pub struct FastRandom<G: CardGame> {
    /// The most games that are played at once, at least 1.
    pub batch: usize,
    /// Plays them.
    pub play: PlayRandom<G>,
}

/// A function that plays games to their ends: the games, the generators of each, the tally, and the counts of moves.
pub type PlayRandom<G> = fn(&mut [G], &[Streams], &mut <G as CardGame>::Tally, &mut [u64]);

/// The reason why no game can be dealt from a deck.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeckError {
    /// The card is not used in this game.
    #[error("{0} is not a card of this game")]
    Foreign(Card),
    /// The card comes twice.
    #[error("{0} comes twice")]
    Twice(Card),
    /// A card of the game is missing, where a full deck is needed.
    #[error("{0} is missing")]
    Missing(Card),
    /// Too few cards to deal.
    #[error("{cards} {} too few: these rules deal {needed}", if *cards == 1 { "card is" } else { "cards are" })]
    Short {
        /// The cards in the deck.
        cards: usize,
        /// The cards needed.
        needed: usize,
    },
    /// Players would get different numbers of cards.
    #[error(
        "{cards} {} cannot be dealt evenly to {players} players: expected a multiple of {players}",
        if *cards == 1 { "card" } else { "cards" }
    )]
    Uneven {
        /// The cards in the deck.
        cards: usize,
        /// The players.
        players: usize,
    },
}

/// Checks that a deck consists of different cards of the game.
///
/// # Errors
/// Names the first card that is foreign or comes twice.
pub fn check_deck(full: &[Card], deck: &[Card]) -> Result<(), DeckError> {
    for (i, card) in deck.iter().enumerate() {
        if !full.contains(card) {
            return Err(DeckError::Foreign(*card));
        }
        if deck[..i].contains(card) {
            return Err(DeckError::Twice(*card));
        }
    }
    Ok(())
}

/// Reads a move whose text `parsed` has been read from, if it is in the notation, and checks that it is legal.
///
/// # Errors
/// Tells the forms that are `expected`, or the legal moves.
pub(crate) fn legal_move<G: Notation>(
    position: &G,
    text: &str,
    parsed: Option<G::Move>,
    expected: &'static str,
) -> Result<G::Move, NotationError> {
    let m = parsed.ok_or_else(|| NotationError::Syntax { text: text.to_owned(), expected })?;
    if position.is_legal(m) { Ok(m) } else { Err(NotationError::illegal(text, position)) }
}

/// The form of a table: the name of its file and its columns. Every column is documented in `results/README.md`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TableForm {
    /// The name of the file, which no other table has.
    pub file: &'static str,
    /// The names of the columns, in order.
    pub columns: &'static [&'static str],
}

impl TableForm {
    /// The first line of the file.
    #[must_use]
    pub fn header(&self) -> String {
        self.columns.join(",") + "\n"
    }
}

/// Strategy counts: the game's own measures of play, for every seat.
pub trait Tally<G: CardGame>: Clone + Send + Sync + 'static {
    /// The tables that this game writes beside `tally.csv`. Their first columns are `game` and `agent`.
    const TABLES: &'static [TableForm] = &[];

    /// What the rows of `tally.csv` count, in the order in which it is listed. A measure that is not here is shown by its name alone.
    const MEASURES: &'static [TallyMeasure] = &[];

    /// An empty tally for a game with these rules.
    fn new(rules: &G::Rules) -> Self;

    /// Counts one event: a move in `position`, or a random event that led to it.
    fn event(&mut self, position: &G, event: &Event<G>);

    /// Counts the end of a game. `won` tells who has won it: not always who won by the rules, for a player may have given it up.
    fn finish(&mut self, _end: &G, _won: impl Fn(Seat) -> bool) {}

    /// Every count. Their order and number depend on the rules alone.
    ///
    /// Between games a tally holds nothing else: the counts of parts of a run are added one by one, and a journal keeps
    /// them.
    fn counts(&mut self) -> Vec<&mut [u64]>;

    /// Adds the counts of a part.
    ///
    /// # Panics
    /// When it has counts in other numbers, as no two tallies by the same rules may: some would be lost without a word.
    fn merge(&mut self, mut part: Self) {
        let lengths = |tally: &mut Self| tally.counts().iter().map(|counts| counts.len()).collect::<Vec<_>>();
        assert_eq!(lengths(self), lengths(&mut part), "counts() of a tally must be alike by the same rules");
        for (counts, more) in self.counts().into_iter().zip(part.counts()) {
            counts::add(counts, more);
        }
    }

    /// The counts of one seat, in a fixed order. Rows that can occur under the rules are there even with a count of 0.
    fn rows(&self, seat: Seat) -> Vec<TallyRow>;

    /// The rows of the table with this file name, all cells after `game` and `agent`. The counts of these seats, those of
    /// one agent, are added up.
    fn table(&self, _file: &str, _seats: &[Seat]) -> Vec<Vec<Cell>> {
        Vec::new()
    }
}

/// The tally of a game that counts nothing beyond results.
#[derive(Clone, Debug, Default)]
pub struct NoTally;

impl<G: CardGame> Tally<G> for NoTally {
    fn new(_: &G::Rules) -> Self {
        Self
    }

    fn event(&mut self, _: &G, _: &Event<G>) {}

    fn counts(&mut self) -> Vec<&mut [u64]> {
        Vec::new()
    }

    fn rows(&self, _: Seat) -> Vec<TallyRow> {
        Vec::new()
    }
}

/// A cell of a game's own table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A word.
    Text(String),
    /// A count.
    Count(u64),
    /// A number, printed with at most nine decimals.
    Number(f64),
    /// An undefined value.
    Empty,
}

impl Cell {
    /// The share `count` of `of`; undefined where `of` is 0.
    #[must_use]
    pub fn rate(count: u64, of: u64) -> Self {
        if of == 0 { Self::Empty } else { Self::Number(rounded(count as f64 / of as f64)) }
    }
}

/// Rounds to nine decimals: far below every interval, and the same on every machine. Zero has no sign.
#[must_use]
pub fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9 + 0.0
}

/// The name of a class of numbers that are counted together, such as `8-10` or `51+`. `firsts` are the lowest numbers of
/// the classes; printed numbers have at least so many digits.
pub(crate) fn class_name(firsts: &[u32], class: usize, digits: usize) -> String {
    let first = firsts[class];
    match firsts.get(class + 1) {
        Some(next) => format!("{first:0digits$}-{:0digits$}", next - 1),
        None => format!("{first:0digits$}+"),
    }
}

/// A row of `tally.csv`: one count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TallyRow {
    /// The measure, such as `cause_of_death`.
    pub measure: &'static str,
    /// The case of it, such as `QS`; empty where there is only one.
    pub key: String,
    /// The count.
    pub count: u64,
}

/// What a game counts in `tally.csv`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TallyMeasure {
    /// Its name there, such as `fights_bare`.
    #[serde(rename = "measure")]
    pub name: &'static str,
    /// What its counts are numbers of, in the plural, such as `fights`.
    pub unit: &'static str,
    /// What the keys of its rows are, such as `the worth of the monster`; empty where it has a single row.
    pub key: &'static str,
    /// What is counted, such as `fights with bare hands`.
    pub meaning: &'static str,
}

impl TallyMeasure {
    /// A measure.
    #[must_use]
    pub const fn new(
        name: &'static str,
        unit: &'static str,
        key: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self { name, unit, key, meaning }
    }
}

/// In words: the unit, by which case, and what is counted.
impl Display for TallyMeasure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { unit, key, meaning, .. } = self;
        let by = if key.is_empty() { "" } else { " by " };
        write!(f, "{unit}{by}{key}: {meaning}")
    }
}

/// A function that is generic over games, for a game known by its name alone.
pub trait Visitor {
    /// The result.
    type Output;
    /// Applies the function to a game.
    fn visit<G: CardGame>(self) -> Self::Output;
}

/// The error when no game has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown game '{name}'{hint}; games: {games}")]
pub struct UnknownGame {
    name: String,
    hint: String,
    games: String,
}

impl UnknownGame {
    /// No game of this `name` is among `games`.
    #[must_use]
    pub fn new(name: &str, games: &[&str]) -> Self {
        let hint = options::hint(name, games.iter().copied());
        Self { name: name.to_owned(), hint, games: games.join(", ") }
    }
}

/// Knave's own games, as a list of types.
pub type BuiltIn =
    (dungeon::Dungeon, (verslun::Verslun, (columns::Columns, (doubles::Doubles, (whist::Whist, ())))));

/// The names of Knave's own games.
#[must_use]
pub fn names() -> Vec<&'static str> {
    #[derive(Clone)]
    struct Name;
    impl Visitor for Name {
        type Output = &'static str;
        fn visit<G: CardGame>(self) -> &'static str {
            G::NAME
        }
    }
    BuiltIn::each(Name)
}

/// Applies a visitor to one of Knave's own games.
///
/// # Errors
/// When there is no such game.
pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
    BuiltIn::visit(name, visitor).ok_or_else(|| UnknownGame::new(name, &names()))
}

/// A list of games as nested pairs.
pub trait GameList {
    /// Applies a visitor to the game of this name, if it is in the list.
    fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Output>;

    /// Applies a visitor to every game.
    fn each<V: Visitor + Clone>(visitor: V) -> Vec<V::Output>;
}

impl GameList for () {
    fn visit<V: Visitor>(_: &str, _: V) -> Option<V::Output> {
        None
    }

    fn each<V: Visitor + Clone>(_: V) -> Vec<V::Output> {
        Vec::new()
    }
}

impl<G: CardGame, Rest: GameList> GameList for (G, Rest) {
    fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
        if name == G::NAME { Some(visitor.visit::<G>()) } else { Rest::visit(name, visitor) }
    }

    fn each<V: Visitor + Clone>(visitor: V) -> Vec<V::Output> {
        let first = visitor.clone().visit::<G>();
        std::iter::once(first).chain(Rest::each(visitor)).collect()
    }
}

/// The owner of a game's rules, as messages about options name it.
#[must_use]
pub fn rules_owner<G: CardGame>() -> String {
    format!("rules of {}", G::NAME)
}

/// Reads the rules of a game. Options that are not given have their defaults.
///
/// # Errors
/// When an option is unknown, of the wrong type or out of range, or contradicts another.
pub fn read_rules<G: CardGame>(given: &Fields) -> Result<G::Rules, OptionError> {
    options::read(&rules_owner::<G>(), given)
}
