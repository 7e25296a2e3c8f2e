//! Reference engines: every game once more, slowly and straight from its ruling.
//!
//! They share nothing with the engines that are tested but the notation. Rules, decks, moves and random events go in as data and
//! text; legal moves and results come out as text. They keep lists of cards and work out anew what can be worked out.

mod columns;
mod doubles;
mod dungeon;
mod verslun;
mod whist;

use knave::agents::options::Fields;
use knave::cards::Card;
use knave_agents::{ChanceRecord, Seat, Turn};
use serde_json::Value;

/// A game as its ruling describes it.
pub trait Reference {
    /// Whose turn it is. Cards that follow from the deck are drawn at once, so [`Turn::Chance`] stands for a roll and
    /// [`Turn::Shuffle`] for a reshuffle that a transcript records.
    fn turn(&self) -> Turn;

    /// The legal moves in canonical notation, sorted.
    fn moves(&self) -> Vec<String>;

    /// Plays a legal move in canonical notation.
    fn play(&mut self, text: &str);

    /// Plays a random event that is due.
    ///
    /// # Errors
    /// When the event is impossible here.
    fn chance(&mut self, record: &ChanceRecord) -> Result<(), String>;

    /// The number of players.
    fn seats(&self) -> usize;

    /// The points of a seat.
    fn score(&self, seat: Seat) -> f64;

    /// Those who have won, in a finished game.
    fn winners(&self) -> Vec<Seat>;

    /// The reason why the game ended, in the game's own word.
    fn end(&self) -> &'static str;

    /// The same position again.
    fn copy(&self) -> Box<dyn Reference>;

    /// The canonical notation of a legal move in which interchangeable parts may stand in any order.
    fn canonical(&self, text: &str) -> Option<String> {
        let text = words(text).join(" ");
        self.moves().contains(&text).then_some(text)
    }
}

/// The game of this name, dealt from this deck under these rules, all of whose options are given.
///
/// # Panics
/// When there is no such game, an option is missing, or the deck is too short.
#[must_use]
pub fn of(game: &str, rules: &Fields, deck: &[Card]) -> Box<dyn Reference> {
    match game {
        "dungeon" => Box::new(dungeon::Dungeon::new(rules, deck)),
        "verslun" => Box::new(verslun::Verslun::new(rules, deck)),
        "columns" => Box::new(columns::Columns::new(rules, deck)),
        "doubles" => Box::new(doubles::Doubles::new(rules, deck)),
        "whist" => Box::new(whist::Whist::new(rules, deck)),
        _ => panic!("no reference engine for {game}"),
    }
}

/// A whole number among the options of the rules.
fn number<T: TryFrom<i64>>(rules: &Fields, name: &str) -> T {
    let number = rules.get(name).and_then(Value::as_i64).and_then(|number| T::try_from(number).ok());
    number.unwrap_or_else(|| panic!("the rules have no number {name}"))
}

/// Whether an option has this value.
fn is(rules: &Fields, name: &str, value: &str) -> bool {
    rules.get(name).unwrap_or_else(|| panic!("the rules have no option {name}")) == value
}

/// The words of a move.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// The card of this text, which is one.
fn card(text: &str) -> Card {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The rank of a card as its letter.
fn letter(card: Card) -> char {
    card.to_string().chars().next().unwrap_or_default()
}

/// Checks that these are the same cards, in any order.
fn same_cards(cards: &[Card], others: &[Card]) -> bool {
    let sorted = |cards: &[Card]| {
        let mut cards = cards.to_vec();
        cards.sort_unstable();
        cards
    };
    sorted(cards) == sorted(others)
}

/// The dice of a roll of so many.
fn dice(record: &ChanceRecord, count: usize) -> Result<&[u8], String> {
    match record {
        ChanceRecord::Roll(dice) if dice.len() == count && dice.iter().all(|die| (1..=6).contains(die)) => {
            Ok(dice)
        }
        _ => Err(format!("a roll of {count} dice is due")),
    }
}

/// The cards of a reshuffle of these cards.
fn reshuffled(record: &ChanceRecord, of: &[Card]) -> Result<Vec<Card>, String> {
    let cards = record.cards().filter(|cards| same_cards(cards, of));
    cards.ok_or_else(|| format!("a reshuffle of {of:?} is due"))
}
