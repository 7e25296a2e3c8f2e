//! `manifest.json`: everything needed to know what a folder holds and to make it again.

use super::journal::replace;
use crate::exec::Ranges;
use crate::games::CardGame;
use crate::studies::bound::BoundPlan;
use crate::studies::compare::{ComparePlan, Goal};
use crate::studies::run::Plan;
use crate::studies::solve::{Deals, SolvePlan};
use knave_agents::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a folder holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Grows when the files change their form.
    pub schema: u32,
    /// The version of Knave.
    pub version: String,
    /// The commit that it was built from; empty when that was not told at build time.
    pub commit: String,
    /// What was run.
    pub plan: PlanRecord,
    /// The number of games that are finished.
    pub finished: u64,
    /// Whether games are missing.
    pub partial: bool,
    /// The finished indices.
    pub ranges: Ranges,
    /// The files of the run in this folder.
    pub files: Vec<String>,
    /// Where the transcripts were written; `-` is standard output.
    pub transcripts: Option<String>,
    /// How many transcripts were asked for, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript_limit: Option<u64>,
    /// When and where it was run. Nothing else differs between equal runs.
    pub timing: Timing,
}

/// What was run: two folders with equal records hold the same results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// The game.
    pub game: String,
    /// The version of its rules.
    pub rules_version: u32,
    /// Every option of the rules.
    pub rules: Value,
    /// The agents by seat.
    pub agents: Vec<AgentRecord>,
    /// The seed; 0 where the deals stood in a file.
    pub seed: u64,
    /// The number of games asked for.
    pub games: u64,
    /// Which part of the games is played here, if not all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The question, where exact answers were asked for and nobody played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solve: Option<SolveRecord>,
    /// How agents were compared, where they were; `games` then counts deals, and the seat of an agent is its place
    /// in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<CompareRecord>,
    /// What was bounded and how, where fair play was bounded; the agent then plays beside the bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<BoundRecord>,
}

/// What was bounded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundRecord {
    /// The quantity.
    pub quantity: String,
    /// How it was bounded.
    pub method: String,
}

/// How agents were compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareRecord {
    /// The number of seats.
    pub seats: usize,
    /// The number of games on each deal.
    pub games_a_deal: usize,
    /// When to stop, if not after all deals.
    pub goal: Option<Goal>,
    /// The sampled outcomes for each random event, where luck was taken off.
    pub control: Option<u32>,
}

/// One of several parts of a run, of about the same size.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// How many parts there are.
    pub of: u64,
}

/// A question about deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveRecord {
    /// What was asked.
    pub objective: String,
    /// The nodes for each deal.
    pub budget: u64,
    /// Always: the solver knows every card, so its answers are no player's results.
    pub clairvoyant: bool,
    /// The file of the deals, if they stood in one.
    pub deals: Option<FileRecord>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its name.
    pub name: String,
    /// The 64-bit FNV-1a hash of its bytes, in hexadecimal.
    pub fnv1a: String,
}

/// An agent as it played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentRecord {
    /// Its seat.
    pub seat: Seat,
    /// As it was named.
    pub label: String,
    /// The agent's own name.
    pub agent: String,
    /// Every parameter.
    pub parameters: Value,
}

/// When, where and how fast.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The start, in universal time (`2026-01-31T23:59:59Z`).
    pub started: String,
    /// How long the games took, in seconds.
    pub seconds: f64,
    /// Finished games for each second; nothing when no time was measured.
    pub games_per_second: Option<f64>,
    /// The number of workers.
    pub threads: usize,
    /// Operating system and processor family of the machine.
    pub host: String,
}

impl Manifest {
    /// The version of the manifest and of the tables beside it.
    pub const SCHEMA: u32 = 1;

    /// The manifest of a run that has not begun.
    #[must_use]
    pub fn new(plan: PlanRecord) -> Self {
        Self {
            schema: Self::SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("KNAVE_COMMIT").unwrap_or_default().to_owned(),
            plan,
            finished: 0,
            partial: true,
            ranges: Ranges::default(),
            files: Vec::new(),
            transcripts: None,
            transcript_limit: None,
            timing: Timing::default(),
        }
    }

    /// Whether the transcripts went where nobody can go on with them.
    pub(super) fn was_read_at_once(&self) -> bool {
        self.transcripts.as_deref().is_some_and(|path| is_read_at_once(Path::new(path)))
    }

    /// Writes the manifest.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        replace(path, &text)
    }

    /// The version and the commit that it was made by.
    #[must_use]
    pub fn build(&self) -> String {
        format!("{} {}", self.version, self.commit).trim().to_owned()
    }

    /// The manifest once these games are finished; `partial` says whether some are missing.
    #[must_use]
    pub fn finish(self, ranges: Ranges, partial: bool, timing: Timing) -> Self {
        Self { finished: ranges.len(), partial, ranges, timing, ..self }
    }
}

impl PlanRecord {
    /// The record of a plan.
    #[must_use]
    pub fn of<G: CardGame>(plan: &Plan<G>) -> Self {
        let agents = plan.agents().enumerate().map(|(seat, agent)| AgentRecord {
            seat,
            label: agent.label.clone(),
            agent: agent.agent.clone(),
            parameters: agent.parameters.clone(),
        });
        Self {
            game: G::NAME.to_owned(),
            rules_version: G::RULES_VERSION,
            rules: serde_json::to_value(&plan.rules).unwrap_or_default(),
            agents: agents.collect(),
            seed: plan.seed,
            games: plan.games,
            shard: None,
            solve: None,
            compare: None,
            bound: None,
        }
    }

    /// The indices of the games to be played here.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        let Some(Shard { part, of }) = self.shard else {
            return 0..self.games;
        };
        let cut = |part: u64| (u128::from(self.games) * u128::from(part) / u128::from(of)) as u64;
        cut(part - 1)..cut(part)
    }

    /// The record of a plan to compare agents.
    #[must_use]
    pub fn of_compare<G: CardGame>(plan: &ComparePlan<G>) -> Self {
        let agents = plan.agents().iter().enumerate().map(|(place, agent)| AgentRecord {
            seat: place,
            label: agent.label.clone(),
            agent: agent.agent.clone(),
            parameters: agent.parameters.clone(),
        });
        let (seats, games_a_deal) = (plan.seats(), plan.lineups().len());
        Self {
            agents: agents.collect(),
            compare: Some(CompareRecord { seats, games_a_deal, goal: plan.goal, control: plan.control }),
            ..Self::of(plan.base())
        }
    }

    /// The record of a plan to bound fair play.
    #[must_use]
    pub fn of_bound<G: CardGame>(plan: &BoundPlan<G>) -> Self {
        let (quantity, method) = (plan.bounding.quantity.to_owned(), plan.bounding.method.to_owned());
        Self { bound: Some(BoundRecord { quantity, method }), ..Self::of(&plan.base) }
    }

    /// The record of a plan to solve deals.
    #[must_use]
    pub fn of_solve<G: CardGame>(plan: &SolvePlan<G>) -> Self {
        let mut rules = serde_json::to_value(&plan.rules).unwrap_or_default();
        if let Some(unknown) = plan.objective.unknown {
            rules[unknown] = Value::Null;
        }
        let (seed, deals) = match &plan.deals {
            Deals::Seeded { seed, .. } => (*seed, None),
            Deals::Listed { name, hash, .. } => {
                (0, Some(FileRecord { name: name.clone(), fnv1a: format!("{hash:016x}") }))
            }
        };
        let objective = plan.objective.name.to_owned();
        Self {
            game: G::NAME.to_owned(),
            rules_version: G::RULES_VERSION,
            rules,
            agents: Vec::new(),
            seed,
            games: plan.len(),
            shard: None,
            compare: None,
            bound: None,
            solve: Some(SolveRecord { objective, budget: plan.budget, clairvoyant: true, deals }),
        }
    }
}

impl Shard {
    /// Part `part` of `of`.
    ///
    /// # Errors
    /// When there is no such part.
    pub fn new(part: u64, of: u64) -> Result<Self, String> {
        if part < 1 || part > of {
            return Err(format!("there is no part {part} of {of}: parts are counted from 1"));
        }
        Ok(Self { part, of })
    }
}

impl Timing {
    /// The timing of a run that goes on: its first start, and the seconds of both parts.
    #[must_use]
    pub fn after(self, earlier: Option<&Self>, finished: u64) -> Self {
        let Some(earlier) = earlier else {
            return self;
        };
        let seconds = earlier.seconds + self.seconds;
        let games_per_second = (seconds > 0.0).then(|| finished as f64 / seconds);
        // The times are written such that the earlier is the smaller.
        let started = earlier.started.clone().min(self.started);
        Self { started, seconds, games_per_second, ..self }
    }

    /// The timing of `finished` games since `started`.
    #[must_use]
    pub fn new(started: SystemTime, seconds: f64, finished: u64, threads: usize) -> Self {
        Self {
            started: utc(started),
            seconds,
            games_per_second: (seconds > 0.0).then(|| finished as f64 / seconds),
            threads,
            host: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// Whether what is written to this path cannot be gone on with: standard output, a pipe, a device.
pub(super) fn is_read_at_once(path: &Path) -> bool {
    path.as_os_str() == "-" || path.metadata().is_ok_and(|data| !data.is_file())
}

/// A time in universal time, such as `2026-01-31T23:59:59Z` (the proleptic Gregorian calendar).
#[must_use]
pub fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 0;
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_printed_in_universal_time() {
        let at = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_000_000_000), "2001-09-09T01:46:40Z");
        assert_eq!(at(1_709_251_199), "2024-02-29T23:59:59Z");
    }
}
