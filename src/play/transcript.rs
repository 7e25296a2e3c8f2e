//! Transcripts: a game as one line of JSON, with its deck and every event, so that it is replayed without random numbers.

use super::observer::Finished;
use crate::cards::Card;
use crate::games::CardGame;
use crate::json;
use knave_agents::options::Fields;
use knave_agents::{ChanceRecord, Event, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the transcripts that are written and read.
pub const SCHEMA: u32 = 1;

/// A score as it is printed, in points.
#[must_use]
pub fn points<G: CardGame>(score: i64) -> f64 {
    score as f64 / G::SCORE_UNITS as f64
}

/// A line of a file of transcripts. What is read has rules and events as data; what is written has them as they are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Transcript<R = Fields, E = Value> {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The game.
    pub game: String,
    /// The options of its rules; some that are switched off by default only where they are set.
    pub rules: R,
    /// The seed of the run.
    #[serde(deserialize_with = "json::whole")]
    pub seed: u64,
    /// The index of the game in it.
    #[serde(deserialize_with = "json::whole")]
    pub index: u64,
    /// The agents by seat.
    pub players: Vec<String>,
    /// The deck before the deal, top first.
    pub deck: Vec<Card>,
    /// What happened, in order.
    pub events: Vec<E>,
    /// The scores by seat, in points.
    pub scores: Vec<f64>,
    /// The seats that won.
    pub winners: Vec<Seat>,
    /// Why the game ended.
    pub end: String,
    /// The seats that gave the game up; what was left of it was played at random for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forfeited: Vec<Seat>,
    /// Whether cards of the game are missing from the deck on purpose.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub short_deck: bool,
}

impl<R, E> Transcript<R, E> {
    /// The same with rules and events in another form.
    pub(super) fn map<S, F>(self, rules: impl FnOnce(R) -> S, event: impl Fn(E) -> F) -> Transcript<S, F> {
        Transcript {
            schema: self.schema,
            game: self.game,
            rules: rules(self.rules),
            seed: self.seed,
            index: self.index,
            players: self.players,
            deck: self.deck,
            events: self.events.into_iter().map(event).collect(),
            scores: self.scores,
            winners: self.winners,
            end: self.end,
            forfeited: self.forfeited,
            short_deck: self.short_deck,
        }
    }
}

/// An event of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Record {
    /// A move.
    Move {
        /// Its text.
        #[serde(rename = "move")]
        text: String,
        /// The seat.
        player: Seat,
    },
    /// Dice in the order in which they were rolled.
    Roll {
        /// Their eyes.
        roll: Vec<u8>,
    },
    /// Cards in a new order.
    Reshuffle {
        /// Top first.
        reshuffle: Vec<String>,
    },
}

/// A player's name that no record may have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("players: {name:?} of seat {seat} is no name to be read")]
pub struct NameError {
    seat: Seat,
    name: String,
}

/// Checks the players' names, by seat.
pub(crate) fn check_names(players: &[String]) -> Result<(), NameError> {
    let named = |name: &String| !name.trim().is_empty() && !name.contains(char::is_control);
    match players.iter().position(|name| !named(name)) {
        None => Ok(()),
        Some(seat) => Err(NameError { seat, name: players[seat].clone() }),
    }
}

/// Writes down one game.
#[derive(Clone, Default)]
pub(crate) struct Transcriber {
    deck: Vec<Card>,
    events: Vec<Record>,
}

/// What a transcript says of a game beside its deck and its events.
pub(crate) struct Heading<'a, R> {
    pub rules: &'a R,
    pub seed: u64,
    pub index: u64,
    /// The players by seat.
    pub players: &'a [&'a str],
}

impl Transcriber {
    /// A game begins.
    pub fn begin<G: CardGame>(&mut self, start: &G) {
        self.deck = start.deck();
        self.events.clear();
    }

    /// A move was played, or chance brought `outcome`.
    pub fn event<G: CardGame>(&mut self, event: &Event<G>, outcome: Option<&G::Chance>) {
        self.events.push(match (event, outcome.and_then(G::chance_record)) {
            (Event::Move(player, m), _) => Record::Move { text: m.to_string(), player: *player },
            (_, Some(ChanceRecord::Roll(roll))) => Record::Roll { roll },
            (_, Some(ChanceRecord::Reshuffle(reshuffle))) => Record::Reshuffle { reshuffle },
            (_, None) => return,
        });
    }

    /// The game is over: appends its line.
    pub fn finish<G: CardGame>(
        &mut self,
        heading: &Heading<'_, G::Rules>,
        end: &Finished<'_, G>,
        out: &mut Vec<u8>,
    ) {
        let (seats, position) = (0..heading.players.len(), end.position);
        let transcript = Transcript {
            schema: SCHEMA,
            game: G::NAME.to_owned(),
            rules: heading.rules,
            seed: heading.seed,
            index: heading.index,
            players: heading.players.iter().map(|&player| player.to_owned()).collect(),
            short_deck: self.deck.len() < G::full_deck().len(),
            deck: std::mem::take(&mut self.deck),
            events: std::mem::take(&mut self.events),
            scores: seats.clone().map(|seat| points::<G>(position.score(seat))).collect(),
            winners: seats.filter(|&seat| end.won(seat)).collect(),
            end: position.end().to_owned(),
            forfeited: end.forfeited(),
        };
        serde_json::to_writer(&mut *out, &transcript).expect("a transcript can be written to memory");
        out.push(b'\n');
        self.events = transcript.events;
    }
}
