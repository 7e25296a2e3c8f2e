//! Arguments that commands share: game and rules, numbers, judges, workers, folders.

use super::exit::bad_input;
use super::json::Json;
use crate::analysis::JudgeSpec;
use crate::games::ShortDeck;
use crate::play::Measure;
use crate::store::{Existing, Shard};
use clap::{Args, ValueEnum, ValueHint};
use jiff::SignedDuration;
use knave_agents::AgentSpec;
use knave_agents::options::{self, Fields};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where results go unless another folder is named.
pub const RESULTS: &str = "results";

/// A whole number without a sign before it but `+`.
fn number(text: &str) -> Option<u64> {
    options::whole_number(text)?.try_into().ok()
}

/// A value parser for whole numbers from `low` to `high`, both included.
pub fn whole(low: u64, high: u64) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |text| {
        let value = number(text).filter(|value| (low..=high).contains(value));
        value.ok_or_else(|| format!("expected a whole number from {low} to {high}"))
    }
}

/// Reads an even number in this range.
pub fn even(low: u64, high: u64) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |text| {
        let value = number(text).filter(|value| (low..=high).contains(value) && value.is_multiple_of(2));
        value.ok_or_else(|| format!("expected an even number from {low} to {high}"))
    }
}

/// Reads a count of at least 1.
pub fn count(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a whole number from 1 to {}, such as 1_000_000 or 1e6", u64::MAX);
    number(text).filter(|&count| count > 0).ok_or_else(wrong)
}

/// The number of workers, one for each core unless something else was asked for.
pub fn threads(wanted: Option<u64>) -> usize {
    match wanted {
        Some(threads) => threads as usize,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// The options of every command that plans games or deals.
#[derive(Clone, Args)]
pub struct GameAndSeed {
    /// The game (`sim list games`)
    #[arg(id = "game", long, short, value_name = "GAME")]
    pub name: String,
    /// An option of the rules; repeated for others. Several values such as health=10..30 or weapon_limit=at_most,below make a run
    /// for each
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
}

/// The option of every command that can play with few cards.
#[derive(Clone, Args)]
pub struct Deck {
    /// A short deck in place of all the game's cards, such as '2-6CD 9H': ranks of suits, and single cards. Every game shuffles it
    #[arg(long, value_name = "CARDS")]
    pub cards: Option<ShortDeck>,
}

impl GameAndSeed {
    /// The options of the rules as data.
    ///
    /// # Errors
    /// When one is not of the form `name=value`, or comes twice.
    pub fn rules(&self) -> anyhow::Result<Fields> {
        rules(&self.name, &self.rules)
    }
}

/// The options of every command about one game under one set of rules.
#[derive(Clone, Args)]
pub struct OneGame {
    /// The game (`sim list games`)
    #[arg(id = "game", long, short, value_name = "GAME")]
    pub name: String,
    /// An option of the rules; repeated for others
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
}

impl OneGame {
    /// The options of the rules as data.
    ///
    /// # Errors
    /// When one is not of the form `name=value`, or comes twice.
    pub fn rules(&self) -> anyhow::Result<Fields> {
        rules(&self.name, &self.rules)
    }
}

/// Options of the rules as data.
///
/// # Errors
/// When one is not of the form `name=value`, or comes twice.
pub fn rules(game: &str, texts: &[String]) -> anyhow::Result<Fields> {
    let owner = format!("rules of {game}");
    options::fields(&owner, texts.iter().map(String::as_str)).map_err(bad_input)
}

/// Agents as data.
///
/// # Errors
/// When a text is no name with options.
pub fn agents(texts: &[String]) -> anyhow::Result<Vec<AgentSpec>> {
    texts.iter().map(|text| text.parse().map_err(bad_input)).collect()
}

/// How decisions are judged.
#[derive(Clone, Args)]
pub struct JudgeArgs {
    /// The agent that plays on for everybody where a move is valued, by default `fast`, in games without a policy `greedy` or
    /// `random`
    #[arg(long, value_name = "AGENT")]
    pub judge: Option<String>,
    /// The worlds that are sampled for each decision, an even number; by default 400
    #[arg(long, value_name = "K", value_parser = even(20, 1_000_000))]
    pub worlds: Option<u64>,
    /// The most moves of a decision that are valued, the best by the game's evaluator; by default 12
    #[arg(long, value_name = "M", value_parser = whole(2, 1_000_000))]
    pub moves: Option<u64>,
    /// The result that counts: by default the one that `sim bound` bounds, otherwise wins
    #[arg(long, value_enum)]
    pub measure: Option<MeasureName>,
}

impl JudgeArgs {
    /// The judge as data.
    ///
    /// # Errors
    /// When its name is none.
    pub fn spec(&self) -> anyhow::Result<JudgeSpec> {
        Ok(JudgeSpec {
            agent: self.judge.as_ref().map(|text| text.parse().map_err(bad_input)).transpose()?,
            worlds: self.worlds.map(|worlds| worlds as u32),
            moves: self.moves.map(|moves| moves as u32),
            measure: self.measure.map(Into::into),
        })
    }
}

#[derive(Copy, Clone, Debug, ValueEnum)]
pub enum MeasureName {
    /// Games won
    Wins,
    /// The score
    Score,
}

impl From<MeasureName> for Measure {
    fn from(name: MeasureName) -> Self {
        match name {
            MeasureName::Wins => Self::Wins,
            MeasureName::Score => Self::Score,
        }
    }
}

/// The options of every command that works through many games.
#[derive(Clone, Args)]
pub struct Workspace {
    /// The number of worker threads, by default one for each core; results do not depend on it
    #[arg(long, value_name = "T", value_parser = whole(1, 1024))]
    threads: Option<u64>,
    /// The folder for the results, by default one in `results` that is named after the plan
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Overwrite what another run has left in the folder
    #[arg(long)]
    pub force: bool,
    /// Resume an interrupted run, or start it; parts resume in any case
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Do part I of K only, such as 2/8, by default in a folder that is named after the plan and its checksum; `sim merge`
    /// joins the parts
    #[arg(long, value_name = "I/K", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Estimate the running time from a short trial, and how many parts would take TIME each, such as 30m (by default 10m);
    /// writes nothing
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true, default_missing_value = "10m",
        value_parser = time, conflicts_with = "resume")]
    pub estimate: Option<Duration>,
    /// Print no progress and no summary
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub json: Json,
}

impl Workspace {
    /// The number of workers.
    pub fn threads(&self) -> usize {
        threads(self.threads)
    }

    /// What becomes of results that are there already.
    pub fn existing(&self) -> Existing {
        match (self.force, self.resume) {
            (true, _) => Existing::Replace,
            (_, true) => Existing::Resume,
            _ => Existing::Keep,
        }
    }
}

/// Refuses a file that a manifest could not name.
pub fn check_name(option: &str, file: &Path) -> anyhow::Result<()> {
    if file.to_str().is_some() {
        return Ok(());
    }
    let name = file.display();
    Err(bad_input(format_args!(
        "{option}: {name} is not UTF-8, so that the manifest could not name it: rename the file or link to it"
    )))
}

/// Reads a time: such as 90s, 30m or 1h30m.
fn time(text: &str) -> Result<Duration, String> {
    let time = text.parse::<SignedDuration>().ok().and_then(|time| Duration::try_from(time).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "expected a time such as 90s, 30m or 2h".to_owned())
}

/// Reads a shard: such as 2/8.
fn shard(text: &str) -> Result<Shard, String> {
    let wrong = "expected a part and the number of parts, such as 2/8";
    let (part, of) = text.split_once('/').ok_or(wrong)?;
    let (part, of): (u64, u64) = (part.parse().map_err(|_| wrong)?, of.parse().map_err(|_| wrong)?);
    // From where parts are counted says something of part 0 alone.
    if part > of && part > 0 {
        return Err(format!("there is no part {part} of {of}"));
    }
    Shard::new(part, of)
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts_are_read() {
        for (text, value) in
            [("7", 7), ("1_000_000", 1_000_000), ("1e6", 1_000_000), ("25e3", 25_000), ("+3", 3)]
        {
            assert_eq!(count(text), Ok(value), "{text}");
        }
        for text in
            ["", "0", "-1", "1.5", "e6", "1e", "1e99", "_1", "1x", "+-3", "0e3", "99999999999999999999"]
        {
            assert!(count(text).is_err(), "{text}");
        }
    }
}
