//! Transcripts: a game as one line of JSON.

use crate::cards::Card;
use crate::games::{CardGame, ChanceRecord};
use knave_agents::{Event, Seat};
use serde::Serialize;

/// A score as it is printed, in points.
#[must_use]
pub fn points<G: CardGame>(score: i64) -> f64 {
    score as f64 / G::SCORE_UNITS as f64
}

/// An event as it stands in a transcript.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry {
    Move {
        #[serde(rename = "move")]
        text: String,
        player: Seat,
    },
    Roll {
        roll: Vec<u8>,
    },
    Reshuffle {
        reshuffle: Vec<String>,
    },
}

/// A line of the transcripts, in the order of its fields.
#[derive(Serialize)]
struct Line<'a, R> {
    schema: u32,
    game: &'a str,
    rules: &'a R,
    seed: u64,
    index: u64,
    players: &'a [&'a str],
    deck: &'a [Card],
    events: &'a [Entry],
    scores: Vec<f64>,
    winners: Vec<Seat>,
    end: &'a str,
}

/// Writes down one game.
#[derive(Default)]
pub(crate) struct Transcriber {
    deck: Vec<Card>,
    entries: Vec<Entry>,
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
    pub(crate) fn begin<G: CardGame>(&mut self, start: &G) {
        self.deck = start.deck();
        self.entries.clear();
    }

    /// A move was played, or chance brought `outcome`.
    pub(crate) fn event<G: CardGame>(&mut self, event: &Event<G>, outcome: Option<&G::Chance>) {
        let entry = match (event, outcome.and_then(G::chance_record)) {
            (Event::Move(player, m), _) => Entry::Move { text: m.to_string(), player: *player },
            (_, Some(ChanceRecord::Roll(roll))) => Entry::Roll { roll },
            (_, Some(ChanceRecord::Reshuffle(reshuffle))) => Entry::Reshuffle { reshuffle },
            (_, None) => return,
        };
        self.entries.push(entry);
    }

    /// The game is over: appends its line.
    pub(crate) fn finish<G: CardGame>(&self, heading: &Heading<'_, G::Rules>, end: &G, out: &mut Vec<u8>) {
        let seats = 0..heading.players.len();
        let line = Line {
            schema: super::referee::SCHEMA,
            game: G::NAME,
            rules: heading.rules,
            seed: heading.seed,
            index: heading.index,
            players: heading.players,
            deck: &self.deck,
            events: &self.entries,
            scores: seats.clone().map(|seat| points::<G>(end.score(seat))).collect(),
            winners: seats.filter(|&seat| end.won(seat)).collect(),
            end: end.end(),
        };
        serde_json::to_writer(&mut *out, &line).expect("a transcript can be written to memory");
        out.push(b'\n');
    }
}
