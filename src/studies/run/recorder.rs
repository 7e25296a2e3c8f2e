//! The text that a game leaves behind: a row a seat for `games.csv`, a line for the transcripts.

use super::{Plan, Wanted, tables};
use crate::exec::Text;
use crate::games::CardGame;
use crate::play::{Finished, Heading, Observer, Transcriber, points};
use crate::studies::rows::Rows;
use knave_agents::{Event, Seat};
use serde::Serialize;

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

/// Writes down the games that it watches, as far as text is wanted of them.
pub(crate) struct Recorder<'p, G: CardGame> {
    plan: &'p Plan<G>,
    wanted: Wanted,
    players: Vec<&'p str>,
    index: u64,
    transcriber: Transcriber,
    rows: Rows,
    lines: Vec<u8>,
}

impl<'p, G: CardGame> Recorder<'p, G> {
    pub(crate) fn new(plan: &'p Plan<G>, wanted: Wanted) -> Self {
        Self {
            plan,
            wanted,
            players: plan.agents().map(|agent| agent.agent.as_str()).collect(),
            index: 0,
            transcriber: Transcriber::default(),
            rows: Rows::new(tables::GAMES),
            lines: Vec::new(),
        }
    }

    /// Hands over what was written since the last time.
    pub(crate) fn take(&mut self) -> Text {
        let rows = vec![self.rows.take()];
        Text { rows, transcripts: std::mem::take(&mut self.lines), ..Text::default() }
    }

    fn transcribes(&self) -> bool {
        self.index < self.wanted.transcripts
    }
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

    fn finish(&mut self, end: &Finished<'_, G>) {
        let position = end.position;
        if self.wanted.games {
            for (seat, &moves) in end.moves.iter().enumerate() {
                let row = GameRow {
                    index: self.index,
                    seat,
                    agent: &self.plan.agent(seat).label,
                    score: points::<G>(position.score(seat)),
                    won: u8::from(end.won(seat)),
                    end: position.end(),
                    moves,
                };
                self.rows.write(&row);
            }
        }
        if self.transcribes() {
            let (rules, players) = (&self.plan.rules, self.players.as_slice());
            let heading = Heading { rules, seed: self.plan.seed, index: self.index, players };
            self.transcriber.finish(&heading, end, &mut self.lines);
        }
    }
}
