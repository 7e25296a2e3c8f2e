//! The text that a game leaves behind: a row a seat for `games.csv`, a line for the transcripts.

use super::table::Observer;
use super::{Plan, Text, Wanted};
use crate::cards::Card;
use crate::games::{CardGame, ChanceRecord};
use knave_agents::{Event, Seat};
use serde::Serialize;

/// A score as it is printed, in points.
#[must_use]
pub fn points<G: CardGame>(score: i64) -> f64 {
    score as f64 / G::SCORE_UNITS as f64
}

/// A row of `games.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameRow<'a> {
    /// The index of the game.
    pub index: u64,
    /// The seat.
    pub seat: Seat,
    /// The agent in it, as it was named.
    pub agent: &'a str,
    /// Its score in points.
    pub score: f64,
    /// 1 when it won, alone or with others, 0 when not.
    pub won: u8,
    /// Why the game ended.
    pub end: &'a str,
    /// The moves that this seat made.
    pub moves: u64,
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
        reshuffle: Vec<Card>,
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
pub(super) struct Transcriber {
    deck: Vec<Card>,
    entries: Vec<Entry>,
}

/// What a transcript says of a game beside its deck and its events.
pub(super) struct Heading<'a, R> {
    pub rules: &'a R,
    pub seed: u64,
    pub index: u64,
    /// The players by seat.
    pub players: &'a [&'a str],
}

impl Transcriber {
    /// A game begins.
    pub(super) fn begin<G: CardGame>(&mut self, start: &G) {
        self.deck = start.deck();
        self.entries.clear();
    }

    /// A move was played, or chance brought `outcome`.
    pub(super) fn event<G: CardGame>(&mut self, event: &Event<G>, outcome: Option<&G::Chance>) {
        let entry = match (event, outcome.and_then(G::chance_record)) {
            (Event::Move(player, m), _) => Entry::Move { text: m.to_string(), player: *player },
            (_, Some(ChanceRecord::Roll(roll))) => Entry::Roll { roll },
            (_, Some(ChanceRecord::Reshuffle(reshuffle))) => Entry::Reshuffle { reshuffle },
            (_, None) => return,
        };
        self.entries.push(entry);
    }

    /// The game is over: appends its line.
    pub(super) fn finish<G: CardGame>(&self, heading: &Heading<'_, G::Rules>, end: &G, out: &mut Vec<u8>) {
        let seats = 0..heading.players.len();
        let line = Line {
            schema: super::replay::SCHEMA,
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

/// Writes down the games that it watches, as far as text is wanted of them.
pub(super) struct Recorder<'p, G: CardGame> {
    plan: &'p Plan<G>,
    wanted: Wanted,
    players: Vec<&'p str>,
    index: u64,
    transcriber: Transcriber,
    rows: csv::Writer<Vec<u8>>,
    lines: Vec<u8>,
}

impl<'p, G: CardGame> Recorder<'p, G> {
    pub(super) fn new(plan: &'p Plan<G>, wanted: Wanted) -> Self {
        Self {
            plan,
            wanted,
            players: plan.agents().map(|agent| agent.agent.as_str()).collect(),
            index: 0,
            transcriber: Transcriber::default(),
            rows: fresh_rows(),
            lines: Vec::new(),
        }
    }

    /// Hands over what was written since the last time.
    pub(super) fn take(&mut self) -> Text {
        let rows = take_rows(&mut self.rows);
        Text { rows, transcripts: std::mem::take(&mut self.lines), print: Vec::new() }
    }

    fn transcribes(&self) -> bool {
        self.index < self.wanted.transcripts
    }
}

/// A table in memory, without its header.
pub(super) fn fresh_rows() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new())
}

/// What was written to such a table since the last time.
pub(super) fn take_rows(rows: &mut csv::Writer<Vec<u8>>) -> Vec<u8> {
    // Writing to memory cannot fail.
    std::mem::replace(rows, fresh_rows()).into_inner().unwrap_or_default()
}

impl<G: CardGame> Observer<G> for Recorder<'_, G> {
    fn begin(&mut self, index: u64, start: &G) {
        self.index = index;
        if self.transcribes() {
            self.transcriber.begin(start);
        }
    }

    fn event(&mut self, _: &G, event: &Event<G>, outcome: Option<&G::Chance>) {
        if self.transcribes() {
            self.transcriber.event(event, outcome);
        }
    }

    fn finish(&mut self, end: &G, moves: &[u64]) {
        if self.wanted.games {
            for (seat, &moves) in moves.iter().enumerate() {
                let row = GameRow {
                    index: self.index,
                    seat,
                    agent: &self.plan.agent(seat).label,
                    score: points::<G>(end.score(seat)),
                    won: u8::from(end.won(seat)),
                    end: end.end(),
                    moves,
                };
                self.rows.serialize(row).expect("a row of plain fields can be written to memory");
            }
        }
        if self.transcribes() {
            let (rules, players) = (&self.plan.rules, self.players.as_slice());
            let heading = Heading { rules, seed: self.plan.seed, index: self.index, players };
            self.transcriber.finish(&heading, end, &mut self.lines);
        }
    }
}
