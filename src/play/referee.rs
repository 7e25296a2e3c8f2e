//! Referees recorded games: every move legal and in turn, every outcome possible, the result right.
//!
//! A transcript is one JSON object on a line. It holds the deck and every random event, so a replay
//! needs no random numbers.

use super::points;
use crate::cards::Card;
use crate::games::{self, CardGame, ChanceRecord, DeckError, UnknownGame, Visitor};
use crate::studies::run as plan;
use knave_agents::options::Fields;
use knave_agents::rng::{Role, stream};
use knave_agents::{Seat, Turn};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The version of the transcripts that are written and read.
pub const SCHEMA: u32 = 1;

/// A transcript as it stands in a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Transcript {
    schema: u32,
    pub(crate) game: String,
    pub(crate) rules: Map<String, Value>,
    pub(crate) seed: u64,
    pub(crate) index: u64,
    players: Vec<String>,
    pub(crate) deck: Vec<Card>,
    events: Vec<Value>,
    scores: Vec<f64>,
    winners: Vec<Seat>,
    end: String,
}

/// What is wrong with a transcript.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// The line is no transcript that could be replayed.
    #[error("{0}")]
    Malformed(String),
    /// An event could not have happened. Events are counted from 1.
    #[error("event {event}: {reason}")]
    Event {
        /// The number of the event; one more than there are when one is missing.
        event: usize,
        /// Why it could not have happened.
        reason: String,
    },
    /// The game was played right, but its result is another.
    #[error("{field} is {recorded} in the transcript, but the replay gives {replayed}")]
    Result {
        /// The field of the transcript.
        field: &'static str,
        /// What stands there.
        recorded: String,
        /// What is right.
        replayed: String,
    },
}

impl ReplayError {
    /// Whether the line could not even be read, as opposed to telling of an impossible game.
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        matches!(self, Self::Malformed(_))
    }
}

impl From<UnknownGame> for ReplayError {
    fn from(error: UnknownGame) -> Self {
        Self::Malformed(error.to_string())
    }
}

/// Replays the transcript on this line.
///
/// # Errors
/// Says what is wrong, and with which event.
pub fn check(line: &str) -> Result<(), ReplayError> {
    let transcript = read(line)?;
    let name = transcript.game.clone();
    games::visit(&name, Replay(transcript))?
}

/// Replays the transcript on this line of a game that need not be registered.
///
/// # Errors
/// As [`check`], and when the transcript is of another game.
pub fn check_as<G: CardGame>(line: &str) -> Result<(), ReplayError> {
    let transcript = read(line)?;
    if transcript.game != G::NAME {
        return Err(ReplayError::Malformed(format!("a game of {}, not of {}", transcript.game, G::NAME)));
    }
    Replay(transcript).visit::<G>()
}

pub(crate) fn read(line: &str) -> Result<Transcript, ReplayError> {
    let transcript: Transcript = serde_json::from_str(line)
        .map_err(|error| ReplayError::Malformed(format!("not a transcript: {error}")))?;
    if transcript.schema != SCHEMA {
        return Err(ReplayError::Malformed(format!(
            "schema {} cannot be read: expected {SCHEMA}",
            transcript.schema
        )));
    }
    Ok(transcript)
}

struct Replay(Transcript);

impl Visitor for Replay {
    type Output = Result<(), ReplayError>;

    fn visit<G: CardGame>(self) -> Self::Output {
        let transcript = self.0;
        let mut position = deal::<G>(&transcript)?;
        let mut events = Events::new(&transcript.events);
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Player(seat) => play(&mut position, seat, &mut events)?,
                Turn::Chance | Turn::Shuffle => chance(&mut position, &mut events)?,
            }
        }
        if let Some(event) = events.next()? {
            return Err(events.wrong(format!("the game is over ({}), but {event} follows", position.end())));
        }
        compare(&transcript, &position)
    }
}

/// Deals the recorded deck with the recorded rules.
fn deal<G: CardGame>(transcript: &Transcript) -> Result<G, ReplayError> {
    let malformed = |error: &dyn std::fmt::Display| ReplayError::Malformed(error.to_string());
    let rules = plan::rules::<G>(&rule_pairs::<G>(&transcript.rules)?).map_err(|e| malformed(&e))?;
    let deck_error = |error: DeckError| malformed(&format!("deck: {error}"));
    let position = G::from_deck(&rules, &transcript.deck).map_err(deck_error)?;
    if let Some(card) = G::full_deck().into_iter().find(|card| !transcript.deck.contains(card)) {
        return Err(deck_error(DeckError::Missing(card)));
    }
    let (players, seats) = (transcript.players.len(), position.seats());
    if players != seats {
        return Err(malformed(&format!("players: {players} names for {seats} seats")));
    }
    Ok(position)
}

/// The rules as option pairs; a transcript must hold every option that the default rules are recorded with.
pub(crate) fn rule_pairs<G: CardGame>(rules: &Map<String, Value>) -> Result<Fields, ReplayError> {
    let malformed = |error: &dyn std::fmt::Display| ReplayError::Malformed(error.to_string());
    let default = plan::rules::<G>(&Fields::new()).map_err(|error| malformed(&error))?;
    let recorded = serde_json::to_value(default).unwrap_or_default();
    let mut recorded = recorded.as_object().into_iter().flat_map(Map::keys);
    if let Some(name) = recorded.find(|name| !rules.contains_key(*name)) {
        let owner = plan::rules_owner::<G>();
        return Err(malformed(&format!("{owner}: option '{name}' is missing")));
    }
    Ok(rules.clone())
}

fn play<G: CardGame>(position: &mut G, seat: Seat, events: &mut Events<'_>) -> Result<(), ReplayError> {
    let expected = || format!("player {seat} is to move");
    match events.next()? {
        Some(Event::Move { text, player }) if player == seat => {
            let m = position.parse_move(&text).map_err(|error| events.wrong(error.to_string()))?;
            position.try_play(m).map_err(|error| events.wrong(format!("'{text}': {error}")))
        }
        Some(Event::Move { player, .. }) => {
            Err(events.wrong(format!("player {player} moves, but {}", expected())))
        }
        Some(event) => Err(events.wrong(format!("{event}, but {}", expected()))),
        None => Err(events.missing(&expected())),
    }
}

fn chance<G: CardGame>(position: &mut G, events: &mut Events<'_>) -> Result<(), ReplayError> {
    if !position.chance_is_recorded() {
        // The outcome follows from the deck, whatever the numbers are.
        position.roll(&mut stream(0, 0, Role::Chance));
        return Ok(());
    }
    match events.next()? {
        Some(Event::Chance(record)) => {
            let outcome = position.read_chance(&record).map_err(|error| events.wrong(error))?;
            position.play_chance(outcome);
            Ok(())
        }
        Some(event) => Err(events.wrong(format!("{event}, but a random event is due"))),
        None => Err(events.missing("a random event is due")),
    }
}

/// Compares the recorded result with the one of the replay.
fn compare<G: CardGame>(transcript: &Transcript, end: &G) -> Result<(), ReplayError> {
    let seats = 0..end.seats();
    let scores: Vec<f64> = seats.clone().map(|seat| points::<G>(end.score(seat))).collect();
    let winners: Vec<Seat> = seats.filter(|&seat| end.won(seat)).collect();
    let differ =
        |field, recorded: String, replayed: String| Err(ReplayError::Result { field, recorded, replayed });
    if transcript.scores != scores {
        return differ("scores", format!("{:?}", transcript.scores), format!("{scores:?}"));
    }
    if transcript.winners != winners {
        return differ("winners", format!("{:?}", transcript.winners), format!("{winners:?}"));
    }
    if transcript.end != end.end() {
        return differ("end", format!("'{}'", transcript.end), format!("'{}'", end.end()));
    }
    Ok(())
}

/// A recorded event.
enum Event {
    Move { text: String, player: Seat },
    Chance(ChanceRecord),
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Move { text, player } => write!(f, "the move '{text}' of player {player}"),
            Self::Chance(ChanceRecord::Roll(_)) => f.write_str("a roll"),
            Self::Chance(ChanceRecord::Reshuffle(_)) => f.write_str("a reshuffle"),
        }
    }
}

/// The events of a transcript, one after the other.
struct Events<'a> {
    values: &'a [Value],
    read: usize,
}

impl<'a> Events<'a> {
    fn new(values: &'a [Value]) -> Self {
        Self { values, read: 0 }
    }

    fn next(&mut self) -> Result<Option<Event>, ReplayError> {
        let Some(value) = self.values.get(self.read) else {
            return Ok(None);
        };
        self.read += 1;
        read_event(value).map(Some).ok_or_else(|| {
            self.wrong(format!(
                "{value} is no event: expected {{\"move\":TEXT,\"player\":SEAT}}, {{\"roll\":[DICE]}} or \
                 {{\"reshuffle\":[CARDS]}}"
            ))
        })
    }

    /// The event that was read last is wrong.
    fn wrong(&self, reason: String) -> ReplayError {
        ReplayError::Event { event: self.read, reason }
    }

    /// Another event should follow.
    fn missing(&self, due: &str) -> ReplayError {
        ReplayError::Event { event: self.read + 1, reason: format!("the events end here, but {due}") }
    }
}

fn read_event(value: &Value) -> Option<Event> {
    let fields = value.as_object()?;
    let only = |name: &str| fields.get(name).filter(|_| fields.len() == 1).cloned();
    if let (Some(text), Some(player), 2) = (fields.get("move"), fields.get("player"), fields.len()) {
        let player = usize::try_from(player.as_u64()?).ok()?;
        return Some(Event::Move { text: text.as_str()?.to_owned(), player });
    }
    let record = if let Some(roll) = only("roll") {
        ChanceRecord::Roll(serde_json::from_value(roll).ok()?)
    } else {
        ChanceRecord::reshuffle(serde_json::from_value::<Vec<Card>>(only("reshuffle")?).ok()?)
    };
    Some(Event::Chance(record))
}
