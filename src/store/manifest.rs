//! `manifest.json`: everything needed to know what a folder holds and to make it again.

use super::MANIFEST;
use super::read::{is_plain_name, plain_file};
use super::replace::replace_as;
use crate::exec::Ranges;
use crate::games::ShortDeck;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The manifest of a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Grows when the files change their form.
    pub schema: u32,
    /// The version of Knave.
    pub version: String,
    /// The commit that it was built from; empty when it was not built in a repository.
    pub commit: String,
    /// The request.
    #[serde(flatten)]
    pub plan: PlanRecord,
    /// The number of games or deals that are finished.
    pub finished: u64,
    /// Whether some are missing.
    pub partial: bool,
    /// The finished indices.
    pub ranges: Ranges,
    /// The files of the run in this folder, by their names.
    pub files: Vec<String>,
    /// Where the transcripts were written, see [`Files::transcripts_name`](super::Files::transcripts_name).
    pub transcripts: Option<String>,
    /// How many transcripts were asked for, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript_limit: Option<u64>,
    /// When and where it was run. Nothing else differs between equal runs.
    pub timing: Timing,
}

/// The fact that tells what the players use, agent by agent.
pub(crate) const PLAYERS: &str = "players";

/// The kind of a file of a program, among what a player uses.
pub(crate) const PROGRAM: &str = "program";

/// The record of a request: two folders with equal records hold the same results. Input files are compared by their
/// checksums, and their paths are ignored.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PlanRecord {
    /// The request, with every default filled in.
    pub request: Map<String, Value>,
    /// The version of the game's rules.
    pub rules_version: u32,
    /// What follows from the request and decides the results too, such as the models and programs that the agents play by.
    pub facts: Map<String, Value>,
    /// Which part of the indices is done here, if not all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// One of several parts of a run, of about the same size.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// How many parts there are.
    pub of: u64,
}

/// A shard as it stands in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    part: u64,
    of: u64,
}

impl TryFrom<Parts> for Shard {
    type Error = String;

    fn try_from(Parts { part, of }: Parts) -> Result<Self, String> {
        Self::new(part, of)
    }
}

/// An error of reading a manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// There is none.
    #[error("{path} holds no {MANIFEST}", path = path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// It is of another version.
    #[error("{path} has schema {found}, and this version reads {expected}", path = path.display(), expected = Manifest::SCHEMA)]
    Schema {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: Value,
    },
    /// It cannot be read.
    #[error("cannot read {path}: {reason}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
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
    /// The number of workers; that of the last part of a run that was done in several.
    pub threads: usize,
    /// The seconds of all workers together, where a run was done in parts: they may have had other numbers of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker_seconds: Option<f64>,
    /// Operating system and processor family of the machine.
    pub host: String,
}

impl Manifest {
    /// The version of the manifest and of the tables beside it.
    pub const SCHEMA: u32 = 2;

    /// The manifest of a run that has not begun.
    #[must_use]
    pub fn new(plan: PlanRecord) -> Self {
        Self {
            schema: Self::SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: env!("KNAVE_COMMIT").to_owned(),
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
    pub(crate) fn was_read_at_once(&self) -> bool {
        self.transcripts.as_deref().is_some_and(|path| is_read_at_once(Path::new(path)))
    }

    /// Reads the manifest of a folder.
    ///
    /// # Errors
    /// When there is none, or none of this version.
    pub fn read(folder: &Path) -> Result<Self, ManifestError> {
        let path = folder.join(MANIFEST);
        let wrong = |reason: String| ManifestError::Unreadable { path: path.clone(), reason };
        let mut text = Vec::new();
        match plain_file(&path).and_then(|mut file| file.read_to_end(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ManifestError::Missing { path: folder.to_owned() });
            }
            Err(error) => return Err(wrong(error.to_string())),
        };
        let value: Value = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
        if !value.is_object() {
            return Err(wrong("this is no manifest".to_owned()));
        }
        if value["schema"] != Self::SCHEMA {
            return Err(ManifestError::Schema { path, found: value["schema"].clone() });
        }
        let manifest: Self = serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?;
        match manifest.files.iter().find(|name| !is_plain_name(name)) {
            Some(name) => Err(wrong(format!("files: {name:?} is no name of a file in this folder"))),
            None => Ok(manifest),
        }
    }

    /// Writes the manifest.
    pub(super) fn write(&self, path: &Path, durable: bool) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        replace_as(path, &text, durable)
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

impl PartialEq for PlanRecord {
    fn eq(&self, other: &Self) -> bool {
        let whole = |plan: &Self| {
            let Self { request, rules_version, facts, shard } = plan.without_paths();
            (request, rules_version, facts, shard)
        };
        whole(self) == whole(other)
    }
}

impl PlanRecord {
    /// The same without the paths of files whose checksums are recorded.
    pub(super) fn without_paths(&self) -> Self {
        let mut plan = self.clone();
        for field in ["deals", "transcripts"] {
            if let Some(Value::Object(files)) = plan.request.get_mut(field)
                && files.contains_key("fnv1a")
            {
                files.retain(|name, _| name == "fnv1a");
            }
        }
        plan
    }

    /// The same without the files of programs, which may have changed since.
    #[must_use]
    pub(crate) fn without_programs(&self) -> Self {
        let mut plan = self.clone();
        if let Some(Value::Array(players)) = plan.facts.get_mut(PLAYERS) {
            players
                .iter_mut()
                .filter_map(Value::as_array_mut)
                .for_each(|uses| uses.retain(|used| !is_program(used)));
            if players.iter().all(|uses| uses.as_array().is_some_and(Vec::is_empty)) {
                plan.facts.remove(PLAYERS);
            }
        }
        plan
    }

    /// The same without the hashes of models, whose files may have changed since.
    #[must_use]
    pub(crate) fn without_models(&self) -> Self {
        let mut plan = self.clone();
        let lists = plan.facts.values_mut().filter_map(Value::as_array_mut).flatten();
        let uses = lists.filter_map(Value::as_array_mut).flatten().filter_map(Value::as_object_mut);
        uses.for_each(|used| drop(used.remove("model")));
        plan
    }

    /// The files of programs.
    fn programs(&self) -> impl Iterator<Item = &Value> {
        let players = self.facts.get(PLAYERS).and_then(Value::as_array);
        players.into_iter().flatten().filter_map(Value::as_array).flatten().filter(|used| is_program(used))
    }

    /// The names of those that another plan does not have, or not as they are here.
    fn other_programs<'a>(&'a self, other: &Self) -> impl Iterator<Item = &'a str> {
        let others = self.programs().filter(|used| !other.programs().any(|theirs| theirs == *used));
        others.filter_map(|used| used["name"].as_str())
    }

    fn text(&self, field: &str) -> &str {
        self.request.get(field).and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self, field: &str) -> u64 {
        self.request.get(field).and_then(Value::as_u64).unwrap_or_default()
    }

    /// The kind of study.
    #[must_use]
    pub fn study(&self) -> &str {
        self.text("study")
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &str {
        self.text("game")
    }

    /// The seed; 0 where the deals stood in a file.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.number("seed")
    }

    /// The number of games or deals asked for, by all parts together.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.number("n")
    }

    /// The options of the rules; null where a study looks for the value.
    pub fn rules(&self) -> impl Iterator<Item = (&str, &Value)> {
        let rules = self.request.get("rules").and_then(Value::as_object);
        rules.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
    }

    /// The files of transcripts that it reads.
    #[must_use]
    pub fn transcripts(&self) -> Vec<&str> {
        let files = self.request.get("transcripts").and_then(|given| given.get("files"));
        files.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// The cards, where they are not all of the game's.
    #[must_use]
    pub fn cards(&self) -> Option<ShortDeck> {
        self.request.get("cards").and_then(|cards| ShortDeck::deserialize(cards).ok())
    }

    /// The agents, each with its `label`, its name as `agent`, and all its `options`.
    #[must_use]
    pub fn agents(&self) -> &[Value] {
        self.request.get("agents").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The files of the models and programs that the agent of this place plays by, each with its name and its hash.
    pub fn files(&self, agent: usize) -> impl Iterator<Item = (&str, &str)> {
        let uses = self.facts.get(PLAYERS).and_then(|players| players.get(agent)).and_then(Value::as_array);
        uses.into_iter().flatten().filter_map(file)
    }

    /// The models of one's own that players or a judge play by, each once: the name of the file and its hash.
    #[must_use]
    pub fn own_models(&self) -> BTreeSet<(&str, &str)> {
        let lists = self.facts.values().filter_map(Value::as_array).flatten();
        let uses = lists.filter_map(Value::as_array).flatten();
        // They are named by a path, and those that come with Knave by the name of an evaluator or policy.
        let is_own = |used: &&Value| {
            let [name, model] = [&used["name"], &used["model"]["name"]].map(Value::as_str);
            name.zip(model).is_some_and(|(path, file)| path.ends_with(file))
        };
        uses.filter(is_own).filter_map(file).collect()
    }

    /// The indices to be done here.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        let Some(Shard { part, of }) = self.shard else {
            return 0..self.size();
        };
        let cut = |part: u64| (u128::from(self.size()) * u128::from(part) / u128::from(of)) as u64;
        cut(part.saturating_sub(1))..cut(part)
    }

    /// In which fields two plans differ.
    #[must_use]
    pub fn difference(&self, new: &Self) -> String {
        let (before, now) = (self.without_paths().request, new.without_paths().request);
        let mut fields: Vec<&str> = Vec::new();
        for key in before.keys().chain(now.keys()) {
            if before.get(key) != now.get(key) {
                fields.push(if key == "n" { "number of games" } else { key });
            }
        }
        fields.sort_unstable();
        fields.dedup();
        // Of other agents the models and programs are others too, which goes without saying.
        let same_request = fields.is_empty();
        let same_models = self.without_programs().facts == new.without_programs().facts;
        let programs = self.other_programs(new).chain(new.other_programs(self)).collect::<BTreeSet<_>>();
        let others = [
            ("rules version", self.rules_version != new.rules_version),
            ("models", same_request && !same_models),
            ("program", same_request && !programs.is_empty()),
            ("shard", self.shard != new.shard),
        ];
        fields.extend(others.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name));
        let plural = |field: &str| field.ends_with('s') && field != "number of games";
        let one = matches!(fields[..], [field] if !plural(field));
        let programs = Vec::from_iter(programs).join(", ");
        let named = if fields.contains(&"program") { format!(": {programs}") } else { String::new() };
        format!("its {} differ{}{named}", fields.join(", "), if one { "s" } else { "" })
    }
}

/// The name and the hash of the file behind what a player uses.
fn file(used: &Value) -> Option<(&str, &str)> {
    let file = used.get("model").unwrap_or(used);
    Some((file["name"].as_str()?, file["fnv1a"].as_str()?))
}

fn is_program(used: &Value) -> bool {
    used["kind"] == PROGRAM
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

    /// The name of its folder among those of all parts: `03-of-16`. In the order of the names the parts are in order.
    #[must_use]
    pub fn folder_name(self) -> String {
        let width = self.of.to_string().len();
        format!("{:0width$}-of-{}", self.part, self.of)
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
        // Whatever the clock says now: it may have been set back. A run that was killed in its first moment has told no start.
        let started =
            Some(&earlier.started).filter(|start| !start.is_empty()).unwrap_or(&self.started).clone();
        let worker_seconds =
            Some(earlier.seconds * earlier.mean_threads() + self.seconds * self.mean_threads());
        Self { started, seconds, games_per_second, worker_seconds, ..self }
    }

    /// How many workers there were, on average over the time of all parts.
    #[must_use]
    pub fn mean_threads(&self) -> f64 {
        let mean = self.worker_seconds.filter(|_| self.seconds > 0.0).map(|all| all / self.seconds);
        mean.unwrap_or(self.threads as f64)
    }

    /// The timing of parts that were done apart: the first start, and the seconds of both.
    #[must_use]
    pub fn beside(&self, other: &Self, finished: u64) -> Self {
        // The times are written such that the earlier is the smaller.
        let starts = [self, other].map(|part| part.started.clone()).into_iter();
        let started = starts.filter(|start| !start.is_empty()).min().unwrap_or_default();
        Self { started, ..other.clone().after(Some(self), finished) }
    }

    /// The timing of `finished` games since `started`.
    #[must_use]
    pub fn new(started: SystemTime, seconds: f64, finished: u64, threads: usize) -> Self {
        Self {
            started: utc(started),
            seconds,
            games_per_second: (seconds > 0.0).then(|| finished as f64 / seconds),
            threads,
            worker_seconds: None,
            host: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// The name that stands for standard output, whatever files there are.
pub(super) const STDOUT: &str = "-";

/// Whether output to this path cannot be continued: standard output, a pipe, a device.
pub fn is_read_at_once(path: &Path) -> bool {
    path.as_os_str() == STDOUT || path.metadata().is_ok_and(|data| !data.is_file())
}

/// A time in universal time, to the second, such as `2026-01-31T23:59:59Z`.
fn utc(time: SystemTime) -> String {
    let time = jiff::Timestamp::try_from(time).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    /// What a game costs is the time of all workers, whose number may have changed.
    #[test]
    fn parts_with_other_threads_are_weighed() {
        let part = |seconds, threads| Timing::new(UNIX_EPOCH, seconds, 10, threads);
        let all = part(12.0, 1).after(Some(&part(8.0, 2)), 20);
        assert_eq!((all.seconds, all.worker_seconds, all.mean_threads()), (20.0, Some(28.0), 1.4));
        assert_eq!(part(20.0, 1).after(Some(&all), 30).worker_seconds, Some(48.0));
        assert_eq!(part(8.0, 2).beside(&part(12.0, 1), 20).mean_threads(), 1.4);
    }

    #[test]
    fn times_are_printed_in_universal_time() {
        let at = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_709_251_199), "2024-02-29T23:59:59Z");
    }
}
