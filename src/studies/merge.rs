//! Parts of one plan, done apart, joined to the whole.

use super::session::{Done, End, SessionError};
use super::study::{Outputs, Planned, Study};
use super::{Head, Request, RequestError};
use crate::exec::Job as _;
use crate::registry::Registry;
use crate::store::{Existing, Folder, GAMES_PARQUET, Manifest, PARQUET, Parts, PlanRecord, Writer};
use std::path::{Path, PathBuf};

/// Folders that hold parts of one plan, checked.
pub struct Merge {
    parts: Parts,
    plan: Box<dyn Planned>,
}

/// Why parts cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeRequestError {
    /// What their manifests ask for is refused today.
    #[error("these parts cannot be joined: {0}")]
    Changed(String),
    /// The folder for the whole holds a part.
    #[error("--out: {out} is one of the parts", out = out.display())]
    Part {
        /// The folder.
        out: PathBuf,
    },
}

/// Where the whole goes.
#[derive(Copy, Clone)]
pub struct Out<'a> {
    folder: &'a Path,
    existing: Existing,
}

impl Merge {
    /// Reads the parts, and checks that they are different ones of one plan that is still the same today.
    ///
    /// # Errors
    /// Names the folder that cannot be read or does not belong to the others, or says what has changed.
    pub fn new(registry: &Registry, folders: &[PathBuf]) -> Result<Self, SessionError> {
        let parts = Parts::read(folders)?;
        let changed =
            |why: String| SessionError::Request(RequestError::new("parts", MergeRequestError::Changed(why)));
        let request = Request::recorded(&parts.plan).map_err(|error| changed(error.to_string()))?;
        let plan = registry.plan(&request).map_err(|error| changed(error.to_string()))?;
        let again = PlanRecord { shard: parts.plan.shard, ..plan.record() };
        if again != parts.plan {
            return Err(changed(format!("{} since", parts.plan.difference(&again))));
        }
        Ok(Self { parts, plan })
    }

    /// Joins the parts in this folder.
    ///
    /// # Errors
    /// When the folder cannot be used or written.
    pub fn write(&self, folder: &Path, existing: Existing) -> Result<Done, SessionError> {
        if self.parts.lie_in(folder) {
            let error = MergeRequestError::Part { out: folder.to_owned() };
            return Err(RequestError::new("out", error).into());
        }
        self.plan.merge(&self.parts, Out { folder, existing })
    }

    /// How many indices the parts hold, and how many there are.
    #[must_use]
    pub fn held(&self) -> (u64, u64) {
        (self.parts.ranges.len(), self.parts.plan.size())
    }
}

/// Adds up the counts of the parts and writes the tables of the whole.
pub(super) fn join<S: Study>(study: &S, parts: &Parts, out: Out<'_>) -> Result<Done, SessionError> {
    let holds = |table: &str| parts.files().iter().any(|name| name == table);
    let all = Outputs { rows: true, ..Outputs::default() };
    let rows = study.files(&all).ok().and_then(|files| files.rows).is_some_and(|table| holds(table.file));
    let outputs = Outputs { rows, parquet: holds(GAMES_PARQUET), ..Outputs::default() };
    if outputs.parquet && !PARQUET {
        let why = format!("they hold {GAMES_PARQUET}, and this sim was built without --features parquet");
        return Err(RequestError::new("parts", MergeRequestError::Changed(why)).into());
    }
    let files = study.files(&outputs)?;
    let job = study.job(&Outputs::default());
    if let Some(table) = files.rows {
        parts.check_rows(table)?;
    }
    let totals = parts.totals(&job)?;
    let folder = Folder::check(out.folder, &parts.plan, &files, out.existing)?;
    let mut writer = Writer::open(Some(folder), Manifest::new(parts.plan.clone()), &files)?;
    if let Some(table) = files.rows {
        parts.copy_rows(table, &mut writer)?;
    }
    writer.keep(&parts.ranges, job.record(&totals), parts.timing.clone())?;
    study.tables(&totals)?.iter().for_each(|table| writer.table(table));
    let partial = parts.ranges.len() < parts.plan.size();
    let manifest =
        writer.finish(partial).map_err(|source| SessionError::Unwritten { source, kept: false })?;
    let summary = Box::new(study.summary(&totals, Head::of::<S::Game>(&manifest)));
    Ok(Done { manifest, summary, folder: Some(out.folder.to_owned()), end: End::Complete })
}
