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

/// Writes down the games that it watches, as far as text is wanted of them.
pub(super) struct Recorder<'p, G: CardGame> {
    plan: &'p Plan<G>,
    wanted: Wanted,
    players: Vec<&'p str>,
    index: u64,
    deck: Vec<Card>,
    entries: Vec<Entry>,
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
            deck: Vec::new(),
            entries: Vec::new(),
            rows: fresh_rows(),
            lines: Vec::new(),
        }
    }

    /// Hands over what was written since the last time.
    pub(super) fn take(&mut self) -> Text {
        let rows = std::mem::replace(&mut self.rows, fresh_rows());
        // Writing to memory cannot fail.
        let games = rows.into_inner().unwrap_or_default();
        Text { games, transcripts: std::mem::take(&mut self.lines) }
    }

    fn transcribes(&self) -> bool {
        self.index < self.wanted.transcripts
    }
}

fn fresh_rows() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new())
}

impl<G: CardGame> Observer<G> for Recorder<'_, G> {
    fn begin(&mut self, index: u64, start: &G) {
        self.index = index;
        if self.transcribes() {
            self.deck = start.deck();
            self.entries.clear();
        }
    }

    fn event(&mut self, _: &G, event: &Event<G>, outcome: Option<&G::Chance>) {
        if !self.transcribes() {
            return;
        }
        let entry = match (event, outcome.and_then(G::chance_record)) {
            (Event::Move(player, m), _) => Entry::Move { text: m.to_string(), player: *player },
            (_, Some(ChanceRecord::Roll(roll))) => Entry::Roll { roll },
            (_, Some(ChanceRecord::Reshuffle(reshuffle))) => Entry::Reshuffle { reshuffle },
            (_, None) => return,
        };
        self.entries.push(entry);
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
            let line = Line {
                schema: super::replay::SCHEMA,
                game: G::NAME,
                rules: &self.plan.rules,
                seed: self.plan.seed,
                index: self.index,
                players: &self.players,
                deck: &self.deck,
                events: &self.entries,
                scores: (0..moves.len()).map(|seat| points::<G>(end.score(seat))).collect(),
                winners: (0..moves.len()).filter(|&seat| end.won(seat)).collect(),
                end: end.end(),
            };
            serde_json::to_writer(&mut self.lines, &line).expect("a transcript can be written to memory");
            self.lines.push(b'\n');
        }
    }
}
