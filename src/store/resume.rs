//! Whether a run can go on from what a folder holds. Nothing is changed here.

use super::manifest::STDOUT;
use super::{Files, Journal, Manifest, PlanRecord, Prefix, Sum, TableForm};
use knave_agents::options::Fields;
use serde::Deserialize;
use serde_json::Value;
use std::fmt;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

/// What stands against going on.
pub(super) enum Obstacle {
    /// Parts were joined, and some before them are missing.
    Gaps,
    /// Something else, in words.
    Other(String),
}

impl From<String> for Obstacle {
    fn from(reason: String) -> Self {
        Self::Other(reason)
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gaps => {
                f.write_str("games are missing before others that are there: merge all parts at once")
            }
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

/// Where a run of this plan goes on in a folder with this manifest, which is of the same plan.
///
/// # Errors
/// Says what stands against it.
pub(super) fn journal(
    folder: &Path,
    old: &Manifest,
    plan: &PlanRecord,
    files: &Files,
) -> Result<Journal, Obstacle> {
    let fresh = Manifest::new(plan.clone());
    if old.build() != fresh.build() {
        return Err(format!("it was made by knave {}, and this is {}", old.build(), fresh.build()).into());
    }
    let has = |name: &str| old.files.iter().any(|other| other == name);
    if let Some(name) = files.names().find(|name| !has(name)) {
        return Err(format!("it was made without {name}").into());
    }
    if let Some(name) = old.files.iter().find(|other| files.names().all(|name| name != *other)) {
        return Err(format!("it was made with {name}").into());
    }
    if !files.names().eq(old.files.iter().map(String::as_str)) {
        return Err("its manifest lists its files otherwise than a run does".to_owned().into());
    }
    let journal = Journal::read(folder).map_err(|error| error.to_string())?;
    if journal.plan != Sum::of_plan(plan) {
        return Err("its journal belongs to another run".to_owned().into());
    }
    // Where nothing is done it does not matter where transcripts went.
    if journal.ranges.is_empty() {
        return Ok(journal);
    }
    transcripts(folder, old, files, journal.transcripts)?;
    if files.is_read_at_once() {
        return Err("output that was printed or piped cannot be continued".to_owned().into());
    }
    let (range, done) = (plan.range(), &journal.ranges);
    let in_order = done.iter().count() == 1 && done.iter().all(|done| done.start == range.start);
    if !in_order || done.iter().any(|done| done.end > range.end) {
        return Err(Obstacle::Gaps);
    }
    for (place, &table) in files.rows.iter().enumerate() {
        rows(&folder.join(table.file), table, journal.rows_of(place))?;
    }
    if let Some(path) = &files.transcripts {
        journal.transcripts.check(path)?;
        // It would be cut to what was written, and what is more is another's: all of it, or what follows the end of a finished run.
        let is_anothers =
            || if journal.transcripts.bytes == 0 { !holds_transcripts(path, plan) } else { !old.partial };
        if is_longer(path, journal.transcripts) && is_anothers() {
            return Err(format!("{} holds more than its transcripts", path.display()).into());
        }
    }
    Ok(journal)
}

/// Checks that the transcripts go where they went before, as many of them.
fn transcripts(folder: &Path, old: &Manifest, files: &Files, written: Prefix) -> Result<(), String> {
    match (&old.transcripts, files.transcripts_name(Some(folder))) {
        (None, None) => return Ok(()),
        (None, Some(now)) => return Err(format!("it was made without transcripts, which now go to {now}")),
        (Some(before), None) if before == STDOUT => {
            return Err("its transcripts were printed".to_owned());
        }
        (Some(before), None) => {
            return Err(format!("its transcripts were written to {before}: name it with --transcripts"));
        }
        (Some(before), Some(now)) if *before != now => {
            // Outside of the folder a path is as it was named, and the same file may have another from here. It is known by
            // what was written there, and nothing more: a longer run of the same games begins alike.
            let is_outside = ![before, &now].iter().any(|name| name.starts_with("./"));
            let is_same = |path: &Path| {
                Path::new(before).file_name() == path.file_name()
                    && written.check(path).is_ok()
                    && !is_longer(path, written)
            };
            let is_known = written.bytes > 0 && is_outside;
            if !(is_known && files.transcripts.as_deref().is_some_and(is_same)) {
                return Err(format!(
                    "its transcripts were written to {before}, not to {now} (a path is taken from where the command is called)"
                ));
            }
        }
        _ => {}
    }
    let said =
        |limit: Option<u64>| limit.map_or_else(|| "all".to_owned(), |limit| format!("the first {limit}"));
    let (before, now) = (said(old.transcript_limit), said(files.transcript_limit));
    if before == now { Ok(()) } else { Err(format!("it was to write {before} transcripts, not {now}")) }
}

fn is_longer(path: &Path, written: Prefix) -> bool {
    path.metadata().is_ok_and(|file| file.len() > written.bytes)
}

/// Checks that a table holds its header and the rows that a journal counts.
pub(super) fn rows(path: &Path, table: TableForm, rows: Prefix) -> Result<(), String> {
    if rows.bytes < table.header().len() as u64 {
        return Err(format!("the journal counts no rows of {}", path.display()));
    }
    rows.check(path)
}

/// What the first line of a file of transcripts says of its run.
#[derive(Deserialize)]
struct Heading {
    game: String,
    rules: Fields,
    seed: u64,
    index: u64,
    players: Vec<String>,
}

/// The most bytes of a line that are looked at.
const LONGEST_LINE: u64 = 1 << 20;

/// Whether a file begins like the transcripts of this plan: with a game of its own, or a part of one, as a kill leaves it. Another
/// run of the same games writes the same.
pub(super) fn holds_transcripts(path: &Path, plan: &PlanRecord) -> bool {
    let mut line = Vec::new();
    let read = File::open(path).map(|file| BufReader::new(file.take(LONGEST_LINE)));
    if read.and_then(|mut file| file.read_until(b'\n', &mut line)).is_err() {
        return false;
    }
    let Ok(heading) = serde_json::from_slice::<Heading>(&line) else {
        return !line.ends_with(b"\n") && line.starts_with(transcripts_begin(plan.game()).as_bytes());
    };
    let names = |field: &'static str| plan.agents().iter().filter_map(move |agent| agent[field].as_str());
    let players: Vec<&str> = names("agent").chain(names("label")).collect();
    let same_rule = |(name, value): (&str, &Value)| {
        value.is_null() || heading.rules.get(name).is_none_or(|told| told == value)
    };
    let same_deals = || {
        heading.seed == plan.seed() && plan.range().contains(&heading.index) && plan.rules().all(same_rule)
    };
    heading.game == plan.game()
        // Deals in a file may have rules, a seed and a number of their own.
        && (plan.request.contains_key("deals") || same_deals())
        // Solutions are those of somebody who knows every card.
        && (players.is_empty() || heading.players.iter().all(|name| players.contains(&name.as_str())))
}

/// How transcripts of this game begin.
fn transcripts_begin(game: &str) -> String {
    format!("{{\"schema\":1,\"game\":\"{game}\"")
}
