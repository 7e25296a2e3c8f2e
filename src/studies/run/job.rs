//! Games of a plan as the job that workers share.

use super::recorder::Recorder;
use super::{Plan, Totals};
use crate::exec::{Job, Text, Work};
use crate::games::CardGame;
use crate::play::GameLoop;
use serde_json::Value;
use std::ops::Range;

/// The text wanted of each game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Rows of `games.csv`.
    pub games: bool,
    /// Transcripts of the games with an index below this.
    pub transcripts: u64,
}

/// The games of a plan, to be played.
pub struct Games<'p, G: CardGame> {
    /// What is played.
    pub plan: &'p Plan<G>,
    /// What is written down.
    pub wanted: Wanted,
}

impl<G: CardGame> Job for Games<'_, G> {
    type Totals = Totals<G>;
    type Worker<'a>
        = Player<'a, G>
    where
        Self: 'a;

    fn totals(&self) -> Totals<G> {
        Totals::new(self.plan)
    }

    fn counted(&self, totals: &Totals<G>) -> u64 {
        totals.games
    }

    fn merge(&self, totals: &mut Totals<G>, part: Totals<G>) {
        totals.merge(part);
    }

    fn record(&self, totals: &Totals<G>) -> Value {
        totals.record()
    }

    fn restore(&self, record: Value) -> Result<Totals<G>, String> {
        Totals::restore(self.plan, record)
    }

    fn worker(&self) -> Player<'_, G> {
        let (plan, wanted) = (self.plan, self.wanted);
        Player { table: plan.game_loop(), recorder: Recorder::new(plan, wanted), wanted }
    }

    fn has_text(&self) -> bool {
        self.wanted != Wanted::default()
    }

    fn name(&self, index: u64) -> String {
        format!("game {index} with seed {}", self.plan.seed)
    }
}

/// A worker: a table with a recorder.
pub struct Player<'p, G: CardGame> {
    table: GameLoop<'p, G>,
    recorder: Recorder<'p, G>,
    wanted: Wanted,
}

impl<G: CardGame> Work<Totals<G>> for Player<'_, G> {
    fn work(&mut self, index: u64, totals: &mut Totals<G>) {
        if self.wanted.games || index < self.wanted.transcripts {
            self.table.play(index, &mut (totals, &mut self.recorder));
        } else {
            self.table.play(index, totals);
        }
    }

    fn work_some(&mut self, indices: Range<u64>, totals: &mut Totals<G>) -> u64 {
        if self.wanted == Wanted::default() {
            return self.table.play_some(indices, totals);
        }
        self.work(indices.start, totals);
        1
    }

    fn take(&mut self) -> Text {
        self.recorder.take()
    }
}
