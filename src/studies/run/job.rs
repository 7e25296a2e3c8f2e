//! Games of a plan as the job that workers share.

use super::recorder::Recorder;
use super::{Plan, Totals};
use crate::exec::{Halt, Job, Text, Work};
use crate::games::CardGame;
use crate::play::{Bench, GameLoop};
use serde_json::Value;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

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

    fn worker<'a>(&'a self, stop: &'a AtomicBool) -> Box<dyn Work<Totals<G>> + 'a> {
        let (plan, wanted) = (self.plan, self.wanted);
        let mut bench = Bench::new(stop);
        Box::new(RunWorker {
            game_loop: plan.game_loop(&mut bench),
            bench,
            recorder: Recorder::new(plan, wanted),
            wanted,
        })
    }

    fn at_once(&self) -> u64 {
        self.plan.at_once().unwrap_or(1)
    }

    fn is_serial(&self) -> bool {
        self.plan.is_shared()
    }

    fn has_text(&self) -> bool {
        self.wanted != Wanted::default()
    }

    fn name(&self, index: u64) -> String {
        format!("game {index} with seed {}", self.plan.seed)
    }
}

/// A worker: a game loop with a recorder.
pub struct RunWorker<'p, G: CardGame> {
    game_loop: GameLoop<'p, G>,
    bench: Bench<'p, G>,
    recorder: Recorder<'p, G>,
    wanted: Wanted,
}

impl<G: CardGame> Work<Totals<G>> for RunWorker<'_, G> {
    fn work(&mut self, index: u64, totals: &mut Totals<G>) -> Result<(), Halt> {
        if self.wanted.games || index < self.wanted.transcripts {
            self.game_loop.play(index, &mut (totals, &mut self.recorder))
        } else {
            self.game_loop.play(index, totals)
        }
    }

    fn work_some(&mut self, indices: Range<u64>, totals: &mut Totals<G>) -> Result<u64, Halt> {
        if !self.wanted.games && indices.start >= self.wanted.transcripts {
            return self.game_loop.play_some(indices, totals);
        }
        if let Some(played) = self.game_loop.play_many(indices.clone()) {
            let played = played?;
            for played in &played {
                played.tell(&mut (&mut *totals, &mut self.recorder));
            }
            return Ok(played.len() as u64);
        }
        self.work(indices.start, totals)?;
        Ok(1)
    }

    fn take(&mut self) -> Text {
        Text { log: self.bench.take_log(), ..self.recorder.take() }
    }
}
