//! Parts of a run that are joined: the shards of a plan, each in a folder of its own.

use super::{
    FolderError, Journal, MANIFEST, Manifest, ManifestError, PlanRecord, Sum, TableForm, Timing, Writer,
    resume,
};
use crate::exec::{Job, Ranges, Text};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// Folders that hold parts of one plan.
#[derive(Debug)]
pub struct Parts {
    /// The plan of the whole.
    pub plan: PlanRecord,
    /// The indices that the parts hold together.
    pub ranges: Ranges,
    /// The seconds of all parts, from the first start.
    pub timing: Timing,
    /// In the order of their indices.
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    path: PathBuf,
    manifest: Manifest,
    journal: Journal,
}

/// Why folders cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A folder cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
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
        /// The first folder.
        first: PathBuf,
        /// One that does not belong to it.
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
    #[error("{second} has its games between those of {first}, which lacks some: join all parts at once", first = first.display(), second = second.display())]
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
}

impl Parts {
    /// Reads the manifests and journals of these folders and checks that they are different parts of one plan.
    ///
    /// # Errors
    /// Names the folder that cannot be read, does not belong to the first, or overlaps another.
    pub fn read(paths: &[PathBuf]) -> Result<Self, MergeError> {
        let mut parts = paths.iter().map(|path| Part::read(path)).collect::<Result<Vec<_>, _>>()?;
        let whole = |manifest: &Manifest| PlanRecord { shard: None, ..manifest.plan.clone() };
        if let Some((first, rest)) = parts.split_first() {
            for part in rest {
                let (a, b) = (&first.manifest, &part.manifest);
                let reason = if whole(a) != whole(b) {
                    whole(a).difference(&whole(b))
                } else if a.files != b.files {
                    let without = |a: &Manifest, b: &Manifest| {
                        let names: Vec<&str> = a
                            .files
                            .iter()
                            .filter(|name| !b.files.contains(name))
                            .map(|name| &**name)
                            .collect();
                        names.join(", ")
                    };
                    match (without(b, a), without(a, b)) {
                        (more, fewer) if more.is_empty() => format!("it lacks {fewer}"),
                        (more, fewer) if fewer.is_empty() => format!("only it holds {more}"),
                        (more, fewer) => format!("it holds {more}, not {fewer}"),
                    }
                } else {
                    continue;
                };
                return Err(MergeError::Strangers {
                    first: first.path.clone(),
                    second: part.path.clone(),
                    reason,
                });
            }
        }
        parts.sort_by_key(|part| part.journal.ranges.iter().next().map(|range| range.start));
        let mut ranges = Ranges::default();
        let mut timing = Timing::default();
        let mut before: Option<&Part> = None;
        for part in &parts {
            let Some(range) = part.journal.ranges.iter().next() else {
                continue;
            };
            let end = ranges.iter().last().map_or(0, |range| range.end);
            let free = part.journal.ranges.iter().all(|range| ranges.insert(range));
            if let Some(before) = before {
                let (first, second) = (before.path.clone(), part.path.clone());
                if !free {
                    return Err(MergeError::Overlap { first, second });
                }
                // Rows stand in the order of the indices, so a part may not lie in a gap of another.
                if range.start < end {
                    return Err(MergeError::Between { first, second });
                }
            }
            timing = match before {
                None => part.manifest.timing.clone(),
                Some(_) => timing.beside(&part.manifest.timing, ranges.len()),
            };
            before = Some(part);
        }
        let plan = parts.first().map(|part| whole(&part.manifest)).ok_or_else(|| MergeError::NoRun {
            path: PathBuf::new(),
            reason: "no folder was named".to_owned(),
        })?;
        Ok(Self { plan, ranges, timing, parts })
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
        self.parts.first().map_or(&[], |part| &part.manifest.files)
    }

    /// Adds up the counts.
    ///
    /// # Errors
    /// Names the folder whose counts cannot be read.
    pub fn totals<J: Job>(&self, job: &J) -> Result<J::Totals, MergeError> {
        let mut totals = job.totals();
        for part in self.parts.iter().filter(|part| !part.journal.ranges.is_empty()) {
            let record = part.journal.totals.clone();
            let wrong = |reason| MergeError::Journal { path: part.path.clone(), reason };
            let counts = job.restore(record).map_err(wrong)?;
            if job.counted(&counts) != part.journal.ranges.len() {
                return Err(wrong("it counts other games than it lists".to_owned()));
            }
            job.merge(&mut totals, counts);
        }
        Ok(totals)
    }

    /// Checks that every part holds the rows that its journal counts.
    ///
    /// # Errors
    /// Names the folder whose rows are damaged.
    pub fn check_rows(&self, table: TableForm) -> Result<(), MergeError> {
        for part in self.parts.iter().filter(|part| !part.journal.ranges.is_empty()) {
            let path = part.path.join(table.file);
            resume::rows(&path, table, part.journal.rows)
                .map_err(|reason| MergeError::Journal { path: part.path.clone(), reason })?;
        }
        Ok(())
    }

    /// Copies the rows of the parts behind one another. [`Writer::finish`] will tell when they cannot be written.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn copy_rows(&self, table: TableForm, writer: &mut Writer) -> Result<(), FolderError> {
        const BLOCK: u64 = 1 << 20;
        let header = table.header().len() as u64;
        for part in &self.parts {
            let path = part.path.join(table.file);
            let failed = |error| FolderError::io("read", &path)(error);
            let mut file = File::open(&path).map_err(failed)?;
            file.seek(SeekFrom::Start(header)).map_err(failed)?;
            let mut left = part.journal.rows.bytes.saturating_sub(header);
            while left > 0 {
                let mut rows = Vec::new();
                (&file).take(left.min(BLOCK)).read_to_end(&mut rows).map_err(failed)?;
                if rows.is_empty() {
                    return Err(failed(io::Error::other("it is shorter than its journal says")));
                }
                left -= rows.len() as u64;
                if writer.text(&Text { rows, ..Text::default() }).is_err() {
                    // The writer will tell.
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

impl Part {
    /// Reads the manifest and the journal of a folder and checks that they belong to each other, and the rows to them.
    fn read(path: &Path) -> Result<Self, MergeError> {
        let no_run = |reason: String| MergeError::NoRun { path: path.to_owned(), reason };
        let manifest = Manifest::read(path).map_err(|error| match error {
            ManifestError::Missing { .. } => no_run(format!("there is no {MANIFEST}")),
            error => no_run(error.to_string()),
        })?;
        let journal = Journal::read(path)?;
        let wrong = |reason: String| MergeError::Journal { path: path.to_owned(), reason };
        let build = Manifest::new(manifest.plan.clone()).build();
        if manifest.build() != build {
            return Err(wrong(format!("it was made by knave {}, and this is {build}", manifest.build())));
        }
        if journal.plan != Sum::of_plan(&manifest.plan) {
            return Err(wrong("it belongs to another run".to_owned()));
        }
        let range = manifest.plan.range();
        if journal.ranges.iter().any(|done| done.start < range.start || done.end > range.end) {
            return Err(wrong(format!("it counts more than the games {} to {}", range.start, range.end)));
        }
        Ok(Self { path: path.to_owned(), manifest, journal })
    }
}
