//! Parts of a run that are joined: the shards of a plan, each in a folder of its own.

use super::read::plain_file;
use super::writer::{BOTS_LOG, MOST_LOG};
use super::{
    FolderError, Journal, MANIFEST, Manifest, ManifestError, PlanRecord, Prefix, Shard, Sum, TableForm,
    Timing, Writer, resume,
};
use crate::exec::{Job, Ranges, Text};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::iter::once;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Folders that hold parts of one plan. What is kept of each is small and the same whatever it counts: there may be many
/// thousands.
#[derive(Debug)]
pub struct Parts {
    /// The plan of the whole.
    pub plan: PlanRecord,
    /// The indices that the parts hold together.
    pub ranges: Ranges,
    /// The seconds of all parts, from the first start.
    pub timing: Timing,
    /// The files that each part holds.
    files: Vec<String>,
    /// In the order of their indices.
    parts: Vec<Part>,
}

/// What is kept of a part's manifest and journal.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    shard: Option<Shard>,
    /// Whether nothing is left to be done there.
    is_finished: bool,
    ranges: Ranges,
    rows: Vec<Prefix>,
    timing: Timing,
    /// Its place among the different plans that were found.
    kind: usize,
}

/// A plan and its files, as the first part that has them says.
struct Kind {
    plan: PlanRecord,
    files: Vec<String>,
    /// How many parts have them.
    parts: usize,
}

/// An error of joining folders.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A folder cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// There is nothing to join.
    #[error("no folder was named")]
    Nothing,
    /// A folder holds no run.
    #[error("{path} holds no manifest of a run: {reason}", path = path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Two folders do not belong together.
    #[error("{second} does not belong to {first}: {reason}", first = first.display(), second = second.display())]
    Strangers {
        /// One of those that belong together.
        first: PathBuf,
        /// One that does not belong to them.
        second: PathBuf,
        /// Why.
        reason: String,
    },
    /// Two folders hold the same index.
    #[error("{first} and {second} overlap: they hold some of the same games", first = first.display(), second = second.display())]
    Overlap {
        /// The folder with the lower indices.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// A folder holds what comes before and after what another holds.
    #[error("{second} has its indices between those of {first}, which lacks some: merge all parts at once", first = first.display(), second = second.display())]
    Between {
        /// The folder with games missing.
        first: PathBuf,
        /// The folder that has some of them.
        second: PathBuf,
    },
    /// The counts of a folder cannot be used.
    #[error("the journal in {path} cannot be used: {reason}", path = path.display())]
    Journal {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// More than one thing stands in the way.
    #[error("{}", listed(.0.iter().map(ToString::to_string), "; "))]
    Several(Vec<Self>),
}

/// The most things that a message lists.
const MOST_LISTED: usize = 20;

/// Things one after the other, the first of many.
fn listed(things: impl ExactSizeIterator<Item = String>, between: &str) -> String {
    let more = things.len().saturating_sub(MOST_LISTED);
    let mut first: Vec<String> = things.take(MOST_LISTED).collect();
    if more > 0 {
        first.push(format!("and {more} more"));
    }
    first.join(between)
}

/// One error, or several, if there is any.
fn none_of(mut errors: Vec<MergeError>) -> Result<(), MergeError> {
    match errors.pop() {
        None => Ok(()),
        Some(only) if errors.is_empty() => Err(only),
        Some(last) => {
            errors.push(last);
            Err(MergeError::Several(errors))
        }
    }
}

impl Parts {
    /// Reads the manifests and journals of these folders and checks that they are different parts of one plan: that of most
    /// of them, and of the first where none is that of most.
    ///
    /// # Errors
    /// Names the folders that cannot be read, do not belong to the others, or overlap.
    pub fn read(paths: &[PathBuf]) -> Result<Self, MergeError> {
        let mut kinds: Vec<Kind> = Vec::new();
        let (mut parts, mut errors) = (Vec::new(), Vec::new());
        for path in paths {
            match Part::read(path, &mut kinds) {
                Ok(part) => parts.push(part),
                Err(error) => errors.push(error),
            }
        }
        none_of(errors)?;
        let most = kinds.iter().map(|kind| kind.parts).max().unwrap_or_default();
        let chosen = kinds.iter().position(|kind| kind.parts == most).unwrap_or_default();
        none_of(strangers(&parts, &kinds, chosen))?;
        let Some(Kind { plan, files, .. }) = kinds.into_iter().nth(chosen) else {
            return Err(MergeError::Nothing);
        };
        parts.sort_by_key(|part: &Part| part.ranges.iter().next().map(|range| range.start));
        let (mut ranges, mut timing) = (Ranges::default(), Timing::default());
        let mut before: Option<&Part> = None;
        let mut errors = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            let Some(range) = part.ranges.iter().next() else {
                continue;
            };
            let end = ranges.iter().last().map_or(0, |range| range.end);
            let mut free = true;
            for range in part.ranges.iter() {
                free &= ranges.insert(range);
            }
            let first = |is_in_the_way: &dyn Fn(&Part) -> bool| {
                parts[..i].iter().find(|other| is_in_the_way(other)).map(|other| other.path.clone())
            };
            let second = part.path.clone();
            if !free {
                let first = first(&|other| other.overlaps(part));
                errors.extend(first.map(|first| MergeError::Overlap { first, second }));
            } else if range.start < end {
                // Rows stand in the order of the indices, so a part may not lie in a gap of another.
                let first = first(&|other| other.ranges.iter().any(|later| later.start > range.start));
                errors.extend(first.map(|first| MergeError::Between { first, second }));
            }
            timing = match before {
                None => part.timing.clone(),
                Some(_) => timing.beside(&part.timing, ranges.len()),
            };
            before = Some(part);
        }
        none_of(errors)?;
        Ok(Self { plan, ranges, timing, files, parts })
    }

    /// Which parts are missing or unfinished, in words; nothing where the parts are the whole. An index is one of these `noun`s.
    #[must_use]
    pub fn missing(&self, noun: &str) -> Option<String> {
        let size = self.plan.size();
        // A comparison that knew enough has ended before its size.
        let is_whole = |part: &Part| part.shard.is_none() && part.is_finished;
        if self.ranges.len() >= size || self.parts.iter().any(is_whole) {
            return None;
        }
        let shards: Option<Vec<Shard>> = self.parts.iter().map(|part| part.shard).collect();
        let shards = shards.unwrap_or_default();
        let of = shards.first().map_or(0, |shard| shard.of);
        if of == 0 || shards.iter().any(|shard| shard.of != of) {
            if self.ranges.is_empty() {
                return Some(format!("missing: all {noun}"));
            }
            let mut gaps = Vec::new();
            let mut next = 0;
            for Range { start, end } in self.ranges.iter().chain(once(size..size)) {
                if next < start {
                    gaps.push(span(next, start - 1));
                }
                next = end;
            }
            return Some(format!("missing: {noun} {} of 0 to {}", listed(gaps.into_iter(), ", "), size - 1));
        }
        let there: BTreeSet<u64> = shards.iter().map(|shard| shard.part).collect();
        let mut absent = Vec::new();
        let mut next = 1;
        // As many parts as 64 bits hold have no number behind the last.
        for part in there.into_iter().map(u128::from).chain([u128::from(of) + 1]) {
            if next < part {
                absent.push(span(next, part - 1));
            }
            next = part + 1;
        }
        let unfinished: Vec<String> = self
            .parts
            .iter()
            .filter_map(|part| {
                let range = PlanRecord { shard: part.shard, ..self.plan.clone() }.range();
                let (done, all) = (part.ranges.len(), range.end - range.start);
                (done < all).then(|| format!("{} ({done} of {all})", part.path.display()))
            })
            .collect();
        let mut said = Vec::new();
        if !absent.is_empty() {
            let parts = if absent.len() == 1 && !absent[0].contains(' ') { "part" } else { "parts" };
            said.push(format!("missing: {parts} {} of {of}", listed(absent.into_iter(), ", ")));
        }
        if !unfinished.is_empty() {
            said.push(format!("unfinished: {}", listed(unfinished.into_iter(), ", ")));
        }
        Some(said.join("; "))
    }

    /// Whether one of the parts lies in this folder.
    #[must_use]
    pub fn lie_in(&self, folder: &Path) -> bool {
        let real = folder.canonicalize().ok();
        real.is_some_and(|real| {
            self.parts.iter().any(|part| part.path.canonicalize().ok().as_ref() == Some(&real))
        })
    }

    /// The files that each part holds.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Adds up the counts.
    ///
    /// # Errors
    /// Names the folder whose counts cannot be read.
    pub fn totals<T: Send>(&self, job: &dyn Job<Totals = T>) -> Result<T, MergeError> {
        let mut totals = job.totals();
        for part in self.parts.iter().filter(|part| !part.ranges.is_empty()) {
            let journal = Journal::read(&part.path)?;
            if journal.ranges != part.ranges {
                return Err(FolderError::Overtaken { path: part.path.clone() }.into());
            }
            job.merge(&mut totals, journal.restore(job).map_err(damaged(&part.path))?);
        }
        Ok(totals)
    }

    /// Checks that every part holds the rows that its journal counts.
    ///
    /// # Errors
    /// Names the folder whose rows are damaged.
    pub fn check_rows(&self, tables: &[TableForm]) -> Result<(), MergeError> {
        for part in self.parts.iter().filter(|part| !part.ranges.is_empty()) {
            for (place, &table) in tables.iter().enumerate() {
                resume::rows(&part.path.join(table.file), table, part.rows_of(place))
                    .map_err(damaged(&part.path))?;
            }
        }
        Ok(())
    }

    /// Copies the rows of the parts behind one another. [`Writer::finish`] will tell when they cannot be written.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn copy_rows(&self, tables: &[TableForm], writer: &mut Writer) -> Result<(), FolderError> {
        for (place, table) in tables.iter().enumerate() {
            // One that was killed in its first moment may lack its files.
            for part in self.parts.iter().filter(|part| !part.ranges.is_empty()) {
                if !part.copy_rows(place, table, writer)? {
                    // The writer will tell.
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The plan as each part has it: alike except for paths of input files.
    pub fn plans(&self) -> impl Iterator<Item = PlanRecord> {
        self.parts.iter().filter_map(|part| Manifest::read(&part.path).ok()).map(|manifest| manifest.plan)
    }

    /// Copies what players said to their authors, part by part, as far as it fits: it is of no account for the results.
    pub fn copy_log(&self, writer: &mut Writer) {
        for part in &self.parts {
            let mut log = Vec::new();
            let read = plain_file(&part.path.join(BOTS_LOG)).map(|file| file.take(MOST_LOG as u64));
            if read.and_then(|mut file| file.read_to_end(&mut log)).is_ok() {
                // The writer tells of failures of other files.
                let _ = writer.text(&Text { log, ..Text::default() });
            }
        }
    }
}

impl Part {
    /// Whether both hold some of the same games.
    fn overlaps(&self, other: &Self) -> bool {
        let is_held = |own: Range<u64>| other.ranges.iter().any(|r| own.start < r.end && r.start < own.end);
        self.ranges.iter().any(is_held)
    }

    /// What the journal counts of the table at this place.
    fn rows_of(&self, place: usize) -> Prefix {
        self.rows.get(place).copied().unwrap_or_default()
    }

    /// Copies the rows of the table at this place; false when they cannot be written.
    fn copy_rows(&self, place: usize, table: &TableForm, writer: &mut Writer) -> Result<bool, FolderError> {
        const BLOCK: u64 = 1 << 20;
        let header = table.header().len() as u64;
        let path = self.path.join(table.file);
        let failed = |error| FolderError::io("read", &path)(error);
        let mut file = File::open(&path).map_err(failed)?;
        file.seek(SeekFrom::Start(header)).map_err(failed)?;
        let mut left = self.rows_of(place).bytes.saturating_sub(header);
        while left > 0 {
            let mut rows = vec![Vec::new(); place + 1];
            let block = &mut rows[place];
            (&file).take(left.min(BLOCK)).read_to_end(block).map_err(failed)?;
            if block.is_empty() {
                return Err(failed(io::Error::other("it is shorter than its journal says")));
            }
            left -= block.len() as u64;
            if writer.text(&Text { rows, ..Text::default() }).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads the manifest and the journal of a folder and checks that they belong to each other; [`Parts::check_rows`] looks at the
    /// rows. A plan or files that none of `kinds` has are added there.
    fn read(path: &Path, kinds: &mut Vec<Kind>) -> Result<Self, MergeError> {
        let no_run = |reason: String| MergeError::NoRun { path: path.to_owned(), reason };
        let manifest = Manifest::read(path).map_err(|error| match error {
            ManifestError::Missing { .. } if !path.exists() => no_run("there is no such folder".to_owned()),
            ManifestError::Missing { .. } => no_run(format!("there is no {MANIFEST}")),
            error => no_run(error.to_string()),
        })?;
        let journal = Journal::read(path).map_err(|error| match &error {
            FolderError::Io { source, .. } if source.kind() == ErrorKind::Other => {
                damaged(path)(error.to_string())
            }
            _ => error.into(),
        })?;
        let (build, theirs) = (Manifest::new(manifest.plan.clone()).build(), manifest.build());
        if theirs != build {
            let reason = format!("it was made by knave {theirs}, which can join it, and this is {build}");
            return Err(MergeError::Journal { path: path.to_owned(), reason });
        }
        let wrong = damaged(path);
        if journal.plan != Sum::of_plan(&manifest.plan) {
            return Err(wrong("it belongs to another run".to_owned()));
        }
        let range = manifest.plan.range();
        if journal.ranges.iter().any(|done| done.start < range.start || done.end > range.end) {
            return Err(wrong(format!("it counts more than the indices {} to {}", range.start, range.end)));
        }
        let Manifest { plan, files, timing, partial, .. } = manifest;
        let shard = plan.shard;
        let plan = PlanRecord { shard: None, ..plan };
        let kind = kinds.iter().position(|kind| kind.plan == plan && kind.files == files);
        let kind = kind.unwrap_or_else(|| {
            kinds.push(Kind { plan, files, parts: 0 });
            kinds.len() - 1
        });
        kinds[kind].parts += 1;
        let Journal { ranges, rows, .. } = journal;
        Ok(Self { path: path.to_owned(), shard, is_finished: !partial, ranges, rows, timing, kind })
    }
}

/// What is wrong with the counts or rows of a folder, and what helps.
fn damaged(path: &Path) -> impl Fn(String) -> MergeError {
    move |reason| MergeError::Journal {
        path: path.to_owned(),
        reason: format!("{reason} (run this part again with --force, or remove its folder first)"),
    }
}

/// The parts that are not of the chosen kind, and why.
fn strangers(parts: &[Part], kinds: &[Kind], chosen: usize) -> Vec<MergeError> {
    let Some(first) = parts.iter().find(|part| part.kind == chosen) else {
        return Vec::new();
    };
    let others = parts.iter().filter(|part| part.kind != chosen);
    others
        .map(|part| MergeError::Strangers {
            first: first.path.clone(),
            second: part.path.clone(),
            reason: kinds[chosen].difference(&kinds[part.kind]),
        })
        .collect()
}

impl Kind {
    /// What is different about another.
    fn difference(&self, other: &Self) -> String {
        if self.plan != other.plan {
            return self.plan.difference(&other.plan);
        }
        let without = |a: &Self, b: &Self| {
            let names: Vec<&str> =
                a.files.iter().filter(|name| !b.files.contains(name)).map(|name| &**name).collect();
            names.join(", ")
        };
        match (without(other, self), without(self, other)) {
            (more, fewer) if more.is_empty() => format!("it lacks {fewer}"),
            (more, fewer) if fewer.is_empty() => format!("the others lack {more}"),
            (more, fewer) => format!("it holds {more}, and the others {fewer}"),
        }
    }
}

/// Numbers from the first to the last.
fn span<T: Copy + Display + PartialEq>(first: T, last: T) -> String {
    if first == last { first.to_string() } else { format!("{first} to {last}") }
}
