//! Referees recorded games: every move legal and in turn, every outcome possible, the result right.
//!
//! A transcript holds the deck and every random event, so a replay needs no random numbers.

use super::observer::{Finished, Observer};
use super::transcript::{Record, SCHEMA, Transcript, check_names, points};
use crate::games::{self, CardGame, DeckError};
use crate::json::{Unique, UniqueFields, of_line};
use crate::numbers::counted;
use knave_agents::options::{self, Fields};
use knave_agents::rng::{Role, stream};
use knave_agents::{ChanceRecord, Event, IllegalMove, Seat, Turn};
use serde::Deserialize as _;
use serde_json::Value;

/// An error in a transcript.
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

/// Reads the transcript on this line.
///
/// # Errors
/// [`ReplayError::Malformed`] when it is none, or one of another schema.
pub fn read(line: &str) -> Result<Transcript, ReplayError> {
    let transcript: Transcript<UniqueFields, Unique> = options::read_json(line)
        .map_err(|error| ReplayError::Malformed(format!("not a transcript: {}", of_line(&error))))?;
    let transcript = transcript.map(|rules| rules.0, |event| event.0);
    if transcript.schema != SCHEMA {
        return Err(ReplayError::Malformed(format!(
            "schema {} cannot be read: expected {SCHEMA}",
            transcript.schema
        )));
    }
    Ok(transcript)
}

/// Replays a transcript of this game.
///
/// # Errors
/// Says what is wrong, and with which event.
pub fn check<G: CardGame>(transcript: &Transcript) -> Result<(), ReplayError> {
    /// Watches nothing.
    struct Nobody;
    impl<G: CardGame> Observer<G> for Nobody {}
    replay::<G>(transcript, &mut Nobody)
}

/// The same before the eyes of an observer. What it has seen is worth nothing if there is an error.
///
/// # Errors
/// As [`check`].
pub fn replay<G: CardGame>(
    transcript: &Transcript,
    observer: &mut impl Observer<G>,
) -> Result<(), ReplayError> {
    if transcript.game != G::NAME {
        return Err(ReplayError::Malformed(format!("a game of {}, not of {}", transcript.game, G::NAME)));
    }
    let mut position = deal::<G>(transcript)?;
    let mut events = Events { values: &transcript.events, read: 0 };
    let mut moves = vec![0; position.seats()];
    observer.begin(transcript.index, &position);
    loop {
        match position.turn() {
            Turn::Over => break,
            Turn::Player(seat) => {
                let m = next_move(&position, seat, &mut events)?;
                observer.event(&position, &Event::Move(seat, m), None);
                position.play(m);
                moves[seat] += 1;
            }
            turn => {
                let outcome = chance(&mut position, &mut events)?;
                let event = Event::of_chance(turn, outcome);
                observer.event(&position, &event, Some(&outcome));
            }
        }
    }
    if let Some(event) = events.next()? {
        let event = described(&event);
        return Err(events.wrong(format!("the game is over ({}), but {event} follows", position.end())));
    }
    let end = compare(transcript, &position, &moves)?;
    observer.finish(&end);
    Ok(())
}

/// A position of a recorded game, with the public events before it.
pub(crate) struct Reached<G: CardGame> {
    pub position: G,
    pub history: Vec<Event<G>>,
    pub played: Vec<(Seat, String)>,
}

/// The position before a decision of a transcript. Decisions are counted from 1, without those that have one legal move; none stands
/// for the end of what is recorded, which may be the beginning of a game.
///
/// # Errors
/// Says what is wrong, and with which event; also when a player need not decide there.
pub(crate) fn reach<G: CardGame>(
    transcript: &Transcript,
    decision: Option<u64>,
) -> Result<Reached<G>, ReplayError> {
    let no_decision = |decision: u64, number: u64| {
        ReplayError::Malformed(format!("there is no decision {decision}: the game has {number}"))
    };
    let mut reached = Reached { position: deal::<G>(transcript)?, history: Vec::new(), played: Vec::new() };
    let mut events = Events { values: &transcript.events, read: 0 };
    let (mut moves, mut number) = (Vec::new(), 0);
    loop {
        let Reached { position, history, played } = &mut reached;
        let event = match position.turn() {
            Turn::Over => {
                return Err(match decision {
                    Some(decision) => no_decision(decision, number),
                    None if number == 0 => {
                        ReplayError::Malformed("the game is over, and nobody had to decide".to_owned())
                    }
                    None => {
                        ReplayError::Malformed(format!("the game is over: name a decision, 1 to {number}"))
                    }
                });
            }
            Turn::Player(seat) => {
                position.moves(&mut moves);
                number += u64::from(moves.len() > 1);
                let is_asked = moves.len() > 1 && decision == Some(number);
                if is_asked || (decision.is_none() && events.is_at_end()) {
                    return Ok(reached);
                }
                if let Some(decision) = decision.filter(|_| events.is_at_end()) {
                    return Err(no_decision(decision, number));
                }
                let m = next_move(position, seat, &mut events)?;
                played.push((seat, m.to_string()));
                position.play(m);
                Event::Move(seat, m)
            }
            turn => {
                let outcome = match decision {
                    Some(decision) if events.is_at_end() && position.chance_is_recorded() => {
                        return Err(no_decision(decision, number));
                    }
                    _ => chance(position, &mut events)?,
                };
                Event::of_chance(turn, outcome)
            }
        };
        position.tell(event, history);
    }
}

/// Deals the recorded deck with the recorded rules.
fn deal<G: CardGame>(transcript: &Transcript) -> Result<G, ReplayError> {
    let malformed = |error: &dyn std::fmt::Display| ReplayError::Malformed(error.to_string());
    let rules = rules::<G>(&transcript.rules)?;
    let deck_error = |error: DeckError| malformed(&format!("deck: {error}"));
    let position = G::from_deck(&rules, &transcript.deck).map_err(deck_error)?;
    let missing = G::full_deck().into_iter().find(|card| !transcript.deck.contains(card));
    match missing {
        Some(card) if !transcript.short_deck => return Err(deck_error(DeckError::Missing(card))),
        None if transcript.short_deck => {
            return Err(malformed(&"short_deck is true, but the deck lacks no card"));
        }
        _ => {}
    }
    let (players, seats) = (transcript.players.len(), position.seats());
    if players != seats {
        let (names, seats) = (counted(players, "names"), counted(seats, "seats"));
        return Err(malformed(&format!("players: {names} for {seats}")));
    }
    check_names(&transcript.players).map_err(|error| malformed(&error))?;
    Ok(position)
}

/// The recorded rules, which must hold every option that the default rules are recorded with, as it is recorded.
pub(crate) fn rules<G: CardGame>(recorded: &Fields) -> Result<G::Rules, ReplayError> {
    let malformed = |error: &dyn std::fmt::Display| ReplayError::Malformed(error.to_string());
    let all = options::recorded(&G::Rules::default());
    if let Some(name) = all.keys().find(|name| !recorded.contains_key(*name)) {
        let owner = games::rules_owner::<G>();
        return Err(malformed(&format!("{owner}: option '{name}' is missing")));
    }
    let rules = games::read_rules::<G>(recorded).map_err(|error| malformed(&error))?;
    let right = options::recorded(&rules);
    // A command line may say the same in several ways, a record may not.
    match recorded.iter().find(|&(name, value)| right.get(name) != Some(value)) {
        None => Ok(rules),
        Some((name, value)) => {
            let (owner, right) = (games::rules_owner::<G>(), right.get(name).cloned().unwrap_or_default());
            Err(malformed(&format!(
                "{owner}: option '{name}' is recorded as {value}, which should be {right}"
            )))
        }
    }
}

/// The recorded move of this seat.
fn next_move<G: CardGame>(position: &G, seat: Seat, events: &mut Events<'_>) -> Result<G::Move, ReplayError> {
    let expected = || format!("player {seat} is to move");
    match events.next()? {
        Some(Record::Move { text, player }) if player == seat => {
            let m = position.parse_move(&text).map_err(|error| events.wrong(error.to_string()))?;
            let right = m.to_string();
            if !is_written_alike(&text, &right) {
                return Err(events.wrong(format!("the move {text:?} should be written '{right}'")));
            }
            if !position.is_legal(m) {
                return Err(events.wrong(format!("'{text}': {IllegalMove}")));
            }
            Ok(m)
        }
        Some(Record::Move { player, .. }) => {
            Err(events.wrong(format!("player {player} moves, but {}", expected())))
        }
        Some(event) => Err(events.wrong(format!("{}, but {}", described(&event), expected()))),
        None => Err(events.missing(&expected())),
    }
}

/// Whether a text has the words of another, in this order or another one.
pub(crate) fn is_written_alike(text: &str, other: &str) -> bool {
    let sorted = |text: &str| {
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    text == other || sorted(text) == sorted(other)
}

fn chance<G: CardGame>(position: &mut G, events: &mut Events<'_>) -> Result<G::Chance, ReplayError> {
    if !position.chance_is_recorded() {
        // The outcome follows from the deck, whatever the numbers are.
        return Ok(position.roll(&mut stream(0, 0, Role::Chance)));
    }
    let due = if position.turn() == Turn::Shuffle { "a reshuffle is due" } else { "a roll is due" };
    match events.next()? {
        Some(Record::Roll { roll }) => bring(position, &ChanceRecord::Roll(roll), events),
        Some(Record::Reshuffle { reshuffle }) => bring(position, &ChanceRecord::Reshuffle(reshuffle), events),
        Some(event) => Err(events.wrong(format!("{}, but {due}", described(&event)))),
        None => Err(events.missing(due)),
    }
}

/// Has chance bring what is recorded.
fn bring<G: CardGame>(
    position: &mut G,
    record: &ChanceRecord,
    events: &Events<'_>,
) -> Result<G::Chance, ReplayError> {
    let outcome = position.read_chance(record).map_err(|error| events.wrong(error))?;
    position.play_chance(outcome);
    Ok(outcome)
}

/// Compares the recorded result with the one of the replay, and returns that.
fn compare<'a, G: CardGame>(
    transcript: &Transcript,
    end: &'a G,
    moves: &'a [u64],
) -> Result<Finished<'a, G>, ReplayError> {
    let seats = 0..end.seats();
    let scores: Vec<f64> = seats.clone().map(|seat| points::<G>(end.score(seat))).collect();
    let forfeited = &transcript.forfeited;
    let sorted = forfeited.is_sorted_by(|a, b| a < b);
    if !sorted || forfeited.last().is_some_and(|&seat| seat >= end.seats()) {
        let reason = format!("forfeited: {forfeited:?} are not seats in ascending order");
        return Err(ReplayError::Malformed(reason));
    }
    let finished = Finished::new(end, moves, forfeited.iter().copied().collect());
    let winners: Vec<Seat> = seats.filter(|&seat| finished.won(seat)).collect();
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
    Ok(finished)
}

/// An event in words.
fn described(event: &Record) -> String {
    match event {
        Record::Move { text, player } => format!("the move '{text}' of player {player}"),
        Record::Roll { .. } => "a roll".to_owned(),
        Record::Reshuffle { .. } => "a reshuffle".to_owned(),
    }
}

/// The events of a transcript, one after the other.
struct Events<'a> {
    values: &'a [Value],
    read: usize,
}

impl Events<'_> {
    fn next(&mut self) -> Result<Option<Record>, ReplayError> {
        let Some(value) = self.values.get(self.read) else {
            return Ok(None);
        };
        self.read += 1;
        Record::deserialize(value).map(Some).map_err(|_| {
            self.wrong(format!(
                "{value} is no event: expected {{\"move\":TEXT,\"player\":SEAT}}, {{\"roll\":[DICE]}} or \
                 {{\"reshuffle\":[CARDS]}}"
            ))
        })
    }

    fn is_at_end(&self) -> bool {
        self.read == self.values.len()
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
